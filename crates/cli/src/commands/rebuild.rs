//! `norma rebuild`: stored standards derived again from their sources, after an upgrade.

use std::process::ExitCode;

use indicatif::ProgressBar;
use norma_ingest::{DocumentRefusal, IngestLimits, Rebuilt, rebuild};
use norma_model::{ProvisionId, Urn};
use norma_settings::Layers;
use serde_json::{Value, json};

use crate::settings::with_store;
use crate::{args, print};

pub(crate) async fn run(layers: Layers, options: args::Rebuild) -> anyhow::Result<ExitCode> {
    let (settings, store) = with_store(&layers).await?;
    let limits = IngestLimits::new(&settings.ingest);
    let mut shown =
        RebuildOutput { bar: print::progress(), is_json: options.printed.is_json(), done: 0, failed: 0 };
    let problems = rebuild(&store, &limits, options.urns, options.all, options.share, |outcome, known| {
        shown.bar.set_length(known as u64);
        shown.bar.inc(1);
        shown.show(outcome);
    })
    .await?;
    let RebuildOutput { bar, is_json, done, failed } = shown;
    bar.finish_and_clear();
    problems.iter().for_each(print::note);
    let line = format!("{done} rebuilt, {failed} failed");
    if is_json {
        print::note(line)
    } else {
        print::line(line)
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// What is printed while editions are rebuilt, and how many were.
struct RebuildOutput {
    bar: ProgressBar,
    is_json: bool,
    done: u64,
    failed: u64,
}

impl RebuildOutput {
    fn show(&mut self, outcome: Result<Rebuilt, (Urn, DocumentRefusal)>) {
        match outcome {
            Ok(rebuilt) => {
                self.done += 1;
                if self.is_json {
                    let object = json_of(&rebuilt);
                    self.bar.suspend(|| print::line(object));
                } else {
                    self.bar.suspend(|| show_changes(&rebuilt));
                }
            }
            Err((urn, refusal)) => {
                self.failed += 1;
                self.bar.suspend(|| print::note(format!("{urn}: {refusal}")));
            }
        }
    }
}

fn json_of(rebuilt: &Rebuilt) -> Value {
    let Rebuilt { urn, former_urn, urn_taken, came, went, stayed, changed } = rebuilt;
    let list = |ids: &[ProvisionId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut pairs = Vec::with_capacity(changed.len());
    for (old, new) in changed {
        pairs.push(json!({"from": old.to_string(), "to": new.to_string()}));
    }
    json!({
        "urn": urn.to_string(), "formerUrn": former_urn.as_ref().map(ToString::to_string), "warning": urn_taken,
        "addedIds": list(came), "retiredIds": list(went), "keptIds": stayed, "changedIds": pairs,
    })
}

/// Prints the counts of an edition, then its new names and ids line by line.
fn show_changes(rebuilt: &Rebuilt) {
    let Rebuilt { urn, former_urn, urn_taken, came, went, stayed, changed } = rebuilt;
    print::line(format!(
        "{urn}: {} provision ids came, {} went, {} of them changed, {stayed} stayed",
        came.len(),
        went.len(),
        changed.len()
    ));
    if let Some(former) = former_urn {
        print::line(format!("  renamed from {former}, which is an alias now"));
    }
    if let Some(why) = urn_taken {
        print::line(format!("  warning: {why}"));
    }
    for id in came {
        print::line(format!("  + {id}"));
    }
    for id in went {
        print::line(format!("  - {id}"));
    }
    for (old, new) in changed {
        print::line(format!("  {old} -> {new}"));
    }
}
