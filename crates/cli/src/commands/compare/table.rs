//! A comparison as a table for people: a sentence, then the provisions that changed, with their changes
//! marked in the text.

use norma_api::shapes::{ComparedProvision, Edit, Likelihood};
use norma_explorer::comparison::{Both, Compared, Row, labels, near, sentence};

use crate::print;

/// The table of a comparison.
pub(crate) fn of(compared: &Compared<'_>) -> String {
    let sentence = sentence(compared);
    let mut text = print::wrap(&sentence, print::width()).join("\n") + "\n";
    let mut table = print::table(&["relation", "older", "newer", "what changed", "text"]);
    let mut is_empty = true;
    for group in compared.groups() {
        for row in &group.rows {
            if let Some(cells) = cells(compared, row) {
                table.add_row(cells);
                is_empty = false;
            }
        }
    }
    if !is_empty {
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
            if let Some(facets) = &both.item.facets {
                for change in labels(facets, compared) {
                    what.push(format!("{}: {}", change.facet, change.text));
                }
            }
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
            let mut nearest = Vec::new();
            for candidate in near(alone.item) {
                let label = candidate.label.as_ref().unwrap_or(&candidate.id);
                nearest.push(format!("{label} ({:.0} %)", candidate.similarity * 100.0));
            }
            if !nearest.is_empty() {
                what.push(format!("nearest: {}", nearest.join(", ")));
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
    let lead_in = edited(older.lead_in.as_deref(), newer.lead_in.as_deref(), &edits.lead_in_edits);
    let text = edited(older.text.as_deref(), newer.text.as_deref(), &edits.text_edits);
    if lead_in.is_empty() { text } else { format!("{lead_in} … {text}") }
}

/// The newer text with the words that were removed, `[-so-]`, and added, `{+so+}`.
fn edited(older: Option<&str>, newer: Option<&str>, edits: &[Edit]) -> String {
    let old: Vec<char> = older.unwrap_or_default().chars().collect();
    let new: Vec<char> = newer.unwrap_or_default().chars().collect();
    let (mut text, mut done) = (String::new(), 0);
    for edit in edits {
        text.extend(&new[done..edit.newer.start]);
        push_between(&mut text, "[-", &old[edit.older.start..edit.older.end], "-]");
        push_between(&mut text, "{+", &new[edit.newer.start..edit.newer.end], "+}");
        done = edit.newer.end;
    }
    text.extend(&new[done..]);
    text
}

/// Appends words between two signs, if there are any.
fn push_between(text: &mut String, open: &str, words: &[char], close: &str) {
    if !words.is_empty() {
        text.push_str(open);
        text.extend(words);
        text.push_str(close);
    }
}

#[cfg(test)]
mod tests {
    use norma_api::shapes::Slice;

    use super::*;

    #[test]
    fn removed_words_come_before_those_that_replace_them() {
        let slice = |start, end| Slice { start, end };
        let edits = [
            Edit { older: slice(4, 5), newer: slice(4, 6) },
            Edit { older: slice(8, 12), newer: slice(9, 9) },
        ];
        assert_eq!(edited(Some("Öl: 3 mm dick"), Some("Öl: 12 mm "), &edits), "Öl: [-3-]{+12+} mm[- dic-] ");
        assert_eq!(edited(None, Some("new"), &[]), "new");
    }
}
