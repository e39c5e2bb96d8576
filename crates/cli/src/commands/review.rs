//! `norma review`: whether what documents say about standards is true, as a caller.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use norma_client::ClientError;
use norma_review::{
    DocumentError, DocumentFormat, FindingLevel, MAX_DOCUMENT_BYTES, Review, ReviewBaseline, ReviewDocument,
    ReviewReport, read_document,
};

use super::{caller, expand, write_private};
use crate::args::{ReviewArguments, ReviewFormat};
use crate::{clock, print};

/// Exit code where the service cannot be asked, so that nothing is known.
const SERVICE_AWAY: u8 = 3;

pub(crate) async fn run(options: ReviewArguments) -> anyhow::Result<ExitCode> {
    let baseline = match &options.baseline {
        Some(file) => read_baseline(file)?,
        None => ReviewBaseline::default(),
    };
    let mut documents = Vec::new();
    for path in expand(&options.files)? {
        documents.push(read_file(&path)?);
    }
    let today = today()?;
    let mut review = Review::new(documents, options.at.unwrap_or(today), today);
    let client = &caller::client(options.caller, &options.base_url)?;
    let asked = review
        .ask(
            |request| async move { client.resolve_citations(&request).await },
            |request| async move { client.verify_quotations(&request).await },
        )
        .await;
    if let Err(error) = asked {
        match error {
            // Nothing could ever be asked with these options.
            ClientError::Config(_) | ClientError::Credential { .. } | ClientError::TokenRefused { .. } => {
                return Err(error.into());
            }
            error => review.fail(error.to_string()),
        }
    }
    let report = review.report(&baseline);
    write_report(&report, options.format, options.output.as_deref())?;
    Ok(exit_code(&report, options.fail_on))
}

/// The present day in the time zone of this machine.
fn today() -> anyhow::Result<Date> {
    let now = Timestamp::try_from(clock::now()).context("cannot read the clock of this machine")?;
    Ok(now.to_zoned(TimeZone::system()).date())
}

fn read_baseline(file: &Path) -> anyhow::Result<ReviewBaseline> {
    let json = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    ReviewBaseline::parse(&json).with_context(|| format!("{} is not a baseline", file.display()))
}

/// Reads a document. One that is damaged does not stop the others.
fn read_file(path: &Path) -> anyhow::Result<ReviewDocument> {
    let size = std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len();
    let blocks = match DocumentFormat::of_name(path) {
        Err(error) => Err(error),
        Ok(_) if size > MAX_DOCUMENT_BYTES => Err(DocumentError::TooLarge(size)),
        Ok(format) => {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            read_document(format, &bytes)
        }
    };
    Ok(ReviewDocument { name: name(path), blocks })
}

/// The name of a file in the report: from the present folder on where it is in that.
fn name(path: &Path) -> String {
    let present = std::env::current_dir().ok();
    let relative = present.and_then(|folder| path.strip_prefix(folder).ok().map(PathBuf::from));
    let plain = relative.unwrap_or_else(|| path.strip_prefix(".").unwrap_or(path).to_owned());
    plain.to_string_lossy().into_owned()
}

fn write_report(report: &ReviewReport, format: ReviewFormat, output: Option<&Path>) -> anyhow::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let text = match format {
        ReviewFormat::Table if output.is_none() => {
            print_table(report);
            None
        }
        ReviewFormat::Table => Some(lines(report)),
        ReviewFormat::Json => Some(report.to_json()),
        ReviewFormat::Sarif => Some(report.to_sarif(version)),
        ReviewFormat::Html => Some(report.to_html(version)),
    };
    match (text, output) {
        (Some(text), Some(file)) => write_private(file, text)?,
        (Some(text), None) => print::bytes(text.as_bytes()),
        (None, _) => {}
    }
    for file in &report.files {
        if let Some(error) = &file.error {
            print::note(format!("norma: {} is not reviewed: {error}", file.file));
        }
    }
    if let Some(failure) = &report.failure {
        print::note(format!("norma: the service cannot be asked: {failure}"));
    }
    Ok(())
}

fn print_table(report: &ReviewReport) {
    if !report.findings.is_empty() {
        let mut table = print::table(&["level", "where", "rule", "citation", "message"]);
        for finding in &report.findings {
            let position = format!("{}:{}", finding.file, finding.position);
            let cells =
                [finding.level.as_str(), &position, finding.rule.id(), &finding.citation, &finding.message];
            table.add_row(cells);
        }
        table.print();
    }
    for unknown in &report.unknown_documents {
        print::line(format!(
            "{}: not checked, there is no edition that you may see ({} citations)",
            unknown.document, unknown.citations
        ));
    }
    print::line(report.summary());
}

/// The table as a file: a line for each finding, as compilers write them.
fn lines(report: &ReviewReport) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text += &format!(
            "{}:{}: {}[{}]: {}: {}\n",
            finding.file,
            finding.position,
            finding.level,
            finding.rule.id(),
            finding.citation,
            finding.message
        );
    }
    text + &report.summary() + "\n"
}

fn exit_code(report: &ReviewReport, fail_on: FindingLevel) -> ExitCode {
    if report.files.iter().any(|file| file.error.is_some()) {
        return ExitCode::from(2);
    }
    if report.failure.is_some() {
        return ExitCode::from(SERVICE_AWAY);
    }
    let has_failed = report.findings.iter().any(|finding| finding.level >= fail_on);
    ExitCode::from(u8::from(has_failed))
}
