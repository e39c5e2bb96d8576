//! `norma check`: all of ingest but the store.

use std::process::ExitCode;

use anyhow::bail;
use norma_service::config::Layers;
use norma_service::ingest::{Report, Verdict, check};

use super::expand;
use crate::args::CheckFormat;
use crate::{args, print};

pub(crate) fn run(layers: Layers, options: args::Check) -> anyhow::Result<ExitCode> {
    let sources = expand(&options.paths)?;
    if options.urn.is_some() && (sources.len() != 1 || sources[0].is_dir()) {
        bail!("`--urn` is the URN of one document: expected one file, found several paths or a folder");
    }
    let (mut good, mut refused) = (0u64, 0u64);
    check(sources, options.urn.as_ref(), &layers.settings()?.ingest, |report| {
        match report.verdict {
            Verdict::Refused(_) => refused += 1,
            Verdict::Skipped(_) => {}
            _ => good += 1,
        }
        show(&report, options.format);
    });
    Ok(ExitCode::from(match (good, refused) {
        (0, _) => 2,
        (_, 0) => 0,
        _ => 1,
    }))
}

fn show(report: &Report, format: CheckFormat) {
    let document = report.document.display().to_string();
    match format {
        CheckFormat::Json => print::line(print::report(report)),
        CheckFormat::Github => {
            report.diagnostics.iter().for_each(|d| print::line(print::annotation(&document, d)));
            if let Verdict::Refused(refusal) = &report.verdict {
                let text = match refusal.hint() {
                    Some(hint) => format!("{refusal} ({hint})"),
                    None => refusal.to_string(),
                };
                print::line(print::refusal_annotation(&document, &text));
            }
        }
        CheckFormat::Text => {
            let lines = report.diagnostics.iter().flat_map(|d| print::diagnostic_lines(&document, d));
            lines.for_each(print::line);
            match (&report.verdict, &report.urn) {
                (Verdict::Refused(refusal), _) => {
                    print::refusal_lines(&document, refusal).into_iter().for_each(print::line);
                }
                (Verdict::Skipped(root), _) => print::line(format!("{document}: {}", print::skipped(root))),
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
