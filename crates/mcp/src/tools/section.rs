//! Sections as readers name them: `Annex A`, `Clause 7`, `A`, `annex:A`, an id, a title, a citation.

use futures::future::try_join_all;
use norma_client::shapes::{CitedPartType, SectionHead, SectionNode, SectionType, SectionsView};

use super::context::ToolContext;
use super::outline::hierarchy;
use crate::edition::NamedStandard;
use crate::failure::{ToolFailure, ToolFailureKind};

/// Words in front of the number of an annex.
const ANNEX_WORDS: [&str; 4] = ["annex", "annexe", "appendix", "anhang"];

/// Words in front of the number of any section.
const SECTION_WORDS: [&str; 6] = ["clause", "subclause", "sub-clause", "section", "abschnitt", "article"];

/// Most names of sections in a sentence.
const NAMES_SAID: usize = 10;

/// The id or number by which the service knows the section of these editions that a text names.
///
/// # Errors
/// No edition has it, or several sections have this name.
pub(super) async fn section_name(
    context: &ToolContext,
    urns: &[&str],
    text: &str,
) -> Result<String, ToolFailure> {
    let mut reads = Vec::with_capacity(urns.len());
    for urn in urns {
        reads.push(hierarchy(context, urn));
    }
    let views = try_join_all(reads).await?;
    let text = text.trim();
    let mut names = Vec::new();
    for view in &views {
        names_in(&view.sections, text).into_iter().for_each(|name| add(&mut names, name));
    }
    if names.is_empty() && text.contains(',') {
        names = names_of_citation(context, &views, text).await?;
    }
    match names.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(no_section(&views, text)),
        several => Err(several_sections(several, text)),
    }
}

fn no_section(views: &[SectionsView<'_>], text: &str) -> ToolFailure {
    let urns: Vec<&str> = views.iter().map(|view| &*view.urn).collect();
    let sentence = format!(
        "There is no section `{text}` in {}; call outline, and name one of its sections.",
        urns.join(" or ")
    );
    ToolFailure::new(ToolFailureKind::NotFound, sentence)
}

fn several_sections(names: &[String], text: &str) -> ToolFailure {
    let said = names[..names.len().min(NAMES_SAID)].join(", ");
    let count = names.len();
    ToolFailure::invalid(format!(
        "`{text}` names {count} sections; name one of them by number or id: {said}."
    ))
}

/// Adds a name that is not there.
fn add(names: &mut Vec<String>, name: String) {
    if !names.contains(&name) {
        names.push(name);
    }
}

/// The names of the section that a citation leads to; none where it leads to something else.
async fn names_of_citation(
    context: &ToolContext,
    views: &[SectionsView<'_>],
    citation: &str,
) -> Result<Vec<String>, ToolFailure> {
    let named = match NamedStandard::find(&context.calls, citation).await {
        Ok(named) => named,
        // A text with a comma need not be a citation.
        Err(failure) if matches!(failure.kind, ToolFailureKind::Invalid | ToolFailureKind::NotFound) => {
            return Ok(Vec::new());
        }
        Err(failure) => return Err(failure),
    };
    let Some(part) = named.part else { return Ok(Vec::new()) };
    if !matches!(part.kind, CitedPartType::Section | CitedPartType::Term) {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for view in views {
        if *view.urn == *named.urn {
            let heads = heads_of(&view.sections);
            names_of(&heads, |head| *head.id == *part.id).into_iter().for_each(|name| add(&mut names, name));
        }
    }
    Ok(names)
}

/// The names of the sections of one edition that a text means: by id, else by label or number, else by title.
fn names_in(sections: &[SectionNode<'_>], text: &str) -> Vec<String> {
    let heads = heads_of(sections);
    if heads.iter().any(|head| *head.id == *text) {
        return vec![text.to_owned()];
    }
    let numbered = names_of(&heads, |head| has_number(head, text));
    if numbered.is_empty() { names_of(&heads, |head| has_title(head, text)) } else { numbered }
}

/// All sections of a hierarchy.
fn heads_of<'s, 'a>(sections: &'s [SectionNode<'a>]) -> Vec<&'s SectionHead<'a>> {
    let mut heads = Vec::new();
    for node in sections {
        heads.push(&node.head);
        heads.extend(heads_of(&node.children));
    }
    heads
}

/// The number of each section that is meant, or its id where its number means another section as well.
fn names_of(heads: &[&SectionHead<'_>], is_meant: impl Fn(&SectionHead<'_>) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    for head in heads.iter().filter(|head| is_meant(head)) {
        let number = head.number.as_deref().filter(|number| {
            heads.iter().all(|other| {
                let has_it = other.number.as_deref().is_some_and(|one| one.eq_ignore_ascii_case(number));
                !has_it || is_meant(other)
            })
        });
        add(&mut names, number.unwrap_or(&head.id).to_owned());
    }
    names
}

/// True where a text is the label or the number of a section, or its number after a word.
fn has_number(head: &SectionHead<'_>, text: &str) -> bool {
    let text = text.trim_end_matches('.').trim();
    let label = head.label.as_deref().unwrap_or_default().trim_end_matches('.');
    let number = head.number.as_deref().unwrap_or_default();
    if !text.is_empty() && (is_same(label, text) || is_same(number, text)) {
        return true;
    }
    let Some((word, rest)) = text.split_once(|c: char| c.is_whitespace() || c == ':') else { return false };
    if number.is_empty() || !is_same(number, rest.trim()) {
        return false;
    }
    let has_letter = number.starts_with(char::is_alphabetic);
    let is_annex = head.kind == SectionType::Annex;
    let word = word.to_lowercase();
    // `Annex 1` is not clause 1, nor the other way round.
    (ANNEX_WORDS.contains(&word.as_str()) && (is_annex || has_letter))
        || (SECTION_WORDS.contains(&word.as_str()) && (!is_annex || has_letter))
}

/// True where a text is the title of a section, alone or after its label or number.
fn has_title(head: &SectionHead<'_>, text: &str) -> bool {
    let Some(title) = head.title.as_deref() else { return false };
    let mut names = [head.label.as_deref(), head.number.as_deref()].into_iter().flatten();
    is_same(title, text) || names.any(|name| is_same(&format!("{name} {title}"), text))
}

fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn node(id: &str, label: Option<&str>, title: &str, kind: &str, children: Vec<Value>) -> Value {
        let counts = json!({"provisions": 0, "terms": 0, "graphics": 0});
        let mut node = json!({"id": id, "title": title, "type": kind, "normative": true, "level": 1,
                              "order": 1, "counts": counts, "totalCounts": counts, "children": children});
        if let Some(label) = label {
            node["label"] = label.into();
            node["number"] = label.rsplit(' ').next().into();
        }
        node
    }

    fn outline() -> Vec<SectionNode<'static>> {
        let inner = node("sec_7.1", Some("7.1"), "General", "clause", vec![]);
        let annex = node("sec_A.1", Some("A.1"), "General", "clause", vec![]);
        let sections = json!([
            node("sec_foreword", None, "Foreword", "foreword", vec![]),
            node("sec_1", Some("1"), "Scope", "clause", vec![]),
            node("sec_7", Some("7"), "Tests, methods", "clause", vec![inner]),
            node("sec_A", Some("Annex A"), "Test slab", "annex", vec![annex]),
            node("sec_X1", Some("Annex 1"), "Forms", "annex", vec![]),
        ]);
        serde_json::from_value(sections).unwrap()
    }

    #[test]
    fn a_section_is_found_by_what_a_reader_writes() {
        let outline = outline();
        for (text, expected) in [
            ("7", "7"),
            ("7.", "7"),
            ("Clause 7", "7"),
            ("clause 7.1", "7.1"),
            ("Abschnitt 7", "7"),
            ("7 Tests, methods", "7"),
            ("Tests, methods", "7"),
            ("sec_7", "sec_7"),
            ("A", "A"),
            ("a", "A"),
            ("Annex A", "A"),
            ("annex:A", "A"),
            ("Annexe A", "A"),
            ("Clause A.1", "A.1"),
            ("Annex A.1", "A.1"),
            ("sec_A", "sec_A"),
            ("Foreword", "sec_foreword"),
            ("Annex 1", "sec_X1"),
            ("Clause 1", "sec_1"),
        ] {
            assert_eq!(names_in(&outline, text), [expected], "{text}");
        }
    }

    #[test]
    fn a_section_that_is_not_there_is_not_another_one_and_several_are_all_named() {
        let outline = outline();
        for text in ["", ".", "8", "Annex 7", "Table 7", "Annex", "Clause", "7.2", "sec_8", "annex:B"] {
            assert!(names_in(&outline, text).is_empty(), "{text}");
        }
        assert_eq!(names_in(&outline, "General"), ["7.1", "A.1"]);
        let sentence = several_sections(&names_in(&outline, "General"), "General").sentence;
        assert!(sentence.contains("names 2 sections") && sentence.ends_with("7.1, A.1."), "{sentence}");
    }
}
