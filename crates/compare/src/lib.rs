//! Comparison of two editions: which unit of the older one became which of the newer one, and what changed.
//!
//! ```
//! use norma_compare::{ComparisonSection, ComparisonUnit, UnitRelation, Units, UnitsParts, compare};
//!
//! let edition = |texts: [&str; 2]| {
//!     let units = texts.iter().enumerate().map(|(n, text)| ComparisonUnit {
//!         id: format!("u{n}").into(),
//!         text: (*text).into(),
//!         ..ComparisonUnit::default()
//!     });
//!     let storage = ComparisonSection { title: Some("Storage".into()), ..ComparisonSection::default() };
//!     let (sections, units) = (vec![storage], units.collect());
//!     Units::new(UnitsParts { sections, units, ..UnitsParts::default() }).unwrap()
//! };
//! let older = edition(["Grain shall be stored dry.", "Bags shall hold three kilograms of grain."]);
//! let newer = edition(["Bags shall hold five kilograms of grain.", "Grain shall be stored dry."]);
//! let comparison = compare(&older, &newer);
//! let [first, second] = &comparison.links[..] else { panic!() };
//! assert_eq!((first.newer, first.relation), (1, UnitRelation::Same));
//! assert_eq!((second.newer, second.relation), (0, UnitRelation::Reworded));
//! ```

mod agents;
mod comparison;
mod dependencies;
mod difference;
mod edition;
mod facets;
mod features;
mod greedy;
mod language;
mod lineage;
mod matching;
mod measure;
mod measure_words;
mod outline;
mod pairing;
mod part_links;
mod parts;
mod passages;
mod polarity;
mod prepare;
mod record;
mod reference_names;
mod references;
mod sections;
mod spelling;
mod tables;
mod terms;
mod typography;
mod units;
mod vocabulary;

pub use comparison::{
    Amount, Bound, Candidate, CellChange, Change, Comparison, Confidence, Correspondence, Dependency,
    DependencyKind, Facet, Facets, LineChange, Link, LinkOrigin, PartRelation, Polarity, ReferenceChange,
    ReferenceChangeKind, SectionChange, Strength, TableChange, UnitRelation, Unmatched,
};
pub use difference::{Edit, TextSpan};
pub use edition::document_name;
pub use language::{common_languages, languages_of_both};
pub use lineage::{
    AuthoredLink, AuthoredRelation, LineageEdition, LineageLink, Neighbours, heir, neighbours, partition,
};
pub use passages::{PassageWords, find};
pub use record::{ComparisonRecord, Heading, PartName, UnitName};
pub use units::{
    ComparisonSection, ComparisonUnit, InvalidUnits, NumberedPart, NumberedPartKind, UnitReference,
    UnitTarget, Units, UnitsParts,
};

use std::collections::BTreeSet;

use dependencies::Changes;
use facets::FacetContext;
use matching::Matching;
use part_links::PartLinks;
use prepare::PreparedPair;
use reference_names::ReferenceNames;
use sections::SectionLinks;

/// Version of the matcher. It rises with each change that may give another result for the same two editions,
/// so that stored results are made again.
pub const VERSION: u32 = 6;

/// Compares two editions. The result depends on the arguments alone, and exchanging the editions exchanges
/// the sides of the result, with `Split` for `Merged`.
pub fn compare(older: &Units, newer: &Units) -> Comparison {
    compare_with_table(older, newer, &[])
}

/// Compares two editions with `stated`, the rows of a publisher's table of correspondence. For the units in
/// these rows, they replace the results of the matcher. A link of the table is certain and
/// [`LinkOrigin::Authored`]; units that it calls new or removed are unmatched.
pub fn compare_with_table(older: &Units, newer: &Units, stated: &[Correspondence]) -> Comparison {
    compare_by(older, newer, |prepared, context| {
        let matching = Matching::new(prepared, context, stated);
        let mut links = matching.links(context);
        links.extend(matching.split_and_merged());
        links.extend(matching.stated_links(context, stated));
        links.sort_by_key(|link| (link.older, link.newer));
        (matching.older_unmatched(&links), matching.newer_unmatched(&links), links)
    })
}

/// Finds what changed between two editions in known pairs of units, such as those of a lineage. Nothing is
/// matched, so all other units are unmatched and have no candidates. A pair is `Certain` where the words are
/// the same, else `High`.
pub fn compare_pairs(older: &Units, newer: &Units, pairs: &[(usize, usize)]) -> Comparison {
    compare_by(older, newer, |prepared, context| {
        let link = |&(a, b): &(usize, usize)| {
            let link = context.link_of(prepared, a, b);
            let is_same = link.relation == UnitRelation::Same;
            Link { confidence: if is_same { Confidence::Certain } else { Confidence::High }, ..link }
        };
        let mut links: Vec<Link> = pairs.iter().map(link).collect();
        links.sort_by_key(|link| (link.older, link.newer));
        let alone = |count: usize, linked: Vec<usize>| {
            let linked: BTreeSet<usize> = linked.into_iter().collect();
            let units = (0..count).filter(|unit| !linked.contains(unit));
            units.map(|unit| Unmatched { unit, candidates: Vec::new() }).collect()
        };
        let older = alone(older.units.len(), links.iter().map(|link| link.older).collect());
        let newer = alone(newer.units.len(), links.iter().map(|link| link.newer).collect());
        (older, newer, links)
    })
}

/// Compares two editions by the links and unmatched units that `link` finds.
fn compare_by(
    older: &Units,
    newer: &Units,
    link: impl FnOnce(&PreparedPair, &FacetContext<'_>) -> (Vec<Unmatched>, Vec<Unmatched>, Vec<Link>),
) -> Comparison {
    let prepared = PreparedPair::new(older, newer);
    let sections = SectionLinks::new(&prepared, older, newer);
    let homes = [&*prepared.older.home, &*prepared.newer.home];
    let part_links = PartLinks::new(homes, &sections, older, newer);
    let reference_names = ReferenceNames::new(&prepared, &sections, &part_links, older, newer);
    let context = FacetContext { older, newer, homes, links: &sections, reference_names: &reference_names };
    let (older_unmatched, newer_unmatched, links) = link(&prepared, &context);
    let mut comparison = Comparison {
        older_unmatched,
        newer_unmatched,
        sections: sections.all(&prepared),
        links,
        ..Comparison::default()
    };
    comparison.outline = outline::outline(older, newer, &comparison);
    comparison.tables = tables::tables(&context, &part_links);
    let changes = Changes { context: &context, tables: &comparison.tables, outline: &comparison.outline };
    changes.add_to(&mut comparison.links);
    comparison
}
