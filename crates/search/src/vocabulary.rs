//! Words that the analyser treats in a special way: stop words and units of quantities.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of English, German and French that say little by themselves, in lower case. Negations and verbal
/// forms of provisions are not among them: `shall not` must be found. Nor are words that mean something in
/// the other two languages, except articles.
static STOP_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("stop_words.txt").split_whitespace().collect());

/// Words by which questions are asked, of English, German and French: they say nothing about what is asked
/// for. Texts have some of them too, so they are left out only where a question has other words.
static QUESTION_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("question_words.txt").split_whitespace().collect());

/// Symbols of units after a number, in lower case (ISO 80000-1, and those of practice).
#[rustfmt::skip]
const QUANTITY_UNITS: &[&str] = &[
    "m", "mm", "cm", "dm", "km", "µm", "μm", "nm", "in", "ft", "g", "kg", "mg", "t", "s", "ms", "min", "h", "d", "a", "k", "°c",
    "c", "°f", "v", "kv", "mv", "w", "kw", "mw", "n", "kn", "mn", "pa", "kpa", "mpa", "gpa", "hpa", "bar", "mbar", "j", "kj",
    "mj", "hz", "khz", "mhz", "ghz", "l", "ml", "m2", "m3", "mm2", "mm3", "cm2", "cm3", "db", "lx", "lm", "cd", "mol", "rad",
    "°", "%", "ω", "ohm", "nm", "kwh", "wh", "ppm", "va", "kva", "bit", "byte", "kb", "gb",
];

/// True for a folded word that is a stop word of one of the three languages.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// True for a folded word by which a question is asked.
pub(crate) fn is_question_word(word: &str) -> bool {
    QUESTION_WORDS.contains(word)
}

/// True for a folded word that is the symbol of a unit.
pub(crate) fn is_quantity_unit(word: &str) -> bool {
    QUANTITY_UNITS.contains(&word)
}
