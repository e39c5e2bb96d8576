//! Names of sheets that every spreadsheet program takes.

use std::collections::HashSet;

/// Most characters of a name, counted in UTF-16 (Excel's rules for names of worksheets).
const MAX_CHARACTERS: usize = 31;

/// The names that are in use, in lower case: names that differ in case alone are the same to Excel.
pub(crate) struct SheetNames(HashSet<String>);

impl SheetNames {
    /// These are in use.
    pub(crate) fn new(used: &[&str]) -> Self {
        // Excel reserves this name.
        let mut names = HashSet::from(["history".to_owned()]);
        for name in used {
            names.insert(name.to_lowercase());
        }
        Self(names)
    }

    /// A name that is not in use, as near to the wanted one as it can be.
    pub(crate) fn name(&mut self, wanted: &str) -> String {
        let allowed: String = wanted.chars().map(|c| if is_allowed(c) { c } else { ' ' }).collect();
        let words: Vec<&str> = allowed.split_whitespace().collect();
        let words = words.join(" ");
        let mut base = words.trim_matches('\'');
        if base.is_empty() {
            base = "Table";
        }
        for number in 1.. {
            let suffix = if number == 1 { String::new() } else { format!(" ({number})") };
            let start = utf16_prefix(base, MAX_CHARACTERS - suffix.len());
            let name = format!("{}{suffix}", start.trim_end_matches(['\'', ' ']));
            if self.0.insert(name.to_lowercase()) {
                return name;
            }
        }
        unreachable!("there are more numbers than sheets")
    }
}

/// True if a name may have this character: not one with a meaning in formulas, none that XML 1.0 cannot hold.
fn is_allowed(c: char) -> bool {
    !"[]:*?/\\".contains(c) && !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

/// The longest prefix of at most this many units of UTF-16.
fn utf16_prefix(text: &str, most: usize) -> &str {
    let mut length = 0;
    for (at, c) in text.char_indices() {
        length += c.len_utf16();
        if length > most {
            return &text[..at];
        }
    }
    text
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
