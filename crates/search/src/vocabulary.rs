//! Words that the analyser treats in a special way: stop words and units of quantities.

/// Words of English, German and French that say little by themselves, in lower case. Negations and verbal
/// forms of provisions are not among them: `shall not` must be found. Nor are words that mean something in
/// the other two languages, except articles.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "being", "by", "for", "from", "has", "have", "in", "into", "is", "it",
    "its", "of", "on", "or", "that", "the", "their", "there", "these", "this", "those", "to", "was", "were", "which", "with",
    "als", "am", "auf", "aus", "bei", "beim", "das", "dem", "den", "der", "des", "die", "durch", "ein", "eine", "einem",
    "einen", "einer", "eines", "für", "im", "ist", "mit", "nach", "oder", "sein", "sich", "sind", "und", "vom", "von", "vor",
    "werden", "wird", "zu", "zum", "zur", "über",
    "au", "aux", "avec", "c", "ce", "ces", "cette", "d", "dans", "de", "du", "en", "est", "et", "il", "l", "la", "le", "les",
    "leur", "leurs", "ou", "par", "pour", "qu", "que", "qui", "s", "sa", "se", "ses", "son", "sont", "sur", "un", "une", "être",
    "j", "m", "n", "t", "à",
];

/// Symbols of units after a number, in lower case (ISO 80000-1, and those of practice).
#[rustfmt::skip]
const QUANTITY_UNITS: &[&str] = &[
    "m", "mm", "cm", "dm", "km", "µm", "μm", "nm", "in", "ft", "g", "kg", "mg", "t", "s", "ms", "min", "h", "d", "a", "k", "°c",
    "c", "°f", "v", "kv", "mv", "w", "kw", "mw", "n", "kn", "mn", "pa", "kpa", "mpa", "gpa", "hpa", "bar", "mbar", "j", "kj",
    "mj", "hz", "khz", "mhz", "ghz", "l", "ml", "m2", "m3", "mm2", "mm3", "cm2", "cm3", "db", "lx", "lm", "cd", "mol", "rad",
    "°", "%", "ω", "ohm", "nm", "kwh", "wh", "ppm", "va", "kva", "bit", "byte", "kb", "gb",
];

/// Whether a folded word is a stop word of one of the three languages.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

/// Whether a folded word is the symbol of a unit.
pub(crate) fn is_quantity_unit(word: &str) -> bool {
    QUANTITY_UNITS.contains(&word)
}
