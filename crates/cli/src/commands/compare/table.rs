//! A comparison as a table for people: counts, then the provisions that changed.

use std::collections::BTreeMap;

use norma_compare::{Candidate, Confidence, Unit};

use super::changes::{kind, labels};
use super::rows::{Compared, Row};
use crate::print::{number, table};

/// The table of a comparison.
pub(crate) fn of(compared: &Compared<'_>) -> String {
    let groups = compared.groups();
    let rows = || groups.iter().flat_map(|group| &group.rows);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    rows().filter(|row| !matches!(row, Row::MovedAway(_))).for_each(|row| {
        *counts.entry(row.relation()).or_default() += 1;
    });
    let counts: Vec<String> =
        counts.iter().map(|(name, count)| format!("{} {name}", number(*count))).collect();
    let mut table = table(&["relation", "older", "newer", "type", "what changed", "text"]);
    let mut shown = 0;
    for row in rows() {
        if let Some(cells) = cells(compared, row) {
            table.add_row(cells);
            shown += 1;
        }
    }
    let counts = if counts.is_empty() { "no provisions".to_owned() } else { counts.join(", ") };
    if shown == 0 { format!("{counts}\n") } else { format!("{counts}\n{table}\n") }
}

/// The cells of a row; none where nothing changed, and for the older place of what is shown at its newer one.
fn cells(compared: &Compared<'_>, row: &Row<'_>) -> Option<[String; 6]> {
    let label = |unit: &Unit| unit.label.clone().unwrap_or_else(|| unit.id.clone()).into_string();
    let (older, newer) = (&compared.older.units, &compared.newer.units);
    let unit = compared.unit(row);
    let (from, to, what) = match row {
        Row::MovedAway(_) => return None,
        Row::Pair(link) => {
            let mut what: Vec<String> = Vec::new();
            for change in labels(&link.facets, compared.older, compared.newer) {
                what.push(format!("{}: {}", change.facet, change.text));
            }
            if what.is_empty() && row.relation() == "same" {
                return None;
            }
            if link.confidence == Confidence::Likely {
                what.push("likely".to_owned());
            }
            (label(&older[link.older]), label(&newer[link.newer]), what.join("; "))
        }
        Row::Split(link) | Row::Merged(link) => {
            (label(&older[link.older]), label(&newer[link.newer]), "possibly".to_owned())
        }
        Row::New(unmatched) => (String::new(), label(unit), nearest(&unmatched.candidates, older, label)),
        Row::Removed(unmatched) => (label(unit), String::new(), nearest(&unmatched.candidates, newer, label)),
    };
    let text = unit.lead_in.iter().chain([&unit.text]).map(|text| &**text).collect::<Vec<_>>().join(" … ");
    Some([row.relation().to_owned(), from, to, kind(unit.kind).to_owned(), what, text])
}

fn nearest(candidates: &[Candidate], units: &[Unit], label: impl Fn(&Unit) -> String) -> String {
    let list: Vec<String> =
        candidates.iter().map(|c| format!("{} ({:.2})", label(&units[c.unit]), c.similarity)).collect();
    if list.is_empty() { String::new() } else { format!("nearest: {}", list.join(", ")) }
}
