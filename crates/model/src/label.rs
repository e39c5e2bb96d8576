//! Labels of parts: the number within a label.

/// The number in a label, in whatever language: without words that have no digits, signs, brackets and final
/// dot; letters in upper case. `None` where nothing is left.
///
/// `§ 4.2`, `Kap. 4` and `第4条` have the numbers 4.2, 4 and 4, `Annex A` and `附件A` have A.
pub fn number_of(label: &str) -> Option<String> {
    // Text in brackets or after a colon or dash is not a number if one comes before: `Annex A (5.2)`.
    let head = label.split(['(', '（', '—', ':', '：']).next().unwrap_or_default();
    number_in(head).or_else(|| number_in(label))
}

/// The first word with a digit, or else the first that is a number of letters: `NO 5` and `n° 5` are 5.
fn number_in(text: &str) -> Option<String> {
    let mut first_letters = None;
    for word in text.split(is_separator) {
        let number = trimmed(without_prefix(trimmed(word)));
        if number.contains(char::is_numeric) {
            return Some(number.to_uppercase());
        }
        if first_letters.is_none() && is_letters(number) {
            first_letters = Some(number);
        }
    }
    first_letters.map(str::to_uppercase)
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || "(（—:：".contains(c)
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The word without the text before and after its number: Chinese and Japanese words have no spaces, and
/// abbreviations may have none (`Art.7`).
fn without_prefix(word: &str) -> &str {
    let mut number = word.trim_start_matches(is_ideograph);
    if let Some(end) = number.find(is_ideograph) {
        number = &number[..end];
    }
    let Some(digit) = number.find(char::is_numeric) else { return number };
    let before = &number[..digit];
    let letters = before.chars().filter(|c| c.is_alphabetic()).count();
    let is_abbreviation = letters > 1 && before.contains(char::is_lowercase);
    if is_abbreviation { &number[digit..] } else { number }
}

/// True for letters from U+3000 on, Chinese and Japanese ones among them.
fn is_ideograph(c: char) -> bool {
    c > '\u{3000}' && c.is_alphabetic()
}

/// A word without digits can be a number: one letter, up to three in upper case, or a Roman number.
fn is_letters(word: &str) -> bool {
    match word.chars().count() {
        0 => false,
        1 => true,
        2..=3 if word.chars().all(char::is_uppercase) => true,
        _ => word.chars().all(|c| "IVXLC".contains(c)) || word.chars().all(|c| "ivx".contains(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_without_words_space_and_dots() {
        for (label, number) in [
            ("4.2.1", "4.2.1"),
            ("4.", "4"),
            ("Annex A", "A"),
            ("Annexe\u{a0}B.", "B"),
            ("Anhang ZA (informativ)", "ZA"),
            ("附件A", "A"),
            ("a.1", "A.1"),
            ("Clause 5", "5"),
            ("Table A.1 —", "A.1"),
            ("(3)", "3"),
            ("Tableau 2", "2"),
            ("A", "A"),
            ("N", "N"),
            ("§ 4.2", "4.2"),
            ("§4.3", "4.3"),
            ("Artikel 6", "6"),
            ("Art. 7", "7"),
            ("Art.7", "7"),
            ("KAP. 4", "4"),
            ("Nr. 5", "5"),
            ("n° 5", "5"),
            ("BOX 2", "2"),
            ("EQ. A.4", "A.4"),
            ("Annex SA (5.2)", "SA"),
            ("Annex A: 2 oaks", "A"),
            ("Table — 3", "3"),
            ("Capítulo 4", "4"),
            ("Раздел 9", "9"),
            ("第4条", "4"),
            ("第5章", "5"),
            ("6\u{3000}", "6"),
            ("附件 B.2", "B.2"),
            ("表2", "2"),
            ("Appendix III", "III"),
            ("Anlage 3a", "3A"),
            ("Figure 2 b)", "2"),
            ("REQ-12", "REQ-12"),
        ] {
            assert_eq!(number_of(label).as_deref(), Some(number), "{label}");
        }
        for none in ["Annex", "ANHANG", " ", "—", "Article premier", "Key", "§"] {
            assert_eq!(number_of(none), None, "{none}");
        }
    }
}
