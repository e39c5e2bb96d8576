//! `norma ingest`: documents into the store.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use norma_service::config::Layers;
use norma_service::ingest::{Options, Report, Verdict, ingest};
use norma_service::traces::Traces;
use norma_store::Store;

use super::expand;
use crate::settings::with_store_made;
use crate::{args, print};

pub(crate) async fn run(layers: Layers, options: args::Ingest) -> anyhow::Result<ExitCode> {
    let sources = expand(&options.paths)?;
    if options.urn.is_some() && (sources.len() != 1 || sources[0].is_dir()) {
        bail!("`--urn` is the URN of one document: expected one file, found several paths or a folder");
    }
    let mut file = options
        .report
        .as_ref()
        .map(|path| {
            File::create(path).map(BufWriter::new).with_context(|| format!("cannot write {}", path.display()))
        })
        .transpose()?;
    let (settings, store) = with_store_made(&layers).await?;
    let traces = Traces::start(&settings.traces)?;
    let ingest = Options {
        settings: settings.ingest,
        urn: options.urn,
        replace: options.replace,
        repair: options.repair,
        traces: traces.clone(),
    };
    let mut written = Ok(());
    let summary = with_progress(&store, sources, &ingest, |report| {
        let json = (options.json || file.is_some()).then(|| print::report(report).to_string());
        if let (Some(file), Some(json), true) = (&mut file, &json, written.is_ok()) {
            written = writeln!(file, "{json}");
        }
        match json {
            Some(json) if options.json => print::line(json),
            _ => {}
        }
    })
    .await;
    let lost = traces.stop(settings.traces.traces_timeout.std()).await;
    if lost > 0 {
        print::note(format!("{lost} spans of traces were lost: look at `traces-endpoint` and the collector"));
    }
    written.and_then(|()| file.map_or(Ok(()), |mut f| f.flush())).context("cannot write the report")?;
    if !options.json {
        summary.print();
    }
    Ok(summary.exit_code())
}

/// Ingests with a bar; refusals and errors are reported as they come, `on` is shown each report.
pub(crate) async fn with_progress(
    store: &Store,
    sources: Vec<PathBuf>,
    options: &Options,
    mut on: impl FnMut(&Report),
) -> Summary {
    let bar = print::progress();
    let mut summary = Summary::new();
    let problems = ingest(store, sources, options, |report, known| {
        bar.set_length(known as u64);
        bar.inc(1);
        let document = report.document.display();
        match &report.verdict {
            Verdict::Refused(refusal) => {
                let lines = print::refusal_lines(&document.to_string(), refusal);
                bar.suspend(|| lines.iter().for_each(print::note));
            }
            Verdict::Skipped(root) => {
                bar.suspend(|| print::note(format!("{document}: {}", print::skipped(root))));
            }
            _ => {}
        }
        on(&report);
        summary.add(&report);
    })
    .await;
    bar.finish_and_clear();
    problems.iter().for_each(print::note);
    summary
}

/// What an ingest came to.
pub(crate) struct Summary {
    started: Instant,
    verdicts: BTreeMap<&'static str, u64>,
    diagnostics: BTreeMap<&'static str, u64>,
    counts: [(&'static str, u64); 4],
    bytes: u64,
    changed_ids: u64,
}

impl Summary {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            verdicts: BTreeMap::new(),
            diagnostics: BTreeMap::new(),
            counts: [("sections", 0), ("provisions", 0), ("terms", 0), ("graphics", 0)],
            bytes: 0,
            changed_ids: 0,
        }
    }

    fn add(&mut self, report: &Report) {
        *self.verdicts.entry(report.verdict.as_str()).or_default() += 1;
        for diagnostic in &report.diagnostics {
            *self.diagnostics.entry(diagnostic.code).or_default() += 1;
        }
        let tally = &report.tally;
        for (count, more) in
            self.counts.iter_mut().zip([tally.sections, tally.provisions, tally.terms, tally.graphics])
        {
            count.1 += more as u64;
        }
        self.bytes += tally.bytes;
        self.changed_ids += report.changed_ids.len() as u64;
    }

    fn of(&self, verdict: &str) -> u64 {
        self.verdicts.get(verdict).copied().unwrap_or_default()
    }

    /// 0: all good; 1: some refused; 2: nothing done.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let taken: u64 = ["created", "replaced", "unchanged"].map(|verdict| self.of(verdict)).iter().sum();
        ExitCode::from(match (taken, self.of("refused")) {
            (0, _) => 2,
            (_, 0) => 0,
            _ => 1,
        })
    }

    pub(crate) fn print(&self) {
        let mut table = print::table(&["documents", "count"]).with_numbers();
        let mut row = |what: &str, count: u64| table.add_row([what, &print::number(count)]);
        for verdict in ["created", "replaced", "unchanged", "skipped", "refused"] {
            row(verdict, self.of(verdict));
        }
        for (what, count) in self.counts {
            row(what, count);
        }
        if self.changed_ids > 0 {
            row("changed provision ids", self.changed_ids);
        }
        for (code, count) in &self.diagnostics {
            row(&format!("diagnostic {code}"), *count);
        }
        print::lines(table);
        let (seconds, megabytes) = (self.started.elapsed().as_secs_f64(), self.bytes as f64 / 1e6);
        let documents: u64 = self.verdicts.values().sum();
        print::line(format!(
            "{} documents, {megabytes:.1} MB in {seconds:.1} s: {:.1} documents/s, {:.2} MB/s",
            print::number(documents),
            documents as f64 / seconds,
            megabytes / seconds
        ));
    }
}
