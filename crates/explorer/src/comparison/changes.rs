//! Changes of a pair of provisions in words: one label for each change, by kind.

use std::borrow::Cow;

use norma_api::shapes::{
    Bound, Change, Comparator, Dependency, DependencyType, Facets, Passage, ProvisionType,
    ReferenceChangeType, Strength,
};

use super::compared::{Compared, EditionOutline};
use crate::phrases::Words;

/// One change.
pub struct Label {
    /// Name of the facet, as the API has it.
    pub facet: &'static str,
    /// The change in words: `3 → 5`.
    pub text: String,
}

/// Names of all facets, each with the words for readers.
pub(crate) const FACETS: [(&str, &str); 10] = [
    ("strength", "strength"),
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
    let (words, outlines) = (compared.words, &compared.outlines);
    let arrow = |from, to| arrow(words, from, to);
    let mut labels = Vec::new();
    let mut add = |facet, text: String| labels.push(Label { facet, text });
    if let Some(change) = &facets.strength {
        add("strength", both(change, |strength: &Strength<'_>| words.say(kind(strength.kind)).to_owned()));
    }
    if let Some(Change { newer, .. }) = &facets.negation {
        add("negation", words.say(if newer.negated { "added" } else { "dropped" }).to_owned());
    }
    for change in &facets.bound {
        add("bound", both(change, |one: &Bound<'_>| bound(words, one)));
    }
    for change in &facets.quantity {
        let [from, to] = [&change.older, &change.newer]
            .map(|amount| amount.as_ref().map(|amount| closed(&amount.passage.text)));
        add("quantity", arrow(from, to));
    }
    let text = |passage: &Option<Passage<'_>>| passage.as_ref().map(|passage| passage.text.to_string());
    for change in &facets.condition {
        add("condition", arrow(text(&change.older), text(&change.newer)));
    }
    if let Some(change) = &facets.subject {
        add("subject", both(change, |subject: &Passage<'_>| subject.text.to_string()));
    }
    for change in facets.references.iter().filter(|change| change.kind != ReferenceChangeType::Undated) {
        let change_text = arrow(text(&change.older), text(&change.newer));
        let other = if change.kind == ReferenceChangeType::Edition {
            format!(" ({})", words.say("other edition"))
        } else {
            String::new()
        };
        add("references", change_text + &other);
    }
    for dependency in &facets.depends_on {
        add("dependsOn", depends_on(words, dependency, &outlines[1]));
    }
    for term in &facets.terms {
        add("terms", term.newer.label.clone().map_or_else(String::new, Cow::into_owned));
    }
    if let Some(change) = &facets.moved {
        let [from, to] = [(&change.older, &outlines[0]), (&change.newer, &outlines[1])]
            .map(|(part, outline)| section_label(&part.id, part.number.as_deref(), outline));
        add("moved", format!("{from} → {to}"));
    }
    labels
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
        DependencyType::Table
        | DependencyType::Figure
        | DependencyType::Term
        | DependencyType::Unrecognized => label.to_owned(),
    };
    let counts = dependency.counts;
    let counts = [(counts.changed, "changed"), (counts.new, "new"), (counts.removed, "removed")];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {}", words.say(word)))
        .collect();
    format!("{name}: {}", counts.join(", "))
}

/// A section in few words.
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
        Some(comparator) => format!("{} {}", words.say(sign(comparator)), bound.passage.text),
        None => bound.passage.text.to_string(),
    }
}

fn sign(comparator: Comparator) -> &'static str {
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

fn arrow(words: &Words, from: Option<String>, to: Option<String>) -> String {
    match (from, to) {
        (Some(from), Some(to)) => format!("{from} → {to}"),
        (Some(from), None) => format!("{from} {}", words.say("dropped")),
        (None, Some(to)) => format!("{to} {}", words.say("added")),
        (None, None) => String::new(),
    }
}
