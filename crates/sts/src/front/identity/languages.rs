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
            let attribute = block.ancestors().find_map(XmlNode::language);
            let (languages, origin) = match (detected, attribute) {
                ([], Some(language)) => (vec![language], "an attribute says"),
                ([], None) => (vec![Lang::en()], "English is taken as"),
                (detected, _) => (detected.to_vec(), "the text is in"),
            };
            let message = format!("`content-language` is empty; {origin} {}", list(&languages));
            source.note("language-worked-out", message);
            self.languages = languages;
        } else {
            self.languages = reconciled(&stated, detected);
            self.declared_languages = stated;
        }
    }
}

/// The detected languages, each as declared if it is (`zh-hant` for `zh`); the declared ones if none was
/// detected.
fn reconciled(stated: &[Lang], detected: &[Lang]) -> Vec<Lang> {
    if detected.is_empty() {
        return stated.to_vec();
    }
    let as_declared = |language: &Lang| {
        stated.iter().find(|declared| agree(declared, language)).unwrap_or(language).clone()
    };
    detected.iter().map(as_declared).collect()
}

/// Languages in a message: `en` and `fr`.
pub(in super::super) fn list(languages: &[Lang]) -> String {
    languages.iter().map(|language| format!("`{language}`")).collect::<Vec<_>>().join(" and ")
}

/// Language codes of one text: a list, or codes of two letters run together.
fn codes(text: &str) -> Vec<String> {
    let all = text.split([',', ';', ' ', '/']).map(str::trim).filter(|c| !c.is_empty());
    all.flat_map(|code| {
        let run_together =
            code.len() > 3 && code.len().is_multiple_of(2) && code.bytes().all(|b| b.is_ascii_lowercase());
        if run_together {
            code.as_bytes().chunks(2).map(|c| String::from_utf8_lossy(c).into_owned()).collect()
        } else {
            vec![code.to_owned()]
        }
    })
    .collect()
}
