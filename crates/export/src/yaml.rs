//! YAML of which each value is JSON (YAML 1.2, 1.3: JSON is a part of it).

use serde_json::Value;

/// A mapping with a line for each member; its values are JSON.
pub(crate) fn lines(members: &[(&str, Value)]) -> String {
    let mut yaml = String::new();
    for (name, value) in members {
        yaml.push_str(name);
        yaml.push_str(": ");
        yaml.push_str(&json(value));
        yaml.push('\n');
    }
    yaml
}

/// A value as JSON that readers of YAML 1.1 accept, too: they take some characters for line ends, and refuse
/// those that cannot be printed (YAML 1.1, 5.1).
pub(crate) fn json(value: &Value) -> String {
    escaped(&value.to_string())
}

/// The same with indented lines.
pub(crate) fn json_lines(value: &Value) -> String {
    escaped(&serde_json::to_string_pretty(value).expect("a value has text keys"))
}

/// JSON with escapes for such characters, which are within its strings alone.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn characters_that_end_lines_or_cannot_be_printed_are_escaped() {
        let value = json!({"a": "\u{85}\u{2028}é: - #"});
        assert_eq!(super::json(&value), "{\"a\":\"\\u0085\\u2028é: - #\"}");
        assert_eq!(lines(&[("text", json!("a\nb"))]), "text: \"a\\nb\"\n");
    }
}
