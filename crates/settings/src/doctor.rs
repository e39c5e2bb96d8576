//! Settings of `norma doctor operator`.

use serde::Deserialize;

use crate::{Duration, Size};

/// Values that the examination of an installation expects; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct DoctorSettings {
    pub min_free_space: Size,
    pub expiry_notice: Duration,
    pub backup_path: String,
    pub max_backup_age: Duration,
}
