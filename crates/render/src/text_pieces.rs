//! Parts of texts that other sections interrupt: a standard may have paragraphs of a clause behind its
//! subclauses.

use norma_model::{EditionParts, Interruption, Section};

use crate::index::{TextPiece, length};

/// The parts of the texts that others interrupt, by section, in document order. White space around them is
/// left out.
pub(crate) fn text_pieces(edition: &EditionParts) -> Vec<TextPiece> {
    let EditionParts { sections, interruptions, .. } = edition;
    let mut by_parent: Vec<(usize, &Interruption)> = Vec::with_capacity(interruptions.len());
    for interruption in interruptions {
        if let Some(parent) = sections[interruption.section].parent {
            by_parent.push((parent, interruption));
        }
    }
    by_parent.sort_by_key(|(parent, interruption)| (*parent, interruption.section));
    let mut pieces = Vec::new();
    for own in by_parent.chunk_by(|(a, _), (b, _)| a == b) {
        let parent = own[0].0;
        let text = &sections[parent].text;
        let (mut start, mut after) = (0, parent);
        for (_, interruption) in own {
            pieces.extend(piece(text, start, interruption.at, parent, after));
            start = interruption.at;
            after = last_within(sections, interruption.section);
        }
        pieces.extend(piece(text, start, text.len(), parent, after));
    }
    pieces
}

/// The part of a section's text between two offsets in bytes; `None` if it has white space only.
fn piece(text: &str, start: usize, end: usize, section: usize, after: usize) -> Option<TextPiece> {
    let untrimmed = &text[start..end];
    let start = start + (untrimmed.len() - untrimmed.trim_start().len());
    let words = untrimmed.trim();
    if words.is_empty() {
        return None;
    }
    let json_start = json_length(&text[..start]);
    Some(TextPiece {
        section: length(0, section),
        after: length(0, after),
        start: length(0, json_start),
        end: length(0, json_start + json_length(words)),
        plain: length(0, words.len()),
    })
}

/// Bytes of a text as the inside of a JSON string.
fn json_length(text: &str) -> usize {
    crate::json::bytes(&text).len() - 2
}

/// The last section within a section, or that section itself.
fn last_within(sections: &[Section], index: usize) -> usize {
    let level = sections[index].level;
    index + sections[index + 1..].iter().take_while(|other| other.level > level).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_measured_in_json_and_has_no_white_space_around_it() {
        let text = "\"A\"\n  b \n";
        let expected = TextPiece { section: 3, after: 5, start: 9, end: 10, plain: 1 };
        assert_eq!(piece(text, 3, text.len(), 3, 5), Some(expected));
        assert_eq!(piece(text, 0, 3, 3, 3).unwrap().end, 5);
        assert_eq!(piece(text, 7, text.len(), 3, 5), None);
    }
}
