//! Names of sheets that every spreadsheet program takes.

use std::collections::HashSet;

/// Most characters of a name, counted in UTF-16 (Excel's rules for names of worksheets).
const MAX_CHARACTERS: usize = 31;

/// The names that are in use, in lower case: names that differ in case alone are the same to Excel.
pub(crate) struct SheetNames(HashSet<String>);

impl SheetNames {
    /// These are in use. So are the names that Excel keeps for itself.
    pub(crate) fn new(used: &[&str]) -> Self {
        Self(used.iter().chain(&["History"]).map(|name| name.to_lowercase()).collect())
    }

    /// A name that is not in use, as near to the wanted one as it can be.
    pub(crate) fn name(&mut self, wanted: &str) -> String {
        let allowed =
            |c: char| !"[]:*?/\\".contains(c) && !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}');
        let words: String = wanted.chars().map(|c| if allowed(c) { c } else { ' ' }).collect();
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = if words.trim_matches('\'').is_empty() { "Table" } else { &words };
        for number in 1.. {
            let suffix = if number == 1 { String::new() } else { format!(" ({number})") };
            let mut room = MAX_CHARACTERS - suffix.len();
            let fits = |c: &char| room.checked_sub(c.len_utf16()).map(|rest| room = rest).is_some();
            let start: String = words.trim_matches('\'').chars().take_while(fits).collect();
            let name = format!("{}{suffix}", start.trim_end_matches(['\'', ' ']));
            if self.0.insert(name.to_lowercase()) {
                return name;
            }
        }
        unreachable!("there are more numbers than sheets")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_valid_and_used_once() {
        let mut names = SheetNames::new(&["About"]);
        let long = "Tabelle 12345678901234567890123456";
        for (wanted, name) in [
            ("Table 1", "Table 1"),
            ("table 1", "table 1 (2)"),
            ("Table 1", "Table 1 (3)"),
            ("about", "about (2)"),
            ("HISTORY", "HISTORY (2)"),
            ("", "Table"),
            ("'''", "Table (2)"),
            ("[1]/2: *?\\'", "1 2"),
            ("'a'", "a"),
            (long, "Tabelle 12345678901234567890123"),
            (long, "Tabelle 1234567890123456789 (2)"),
            ("123456789012345678901234567890😀", "123456789012345678901234567890"),
            ("12345678901234567890123456789 'b", "12345678901234567890123456789"),
        ] {
            assert_eq!(names.name(wanted), name, "{wanted}");
        }
    }
}
