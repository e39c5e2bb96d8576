//! `norma usage`: reports of the reads of tenants in a month, from the audit files.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use norma_audit::usage::{self, Month, ReportContext, ReportKind, Titles};
use norma_settings::Layers;
use norma_store::Summary;

use super::editions::for_each_edition;
use crate::print;
use crate::settings::with_store;

/// Options of `norma usage`.
#[derive(Debug, Args)]
pub(crate) struct UsageArguments {
    /// The month, in UTC.
    #[arg(long, value_name = "YYYY-MM")]
    pub month: Month,
    /// Only the report of this tenant.
    #[arg(long, value_name = "ID")]
    pub tenant: Option<String>,
    /// Which reports.
    #[arg(long, value_enum, default_value_t = UsageReportName::Item)]
    pub report: UsageReportName,
    /// Form of the reports.
    #[arg(long, value_enum, default_value_t = UsageFormat::Json)]
    pub format: UsageFormat,
    /// Audit files instead of the one that `audit-file` names: of several instances, the file of each. Files
    /// that they were rotated to are found.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UsageFormat {
    /// JSON, one line for each tenant.
    Json,
    /// A table for each tenant, one after the other.
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UsageReportName {
    /// COUNTER's Item Report: reads of each standard.
    Item,
    /// COUNTER's Platform Report: searches, and reads of all standards together.
    Platform,
}

pub(crate) async fn run(layers: &Layers, options: UsageArguments) -> anyhow::Result<ExitCode> {
    let settings = crate::settings::checked(layers)?;
    let tenant = options.tenant.as_deref();
    let files = usage::audit_files(options.files, &settings.log.audit_file);
    let mut usage = usage::count(&files, options.month, tenant)?;
    let created: Timestamp = crate::clock::now().try_into()?;
    let titles = titles(layers, &usage).await.unwrap_or_else(|error| {
        print::note(format!("Tenants and standards are named by their ids: {}", print::chain(&error)));
        Titles::default()
    });
    let public_url = url::Url::parse(&settings.http.public_url).ok();
    let context = ReportContext {
        titles: &titles,
        platform: public_url.as_ref().and_then(|url| url.host_str()).unwrap_or("Norma"),
        created_by: concat!("Norma ", env!("CARGO_PKG_VERSION")),
        created,
    };
    print::note("COUNTER-shaped, not audited: reads are counted as docs/operations.md says.");
    if created < usage.month().end() {
        print::note(format!("{} is not over.", usage.month()));
    }
    for notice in usage.notices() {
        print::note(format!("incomplete: {notice}"));
    }
    let kind = match options.report {
        UsageReportName::Item => ReportKind::Item,
        UsageReportName::Platform => ReportKind::Platform,
    };
    let month = usage.month();
    let mut is_nothing = true;
    while let Some(report) = usage.next_report() {
        is_nothing &= report.is_empty(kind);
        // The report of one tenant says that it is empty.
        if report.is_empty(kind) && options.tenant.is_none() {
            continue;
        }
        print::document(|out| match options.format {
            UsageFormat::Json => report.counter_json(kind, &context, out),
            UsageFormat::Csv => report.csv(kind, &context, out),
        })?;
    }
    if is_nothing {
        print::note(match kind {
            ReportKind::Item => format!("No standard was read in {month}."),
            ReportKind::Platform => format!("Nothing was read or searched for in {month}."),
        });
    }
    Ok(ExitCode::SUCCESS)
}

/// Names of tenants, and titles and publishers of the standards in the reports, as the store has them now.
async fn titles(layers: &Layers, usage: &usage::Usage) -> anyhow::Result<Titles> {
    let (_, store) = with_store(layers).await?;
    let tenants =
        store.policy().await?.tenants.iter().map(|tenant| (tenant.id.clone(), tenant.name.clone())).collect();
    let read: HashSet<&str> = usage.standards().collect();
    let mut standards = HashMap::new();
    for_each_edition(&store, |edition| {
        let Summary { urn, title, publisher, .. } = edition.summary;
        if read.contains(urn.as_str()) {
            standards.insert(urn.to_string(), (title, publisher));
        }
    })
    .await?;
    Ok(Titles { tenants, standards })
}
