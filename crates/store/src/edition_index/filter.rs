//! Filters of lists, on the index of editions.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;
use memchr::memmem::Finder;
use norma_model::urn::reference_key;
use norma_model::{Identifier, PartialDate, tokens};

use super::{IndexedEdition, Interned, ORDERS, SlotOrder, SlotRows, Visible};
use crate::catalogue::micros;
use crate::columns::{self, DRAFT};
use crate::page::{PageKey, Query, Sort};
use crate::{Result, StoreError};

/// A query in the form in which editions are compared with it.
struct Filter<'q> {
    query: &'q Query,
    /// Of each publisher, set of languages and set of codes, whether it fits.
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
}

/// Whether each interned text fits.
fn fitting(texts: &Interned, is_asked: bool, fits: impl Fn(&str) -> bool) -> Vec<bool> {
    texts.texts.iter().map(|text| !is_asked || fits(text)).collect()
}

impl<'q> Filter<'q> {
    fn new(rows: &SlotRows, query: &'q Query, aliased: &'q HashSet<i64>) -> Self {
        let publishers = &query.publishers;
        let is_of = |text: &str| publishers.iter().any(|publisher| publisher.eq_ignore_ascii_case(text));
        let is_in = |text: &str| text.split(' ').any(|one| query.languages.iter().any(|l| l.as_str() == one));
        let is_under = |text: &str| {
            text.split(' ').any(|code| query.ics.iter().any(|asked| code.starts_with(asked.as_str())))
        };
        let beginning = |word: String| Finder::new(&format!(" {word}")).into_owned();
        let mut filter = Self {
            query,
            publishers: fitting(&rows.publishers, !publishers.is_empty(), is_of),
            languages: fitting(&rows.languages, !query.languages.is_empty(), is_in),
            ics: fitting(&rows.ics, !query.ics.is_empty(), is_under),
            words: query.words.iter().map(|text| tokens(text).into_iter().map(beginning).collect()).collect(),
            references: query.references.iter().map(|reference| reference_key(reference)).collect(),
            kinds: query.kinds.iter().map(|kind| columns::kind(*kind)).collect(),
            statuses: query.statuses.iter().map(|status| columns::status(*status)).collect(),
            updated: query.updated_since.map(micros),
            editions: Vec::new(),
            documents: Vec::new(),
            urns: Vec::new(),
            aliased,
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

    /// Texts are compared last, and only where the query asks for them: each is in memory of its own, which
    /// took half of the time of a list of 100,000.
    fn fits(&self, one: &IndexedEdition) -> bool {
        let query = self.query;
        let fits = |flags: &[bool], number: u32| flags.get(number as usize).is_some_and(|fits| *fits);
        let is_referred = || {
            self.references.iter().any(|key| {
                let rest = one.reference_key().strip_prefix(key.as_str());
                // Of the dates that may follow.
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
            })
        };
        let has_words = || {
            let text = one.words().as_bytes();
            self.words.iter().any(|words| words.iter().all(|word| word.find(text).is_some()))
        };
        let is_among = |texts: &[String], text: &str| texts.iter().any(|one| one == text);
        let is_of = |document: &String| one.urn().starts_with(document.as_str());
        let is_named = || self.names(one) || self.documents.iter().any(is_of);
        (self.statuses.is_empty() || self.statuses.contains(&one.status))
            && fits(&self.publishers, one.publisher)
            && fits(&self.languages, one.languages)
            && fits(&self.ics, one.ics)
            && self.updated.is_none_or(|since| one.updated >= since)
            && (query.numbers.is_empty() || is_among(&query.numbers, one.number()))
            && (query.parts.is_empty() || is_among(&query.parts, one.part()))
            && (self.kinds.is_empty() || self.kinds.contains(&one.kind()))
            && is_published_within(one, query)
            && (self.references.is_empty() || is_referred())
            && (query.identifiers.is_empty() || is_named())
            && (self.words.is_empty() || has_words())
    }

    /// Whether an identifier names this edition, not its document alone.
    fn names(&self, one: &IndexedEdition) -> bool {
        self.urns.contains(&one.urn())
            || self.editions.iter().any(|prefix| one.urn().starts_with(prefix.as_str()))
            || self.aliased.contains(&one.id)
    }
}

/// A date without day or month fits when any day of it does.
fn is_published_within(one: &IndexedEdition, query: &Query) -> bool {
    let date = || Some(one.published_on()).filter(|date| !date.is_empty());
    let is_from =
        |asked: &PartialDate| date().is_some_and(|date| date >= beginning(asked.as_str(), date.len()));
    let is_to = |asked: &PartialDate| {
        date().is_some_and(|date| beginning(date, asked.as_str().len()) <= asked.as_str())
    };
    query.published_from.as_ref().is_none_or(is_from) && query.published_to.as_ref().is_none_or(is_to)
}

/// At most so many bytes of a date, from its start.
fn beginning(date: &str, length: usize) -> &str {
    date.get(..length).unwrap_or(date)
}

impl SlotRows {
    /// The slots of the editions that fit a query, among those that are visible.
    pub(crate) fn matching(&self, query: &Query, aliased: &HashSet<i64>, visible: &Visible) -> FixedBitSet {
        let mut slots = visible.with(query.level);
        let filter = Filter::new(self, query, aliased);
        let fits = |slot: usize| {
            let one = u32::try_from(slot).ok().and_then(|slot| self.get(slot));
            let is_shown = |one: &IndexedEdition| {
                !query.latest || query.named && filter.names(one) || self.is_latest(one, visible)
            };
            one.is_some_and(|one| filter.fits(one) && is_shown(one))
        };
        let other: Vec<usize> = slots.ones().filter(|slot| !fits(*slot)).collect();
        other.into_iter().for_each(|slot| slots.remove(slot));
        slots
    }

    /// Whether no later edition in one of its languages is visible; drafts do not count.
    fn is_latest(&self, one: &IndexedEdition, visible: &Visible) -> bool {
        let languages = || self.languages.text(one.languages).split(' ');
        let is_shared =
            |language: &str, other: u32| self.languages.text(other).split(' ').any(|one| one == language);
        let follows = |slot: &u32| {
            let Some(other) = self.get(*slot) else { return false };
            other.edition_key() > one.edition_key()
                && other.status != DRAFT
                && visible.contains(*slot)
                && languages().any(|language| is_shared(language, other.languages))
        };
        one.status != DRAFT && !self.of_documents[one.document as usize].iter().any(follows)
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
        let number =
            ORDERS.iter().position(|order| matches!(order, SlotOrder::By(sort) if *sort == query.sort));
        let order = number.map_or(&[][..], |number| self.orders[number].as_slice());
        let is_listed = |slot: &&u32| slots.contains(**slot as usize);
        let (before, behind) = match after {
            None => (order, order),
            Some(key) => {
                let position = self.position(order, query.sort, key)?;
                let is_there = |slot: &u32| self.get(*slot).is_some_and(|one| one.key(query.sort) == *key);
                let behind = position + usize::from(order.get(position).is_some_and(is_there));
                (&order[..position], &order[behind..])
            }
        };
        Ok(match query.descending {
            true => before.iter().rev().filter(is_listed).take(limit).copied().collect(),
            false => behind.iter().filter(is_listed).take(limit).copied().collect(),
        })
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
