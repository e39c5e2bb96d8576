//! Settings of the full-text search.

use serde::Deserialize;

use crate::Size;

/// The full-text search; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct SearchSettings {
    pub search: bool,
    pub search_dir: String,
    pub search_memory: Size,
}
