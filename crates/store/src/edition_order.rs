//! Order of the editions of one document, whose names may be of different kinds: numbers, dates, words.

use std::collections::BTreeMap;

use norma_model::{PartialDate, Urn};

use crate::sort_keys::natural;

/// First and last year that a name is read as. Another number is that of an edition.
const YEARS: std::ops::RangeInclusive<u32> = 1800..=2199;

/// What decides the order of an edition in its document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EditionName<'a> {
    /// The edition as its URN names it: `2`, `2018`, `2008-12`.
    pub(crate) edition: &'a str,
    /// The date of publication; empty if it is not known.
    pub(crate) published_on: &'a str,
}

/// The kind of the name of an edition. Of two that have the same date, that of the smaller kind comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NameKind {
    /// Begins with a date.
    Dated,
    /// Neither a date nor a number: words have no order of their own.
    Word,
    /// Begins with a number, or is that of a version: a document that counts its editions has counted those
    /// before.
    Numbered,
}

/// An edition in all its languages, which have one key.
struct NamedEdition<'a> {
    kind: NameKind,
    /// The date in its name, if there is one.
    date: Option<&'a str>,
    /// The earliest known date of publication; empty if none is known.
    published_on: &'a str,
}

/// The keys of all editions of a document, in the order of `editions`. The key of an older edition is less,
/// code point by code point, and translations of an edition have one key.
///
/// Editions are in the order of their dates, but numbers count among themselves: a numbered edition counts as
/// published when the latest one with a lower number was, if that is later than its own date or if it has
/// none. The date in a name counts before another date of publication. What has no date is before what has
/// one. A year or month counts as its beginning.
pub(crate) fn edition_keys(editions: &[EditionName<'_>]) -> Vec<String> {
    let names: Vec<String> = editions.iter().map(|one| natural(one.edition)).collect();
    let mut editions_by_name: BTreeMap<&str, NamedEdition<'_>> = BTreeMap::new();
    for (name, one) in names.iter().zip(editions) {
        let (kind, date) = kind_of(one.edition);
        let group = editions_by_name.entry(name).or_insert(NamedEdition { kind, date, published_on: "" });
        let is_earlier = group.published_on.is_empty() || one.published_on < group.published_on;
        if is_earlier && !one.published_on.is_empty() {
            group.published_on = one.published_on;
        }
    }
    let mut keys: BTreeMap<&str, String> = BTreeMap::new();
    let mut last_numbered = "";
    // Numbered ones come in the order of their numbers.
    for (name, group) in editions_by_name {
        let date = match group.date {
            // The date of publication may say the same with month or day.
            Some(date) if !group.published_on.starts_with(date) => date,
            _ if group.kind == NameKind::Numbered => {
                // A date that is not known is the earliest.
                last_numbered = last_numbered.max(group.published_on);
                last_numbered
            }
            _ => group.published_on,
        };
        keys.insert(name, format!("{date} {} {name}", group.kind as u8));
    }
    names.iter().map(|name| keys[name.as_str()].clone()).collect()
}

/// True if an edition comes before another, each with its date of publication.
///
/// Editions of one document are compared as in lists and lineages, those of different documents by their
/// dates. A draft of a document is a document of its own, since its stage is in the URN: it comes before the
/// document of the same date.
pub fn precedes(a: &(Urn, Option<PartialDate>), b: &(Urn, Option<PartialDate>)) -> bool {
    let ((a, date_of_a), (b, date_of_b)) = (a, b);
    let date_of_a = date_of_a.as_ref().map_or("", |date| date.as_str());
    let date_of_b = date_of_b.as_ref().map_or("", |date| date.as_str());
    if a.document_urn() == b.document_urn() {
        let keys = edition_keys(&[
            EditionName { edition: a.edition(), published_on: date_of_a },
            EditionName { edition: b.edition(), published_on: date_of_b },
        ]);
        return (&keys[0], date_of_a, a.as_str()) < (&keys[1], date_of_b, b.as_str());
    }
    // False comes before true: the draft before the document.
    let order_of_a = (date_of_a, a.stage().is_none(), natural(a.edition()), a.as_str());
    let order_of_b = (date_of_b, b.stage().is_none(), natural(b.edition()), b.as_str());
    order_of_a < order_of_b
}

/// The kind of a name, and the date that it begins with.
fn kind_of(edition: &str) -> (NameKind, Option<&str>) {
    // `2008-12-01`, `2008-12`, `2008`, and these with more after a hyphen, such as the amendments that a
    // consolidation includes.
    for length in [10, 7, 4] {
        let Some((date, rest)) = edition.split_at_checked(length) else { continue };
        if !rest.is_empty() && !rest.starts_with('-') {
            continue;
        }
        let has_year = match date.get(..4) {
            Some(year) => year.parse().is_ok_and(|year| YEARS.contains(&year)),
            None => false,
        };
        if has_year && date.parse::<PartialDate>().is_ok() {
            return (NameKind::Dated, Some(date));
        }
    }
    let number = edition.strip_prefix('v').unwrap_or(edition);
    if number.starts_with(|c: char| c.is_ascii_digit()) {
        return (NameKind::Numbered, None);
    }
    (NameKind::Word, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in their order, each written as `edition@date`.
    fn sorted(editions: &[&str]) -> Vec<String> {
        let names: Vec<EditionName<'_>> = editions
            .iter()
            .map(|one| {
                let (edition, published_on) = one.split_once('@').unwrap_or((one, ""));
                EditionName { edition, published_on }
            })
            .collect();
        let keys = edition_keys(&names);
        let mut order: Vec<usize> = (0..editions.len()).collect();
        order.sort_by_key(|index| &keys[*index]);
        assert!(order.windows(2).all(|pair| keys[pair[0]] < keys[pair[1]]), "{keys:?}");
        order.into_iter().map(|index| editions[index].to_owned()).collect()
    }

    /// Each pair of kinds, the older edition first, with the reason.
    const PAIRS: &[(&str, &str, &str)] = &[
        ("9@2001", "10@2015", "numbers are counted"),
        ("1@2020", "2@2010", "numbers of one document count, not the date of a reprint"),
        ("2018@2018", "2@2019", "the first edition has no number and is named by its year"),
        ("1@2017", "2018@2018", "a year is a date, and 1 was published before"),
        ("2018@2018", "1@2018", "of one year: a document that counts has counted what came before"),
        ("2018", "2@2018-03", "a year counts as its beginning"),
        ("1@2008-11", "2008-12@2008-12", "a month is a date"),
        ("2008-12", "2@2009", "a month is a date, also if nothing else is known"),
        ("1@2016-04", "2016-05-01", "a day is a date"),
        ("2016-05-01", "2@2016-06", "a day is a date, also if nothing else is known"),
        ("first@2014", "2@2019", "a word is not a number: the dates count"),
        ("1@2014", "revised@2019", "a word is not a number: the dates count"),
        ("2", "2018", "what has no date is before what has one"),
        ("2", "2008-12", "what has no date is before what has one"),
        ("2", "2016-05-01", "what has no date is before what has one"),
        ("revised", "2@2019", "what has no date is before what has one"),
        ("2", "revised@2014", "what has no date is before what has one"),
        ("revised", "2", "neither has a date: a document that counts has counted what came before"),
        ("1999", "2018", "years are counted"),
        ("2018@2019-01", "2019@2018-12", "names of one kind count"),
        ("2018@2018-03", "2018-05", "the month of the year is known"),
        ("2018-05", "2018@2018-09", "the month of the year is known"),
        ("2018", "2018-05-02", "a year counts as its beginning"),
        ("2018-05", "2018-05-02", "a month counts as its beginning"),
        ("2008-12", "2008-12-a1", "a consolidation comes after its base"),
        ("2-2019-07-01", "2-2019-11-15", "drafts of one edition are named by edition and date"),
        ("2008-11", "2008-12", "months are counted"),
        ("2016-05-01", "2016-05-02", "days are counted"),
        ("revised@2014", "final@2016", "words have no order of their own: the dates count"),
        ("v1.3.1@2015", "v1.10.1@2014", "versions are counted"),
        ("first@2014", "2018", "a word is not a date: the dates count"),
        ("first@2008-11", "2008-12", "a word is not a date: the dates count"),
        ("2008-12", "revised@2009", "a word is not a date: the dates count"),
        ("first@2016-04", "2016-05-01", "a word is not a date: the dates count"),
        ("2016-05-01", "revised@2016-06", "a word is not a date: the dates count"),
    ];

    #[test]
    fn each_pair_of_kinds_has_its_order() {
        for &(older, newer, reason) in PAIRS {
            assert_eq!(sorted(&[older, newer]), [older, newer], "{reason}");
            assert_eq!(sorted(&[newer, older]), [older, newer], "{reason}");
        }
    }

    #[test]
    fn editions_of_all_kinds_are_in_one_order_whichever_came_first() {
        let ordered =
            ["1@1990", "2", "final@1995", "2005@2005", "3@2010", "4@2008", "2010-11", "2012-01-31", "5@2019"];
        let mut shuffled = ordered;
        for _ in 0..ordered.len() {
            shuffled.rotate_left(1);
            assert_eq!(sorted(&shuffled), ordered);
        }
        shuffled.reverse();
        assert_eq!(sorted(&shuffled), ordered);
    }

    #[test]
    fn translations_have_one_key() {
        let of = |published_on| EditionName { edition: "2", published_on };
        let keys = edition_keys(&[of("2019-05"), of("2021"), of("")]);
        assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    }

    #[test]
    fn a_draft_stage_comes_before_the_document_of_the_same_date_and_otherwise_the_date_decides() {
        let one = |urn: &str, date: &str| {
            let urn: Urn = format!("urn:nsb:std:nsb:1{urn}:en").parse().unwrap();
            (urn, (!date.is_empty()).then(|| date.parse().unwrap()))
        };
        for (older, newer) in [
            ((":stage-40.60:ed-2-2018-11-05", "2018-11-05"), (":ed-2", "2019")),
            ((":ed-1", "2015"), (":stage-40.60:ed-2-2018-11-05", "2018-11-05")),
            ((":stage-50.00:ed-2", ""), (":ed-2", "")),
            ((":stage-50.00:ed-2018", "2018"), (":ed-2018", "2018")),
            ((":draft:ed-2008-12", "2008-12"), (":ed-2008-12", "2008-12")),
            ((":draft:ed-2016-05-01", "2016-05-01"), (":ed-2016-05-01", "2016-05-01")),
            ((":draft:ed-revised", ""), (":ed-revised", "")),
            ((":stage-30.00:ed-2-v1", ""), (":stage-30.00:ed-2-v2", "")),
        ] {
            let (a, b) = (one(older.0, older.1), one(newer.0, newer.1));
            assert!(precedes(&a, &b) && !precedes(&b, &a), "{older:?} {newer:?}");
        }
    }
}
