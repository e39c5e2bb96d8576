//! Changes of a pair of provisions in words: one label for each change, by kind.

use norma_compare::{Change, Facets, Quantity, ReferenceChangeKind, Section, Strength, Units};
use norma_model::ProvisionKind;

/// One change.
pub(crate) struct Label {
    /// Name of the facet, as the API has it.
    pub(crate) facet: &'static str,
    /// What is said of it to a reader: `3 → 5`.
    pub(crate) text: String,
}

/// Names of all facets with what a reader reads in their place.
pub(crate) const FACETS: [(&str, &str); 6] = [
    ("strength", "strength"),
    ("negation", "negation"),
    ("quantities", "quantity"),
    ("references", "reference"),
    ("moved", "moved"),
    ("terms", "term redefined"),
];

/// The changes of a pair, those first that matter most to who has to comply.
pub(crate) fn labels(facets: &Facets, older: &Units, newer: &Units) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut add = |facet, text: String| labels.push(Label { facet, text });
    if let Some(Change { from, to }) = facets.strength {
        add("strength", format!("{} → {}", strength(from), strength(to)));
    }
    if let Some(Change { from, to }) = facets.negation {
        add("negation", if from < to { "added" } else { "dropped" }.to_owned());
    }
    for change in &facets.quantities {
        add("quantities", arrow(change.from.as_ref().map(quantity), change.to.as_ref().map(quantity)));
    }
    for change in &facets.references {
        let text = arrow(change.from.as_deref().map(str::to_owned), change.to.as_deref().map(str::to_owned));
        add(
            "references",
            match change.kind {
                ReferenceChangeKind::Renumbered => format!("{text} (renumbered)"),
                ReferenceChangeKind::Edition => format!("{text} (other edition)"),
                ReferenceChangeKind::Other => text,
            },
        );
    }
    if let Some(Change { from, to }) = facets.moved {
        add(
            "moved",
            format!("{} → {}", section_label(&older.sections[from]), section_label(&newer.sections[to])),
        );
    }
    for term in &facets.terms {
        let designation = newer.terms[term.to].designations.first();
        add("terms", designation.map_or_else(String::new, |d| d.text.clone().into()));
    }
    labels
}

/// A section in few words: its label, else its title.
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

fn strength(strength: Strength) -> String {
    let kind = kind(strength.kind);
    if strength.negated { format!("negative {kind}") } else { kind.to_owned() }
}

fn quantity(quantity: &Quantity) -> String {
    let Quantity { value, unit, .. } = quantity;
    unit.as_ref().map_or_else(|| value.clone(), |unit| format!("{value} {unit}"))
}

fn arrow(from: Option<String>, to: Option<String>) -> String {
    match (from, to) {
        (Some(from), Some(to)) => format!("{from} → {to}"),
        (Some(from), None) => format!("{from} dropped"),
        (None, Some(to)) => format!("{to} added"),
        (None, None) => String::new(),
    }
}
