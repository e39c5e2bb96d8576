//! Surroundings of the units of an edition, which say what they are about: titles, captions, names of terms.

use std::collections::{BTreeMap, HashMap};

use norma_compare::{NumberedPartKind, Units};
use norma_model::{Lang, Term};
use norma_search::{IndexedUnit, LanguageText, OtherNames, WordsAround};

/// What is around the units of an edition.
pub(super) struct UnitSurroundings<'t> {
    /// By section, the words of its title, of the titles above it and of the standard's.
    titles: Vec<WordsAround>,
    standard: WordsAround,
    /// By id of a table, the words of its caption.
    captions: HashMap<&'t str, WordsAround>,
    names: OtherNames,
}

impl<'t> UnitSurroundings<'t> {
    /// Of a standard with this title, in this main language.
    pub(super) fn new(title: &str, units: &'t Units, main_language: &Lang) -> Self {
        let standard = WordsAround::of(&[LanguageText::new(title, main_language)]);
        let language_of = |section: Option<usize>| {
            let language = section.and_then(|section| units.sections[section].language.as_ref());
            language.unwrap_or(main_language)
        };
        let mut titles: Vec<WordsAround> = Vec::with_capacity(units.sections.len());
        for (index, section) in units.sections.iter().enumerate() {
            let title = section.title.as_deref().unwrap_or_default();
            let own = WordsAround::of(&[LanguageText::new(title, language_of(Some(index)))]);
            // The section around another one comes before it.
            let above = section.parent.and_then(|parent| titles.get(parent)).unwrap_or(&standard);
            titles.push(above.with(&[own]));
        }
        let mut captions = HashMap::new();
        for part in &units.parts {
            if let (NumberedPartKind::Table, Some(caption)) = (part.kind, &part.caption) {
                let caption = LanguageText::new(&**caption, language_of(part.section));
                captions.insert(&*part.id, WordsAround::of(&[caption]));
            }
        }
        Self { titles, standard, captions, names: other_names(&units.terms) }
    }

    /// What is around a unit in a section, and in a table.
    pub(super) fn of(
        &self,
        section: Option<usize>,
        unit: &IndexedUnit<'_>,
        table: Option<&str>,
    ) -> WordsAround {
        let titles = section.and_then(|section| self.titles.get(section)).unwrap_or(&self.standard);
        let mut others = self.names.of(&unit.title);
        others.extend(self.names.of(&unit.text));
        others.extend(table.and_then(|table| self.captions.get(table)).cloned());
        if others.is_empty() { titles.clone() } else { titles.with(&others) }
    }
}

/// The terms with more than one name in a language. The first one is the preferred one.
fn other_names(terms: &[Term]) -> OtherNames {
    let mut names = OtherNames::default();
    for term in terms {
        let mut by_language: BTreeMap<&str, Vec<LanguageText<'_>>> = BTreeMap::new();
        for designation in term.designations_preferred_first() {
            let name = LanguageText::new(designation.text.as_str(), &designation.language);
            by_language.entry(designation.language.as_str()).or_default().push(name);
        }
        for of_language in by_language.values() {
            if let [preferred, others @ ..] = of_language.as_slice()
                && !others.is_empty()
            {
                names.add(preferred, others);
            }
        }
    }
    names
}
