//! Check of the settings of an ingest.

use norma_settings::{IngestSettings, SettingFindings};

/// Most earlier revisions of an edition: fewer than the catalogue has names of.
const MOST_EARLIER_REVISIONS: usize = 90;

/// Notes settings of an ingest that cannot work.
pub fn check_settings(ingest: &IngestSettings, findings: &mut SettingFindings) {
    findings.expect_more_than_zero("max-document-size", ingest.max_document_size.bytes() == 0);
    findings.expect_more_than_zero("max-file-size", ingest.max_file_size.bytes() == 0);
    findings.expect_more_than_zero("max-package-size", ingest.max_package_size.bytes() == 0);
    findings.expect_more_than_zero("max-package-files", ingest.max_package_files == 0);
    findings.expect(
        "earlier-revisions",
        ingest.earlier_revisions <= MOST_EARLIER_REVISIONS,
        "write 0 to 90: reading one decodes those after it",
    );
}
