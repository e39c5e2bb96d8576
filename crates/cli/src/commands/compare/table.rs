//! A comparison as a table for people: a sentence, then the provisions that changed, with their changes
//! marked in the text.

use norma_api::shapes::{ComparedProvision, Edit, Likelihood};
use norma_explorer::comparison::{Both, Compared, Row, labels, near, sentence};

use crate::print;

/// The table of a comparison.
pub(crate) fn of(compared: &Compared<'_>) -> String {
    let sentence = sentence(compared);
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
    let label = |one: &ComparedProvision<'_>| one.label.as_ref().unwrap_or(&one.id).to_string();
    let mut what = vec![row.kind().to_owned()];
    let (from, to, text) = match row {
        Row::MovedAway(_) => return None,
        Row::Pair(_) if row.is_unchanged() => return None,
        Row::Pair(both) => {
            let labels = both.item.facets.as_ref().map(|facets| labels(facets, compared));
            what.extend(labels.iter().flatten().map(|change| format!("{}: {}", change.facet, change.text)));
            if both.item.likelihood == Some(Likelihood::Likely) {
                what.push("likely".to_owned());
            }
            (label(both.older), label(both.newer), marked(both))
        }
        Row::Split(both) | Row::Merged(both) => {
            what.push("possibly".to_owned());
            (label(both.older), label(both.newer), whole(row.provision()))
        }
        Row::New(alone) | Row::Removed(alone) => {
            let near = near(alone.item).map(|candidate| {
                let label = candidate.label.as_ref().unwrap_or(&candidate.id);
                format!("{label} ({:.0} %)", candidate.similarity * 100.0)
            });
            let near: Vec<String> = near.collect();
            if !near.is_empty() {
                what.push(format!("nearest: {}", near.join(", ")));
            }
            let own = label(alone.provision);
            let is_new = matches!(row, Row::New(_));
            let (from, to) = if is_new { (String::new(), own) } else { (own, String::new()) };
            (from, to, whole(alone.provision))
        }
    };
    Some([row.relation().to_owned(), from, to, what.join("; "), text])
}

/// Lead-in and text of a provision.
fn whole(provision: &ComparedProvision<'_>) -> String {
    let texts = provision.lead_in.iter().chain(&provision.text);
    texts.map(|text| &**text).collect::<Vec<_>>().join(" … ")
}

/// The newer text with the words that were removed and added.
fn marked(both: &Both<'_>) -> String {
    let Both { item, older, newer } = both;
    let edits = item.difference.clone().unwrap_or_default();
    let [lead_in, text] = [
        (&older.lead_in, &newer.lead_in, &edits.lead_in_edits),
        (&older.text, &newer.text, &edits.text_edits),
    ]
    .map(|(older, newer, edits)| {
        edited(older.as_deref().unwrap_or_default(), newer.as_deref().unwrap_or_default(), edits)
    });
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
