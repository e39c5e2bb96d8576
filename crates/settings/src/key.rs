//! The keys of all settings, read from the commented defaults, so that flag, variable and file agree.

use crate::DEFAULTS;

/// One setting as an operator names it.
#[derive(Clone, Debug)]
pub struct SettingKey {
    /// Section of the file.
    pub section: String,
    /// Name in the file and, after `--`, on the command line.
    pub name: String,
    /// Meaning, from the comment above the key.
    pub doc: String,
    /// Value where nobody sets it.
    pub default: toml::Value,
}

impl SettingKey {
    /// Name in the environment: `NORMA_OPS_LISTEN`.
    pub fn variable(&self) -> String {
        format!("NORMA_{}", self.name.to_uppercase().replace('-', "_"))
    }

    /// Parses the text of a value, by the type of the default.
    pub(super) fn value(&self, text: &str) -> Result<toml::Value, String> {
        use toml::Value;
        match &self.default {
            Value::Boolean(_) => match text.parse() {
                Ok(value) => Ok(Value::Boolean(value)),
                Err(_) => Err("write true or false".to_owned()),
            },
            Value::Integer(_) => match text.parse() {
                Ok(value) => Ok(Value::Integer(value)),
                Err(_) => Err("write a whole number".to_owned()),
            },
            Value::Float(_) => match text.parse() {
                Ok(value) => Ok(Value::Float(value)),
                Err(_) => Err("write a number".to_owned()),
            },
            Value::Array(_) => {
                let mut items = Vec::new();
                for item in text.split(',') {
                    let item = item.trim();
                    if !item.is_empty() {
                        items.push(Value::String(item.to_owned()));
                    }
                }
                Ok(Value::Array(items))
            }
            _ => Ok(Value::String(text.to_owned())),
        }
    }
}

/// The settings that most installations set, out of all settings.
const COMMON: [&str; 38] = [
    "listen",
    "ops-listen",
    "public-url",
    "trusted-proxies",
    "tls-cert",
    "tls-key",
    "cors-origins",
    "request-timeout",
    "drain-time",
    "max-connections",
    "store",
    "blobs",
    "migrate",
    "store-connections",
    "store-timeout",
    "cache-size",
    "response-cache",
    "auth-url",
    "auth-ca",
    "audience",
    "role",
    "algorithms",
    "role-claim",
    "app-only",
    "clock-skew",
    "rate-limit",
    "rate-burst",
    "max-bytes-in-flight",
    "workers",
    "max-document-size",
    "max-package-size",
    "log-format",
    "log-level",
    "audit-file",
    "audit-keep",
    "traces-endpoint",
    "traces-sample-ratio",
    "backup-path",
];

/// The commented defaults of the settings that installations set.
pub fn common_defaults() -> String {
    let mut page = String::new();
    let mut block = String::new();
    for line in DEFAULTS.lines() {
        block.push_str(line);
        block.push('\n');
        let is_shown = match line.split_once(" = ") {
            _ if line.starts_with('#') => continue,
            Some((name, _)) => COMMON.contains(&name),
            // The end of the head of the file, of a section, or the heading of one.
            None => true,
        };
        let block = std::mem::take(&mut block);
        if is_shown {
            page.push_str(&block);
        }
    }
    let others = keys().len() - COMMON.len();
    page + &format!("\n# {others} more settings: norma config defaults --all")
}

/// All keys in the order of the defaults.
pub fn keys() -> Vec<SettingKey> {
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
            keys.push(SettingKey { section: section.clone(), name: name.to_owned(), doc, default });
        } else {
            doc.clear();
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_defaults_are_defaults_with_their_comments() {
        let page: toml::Table = common_defaults().parse().unwrap();
        let all: toml::Table = DEFAULTS.parse().unwrap();
        let mut names = Vec::new();
        for (section, entries) in &page {
            for (name, value) in entries.as_table().unwrap() {
                assert_eq!(Some(value), all[section].get(name), "{section}.{name}");
                names.push(name.as_str());
            }
        }
        names.sort_unstable();
        let mut expected = COMMON;
        expected.sort_unstable();
        assert_eq!(names, expected);
        assert!(common_defaults().contains("\n# Clocks may differ by this much.\nclock-skew = "));
        assert!(!common_defaults().contains("\n\n\n"));
    }
}
