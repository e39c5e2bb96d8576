//! Selections of the places of a citation.

use std::fmt::Write;

use super::cited::{CitedLocation, LocationKind};

impl CitedLocation {
    /// The place as an item of a selection. What is smaller than a part of a selection means that part: a
    /// list item, a paragraph or a note the clause around it. `None` for a formula, which no selection has.
    pub(crate) fn to_selection(&self) -> Option<String> {
        let mut text = match self.kind {
            LocationKind::Clause => String::new(),
            LocationKind::Table => "table:".to_owned(),
            LocationKind::Figure => "figure:".to_owned(),
            LocationKind::Term => "term:".to_owned(),
            LocationKind::Formula => return None,
        };
        text.push_str(&self.number);
        let Some(end) = &self.to else {
            if let Some(ordinal) = self.ordinal {
                let _ = write!(text, "({ordinal})");
            }
            return Some(text);
        };
        let end = &end.location;
        match (self.ordinal, end.ordinal) {
            (Some(first), Some(last)) if self.number == end.number => {
                let _ = write!(text, "({first}-{last})");
            }
            (Some(first), Some(last)) => {
                let _ = write!(text, "({first})-{}({last})", end.number);
            }
            (Some(first), None) => {
                let _ = write!(text, "({first})-{}", end.number);
            }
            (None, Some(last)) => {
                let _ = write!(text, "-{}({last})", end.number);
            }
            (None, None) if self.number == end.number => {}
            (None, None) => {
                let _ = write!(text, "-{}", end.number);
            }
        }
        Some(text)
    }
}
