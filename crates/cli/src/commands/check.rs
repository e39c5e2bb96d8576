//! `norma check`: an ingest without the store.

use std::process::ExitCode;

use anyhow::bail;
use norma_ingest::{DocumentReport, IngestLimits, IngestVerdict, check};
use norma_settings::Layers;

use super::expand;
use super::ingest::IngestSummary;
use crate::args::CheckFormat;
use crate::print::style;
use crate::{args, print};

pub(crate) fn run(layers: Layers, options: args::Check) -> anyhow::Result<ExitCode> {
    let sources = expand(&options.paths)?;
    if options.urn.is_some() && (sources.len() != 1 || sources[0].is_dir()) {
        bail!("`--urn` is the URN of one document: expected one file, found several paths or a folder");
    }
    let mut summary = IngestSummary::new();
    check(
        sources,
        options.urn.as_ref(),
        &IngestLimits::new(&crate::settings::checked(&layers)?.ingest),
        |report| {
            summary.add(&report);
            show(&report, options.format);
        },
    );
    if options.format == CheckFormat::Text {
        print::line(summary.counts("good"));
    }
    Ok(summary.exit_code())
}

fn show(report: &DocumentReport, format: CheckFormat) {
    let document = report.document.display().to_string();
    match format {
        CheckFormat::Json => print::line(print::report(report)),
        CheckFormat::Github => {
            report.diagnostics.iter().for_each(|d| print::line(print::annotation(&document, d)));
            if let IngestVerdict::Refused(refusal) = &report.verdict {
                let text = match refusal.hint() {
                    Some(hint) => format!("{refusal} ({hint})"),
                    None => refusal.to_string(),
                };
                print::line(print::refusal_annotation(&document, &text));
            }
        }
        CheckFormat::Text => {
            for diagnostic in &report.diagnostics {
                print::diagnostic_line(&document, diagnostic);
                print::words(&[(style::FAINT, &format!("    {}", diagnostic.hint))]);
            }
            match (&report.verdict, &report.urn) {
                (IngestVerdict::Refused(refusal), _) => {
                    print::refusal_lines(&document, refusal).into_iter().for_each(print::line);
                }
                (IngestVerdict::Skipped(root), _) => {
                    print::line(format!("{document}: {}", print::skipped(root)))
                }
                (_, urn) => {
                    let urn = urn.as_ref().map(ToString::to_string).unwrap_or_default();
                    let tally = &report.tally;
                    print::line(format!(
                        "{document}: {urn}: {} sections, {} provisions, {} terms, {} graphics ({} with a file), {} tables, \
                         {} relations",
                        tally.sections,
                        tally.provisions,
                        tally.terms,
                        tally.graphics,
                        tally.available,
                        tally.tables,
                        tally.relations
                    ));
                }
            }
        }
    }
}
