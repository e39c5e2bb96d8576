//! Small comparison for tests: a provision that stayed, one that was reworded, one that was split into two,
//! one that was removed, and one that is new.

use norma_compare::{
    Candidate, Change, ComparisonRecord, Confidence, Facets, Link, LinkOrigin, PartName, UnitName,
    UnitRelation, Unmatched,
};
use norma_model::ProvisionKind;

use super::compared_pair::ComparedPair;

fn unit(id: &str, kind: ProvisionKind) -> UnitName {
    UnitName { id: id.into(), label: Some(format!("label of {id}").into()), kind: Some(kind) }
}

fn link(older: usize, newer: usize, relation: UnitRelation, confidence: Confidence) -> Link<PartName> {
    let facets = Facets {
        moved: None,
        strength: None,
        normative: None,
        negation: None,
        quantities: Vec::new(),
        bounds: Vec::new(),
        conditions: Vec::new(),
        subject: None,
        references: Vec::new(),
        terms: Vec::new(),
        depends_on: Vec::new(),
    };
    Link {
        older,
        newer,
        relation,
        confidence,
        origin: LinkOrigin::Derived,
        similarity: 0.5,
        facets,
        lead_in: Vec::new(),
        text: Vec::new(),
    }
}

/// The comparison. Units of the older edition have the ordinals 10 to 13, those of the newer one 20 to 24.
pub(crate) fn compared() -> ComparedPair {
    use ProvisionKind::{Permission, Recommendation, Requirement};
    let mut reworded = link(1, 1, UnitRelation::Reworded, Confidence::Likely);
    reworded.facets.normative = Some(Change { older: true, newer: false });
    let near = |unit| vec![Candidate { unit, similarity: 0.25 }];
    let record = ComparisonRecord {
        version: norma_compare::VERSION,
        language: None,
        older: vec![
            unit("same", Requirement),
            unit("reworded", Permission),
            unit("removed", Requirement),
            unit("split", Recommendation),
        ],
        newer: vec![
            unit("same'", Requirement),
            unit("reworded'", Permission),
            unit("new'", Permission),
            unit("first'", Recommendation),
            unit("second'", Recommendation),
        ],
        links: vec![
            link(0, 0, UnitRelation::Same, Confidence::Certain),
            reworded,
            link(3, 3, UnitRelation::Split, Confidence::High),
            link(3, 4, UnitRelation::Split, Confidence::High),
        ],
        older_unmatched: vec![Unmatched { unit: 2, candidates: near(2) }],
        newer_unmatched: vec![Unmatched { unit: 2, candidates: near(2) }],
        outline: Vec::new(),
        tables: Vec::new(),
    };
    ComparedPair::new(record, [(10..14).collect(), (20..25).collect()])
}
