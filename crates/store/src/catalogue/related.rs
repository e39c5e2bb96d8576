//! The relations of an edition, whichever of the two arrived first.

use std::collections::BTreeSet;

use crate::catalogue::entry;
use crate::catalogue::status::CITES;
use crate::engine::{Engine, Sql};
use crate::entry::{Related, RelatedKind};
use crate::{Result, columns};

/// The editions that have a relation to this one, with their ICS codes, ordered by kind and URN.
pub(crate) async fn load(engine: &dyn Engine, id: i64) -> Result<Vec<(Related, Vec<String>)>> {
    let sql = format!(
        "SELECT 'same' AS kind, r.urn, r.reference, r.ics, CASE WHEN r.edition = e.edition THEN 1 ELSE 0 END AS same \
            FROM editions e JOIN editions r ON r.stem = e.stem \
            WHERE e.id = $1 AND r.id <> e.id AND r.recalled IS NULL \
         UNION SELECT c.kind, r.urn, r.reference, r.ics, 0 \
            FROM editions e JOIN citations c ON c.reference_key = e.reference_key JOIN editions r ON r.id = c.edition \
            WHERE e.id = $1 AND r.id <> e.id AND r.recalled IS NULL AND {CITES} \
         UNION SELECT c.kind, r.urn, r.reference, r.ics, 0 \
            FROM editions e JOIN citations c ON c.stem = e.stem JOIN editions r ON r.id = c.edition \
            WHERE e.id = $1 AND r.id <> e.id AND r.recalled IS NULL AND {CITES}"
    );
    let mut all = BTreeSet::new();
    for row in engine.read(Sql::new(&sql).bind(id)).await? {
        let kind = match (row.text("kind")?, row.int("same")?) {
            (columns::REPLACES, _) => RelatedKind::ReplacedBy,
            (columns::AMENDS, _) => RelatedKind::AmendedBy,
            (columns::ADOPTS, _) => RelatedKind::AdoptedAs,
            (_, 1) => RelatedKind::Translation,
            _ => RelatedKind::Edition,
        };
        let (urn, reference) = (columns::read_urn(row.text("urn")?)?, row.text("reference")?.to_owned());
        let (related, ics) = (Related { kind, urn, reference }, entry::words(&row, "ics")?);
        all.insert((related, ics));
    }
    Ok(all.into_iter().collect())
}
