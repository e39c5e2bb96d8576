//! Changes of a comparison in the shapes of the contract.

use std::borrow::Cow;

use norma_api::shapes::{
    Bound, CellChange, Change, Comparator, ComparedPart, ComparedText, ComparisonRelation, Dependency,
    DependencyCounts, DependencyExtent, DependencyType, Facet, Facets, NormativeStatus, PartChangeType,
    PartialChange, Passage, Polarity, ProvisionCounts, ProvisionType, Quantity, ReferenceChange,
    ReferenceChangeType, RowOrColumnChange, SectionChange, SectionRef, Strength, TableChange,
};
use norma_compare::{
    Amount, ComparisonRecord, DependencyKind, Heading, NumberedPartKind, PartName, PassageWords,
    ReferenceChangeKind, UnitRelation,
};

/// The shapes of a value that both sides have.
fn both<'a, T, U>(change: &'a norma_compare::Change<T>, shape: impl Fn(&'a T) -> U) -> Change<U> {
    Change { older: shape(&change.older), newer: shape(&change.newer) }
}

/// The shapes of a value that one side may not have.
fn partial<'a, T, U>(
    change: &'a norma_compare::Change<Option<T>>,
    shape: impl Fn(&'a T) -> U,
) -> PartialChange<U> {
    PartialChange { older: change.older.as_ref().map(&shape), newer: change.newer.as_ref().map(&shape) }
}

fn passage(words: &PassageWords) -> Passage<'_> {
    Passage::with_text(words.passage, &words.text)
}

fn name(name: &PartName) -> ComparedPart<'_> {
    ComparedPart { id: (*name.id).into(), label: name.label.as_deref().map(Cow::Borrowed) }
}

fn quantity(amount: &Amount) -> Quantity<'_> {
    Quantity::with_text(&amount.quantity, &amount.text)
}

fn strength(one: &norma_compare::Strength) -> Strength<'_> {
    Strength { kind: one.kind.map(ProvisionType::from), verbal_form_passage: one.form.as_ref().map(passage) }
}

fn normative_status(normative: &bool) -> NormativeStatus {
    NormativeStatus { normative: *normative }
}

fn polarity(one: &norma_compare::Polarity) -> Polarity<'_> {
    Polarity { negated: one.negated, verbal_form_passage: one.form.as_ref().map(passage) }
}

fn bound(one: &norma_compare::Bound) -> Bound<'_> {
    Bound { comparator: one.comparator.map(Comparator::from), passage: passage(&one.words) }
}

fn reference_change(change: &norma_compare::ReferenceChange) -> ReferenceChange<'_> {
    ReferenceChange {
        kind: match change.kind {
            ReferenceChangeKind::Edition => ReferenceChangeType::Edition,
            ReferenceChangeKind::Clause => ReferenceChangeType::Clause,
            ReferenceChangeKind::Document => ReferenceChangeType::Document,
            ReferenceChangeKind::Added => ReferenceChangeType::Added,
            ReferenceChangeKind::Removed => ReferenceChangeType::Removed,
            ReferenceChangeKind::Undated => ReferenceChangeType::Undated,
        },
        older: change.older.as_ref().map(passage),
        newer: change.newer.as_ref().map(passage),
        undated: change.undated,
    }
}

fn dependency(one: &norma_compare::Dependency<PartName>) -> Dependency<'_> {
    Dependency {
        kind: match one.kind {
            DependencyKind::Clause => DependencyType::Clause,
            DependencyKind::Part(NumberedPartKind::Table) => DependencyType::Table,
            DependencyKind::Part(NumberedPartKind::Figure) => DependencyType::Figure,
            DependencyKind::Part(NumberedPartKind::Formula) => DependencyType::Formula,
            DependencyKind::Term => DependencyType::Term,
            DependencyKind::Footnote => DependencyType::Footnote,
            DependencyKind::Sentence => DependencyType::Sentence,
        },
        older: name(&one.target.older),
        newer: name(&one.target.newer),
        counts: DependencyCounts { changed: one.changed, new: one.new, removed: one.removed },
        extent: one.unknown.then_some(DependencyExtent::Unknown),
    }
}

/// The sections of a provision that moved. A record has the headings of its sections once, in its outline.
fn moved<'a>(
    change: &'a norma_compare::Change<PartName>,
    record: &'a ComparisonRecord,
) -> Change<SectionRef<'a>> {
    let older_headings = record.outline.iter().filter_map(|section| section.older.as_ref());
    let newer_headings = record.outline.iter().filter_map(|section| section.newer.as_ref());
    Change { older: section(&change.older, older_headings), newer: section(&change.newer, newer_headings) }
}

/// A section of one edition, with the title that its heading has.
fn section<'a>(name: &'a PartName, headings: impl Iterator<Item = &'a Heading>) -> SectionRef<'a> {
    for heading in headings {
        if heading.id == name.id {
            return section_ref(heading);
        }
    }
    SectionRef { id: (*name.id).into(), number: name.label.as_deref().map(Cow::Borrowed), title: None }
}

/// What differs between the two provisions of a pair, in the shapes of the contract.
pub(crate) fn facets<'a>(
    facets: &'a norma_compare::Facets<PartName>,
    record: &'a ComparisonRecord,
) -> Facets<'a> {
    Facets {
        strength: facets.strength.as_deref().map(|change| both(change, strength)),
        normative: facets.normative.as_ref().map(|change| both(change, normative_status)),
        negation: facets.negation.as_deref().map(|change| both(change, polarity)),
        quantity: facets.quantities.iter().map(|change| partial(change, quantity)).collect(),
        bound: facets.bounds.iter().map(|change| both(change, bound)).collect(),
        condition: facets.conditions.iter().map(|change| partial(change, passage)).collect(),
        subject: facets.subject.as_deref().map(|change| both(change, passage)),
        references: facets.references.iter().map(reference_change).collect(),
        terms: facets.terms.iter().map(|change| both(change, name)).collect(),
        depends_on: facets.depends_on.iter().map(dependency).collect(),
        moved: facets.moved.as_ref().map(|change| moved(change, record)),
    }
}

/// The relation of a section, table, row or column to its counterpart, in the words of the contract.
pub(crate) fn kind(relation: norma_compare::PartRelation) -> PartChangeType {
    match relation {
        norma_compare::PartRelation::Same => PartChangeType::Same,
        norma_compare::PartRelation::Changed => PartChangeType::Changed,
        norma_compare::PartRelation::Moved => PartChangeType::Moved,
        norma_compare::PartRelation::New => PartChangeType::New,
        norma_compare::PartRelation::Removed => PartChangeType::Removed,
    }
}

fn section_ref(heading: &Heading) -> SectionRef<'_> {
    SectionRef {
        id: (*heading.id).into(),
        number: heading.label.as_deref().map(Cow::Borrowed),
        title: heading.title.as_deref().map(Cow::Borrowed),
    }
}

/// The change of a section, with counts of the provisions in it and in its subsections.
pub(crate) fn section_change(change: &norma_compare::SectionChange<Heading>) -> SectionChange<'_> {
    let [same, changed, new, removed] = change.provisions;
    SectionChange {
        kind: kind(change.relation),
        older: change.older.as_ref().map(section_ref),
        newer: change.newer.as_ref().map(section_ref),
        counts: ProvisionCounts { same, changed, new, removed },
    }
}

/// The change of a table, with those of its cells, rows and columns.
pub(crate) fn table_change(change: &norma_compare::TableChange<PartName>) -> TableChange<'_> {
    TableChange {
        kind: kind(change.relation),
        older: change.older.as_ref().map(name),
        newer: change.newer.as_ref().map(name),
        caption_change: change.caption.as_ref().map(|change| both(change, |text| compared_text(text))),
        annotations_changed: change.notes_changed,
        changed_cell_count: change.changed_cells,
        cell_changes: change.cells.iter().map(cell_change).collect(),
        row_changes: change.rows.iter().map(line_change).collect(),
        column_changes: change.columns.iter().map(line_change).collect(),
    }
}

fn cell_change(change: &norma_compare::CellChange) -> CellChange<'_> {
    let mut changed = Vec::new();
    if change.value_changed {
        changed.push(Facet::Quantity);
    }
    if change.bound_changed {
        changed.push(Facet::Bound);
    }
    CellChange {
        row_head: (*change.row).into(),
        column_head: (*change.column).into(),
        older: compared_text(&change.text.older),
        newer: compared_text(&change.text.newer),
        changed,
    }
}

fn compared_text(text: &str) -> ComparedText<'_> {
    ComparedText { text: text.into() }
}

fn line_change(change: &norma_compare::LineChange) -> RowOrColumnChange<'_> {
    RowOrColumnChange {
        kind: kind(change.relation),
        older: change.older.as_deref().map(Cow::Borrowed),
        newer: change.newer.as_deref().map(Cow::Borrowed),
    }
}

/// The relation of the two provisions of a link, in the words of the contract.
pub(crate) fn relation(relation: UnitRelation) -> ComparisonRelation {
    match relation {
        UnitRelation::Same => ComparisonRelation::Same,
        UnitRelation::Reworded => ComparisonRelation::Reworded,
        UnitRelation::Split => ComparisonRelation::Split,
        UnitRelation::Merged => ComparisonRelation::Merged,
    }
}

/// Kinds of change, in the order of the contract.
pub(crate) fn changed(facets: &norma_compare::Facets<PartName>) -> Vec<Facet> {
    facets.kinds().into_iter().map(facet).collect()
}

fn facet(kind: norma_compare::Facet) -> Facet {
    use norma_compare::Facet as Kind;
    match kind {
        Kind::Strength => Facet::Strength,
        Kind::Normative => Facet::Normative,
        Kind::Negation => Facet::Negation,
        Kind::Quantity => Facet::Quantity,
        Kind::Bound => Facet::Bound,
        Kind::Condition => Facet::Condition,
        Kind::Subject => Facet::Subject,
        Kind::References => Facet::References,
        Kind::Terms => Facet::Terms,
        Kind::DependsOn => Facet::DependsOn,
        Kind::Moved => Facet::Moved,
    }
}
