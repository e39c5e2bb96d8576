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
use norma_store::Store;

use super::expand;
use crate::settings::with_store;
use crate::{args, print};

pub(crate) async fn run(layers: Layers, typed: args::Ingest) -> anyhow::Result<ExitCode> {
    let sources = expand(&typed.paths)?;
    if typed.urn.is_some() && (sources.len() != 1 || sources[0].is_dir()) {
        bail!("`--urn` names one document; give one file");
    }
    let mut file = typed
        .report
        .as_ref()
        .map(|path| {
            File::create(path).map(BufWriter::new).with_context(|| format!("cannot write {}", path.display()))
        })
        .transpose()?;
    let (settings, store) = with_store(&layers).await?;
    let options = Options { settings: settings.ingest, urn: typed.urn, replace: typed.replace };
    let mut written = Ok(());
    let summary = with_progress(&store, sources, &options, |report| {
        let json = (typed.json || file.is_some()).then(|| print::report(report).to_string());
        if let (Some(file), Some(json), true) = (&mut file, &json, written.is_ok()) {
            written = writeln!(file, "{json}");
        }
        match json {
            Some(json) if typed.json => print::line(json),
            _ => {}
        }
    })
    .await;
    written.and_then(|()| file.map_or(Ok(()), |mut f| f.flush())).context("cannot write the report")?;
    if !typed.json {
        summary.print();
    }
    Ok(summary.exit_code())
}

/// Ingests with a bar; refusals and errors are told as they come, `on` is shown each report.
pub(crate) async fn with_progress(
    store: &Store,
    sources: Vec<PathBuf>,
    options: &Options,
    mut on: impl FnMut(&Report),
) -> Summary {
    let bar = print::progress();
    let mut summary = Summary::new();
    ingest(store, sources, options, |report, known| {
        bar.set_length(known as u64);
        bar.inc(1);
        if let Verdict::Refused(refusal) = &report.verdict {
            bar.suspend(|| eprintln!("{}: refused: {refusal}", report.document.display()));
        }
        on(&report);
        summary.add(&report);
    })
    .await;
    bar.finish_and_clear();
    summary
}

/// What an ingest came to.
pub(crate) struct Summary {
    started: Instant,
    verdicts: BTreeMap<&'static str, u64>,
    diagnostics: BTreeMap<&'static str, u64>,
    counts: [(&'static str, u64); 4],
    bytes: u64,
}

impl Summary {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            verdicts: BTreeMap::new(),
            diagnostics: BTreeMap::new(),
            counts: [("sections", 0), ("provisions", 0), ("terms", 0), ("graphics", 0)],
            bytes: 0,
        }
    }

    fn add(&mut self, report: &Report) {
        *self.verdicts.entry(print::verdict(&report.verdict)).or_default() += 1;
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
    }

    fn of(&self, verdict: &str) -> u64 {
        self.verdicts.get(verdict).copied().unwrap_or_default()
    }

    /// 0: all good; 1: some refused; 2: nothing done.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let taken: u64 =
            self.verdicts.iter().filter(|(word, _)| **word != "refused").map(|(_, count)| count).sum();
        ExitCode::from(match (taken, self.of("refused")) {
            (0, _) => 2,
            (_, 0) => 0,
            _ => 1,
        })
    }

    pub(crate) fn print(&self) {
        let mut table = print::table(&["what", "count"]);
        for verdict in ["created", "replaced", "unchanged", "refused"] {
            table.add_row([verdict.to_owned(), self.of(verdict).to_string()]);
        }
        for (what, count) in self.counts {
            table.add_row([what.to_owned(), count.to_string()]);
        }
        for (code, count) in &self.diagnostics {
            table.add_row([format!("diagnostic {code}"), count.to_string()]);
        }
        print::line(table);
        let seconds = self.started.elapsed().as_secs_f64();
        let megabytes = self.bytes as f64 / 1e6;
        print::line(format!("{megabytes:.1} MB in {seconds:.1} s"));
    }
}
