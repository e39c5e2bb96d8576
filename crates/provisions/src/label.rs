//! Labels of parts: the number within a label.

/// Words before a number in labels, in lower case.
const LEADING: &[&str] = &[
    "annex",
    "annexe",
    "anhang",
    "anlage",
    "appendix",
    "appendice",
    "anexo",
    "allegato",
    "bijlage",
    "bilaga",
    "vedlegg",
    "bilag",
    "liite",
    "příloha",
    "załącznik",
    "приложение",
    "附件",
    "附录",
    "附錄",
    "附属書",
    "clause",
    "subclause",
    "section",
    "chapter",
    "part",
    "article",
    "abschnitt",
    "kapitel",
    "chapitre",
    "paragraphe",
    "teil",
    "partie",
    "table",
    "tableau",
    "tabelle",
    "tabla",
    "tabella",
    "tabel",
    "表",
    "figure",
    "bild",
    "abbildung",
    "figura",
    "图",
    "圖",
    "図",
    "fig.",
    "key",
    "term",
    "entry",
];

/// The number in a label: without leading word, white space, brackets and final dot; letters in upper case.
/// `None` where nothing is left.
pub fn number_of(label: &str) -> Option<String> {
    let label = label.trim();
    // Most labels are numbers alone.
    let (leading, lower) = match label.starts_with(|c: char| c.is_ascii_digit()) {
        true => (&[] as &[&str], String::new()),
        false => (LEADING, label.to_lowercase()),
    };
    // Lower case may have other lengths than the original; only words that are whole prefixes of both count.
    let word = leading
        .iter()
        .filter(|w| lower.starts_with(*w) && label.is_char_boundary(w.len()))
        // Chinese and Japanese words end without a space.
        .filter(|w| w.ends_with(|c| c > '\u{3000}') || !label[w.len()..].starts_with(char::is_alphabetic))
        .max_by_key(|w| w.len());
    let rest = word.map_or(label, |w| &label[w.len()..]).trim();
    let first = rest.split_whitespace().next().unwrap_or_default();
    let first = first.split(['(', '—', ':']).find(|part| !part.is_empty()).unwrap_or_default();
    let number = first.trim_matches(|c: char| !c.is_alphanumeric()).to_uppercase();
    (!number.is_empty()).then_some(number)
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
        ] {
            assert_eq!(number_of(label).as_deref(), Some(number), "{label}");
        }
        assert_eq!([number_of("Annex"), number_of(" "), number_of("—")], [None, None, None]);
    }
}
