//! `norma rebuild`: stored standards derived again from their sources, after an upgrade.

use std::process::ExitCode;

use norma_ingest::{IngestLimits, Rebuilt, rebuild};
use norma_model::ProvisionId;
use norma_settings::Layers;
use serde_json::json;

use crate::settings::with_store;
use crate::{args, print};

pub(crate) async fn run(layers: Layers, options: args::Rebuild) -> anyhow::Result<ExitCode> {
    let (settings, store) = with_store(&layers).await?;
    let is_json = options.printed.is_json();
    let bar = print::progress();
    let (mut done, mut failed) = (0u64, 0u64);
    let problems = rebuild(&store, &IngestLimits::new(&settings.ingest), options.urns, options.all, |outcome, known| {
        bar.set_length(known as u64);
        bar.inc(1);
        match outcome {
            Ok(Rebuilt { urn, former_urn, urn_taken, came, went, stayed, changed }) => {
                done += 1;
                if is_json {
                    let list = |ids: &[ProvisionId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
                    let pair = |(old, new): &(ProvisionId, ProvisionId)| json!({"from": old.to_string(), "to": new.to_string()});
                    let object = json!({
                        "urn": urn.to_string(), "formerUrn": former_urn.map(|urn| urn.to_string()), "warning": urn_taken,
                        "addedIds": list(&came), "retiredIds": list(&went), "keptIds": stayed,
                        "changedIds": changed.iter().map(pair).collect::<Vec<_>>(),
                    });
                    bar.suspend(|| print::line(object));
                    return;
                }
                let text = format!(
                    "{urn}: {} provision ids came, {} went, {} of them changed, {stayed} stayed",
                    came.len(),
                    went.len(),
                    changed.len()
                );
                bar.suspend(|| {
                    print::line(text);
                    if let Some(former) = former_urn {
                        print::line(format!("  renamed from {former}, which is an alias now"));
                    }
                    if let Some(why) = urn_taken {
                        print::line(format!("  warning: {why}"));
                    }
                    came.iter().for_each(|id| print::line(format!("  + {id}")));
                    went.iter().for_each(|id| print::line(format!("  - {id}")));
                    changed.iter().for_each(|(old, new)| print::line(format!("  {old} -> {new}")));
                });
            }
            Err((urn, refusal)) => {
                failed += 1;
                bar.suspend(|| print::note(format!("{urn}: {refusal}")));
            }
        }
    })
    .await?;
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
