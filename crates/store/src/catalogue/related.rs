//! The relations of an edition, whichever of the two arrived first.

use std::collections::BTreeSet;

use crate::catalogue::entry;
use crate::catalogue::status::{CITES, SAME_LANGUAGE};
use crate::columns::{DRAFT, PUBLISHED, REPLACES};
use crate::engine::{Engine, Sql};
use crate::entry::{Related, RelatedKind};
use crate::{Result, columns};

/// The relations of the edition itself to others, as the statement names them.
const ITS_REPLACES: &str = "its replaces";
const ITS_AMENDS: &str = "its amends";
const ITS_ADOPTS: &str = "its adopts";

/// True if a citation `c` is a relation that has two sides.
const RELATES: &str = "c.kind IN ('replaces', 'amends', 'adopts')";

/// A recalled edition that would supersede the edition, as the statement names it.
const RECALLED_SUCCESSOR: &str = "recalled successor";

/// The relations of an edition to others.
pub(crate) struct EditionRelations {
    /// The editions that have a relation to it, with their ICS codes, ordered by kind and URN.
    pub(crate) related: Vec<(Related, Vec<String>)>,
    /// URNs of the recalled editions that would supersede it, with their ICS codes: later editions of its
    /// document in one of its languages, and those that say that they replace it. None unless it is in force.
    pub(crate) recalled_successors: Vec<(String, Vec<String>)>,
}

/// The relations of an edition, in one statement.
pub(crate) async fn load(engine: &dyn Engine, id: i64) -> Result<EditionRelations> {
    let is_successor = format!(
        "e.status = {PUBLISHED} AND c.kind = '{REPLACES}' AND r.stated <> {DRAFT} AND r.recalled IS NOT NULL"
    );
    let sql = format!(
        "SELECT 'same' AS kind, r.urn, r.reference, r.ics, CASE WHEN r.edition = e.edition THEN 1 ELSE 0 END AS same \
            FROM editions e JOIN editions r ON r.stem = e.stem \
            WHERE e.id = $1 AND r.id <> e.id AND r.recalled IS NULL \
         UNION SELECT c.kind, r.urn, r.reference, r.ics, 0 \
            FROM editions e JOIN citations c ON c.reference_key = e.reference_key JOIN editions r ON r.id = c.edition \
            WHERE e.id = $1 AND r.id <> e.id AND r.recalled IS NULL AND {CITES} \
         UNION SELECT c.kind, r.urn, r.reference, r.ics, 0 \
            FROM editions e JOIN citations c ON c.stem = e.stem JOIN editions r ON r.id = c.edition \
            WHERE e.id = $1 AND r.id <> e.id AND r.recalled IS NULL AND {CITES} \
         UNION SELECT 'its ' || c.kind, r.urn, r.reference, r.ics, 0 \
            FROM editions e JOIN citations c ON c.edition = e.id JOIN editions r \
               ON c.dated = 1 AND c.reference_key = r.reference_key \
            WHERE e.id = $1 AND r.id <> e.id AND r.recalled IS NULL AND {RELATES} \
         UNION SELECT 'its ' || c.kind, r.urn, r.reference, r.ics, 0 \
            FROM editions e JOIN citations c ON c.edition = e.id JOIN editions r \
               ON c.dated = 0 AND c.stem = r.stem AND e.stem <> c.stem \
            WHERE e.id = $1 AND r.id <> e.id AND r.recalled IS NULL AND {RELATES} \
         UNION SELECT '{RECALLED_SUCCESSOR}', l.urn, l.reference, l.ics, 0 \
            FROM editions e JOIN editions l ON l.stem = e.stem \
            WHERE e.id = $1 AND e.status = {PUBLISHED} AND l.edition_key > e.edition_key AND l.stated <> {DRAFT} \
            AND l.recalled IS NOT NULL AND {SAME_LANGUAGE} \
         UNION SELECT '{RECALLED_SUCCESSOR}', r.urn, r.reference, r.ics, 0 \
            FROM editions e JOIN citations c ON c.reference_key = e.reference_key JOIN editions r ON r.id = c.edition \
            WHERE e.id = $1 AND r.id <> e.id AND {is_successor} AND {CITES} \
         UNION SELECT '{RECALLED_SUCCESSOR}', r.urn, r.reference, r.ics, 0 \
            FROM editions e JOIN citations c ON c.stem = e.stem JOIN editions r ON r.id = c.edition \
            WHERE e.id = $1 AND r.id <> e.id AND {is_successor} AND {CITES}"
    );
    let mut recalled_successors = Vec::new();
    let mut all = BTreeSet::new();
    for row in engine.read(Sql::new(&sql).bind(id)).await? {
        let ics = entry::words(&row, "ics")?;
        if row.text("kind")? == RECALLED_SUCCESSOR {
            recalled_successors.push((row.text("urn")?.to_owned(), ics));
            continue;
        }
        let kind = match (row.text("kind")?, row.int("same")?) {
            (columns::REPLACES, _) => RelatedKind::ReplacedBy,
            (columns::AMENDS, _) => RelatedKind::AmendedBy,
            (columns::ADOPTS, _) => RelatedKind::AdoptedAs,
            (ITS_REPLACES, _) => RelatedKind::Replaces,
            (ITS_AMENDS, _) => RelatedKind::Amends,
            (ITS_ADOPTS, _) => RelatedKind::Adopts,
            (_, 1) => RelatedKind::Translation,
            _ => RelatedKind::Edition,
        };
        let (urn, reference) = (columns::read_urn(row.text("urn")?)?, row.text("reference")?.to_owned());
        all.insert((Related { kind, urn, reference }, ics));
    }
    Ok(EditionRelations { related: all.into_iter().collect(), recalled_successors })
}
