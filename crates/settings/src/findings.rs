//! Findings of the checks that each crate makes of its own settings.

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("`{setting}`: {why}")]
pub struct UnusableSetting {
    /// Name of the setting as configuration files write it.
    pub setting: &'static str,
    /// The error, with what to do.
    pub why: String,
}

/// Settings that cannot work, collected by the checks of all crates.
#[derive(Debug, Default)]
pub struct SettingFindings(Vec<UnusableSetting>);

impl SettingFindings {
    /// Notes a setting unless its condition holds. `why` says what to write.
    pub fn expect(&mut self, setting: &'static str, holds: bool, why: &str) {
        if !holds {
            self.0.push(UnusableSetting { setting, why: why.to_owned() });
        }
    }

    /// Notes a setting that is 0, where 0 would mean that nothing is ever accepted, awaited or answered.
    pub fn expect_more_than_zero(&mut self, setting: &'static str, is_zero: bool) {
        self.expect(setting, !is_zero, "must be more than 0");
    }

    /// The settings that were noted, in the order of the checks.
    pub fn into_vec(self) -> Vec<UnusableSetting> {
        self.0
    }
}
