//! Index of the parts of an edition that a reference can mean: by id, and by kind and printed number.

use foldhash::HashMap;
use norma_model::label::number_of;
use norma_model::{Graphic, Section, SectionKind, Table};

use crate::blocks::{Numbered, ReferencedPartKind};

/// A part that a reference can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartEntry<'a> {
    pub(super) kind: ReferencedPartKind,
    /// The id of the part in the views; for a formula that of the section around it.
    pub(super) id: &'a str,
    /// The title of a section or the caption of a table or figure.
    pub(super) title: Option<&'a str>,
    /// The index of the part among those of its kind, in document order.
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
        parts.add_sections(sections);
        parts.add_tables(tables);
        parts.add_graphics(graphics);
        parts.add_numbered(numbered);
        parts
    }

    fn add_sections(&mut self, sections: &'a [Section]) {
        let mut in_annex: Vec<bool> = Vec::with_capacity(sections.len());
        for (order, section) in sections.iter().enumerate() {
            let above = section.parent.and_then(|parent| in_annex.get(parent)).copied();
            in_annex.push(section.kind == SectionKind::Annex || above.unwrap_or_default());
            let kind = if in_annex[order] { ReferencedPartKind::Annex } else { ReferencedPartKind::Clause };
            let part = PartEntry { kind, id: section.id.as_str(), title: section.title.as_deref(), order };
            self.add(part, section.number.as_deref());
            // A paragraph `(2)` of Clause 6 is `6(2)`.
            if let Some(label) = &section.label
                && label.starts_with('(')
                && let Some(parent) = section.parent
                && let Some(holder) = &sections[parent].number
            {
                self.add(part, Some(&format!("{holder}{label}")));
            }
        }
    }

    fn add_tables(&mut self, tables: &'a [Table]) {
        for (order, table) in tables.iter().enumerate() {
            let title = table.caption.as_deref();
            let part = PartEntry { kind: ReferencedPartKind::Table, id: table.id.as_str(), title, order };
            self.lists[0].push(part);
            self.add(part, table.number.as_deref());
        }
    }

    fn add_graphics(&mut self, graphics: &'a [Graphic]) {
        for (order, graphic) in graphics.iter().enumerate() {
            let title = graphic.caption.as_deref();
            let part = PartEntry { kind: ReferencedPartKind::Figure, id: graphic.id.as_str(), title, order };
            self.lists[1].push(part);
            let number = graphic.label.as_deref().and_then(number_of);
            let known = number.as_ref().and_then(|number| {
                self.by_number.get(&(ReferencedPartKind::Figure, number.clone())).copied().flatten()
            });
            // A figure with several graphics means the first one.
            let is_repeated = known.is_some_and(|known| graphics[known.order].figure_id == graphic.figure_id);
            self.add(part, if is_repeated { None } else { number.as_deref() });
            if let Some(id) = graphic.figure_id.as_deref() {
                self.by_id.entry(id).or_insert(part);
            }
            if let Some(section) = graphic.section
                && !is_repeated
            {
                self.figures.entry(section).and_modify(|known| *known = None).or_insert(Some(part));
            }
        }
    }

    fn add_numbered(&mut self, numbered: &'a [Numbered]) {
        for (order, numbered) in numbered.iter().enumerate() {
            let key = (numbered.kind, numbered.number.clone());
            if numbered.kind == ReferencedPartKind::Formula {
                let part =
                    PartEntry { kind: ReferencedPartKind::Formula, id: &numbered.part, title: None, order };
                let known = self.by_number.entry(key).or_insert(Some(part));
                // Formulae of two sections have the number.
                if known.is_some_and(|known| known.id != part.id) {
                    *known = None;
                }
            } else if let Some(part) = self.by_id(&numbered.part) {
                // The parts of a group may all have its number.
                self.by_number.entry(key).or_default().get_or_insert(part);
            }
        }
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
        // The brackets of “(3)” are not a part of the number, those of `6(2)` are.
        let has_inner_bracket = number.contains('(') && !number.starts_with('(');
        let number = if has_inner_bracket { number } else { number.trim_matches(['(', ')']) };
        let mut number = number.to_uppercase();
        if kind == ReferencedPartKind::Figure {
            // `1 b)` and `1 (b)` are 1B.
            number.retain(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '‑'));
        }
        let kinds: &[ReferencedPartKind] = match kind {
            ReferencedPartKind::Clause => &[ReferencedPartKind::Clause, ReferencedPartKind::Annex],
            ReferencedPartKind::Annex => &[ReferencedPartKind::Annex, ReferencedPartKind::Clause],
            ref kind => std::slice::from_ref(kind),
        };
        for kind in kinds {
            let found = self.with_number(*kind, &number);
            if found.is_some() {
                return found;
            }
        }
        // `Figure 2a` is a part of Figure 2, whose graphics may have no labels of their own.
        if !matches!(kind, ReferencedPartKind::Figure | ReferencedPartKind::Table) {
            return None;
        }
        let whole = number.strip_suffix(|c: char| c.is_ascii_uppercase())?;
        if !whole.ends_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.with_number(kind, whole)
    }

    /// The only part of a kind with a number, as the index has it.
    fn with_number(&self, kind: ReferencedPartKind, number: &str) -> Option<PartEntry<'a>> {
        let key = (kind, number.to_owned());
        *self.by_number.get(&key)?
    }

    /// The parts from one to another of its kind, both included: sections of the same level, tables, figures.
    pub(super) fn range(&self, from: PartEntry<'a>, to: PartEntry<'a>) -> Vec<PartEntry<'a>> {
        if from.order > to.order {
            return vec![from, to];
        }
        let list = match (from.kind, to.kind) {
            (
                ReferencedPartKind::Clause | ReferencedPartKind::Annex,
                ReferencedPartKind::Clause | ReferencedPartKind::Annex,
            ) => return self.siblings(from.order, to.order),
            (ReferencedPartKind::Table, ReferencedPartKind::Table) => &self.lists[0],
            (ReferencedPartKind::Figure, ReferencedPartKind::Figure) => &self.lists[1],
            _ => return vec![from, to],
        };
        let end = to.order.min(from.order + LONGEST_RANGE - 1);
        list[from.order..=end].to_vec()
    }

    /// The sections from one to another that are on the level of the first.
    fn siblings(&self, first: usize, last: usize) -> Vec<PartEntry<'a>> {
        let level = self.sections[first].level;
        let mut siblings = Vec::new();
        for section in &self.sections[first..=last] {
            if siblings.len() == LONGEST_RANGE {
                break;
            }
            if section.level == level
                && let Some(part) = self.by_id(section.id.as_str())
            {
                siblings.push(part);
            }
        }
        siblings
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
