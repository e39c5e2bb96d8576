//! The keys of all settings, read from the commented defaults, so that flag, variable and file agree.

use super::DEFAULTS;

/// One setting as an operator names it.
#[derive(Clone, Debug)]
pub struct Key {
    /// Section of the file.
    pub section: String,
    /// Name in the file and, after `--`, on the command line.
    pub name: String,
    /// What it means, from the comment above it.
    pub doc: String,
    /// Its default.
    pub default: toml::Value,
}

impl Key {
    /// Name in the environment: `NORMA_OPS_LISTEN`.
    pub fn variable(&self) -> String {
        format!("NORMA_{}", self.name.to_uppercase().replace('-', "_"))
    }

    /// Parses the text of a value, by the type of the default.
    pub(super) fn value(&self, text: &str) -> Result<toml::Value, String> {
        use toml::Value;
        match &self.default {
            Value::Boolean(_) => {
                text.parse().map(Value::Boolean).map_err(|_| "write true or false".to_owned())
            }
            Value::Integer(_) => {
                text.parse().map(Value::Integer).map_err(|_| "write a whole number".to_owned())
            }
            Value::Float(_) => text.parse().map(Value::Float).map_err(|_| "write a number".to_owned()),
            Value::Array(_) => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Ok(Value::Array(items.map(|item| Value::String(item.to_owned())).collect()))
            }
            _ => Ok(Value::String(text.to_owned())),
        }
    }
}

/// All keys in the order of the defaults.
pub fn keys() -> Vec<Key> {
    let defaults: toml::Table = DEFAULTS.parse().expect("the defaults are TOML; a test holds that");
    let mut keys = Vec::new();
    let (mut section, mut doc) = (String::new(), Vec::new());
    for line in DEFAULTS.lines() {
        if let Some(comment) = line.strip_prefix('#') {
            doc.push(comment.trim());
        } else if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
            doc.clear();
        } else if let Some((name, _)) = line.split_once(" = ") {
            let default = defaults[&section][name].clone();
            let doc = std::mem::take(&mut doc).join(" ");
            keys.push(Key { section: section.clone(), name: name.to_owned(), doc, default });
        } else {
            doc.clear();
        }
    }
    keys
}
