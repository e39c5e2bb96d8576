//! Changes of a comparison in the shapes of the contract.

use std::borrow::Cow;

use norma_api::shapes::{
    Bound, CellChange, Change, Comparator, ComparedPart, ComparedText, ComparisonRelation, Dependency,
    DependencyCounts, DependencyType, Facet, Facets, PartChangeType, PartialChange, Passage, Polarity,
    ProvisionCounts, ProvisionType, Quantity, ReferenceChange, ReferenceChangeType, RowOrColumnChange,
    SectionChange, SectionRef, Strength, TableChange,
};
use norma_compare::{
    Amount, ComparisonRecord, DependencyKind, Heading, NumberedPartKind, PartName, PassageWords,
    ReferenceChangeKind, UnitRelation,
};

/// A value of both sides, each in its shape.
fn both<'a, T, U>(change: &'a norma_compare::Change<T>, shape: impl Fn(&'a T) -> U) -> Change<U> {
    Change { older: shape(&change.older), newer: shape(&change.newer) }
}

/// The same for a value that one side may not have.
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

/// A section of one edition. A record has the headings of its sections once, in its outline.
fn section<'a>(name: &'a PartName, mut headings: impl Iterator<Item = &'a Heading>) -> SectionRef<'a> {
    match headings.find(|heading| heading.id == name.id) {
        Some(heading) => section_ref(heading),
        None => SectionRef {
            id: (*name.id).into(),
            number: name.label.as_deref().map(Cow::Borrowed),
            title: None,
        },
    }
}

/// The facets of a pair of a record.
pub(crate) fn facets<'a>(
    facets: &'a norma_compare::Facets<PartName>,
    record: &'a ComparisonRecord,
) -> Facets<'a> {
    Facets {
        strength: facets.strength.as_deref().map(|change| {
            both(change, |one| Strength {
                kind: one.kind.map(ProvisionType::from),
                verbal_form_passage: one.form.as_ref().map(passage),
            })
        }),
        negation: facets.negation.as_deref().map(|change| {
            both(change, |one| Polarity {
                negated: one.negated,
                verbal_form_passage: one.form.as_ref().map(passage),
            })
        }),
        quantity: facets.quantities.iter().map(|change| partial(change, quantity)).collect(),
        bound: facets
            .bounds
            .iter()
            .map(|change| {
                both(change, |one| Bound {
                    comparator: one.comparator.map(Comparator::from),
                    passage: passage(&one.words),
                })
            })
            .collect(),
        condition: facets.conditions.iter().map(|change| partial(change, passage)).collect(),
        subject: facets.subject.as_deref().map(|change| both(change, passage)),
        references: facets
            .references
            .iter()
            .map(|change| ReferenceChange {
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
            })
            .collect(),
        terms: facets.terms.iter().map(|change| both(change, name)).collect(),
        depends_on: facets
            .depends_on
            .iter()
            .map(|one| Dependency {
                kind: match one.kind {
                    DependencyKind::Clause => DependencyType::Clause,
                    DependencyKind::Part(NumberedPartKind::Table) => DependencyType::Table,
                    DependencyKind::Part(NumberedPartKind::Figure) => DependencyType::Figure,
                    DependencyKind::Part(NumberedPartKind::Formula) => DependencyType::Formula,
                    DependencyKind::Term => DependencyType::Term,
                },
                older: name(&one.target.older),
                newer: name(&one.target.newer),
                counts: DependencyCounts { changed: one.changed, new: one.new, removed: one.removed },
            })
            .collect(),
        moved: facets.moved.as_ref().map(|change| Change {
            older: section(&change.older, record.outline.iter().filter_map(|one| one.older.as_ref())),
            newer: section(&change.newer, record.outline.iter().filter_map(|one| one.newer.as_ref())),
        }),
    }
}

/// The change of a part, in the words of the contract.
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

/// The change of a section.
pub(crate) fn section_change(change: &norma_compare::SectionChange<Heading>) -> SectionChange<'_> {
    let [same, changed, new, removed] = change.provisions;
    SectionChange {
        kind: kind(change.relation),
        older: change.older.as_ref().map(section_ref),
        newer: change.newer.as_ref().map(section_ref),
        counts: ProvisionCounts { same, changed, new, removed },
    }
}

/// The change of a table.
pub(crate) fn table_change(change: &norma_compare::TableChange<PartName>) -> TableChange<'_> {
    TableChange {
        kind: kind(change.relation),
        older: change.older.as_ref().map(name),
        newer: change.newer.as_ref().map(name),
        caption_change: change
            .caption
            .as_ref()
            .map(|change| both(change, |text| ComparedText { text: (**text).into() })),
        annotations_changed: change.notes_changed,
        changed_cell_count: change.changed_cells,
        cell_changes: change.cells.iter().map(cell_change).collect(),
        row_changes: change.rows.iter().map(line_change).collect(),
        column_changes: change.columns.iter().map(line_change).collect(),
    }
}

fn cell_change(change: &norma_compare::CellChange) -> CellChange<'_> {
    let kinds = [(Facet::Quantity, change.value_changed), (Facet::Bound, change.bound_changed)];
    CellChange {
        row_head: (*change.row).into(),
        column_head: (*change.column).into(),
        older: ComparedText { text: (*change.text.older).into() },
        newer: ComparedText { text: (*change.text.newer).into() },
        changed: kinds.into_iter().filter(|(_, is_there)| *is_there).map(|(facet, _)| facet).collect(),
    }
}

fn line_change(change: &norma_compare::LineChange) -> RowOrColumnChange<'_> {
    RowOrColumnChange {
        kind: kind(change.relation),
        older: change.older.as_deref().map(Cow::Borrowed),
        newer: change.newer.as_deref().map(Cow::Borrowed),
    }
}

/// The relation in the words of the contract.
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
    use norma_compare::Facet as Kind;
    let name = |kind| match kind {
        Kind::Strength => Facet::Strength,
        Kind::Negation => Facet::Negation,
        Kind::Quantity => Facet::Quantity,
        Kind::Bound => Facet::Bound,
        Kind::Condition => Facet::Condition,
        Kind::Subject => Facet::Subject,
        Kind::References => Facet::References,
        Kind::Terms => Facet::Terms,
        Kind::DependsOn => Facet::DependsOn,
        Kind::Moved => Facet::Moved,
    };
    facets.kinds().into_iter().map(name).collect()
}
