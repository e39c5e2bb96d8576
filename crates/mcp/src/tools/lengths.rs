//! Bounds of arguments: what is too long is refused with its bound, before the service is asked.

use rmcp::model::JsonObject;
use serde_json::Value;

use crate::failure::ToolFailure;

/// Most characters of a question, and of a quotation (`max-quotation-characters` of the service).
const LONGEST_WORDS: usize = 2_000;

/// Most characters of a selection, as of the service.
const LONGEST_SELECTION: usize = 1_024;

/// Most characters of a `next`: a cursor of the service carries the question and its filters.
const LONGEST_NEXT: usize = 20_000;

/// Most characters of any other argument: a URN, a citation, a section.
const LONGEST_NAME: usize = 500;

/// Most words of a list.
const LONGEST_LIST: usize = 100;

/// Refuses arguments of a tool that are too long.
pub(super) fn check_lengths(arguments: &JsonObject) -> Result<(), ToolFailure> {
    for (name, value) in arguments {
        // The name itself would be repeated in the sentence.
        if name.len() > LONGEST_NAME {
            return Err(ToolFailure::invalid(
                "An argument has a name that is too long; use those of the tool.",
            ));
        }
        check_value(name, value)?;
    }
    Ok(())
}

fn check_value(name: &str, value: &Value) -> Result<(), ToolFailure> {
    match value {
        Value::String(text) => check_length(name, text),
        Value::Array(items) => {
            // `verify_quotations` says itself how many quotations it takes.
            if items.len() > LONGEST_LIST && name != "quotations" {
                let sentence = format!("`{name}` has {} words; send at most {LONGEST_LIST}.", items.len());
                return Err(ToolFailure::invalid(sentence));
            }
            items.iter().try_for_each(|item| check_value(name, item))
        }
        Value::Object(members) => check_lengths(members),
        _ => Ok(()),
    }
}

/// Refuses a text that is longer than an argument of this name may be.
pub(crate) fn check_length(name: &str, text: &str) -> Result<(), ToolFailure> {
    let most = match name {
        "words" | "text" => LONGEST_WORDS,
        "selection" => LONGEST_SELECTION,
        "next" => LONGEST_NEXT,
        _ => LONGEST_NAME,
    };
    let characters = text.chars().count();
    if characters <= most {
        return Ok(());
    }
    Err(ToolFailure::invalid(format!("`{name}` has {characters} characters; shorten it to {most} or fewer.")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_too_long_is_refused_with_its_bound() {
        for (name, most) in
            [("words", 2_000), ("urn", 500), ("citation", 500), ("selection", 1_024), ("next", 20_000)]
        {
            let arguments =
                |length: usize| JsonObject::from_iter([(name.to_owned(), "é".repeat(length).into())]);
            assert!(check_lengths(&arguments(most)).is_ok(), "{name}");
            let sentence = check_lengths(&arguments(most + 1)).unwrap_err().sentence;
            let expected = format!("`{name}` has {} characters; shorten it to {most} or fewer.", most + 1);
            assert_eq!(sentence, expected);
        }
        let quotations = |length: usize| {
            let quotations = json!([{"text": "x".repeat(length)}]);
            check_lengths(&JsonObject::from_iter([("quotations".to_owned(), quotations)]))
        };
        assert!(quotations(2_000).is_ok());
        assert!(quotations(2_001).unwrap_err().sentence.contains("2000 or fewer"));
        let kinds = JsonObject::from_iter([("kinds".to_owned(), json!(vec!["term"; 101]))]);
        assert!(check_lengths(&kinds).unwrap_err().sentence.contains("at most 100"));
        let unknown = JsonObject::from_iter([("x".repeat(501), json!(1))]);
        assert!(check_lengths(&unknown).unwrap_err().sentence.len() < 100);
    }
}
