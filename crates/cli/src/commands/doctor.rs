//! `norma doctor`: problems of a caller or an installation, with their remedies.

use std::process::ExitCode;

use anstyle::Style;
use norma_service::doctor;
use norma_settings::Layers;
use serde_json::json;

use super::caller::builder;
use crate::print::style;
use crate::{args, print};

pub(crate) async fn run(layers: Layers, options: args::Doctor) -> anyhow::Result<ExitCode> {
    let (printed, findings) = match options {
        args::Doctor::Caller(options) => {
            let args::DoctorCaller { caller, base_url, service_client_id, printed } = *options;
            let mut builder = builder(caller, &base_url)?;
            if let Some(id) = service_client_id {
                builder = builder.service_client_id(id);
            }
            let findings = builder.diagnose().await;
            (printed, findings.into_iter().map(|it| (it.check, it.message, it.fix)).collect())
        }
        args::Doctor::Operator(printed) => {
            let now = crate::clock::now().try_into()?;
            let findings =
                doctor::diagnose(&crate::settings::checked(&layers)?, layers.secret_files(), now).await;
            (printed, findings.into_iter().map(|it| (it.check, it.said, it.fix)).collect::<Vec<_>>())
        }
    };
    let sick = findings.iter().any(|(_, _, fix)| fix.is_some());
    for (check, said, fix) in findings {
        if printed.is_json() {
            print::line(json!({ "check": check, "ok": fix.is_none(), "said": said, "fix": fix }));
            continue;
        }
        let word = if fix.is_none() { "ok" } else { "problem" };
        print::words(&[(style::of(word), &format!("{word:9}")), (Style::new(), &format!("{check}: {said}"))]);
        if let Some(fix) = fix {
            print::line(format!("         to do: {fix}"));
        }
    }
    Ok(if sick { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
