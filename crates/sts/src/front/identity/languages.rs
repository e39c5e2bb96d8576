//! Languages: of the text, as stated or as an attribute or the text itself tells.

use norma_model::Lang;

use super::super::stated::values;
use super::Identity;
use crate::names::Name;
use crate::tree::Node;

impl Identity {
    pub(super) fn read_languages(
        &mut self,
        block: Node<'_>,
        detected: Option<&Lang>,
        note: &mut impl FnMut(&'static str, String),
    ) {
        let mut stated: Vec<String> = values(block, Name::ContentLanguage).collect();
        if stated.is_empty() {
            stated = values(block, Name::Language).collect();
        }
        for text in stated {
            for code in codes(&text) {
                match code.parse::<Lang>() {
                    Ok(language) if self.languages.contains(&language) => {}
                    Ok(language) => self.languages.push(language),
                    Err(error) => note("invalid-language", error.to_string()),
                }
            }
        }
        if !self.languages.is_empty() {
            return;
        }
        let attribute = block.ancestors().find_map(|n| n.attr("lang")?.parse().ok());
        let (language, from) = match (attribute, detected) {
            (Some(language), _) => (language, "an attribute says"),
            (None, Some(language)) => (language.clone(), "the text is in"),
            (None, None) => (Lang::en(), "English is taken as"),
        };
        note("language-worked-out", format!("`content-language` is empty; {from} `{language}`"));
        self.languages.push(language);
    }
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
