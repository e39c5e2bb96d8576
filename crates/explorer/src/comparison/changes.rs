//! Changes of a pair of provisions in words: one label for each change, by kind.

use norma_api::shapes::{
    Bound, Change, Comparator, ComparedPart, Dependency, DependencyType, Facets, NormativeStatus, Passage,
    ProvisionType, Quantity, ReferenceChangeType, Strength,
};

use super::compared::{Compared, EditionOutline};
use crate::phrases::{Words, fill};

/// A change of a pair of provisions in words.
pub struct Label {
    /// Name of the facet, as the API has it.
    pub facet: &'static str,
    /// The change in words: `3 → 5`.
    pub text: String,
}

/// Names of all facets, each with the words for readers.
pub(crate) const FACETS: [(&str, &str); 11] = [
    ("strength", "strength"),
    ("normative", "status"),
    ("negation", "negation"),
    ("bound", "limit"),
    ("quantity", "quantity"),
    ("condition", "condition"),
    ("subject", "subject"),
    ("references", "reference"),
    ("dependsOn", "depends on"),
    ("terms", "term redefined"),
    ("moved", "moved"),
];

/// The changes of a pair, those first that matter most to who has to comply.
pub fn labels(facets: &Facets<'_>, compared: &Compared<'_>) -> Vec<Label> {
    let (words, [older, newer]) = (compared.words, &compared.outlines);
    let mut labels = Vec::new();
    let mut add = |facet, text: String| labels.push(Label { facet, text });
    if let Some(change) = &facets.strength {
        add("strength", both(change, |strength: &Strength<'_>| words.say(kind(strength.kind)).to_owned()));
    }
    if let Some(change) = &facets.normative {
        add("normative", both(change, |status: &NormativeStatus| status_words(words, status)));
    }
    if let Some(Change { newer, .. }) = &facets.negation {
        add("negation", words.say(if newer.negated { "added" } else { "dropped" }).to_owned());
    }
    for change in &facets.bound {
        add("bound", both(change, |one: &Bound<'_>| bound(words, one)));
    }
    for change in &facets.quantity {
        add("quantity", arrow(words, amount(change.older.as_ref()), amount(change.newer.as_ref())));
    }
    for change in &facets.condition {
        add("condition", arrow(words, text(change.older.as_ref()), text(change.newer.as_ref())));
    }
    if let Some(change) = &facets.subject {
        add("subject", both(change, |subject: &Passage<'_>| subject.text.to_string()));
    }
    for change in &facets.references {
        // Nothing changed in the text; the cited document may have a newer edition.
        if change.kind == ReferenceChangeType::Undated {
            continue;
        }
        let mut label = arrow(words, text(change.older.as_ref()), text(change.newer.as_ref()));
        if change.kind == ReferenceChangeType::Edition {
            label.push_str(&format!(" ({})", words.say("other edition")));
        }
        add("references", label);
    }
    for dependency in &facets.depends_on {
        add("dependsOn", depends_on(words, dependency, newer));
    }
    for term in &facets.terms {
        add("terms", term.newer.label.as_deref().unwrap_or_default().to_owned());
    }
    if let Some(change) = &facets.moved {
        let from = section_label(&change.older.id, change.older.number.as_deref(), older);
        let to = section_label(&change.newer.id, change.newer.number.as_deref(), newer);
        add("moved", format!("{from} → {to}"));
    }
    labels
}

fn text(passage: Option<&Passage<'_>>) -> Option<String> {
    passage.map(|passage| passage.text.to_string())
}

fn amount(quantity: Option<&Quantity<'_>>) -> Option<String> {
    quantity.map(|quantity| closed(&quantity.passage.text))
}

fn status_words(words: &Words, status: &NormativeStatus) -> String {
    words.say(if status.normative { "normative" } else { "informative" }).to_owned()
}

fn both<T>(change: &Change<T>, words: impl Fn(&T) -> String) -> String {
    format!("{} → {}", words(&change.older), words(&change.newer))
}

/// The words of a quantity. A passage may begin behind an open bracket, as in `(5 ± 1) N`; this adds it.
fn closed(text: &str) -> String {
    if text.contains(')') && !text.contains('(') { format!("({text}") } else { text.to_owned() }
}

/// The target of a dependency, and how much of it changed.
fn depends_on(words: &Words, dependency: &Dependency<'_>, newer: &EditionOutline) -> String {
    let label = dependency.newer.label.as_deref().unwrap_or_default();
    let name = match dependency.kind {
        DependencyType::Clause => {
            section_label(&dependency.newer.id, dependency.newer.label.as_deref(), newer)
        }
        DependencyType::Formula => format!("{} {label}", words.say("formula")),
        DependencyType::Footnote => words.say("footnote").to_owned(),
        DependencyType::Sentence => words.say("sentence before it").to_owned(),
        DependencyType::Table => table_label(words, &dependency.newer, newer),
        DependencyType::Figure | DependencyType::Term | DependencyType::Unrecognized => label.to_owned(),
    };
    if dependency.extent.is_some() {
        return format!("{name}{}{}", words.colon(), words.say("something it leads to"));
    }
    let counts = dependency.counts;
    let mut parts = Vec::new();
    for (count, word, of_table) in [
        (counts.changed, "changed", ["changed cell", "changed cells"]),
        (counts.new, "new", ["new row or column", "new rows or columns"]),
        (counts.removed, "removed", ["removed row or column", "removed rows or columns"]),
    ] {
        let word = match dependency.kind {
            DependencyType::Table => words.say(of_table[usize::from(count != 1)]),
            _ => words.counted(word, count as usize),
        };
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    format!("{name}{}{}", words.colon(), parts.join(", "))
}

/// A table in few words: its label or caption, else the section that has it.
pub(super) fn table_label(words: &Words, table: &ComparedPart<'_>, outline: &EditionOutline) -> String {
    if let Some(label) = table.label.as_deref().or(outline.table(&table.id)) {
        return label.to_owned();
    }
    match outline.section_of_table(&table.id) {
        Some(section) => fill(words.say("table without a number in {}"), section.short()),
        None => words.say("table without a number").to_owned(),
    }
}

/// A section in few words: its label or title, else its number, else its id.
fn section_label(id: &str, number: Option<&str>, outline: &EditionOutline) -> String {
    let section = outline.section(id).map(|section| outline.sections[section].short());
    section.or(number).unwrap_or(id).to_owned()
}

/// The name of a type of provision.
pub(crate) fn kind(kind: Option<ProvisionType>) -> &'static str {
    match kind {
        Some(ProvisionType::ExternalConstraint) => "external constraint",
        Some(kind) => kind.as_str(),
        None => "other",
    }
}

fn bound(words: &Words, bound: &Bound<'_>) -> String {
    match bound.comparator {
        // A value without a sign is the value itself.
        Some(Comparator::Equal) | None => bound.passage.text.to_string(),
        Some(comparator) => format!("{} {}", words.say(sign(comparator)), bound.passage.text),
    }
}

/// The sign of a comparison, else a word for it in English.
pub(crate) fn sign(comparator: Comparator) -> &'static str {
    match comparator {
        Comparator::Equal => "=",
        Comparator::LessThan => "<",
        Comparator::AtMost => "≤",
        Comparator::AtLeast => "≥",
        Comparator::MoreThan => ">",
        Comparator::Between => "from",
        Comparator::About => "about",
        Comparator::Nearest => "to the nearest",
        Comparator::PlusMinus => "±",
        Comparator::Unrecognized => "?",
    }
}

pub(super) fn arrow(words: &Words, from: Option<String>, to: Option<String>) -> String {
    match (from, to) {
        (Some(from), Some(to)) => format!("{from} → {to}"),
        (Some(from), None) => format!("{from} {}", words.say("dropped")),
        (None, Some(to)) => format!("{to} {}", words.say("added")),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::words;

    #[test]
    fn a_change_says_what_came_instead_or_that_something_was_added_or_dropped() {
        let german = words("de").unwrap();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(arrow(german, text("3 mm"), text("5 mm")), "3 mm → 5 mm");
        assert_eq!(arrow(german, None, text("5 mm")), "5 mm hinzugefügt");
        assert_eq!(arrow(german, text("3 mm"), None), "3 mm weggefallen");
    }

    #[test]
    fn a_bracket_that_is_missing_in_a_passage_is_added() {
        assert_eq!(closed("5 ± 1) N"), "(5 ± 1) N");
        assert_eq!(closed("(5 ± 1) N"), "(5 ± 1) N");
        assert_eq!(closed("5 N"), "5 N");
    }

    #[test]
    fn a_section_is_named_by_label_title_number_or_id() {
        let mut outline = EditionOutline::default();
        outline.add_section("sec_4", Some("4"), Some("Design"), None);
        outline.add_section("sec_x", None, Some("General"), None);
        assert_eq!(section_label("sec_4", Some("9"), &outline), "4");
        assert_eq!(section_label("sec_x", Some("9"), &outline), "General");
        assert_eq!(section_label("sec_5", Some("9"), &outline), "9");
        assert_eq!(section_label("sec_5", None, &outline), "sec_5");
    }

    #[test]
    fn a_dependency_says_how_much_of_it_changed() {
        let dependency = |counts: serde_json::Value| -> Dependency<'static> {
            let part = serde_json::json!({"id": "fn_1", "label": "1"});
            serde_json::from_value(serde_json::json!({
                "type": "formula", "older": part, "newer": part, "counts": counts,
            }))
            .unwrap()
        };
        let said = |counts| depends_on(words("en").unwrap(), &dependency(counts), &EditionOutline::default());
        assert_eq!(
            said(serde_json::json!({"changed": 2, "new": 0, "removed": 1})),
            "formula 1: 2 changed, 1 removed"
        );
    }

    #[test]
    fn counts_of_a_table_say_what_they_count_and_a_table_without_a_number_where_it_is() {
        let mut outline = EditionOutline::default();
        outline.add_section("sec_4", Some("4"), None, None);
        outline.add_table("table~1", None, None, "sec_4");
        let dependency: Dependency<'static> = serde_json::from_value(serde_json::json!({
            "type": "table", "older": {"id": "table~1"}, "newer": {"id": "table~1"},
            "counts": {"changed": 18, "new": 1, "removed": 0},
        }))
        .unwrap();
        assert_eq!(
            depends_on(words("en").unwrap(), &dependency, &outline),
            "table without a number in 4: 18 changed cells, 1 new row or column"
        );
    }

    #[test]
    fn an_exact_value_has_no_sign() {
        let said = |comparator: &str| {
            let limit = serde_json::json!({"comparator": comparator, "text": "30 g", "start": 0, "end": 4});
            bound(words("en").unwrap(), &serde_json::from_value(limit).unwrap())
        };
        assert_eq!((said("equal"), said("about")), ("30 g".to_owned(), "about 30 g".to_owned()));
    }
}
