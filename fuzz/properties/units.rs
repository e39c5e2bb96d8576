//! A file of units is compared or refused; each unit is in a link or unmatched, and edits are within their
//! texts.

use norma_bench_evaluate::pairs::Pairs;
use norma_compare::{UnitRelation, compare};

/// Holds for any bytes.
pub(crate) fn holds(bytes: &[u8]) {
    let pairs = match Pairs::parse(bytes) {
        Ok(pairs) => pairs,
        Err(refusal) => return assert!(!refusal.to_string().is_empty()),
    };
    let found = compare(&pairs.older, &pairs.newer);
    let linked: std::collections::BTreeSet<usize> = found.links.iter().map(|link| link.older).collect();
    assert_eq!(linked.len() + found.older_unmatched.len(), pairs.older.units.len());
    for link in &found.links {
        let (a, b) = (&pairs.older.units[link.older].text, &pairs.newer.units[link.newer].text);
        let (in_a, in_b) = (a.chars().count(), b.chars().count());
        assert!(link.text.iter().all(|edit| edit.older.start <= edit.older.end && edit.older.end <= in_a));
        assert!(link.text.iter().all(|edit| edit.newer.start <= edit.newer.end && edit.newer.end <= in_b));
        assert!(link.relation != UnitRelation::Same || link.text.is_empty());
    }
    if let Some(evaluation) = pairs.evaluate(&found) {
        assert!((0.0..=1.0).contains(&evaluation.all.f1()));
    }
}
