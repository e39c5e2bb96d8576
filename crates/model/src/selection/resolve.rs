//! Resolution of selections: each item becomes intervals of provisions, then all are united and subtracted.

use super::{ResolvedSelection, SelectionError, SelectionItem, SelectionKind};
use crate::Outline;
use crate::outline::{OutlineFigure, OutlineIndex, PartLookup};

/// Provisions from the first index up to, not including, the second.
type Interval = (u32, u32);

pub(super) fn resolve(
    items: &[SelectionItem],
    outline: &Outline,
) -> Result<ResolvedSelection, SelectionError> {
    let resolver = Resolver { outline, index: outline.index() };
    let all = (0, outline.provisions.len() as u32);
    let (mut chosen, mut taken_off) = (Vec::new(), Vec::new());
    let (mut matched, mut unmatched) = (Vec::new(), Vec::new());
    for item in items {
        let into = if item.minus { &mut taken_off } else { &mut chosen };
        match resolver.named(item)? {
            Some(intervals) => {
                into.extend(intervals);
                matched.push(item.to_string());
            }
            None => unmatched.push(item.to_string()),
        }
    }
    if items.iter().all(|item| item.minus) {
        chosen.push(all);
    }
    Ok(ResolvedSelection { provisions: difference(united(chosen), &united(taken_off)), matched, unmatched })
}

impl Outline {
    /// Indices of the tables that a name means in a selection: those with this number, or in a group with
    /// this number, else with this id.
    pub fn tables_named(&self, name: &str) -> Vec<usize> {
        let resolver = Resolver { outline: self, index: self.index() };
        resolver.parts_named(SelectionKind::Table, name).into_iter().map(|at| at as usize).collect()
    }
}

struct Resolver<'o> {
    outline: &'o Outline,
    index: &'o OutlineIndex,
}

impl Resolver<'_> {
    /// The provisions that an item names; `None` when the edition has no such part.
    fn named(&self, item: &SelectionItem) -> Result<Option<Vec<Interval>>, SelectionError> {
        if item.kind == SelectionKind::All {
            return Ok(Some(vec![(0, self.outline.provisions.len() as u32)]));
        }
        if let Some(provision) = self.provision(item) {
            return Ok(Some(vec![(provision, provision + 1)]));
        }
        if let Some(to) = &item.to {
            return self.between_labels(item, to);
        }
        let parts_named = self.parts_named(item.kind, &item.name);
        if let Some((first, last)) = item.ordinals {
            if parts_named.is_empty() && item.kind == SelectionKind::Clause && first == last {
                return self.range(item);
            }
            let chosen: Vec<Interval> =
                parts_named.iter().flat_map(|&part| self.ordinals(item.kind, part, first, last)).collect();
            return Ok(if chosen.is_empty() { None } else { Some(chosen) });
        }
        if !parts_named.is_empty() {
            return Ok(Some(parts_named.iter().flat_map(|&part| self.whole(item.kind, part)).collect()));
        }
        self.range(item)
    }

    fn provision(&self, item: &SelectionItem) -> Option<u32> {
        let plain = item.kind == SelectionKind::Id && item.ordinals.is_none();
        plain.then(|| self.index.provision(item.name.parse().ok()?))?
    }

    fn names(&self, kind: SelectionKind) -> &PartLookup {
        match kind {
            SelectionKind::Table => &self.index.tables,
            SelectionKind::Figure => &self.index.figures,
            SelectionKind::Term => &self.index.terms,
            SelectionKind::All | SelectionKind::Clause | SelectionKind::Id => &self.index.sections,
        }
    }

    /// The parts with this number, else with this id: an exact match in case comes before others.
    fn parts_named(&self, kind: SelectionKind, name: &str) -> Vec<u32> {
        let names = self.names(kind);
        let mut numbered: Vec<u32> =
            if kind == SelectionKind::Id { Vec::new() } else { names.by_number(name).collect() };
        if numbered.is_empty() && kind == SelectionKind::Table {
            numbered = self.members(name);
        }
        if !numbered.is_empty() {
            return numbered;
        }
        let ids: Vec<u32> = names.by_id(name).collect();
        match ids.iter().find(|&&at| self.id(kind, at) == name) {
            Some(&exact) => vec![exact],
            None => ids,
        }
    }

    /// The tables of a group with the number: `2A` and `2B` of Table 2.
    fn members(&self, group: &str) -> Vec<u32> {
        let of_group = |number: &String| {
            number.split_at_checked(number.len() - 1).is_some_and(|(own, _)| own.eq_ignore_ascii_case(group))
        };
        let tables = (0..).zip(&self.outline.tables);
        let members =
            tables.filter(|(_, table)| table.is_lettered() && table.number.as_ref().is_some_and(of_group));
        members.map(|(at, _)| at).collect()
    }

    fn figures(&self) -> &[OutlineFigure] {
        self.outline.figures()
    }

    fn id(&self, kind: SelectionKind, part: u32) -> &str {
        let at = part as usize;
        match kind {
            SelectionKind::Table => self.outline.tables[at].id.as_str(),
            SelectionKind::Figure => &self.figures()[at].id,
            SelectionKind::Term => self.outline.terms[at].id.as_str(),
            SelectionKind::All | SelectionKind::Clause | SelectionKind::Id => {
                self.outline.sections[at].id.as_str()
            }
        }
    }

    /// All provisions of a part: a section with its subtree, a table, a term.
    fn whole(&self, kind: SelectionKind, part: u32) -> Vec<Interval> {
        let single = |provision| (provision, provision + 1);
        match kind {
            SelectionKind::Table => self.index.in_table(part).map(single).collect(),
            SelectionKind::Figure => {
                self.figures()[part as usize].provisions.iter().copied().map(single).collect()
            }
            SelectionKind::Term => self.index.using_term(part).map(single).collect(),
            SelectionKind::All | SelectionKind::Clause | SelectionKind::Id => vec![self.between(part, part)],
        }
    }

    /// From the start of one section to the end of another's subtree.
    fn between(&self, from: u32, to: u32) -> Interval {
        let sections = &self.outline.sections;
        let last = sections[to as usize].end as usize - 1;
        (sections[from as usize].provisions.0, sections[last].provisions.1)
    }

    /// The provisions of the part itself from the first ordinal to the last, counted from 1.
    fn ordinals(&self, kind: SelectionKind, part: u32, first: u32, last: u32) -> Vec<Interval> {
        match kind {
            SelectionKind::Table | SelectionKind::Figure | SelectionKind::Term => {
                let mut own = self.whole(kind, part);
                own.truncate(last as usize);
                own.split_off((first as usize - 1).min(own.len()))
            }
            SelectionKind::All | SelectionKind::Clause | SelectionKind::Id => {
                let (start, end) = self.outline.sections[part as usize].provisions;
                let interval = (start.saturating_add(first - 1), start.saturating_add(last).min(end));
                if interval.0 < interval.1 { vec![interval] } else { Vec::new() }
            }
        }
    }

    /// The provisions from the label at the begin of an item to the end of its range.
    fn between_labels(
        &self,
        item: &SelectionItem,
        (name, ordinal): &(String, Option<u32>),
    ) -> Result<Option<Vec<Interval>>, SelectionError> {
        let label = |name: &str, ordinal: u32| {
            let parts = self.parts_named(item.kind, name);
            parts.iter().find_map(|&part| self.ordinals(item.kind, part, ordinal, ordinal).pop())
        };
        let first = item.ordinals.and_then(|(ordinal, _)| label(&item.name, ordinal));
        let last = match ordinal {
            Some(ordinal) => label(name, *ordinal),
            None => self.parts_named(item.kind, name).last().map(|&part| self.between(part, part)),
        };
        match (first, last) {
            (Some((start, _)), Some((_, end))) if start < end => Ok(Some(vec![(start, end)])),
            (Some(_), Some(_)) => {
                let (from, _) = item.ordinals.unwrap_or_default();
                let offset = item.offset + item.name.chars().count() + from.to_string().len() + 3;
                let to = ordinal.map(|ordinal| format!("({ordinal})")).unwrap_or_default();
                Err(reversed(offset, &format!("{}({from})", item.name), &format!("{name}{to}")))
            }
            _ => Ok(None),
        }
    }

    /// The end of a range with this last section: that of its subtree, or after the provision that the item
    /// names.
    fn end(&self, item: &SelectionItem, section: u32) -> Option<u32> {
        match item.ordinals {
            Some((ordinal, _)) => {
                self.ordinals(item.kind, section, ordinal, ordinal).pop().map(|(_, end)| end)
            }
            None => Some(self.between(section, section).1),
        }
    }

    /// The first reading of a name as a range whose ends both exist.
    fn range(&self, item: &SelectionItem) -> Result<Option<Vec<Interval>>, SelectionError> {
        if item.kind == SelectionKind::Id {
            return Ok(None);
        }
        for (at, _) in item.name.match_indices('-') {
            let (from, to) = (&item.name[..at], &item.name[at + 1..]);
            let (first, last) = (self.parts_named(item.kind, from), self.parts_named(item.kind, to));
            let is_reversed = match (first.first(), last.last()) {
                (Some(&first), Some(&last)) if first <= last => {
                    return Ok(Some(match item.kind {
                        SelectionKind::Table | SelectionKind::Figure | SelectionKind::Term => {
                            (first..=last).flat_map(|part| self.whole(item.kind, part)).collect()
                        }
                        _ => match self.end(item, last) {
                            Some(end) => vec![(self.outline.sections[first as usize].provisions.0, end)],
                            None => return Ok(None),
                        },
                    }));
                }
                (Some(_), Some(_)) => true,
                _ => goes_back(from, to),
            };
            if is_reversed {
                let ordinal = item.ordinals.map(|(ordinal, _)| format!("({ordinal})")).unwrap_or_default();
                let offset = item.offset + item.name[..at].chars().count() + 1;
                return Err(reversed(offset, from, &format!("{to}{ordinal}")));
            }
        }
        Ok(None)
    }
}

fn reversed(offset: usize, from: &str, to: &str) -> SelectionError {
    SelectionError { offset, reason: format!("the range is reversed: write `{to}-{from}`") }
}

/// Whether two numbers are in falling order, whatever the document contains: `7-5`, `A.2-A.1`, `B-A`.
fn goes_back(from: &str, to: &str) -> bool {
    let fields = |number: &str| -> Option<Vec<(usize, String)>> {
        // A number counts as its digits without leading zeros, the longer being the greater.
        let field = |field: &str| {
            let digits = !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
            let value = field.trim_start_matches('0');
            digits.then(|| (value.len(), value.to_owned()))
        };
        let mut fields = number.split('.');
        let first = fields.next()?;
        let annex = first.len() == 1 && first.bytes().all(|b| b.is_ascii_alphabetic());
        // Annexes come after all clauses.
        let first = if annex { Some((usize::MAX, first.to_ascii_uppercase())) } else { field(first) };
        std::iter::once(first).chain(fields.map(field)).collect()
    };
    fields(from).zip(fields(to)).is_some_and(|(from, to)| to < from)
}

/// Sorted and merged.
fn united(mut intervals: Vec<Interval>) -> Vec<Interval> {
    intervals.retain(|&(start, end)| start < end);
    intervals.sort_unstable();
    let mut union: Vec<Interval> = Vec::with_capacity(intervals.len());
    for (start, end) in intervals {
        match union.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => union.push((start, end)),
        }
    }
    union
}

/// The first intervals without the second ones; both are united.
fn difference(chosen: Vec<Interval>, taken_off: &[Interval]) -> Vec<u32> {
    let mut provisions = Vec::new();
    let mut rest = taken_off.iter().peekable();
    for (mut start, end) in chosen {
        while start < end {
            while rest.next_if(|&&(_, off_end)| off_end <= start).is_some() {}
            let (off_start, off_end) = rest.peek().map_or((end, end), |&&off| off);
            provisions.extend(start..off_start.clamp(start, end));
            start = off_end;
        }
    }
    provisions
}
