//! Comparison of two editions: which unit of the older one became which of the newer one, and what changed.
//!
//! ```
//! use norma_compare::{ComparisonSection, ComparisonUnit, UnitRelation, Units, UnitsParts, compare};
//!
//! let edition = |texts: [&str; 2]| {
//!     let mut parts = UnitsParts::default();
//!     let title = Some("Storage".into());
//!     parts.sections.push(ComparisonSection { title, ..ComparisonSection::default() });
//!     for (n, text) in texts.into_iter().enumerate() {
//!         let (id, text) = (format!("u{n}").into(), text.into());
//!         parts.units.push(ComparisonUnit { id, text, ..ComparisonUnit::default() });
//!     }
//!     Units::new(parts).unwrap()
//! };
//! let older = edition(["Grain shall be stored dry.", "Bags shall hold three kilograms of grain."]);
//! let newer = edition(["Bags shall hold five kilograms of grain.", "Grain shall be stored dry."]);
//! let comparison = compare(&older, &newer);
//! let [first, second] = &comparison.links[..] else { panic!() };
//! assert_eq!((first.newer, first.relation), (1, UnitRelation::Same));
//! assert_eq!((second.newer, second.relation), (0, UnitRelation::Reworded));
//! ```

mod agents;
mod alignment;
mod bounds;
mod comparison;
mod conditions;
mod dependencies;
mod difference;
mod edition;
mod facets;
mod features;
mod greedy;
mod language;
mod lineage;
mod lines;
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
mod quantities;
mod reach;
mod record;
mod reference_names;
mod references;
mod sections;
mod spelling;
mod subjects;
mod surroundings;
mod tables;
mod terms;
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
    ComparisonSection, ComparisonUnit, InvalidUnits, NumberedPart, NumberedPartKind, UnitContext, UnitLimit,
    UnitReference, UnitTarget, Units, UnitsParts,
};

/// What single words do, whichever of the languages of the vocabulary they are in.
pub mod words {
    pub use crate::features::is_ideograph;
    pub use crate::vocabulary::{
        OpenedClause, compares, has_strength, is_filler, is_restriction, negates, opened_clause,
    };
}

use std::collections::BTreeSet;

use dependencies::add_dependencies;
use facets::FacetContext;
use matching::Matching;
use part_links::PartLinks;
use prepare::PreparedPair;
use reach::ReferenceReach;
use reference_names::ReferenceNames;
use sections::SectionLinks;

/// Version of the matcher. It rises with each change that may give another result for the same two editions,
/// so that stored results are made again.
pub const VERSION: u32 = 8;

/// Compares two editions. The result depends on the arguments alone, and exchanging the editions exchanges
/// the sides of the result, with `Split` for `Merged`.
pub fn compare(older: &Units, newer: &Units) -> Comparison {
    compare_with_table(older, newer, &[])
}

/// Compares two editions with `stated`, the rows of a publisher's table of correspondence. For the units in
/// these rows, they replace the results of the matcher. A link of the table is certain and
/// [`LinkOrigin::Authored`]; units that it calls new or removed are unmatched.
pub fn compare_with_table(older: &Units, newer: &Units, stated: &[Correspondence]) -> Comparison {
    let basis = ComparisonBasis::new(older, newer);
    let context = basis.context(older, newer);
    let linked = LinkedUnits::matched(&basis.prepared, &context, stated);
    basis.comparison(&context, linked)
}

/// Finds what changed between two editions in known pairs of units, such as those of a lineage. Nothing is
/// matched, so all other units are unmatched and have no candidates. A pair is `Certain` where the words are
/// the same, else `High`.
pub fn compare_pairs(older: &Units, newer: &Units, pairs: &[(usize, usize)]) -> Comparison {
    let basis = ComparisonBasis::new(older, newer);
    let context = basis.context(older, newer);
    let linked = LinkedUnits::known(&basis.prepared, &context, pairs);
    basis.comparison(&context, linked)
}

/// The links of two editions, and the units that are in none.
struct LinkedUnits {
    links: Vec<Link>,
    older_unmatched: Vec<Unmatched>,
    newer_unmatched: Vec<Unmatched>,
}

impl LinkedUnits {
    /// Links the units that the matcher or a publisher's table pairs.
    fn matched(prepared: &PreparedPair, context: &FacetContext<'_>, stated: &[Correspondence]) -> Self {
        let matching = Matching::new(prepared, context, stated);
        let mut links = matching.links(context);
        links.extend(matching.split_and_merged());
        links.extend(matching.stated_links(context, stated));
        links.sort_by_key(|link| (link.older, link.newer));
        let older_unmatched = matching.older_unmatched(&links);
        let newer_unmatched = matching.newer_unmatched(&links);
        Self { links, older_unmatched, newer_unmatched }
    }

    /// Links the units of known pairs.
    fn known(prepared: &PreparedPair, context: &FacetContext<'_>, pairs: &[(usize, usize)]) -> Self {
        let mut links = Vec::with_capacity(pairs.len());
        for &(older, newer) in pairs {
            let mut link = context.link_of(prepared, older, newer);
            if link.relation != UnitRelation::Same {
                link.confidence = Confidence::High;
            }
            links.push(link);
        }
        links.sort_by_key(|link| (link.older, link.newer));
        let mut older_linked = BTreeSet::new();
        let mut newer_linked = BTreeSet::new();
        for link in &links {
            older_linked.insert(link.older);
            newer_linked.insert(link.newer);
        }
        let older_unmatched = all_but(&older_linked, context.older);
        let newer_unmatched = all_but(&newer_linked, context.newer);
        Self { links, older_unmatched, newer_unmatched }
    }
}

/// The units that are not among the linked ones, without candidates.
fn all_but(linked: &BTreeSet<usize>, units: &Units) -> Vec<Unmatched> {
    let mut unmatched = Vec::new();
    for unit in 0..units.units.len() {
        if !linked.contains(&unit) {
            unmatched.push(Unmatched { unit, candidates: Vec::new() });
        }
    }
    unmatched
}

/// What is known of two editions before their units are linked.
struct ComparisonBasis {
    prepared: PreparedPair,
    sections: SectionLinks,
    parts: PartLinks,
    reference_names: ReferenceNames,
}

impl ComparisonBasis {
    fn new(older: &Units, newer: &Units) -> Self {
        let prepared = PreparedPair::new(older, newer);
        let sections = SectionLinks::new(&prepared, older, newer);
        let parts = PartLinks::new(prepared.homes(), &sections, older, newer);
        let reference_names = ReferenceNames::new(&prepared, &sections, &parts, older, newer);
        Self { prepared, sections, parts, reference_names }
    }

    fn context<'a>(&'a self, older: &'a Units, newer: &'a Units) -> FacetContext<'a> {
        FacetContext {
            older,
            newer,
            homes: self.prepared.homes(),
            links: &self.sections,
            reference_names: &self.reference_names,
        }
    }

    /// Adds to the linked units what depends on them: the changes of sections and tables, and those to which
    /// references lead.
    fn comparison(&self, context: &FacetContext<'_>, linked: LinkedUnits) -> Comparison {
        let LinkedUnits { links, older_unmatched, newer_unmatched } = linked;
        let mut comparison = Comparison {
            sections: self.sections.all(&self.prepared),
            links,
            older_unmatched,
            newer_unmatched,
            ..Comparison::default()
        };
        comparison.outline = outline::outline(context.older, context.newer, &comparison);
        comparison.tables = tables::tables(context, &self.parts);
        let reach = ReferenceReach::new(
            context,
            &self.parts,
            &comparison.tables,
            &comparison.outline,
            &comparison.links,
        );
        add_dependencies(context, &reach, &mut comparison.links);
        comparison
    }
}
