//! Language of texts, by the trigrams of their words.

use norma_model::Lang;
use whatlang::{Detector, Lang as Code};

/// The language of a text, of the three in which citations are read. `None` where it is not certain.
pub(crate) fn language_of(text: &str) -> Option<Lang> {
    let detector = Detector::with_allowlist(vec![Code::Eng, Code::Fra, Code::Deu]);
    let found = detector.detect(text)?;
    if !found.is_reliable() {
        return None;
    }
    let code = match found.lang() {
        Code::Fra => "fr",
        Code::Deu => "de",
        _ => "en",
    };
    code.parse().ok()
}
