//! Layers: defaults below, then the file, the environment and the command line; the topmost value counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use crate::{SettingFindings, SettingKey, Settings, UnusableSetting, keys};

/// Beginning of all variables of Norma.
const PREFIX: &str = "NORMA_";

/// Variables of Norma's own tests, in addition to those that begin with `NORMA_TEST_`.
const TEST_VARIABLES: [&str; 6] = [
    "NORMA_BROWSER",
    "NORMA_CORPUS",
    "NORMA_INTEROP",
    "NORMA_NODE_MODULES",
    "NORMA_VENV",
    "NORMA_WRITE_DOCS",
];

/// Similarity (Jaro and Winkler, from 0 to 1) above which a name may be what an unknown one was meant to be.
const MIN_SIMILARITY: f64 = 0.8;

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// The default that is documented in `default.toml`.
    Default,
    /// A configuration file, by its path.
    File(PathBuf),
    /// A variable of the environment, by its name.
    Environment(String),
    /// An option of the command line, which wins over all others.
    Flag,
    /// A command that sets the value itself, as `demo` does.
    Command,
}

impl std::fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Environment(name) => write!(f, "variable {name}"),
            Self::Flag => f.write_str("command line"),
            Self::Command => f.write_str("command"),
        }
    }
}

/// The reason why settings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// Path of the file that cannot be read.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file is not valid TOML.
    #[error("{} is not TOML: {message}", path.display())]
    NoToml {
        /// Path of the file that is not TOML.
        path: PathBuf,
        /// The position and the reason.
        message: String,
    },
    /// A key that means nothing.
    #[error("{origin}: there is no setting `{key}`{}", question(did_you_mean.as_deref()))]
    UnknownKey {
        /// The origin of the value.
        origin: SettingOrigin,
        /// The key as written.
        key: String,
        /// The nearest one that exists.
        did_you_mean: Option<String>,
    },
    /// A value that does not fit.
    #[error("{origin}: `{key}`: {message}")]
    BadValue {
        /// The origin of the value.
        origin: SettingOrigin,
        /// Name of the setting as configuration files write it.
        key: String,
        /// What the value may be, and what was found.
        message: String,
    },
    /// Values that cannot work, each on a line.
    #[error("{}", lines(.0))]
    Unusable(Vec<(SettingOrigin, UnusableSetting)>),
}

fn question(did_you_mean: Option<&str>) -> String {
    match did_you_mean {
        Some(key) => format!("; did you mean `{key}`?"),
        None => String::new(),
    }
}

fn lines(found: &[(SettingOrigin, UnusableSetting)]) -> String {
    let mut lines = Vec::new();
    for (origin, unusable) in found {
        lines.push(format!("{origin}: {unusable}"));
    }
    lines.join("\n")
}

/// Layers of values, with the origin of each value.
pub struct Layers {
    keys: Vec<SettingKey>,
    values: BTreeMap<String, (Value, SettingOrigin)>,
    secret_files: Vec<PathBuf>,
}

impl Default for Layers {
    fn default() -> Self {
        let keys = keys();
        let mut values = BTreeMap::new();
        for key in &keys {
            values.insert(key.name.clone(), (key.default.clone(), SettingOrigin::Default));
        }
        Self { keys, values, secret_files: Vec::new() }
    }
}

impl Layers {
    /// Lays a TOML file on top. `has_secret` says whether the value of a setting is to be kept from others.
    pub fn file(
        mut self,
        path: &Path,
        has_secret: impl Fn(&str, &Value) -> bool,
    ) -> Result<Self, SettingsError> {
        let origin = SettingOrigin::File(path.to_owned());
        for (section, entries) in read(path)? {
            let Value::Table(entries) = entries else {
                return Err(self.unknown(&section, origin));
            };
            for (name, value) in entries {
                if !self.keys.iter().any(|key| key.section == section && key.name == name) {
                    return Err(self.unknown(&format!("{section}.{name}"), origin));
                }
                if has_secret(&name, &value) && !self.secret_files.iter().any(|known| known == path) {
                    self.secret_files.push(path.to_owned());
                }
                self.values.insert(name, (value, origin.clone()));
            }
        }
        Ok(self)
    }

    /// Adds the environment as the top layer: `NORMA_<KEY>`, or `NORMA_<KEY>_FILE` with the name of a file.
    pub fn environment(self, variable: impl Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let mut layers = self;
        for key in layers.keys.clone() {
            let name = key.name.as_str();
            let plain = key.variable();
            let by_file = format!("{plain}_FILE");
            if let Some(path) = variable(&by_file) {
                let origin = SettingOrigin::Environment(by_file);
                let text = match std::fs::read_to_string(&path) {
                    Ok(text) => text,
                    Err(error) => {
                        let message = format!("cannot read {path}: {error}");
                        return Err(SettingsError::BadValue { origin, key: name.to_owned(), message });
                    }
                };
                layers.secret_files.push(path.into());
                layers = layers.set(name, text.trim_end(), origin)?;
            } else if let Some(text) = variable(&plain) {
                layers = layers.set(name, &text, SettingOrigin::Environment(plain))?;
            }
        }
        Ok(layers)
    }

    /// Variables that begin like those of settings but are not known, nor in `others`, each with the most
    /// similar known one. Those of Norma's own tests, and those that Kubernetes sets for a service named
    /// `norma`, are left out.
    pub fn unknown_variables(
        &self,
        set: impl Iterator<Item = String>,
        others: &[String],
    ) -> Vec<(String, Option<String>)> {
        let mut known: Vec<String> = Vec::new();
        for key in &self.keys {
            let name = key.variable();
            known.push(format!("{name}_FILE"));
            known.push(name);
        }
        known.extend_from_slice(others);
        let mut unknown = Vec::new();
        for name in set {
            if known.contains(&name) || is_foreign(&name) {
                continue;
            }
            // The common prefix would make all names similar.
            let Some(without_prefix) = name.strip_prefix(PREFIX) else { continue };
            let known_without_prefix = known.iter().map(|known| &known[PREFIX.len()..]);
            let near = nearest(without_prefix, known_without_prefix);
            let did_you_mean = near.map(|near| format!("{PREFIX}{near}"));
            unknown.push((name, did_you_mean));
        }
        unknown
    }

    /// Lays one value, typed as text, on top.
    pub fn set(mut self, name: &str, text: &str, origin: SettingOrigin) -> Result<Self, SettingsError> {
        let Some(key) = self.keys.iter().find(|key| key.name == name) else {
            return Err(self.unknown(name, origin));
        };
        match key.value(text) {
            Ok(value) => {
                self.values.insert(name.to_owned(), (value, origin));
                Ok(self)
            }
            Err(message) => Err(SettingsError::BadValue { origin, key: name.to_owned(), message }),
        }
    }

    /// The origin of the value in use.
    pub fn origin(&self, name: &str) -> Option<&SettingOrigin> {
        self.values.get(name).map(|(_, origin)| origin)
    }

    /// Files with secrets: those in variables `NORMA_…_FILE`, and a configuration file with a value that is
    /// one.
    pub fn secret_files(&self) -> &[PathBuf] {
        &self.secret_files
    }

    /// Every setting with its value and origin, in the order of the defaults.
    pub fn dump(&self) -> impl Iterator<Item = (&SettingKey, &Value, &SettingOrigin)> {
        self.keys.iter().filter_map(|key| {
            let (value, origin) = self.values.get(&key.name)?;
            Some((key, value, origin))
        })
    }

    /// The settings, when each value fits.
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        let mut table = Table::new();
        for (key, value, _) in self.dump() {
            let section = table.entry(&key.section).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(section) = section {
                section.insert(key.name.clone(), value.clone());
            }
        }
        Settings::deserialize(Value::Table(table)).map_err(|whole| self.blame(&whole))
    }

    /// The settings, when each value fits and `check` finds none that cannot work.
    pub fn checked(
        &self,
        check: impl Fn(&Settings, &mut SettingFindings),
    ) -> Result<Settings, SettingsError> {
        let settings = self.settings()?;
        let mut findings = SettingFindings::default();
        check(&settings, &mut findings);
        let mut found = Vec::new();
        for unusable in findings.into_vec() {
            let origin = self.origin(unusable.setting).cloned().unwrap_or(SettingOrigin::Default);
            found.push((origin, unusable));
        }
        if found.is_empty() { Ok(settings) } else { Err(SettingsError::Unusable(found)) }
    }

    /// Finds the invalid value: the one that, replaced by its default, makes the settings valid.
    fn blame(&self, whole: &toml::de::Error) -> SettingsError {
        for (key, value, origin) in self.dump() {
            if let Some(message) = message_against(key, value) {
                return SettingsError::BadValue { origin: origin.clone(), key: key.name.clone(), message };
            }
        }
        let message = whole.to_string();
        SettingsError::BadValue { origin: SettingOrigin::Default, key: "settings".to_owned(), message }
    }

    fn unknown(&self, name: &str, origin: SettingOrigin) -> SettingsError {
        let leaf = name.rsplit('.').next().unwrap_or(name);
        let near = nearest(leaf, self.keys.iter().map(|key| key.name.as_str()));
        let mut did_you_mean = None;
        if let Some(near) = near
            && let Some(key) = self.keys.iter().find(|key| key.name == near)
        {
            did_you_mean = Some(match origin {
                SettingOrigin::File(_) => format!("{}.{}", key.section, key.name),
                _ => key.name.clone(),
            });
        }
        SettingsError::UnknownKey { origin, key: name.to_owned(), did_you_mean }
    }
}

/// The error of settings that have this value and defaults otherwise; `None` if the value is valid.
fn message_against(key: &SettingKey, value: &Value) -> Option<String> {
    let mut table: Table = crate::DEFAULTS.parse().expect("the defaults are TOML");
    table[&key.section].as_table_mut()?.insert(key.name.clone(), value.clone());
    let error = Settings::deserialize(Value::Table(table)).err()?;
    Some(error.message().to_owned())
}

/// True if a variable is one of Norma's own tests, or one that Kubernetes sets for a service.
fn is_foreign(variable: &str) -> bool {
    let is_of_tests = variable.starts_with("NORMA_TEST_") || TEST_VARIABLES.contains(&variable);
    let is_of_kubernetes = variable.starts_with("NORMA_PORT")
        || variable.contains("_SERVICE_HOST")
        || variable.contains("_SERVICE_PORT");
    is_of_tests || is_of_kubernetes
}

/// The name that is most similar to another one, if any is similar.
fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut nearest = None;
    let mut greatest = MIN_SIMILARITY;
    for known in known {
        let similarity = strsim::jaro_winkler(name, known);
        if similarity > MIN_SIMILARITY && similarity >= greatest {
            greatest = similarity;
            nearest = Some(known);
        }
    }
    nearest
}

/// Reads a TOML file.
fn read(path: &Path) -> Result<Table, SettingsError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(source) => return Err(SettingsError::Unreadable { path: path.to_owned(), source }),
    };
    let error = match text.parse::<Table>() {
        Ok(table) => return Ok(table),
        Err(error) => error,
    };
    // Only the position, not the text: the line may have a password.
    let mut message = error.message().replace('\n', "; ");
    if let Some(span) = error.span()
        && let Some(before) = text.get(..span.start)
    {
        let line = before.matches('\n').count() + 1;
        message = format!("line {line}: {message}");
    }
    Err(SettingsError::NoToml { path: path.to_owned(), message })
}

impl Settings {
    /// The settings where nothing is configured.
    pub fn defaults() -> Self {
        Layers::default().settings().expect("the defaults are settings; a test holds that")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_environment(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn the_command_line_wins_over_the_environment_and_that_over_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("norma.toml");
        std::fs::write(&path, "[limits]\nrate-limit = 1\nrate-burst = 1\nrefused-limit = 1\n").unwrap();
        let variable =
            |name: &str| ["NORMA_RATE_BURST", "NORMA_REFUSED_LIMIT"].contains(&name).then(|| "2".to_owned());
        let layers = Layers::default().file(&path, |_, _| false).unwrap().environment(variable).unwrap();
        let settings = layers.set("refused-limit", "3", SettingOrigin::Flag).unwrap().settings().unwrap();
        let limits = (settings.limits.rate_limit, settings.limits.rate_burst, settings.limits.refused_limit);
        assert_eq!(limits, (1, 2, 3));
    }

    #[test]
    fn a_file_that_is_not_toml_is_refused_by_its_line_without_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("norma.toml");
        for line in ["store = \"postgres://norma:hush@db/norma", "store = postgres://norma:hush@db/norma"] {
            std::fs::write(&path, format!("[store]\n{line}\n")).unwrap();
            let error = Layers::default().file(&path, |_, _| false).map(|_| ()).unwrap_err().to_string();
            assert!(
                error.contains("line 2: ") && !error.contains("hush") && !error.contains('\n'),
                "{error}"
            );
        }
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest_one() {
        let error = Layers::default().set("ops-listn", "x", SettingOrigin::Flag).map(|_| ()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "command line: there is no setting `ops-listn`; did you mean `ops-listen`?"
        );
    }

    #[test]
    fn variables_that_mean_nothing_are_named_with_the_nearest_that_does() {
        let set = [
            "PATH",
            "NORMA_OPS_LISTN",
            "NORMA_STORE",
            "NORMA_STORE_FILE",
            "NORMA_BASE_URL",
            "NORMA_BASE_ULR",
            "NORMA_ZZ",
            "NORMA_PORT_8480_TCP_ADDR",
            "NORMA_OPS_SERVICE_PORT_HTTP",
        ];
        let others = ["NORMA_BASE_URL".to_owned()];
        let unknown = Layers::default().unknown_variables(set.iter().map(|name| (*name).to_owned()), &others);
        let unknown: Vec<(&str, Option<&str>)> =
            unknown.iter().map(|(name, near)| (name.as_str(), near.as_deref())).collect();
        assert_eq!(
            unknown,
            [
                ("NORMA_OPS_LISTN", Some("NORMA_OPS_LISTEN")),
                ("NORMA_BASE_ULR", Some("NORMA_BASE_URL")),
                ("NORMA_ZZ", None)
            ]
        );
    }

    #[test]
    fn a_value_that_does_not_fit_is_refused_by_its_name_and_origin() {
        let layers = Layers::default().set("clock-skew", "soon", SettingOrigin::Flag).unwrap();
        let text = layers.settings().map(|_| ()).unwrap_err().to_string();
        assert!(text.starts_with("command line: `clock-skew`: `soon` is not a valid duration"), "{text}");
        assert!(Layers::default().set("rate-limit", "many", SettingOrigin::Flag).is_err());
    }

    #[test]
    fn a_secret_is_read_from_the_file_that_a_variable_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        std::fs::write(&path, "postgres://norma@db/norma\n").unwrap();
        let variable = |name: &str| (name == "NORMA_STORE_FILE").then(|| path.display().to_string());
        let layers = Layers::default().environment(variable).unwrap();
        assert_eq!(layers.settings().unwrap().store.store, "postgres://norma@db/norma");
        assert_eq!(layers.secret_files(), [path]);
        assert!(Layers::default().environment(no_environment).is_ok());
    }
}
