//! Languages of the text: as detected, else as stated.

use norma_model::Lang;

use super::super::fields::values;
use super::{Identity, IdentitySource};
use crate::document::language::agree;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

impl Identity {
    /// The languages of the text. Those of the metadata count only if none is detected, so that a document
    /// has one URN whatever its metadata says.
    pub(super) fn read_languages(&mut self, detected: &[Lang], source: &mut IdentitySource<'_, '_>) {
        let block = source.block;
        let mut texts: Vec<String> = values(block, Name::ContentLanguage).collect();
        if texts.is_empty() {
            texts = values(block, Name::Language).collect();
        }
        let mut stated: Vec<Lang> = Vec::new();
        for code in texts.iter().flat_map(|text| codes(text)) {
            match Lang::of_source(&code) {
                Ok(language) if stated.contains(&language) => {}
                Ok(language) => stated.push(language),
                Err(error) => source.note("invalid-language", error.to_string()),
            }
        }
        if stated.is_empty() {
            self.languages = undeclared_languages(detected, source);
        } else {
            self.languages = reconciled(&stated, detected);
            self.declared_languages = stated;
        }
    }
}

/// The languages where the metadata states none: the detected ones, else that of an attribute, else English.
fn undeclared_languages(detected: &[Lang], source: &mut IdentitySource<'_, '_>) -> Vec<Lang> {
    let (languages, origin) = if !detected.is_empty() {
        (detected.to_vec(), "the text is in")
    } else if let Some(language) = source.block.ancestors().find_map(XmlNode::language) {
        (vec![language], "an attribute says")
    } else {
        (vec![Lang::en()], "English is taken as")
    };
    let message = format!("`content-language` is empty; {origin} {}", list(&languages));
    source.note("language-worked-out", message);
    languages
}

/// The detected languages, each as declared if it is (`zh-hant` for `zh`); the declared ones if none was
/// detected.
fn reconciled(stated: &[Lang], detected: &[Lang]) -> Vec<Lang> {
    if detected.is_empty() {
        return stated.to_vec();
    }
    let mut languages = Vec::with_capacity(detected.len());
    for language in detected {
        let declared = stated.iter().find(|declared| agree(declared, language));
        languages.push(declared.unwrap_or(language).clone());
    }
    languages
}

/// Languages in a message: `en` and `fr`.
pub(in super::super) fn list(languages: &[Lang]) -> String {
    languages.iter().map(|language| format!("`{language}`")).collect::<Vec<_>>().join(" and ")
}

/// Language codes of one text: a list, or codes of two letters run together.
fn codes(text: &str) -> Vec<String> {
    let mut codes = Vec::new();
    for code in text.split([',', ';', ' ', '/']).map(str::trim) {
        if code.is_empty() {
            continue;
        }
        let is_run_together =
            code.len() > 3 && code.len().is_multiple_of(2) && code.bytes().all(|b| b.is_ascii_lowercase());
        if !is_run_together {
            codes.push(code.to_owned());
            continue;
        }
        for pair in code.as_bytes().chunks(2) {
            codes.push(String::from_utf8_lossy(pair).into_owned());
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::codes;

    #[test]
    fn codes_are_separated_or_run_together() {
        for (text, expected) in [
            ("en", vec!["en"]),
            ("en, fr;de", vec!["en", "fr", "de"]),
            ("enfr", vec!["en", "fr"]),
            ("eng", vec!["eng"]),
            ("zh-Hant", vec!["zh-Hant"]),
            (" / ", vec![]),
        ] {
            assert_eq!(codes(text), expected, "{text}");
        }
    }
}
