//! Names of calls, so that the `next` of one call is not taken for that of another.

use std::hash::{DefaultHasher, Hash, Hasher};

use rmcp::model::JsonObject;

use crate::failure::{NEXT_OF_OTHER_CALL, ToolFailure};

/// Arguments that say where an answer begins and how long it is, and not what it is about.
const OF_THE_ANSWER: [&str; 3] = ["next", "max_tokens", "limit"];

/// A digest of the tool and of the arguments that say what an answer is about.
///
/// Another version of the program may give another one: a `next` is then refused, and never misread.
#[derive(Clone, Debug)]
pub(crate) struct CallDigest(String);

impl CallDigest {
    pub(crate) fn of(tool: &str, arguments: &JsonObject) -> Self {
        let mut named: Vec<(&str, String)> = Vec::new();
        for (name, value) in arguments {
            // An argument that is null is left out.
            if !value.is_null() && !OF_THE_ANSWER.contains(&name.as_str()) {
                named.push((name.as_str(), value.to_string()));
            }
        }
        // Arguments may come in any order.
        named.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (tool, named).hash(&mut hasher);
        Self(format!("{:016x}", hasher.finish()))
    }

    /// The state of the items of this call in a revision.
    pub(crate) fn state(&self, revision: &str) -> String {
        format!("{revision}.{}", self.0)
    }

    /// A cursor of the service as `next` of this call.
    pub(crate) fn next_of(&self, cursor: &str) -> String {
        format!("{}.{cursor}", self.0)
    }

    /// The cursor of the service in a `next` of this call.
    pub(crate) fn cursor_of(&self, next: Option<&str>) -> Result<Option<String>, ToolFailure> {
        let Some(next) = next else { return Ok(None) };
        match next.split_once('.') {
            Some((call, cursor)) if call == self.0 => Ok(Some(cursor.to_owned())),
            _ => Err(ToolFailure::invalid(NEXT_OF_OTHER_CALL)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn digest(tool: &str, arguments: Value) -> String {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        CallDigest::of(tool, &arguments).0
    }

    #[test]
    fn calls_are_the_same_by_their_tool_and_by_what_they_ask_for() {
        let one = digest("read", json!({"urn": "u", "section": "7"}));
        let same = json!({"section": "7", "urn": "u", "table": null, "next": "1@r", "max_tokens": 700});
        assert_eq!(digest("read", same), one);
        assert_ne!(digest("outline", json!({"urn": "u", "section": "7"})), one);
        assert_ne!(digest("read", json!({"urn": "u", "section": "8"})), one);
        assert_ne!(digest("read", json!({"urn": "u", "selection": "7"})), one);
        assert_ne!(digest("read", json!({"urn": "u"})), one);
    }

    #[test]
    fn a_cursor_is_read_from_a_next_of_the_same_call_alone() {
        let (one, other) = (CallDigest("1".to_owned()), CallDigest("2".to_owned()));
        let next = one.next_of("a.b");
        assert_eq!(one.cursor_of(Some(&next)).unwrap().as_deref(), Some("a.b"));
        assert_eq!(one.cursor_of(None).unwrap(), None);
        assert!(other.cursor_of(Some(&next)).unwrap_err().sentence.contains("call again without it"));
        assert!(one.cursor_of(Some("a")).is_err());
    }
}
