//! Starts of sentences, as far as citations need them: whether two of them are in one sentence.

/// Words before a full stop that does not end a sentence.
const ABBREVIATIONS: [&str; 38] = [
    "no", "nr", "fig", "figs", "abb", "tab", "cl", "sec", "sect", "ch", "chap", "kap", "abs", "abschn",
    "anh", "ann", "app", "art", "al", "par", "para", "ziff", "pkt", "eq", "gl", "cf", "vgl", "bzw", "ca",
    "approx", "etc", "resp", "ed", "ausg", "bspw", "inkl", "incl", "anm",
];

/// Bytes where the sentences of a text begin.
pub(super) fn starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    for (at, c) in text.char_indices() {
        if !matches!(c, '.' | '!' | '?' | '…') || c == '.' && is_abbreviation(&text[..at]) {
            continue;
        }
        let after = &text[at + c.len_utf8()..];
        let closed = after.trim_start_matches(['”', '“', '"', '»', '›', '’', ')', ']']);
        let next = closed.trim_start();
        if next.len() < closed.len() && begins_sentence(next) {
            starts.push(text.len() - next.len());
        }
    }
    starts
}

fn begins_sentence(text: &str) -> bool {
    text.starts_with(|c: char| c.is_uppercase() || "“„\"«‹(§[".contains(c))
}

/// Whether a text ends with an abbreviation: a known one, or a letter (`z. B.`, `e. g.`).
fn is_abbreviation(before: &str) -> bool {
    let start =
        before.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| before.ceil_char_boundary(at + 1));
    let word = before[start..].to_lowercase();
    let is_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    is_letter || ABBREVIATIONS.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_stops_of_abbreviations_and_numbers_do_not_end_sentences() {
        let text = "See Fig. A of No. 5, z. B. Table 4.2. The load is 4.5 kN. “Quoted.” End";
        let begin: Vec<String> =
            starts(text).iter().map(|at| text[*at..].chars().take(5).collect()).collect();
        assert_eq!(begin, ["See F", "The l", "“Quot", "End"]);
    }
}
