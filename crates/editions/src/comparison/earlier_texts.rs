//! Texts and sections of the units of an edition in an earlier revision, for the pages of a comparison: no
//! pack has them.

use norma_compare::{ComparisonSection, Units};

/// The texts of the units of an earlier revision in one language, with their sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierTexts {
    units: Vec<UnitText>,
    sections: Vec<ComparisonSection>,
}

/// The text of a unit of an earlier revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitText {
    /// The sentence or item.
    pub text: Box<str>,
    /// The sentence that the item completes.
    pub lead_in: Option<Box<str>>,
    /// Index of its section.
    section: usize,
}

impl From<&Units> for EarlierTexts {
    fn from(units: &Units) -> Self {
        let mut texts = Vec::with_capacity(units.units.len());
        for unit in &units.units {
            let (text, lead_in) = (unit.text.clone(), unit.lead_in.clone());
            texts.push(UnitText { text, lead_in, section: unit.section });
        }
        Self { units: texts, sections: units.sections.clone() }
    }
}

impl EarlierTexts {
    /// The text of the unit with this index.
    pub fn unit(&self, index: usize) -> Option<&UnitText> {
        self.units.get(index)
    }

    /// The indices of the units in a section and in those within it, ascending. A section is named by its id,
    /// or else by its number, which several may have.
    pub fn units_in(&self, section: &str) -> Vec<usize> {
        let by_id = self.sections.iter().any(|one| *one.id == *section);
        let mut is_in = Vec::with_capacity(self.sections.len());
        for one in &self.sections {
            let is_named = if by_id {
                *one.id == *section
            } else {
                one.number.as_deref().is_some_and(|number| number.eq_ignore_ascii_case(section))
            };
            // Parents come before children.
            let is_within = match one.parent {
                Some(parent) => is_in.get(parent) == Some(&true),
                None => false,
            };
            is_in.push(is_named || is_within);
        }
        let mut units = Vec::new();
        for (index, unit) in self.units.iter().enumerate() {
            if is_in.get(unit.section) == Some(&true) {
                units.push(index);
            }
        }
        units
    }

    /// Approximate number of bytes of memory.
    pub fn memory(&self) -> usize {
        let mut texts = 0;
        for unit in &self.units {
            texts += unit.text.len() + unit.lead_in.as_deref().unwrap_or_default().len();
        }
        texts
            + size_of::<UnitText>() * self.units.len()
            + (size_of::<ComparisonSection>() + SECTION) * self.sections.len()
    }
}

/// Bytes of the id, number and title of a section, at a guess.
const SECTION: usize = 96;

#[cfg(test)]
mod tests {
    use norma_compare::{ComparisonUnit, UnitsParts};

    use super::*;

    #[test]
    fn units_are_found_by_the_id_or_the_number_of_a_section_around_them() {
        let section = |id: &str, number: &str, parent| ComparisonSection {
            id: id.into(),
            number: Some(number.into()),
            parent,
            ..ComparisonSection::default()
        };
        let unit = |id: &str, section| ComparisonUnit {
            id: id.into(),
            text: format!("Text {id}.").into(),
            section,
            ..ComparisonUnit::default()
        };
        let parts = UnitsParts {
            sections: vec![section("a", "A", None), section("b", "A.1", Some(0)), section("c", "2", None)],
            units: vec![unit("u", 0), unit("v", 1), unit("w", 2)],
            ..UnitsParts::default()
        };
        let texts = EarlierTexts::from(&Units::new(parts).unwrap());
        assert_eq!((texts.units_in("a"), texts.units_in("A.1")), (vec![0, 1], vec![1]));
        assert_eq!((texts.units_in("c"), texts.units_in("9")), (vec![2], Vec::new()));
        assert_eq!(texts.unit(1).map(|unit| &*unit.text), Some("Text v."));
    }
}
