//! Stems of words, without accents.

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

/// Languages whose words are reduced to stems: of a text its own, of a query all unless it names one.
pub(crate) const STEM_LANGUAGES: [&str; 3] = ["en", "fr", "de"];

/// The stem of a folded word in a language, without accents; the word itself, without accents, where the
/// language has no stemmer here.
pub(crate) fn stem(word: &str, language: &str) -> String {
    let algorithm = match language {
        "en" => Algorithm::English,
        "fr" => Algorithm::French,
        "de" => Algorithm::German,
        _ => return without_accents(word.to_owned()),
    };
    without_accents(Stemmer::new(algorithm).stem(word).into_owned())
}

/// A folded word without the marks of its Latin letters, and with `oe` for `œ`.
fn without_accents(word: String) -> String {
    if word.is_ascii() {
        return word;
    }
    let mut is_after_latin = false;
    let unmarked = word.nfd().filter(|c| {
        let is_accent = is_after_latin && matches!(c, '\u{300}'..='\u{36f}');
        is_after_latin = is_accent || c.is_ascii_alphabetic();
        !is_accent
    });
    unmarked.nfc().collect::<String>().replace('œ', "oe").replace('æ', "ae")
}
