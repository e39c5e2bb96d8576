//! Generated words of printed standards (NOTE, EXAMPLE, WARNING…), by language.

/// The generated words of one language.
pub(super) struct GeneratedPhrases {
    pub note: &'static str,
    pub example: &'static str,
    pub warning: &'static str,
    pub caution: &'static str,
    pub danger: &'static str,
    pub deprecated: &'static str,
    pub source: &'static str,
    /// Before and after the number of a note to entry.
    pub note_to_entry: (&'static str, &'static str),
}

const ENGLISH: GeneratedPhrases = GeneratedPhrases {
    note: "NOTE",
    example: "EXAMPLE",
    warning: "WARNING",
    caution: "CAUTION",
    danger: "DANGER",
    deprecated: "DEPRECATED:",
    source: "SOURCE:",
    note_to_entry: ("Note ", " to entry:"),
};
const FRENCH: GeneratedPhrases = GeneratedPhrases {
    note: "NOTE",
    example: "EXEMPLE",
    warning: "AVERTISSEMENT",
    caution: "ATTENTION",
    danger: "DANGER",
    deprecated: "DÉCONSEILLÉ:",
    source: "SOURCE:",
    note_to_entry: ("Note ", " à l'article:"),
};
const GERMAN: GeneratedPhrases = GeneratedPhrases {
    note: "ANMERKUNG",
    example: "BEISPIEL",
    warning: "WARNUNG",
    caution: "VORSICHT",
    danger: "GEFAHR",
    deprecated: "ABGELEHNT:",
    source: "QUELLE:",
    note_to_entry: ("Anmerkung ", " zum Begriff:"),
};
const CHINESE: GeneratedPhrases = GeneratedPhrases {
    note: "注",
    example: "示例",
    warning: "警告",
    caution: "注意",
    danger: "危险",
    deprecated: "拒用:",
    source: "来源:",
    note_to_entry: ("注", ":"),
};

/// The phrases of a language; English ones where its own are not known.
pub(super) fn phrases(primary: &str) -> &'static GeneratedPhrases {
    match primary {
        "fr" => &FRENCH,
        "de" => &GERMAN,
        "zh" => &CHINESE,
        _ => &ENGLISH,
    }
}
