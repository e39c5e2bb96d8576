//! Settings of the limits that callers meet.

use serde::Deserialize;

use super::Duration;

/// Limits that callers meet; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct Limits {
    pub rate_limit: u32,
    pub rate_burst: u32,
    pub refused_limit: u32,
    pub page_size: u32,
    pub max_page_size: u32,
    pub max_asset_references: usize,
    pub asset_url_lifetime: Duration,
}

/// No asset URL lives longer, whatever the setting says.
const LONGEST_ASSET_URL: std::time::Duration = std::time::Duration::from_secs(15 * 60);

impl Limits {
    /// Requests at once: never fewer than come back in a second.
    pub fn burst(&self) -> u32 {
        self.rate_burst.max(self.rate_limit)
    }

    /// How long the URL of an asset works.
    pub fn asset_url_life(&self) -> std::time::Duration {
        self.asset_url_lifetime.std().min(LONGEST_ASSET_URL)
    }
}
