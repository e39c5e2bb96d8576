//! A comparison as a table for people: a sentence, then the provisions that changed, with their changes
//! marked in the text.

use norma_compare::{Candidate, Confidence, Edit, Link, Unit};

use super::changes::labels;
use super::page_rows::near;
use super::rows::{Compared, Row};
use super::summary::sentence;
use crate::print;

/// The table of a comparison.
pub(crate) fn of(compared: &Compared<'_>) -> String {
    let sentence = sentence(compared.comparison);
    let mut text = print::wrap(&sentence, print::width()).join("\n") + "\n";
    let groups = compared.groups();
    let mut rows =
        groups.iter().flat_map(|group| &group.rows).filter_map(|row| cells(compared, row)).peekable();
    if rows.peek().is_some() {
        let mut table = print::table(&["relation", "older", "newer", "what changed", "text"]);
        rows.for_each(|row| table.add_row(row));
        text.push_str(&table.to_string());
    }
    text
}

/// The cells of a row; `None` if nothing changed, and for the older position of a unit that is shown at its
/// newer one.
fn cells(compared: &Compared<'_>, row: &Row<'_>) -> Option<[String; 5]> {
    let label = |unit: &Unit| unit.label.as_ref().unwrap_or(&unit.id).to_string();
    let (older, newer) = (&compared.older.units, &compared.newer.units);
    let mut what = vec![compared.kind(row).to_owned()];
    let (from, to, text) = match row {
        Row::MovedAway(_) => return None,
        Row::Pair(_) if row.is_unchanged() => return None,
        Row::Pair(link) => {
            let labels = labels(&link.facets, compared.older, compared.newer);
            what.extend(labels.iter().map(|change| format!("{}: {}", change.facet, change.text)));
            if link.confidence == Confidence::Likely {
                what.push("likely".to_owned());
            }
            let text = marked(&older[link.older], &newer[link.newer], link);
            (label(&older[link.older]), label(&newer[link.newer]), text)
        }
        Row::Split(link) | Row::Merged(link) => {
            what.push("possibly".to_owned());
            (label(&older[link.older]), label(&newer[link.newer]), whole(compared.unit(row)))
        }
        Row::New(unmatched) | Row::Removed(unmatched) => {
            let is_new = matches!(row, Row::New(_));
            let others = if is_new { older } else { newer };
            let near = near(unmatched).map(|Candidate { unit, similarity }| {
                format!("{} ({:.0} %)", label(&others[*unit]), similarity * 100.0)
            });
            let near: Vec<String> = near.collect();
            if !near.is_empty() {
                what.push(format!("nearest: {}", near.join(", ")));
            }
            let own = label(compared.unit(row));
            let (from, to) = if is_new { (String::new(), own) } else { (own, String::new()) };
            (from, to, whole(compared.unit(row)))
        }
    };
    Some([row.relation().to_owned(), from, to, what.join("; "), text])
}

/// Lead-in and text of a unit.
fn whole(unit: &Unit) -> String {
    unit.lead_in.iter().chain([&unit.text]).map(|text| &**text).collect::<Vec<_>>().join(" … ")
}

/// The newer text with the words that were removed and added.
fn marked(older: &Unit, newer: &Unit, link: &Link) -> String {
    let lead_ins = [older, newer].map(|unit| unit.lead_in.as_deref().unwrap_or_default());
    let lead_in = edited(lead_ins[0], lead_ins[1], &link.lead_in);
    let text = edited(&older.text, &newer.text, &link.text);
    if lead_in.is_empty() { text } else { format!("{lead_in} … {text}") }
}

fn edited(older: &str, newer: &str, edits: &[Edit]) -> String {
    let [old, new] = [older, newer].map(|text| text.chars().collect::<Vec<char>>());
    let (mut text, mut done) = (String::new(), 0);
    for edit in edits {
        text.extend(&new[done..edit.newer.start]);
        let [was, is] = [&old[edit.older.start..edit.older.end], &new[edit.newer.start..edit.newer.end]];
        for (open, words, close) in [("[-", was, "-]"), ("{+", is, "+}")] {
            if !words.is_empty() {
                text.push_str(open);
                text.extend(words);
                text.push_str(close);
            }
        }
        done = edit.newer.end;
    }
    text.extend(&new[done..]);
    text
}
