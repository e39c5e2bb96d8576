//! A table of correspondence is read or refused with a short message; a row that is read names what its
//! relation needs.

use norma_compare::AuthoredRelation;
use norma_editions::lineage::parse;

/// Longest message: names of columns and relations, and the beginning of a cell.
const LONGEST: usize = 1_000;

/// Holds for any bytes.
pub(crate) fn holds(bytes: &[u8]) {
    let rows = match parse(bytes) {
        Ok(rows) => rows,
        Err(refusal) => {
            let message = refusal.to_string();
            return assert!(
                !message.is_empty() && message.len() <= LONGEST,
                "{} bytes: {message}",
                message.len()
            );
        }
    };
    assert!(!rows.is_empty());
    for row in rows {
        assert!(row.line >= 2);
        assert_eq!(row.older.is_empty(), row.relation == AuthoredRelation::New);
        assert_eq!(row.newer.is_empty(), row.relation == AuthoredRelation::Removed);
    }
}
