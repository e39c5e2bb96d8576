//! Numbers that are values, not places, where a citation is read among other words: `5 kN`, `4 anchors`.

use super::word_lists::begins_with;

/// Signs and words of units, in the case in which they are written. `A` is an article or an annex more often.
const UNIT_SIGNS: [&str; 63] = [
    "%", "‰", "°", "µm", "nm", "mm", "cm", "dm", "m", "km", "mg", "g", "kg", "t", "N", "kN", "MN", "Nm",
    "N/s", "Pa", "hPa", "kPa", "MPa", "GPa", "bar", "mbar", "V", "mV", "kV", "mA", "kA", "W", "kW", "MW",
    "kWh", "Hz", "kHz", "MHz", "GHz", "J", "kJ", "ms", "s", "min", "h", "K", "ml", "l", "L", "dB", "Ω", "lx",
    "€", "$", "£", "EUR", "USD", "CHF", "times", "fois", "percent", "Prozent", "million",
];

/// Words that follow the number of a place and are not what it counts: `Clauses 4 and 5 apply`.
const AFTER_NUMBERS: &str = "and|or|of|in|to|for|with|from|by|on|at|as|is|are|was|were|has|have|does|do|which|that|\
     shall|should|may|can|must|will|applies|apply|requires|require|specifies|specify|gives|give|states|state|says|say|\
     defines|define|describes|describe|contains|contain|lists|list|sets|set|limits|limit|only|also|not|therefore|\
     und|oder|sowie|bis|des|der|die|das|dem|den|im|für|mit|von|vom|nach|aus|gilt|gelten|ist|sind|verlangt|verlangen|\
     fordert|fordern|enthält|enthalten|legt|legen|beschreibt|regelt|nicht|auch|sagt|nennt|\
     et|ou|de|du|d|la|le|les|pour|par|avec|dans|est|sont|doit|doivent|exige|exigent|prescrit|prescrivent|donne|\
     donnent|fixe|fixent|définit|décrit|s|ne|qui";

/// The beginning of a text before its first number with a unit.
pub(super) fn before_values(text: &str) -> &str {
    let mut at = 0;
    while let Some(found) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + found;
        let length = number_length(&text[start..]);
        let after = text[start + length..].trim_start();
        let begins_word = !text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '.');
        if begins_word && begins_with_unit(after) {
            return text[..start].trim_end();
        }
        at = start + length;
    }
    text
}

/// Length of a number with points and commas in it.
fn number_length(text: &str) -> usize {
    let mut length = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let is_inner = matches!(c, '.' | ',') && characters.peek().is_some_and(|(_, c)| c.is_ascii_digit());
        if !c.is_ascii_digit() && !is_inner {
            break;
        }
        length = at + 1;
    }
    length
}

fn begins_with_unit(text: &str) -> bool {
    for unit in UNIT_SIGNS {
        // `4.2 g)` is an item.
        if begins_with(text, unit) && !text[unit.len()..].starts_with(')') {
            return true;
        }
    }
    false
}

/// Whether the number at the beginning of a text may be that of a place: `4.2`, `A.1`, `4(1)`, `4` before the
/// end of its phrase; not `4` in `4 anchors`.
pub(super) fn may_be_location(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    if !number.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    if number.contains('.') {
        return true;
    }
    if !number.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    ends_phrase(&text[number.len()..])
}

/// Whether a number before this text counts nothing: its phrase ends, or goes on with a word that is not
/// counted.
fn ends_phrase(after: &str) -> bool {
    let after = after.trim_start();
    let Some(next) = after.chars().next() else { return true };
    if !next.is_alphanumeric() {
        return true;
    }
    let length = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
    let word = after[..length].to_lowercase();
    AFTER_NUMBERS.split('|').any(|one| one == word)
}

/// The beginning of a text before a number that counts something, of those that only a joint leads to:
/// `Table 1` in `Table 1 and 2 anchors`.
pub(super) fn before_counts<'t>(text: &'t str, joints: &[&str]) -> &'t str {
    for (at, _) in text.match_indices(' ') {
        let word_start = text[..at].rfind([' ', ',']).map_or(0, |space| space + 1);
        let is_joint = text[..at].ends_with(',') || joints.contains(&&text[word_start..at]);
        let after = &text[at + 1..];
        if is_joint && after.starts_with(|c: char| c.is_ascii_digit()) && !may_be_location(after) {
            return text[..at].trim_end();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_before_its_first_number_with_a_unit() {
        for (text, before) in [
            (", 4.2 and 5 kN", ", 4.2 and"),
            (", 4.2, at 1.5 times the load", ", 4.2, at"),
            (", 4.2 g)", ", 4.2 g)"),
            (", 4.2 to 4.4", ", 4.2 to 4.4"),
        ] {
            assert_eq!(before_values(text), before, "{text}");
        }
    }

    #[test]
    fn a_number_that_counts_something_is_not_a_location() {
        for (text, is_location) in [
            ("4.2", true),
            ("4", true),
            ("4, 5", true),
            ("4 and 5", true),
            ("4 shall apply", true),
            ("4 anchors", false),
            ("A bicycle", false),
            ("A.1", true),
        ] {
            assert_eq!(may_be_location(text), is_location, "{text}");
        }
        assert_eq!(before_counts("Table 1 and 2 anchors", &["and"]), "Table 1 and");
        assert_eq!(before_counts("Tables 1 and 2 apply", &["and"]), "Tables 1 and 2 apply");
    }
}
