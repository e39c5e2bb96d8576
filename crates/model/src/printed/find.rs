//! Places of an edition: which parts of its outline a printed place names, and which are nearest to it.

use super::cited::{CitedLocation, LocationKind};
use crate::Outline;
use crate::outline::PartLookup;

/// Most parts that one place names.
pub const MAX_FOUND_PARTS: usize = 50;
/// Most parts that are offered where a place is not there.
const MOST_NEAREST: usize = 5;

/// A part of an outline, by its index among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutlinePart {
    /// A section, by its index among the sections.
    Section(u32),
    /// A provision, by its index among the provisions.
    Provision(u32),
    /// A table, by its index among the tables.
    Table(u32),
    /// A figure, by its index among the figures.
    Figure(u32),
    /// A term, by its index among the terms.
    Term(u32),
}

/// What a printed place is in an edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundLocation {
    /// These parts: one, or those of a range.
    Parts(Vec<OutlinePart>),
    /// One of these parts, which have the same number.
    Ambiguous(Vec<OutlinePart>),
    /// The edition has no such part.
    Unknown,
    /// A range of more than [`MAX_FOUND_PARTS`] parts.
    TooMany,
}

impl Outline {
    /// The part with an id: a provision, section, table or term.
    pub fn part_with_id(&self, id: &str) -> Option<OutlinePart> {
        let index = self.index();
        if let Ok(id) = id.parse() {
            return index.provision(id).map(OutlinePart::Provision);
        }
        if let Some(section) = index.sections.by_id(id).next() {
            return Some(OutlinePart::Section(section));
        }
        if let Some(table) = index.tables.by_id(id).next() {
            return Some(OutlinePart::Table(table));
        }
        index.terms.by_id(id).next().map(OutlinePart::Term)
    }

    /// The parts that a printed place names. Details within a part do not count.
    pub fn find_location(&self, location: &CitedLocation) -> FoundLocation {
        let Some(end) = &location.to else { return self.find_one(location) };
        if end.is_hyphenated && location.ordinal.is_none() && end.location.ordinal.is_none() {
            // `Table 3-1` may be one number.
            let number = format!("{}-{}", location.number, end.location.number);
            let found = self.find_one(&CitedLocation::new(location.kind, number));
            if found != FoundLocation::Unknown {
                return found;
            }
        }
        let start = CitedLocation { to: None, ..location.clone() };
        match (self.find_one(&start), self.find_one(&end.location)) {
            (FoundLocation::Parts(first), FoundLocation::Parts(last)) => match (first.first(), last.last()) {
                (Some(first), Some(last)) => self.between(*first, *last),
                _ => FoundLocation::Unknown,
            },
            (FoundLocation::Ambiguous(parts), _) | (_, FoundLocation::Ambiguous(parts)) => {
                FoundLocation::Ambiguous(parts)
            }
            _ => FoundLocation::Unknown,
        }
    }

    fn find_one(&self, location: &CitedLocation) -> FoundLocation {
        let parts = self.numbered(location.kind, &location.number);
        let Some(ordinal) = location.ordinal else { return one_of(parts, location.kind) };
        // Only one of the parts with the number may have so many provisions.
        let mut found = Vec::new();
        for part in parts {
            found.extend(self.nth_in(part, ordinal));
        }
        one_of(found, LocationKind::Clause)
    }

    /// The parts of a kind with a number, in document order. Of sections those nearest to the top: `2` is
    /// Clause 2 rather than a paragraph (2) of another one.
    fn numbered(&self, kind: LocationKind, number: &str) -> Vec<OutlinePart> {
        let index = self.index();
        let with_number = |lookup: &PartLookup| lookup.by_number(number).collect::<Vec<u32>>();
        match kind {
            LocationKind::Clause => {
                let sections = with_number(&index.sections);
                let depths: Vec<usize> = sections.iter().map(|&section| self.depth(section)).collect();
                let least = depths.iter().min().copied().unwrap_or_default();
                let nearest = sections.into_iter().zip(depths).filter(|(_, depth)| *depth == least);
                nearest.map(|(section, _)| OutlinePart::Section(section)).collect()
            }
            LocationKind::Table => self.tables_numbered(number).into_iter().map(OutlinePart::Table).collect(),
            LocationKind::Figure => {
                with_number(&index.figures).into_iter().map(OutlinePart::Figure).collect()
            }
            LocationKind::Term => with_number(&index.terms).into_iter().map(OutlinePart::Term).collect(),
            LocationKind::Formula => Vec::new(),
        }
    }

    /// Tables with a number, or those of the group with it.
    fn tables_numbered(&self, number: &str) -> Vec<u32> {
        let mut tables: Vec<u32> = self.index().tables.by_number(number).collect();
        if tables.is_empty() {
            for (at, table) in (0..).zip(&self.tables) {
                let Some(own) = &table.number else { continue };
                if table.is_lettered() && own[..own.len() - 1].eq_ignore_ascii_case(number) {
                    tables.push(at);
                }
            }
        }
        tables
    }

    /// The number of sections around a section.
    fn depth(&self, section: u32) -> usize {
        let mut depth = 0;
        let mut parent = self.sections[section as usize].parent;
        while let Some(around) = parent {
            depth += 1;
            parent = self.sections[around as usize].parent;
        }
        depth
    }

    /// The numbered paragraph, or else the provision with this ordinal in a part.
    fn nth_in(&self, part: OutlinePart, ordinal: u32) -> Option<OutlinePart> {
        let position = ordinal as usize - 1;
        let provision = match part {
            OutlinePart::Section(section) => {
                let number = ordinal.to_string();
                if let Some(paragraph) = self.paragraph_of(section, &number) {
                    return Some(OutlinePart::Section(paragraph));
                }
                let (start, end) = self.sections[section as usize].provisions;
                (start..end).nth(position)
            }
            OutlinePart::Table(table) => self.index().in_table(table).nth(position),
            OutlinePart::Term(term) => self.index().using_term(term).nth(position),
            OutlinePart::Figure(figure) => self.figures()[figure as usize].provisions.get(position).copied(),
            OutlinePart::Provision(_) => None,
        };
        provision.map(OutlinePart::Provision)
    }

    /// The section that is the numbered paragraph of another one: its number has no dots and is not its own.
    fn paragraph_of(&self, section: u32, number: &str) -> Option<u32> {
        let around = &self.sections[section as usize];
        let first = section + 1;
        (first..around.end).find(|&at| {
            let own = &self.sections[at as usize];
            own.parent == Some(section) && own.number.as_deref() == Some(number)
        })
    }

    /// The parts from one to another, both included: sections of the same depth, provisions, tables.
    fn between(&self, first: OutlinePart, last: OutlinePart) -> FoundLocation {
        let mut parts = Vec::new();
        match (first, last) {
            (OutlinePart::Section(from), OutlinePart::Section(to)) => {
                let depth = self.depth(from);
                for section in from..=to {
                    if section == to || self.depth(section) == depth {
                        parts.push(OutlinePart::Section(section));
                    }
                    if parts.len() > MAX_FOUND_PARTS {
                        break;
                    }
                }
            }
            (OutlinePart::Provision(from), OutlinePart::Provision(to)) => {
                parts.extend((from..=to).take(MAX_FOUND_PARTS + 1).map(OutlinePart::Provision));
            }
            (OutlinePart::Table(from), OutlinePart::Table(to)) => {
                parts.extend((from..=to).take(MAX_FOUND_PARTS + 1).map(OutlinePart::Table));
            }
            (OutlinePart::Figure(from), OutlinePart::Figure(to)) => {
                parts.extend((from..=to).take(MAX_FOUND_PARTS + 1).map(OutlinePart::Figure));
            }
            (OutlinePart::Term(from), OutlinePart::Term(to)) => {
                parts.extend((from..=to).take(MAX_FOUND_PARTS + 1).map(OutlinePart::Term));
            }
            (OutlinePart::Provision(from), OutlinePart::Section(section)) => {
                let last = self.sections[section as usize].end as usize - 1;
                let end = self.sections[last].provisions.1;
                parts.extend((from..end).take(MAX_FOUND_PARTS + 1).map(OutlinePart::Provision));
            }
            _ => {}
        }
        match parts.len() {
            0 => FoundLocation::Unknown,
            count if count > MAX_FOUND_PARTS => FoundLocation::TooMany,
            _ => FoundLocation::Parts(parts),
        }
    }

    /// The parts nearest to a place that is not there, best first: the clause around it and its neighbours;
    /// tables and figures with the nearest numbers.
    pub fn nearest_locations(&self, location: &CitedLocation) -> Vec<OutlinePart> {
        let mut nearest: Vec<OutlinePart> = match location.kind {
            LocationKind::Clause => self.nearest_sections(location),
            LocationKind::Table => {
                let numbers = self.tables.iter().map(|table| table.number.as_deref());
                nearest_numbers(numbers, &location.number).map(OutlinePart::Table).collect()
            }
            LocationKind::Figure => {
                let numbers = self.figures().iter().map(|figure| figure.number.as_deref());
                nearest_numbers(numbers, &location.number).map(OutlinePart::Figure).collect()
            }
            LocationKind::Term => {
                let numbers = self.terms.iter().map(|term| term.number.as_deref());
                nearest_numbers(numbers, &location.number).map(OutlinePart::Term).collect()
            }
            LocationKind::Formula => Vec::new(),
        };
        nearest.truncate(MOST_NEAREST);
        nearest
    }

    fn nearest_sections(&self, location: &CitedLocation) -> Vec<OutlinePart> {
        let own = self.numbered(LocationKind::Clause, &location.number);
        if !own.is_empty() {
            // The clause is there, and the provision is not.
            let mut nearest = own.clone();
            for part in own {
                if let OutlinePart::Section(section) = part {
                    let (start, end) = self.sections[section as usize].provisions;
                    nearest.extend((start..end).next_back().map(OutlinePart::Provision));
                }
            }
            return nearest;
        }
        let mut around = location.number.as_str();
        while let Some((above, _)) = around.rsplit_once('.') {
            around = above;
            let found = self.numbered(LocationKind::Clause, around);
            let Some(&OutlinePart::Section(section)) = found.first() else { continue };
            let mut nearest = vec![OutlinePart::Section(section)];
            let end = self.sections[section as usize].end;
            let children =
                (section + 1..end).filter(|&at| self.sections[at as usize].parent == Some(section));
            nearest.extend(self.nearest_of(children, &location.number));
            return nearest;
        }
        let top = (0..self.sections.len() as u32).filter(|&at| self.sections[at as usize].parent.is_none());
        self.nearest_of(top, around).collect()
    }

    /// These sections by the distance of their numbers from another one.
    fn nearest_of(
        &self,
        sections: impl Iterator<Item = u32>,
        number: &str,
    ) -> impl Iterator<Item = OutlinePart> {
        let mut ranked = Vec::new();
        for section in sections {
            let own = self.sections[section as usize].number.as_deref();
            if let Some(distance) = own.and_then(|own| distance(own, number)) {
                ranked.push((distance, section));
            }
        }
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, section)| OutlinePart::Section(section))
    }
}

/// The only part, or what a number that several have may mean. The tables of a group are meant together.
fn one_of(parts: Vec<OutlinePart>, kind: LocationKind) -> FoundLocation {
    match parts.len() {
        0 => FoundLocation::Unknown,
        1 => FoundLocation::Parts(parts),
        _ if kind == LocationKind::Table => FoundLocation::Parts(parts),
        _ => FoundLocation::Ambiguous(parts),
    }
}

/// The indices of the numbers nearest to another one, nearest first.
fn nearest_numbers<'n>(
    numbers: impl Iterator<Item = Option<&'n str>>,
    number: &str,
) -> impl Iterator<Item = u32> {
    let mut ranked = Vec::new();
    for (index, own) in (0..).zip(numbers) {
        if let Some(distance) = own.and_then(|own| distance(own, number)) {
            ranked.push((distance, index));
        }
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, index)| index)
}

/// How far two numbers are apart: fields that they do not have in common, then the difference of the first
/// field that differs. `None` where one has letters of an annex and the other has not.
fn distance(own: &str, number: &str) -> Option<(usize, u32)> {
    let begins_with_letter = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins_with_letter(own) != begins_with_letter(number) {
        return None;
    }
    let own: Vec<&str> = own.split('.').collect();
    let number: Vec<&str> = number.split('.').collect();
    let mut common = 0;
    while common < own.len() && common < number.len() && own[common].eq_ignore_ascii_case(number[common]) {
        common += 1;
    }
    let apart = own.len().max(number.len()) - common;
    let [a, b] = [own.get(common), number.get(common)].map(|field| field.map_or(0, |field| rank(field)));
    Some((apart, a.abs_diff(b)))
}

/// The value of a field: its digits, or the position of its first letter in the alphabet.
fn rank(field: &str) -> u32 {
    let digits: String = field.chars().filter(char::is_ascii_digit).collect();
    match digits.parse() {
        Ok(value) => value,
        Err(_) => field.chars().next().map_or(0, |letter| letter.to_ascii_uppercase() as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::{OutlineProvision, OutlineSection, OutlineTable};
    use crate::{ProvisionId, ProvisionKind, SectionId, TableId};

    /// Sections `number level provisions`, and tables.
    fn outline(sections: &[(&str, usize, u32)], tables: &[&str]) -> Outline {
        let mut built: Vec<OutlineSection> = Vec::new();
        let mut provisions = Vec::new();
        for (index, &(number, level, count)) in sections.iter().enumerate() {
            let start = provisions.len() as u32;
            for ordinal in start..start + count {
                provisions.push(OutlineProvision {
                    id: ProvisionId::from_bytes(u128::from(ordinal).to_be_bytes()),
                    kind: ProvisionKind::Requirement,
                    normative: true,
                    section: index as u32,
                    table: None,
                    terms: Vec::new(),
                });
            }
            let end = sections[index + 1..].iter().position(|other| other.1 <= level);
            let end = end.map_or(sections.len(), |distance| index + 1 + distance);
            built.push(OutlineSection {
                id: SectionId::new(format!("s{index}")),
                number: Some(number.into()),
                parent: sections[..index].iter().rposition(|other| other.1 < level).map(|at| at as u32),
                end: end as u32,
                provisions: (start, start + count),
            });
        }
        let table = |number: &&str| OutlineTable {
            id: TableId::new(format!("t{number}")),
            number: Some((*number).to_owned()),
        };
        Outline::new(built, provisions, tables.iter().map(table).collect(), Vec::new())
    }

    fn document() -> Outline {
        let sections = [
            ("1", 1, 0),
            ("4", 1, 1),   // provision 0
            ("4.1", 2, 2), // 1, 2
            ("4.2", 2, 1), // 3
            ("4.3", 2, 0),
            ("5", 1, 0),
            ("1", 2, 1), // a paragraph (1) of 5; 4
            ("2", 2, 1), // 5
            ("6", 1, 0),
            ("6", 1, 0),
            ("A", 1, 0),
            ("A.1", 2, 1), // 6
        ];
        outline(&sections, &["1", "2A", "2B", "A.1"])
    }

    fn found(location: &str) -> FoundLocation {
        let locations = CitedLocation::read_all(location).unwrap();
        assert_eq!(locations.len(), 1, "{location}");
        document().find_location(&locations[0])
    }

    #[test]
    fn a_location_is_the_part_with_its_number_or_nothing() {
        use OutlinePart::{Provision, Section, Table};
        for (location, parts) in [
            ("4.2", vec![Section(3)]),
            ("Clause 1", vec![Section(0)]),
            ("4.1(2)", vec![Provision(2)]),
            ("5(2)", vec![Section(7)]),
            ("Annex a", vec![Section(10)]),
            ("a.1(1)", vec![Provision(6)]),
            ("4.1 to 4.3", vec![Section(2), Section(3), Section(4)]),
            ("4.1(1)-(2)", vec![Provision(1), Provision(2)]),
            ("4.1(2)-4.2(1)", vec![Provision(2), Provision(3)]),
            ("Table 1", vec![Table(0)]),
            ("Table 2", vec![Table(1), Table(2)]),
            ("Table 2b", vec![Table(2)]),
            ("Tabelle A.1", vec![Table(3)]),
        ] {
            assert_eq!(found(location), FoundLocation::Parts(parts), "{location}");
        }
        for location in ["4.4", "4.1(3)", "Annex B", "Table 3", "Figure 1", "Formula (1)", "4.3 to 4.1"] {
            assert_eq!(found(location), FoundLocation::Unknown, "{location}");
        }
        assert_eq!(found("6"), FoundLocation::Ambiguous(vec![Section(8), Section(9)]));
    }

    #[test]
    fn a_location_that_is_not_there_has_its_neighbours() {
        use OutlinePart::{Provision, Section, Table};
        let nearest =
            |location: &str| document().nearest_locations(&CitedLocation::read_all(location).unwrap()[0]);
        assert_eq!(nearest("4.4"), [Section(1), Section(4), Section(3), Section(2)]);
        assert_eq!(nearest("4.1(9)"), [Section(2), Provision(2)]);
        assert_eq!(nearest("7")[0], Section(8));
        assert_eq!(nearest("Annex C"), [Section(10)]);
        assert_eq!(nearest("Table 3")[..3], [Table(1), Table(2), Table(0)]);
    }
}
