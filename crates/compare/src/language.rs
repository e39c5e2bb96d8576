//! Selection of one language of an edition: a bilingual edition is compared by language.

use norma_model::{Definition, Designation, Lang, Term, TermText};

use crate::units::{ComparisonSection, ComparisonUnit, NumberedPart, UnitTarget, Units, UnitsParts};

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
    let known = primary_languages(newer);
    let mut common: Vec<Lang> = Vec::new();
    for language in primary_languages(older) {
        if known.contains(&language) && !common.contains(&language) {
            common.push(language);
        }
    }
    common
}

/// The primary language of each tag: `en` of `en-gb`.
fn primary_languages(tags: &[Lang]) -> Vec<Lang> {
    let mut languages = Vec::with_capacity(tags.len());
    for tag in tags {
        if let Ok(language) = tag.primary().parse() {
            languages.push(language);
        }
    }
    languages
}

/// A tag is in the range of another if it has the same subtags first (RFC 4647, 3.3.1): `en-us` in `en`.
fn in_range(tag: &Lang, range: &Lang) -> bool {
    match tag.as_str().strip_prefix(range.as_str()) {
        Some(rest) => rest.is_empty() || rest.starts_with('-'),
        None => false,
    }
}

impl Units {
    /// The parts of an edition in a language: its units, and the sections, parts and terms that they need. A
    /// section in another language that holds one of those stays as an empty one. Ids stay; indices do not.
    pub fn in_language(&self, language: &Lang) -> Self {
        let selection = LanguageSelection::new(self, language);
        let parts = UnitsParts {
            documents: self.documents.clone(),
            languages: vec![language.clone()],
            sections: selection.sections(),
            parts: selection.parts(),
            terms: self.terms.iter().map(|term| term_in(term, language)).collect(),
            units: selection.units(),
        };
        Self::new(parts).expect("a selection of valid units is valid")
    }

    /// True for two editions of one document, or that adopt one document. Editions whose document is not
    /// known are of any.
    pub fn same_document(&self, other: &Self) -> bool {
        if self.documents.is_empty() || other.documents.is_empty() {
            return true;
        }
        self.documents.iter().any(|document| other.documents.contains(document))
    }
}

/// The sections and parts of an edition that its units in a language need.
struct LanguageSelection<'a> {
    units: &'a Units,
    /// For each section, whether its text is in the language.
    is_own: Vec<bool>,
    /// For each section that stays its new index.
    new_sections: Vec<Option<usize>>,
    /// The same for each table, figure and formula.
    new_parts: Vec<Option<usize>>,
}

impl<'a> LanguageSelection<'a> {
    fn new(units: &'a Units, language: &Lang) -> Self {
        let mut is_own = Vec::with_capacity(units.sections.len());
        for section in &units.sections {
            is_own.push(match &section.language {
                Some(tag) => in_range(tag, language),
                None => false,
            });
        }
        // A section stays with those in it; parents come before children.
        let mut stays = is_own.clone();
        for index in (0..stays.len()).rev() {
            if stays[index]
                && let Some(parent) = units.sections[index].parent
            {
                stays[parent] = true;
            }
        }
        let mut part_stays = Vec::with_capacity(units.parts.len());
        for part in &units.parts {
            part_stays.push(match part.section {
                Some(section) => is_own[section],
                None => true,
            });
        }
        let (new_sections, new_parts) = (new_indices(&stays), new_indices(&part_stays));
        Self { units, is_own, new_sections, new_parts }
    }

    fn sections(&self) -> Vec<ComparisonSection> {
        let mut sections = Vec::new();
        for (section, new) in self.units.sections.iter().zip(&self.new_sections) {
            if new.is_none() {
                continue;
            }
            let mut section = section.clone();
            section.parent = section.parent.and_then(|parent| self.new_sections[parent]);
            self.renumber(&mut section.targets);
            sections.push(section);
        }
        sections
    }

    fn parts(&self) -> Vec<NumberedPart> {
        let mut parts = Vec::new();
        for (part, new) in self.units.parts.iter().zip(&self.new_parts) {
            if new.is_none() {
                continue;
            }
            let mut part = part.clone();
            part.section = part.section.and_then(|section| self.new_sections[section]);
            parts.push(part);
        }
        parts
    }

    fn units(&self) -> Vec<ComparisonUnit> {
        let mut units = Vec::new();
        for unit in &self.units.units {
            if !self.is_own[unit.section] {
                continue;
            }
            let mut unit = unit.clone();
            let section = self.new_sections[unit.section];
            unit.section = section.expect("the section of a unit that stays also stays");
            for reference in &mut unit.references {
                reference.target = reference.target.take().and_then(|target| self.renumbered(target));
            }
            self.renumber(&mut unit.context.targets);
            units.push(unit);
        }
        units
    }

    /// Renumbers targets, without those that are not in the selection.
    fn renumber(&self, targets: &mut Vec<UnitTarget>) {
        let all = std::mem::take(targets);
        targets.extend(all.into_iter().filter_map(|target| self.renumbered(target)));
    }

    /// A target by the new indices of sections and parts; `None` where it is not in the selection.
    fn renumbered(&self, target: UnitTarget) -> Option<UnitTarget> {
        match target {
            UnitTarget::Section(index) => self.new_sections[index].map(UnitTarget::Section),
            UnitTarget::Part(index) => self.new_parts[index].map(UnitTarget::Part),
            UnitTarget::Document { .. } => Some(target),
        }
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

fn texts_in<T: Clone>(range: &Lang, texts: &[T], language: impl Fn(&T) -> &Lang) -> Vec<T> {
    texts.iter().filter(|text| in_range(language(text), range)).cloned().collect()
}

/// For each element that stays its new index.
fn new_indices(stays: &[bool]) -> Vec<Option<usize>> {
    let mut next = 0;
    let mut new = Vec::with_capacity(stays.len());
    for &stays in stays {
        if stays {
            new.push(Some(next));
            next += 1;
        } else {
            new.push(None);
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(tags: &[&str]) -> Vec<Lang> {
        tags.iter().filter_map(|tag| tag.parse().ok()).collect()
    }

    #[test]
    fn tags_of_one_primary_language_are_common_where_no_tag_is_in_both() {
        assert_eq!(languages_of_both(&tags(&["en", "fr"]), &tags(&["fr", "en-us"])), tags(&["fr"]));
        assert_eq!(languages_of_both(&tags(&["en-gb", "en-us"]), &tags(&["en-au"])), tags(&["en"]));
        assert!(languages_of_both(&tags(&["en"]), &[]).is_empty());
    }
}
