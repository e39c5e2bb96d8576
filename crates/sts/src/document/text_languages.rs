//! Languages of the text: of each section, and of blocks for which the source states another one.

use norma_model::{Lang, Section};

use crate::document::language::detect_section_language;
use crate::text::BlockList;

/// The languages of a text, and which section is in which.
pub(crate) struct TextLanguages {
    /// Languages of the sections, the most used first, then those of single blocks.
    pub(crate) languages: Vec<Lang>,
    /// Index of the language of each section.
    pub(crate) of_sections: Vec<usize>,
}

impl TextLanguages {
    /// Finds the language of each section among those of the document, and records it in the section.
    pub(crate) fn of_sections(languages: Vec<Lang>, sections: &mut [Section]) -> Self {
        let of_sections = section_languages(sections, &languages);
        for (section, &language) in sections.iter_mut().zip(&of_sections) {
            section.language = languages[language].clone();
        }
        Self { languages, of_sections }
    }

    /// Gives each block for which the source states another language than that of its section its language,
    /// unless its words are in that of the section: editors set the attribute without looking. Its provisions
    /// are found by the rules of its language.
    pub(crate) fn read_blocks(&mut self, block_list: &mut BlockList<'_>, sections: &[Section]) {
        for (block, stated) in std::mem::take(&mut block_list.stated_languages) {
            let Ok(stated) = Lang::of_source(stated) else { continue };
            let block = &mut block_list.blocks[block];
            let of_section = &self.languages[self.of_sections[block.section]];
            if stated.primary() == of_section.primary() {
                continue;
            }
            let text = &sections[block.section].text[block.range.clone()];
            let both = [of_section.clone(), stated.clone()];
            if detect_section_language(text, &both) == Some(0) {
                continue;
            }
            block.language = u8::try_from(self.index_of(stated)).ok();
        }
    }

    /// Index of a language, which is added if it is new.
    fn index_of(&mut self, language: Lang) -> usize {
        let known = self.languages.iter().position(|known| known.primary() == language.primary());
        known.unwrap_or_else(|| {
            self.languages.push(language);
            self.languages.len() - 1
        })
    }
}

/// The language of each section, as an index of the document's languages. A section whose language is not
/// detected has that of the section around it, else the most used one.
fn section_languages(sections: &[Section], languages: &[Lang]) -> Vec<usize> {
    if languages.len() < 2 {
        return vec![0; sections.len()];
    }
    let mut found: Vec<usize> = Vec::with_capacity(sections.len());
    for section in sections {
        let language = match (detect_section_language(&section.text, languages), section.parent) {
            (Some(detected), _) => detected,
            (None, Some(parent)) => found[parent],
            (None, None) => 0,
        };
        found.push(language);
    }
    found
}
