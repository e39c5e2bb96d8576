//! Sections: the upper levels of their hierarchy, and those of the content, as JSON or as plain text.

use std::collections::BTreeMap;
use std::ops::Range;

use norma_api::media::{HEAD_MEMBERS, Media, View};
use norma_api::problem::Code;
use norma_api::shapes::open_list;
use norma_model::Outline;
use serde_json::value::RawValue;

use crate::representation::{Body, head};
use crate::{AuthorizedEdition, Failure, Representation, Request};

/// The sections that `section` names and their subsections, cut out of a view of the content.
pub(crate) async fn sections<'e>(
    edition: &'e dyn AuthorizedEdition,
    view: View,
    section: &str,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let index = edition.index().await?;
    let indexes: Vec<u32> = find_sections(index.outline(), section)
        .into_iter()
        .flatten()
        .map(|index| u32::try_from(index).unwrap_or(u32::MAX))
        .collect();
    if indexes.is_empty() {
        let detail = format!("{} has no section `{section}`.", edition.urn());
        return Err(Failure::new(Code::SectionNotFound, detail));
    }
    let coding = request.coding();
    let body = Body::deferred(async move {
        // As in the text of the whole standard, a blank line follows each section.
        let front = if view == View::ContentText { vec![] } else { open_list(&head(edition), "sections") };
        edition.items(view, front.into(), (indexes, None), coding).await
    });
    Representation::generated(
        edition,
        request,
        view.media(),
        (&[view.name(), section, coding.name()], &[edition.urn()]),
        body,
    )
}

/// The ordinals of the provisions in these sections and their subsections.
pub(crate) fn provisions_in(outline: &Outline, sections: &Range<usize>) -> Range<u32> {
    let sections = &outline.sections[sections.clone()];
    match (sections.first(), sections.last()) {
        (Some(first), Some(last)) => first.provisions.0..last.provisions.1,
        _ => 0..0,
    }
}

/// This number of levels of the section hierarchy.
pub(crate) fn hierarchy<'e>(
    edition: &'e dyn AuthorizedEdition,
    depth: u32,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let body = Body::lazy(async move { edition.hierarchy(depth).await });
    let parts = ["sections", &depth.to_string()];
    Representation::generated(edition, request, Media::Json, (&parts, &[edition.urn()]), body)
}

/// The bytes of a hierarchy down to a level: lists at this depth are emptied.
pub fn of_depth(hierarchy: &[u8], depth: u32) -> Vec<u8> {
    // The view and each section around has two brackets: its own, and that of its list.
    let around = 2 * depth as usize + 1;
    let (mut open, mut is_left_out, mut is_text, mut is_escaped) = (0, false, false, false);
    let mut rest = Vec::with_capacity(hierarchy.len());
    for &byte in hierarchy {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'}' | b']' => {
                open -= 1;
                is_left_out &= open != around;
            }
            _ => {}
        }
        if !is_left_out {
            rest.push(byte);
        }
        if !is_text && matches!(byte, b'{' | b'[') {
            is_left_out |= byte == b'[' && open == around;
            open += 1;
        }
    }
    rest
}

/// The subtrees that an id or a number names: one section by its id, or else all with the number.
pub(crate) fn find_sections(outline: &Outline, section: &str) -> Vec<Range<usize>> {
    let subtree = |first: usize| first..outline.sections[first].end as usize;
    if let Some(first) = outline.sections.iter().position(|s| s.id.as_str() == section) {
        return vec![subtree(first)];
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (first, one) in outline.sections.iter().enumerate() {
        let matches = one.number.as_deref().is_some_and(|number| number.eq_ignore_ascii_case(section));
        if matches && ranges.last().is_none_or(|last| last.end <= first) {
            ranges.push(subtree(first));
        }
    }
    ranges
}

/// The members of the stored head of a standard that are always included or among `fields`, without braces.
pub fn members_of_head(head: &[u8], fields: &[&str]) -> Option<String> {
    let head: BTreeMap<&str, &RawValue> = serde_json::from_slice(head).ok()?;
    let always = ["urn", "revision"].into_iter();
    let members = always.chain(HEAD_MEMBERS.into_iter().filter(|name| fields.contains(name)));
    let members = members.map(|name| Some(format!("\"{name}\":{}", head.get(name)?)));
    members.collect::<Option<Vec<_>>>().map(|members| members.join(","))
}

#[cfg(test)]
mod tests {
    use norma_model::SectionId;
    use norma_model::outline::OutlineSection;

    use super::*;

    #[test]
    fn a_hierarchy_of_few_levels_has_no_sections_below_them() {
        let of = |below: &str| {
            format!(
                r#"{{"sections":[{{"title":"[\"{{","counts":{{"terms":1}},"children":[{below}]}},{{"children":[]}}]}}"#
            )
        };
        let second = |below: &str| format!(r#"{{"counts":{{}},"children":[{below}]}}"#);
        let whole = of(&format!("{},{}", second(&second("")), second("")));
        let cut = |depth| String::from_utf8(of_depth(whole.as_bytes(), depth)).unwrap();
        assert_eq!(cut(1), of(""));
        assert_eq!(cut(2), of(&format!("{},{}", second(""), second(""))));
        assert_eq!(cut(3), whole);
    }

    #[test]
    fn members_of_a_head_keep_their_order_and_their_bytes() {
        let head = br#"{"urn":"u","revision":"r","metadata":{"a": 1.50},"ics":[],"relations":[{}]}"#;
        let picked = |fields: &[&str]| members_of_head(head, fields).unwrap();
        assert_eq!(
            picked(&["relations", "metadata"]),
            r#""urn":"u","revision":"r","metadata":{"a": 1.50},"relations":[{}]"#
        );
        assert_eq!(picked(&["sections"]), r#""urn":"u","revision":"r""#);
        assert_eq!(members_of_head(b"{}", &[]), None);
    }

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
}
