//! Reports: the findings of a review in one order, and what was looked at.

use std::collections::{BTreeMap, BTreeSet};

use norma_api::shapes::CitationOutcome;
use serde::{Deserialize, Serialize};

use crate::advice;
use crate::citation_findings::of_citation;
use crate::finding::{FindingLevel, ReviewFinding, ReviewRule};
use crate::quotation_findings::of_quotation;
use crate::review::{QuotationOfStandard, Review, ScannedDocument};

/// Version of the form of reports in JSON.
pub const REPORT_VERSION: u32 = 1;

/// What a review found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewReport {
    /// The version of this form.
    pub report_version: u32,
    /// The day whose editions count.
    pub at: String,
    /// The findings by file, position and rule.
    pub findings: Vec<ReviewFinding>,
    /// How many findings the baseline hides.
    pub hidden: usize,
    /// The files.
    pub files: Vec<ReviewedFile>,
    /// Documents that are cited, and of which the caller may see no edition.
    pub unknown_documents: Vec<UnknownDocument>,
    /// Why the service could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// A file of a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewedFile {
    /// The file as it was named.
    pub file: String,
    /// Number of citations of standards.
    pub citations: usize,
    /// Number of quotations of standards.
    pub quotations: usize,
    /// Why it was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A document of which no edition is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct UnknownDocument {
    /// Its designation, as it is cited.
    pub document: String,
    /// How often it is cited.
    pub citations: usize,
}

/// Fingerprints of findings that were accepted: those of an earlier report in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewBaseline {
    fingerprints: BTreeSet<String>,
}

/// A baseline that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("it is not a report of `norma review --format json`: {0}")]
pub struct InvalidBaseline(#[from] serde_json::Error);

impl ReviewBaseline {
    /// Reads a report in JSON.
    ///
    /// # Errors
    /// It is something else.
    pub fn parse(json: &[u8]) -> Result<Self, InvalidBaseline> {
        #[derive(Deserialize)]
        struct AcceptedReport {
            findings: Vec<AcceptedFinding>,
        }
        #[derive(Deserialize)]
        struct AcceptedFinding {
            fingerprint: String,
        }
        let report: AcceptedReport = serde_json::from_slice(json)?;
        let fingerprints = report.findings.into_iter().map(|finding| finding.fingerprint).collect();
        Ok(Self { fingerprints })
    }
}

impl Review {
    /// The report, without what a baseline hides.
    pub fn report(&self, baseline: &ReviewBaseline) -> ReviewReport {
        let mut findings = Vec::new();
        let mut files = Vec::new();
        let mut unknown = BTreeMap::new();
        for document in &self.documents {
            let of_file = self.review_file(document, &mut unknown);
            files.push(of_file.file);
            findings.extend(of_file.findings);
        }
        findings.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        findings.dedup();
        let count = findings.len();
        findings.retain(|finding| !baseline.fingerprints.contains(&finding.fingerprint));
        files.sort_by(|a, b| a.file.cmp(&b.file));
        ReviewReport {
            report_version: REPORT_VERSION,
            at: self.at.to_string(),
            hidden: count - findings.len(),
            findings,
            files,
            unknown_documents: unknown
                .into_iter()
                .map(|(document, citations)| UnknownDocument { document, citations })
                .collect(),
            failure: self.failure().map(str::to_owned),
        }
    }

    fn review_file(&self, document: &ScannedDocument, unknown: &mut BTreeMap<String, usize>) -> FileReview {
        let citations = self.citations(document);
        let quotations = self.quotations(document);
        let mut findings = Vec::new();
        let mut without_location = BTreeSet::new();
        for cited in &citations {
            let text = &cited.cited.text;
            let quoted_in = self.quoted_in(text, &quotations);
            let of_one = of_citation(self, &document.name, cited, &quoted_in);
            if of_one.iter().any(|finding| finding.rule == ReviewRule::LocationUnknown) {
                without_location.insert(text.clone());
            }
            if self.is_unknown(cited) {
                *unknown.entry(cited.cited.document.text.clone()).or_default() += 1;
            }
            findings.extend(of_one);
        }
        for quotation in &quotations {
            let is_location_known = !without_location.contains(&quotation.citation);
            findings.extend(of_quotation(self, &document.name, quotation, is_location_known));
        }
        let file = ReviewedFile {
            file: document.name.clone(),
            citations: citations.len(),
            quotations: quotations.len(),
            error: document.error.as_ref().map(ToString::to_string),
        };
        FileReview { file, findings }
    }

    /// The units that have what is quoted with a citation, if its place does not exist and all quotations
    /// are in the same units.
    fn quoted_in(&self, citation: &str, quotations: &[QuotationOfStandard]) -> String {
        let is_unknown = self
            .resolution(citation)
            .is_some_and(|answer| answer.outcome == CitationOutcome::LocationUnknown);
        if !is_unknown {
            return String::new();
        }
        let mut names = BTreeSet::new();
        for quotation in quotations.iter().filter(|quotation| quotation.citation == citation) {
            if let Some(item) = self.verification(quotation) {
                names.insert(advice::unit_names(&item.units));
            }
        }
        match names.pop_first() {
            Some(name) if names.is_empty() => name,
            _ => String::new(),
        }
    }

    fn is_unknown(&self, cited: &crate::review::CitationOfStandard) -> bool {
        let is_unknown = self
            .resolution(&cited.cited.text)
            .is_some_and(|answer| answer.outcome == CitationOutcome::EditionUnknown);
        is_unknown && self.other_edition(&cited.cited.document).is_none()
    }
}

struct FileReview {
    file: ReviewedFile,
    findings: Vec<ReviewFinding>,
}

/// What findings are sorted by: file, position, rule, and what makes them different.
fn sort_key(finding: &ReviewFinding) -> (&str, (u8, u32), ReviewRule, &str, &str) {
    use crate::finding::FindingPosition;
    let position = match finding.position {
        FindingPosition::Line { line } => (0, line),
        FindingPosition::Paragraph { part: "body", paragraph } => (1, paragraph),
        FindingPosition::Paragraph { part: "footnotes", paragraph } => (2, paragraph),
        FindingPosition::Paragraph { paragraph, .. } => (3, paragraph),
    };
    (&finding.file, position, finding.rule, &finding.citation, &finding.fingerprint)
}

impl ReviewReport {
    /// The number of findings of a level.
    pub fn count(&self, level: FindingLevel) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }

    /// The report as JSON, indented, with a line end.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("the report has text keys");
        json.push('\n');
        json
    }

    /// One line that says how many findings there are.
    pub fn summary(&self) -> String {
        let citations: usize = self.files.iter().map(|file| file.citations).sum();
        let quotations: usize = self.files.iter().map(|file| file.quotations).sum();
        format!(
            "{} files, {citations} citations, {quotations} quotations: {} errors, {} warnings, {} notes, {} hidden",
            self.files.len(),
            self.count(FindingLevel::Error),
            self.count(FindingLevel::Warning),
            self.count(FindingLevel::Note),
            self.hidden
        )
    }
}
