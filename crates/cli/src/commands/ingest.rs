//! `norma ingest`: documents into the store.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anstyle::Style;
use anyhow::{Context, bail};
use norma_files::FileReaders;
use norma_ingest::{DocumentReport, EditionTally, IngestLimits, IngestOptions, IngestVerdict, ingest};
use norma_settings::Layers;
use norma_store::Store;
use norma_sts::Severity;
use norma_traces::{TraceLimits, Traces};

use super::expand;
use crate::print::style;
use crate::settings::with_store_made;
use crate::{args, print};

pub(crate) async fn run(layers: Layers, options: args::Ingest) -> anyhow::Result<ExitCode> {
    let sources = expand(&options.paths)?;
    if options.urn.is_some() && (sources.len() != 1 || sources[0].is_dir()) {
        bail!("`--urn` is the URN of one document: expected one file, found several paths or a folder");
    }
    let mut file = None;
    if let Some(path) = &options.report {
        let created = norma_files::create(path, FileReaders::Umask);
        file = Some(BufWriter::new(created.with_context(|| format!("cannot write {}", path.display()))?));
    }
    let (settings, store) = with_store_made(&layers).await?;
    let limits = TraceLimits::default();
    let traces = Traces::start(&settings.traces, limits)?;
    let ingest = IngestOptions {
        limits: IngestLimits::new(&settings.ingest),
        urn: options.urn,
        replace: options.replace,
        repair: options.repair,
        share: options.share,
        traces: traces.clone(),
    };
    let is_json = options.printed.is_json();
    let mut written = Ok(());
    let summary = with_progress(&store, sources, &ingest, |report| {
        if !is_json && file.is_none() {
            show(report);
            return;
        }
        let json = print::report(report).to_string();
        // After an error, no more is written to the file.
        if let Some(file) = &mut file
            && written.is_ok()
        {
            written = writeln!(file, "{json}");
        }
        if is_json {
            print::line(json);
        } else {
            show(report);
        }
    })
    .await;
    let lost = traces.stop(limits.timeout).await;
    if lost > 0 {
        print::note(format!("{lost} spans of traces were lost: look at `traces-endpoint` and the collector"));
    }
    if let Some(mut file) = file {
        written.and_then(|()| file.flush()).context("cannot write the report")?;
    }
    if !is_json {
        summary.print();
    }
    Ok(summary.exit_code())
}

/// Ingests with a progress bar; refusals and errors are reported at once, and `on` gets each report.
pub(crate) async fn with_progress(
    store: &Store,
    sources: Vec<PathBuf>,
    options: &IngestOptions,
    mut on: impl FnMut(&DocumentReport),
) -> IngestSummary {
    let bar = print::progress();
    let mut summary = IngestSummary::new();
    let problems = ingest(store, sources, options, |report, known| {
        bar.set_length(known as u64);
        bar.inc(1);
        let document = report.document.display();
        match &report.verdict {
            IngestVerdict::Refused(refusal) => {
                let lines = print::refusal_lines(&document.to_string(), refusal);
                bar.suspend(|| lines.iter().for_each(print::note));
            }
            IngestVerdict::Skipped(root) => {
                bar.suspend(|| print::note(format!("{document}: {}", print::skipped(root))));
            }
            _ => {}
        }
        bar.suspend(|| on(&report));
        summary.add(&report);
    })
    .await;
    bar.finish_and_clear();
    problems.iter().for_each(print::note);
    summary
}

/// Shows one line for an accepted document, and one for each of its warnings and errors, with the file.
fn show(report: &DocumentReport) {
    let (verdict, document) = (report.verdict.as_str(), report.document.display().to_string());
    if let Some(urn) = &report.urn {
        let title = report.title.as_deref().unwrap_or_default();
        print::words(&[
            (style::of(verdict), &format!("{verdict:11}")),
            (style::FAINT, urn.as_str()),
            (Style::new(), &format!("  {title}")),
        ]);
    }
    for diagnostic in &report.diagnostics {
        if diagnostic.severity != Severity::Note {
            print::diagnostic_line(&document, diagnostic);
        }
    }
}

/// The counts of an ingest or a check.
pub(crate) struct IngestSummary {
    verdicts: BTreeMap<&'static str, u64>,
    severities: BTreeMap<Severity, u64>,
    tally: EditionTally,
    changed_ids: usize,
    started: Instant,
}

impl IngestSummary {
    pub(crate) fn new() -> Self {
        Self {
            verdicts: BTreeMap::new(),
            severities: BTreeMap::new(),
            tally: EditionTally::default(),
            changed_ids: 0,
            started: Instant::now(),
        }
    }

    pub(crate) fn add(&mut self, report: &DocumentReport) {
        *self.verdicts.entry(report.verdict.as_str()).or_default() += 1;
        for diagnostic in &report.diagnostics {
            *self.severities.entry(diagnostic.severity).or_default() += 1;
        }
        self.tally += report.tally;
        self.changed_ids += report.changed_ids.len();
    }

    /// Number of documents that were taken into the store, or that a check would let in.
    pub(crate) fn taken(&self) -> u64 {
        ["created", "replaced", "unchanged"].iter().filter_map(|verdict| self.verdicts.get(verdict)).sum()
    }

    /// 0: all good; 1: some refused; 2: nothing done.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match (self.taken(), self.verdicts.contains_key("refused")) {
            (0, _) => 2,
            (_, true) => 1,
            _ => 0,
        })
    }

    /// Counts of documents by result, and of diagnostics by severity: `3 documents: 2 created, 1 refused; 4
    /// warnings`.
    pub(crate) fn counts(&self, created: &str) -> String {
        let mut verdicts = Vec::new();
        for verdict in ["created", "replaced", "unchanged", "skipped", "refused"] {
            if let Some(count) = self.verdicts.get(verdict) {
                let word = if verdict == "created" { created } else { verdict };
                verdicts.push(format!("{} {word}", print::number(*count)));
            }
        }
        let mut severities = Vec::new();
        for (severity, count) in self.severities.iter().rev() {
            severities.push(counted(*count, print::severity(*severity)));
        }
        let mut line = counted(self.verdicts.values().sum(), "document");
        for (before, list) in [(": ", verdicts), ("; ", severities)] {
            if !list.is_empty() {
                line.push_str(before);
                line.push_str(&list.join(", "));
            }
        }
        line
    }

    fn print(&self) {
        let EditionTally { bytes, sections, provisions, terms, graphics, tables, .. } = self.tally;
        let counts = [
            (sections, "section"),
            (provisions, "provision"),
            (terms, "term"),
            (graphics, "graphic"),
            (tables, "table"),
            (self.changed_ids, "changed provision id"),
        ];
        let mut parts = Vec::new();
        for (count, of) in counts {
            if count > 0 {
                parts.push(counted(count as u64, of));
            }
        }
        print::line(self.counts("created"));
        if !parts.is_empty() {
            print::line(parts.join(", "));
        }
        let (seconds, megabytes) = (self.started.elapsed().as_secs_f64(), bytes as f64 / 1e6);
        let documents = self.verdicts.values().sum::<u64>() as f64;
        print::line(format!(
            "{megabytes:.1} MB in {seconds:.1} s: {:.1} documents/s, {:.2} MB/s",
            documents / seconds,
            megabytes / seconds
        ));
    }
}

/// A count of things: `1 warning`, `2 warnings`.
pub(crate) fn counted(count: u64, of: &str) -> String {
    format!("{} {of}{}", print::number(count), if count == 1 { "" } else { "s" })
}
