//! Selection of one language of an edition: a bilingual edition is compared by language.

use norma_model::{Definition, Designation, Lang, Term, TermText};

use crate::units::{UnitTarget, Units, UnitsParts};

/// The languages that two editions have in common, in the order of the older one. Where no tag is in both,
/// two tags with the same primary language count as that language: `en` for `en-gb` and `en-us`. Empty where
/// the editions cannot be compared; an edition whose languages are not known has none in common with any.
pub fn common_languages(older: &Units, newer: &Units) -> Vec<Lang> {
    languages_of_both(&older.languages, &newer.languages)
}

/// The same for the languages of two editions, of which nothing else needs to be known.
pub fn languages_of_both(older: &[Lang], newer: &[Lang]) -> Vec<Lang> {
    let exact: Vec<Lang> = older.iter().filter(|language| newer.contains(language)).cloned().collect();
    if !exact.is_empty() {
        return exact;
    }
    let primary = |language: &Lang| language.primary().parse::<Lang>().ok();
    let known: Vec<Lang> = newer.iter().filter_map(primary).collect();
    let mut common: Vec<Lang> = Vec::new();
    for language in older.iter().filter_map(primary) {
        if known.contains(&language) && !common.contains(&language) {
            common.push(language);
        }
    }
    common
}

/// Whether a tag is in the range of another (RFC 4647, 3.3.1): `en-us` in `en`.
fn in_range(tag: &Lang, range: &Lang) -> bool {
    let rest = tag.as_str().strip_prefix(range.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

impl Units {
    /// The parts of an edition in a language: its units, and the sections, parts and terms that they need. A
    /// section in another language that holds one of those stays as an empty one. Ids stay; indices do not.
    pub fn in_language(&self, language: &Lang) -> Self {
        let is_wanted = |tag: &Lang| in_range(tag, language);
        let own: Vec<bool> =
            self.sections.iter().map(|section| section.language.as_ref().is_some_and(is_wanted)).collect();
        let mut keeps = own.clone();
        for index in (0..keeps.len()).rev() {
            if let Some(parent) = self.sections[index].parent.filter(|_| keeps[index]) {
                keeps[parent] = true;
            }
        }
        let new_sections = new_indices(&keeps);
        let sections = self.sections.iter().enumerate().filter(|(index, _)| keeps[*index]);
        let sections = sections.map(|(_, section)| {
            let mut section = section.clone();
            section.parent = section.parent.and_then(|parent| new_sections[parent]);
            section
        });
        let keeps_part: Vec<bool> =
            self.parts.iter().map(|part| part.section.is_none_or(|section| own[section])).collect();
        let new_parts = new_indices(&keeps_part);
        let parts = self.parts.iter().zip(&keeps_part).filter(|(_, keep)| **keep).map(|(part, _)| {
            let mut part = part.clone();
            part.section = part.section.and_then(|section| new_sections[section]);
            part
        });
        let units = self.units.iter().filter(|unit| own[unit.section]).map(|unit| {
            let mut unit = unit.clone();
            unit.section = new_sections[unit.section].expect("the section of a unit that stays also stays");
            for reference in &mut unit.references {
                reference.target = match reference.target.take() {
                    Some(UnitTarget::Section(index)) => new_sections[index].map(UnitTarget::Section),
                    Some(UnitTarget::Part(index)) => new_parts[index].map(UnitTarget::Part),
                    other => other,
                };
            }
            unit
        });
        let parts = UnitsParts {
            documents: self.documents.clone(),
            languages: vec![language.clone()],
            sections: sections.collect(),
            parts: parts.collect(),
            terms: self.terms.iter().map(|term| term_in(term, language)).collect(),
            units: units.collect(),
        };
        Self::new(parts).expect("a selection of valid units is valid")
    }

    /// Whether two editions are of one document, or adopt one document. Editions whose document is not known
    /// are of any.
    pub fn same_document(&self, other: &Self) -> bool {
        self.documents.is_empty()
            || other.documents.is_empty()
            || self.documents.iter().any(|document| other.documents.contains(document))
    }
}

/// A term with its texts in a language. Its section stays the one in the whole edition.
fn term_in(term: &Term, language: &Lang) -> Term {
    let Term { id, number, designations, definitions, domains, notes, examples, sources, section } = term;
    Term {
        id: id.clone(),
        number: number.clone(),
        designations: texts_in(language, designations, |designation: &Designation| &designation.language),
        definitions: texts_in(language, definitions, |definition: &Definition| &definition.language),
        domains: texts_in(language, domains, |domain: &TermText| &domain.language),
        notes: texts_in(language, notes, |note: &TermText| &note.language),
        examples: texts_in(language, examples, |example: &TermText| &example.language),
        sources: texts_in(language, sources, |source: &TermText| &source.language),
        section: *section,
    }
}

/// The texts whose language is in a range.
fn texts_in<T: Clone>(range: &Lang, texts: &[T], language: impl Fn(&T) -> &Lang) -> Vec<T> {
    texts.iter().filter(|text| in_range(language(text), range)).cloned().collect()
}

/// For each element that stays its new index.
fn new_indices(keeps: &[bool]) -> Vec<Option<usize>> {
    let mut next = 0;
    let new = keeps.iter().map(|&keep| {
        keep.then(|| {
            next += 1;
            next - 1
        })
    });
    new.collect()
}
