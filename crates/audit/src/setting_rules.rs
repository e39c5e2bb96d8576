//! Check of the settings of the audit.

use norma_settings::{LogSettings, SettingFindings};

/// Notes settings of the audit that cannot work.
pub fn check_settings(log: &LogSettings, findings: &mut SettingFindings) {
    findings.expect_more_than_zero("audit-keep", log.audit_keep.is_zero());
    findings.expect_more_than_zero("audit-file-size", log.audit_file_size.bytes() == 0);
}
