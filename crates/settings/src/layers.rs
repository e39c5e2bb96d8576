//! Layers: defaults below, then the file, the environment and the command line; the topmost value counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use crate::{SettingFindings, SettingKey, Settings, UnusableSetting, keys};

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// The documented default.
    Default,
    /// A configuration file.
    File(PathBuf),
    /// A variable of the environment, by its name.
    Environment(String),
    /// The command line.
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
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file is not valid TOML.
    #[error("{} is not TOML: {message}", path.display())]
    NoToml {
        /// The file.
        path: PathBuf,
        /// The position and the reason.
        message: String,
    },
    /// A key that means nothing.
    #[error("{origin}: there is no setting `{key}`{}", did_you_mean.as_ref().map(|k| format!("; did you mean `{k}`?")).unwrap_or_default())]
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
        /// The setting.
        key: String,
        /// The allowed values.
        message: String,
    },
    /// Values that cannot work, each on a line.
    #[error("{}", lines(.0))]
    Unusable(Vec<(SettingOrigin, UnusableSetting)>),
}

fn lines(found: &[(SettingOrigin, UnusableSetting)]) -> String {
    let lines: Vec<String> = found.iter().map(|(origin, unusable)| format!("{origin}: {unusable}")).collect();
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
        let values =
            keys.iter().map(|k| (k.name.clone(), (k.default.clone(), SettingOrigin::Default))).collect();
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
        let text = read(path)?;
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            // Only the position, not the text: the line may have a password.
            let line = error
                .span()
                .and_then(|span| text.get(..span.start))
                .map(|before| before.matches('\n').count() + 1);
            let line = line.map_or(String::new(), |line| format!("line {line}: "));
            let message = format!("{line}{}", error.message().replace('\n', "; "));
            SettingsError::NoToml { path: path.to_owned(), message }
        })?;
        for (section, entries) in table {
            let Value::Table(entries) = entries else {
                return Err(self.unknown(&section, origin));
            };
            for (name, value) in entries {
                if !self.keys.iter().any(|k| k.section == section && k.name == name) {
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
        for name in layers.keys.iter().map(|k| k.name.clone()).collect::<Vec<_>>() {
            let key = layers.key(&name, SettingOrigin::Flag)?;
            let plain = key.variable();
            let by_file = format!("{plain}_FILE");
            if let Some(path) = variable(&by_file) {
                let text = std::fs::read_to_string(&path).map_err(|error| SettingsError::BadValue {
                    origin: SettingOrigin::Environment(by_file.clone()),
                    key: name.clone(),
                    message: format!("cannot read {path}: {error}"),
                })?;
                layers.secret_files.push(path.into());
                layers = layers.set(&name, text.trim_end(), SettingOrigin::Environment(by_file))?;
            } else if let Some(text) = variable(&plain) {
                layers = layers.set(&name, &text, SettingOrigin::Environment(plain))?;
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
        let of_settings = self.keys.iter().map(SettingKey::variable);
        let known: Vec<String> = of_settings
            .flat_map(|name| [format!("{name}_FILE"), name])
            .chain(others.iter().cloned())
            .collect();
        let is_foreign = |name: &str| {
            ["NORMA_TEST_", "NORMA_PORT"].iter().any(|start| name.starts_with(start))
                || name.contains("_SERVICE_HOST")
                || name.contains("_SERVICE_PORT")
                || [
                    "NORMA_BROWSER",
                    "NORMA_CORPUS",
                    "NORMA_INTEROP",
                    "NORMA_NODE_MODULES",
                    "NORMA_VENV",
                    "NORMA_WRITE_DOCS",
                ]
                .contains(&name)
        };
        let unknown =
            set.filter(|name| name.starts_with("NORMA_") && !known.contains(name) && !is_foreign(name));
        unknown
            .map(|name| {
                let near =
                    nearest(&name["NORMA_".len()..], known.iter().map(|known| &known["NORMA_".len()..]));
                let near = near.map(|near| format!("NORMA_{near}"));
                (name, near)
            })
            .collect()
    }

    /// Lays one value, typed as text, on top.
    pub fn set(mut self, name: &str, text: &str, origin: SettingOrigin) -> Result<Self, SettingsError> {
        let value = self.key(name, origin.clone())?.value(text).map_err(|message| {
            SettingsError::BadValue { origin: origin.clone(), key: name.to_owned(), message }
        })?;
        self.values.insert(name.to_owned(), (value, origin));
        Ok(self)
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
        self.keys.iter().filter_map(|key| self.values.get(&key.name).map(|(v, o)| (key, v, o)))
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
        let fault = self.dump().find_map(|(key, value, origin)| {
            let mut alone: Table = crate::DEFAULTS.parse().expect("the defaults are TOML");
            alone[&key.section].as_table_mut()?.insert(key.name.clone(), value.clone());
            let error = Settings::deserialize(Value::Table(alone)).err()?;
            Some((key.name.clone(), origin.clone(), error.message().to_owned()))
        });
        let (key, origin, message) =
            fault.unwrap_or_else(|| ("settings".to_owned(), SettingOrigin::Default, whole.to_string()));
        SettingsError::BadValue { origin, key, message }
    }

    fn key(&self, name: &str, origin: SettingOrigin) -> Result<&SettingKey, SettingsError> {
        self.keys.iter().find(|k| k.name == name).ok_or_else(|| self.unknown(name, origin))
    }

    fn unknown(&self, name: &str, origin: SettingOrigin) -> SettingsError {
        let leaf = name.rsplit('.').next().unwrap_or(name);
        let near = nearest(leaf, self.keys.iter().map(|key| key.name.as_str()));
        let near = near.and_then(|near| self.keys.iter().find(|key| key.name == near));
        let did_you_mean = near.map(|key| match origin {
            SettingOrigin::File(_) => format!("{}.{}", key.section, key.name),
            _ => key.name.clone(),
        });
        SettingsError::UnknownKey { origin, key: name.to_owned(), did_you_mean }
    }
}

/// The name that is most similar to another one, if any is similar.
fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let likeness = known.map(|known| (strsim::jaro_winkler(name, known), known));
    let nearest = likeness.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (nearest.0 > 0.8).then_some(nearest.1)
}

fn read(path: &Path) -> Result<String, SettingsError> {
    std::fs::read_to_string(path)
        .map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })
}

impl Settings {
    /// The documented defaults.
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
