//! Grammar of the places of a citation: lists and ranges of parts, and what is smaller than a part.

use super::cited::{
    CitedLocation, DetailKind, LocationDetail, LocationKind, MAX_CITED_LOCATIONS, RangeEnd,
    UnreadableCitation,
};
use super::location_reader::{LocationJoint, LocationReader};
use super::word_lists::after_of;

/// Words between a document and its places.
const BEFORE_LOCATIONS: [&str; 9] = ["see", "siehe", "voir", "in", "dort", "at", "under", "dans", "hier"];

/// Words before the first of two places that a range joins.
const FROM: [&str; 3] = ["from", "von", "de"];

/// Which numbers are places without a word for their kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BareNumbers {
    /// Only numbers with dots.
    Dotted,
    /// Numbers, with dots or without.
    Any,
    /// Numbers, and letters of annexes.
    Letters,
}

/// Places before anything else, and the rest of the text. `None` where the text does not begin with places.
///
/// # Errors
/// There are too many.
pub(super) fn announced(text: &str) -> Result<Option<(Vec<CitedLocation>, &str)>, UnreadableCitation> {
    let mut list = LocationList::new(text, BareNumbers::Dotted);
    list.read()?;
    if list.found.is_empty() {
        return Ok(None);
    }
    let LocationList { reader, found, .. } = list;
    Ok(Some((found, reader.rest())))
}

/// The places behind a document, and the rest of the text without punctuation around it.
///
/// # Errors
/// There are none, or too many.
pub(super) fn after_document(text: &str) -> Result<(Vec<CitedLocation>, &str), UnreadableCitation> {
    let (locations, rest) = behind_document(text)?;
    Ok((locations, rest.trim_matches([' ', '.', ',', ';'])))
}

/// The places behind a document, and the text right behind them.
///
/// # Errors
/// There are none, or too many.
pub(super) fn behind_document(text: &str) -> Result<(Vec<CitedLocation>, &str), UnreadableCitation> {
    let mut list = LocationList::new(text, BareNumbers::Any);
    let reader = &mut list.reader;
    reader.spaces();
    for sign in [',', ';', ':', '–', '-', '('] {
        reader.take(sign);
        reader.spaces();
    }
    let is_bracketed = text[..reader.at].trim_end().ends_with('(');
    reader.take_one_of(&BEFORE_LOCATIONS);
    reader.spaces();
    list.read()?;
    if list.found.is_empty() {
        return Err(UnreadableCitation::at(list.reader.rest()));
    }
    if is_bracketed {
        list.reader.take(')');
    }
    Ok((list.found, list.reader.rest()))
}

/// Places alone, and the rest of the text.
///
/// # Errors
/// There are none, or too many.
pub(super) fn all(text: &str) -> Result<(Vec<CitedLocation>, &str), UnreadableCitation> {
    let mut list = LocationList::new(text, BareNumbers::Letters);
    list.read()?;
    if list.found.is_empty() {
        return Err(UnreadableCitation::at(text));
    }
    Ok((list.found, list.reader.rest().trim_start()))
}

/// The places that are read so far.
struct LocationList<'t> {
    reader: LocationReader<'t>,
    bare: BareNumbers,
    found: Vec<CitedLocation>,
    /// True if the last place is one of a list, so that nothing after it is in it.
    is_list: bool,
    /// The kind that the last word for a part names; further numbers are of this kind too.
    kind: LocationKind,
    /// True if numbers of this kind may be letters.
    is_annex: bool,
    /// True if the last word for a part is a plural.
    is_plural: bool,
}

impl<'t> LocationList<'t> {
    fn new(text: &'t str, bare: BareNumbers) -> Self {
        Self {
            reader: LocationReader::new(text),
            bare,
            found: Vec::new(),
            is_list: false,
            kind: LocationKind::Clause,
            is_annex: false,
            is_plural: false,
        }
    }

    /// Reads as many places as there are.
    fn read(&mut self) -> Result<(), UnreadableCitation> {
        let begin = self.reader.at;
        let needs_range = self.reader.take_one_of(&FROM);
        self.reader.spaces();
        if !self.first() {
            self.reader.at = begin;
            return Ok(());
        }
        loop {
            let before = self.reader.at;
            let Some(joint) = self.reader.joint() else { break };
            if !self.next(joint) {
                self.reader.at = before;
                break;
            }
            if self.found.len() > MAX_CITED_LOCATIONS {
                let reason =
                    format!("it names more than {MAX_CITED_LOCATIONS} places; send several citations");
                return Err(UnreadableCitation::new(reason));
            }
        }
        if needs_range && self.found.iter().all(|location| location.to.is_none()) {
            self.found.clear();
            self.reader.at = begin;
        }
        Ok(())
    }

    fn first(&mut self) -> bool {
        if self.details_first() {
            return true;
        }
        let Some(location) = self.location(true) else { return false };
        self.push(location);
        true
    }

    /// The next place, or what is smaller than a part of the last one.
    fn next(&mut self, joint: LocationJoint) -> bool {
        match joint {
            LocationJoint::Range | LocationJoint::Hyphen => self.range_end(joint == LocationJoint::Hyphen),
            LocationJoint::And => {
                self.is_list = true;
                self.details_first() || self.further_location() || self.further_detail()
            }
            LocationJoint::Comma => {
                self.inner_detail() || self.details_first() || self.inner_or_further_location()
            }
            LocationJoint::Semicolon => {
                self.is_list = true;
                self.details_first() || self.further_location()
            }
            LocationJoint::Space => self.inner_detail() || self.announced_inner_location(),
        }
    }

    /// The end of the range that the last place begins.
    fn range_end(&mut self, is_hyphenated: bool) -> bool {
        let Some(last) = self.found.last() else { return false };
        if last.to.is_some() {
            return false;
        }
        let mut start = last.clone();
        let end = match self.end_in_the_same_part(&start) {
            Some(end) => end,
            None => {
                let Some(end) = self.location(false) else { return false };
                if end.kind != start.kind || end.to.is_some() {
                    return false;
                }
                end
            }
        };
        start.to = Some(Box::new(RangeEnd { location: end, is_hyphenated }));
        self.found.pop();
        self.found.push(start);
        true
    }

    /// `(3)` in `4.2(1)–(3)`, `c)` in `4.2 a) to c)`.
    fn end_in_the_same_part(&mut self, start: &CitedLocation) -> Option<CitedLocation> {
        if start.ordinal.is_some() && start.details.is_empty() {
            let (first, last) = self.reader.ordinals()?;
            return (first == last).then(|| CitedLocation { ordinal: Some(first), ..start.clone() });
        }
        let last = start.details.last()?;
        let detail = self.same_detail(last)?;
        let mut end = start.clone();
        end.details.pop();
        end.details.push(detail);
        Some(end)
    }

    /// A detail of the same kind as another one, with or without its word.
    fn same_detail(&mut self, other: &LocationDetail) -> Option<LocationDetail> {
        let before = self.reader.at;
        let found = self.reader.detail().filter(|detail| detail.kind == other.kind && detail.value.is_some());
        if found.is_none() {
            self.reader.at = before;
        }
        found
    }

    /// Another detail of the last part: `c)` in `4.2 b) and c)`, `(3)` in `4.2(1) and (3)`.
    fn further_detail(&mut self) -> bool {
        let Some(last) = self.found.last().cloned() else { return false };
        if last.to.is_some() {
            return false;
        }
        match self.end_in_the_same_part(&last) {
            Some(location) => {
                self.found.push(location);
                true
            }
            None => false,
        }
    }

    /// A detail of the last place.
    fn inner_detail(&mut self) -> bool {
        let begin = self.reader.at;
        let Some(detail) = self.reader.detail() else { return false };
        let is_of_next = self.is_of_location();
        let Some(last) = self.found.last_mut() else { return false };
        if is_of_next || last.to.is_some() || !fits(last, &detail) {
            self.reader.at = begin;
            return false;
        }
        last.details.push(detail);
        self.tight_details();
        true
    }

    /// True if words for *of* and a place follow, so that what is before them is a part of that place.
    fn is_of_location(&mut self) -> bool {
        let rest = self.reader.rest();
        let Some(holder) = after_of(rest) else { return false };
        let (at, kind, is_annex) = (self.reader.at, self.kind, self.is_annex);
        self.reader.at += rest.len() - holder.len();
        let is_location = self.location(false).is_some();
        (self.reader.at, self.kind, self.is_annex) = (at, kind, is_annex);
        is_location
    }

    /// `item b) of 6.2.3`, `items a) and b) of 6.2.3`, `Note 1 to 4.2`, `row 3 of Table 2`.
    fn details_first(&mut self) -> bool {
        let begin = self.reader.at;
        match self.details_of_location() {
            Some(locations) => {
                self.found.extend(locations);
                true
            }
            None => {
                self.reader.at = begin;
                false
            }
        }
    }

    fn details_of_location(&mut self) -> Option<Vec<CitedLocation>> {
        let mut details = vec![self.reader.detail()?];
        loop {
            let before = self.reader.at;
            let joint = self.reader.joint();
            let next = match joint {
                Some(LocationJoint::And | LocationJoint::Comma) => {
                    details.last().cloned().and_then(|d| self.same_detail(&d))
                }
                _ => None,
            };
            let Some(next) = next else {
                self.reader.at = before;
                break;
            };
            details.push(next);
        }
        let rest = self.reader.rest();
        let holder = after_of(rest)?;
        self.reader.at += rest.len() - holder.len();
        let holder = self.location(false)?;
        if holder.to.is_some() || !details.iter().all(|detail| fits(&holder, detail)) {
            return None;
        }
        let mut locations = Vec::with_capacity(details.len());
        for detail in details {
            let mut location = holder.clone();
            // `item b) of 6.2.3 (1)` would name two things.
            location.details.insert(0, detail);
            locations.push(location);
        }
        Some(locations)
    }

    /// Another place of a list; without a word it is of the kind of the last one.
    fn further_location(&mut self) -> bool {
        let Some(location) = self.location(false) else { return false };
        self.push(location);
        true
    }

    /// A place after a comma: in the last one (`Annex A, A.2`, `6.2, Table 3`), or another one of the list.
    fn inner_or_further_location(&mut self) -> bool {
        let Some(location) = self.location(false) else { return false };
        let is_in_last = match self.found.last() {
            Some(last) => !self.is_list && is_within(&location, last),
            None => false,
        };
        if is_in_last {
            self.found.pop();
        } else {
            self.is_list = true;
        }
        self.push(location);
        true
    }

    /// A place in the last one with nothing between: `Annex A Table A.1`.
    fn announced_inner_location(&mut self) -> bool {
        let before = self.reader.at;
        if self.reader.location_word().is_none() {
            return false;
        }
        self.reader.at = before;
        let Some(location) = self.location(false) else { return false };
        let Some(last) = self.found.last() else { return false };
        if !is_within(&location, last) {
            return false;
        }
        self.found.pop();
        self.push(location);
        true
    }

    fn push(&mut self, location: CitedLocation) {
        self.found.push(location);
        self.tight_details();
    }

    /// A part by its number, with or without the word for its kind.
    fn location(&mut self, is_first: bool) -> Option<CitedLocation> {
        let before = self.reader.at;
        let location = self.part(is_first);
        if location.is_none() {
            self.reader.at = before;
        }
        location
    }

    fn part(&mut self, is_first: bool) -> Option<CitedLocation> {
        let word = self.reader.location_word();
        let is_bare = word.is_none();
        if let Some(word) = word {
            self.kind = word.kind;
            self.is_annex = word.is_annex;
            self.is_plural = word.is_plural;
        } else if is_first {
            self.kind = LocationKind::Clause;
            self.is_annex = self.bare == BareNumbers::Letters;
        }
        let needs_dot = is_bare && is_first && self.bare == BareNumbers::Dotted;
        let number = self.reader.number(self.kind, self.is_annex, needs_dot)?;
        if is_bare && !is_first && self.is_clause_after_table(&number) {
            self.kind = LocationKind::Clause;
        }
        if self.is_annex {
            self.reader.status_of_annex();
        }
        let mut location = CitedLocation::new(self.kind, number);
        if location.kind == LocationKind::Formula {
            return Some(location);
        }
        if let Some((first, last)) = self.reader.ordinals() {
            location.ordinal = Some(first);
            if last > first {
                let end = CitedLocation { ordinal: Some(last), ..location.clone() };
                location.to = Some(Box::new(RangeEnd { location: end, is_hyphenated: false }));
            }
        }
        Some(location)
    }

    /// True if a number without a word is that of a clause, where those before it are of tables or figures:
    /// `Table 1 and 4.2`, but not `Tables 1 and A.1`.
    fn is_clause_after_table(&self, number: &str) -> bool {
        let is_dotted_before = self.found.last().is_some_and(|last| last.number.contains('.'));
        self.kind != LocationKind::Clause && !self.is_plural && number.contains('.') && !is_dotted_before
    }

    /// The labels of items right behind the last place: `6.2.3 b)`, `4.2(b)`, `4.2 a) 2)`.
    fn tight_details(&mut self) {
        while let Some(last) = self.found.last()
            && last.to.is_none()
            && last.kind != LocationKind::Formula
        {
            let before = self.reader.at;
            let Some(detail) = self.reader.item() else { return };
            let is_of_next = self.is_of_location();
            let Some(last) = self.found.last_mut() else { return };
            if is_of_next || !fits(last, &detail) {
                self.reader.at = before;
                return;
            }
            last.details.push(detail);
        }
    }
}

/// True if a place can have a detail: only a table has rows.
fn fits(location: &CitedLocation, detail: &LocationDetail) -> bool {
    match detail.kind {
        DetailKind::Row | DetailKind::Column => location.kind == LocationKind::Table,
        DetailKind::Footnote => matches!(location.kind, LocationKind::Table | LocationKind::Figure),
        DetailKind::Paragraph | DetailKind::Sentence => location.kind == LocationKind::Clause,
        DetailKind::Item | DetailKind::Note | DetailKind::Example => location.kind != LocationKind::Formula,
    }
}

/// True if a place after a comma is within the one before it: a clause of it, or a table, figure or formula
/// of a clause.
fn is_within(location: &CitedLocation, outer: &CitedLocation) -> bool {
    if outer.to.is_some() || outer.ordinal.is_some() || outer.kind != LocationKind::Clause {
        return false;
    }
    match location.kind {
        LocationKind::Clause => {
            let rest = location.number.strip_prefix(outer.number.as_str());
            rest.is_some_and(|rest| rest.starts_with('.'))
        }
        LocationKind::Table | LocationKind::Figure | LocationKind::Formula => true,
        LocationKind::Term => false,
    }
}
