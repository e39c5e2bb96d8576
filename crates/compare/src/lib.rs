//! Comparison of two editions: which unit of the older one became which of the newer one, and what changed in it.
//!
//! ```
//! use norma_compare::{Relation, Section, Unit, Units, UnitsParts, compare};
//!
//! let edition = |texts: [&str; 2]| {
//!     let units = texts.iter().enumerate().map(|(n, text)| Unit {
//!         id: format!("u{n}").into(),
//!         text: (*text).into(),
//!         ..Unit::default()
//!     });
//!     let sections = vec![Section { title: Some("Storage".into()), ..Section::default() }];
//!     Units::new(UnitsParts { sections, units: units.collect(), ..UnitsParts::default() }).unwrap()
//! };
//! let older = edition(["Grain shall be stored dry.", "Bags shall hold three kilograms of grain."]);
//! let newer = edition(["Bags shall hold five kilograms of grain.", "Grain shall be stored dry."]);
//! let comparison = compare(&older, &newer);
//! let [first, second] = &comparison.links[..] else { panic!() };
//! assert_eq!((first.newer, first.relation), (1, Relation::Same));
//! assert_eq!((second.newer, second.relation), (0, Relation::Reworded));
//! let change = &second.facets.quantities[0];
//! assert_eq!((&*change.from.as_ref().unwrap().value, &*change.to.as_ref().unwrap().value), ("3", "5"));
//! ```

mod comparison;
mod difference;
mod edition;
mod facets;
mod features;
mod greedy;
mod language;
mod lineage;
mod matching;
mod pairing;
pub mod pairs;
mod parts;
mod prepare;
mod quantities;
mod record;
mod reference_names;
mod sections;
mod terms;
mod units;

pub use comparison::{
    Candidate, Change, Comparison, Confidence, Correspondence, Facets, Link, Origin, ReferenceChange,
    ReferenceChangeKind, Relation, Strength, Unmatched,
};
pub use difference::{Edit, Span};
pub use edition::document_name;
pub use language::{common_languages, languages_of_both};
pub use lineage::{
    AuthoredLink, AuthoredRelation, LineageEdition, LineageLink, Neighbours, heir, neighbours, partition,
};
pub use quantities::Quantity;
pub use record::{
    Record, RecordedCandidate, RecordedFacets, RecordedLink, RecordedUnit, RecordedUnmatched, SectionName,
};
pub use units::{
    InvalidUnits, Part, PartKind, Reference, Section, Target, Term, TermText, Unit, Units, UnitsParts,
};

use facets::Context;
use matching::Matching;
use prepare::Prepared;
use reference_names::ReferenceNames;
use sections::SectionLinks;

/// Version of the matcher. It rises with each change that may give another result for the same two editions, so that stored results are
/// made again.
pub const VERSION: u32 = 4;

/// Compares two editions. The result depends on the arguments alone, and exchanging the editions exchanges the sides of the result, with
/// `Split` for `Merged`.
pub fn compare(older: &Units, newer: &Units) -> Comparison {
    compare_with_table(older, newer, &[])
}

/// Compares two editions, of which a publisher's table of correspondence says `stated`: what it says of a unit takes the place of all
/// that the matcher would find for it. A link of the table is certain and [`Origin::Authored`]; units that it calls new or removed
/// are unmatched.
pub fn compare_with_table(older: &Units, newer: &Units, stated: &[Correspondence]) -> Comparison {
    let prepared = Prepared::new(older, newer);
    let links = SectionLinks::new(&prepared, older, newer);
    let reference_names = ReferenceNames::new(&prepared, &links, older, newer);
    let scored = prepared.scored(&links, &reference_names);
    let context = Context {
        older,
        newer,
        homes: [&prepared.older.home, &prepared.newer.home],
        links: &links,
        reference_names: &reference_names,
    };
    let matching = Matching::new(&prepared, scored, links.is_registry, stated);
    let mut found: Vec<Link> = matching.links(&context);
    found.extend(matching.split_and_merged());
    found.extend(matching.stated_links(&context, stated));
    found.sort_by_key(|link| (link.older, link.newer));
    let older_unmatched = matching.older_unmatched(&found);
    let newer_unmatched = matching.newer_unmatched(&found);
    let sections = links.all(&prepared);
    Comparison { sections, links: found, older_unmatched, newer_unmatched }
}
