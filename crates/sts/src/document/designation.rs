//! Designations as a source writes them, read once and whole: some tools write the beginning or all of one
//! twice, and a hyphen where no year came.

/// A designation without what is written twice and without a hyphen at its end that nothing follows.
///
/// The dash of an undated reference, as in `ISO 16634:—`, stays.
pub(crate) fn read_once(text: String) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let once = match repeated_words(&words) {
        0 => text,
        repeated => words[repeated..].join(" "),
    };
    without_hanging_hyphen(once)
}

/// Number of first words that are written twice: half of all words, or else the most of the bodies and kinds
/// before the number, as in `IEEE Std IEEE Std 802.3`. 0 where nothing is repeated.
fn repeated_words(words: &[&str]) -> usize {
    let is_twice = |length: usize| words[..length] == words[length..2 * length];
    let half = words.len() / 2;
    if words.len().is_multiple_of(2) && is_twice(half) {
        return half;
    }
    let names = words.iter().take_while(|word| is_name(word)).count();
    for length in (1..=names / 2).rev() {
        if is_twice(length) {
            return length;
        }
    }
    0
}

/// A word of letters that may be a body or kind: it has no digit.
fn is_name(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && !word.contains(|c: char| c.is_ascii_digit())
}

fn without_hanging_hyphen(text: String) -> String {
    let stem = text.trim_end_matches(['-', '\u{2010}', '\u{2011}', '–']);
    let hyphens = text[stem.len()..].chars().count();
    if hyphens == 1 && stem.ends_with(char::is_alphanumeric) { stem.to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::read_once;

    #[test]
    fn a_designation_is_read_once_and_whole() {
        for (written, read) in [
            ("IEEE Std IEEE Std 998.1-2021-", "IEEE Std 998.1-2021"),
            ("ISO ISO 9999:2020", "ISO 9999:2020"),
            ("ISO/IEC TR ISO/IEC TR 9999", "ISO/IEC TR 9999"),
            ("EN 9999:2020 EN 9999:2020", "EN 9999:2020"),
            ("ISO 9999-1-", "ISO 9999-1"),
            ("ISO 9999:—", "ISO 9999:—"),
            ("ISO 9999:--", "ISO 9999:--"),
            ("ISO 9999:-", "ISO 9999:-"),
            ("DIN EN ISO 9999", "DIN EN ISO 9999"),
            ("BIPM BIPM", "BIPM"),
            ("10 10", "10"),
            ("", ""),
        ] {
            assert_eq!(read_once(written.to_owned()), read);
        }
    }
}
