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
    let mut chosen = Vec::new();
    let mut subtracted = Vec::new();
    let mut matched = Vec::new();
    let mut unmatched = Vec::new();
    for item in items {
        let Some(intervals) = resolver.named(item)? else {
            unmatched.push(item.to_string());
            continue;
        };
        matched.push(item.to_string());
        if item.minus {
            subtracted.extend(intervals);
        } else {
            chosen.extend(intervals);
        }
    }
    if items.iter().all(|item| item.minus) {
        let all = (0, outline.provisions.len() as u32);
        chosen.push(all);
    }
    let provisions = difference(united(chosen), &united(subtracted));
    Ok(ResolvedSelection { provisions, matched, unmatched })
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
            let mut chosen = Vec::new();
            for part in parts_named {
                chosen.extend(self.ordinals(item.kind, part, first, last));
            }
            return Ok(if chosen.is_empty() { None } else { Some(chosen) });
        }
        if parts_named.is_empty() {
            return self.range(item);
        }
        let mut chosen = Vec::new();
        for part in parts_named {
            chosen.extend(self.whole(item.kind, part));
        }
        Ok(Some(chosen))
    }

    /// The provision whose id the item is.
    fn provision(&self, item: &SelectionItem) -> Option<u32> {
        if item.kind != SelectionKind::Id || item.ordinals.is_some() {
            return None;
        }
        let id = item.name.parse().ok()?;
        self.index.provision(id)
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
        let mut numbered: Vec<u32> = Vec::new();
        if kind != SelectionKind::Id {
            numbered = names.by_number(name).collect();
        }
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
        let mut members = Vec::new();
        for (index, table) in (0..).zip(&self.outline.tables) {
            let Some(number) = &table.number else { continue };
            if !table.is_lettered() {
                continue;
            }
            let number_of_group = &number[..number.len() - 1];
            if number_of_group.eq_ignore_ascii_case(group) {
                members.push(index);
            }
        }
        members
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
        let Some((from, _)) = item.ordinals else { return Ok(None) };
        let first = self.labelled(item.kind, &item.name, from);
        let last = match ordinal {
            Some(ordinal) => self.labelled(item.kind, name, *ordinal),
            None => self.parts_named(item.kind, name).last().map(|&part| self.between(part, part)),
        };
        let (Some((start, _)), Some((_, end))) = (first, last) else { return Ok(None) };
        if start < end {
            return Ok(Some(vec![(start, end)]));
        }
        // The second label is after the first one, its brackets and the hyphen.
        let offset = item.offset + item.name.chars().count() + from.to_string().len() + 3;
        let to = ordinal.map(|ordinal| format!("({ordinal})")).unwrap_or_default();
        Err(reversed(offset, &format!("{}({from})", item.name), &format!("{name}{to}")))
    }

    /// The provision with a label: this ordinal in the first part with the name that has so many.
    fn labelled(&self, kind: SelectionKind, name: &str, ordinal: u32) -> Option<Interval> {
        for part in self.parts_named(kind, name) {
            if let Some(provision) = self.ordinals(kind, part, ordinal, ordinal).pop() {
                return Some(provision);
            }
        }
        None
    }

    /// The end of a range with this last section: that of its subtree, or after the provision that the item
    /// names.
    fn end(&self, item: &SelectionItem, section: u32) -> Option<u32> {
        match item.ordinals {
            Some((ordinal, _)) => {
                let (_, end) = self.ordinals(item.kind, section, ordinal, ordinal).pop()?;
                Some(end)
            }
            None => Some(self.between(section, section).1),
        }
    }

    /// The first reading of a name as a range whose ends both exist.
    fn range(&self, item: &SelectionItem) -> Result<Option<Vec<Interval>>, SelectionError> {
        if item.kind == SelectionKind::Id {
            return Ok(None);
        }
        for (hyphen, _) in item.name.match_indices('-') {
            let from = &item.name[..hyphen];
            let to = &item.name[hyphen + 1..];
            let first = self.parts_named(item.kind, from).first().copied();
            let last = self.parts_named(item.kind, to).last().copied();
            if let (Some(first), Some(last)) = (first, last)
                && first <= last
            {
                return Ok(self.between_parts(item, first, last));
            }
            let both_exist = first.is_some() && last.is_some();
            if both_exist || goes_back(from, to) {
                let ordinal = item.ordinals.map(|(ordinal, _)| format!("({ordinal})")).unwrap_or_default();
                let offset = item.offset + item.name[..hyphen].chars().count() + 1;
                return Err(reversed(offset, from, &format!("{to}{ordinal}")));
            }
        }
        Ok(None)
    }

    /// The provisions from one part to another of the kind of the item; `None` if the item ends with a
    /// provision that does not exist.
    fn between_parts(&self, item: &SelectionItem, first: u32, last: u32) -> Option<Vec<Interval>> {
        match item.kind {
            SelectionKind::Table | SelectionKind::Figure | SelectionKind::Term => {
                Some((first..=last).flat_map(|part| self.whole(item.kind, part)).collect())
            }
            SelectionKind::All | SelectionKind::Clause | SelectionKind::Id => {
                let (start, _) = self.outline.sections[first as usize].provisions;
                let end = self.end(item, last)?;
                Some(vec![(start, end)])
            }
        }
    }
}

fn reversed(offset: usize, from: &str, to: &str) -> SelectionError {
    SelectionError { offset, reason: format!("the range is reversed: write `{to}-{from}`") }
}

/// True for two numbers in falling order, whatever the document contains: `7-5`, `A.2-A.1`, `B-A`.
fn goes_back(from: &str, to: &str) -> bool {
    match (field_ranks(from), field_ranks(to)) {
        (Some(from), Some(to)) => to < from,
        _ => false,
    }
}

/// The fields of a number, so that comparing them compares the numbers; `None` if one of them is not a number
/// or the letter of an annex.
fn field_ranks(number: &str) -> Option<Vec<(usize, String)>> {
    let mut ranks = Vec::new();
    for (index, field) in number.split('.').enumerate() {
        let is_annex = index == 0 && field.len() == 1 && field.bytes().all(|b| b.is_ascii_alphabetic());
        if is_annex {
            // Annexes come after all clauses.
            ranks.push((usize::MAX, field.to_ascii_uppercase()));
            continue;
        }
        if field.is_empty() || !field.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        // Without leading zeros, the longer number is the greater one.
        let digits = field.trim_start_matches('0');
        ranks.push((digits.len(), digits.to_owned()));
    }
    Some(ranks)
}

/// Intervals in ascending order, those that touch merged and empty ones left out.
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
fn difference(chosen: Vec<Interval>, subtracted: &[Interval]) -> Vec<u32> {
    let mut provisions = Vec::new();
    let mut rest = subtracted;
    for (mut start, end) in chosen {
        while start < end {
            // Those that end before this interval are of no use for the ones after it either.
            while let [(_, off_end), after @ ..] = rest
                && *off_end <= start
            {
                rest = after;
            }
            let (off_start, off_end) = rest.first().copied().unwrap_or((end, end));
            provisions.extend(start..off_start.clamp(start, end));
            start = off_end;
        }
    }
    provisions
}
