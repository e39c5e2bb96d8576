//! `norma usage`: reports of what tenants read in a month, from the audit files.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use norma_service::config::Layers;
use norma_service::usage::{self, Month, Origin};

use crate::print;

/// Options of `norma usage`.
#[derive(Debug, Args)]
pub(crate) struct Usage {
    /// The month, in UTC.
    #[arg(long, value_name = "YYYY-MM")]
    pub month: Month,
    /// Only the report of this tenant.
    #[arg(long, value_name = "ID")]
    pub tenant: Option<String>,
    /// Form of the reports.
    #[arg(long, value_enum, default_value_t = Format::CounterJson)]
    pub format: Format,
    /// Audit files instead of the one that `audit-file` names: of several instances, the file of each. Files that they were rotated to
    /// are found.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// COUNTER's Item Report in JSON, one line for each tenant.
    CounterJson,
    /// COUNTER's Item Report as a table, one after the other.
    Csv,
}

pub(crate) fn run(layers: &Layers, options: Usage) -> anyhow::Result<ExitCode> {
    let settings = layers.settings()?;
    let tenant = options.tenant.as_deref();
    let files = usage::audit_files(options.files, &settings.log.audit_file);
    let mut usage = usage::count(&files, options.month, tenant)?;
    let created: Timestamp = crate::clock::now().try_into()?;
    let public_url = url::Url::parse(&settings.http.public_url).ok();
    let origin = Origin {
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
    if usage.is_empty() {
        print::note(format!("No standard was read in {}.", usage.month()));
    }
    while let Some(report) = usage.next_report()? {
        print::document(|out| match options.format {
            Format::CounterJson => report.counter_json(&origin, out),
            Format::Csv => report.csv(&origin, out),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
