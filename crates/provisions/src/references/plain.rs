//! Stretches of a text without markup that refer to something: `Table 3`, `see 4.2`, `ISO 12100:2010`.

use std::ops::Range;

use super::atoms::atoms;
use super::grammar::{Plain, next};

/// The bytes of the references in a text without markup, in order.
pub fn plain_references(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> =
        atoms(text, 0..text.len(), false, &[]).into_iter().map(|(range, _)| range).collect();
    let mut at = 0;
    while let Some((range, plain)) = next(text, at, text.len()) {
        at = range.end.max(at + 1);
        let refers = match plain {
            Plain::Localities { sure, announced, .. } => sure || announced,
            Plain::Near { .. } | Plain::Itself => true,
            Plain::Word => false,
        };
        if refers {
            found.push(range);
        }
        // The next search begins between two characters.
        if !text.is_char_boundary(at) {
            break;
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_in_plain_words_are_found() {
        for (text, expected) in [
            ("The lid shall be shut as in Table 3.", vec!["Table 3"]),
            ("Siehe Abschnitt 5.3 und ISO 12100:2010.", vec!["Abschnitt 5.3", "ISO 12100:2010"]),
            ("It weighs 5 kg.", vec![]),
        ] {
            let found: Vec<&str> = plain_references(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
