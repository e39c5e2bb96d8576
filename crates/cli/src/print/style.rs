//! Styles of words on a terminal: heads bold, words that need attention in colour, names for copying less
//! bright.

use anstyle::{AnsiColor, Style};

/// Style of the heads of columns in a table.
pub(crate) const HEAD: Style = Style::new().bold();
/// Ids, hints and names of members.
pub(crate) const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const LOOK: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// The style of a word or cell, by its text.
pub(crate) fn of(word: &str) -> Style {
    match word {
        "created" | "ok" => GOOD,
        "replaced" | "warning" | "withdrawn" | "superseded" | "discover" | "expired" => LOOK,
        "refused" | "error" | "recalled" | "suspended" | "problem" | "damaged" => BAD,
        "note" | "hint" | "unchanged" | "…" => FAINT,
        _ if is_id(word) => FAINT,
        _ => Style::new(),
    }
}

fn is_id(word: &str) -> bool {
    word.len() >= 20 && !word.contains(char::is_whitespace) && word.contains([':', '_', '-'])
}
