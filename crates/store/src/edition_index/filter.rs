//! Filters of lists, on the index of editions.

use std::collections::{BTreeSet, HashSet};

use fixedbitset::FixedBitSet;
use memchr::memmem::Finder;
use norma_model::urn::reference_key;
use norma_model::{Identifier, tokens};

use super::order::{ORDERS, SlotOrder};
use super::visible::{Aliased, MatchingEditions, Visible};
use super::{IndexedEdition, Interned, SharedValues, SlotRows};
use crate::catalogue::micros;
use crate::columns;
use crate::page::{PageKey, Query, Sort};
use crate::{Result, StoreError};

/// A query in the form in which editions are compared with it.
struct Filter<'q> {
    query: &'q Query,
    /// For the number of each interned publisher, set of languages and set of codes, whether it is accepted.
    publishers: Vec<bool>,
    languages: Vec<bool>,
    ics: Vec<bool>,
    /// Of each text, the beginnings of its words with a space before each.
    words: Vec<Vec<Finder<'static>>>,
    references: Vec<String>,
    kinds: Vec<&'static str>,
    statuses: Vec<i64>,
    updated: Option<i64>,
    /// Beginnings of URNs: with the edition, and without.
    editions: Vec<String>,
    documents: Vec<String>,
    urns: Vec<&'q str>,
    /// Rows of the editions that have one of the asked names as an alias.
    aliased: &'q HashSet<i64>,
    /// Set where the query has filters that [`Self::accepts_own`] compares.
    compares_own_values: bool,
}

/// For each interned text, true if it fits one of the asked values. A query that asks for none accepts all.
fn accepted<T>(texts: &Interned, asked: &[T], fits: impl Fn(&str, &T) -> bool) -> Vec<bool> {
    let mut accepted = Vec::with_capacity(texts.texts.len());
    for text in &texts.texts {
        accepted.push(asked.is_empty() || asked.iter().any(|asked| fits(text, asked)));
    }
    accepted
}

/// The beginnings of the words of a text, each with a space before it, so that no word is found within
/// another one.
fn word_finders(text: &str) -> Vec<Finder<'static>> {
    let mut finders = Vec::new();
    for word in tokens(text) {
        finders.push(Finder::new(&format!(" {word}")).into_owned());
    }
    finders
}

impl<'q> Filter<'q> {
    fn new(rows: &SlotRows, query: &'q Query, aliased: &'q HashSet<i64>) -> Self {
        let mut filter = Self {
            query,
            publishers: accepted(&rows.publishers, &query.publishers, |publisher, asked| {
                publisher.eq_ignore_ascii_case(asked)
            }),
            languages: accepted(&rows.languages, &query.languages, |languages, asked| {
                languages.split(' ').any(|language| language == asked.as_str())
            }),
            ics: accepted(&rows.ics, &query.ics, |codes, asked| {
                codes.split(' ').any(|code| code.starts_with(asked.as_str()))
            }),
            words: query.words.iter().map(|text| word_finders(text)).collect(),
            references: query.references.iter().map(|reference| reference_key(reference)).collect(),
            kinds: query.kinds.iter().map(|kind| columns::kind(*kind)).collect(),
            statuses: query.statuses.iter().map(|status| columns::status(*status)).collect(),
            updated: query.updated_since.map(micros),
            editions: Vec::new(),
            documents: Vec::new(),
            urns: Vec::new(),
            aliased,
            compares_own_values: compares_own_values(query),
        };
        for identifier in &query.identifiers {
            match identifier {
                Identifier::Urn(urn) => filter.urns.push(urn.as_str()),
                Identifier::Partial(urn) if urn.edition().is_some() => {
                    filter.editions.push(format!("{urn}:"))
                }
                Identifier::Partial(urn) => filter.documents.push(format!("{urn}:ed-")),
                Identifier::Alias(_) => {}
            }
        }
        filter
    }

    /// True if values that an edition shares with others fit their filters; several values of one filter are
    /// alternatives.
    fn accepts_shared(&self, one: SharedValues) -> bool {
        (self.statuses.is_empty() || self.statuses.contains(&one.status))
            && is_set(&self.publishers, one.publisher)
            && is_set(&self.languages, one.languages)
            && is_set(&self.ics, one.ics)
    }

    /// True if the other values of the edition fit their filters; several values of one filter are
    /// alternatives.
    ///
    /// Texts are compared last, and only where the query asks for them: each is in memory of its own, which
    /// took half of the time of a list of 100,000.
    fn accepts_own(&self, one: &IndexedEdition) -> bool {
        let query = self.query;
        if self.updated.is_some_and(|since| one.updated < since) {
            return false;
        }
        if !query.numbers.is_empty() && !query.numbers.iter().any(|number| number == one.number()) {
            return false;
        }
        if !query.parts.is_empty() && !query.parts.iter().any(|part| part == one.part()) {
            return false;
        }
        if !self.kinds.is_empty() && !self.kinds.contains(&one.kind()) {
            return false;
        }
        if !is_published_within(one.published_on(), query) {
            return false;
        }
        if !self.references.is_empty() && !self.has_reference(one) {
            return false;
        }
        if !query.identifiers.is_empty() && !self.identifies(one) {
            return false;
        }
        self.words.is_empty() || self.has_words(one)
    }

    /// True if the edition has one of the asked references, with or without the date that may follow it.
    fn has_reference(&self, one: &IndexedEdition) -> bool {
        for key in &self.references {
            if let Some(rest) = one.reference_key().strip_prefix(key.as_str())
                && (rest.is_empty() || rest.starts_with(':'))
            {
                return true;
            }
        }
        false
    }

    /// True if the edition has all words of one of the asked texts.
    fn has_words(&self, one: &IndexedEdition) -> bool {
        let text = one.words().as_bytes();
        self.words.iter().any(|words| words.iter().all(|word| word.find(text).is_some()))
    }

    /// True if an identifier names this edition or its document.
    fn identifies(&self, one: &IndexedEdition) -> bool {
        self.names(one) || starts_with_any(one.urn(), &self.documents)
    }

    /// True if an identifier names this edition, not its document alone.
    fn names(&self, one: &IndexedEdition) -> bool {
        self.urns.contains(&one.urn())
            || starts_with_any(one.urn(), &self.editions)
            || self.aliased.contains(&one.id)
    }
}

/// True if a query has filters that [`Filter::accepts_own`] compares.
fn compares_own_values(query: &Query) -> bool {
    // A new filter does not compile before it is named here.
    let Query {
        words,
        identifiers,
        references,
        numbers,
        parts,
        kinds,
        published_from,
        published_to,
        updated_since,
        publishers: _,
        statuses: _,
        languages: _,
        ics: _,
        latest: _,
        named: _,
        level: _,
        sort: _,
        descending: _,
    } = query;
    let lists_are_empty = words.is_empty()
        && identifiers.is_empty()
        && references.is_empty()
        && numbers.is_empty()
        && parts.is_empty()
        && kinds.is_empty();
    !lists_are_empty || published_from.is_some() || published_to.is_some() || updated_since.is_some()
}

fn is_set(flags: &[bool], number: u32) -> bool {
    flags.get(number as usize).copied().unwrap_or(false)
}

fn starts_with_any(text: &str, beginnings: &[String]) -> bool {
    beginnings.iter().any(|beginning| text.starts_with(beginning.as_str()))
}

/// True if a date of publication is within the days of the query. A date without day or month fits when any
/// day of it does; an unknown date, an empty text, fits no bound.
fn is_published_within(date: &str, query: &Query) -> bool {
    if let Some(from) = &query.published_from
        && (date.is_empty() || date < beginning(from.as_str(), date.len()))
    {
        return false;
    }
    if let Some(to) = &query.published_to
        && (date.is_empty() || beginning(date, to.as_str().len()) > to.as_str())
    {
        return false;
    }
    true
}

/// At most so many bytes of a date, from its start.
fn beginning(date: &str, length: usize) -> &str {
    date.get(..length).unwrap_or(date)
}

impl SlotRows {
    /// The editions that fit a query, among those that are visible. Where it is `known` which ones did, only
    /// what changed since is compared with it again.
    pub(crate) fn matching(
        &self,
        query: &Query,
        aliased: &Aliased,
        visible: &Visible,
        known: Option<&MatchingEditions>,
    ) -> MatchingEditions {
        let filter = Filter::new(self, query, &aliased.rows);
        let known = known.and_then(|known| Some((known, self.to_compare(known.version, query.latest)?)));
        let slots = match known {
            Some((known, to_compare)) => {
                let mut slots = known.slots.clone();
                slots.grow(self.slots());
                for slot in to_compare {
                    let is_matching =
                        visible.has_level(slot, query.level) && self.is_matching(slot, &filter, visible);
                    slots.set(slot as usize, is_matching);
                }
                slots
            }
            None => self.all_matching(&filter, visible),
        };
        MatchingEditions { version: aliased.version.min(self.version()), slots }
    }

    /// The slots that may fit a query otherwise than at an earlier version, each once; `None` where the
    /// changes since were forgotten.
    fn to_compare(&self, version: usize, latest: bool) -> Option<BTreeSet<u32>> {
        let changes = self.changes_after(version)?;
        let mut slots: BTreeSet<u32> = changes.iter().map(|change| change.slot).collect();
        if latest {
            // Whether an edition is the latest depends on the others of its document.
            let documents: BTreeSet<u32> = changes.iter().map(|change| change.document).collect();
            slots.extend(documents.into_iter().flat_map(|document| &self.of_documents[document as usize]));
        }
        Some(slots)
    }

    fn all_matching(&self, filter: &Filter<'_>, visible: &Visible) -> FixedBitSet {
        let mut matching = FixedBitSet::with_capacity(self.slots());
        for slot in visible.with(filter.query.level).ones() {
            if self.is_matching(slot as u32, filter, visible) {
                matching.insert(slot);
            }
        }
        matching
    }

    fn is_matching(&self, slot: u32, filter: &Filter<'_>, visible: &Visible) -> bool {
        let Some(shared) = self.shared[slot as usize] else { return false };
        if !filter.accepts_shared(shared) {
            return false;
        }
        if filter.compares_own_values && !self.get(slot).is_some_and(|one| filter.accepts_own(one)) {
            return false;
        }
        let query = filter.query;
        if !query.latest || self.is_latest(slot, shared, visible) {
            return true;
        }
        // An edition that the caller names is shown, whether or not it is the latest.
        query.named && self.get(slot).is_some_and(|one| filter.names(one))
    }

    /// The slots among these after the key `after`, in the order of the query, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] where the key is of another order.
    pub(crate) fn page(
        &self,
        slots: &FixedBitSet,
        query: &Query,
        after: Option<&PageKey>,
        limit: usize,
    ) -> Result<Vec<u32>> {
        let order = self.order(query.sort);
        let (before, behind) = match after {
            None => (order, order),
            Some(key) => {
                let position = self.position(order, query.sort, key)?;
                // The edition of the key itself is on the page before; it may be gone meanwhile.
                let at = order.get(position).and_then(|slot| self.get(*slot));
                let is_there = at.is_some_and(|one| one.key(query.sort) == *key);
                (&order[..position], &order[position + usize::from(is_there)..])
            }
        };
        let is_listed = |slot: &u32| slots.contains(*slot as usize);
        if query.descending {
            Ok(before.iter().rev().copied().filter(is_listed).take(limit).collect())
        } else {
            Ok(behind.iter().copied().filter(is_listed).take(limit).collect())
        }
    }

    /// All slots in this order.
    fn order(&self, sort: Sort) -> &[u32] {
        for (order, slots) in ORDERS.iter().zip(&self.orders) {
            if matches!(order, SlotOrder::By(by) if *by == sort) {
                return slots;
            }
        }
        &[]
    }

    /// How many slots come before a key.
    fn position(&self, order: &[u32], sort: Sort, key: &PageKey) -> Result<usize> {
        let updated = match sort {
            Sort::Updated => key.value.parse().map_err(|_| invalid_key(key))?,
            Sort::Reference | Sort::Published => 0,
        };
        let is_before = |one: &IndexedEdition| match sort {
            Sort::Reference => (one.sort_key(), one.urn()) < (key.value.as_str(), key.urn.as_str()),
            Sort::Published => (one.published_on(), one.urn()) < (key.value.as_str(), key.urn.as_str()),
            Sort::Updated => (one.updated, one.urn()) < (updated, key.urn.as_str()),
        };
        Ok(order.partition_point(|slot| self.get(*slot).is_some_and(is_before)))
    }
}

fn invalid_key(key: &PageKey) -> StoreError {
    StoreError::Invalid(format!("`{}` is not a valid position in a list of this order", key.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_without_a_day_is_within_bounds_when_one_of_its_days_is() {
        let within = |date: &str, from: Option<&str>, to: Option<&str>| {
            let [published_from, published_to] = [from, to].map(|bound| bound.map(|b| b.parse().unwrap()));
            is_published_within(date, &Query { published_from, published_to, ..Query::default() })
        };
        assert!(within("2020", Some("2020-06-01"), None));
        assert!(within("2020", None, Some("2020-06-01")));
        assert!(within("2020-05", Some("2020-05-31"), Some("2020-05-01")));
        assert!(!within("2020-05", Some("2020-06-01"), None));
        assert!(!within("2020-05", None, Some("2020-04")));
        assert!(within("2020-05-17", Some("2020"), Some("2020")));
    }

    #[test]
    fn an_unknown_date_is_within_no_bounds() {
        let unbounded = Query::default();
        assert!(is_published_within("", &unbounded));
        let from = Query { published_from: Some("1900".parse().unwrap()), ..Query::default() };
        assert!(!is_published_within("", &from));
        let to = Query { published_to: Some("2100".parse().unwrap()), ..Query::default() };
        assert!(!is_published_within("", &to));
    }
}
