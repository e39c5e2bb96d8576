//! Escapes for characters that act on a terminal or on a log. Texts of documents, tokens and callers are
//! printed through here, so that they can neither hide nor forge a line.

use std::borrow::Cow;
use std::fmt::Write;

/// The text on one line, with each control character (C0, DEL, C1), line separator and bidirectional mark as
/// an escape. An escape is `\n`, `\t`, `\r`, or else `\u001b`, as in a JSON string.
pub fn escaped(text: &str) -> Cow<'_, str> {
    escape(text, acts)
}

/// The same for text with several lines: `\n` stays.
pub fn escaped_lines(text: &str) -> Cow<'_, str> {
    escape(text, |character| character != '\n' && acts(character))
}

fn acts(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escape(text: &str, acts: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            _ if !acts(character) => out.push(character),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            other => _ = write!(out, "\\u{:04x}", u32::from(other)),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_that_acts_is_escaped_and_no_other_one_changes() {
        let mut acting = Vec::new();
        for character in char::MIN..=char::MAX {
            let text = character.to_string();
            match escaped(&text) {
                Cow::Borrowed(same) => assert_eq!(same, text),
                Cow::Owned(escape) => {
                    assert!(escape.is_ascii() && !escape.contains(char::is_control), "{escape:?}");
                    acting.push(u32::from(character));
                }
            }
        }
        let expected =
            [0..=0x1f, 0x7f..=0x9f, 0x61c..=0x61c, 0x200e..=0x200f, 0x2028..=0x202e, 0x2066..=0x2069];
        assert_eq!(acting, expected.into_iter().flatten().collect::<Vec<u32>>());
    }

    #[test]
    fn an_escape_is_the_same_text_in_json_and_line_breaks_stay() {
        let text = "a\u{1b}[31m\u{9b}2J\u{202e}b\r\n\tc";
        assert_eq!(escaped(text), r"a\u001b[31m\u009b2J\u202eb\r\n\tc");
        assert_eq!(escaped_lines(text), "a\\u001b[31m\\u009b2J\\u202eb\\r\n\\tc");
        let json = serde_json::to_string_pretty(&serde_json::json!({ "title": text })).unwrap();
        let read: serde_json::Value = serde_json::from_str(&escaped_lines(&json)).unwrap();
        assert_eq!(read["title"], text);
    }
}
