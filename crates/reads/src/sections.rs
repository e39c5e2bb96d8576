//! Sections that an id or a number names, and the provisions in them.

use std::ops::Range;

use norma_model::Outline;

/// The subtrees that an id or a number names: one section by its id, or else all with the number.
pub(crate) fn find_sections(outline: &Outline, section: &str) -> Vec<Range<usize>> {
    for (first, one) in outline.sections.iter().enumerate() {
        if one.id.as_str() == section {
            let subtree = first..one.end as usize;
            return vec![subtree];
        }
    }
    let mut subtrees: Vec<Range<usize>> = Vec::new();
    // The end of the last subtree: a section within it is in the answer already.
    let mut end = 0;
    for (first, one) in outline.sections.iter().enumerate() {
        if let Some(number) = &one.number
            && number.eq_ignore_ascii_case(section)
            && first >= end
        {
            end = one.end as usize;
            subtrees.push(first..end);
        }
    }
    subtrees
}

/// The ordinals of the provisions in these sections and their subsections.
pub(crate) fn provisions_in(outline: &Outline, sections: &Range<usize>) -> Range<u32> {
    let sections = &outline.sections[sections.clone()];
    match (sections.first(), sections.last()) {
        (Some(first), Some(last)) => first.provisions.0..last.provisions.1,
        _ => 0..0,
    }
}

#[cfg(test)]
mod tests {
    use norma_model::SectionId;
    use norma_model::outline::OutlineSection;

    use super::*;

    #[test]
    fn a_number_that_several_sections_have_names_all_of_them_and_an_id_only_one() {
        let section = |id: &str, number: &str, parent, end| OutlineSection {
            id: SectionId::new(id),
            number: Some(number.into()),
            parent,
            end,
            provisions: (0, 0),
        };
        let sections = vec![
            section("a", "1", None, 3),
            section("b", "1", Some(0), 2),
            section("c", "2", Some(0), 3),
            section("d", "1", None, 4),
        ];
        let outline = Outline::new(sections, vec![], vec![], vec![]);
        assert_eq!(find_sections(&outline, "1"), [0..3, 3..4]);
        assert_eq!(find_sections(&outline, "b"), vec![Range { start: 1, end: 2 }]);
        assert!(find_sections(&outline, "3").is_empty());
    }

    #[test]
    fn provisions_of_a_section_are_those_of_its_subsections_too() {
        let section = |id: &str, end, provisions| OutlineSection {
            id: SectionId::new(id),
            number: None,
            parent: None,
            end,
            provisions,
        };
        let sections = vec![section("a", 3, (0, 2)), section("b", 2, (2, 2)), section("c", 3, (2, 7))];
        let outline = Outline::new(sections, vec![], vec![], vec![]);
        assert_eq!(provisions_in(&outline, &(0..3)), 0..7);
        assert_eq!(provisions_in(&outline, &(1..2)), 2..2);
        assert_eq!(provisions_in(&outline, &(0..0)), 0..0);
    }
}
