//! Changes of a pair of provisions in words: one label for each change, by kind.

use norma_compare::{
    Amount, Bound, Change, Dependency, DependencyKind, Facets, PartKind, ReferenceChangeKind, Section,
    Strength, Units, Words,
};
use norma_model::{Comparator, ProvisionKind};

/// One change.
pub(crate) struct Label {
    /// Name of the facet, as the API has it.
    pub(crate) facet: &'static str,
    /// The change in words: `3 → 5`.
    pub(crate) text: String,
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

/// The changes of a pair, first those that matter most for compliance.
pub(crate) fn labels(facets: &Facets, older: &Units, newer: &Units) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut add = |facet, text: String| labels.push(Label { facet, text });
    if let Some(change) = facets.strength.as_deref() {
        add("strength", both(change, |strength: &Strength| kind(strength.kind).to_owned()));
    }
    if let Some(Change { newer, .. }) = facets.negation.as_deref() {
        add("negation", if newer.negated { "added" } else { "dropped" }.to_owned());
    }
    for change in &facets.bounds {
        add("bound", both(change, bound));
    }
    for Change { older, newer } in &facets.quantities {
        let text = |amount: &Option<Amount>| amount.as_ref().map(|amount| closed(&amount.text));
        add("quantity", arrow(text(older), text(newer)));
    }
    let words = |words: &Option<Words>| words.as_ref().map(|words| words.text.to_string());
    for change in &facets.conditions {
        add("condition", arrow(words(&change.older), words(&change.newer)));
    }
    if let Some(change) = facets.subject.as_deref() {
        add("subject", both(change, |subject: &Words| subject.text.to_string()));
    }
    for change in facets.references.iter().filter(|change| change.kind != ReferenceChangeKind::Undated) {
        let text = arrow(words(&change.older), words(&change.newer));
        let other = if change.kind == ReferenceChangeKind::Edition { " (other edition)" } else { "" };
        add("references", text + other);
    }
    for dependency in &facets.depends_on {
        add("dependsOn", depends_on(dependency, newer));
    }
    for term in &facets.terms {
        let designation = newer.terms[term.newer].designations.first();
        add("terms", designation.map_or_else(String::new, |d| d.text.clone().into()));
    }
    if let Some(change) = facets.moved {
        let [from, to] = [&older.sections[change.older], &newer.sections[change.newer]];
        add("moved", format!("{} → {}", section_label(from), section_label(to)));
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
fn depends_on(dependency: &Dependency, newer: &Units) -> String {
    let Dependency { kind, target, changed, new, removed } = dependency;
    let of_part =
        |word: &str| format!("{word}{}", newer.parts[target.newer].label.as_deref().unwrap_or_default());
    let name = match kind {
        DependencyKind::Clause => section_label(&newer.sections[target.newer]),
        DependencyKind::Part(PartKind::Formula) => of_part("formula "),
        DependencyKind::Part(_) => of_part(""),
        DependencyKind::Term => {
            newer.terms[target.newer].designations.first().map_or_else(String::new, |d| d.text.to_string())
        }
    };
    let counts = [(changed, "changed"), (new, "new"), (removed, "removed")];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| **count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    format!("{name}: {}", counts.join(", "))
}

/// A short name of a section: its label, else its title.
pub(crate) fn section_label(section: &Section) -> String {
    section.label.as_ref().or(section.title.as_ref()).unwrap_or(&section.id).clone().into()
}

/// A section as its heading: label and title.
pub(crate) fn heading(section: &Section) -> String {
    let parts = [section.label.as_deref(), section.title.as_deref()];
    let written = parts.into_iter().flatten().collect::<Vec<_>>().join("  ");
    if written.is_empty() { section.id.clone().into() } else { written }
}

/// The name of a type of provision.
pub(crate) fn kind(kind: Option<ProvisionKind>) -> &'static str {
    match kind {
        Some(ProvisionKind::Requirement) => "requirement",
        Some(ProvisionKind::Recommendation) => "recommendation",
        Some(ProvisionKind::Permission) => "permission",
        Some(ProvisionKind::Capability) => "capability",
        Some(ProvisionKind::ExternalConstraint) => "external constraint",
        None => "other",
    }
}

fn bound(bound: &Bound) -> String {
    match bound.comparator {
        Some(comparator) => format!("{} {}", sign(comparator), bound.words.text),
        None => bound.words.text.to_string(),
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
    }
}

fn arrow(from: Option<String>, to: Option<String>) -> String {
    match (from, to) {
        (Some(from), Some(to)) => format!("{from} → {to}"),
        (Some(from), None) => format!("{from} dropped"),
        (None, Some(to)) => format!("{to} added"),
        (None, None) => String::new(),
    }
}
