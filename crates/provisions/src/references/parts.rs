//! Index of the parts of an edition that a reference can mean: by id, and by kind and printed number.

use foldhash::HashMap;
use norma_model::label::number_of;
use norma_model::{Graphic, Section, SectionKind, Table};

use crate::blocks::{Numbered, ReferencedPartKind};

/// One part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartEntry<'a> {
    pub(super) kind: ReferencedPartKind,
    /// Its id in the views; for a formula that of the section around it.
    pub(super) id: &'a str,
    /// Title or caption.
    pub(super) title: Option<&'a str>,
    /// Its index among the parts of its kind, in document order.
    order: usize,
}

/// Most parts to which a range such as `5.1 to 5.9` is resolved.
const LONGEST_RANGE: usize = 64;

/// All parts of an edition.
pub(super) struct PartEntries<'a> {
    sections: &'a [Section],
    by_id: HashMap<&'a str, PartEntry<'a>>,
    /// The part; `None` if several parts of one kind have the number.
    by_number: HashMap<(ReferencedPartKind, String), Option<PartEntry<'a>>>,
    /// Tables, then figures, in their order.
    lists: [Vec<PartEntry<'a>>; 2],
    /// The figure of each section that has only one.
    figures: HashMap<usize, Option<PartEntry<'a>>>,
}

impl<'a> PartEntries<'a> {
    pub(super) fn new(
        sections: &'a [Section],
        tables: &'a [Table],
        graphics: &'a [Graphic],
        numbered: &'a [Numbered],
    ) -> Self {
        let mut parts = Self {
            sections,
            by_id: HashMap::default(),
            by_number: HashMap::default(),
            lists: [Vec::new(), Vec::new()],
            figures: HashMap::default(),
        };
        let mut in_annex: Vec<bool> = Vec::with_capacity(sections.len());
        for (order, section) in sections.iter().enumerate() {
            let above = section.parent.and_then(|parent| in_annex.get(parent)).copied();
            in_annex.push(section.kind == SectionKind::Annex || above.unwrap_or_default());
            let kind = if in_annex[order] { ReferencedPartKind::Annex } else { ReferencedPartKind::Clause };
            let part = PartEntry { kind, id: section.id.as_str(), title: section.title.as_deref(), order };
            parts.add(part, section.number.as_deref());
            // A paragraph `(2)` of Clause 6 is `6(2)`.
            let label = section.label.as_deref().filter(|label| label.starts_with('('));
            let holder = section.parent.and_then(|parent| sections[parent].number.as_deref());
            if let Some((label, holder)) = label.zip(holder) {
                parts.add(part, Some(&format!("{holder}{label}")));
            }
        }
        for (order, table) in tables.iter().enumerate() {
            let title = table.caption.as_deref();
            let part = PartEntry { kind: ReferencedPartKind::Table, id: table.id.as_str(), title, order };
            parts.lists[0].push(part);
            parts.add(part, table.number.as_deref());
        }
        for (order, graphic) in graphics.iter().enumerate() {
            let title = graphic.caption.as_deref();
            let part = PartEntry { kind: ReferencedPartKind::Figure, id: graphic.id.as_str(), title, order };
            parts.lists[1].push(part);
            let number = graphic.label.as_deref().and_then(number_of);
            // A figure with several graphics means the first one.
            let again = number.as_ref().is_some_and(|number| {
                let known =
                    parts.by_number.get(&(ReferencedPartKind::Figure, number.clone())).copied().flatten();
                known.is_some_and(|known| graphics[known.order].figure_id == graphic.figure_id)
            });
            parts.add(part, number.as_deref().filter(|_| !again));
            if let Some(id) = graphic.figure_id.as_deref() {
                parts.by_id.entry(id).or_insert(part);
            }
            if let Some(section) = graphic.section.filter(|_| !again) {
                parts.figures.entry(section).and_modify(|known| *known = None).or_insert(Some(part));
            }
        }
        for (order, numbered) in numbered.iter().enumerate() {
            let key = (numbered.kind, numbered.number.clone());
            if numbered.kind == ReferencedPartKind::Formula {
                let part =
                    PartEntry { kind: ReferencedPartKind::Formula, id: &numbered.part, title: None, order };
                let same = |known: Option<PartEntry<'_>>| known.is_some_and(|known| known.id == part.id);
                let entry = parts.by_number.entry(key);
                entry.and_modify(|known| *known = known.filter(|_| same(*known))).or_insert(Some(part));
            } else if let Some(part) = parts.by_id(&numbered.part) {
                // The parts of a group may all have its number.
                parts.by_number.entry(key).or_default().get_or_insert(part);
            }
        }
        parts
    }

    fn add(&mut self, part: PartEntry<'a>, number: Option<&str>) {
        self.by_id.entry(part.id).or_insert(part);
        if let Some(number) = number {
            let key = (part.kind, number.to_owned());
            self.by_number.entry(key).and_modify(|known| *known = None).or_insert(Some(part));
        }
    }

    /// The part with an id of the views.
    pub(super) fn by_id(&self, id: &str) -> Option<PartEntry<'a>> {
        self.by_id.get(id).copied()
    }

    /// The part that a kind and a printed number mean, `Annex C` or `4.2`; a clause of an annex is also
    /// found as a clause.
    pub(super) fn by_number(&self, kind: ReferencedPartKind, number: &str) -> Option<PartEntry<'a>> {
        let bracketed = number.starts_with('(') || !number.contains('(');
        let mut number = if bracketed { number.trim_matches(['(', ')']) } else { number }.to_uppercase();
        if kind == ReferencedPartKind::Figure {
            // `1 b)` and `1 (b)` are 1B.
            number.retain(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '‑'));
        }
        let find = |kind, number: &str| self.by_number.get(&(kind, number.to_owned())).copied().flatten();
        let others: &[ReferencedPartKind] = match kind {
            ReferencedPartKind::Clause => &[ReferencedPartKind::Clause, ReferencedPartKind::Annex],
            ReferencedPartKind::Annex => &[ReferencedPartKind::Annex, ReferencedPartKind::Clause],
            ref kind => std::slice::from_ref(kind),
        };
        let found = others.iter().find_map(|kind| find(*kind, &number));
        // `Figure 2a` is a part of Figure 2, whose graphics may have no labels of their own.
        found.or_else(|| {
            let whole = number.strip_suffix(|c: char| c.is_ascii_uppercase())?;
            (matches!(kind, ReferencedPartKind::Figure | ReferencedPartKind::Table)
                && whole.ends_with(|c: char| c.is_ascii_digit()))
            .then(|| find(kind, whole))?
        })
    }

    /// The parts from one to another of its kind, both included: sections of the same level, tables, figures.
    pub(super) fn range(&self, from: PartEntry<'a>, to: PartEntry<'a>) -> Vec<PartEntry<'a>> {
        let all = from.order..=to.order;
        match (from.kind, to.kind) {
            _ if from.order > to.order => vec![from, to],
            (
                ReferencedPartKind::Clause | ReferencedPartKind::Annex,
                ReferencedPartKind::Clause | ReferencedPartKind::Annex,
            ) => {
                let level = self.sections[from.order].level;
                let siblings = all.filter(|&at| self.sections[at].level == level);
                let parts = siblings.filter_map(|at| self.by_id(self.sections[at].id.as_str()));
                parts.take(LONGEST_RANGE).collect()
            }
            (ReferencedPartKind::Table, ReferencedPartKind::Table) => {
                all.take(LONGEST_RANGE).map(|at| self.lists[0][at]).collect()
            }
            (ReferencedPartKind::Figure, ReferencedPartKind::Figure) => {
                all.take(LONGEST_RANGE).map(|at| self.lists[1][at]).collect()
            }
            _ => vec![from, to],
        }
    }

    /// The table with an index.
    pub(super) fn table(&self, at: usize) -> Option<PartEntry<'a>> {
        self.lists[0].get(at).copied()
    }

    /// The only figure of a section.
    pub(super) fn figure_of(&self, section: usize) -> Option<PartEntry<'a>> {
        self.figures.get(&section).copied().flatten()
    }
}
