//! `norma doctor`: what is wrong, and what to do about it, from either side.

use std::process::ExitCode;

use norma_service::config::Layers;
use norma_service::doctor;
use serde_json::json;

use super::caller::builder;
use crate::args::{self, DoctorFormat};
use crate::print;

pub(crate) async fn run(layers: Layers, options: args::Doctor) -> anyhow::Result<ExitCode> {
    let (format, findings) = match options {
        args::Doctor::Caller(options) => {
            let args::DoctorCaller { caller, base_url, service_client_id, format } = *options;
            let mut builder = builder(caller, &base_url)?;
            if let Some(id) = service_client_id {
                builder = builder.service_client_id(id);
            }
            let findings = builder.diagnose().await;
            (format, findings.into_iter().map(|it| (it.check, it.message, it.fix)).collect())
        }
        args::Doctor::Operator { format } => {
            let now = crate::clock::now().try_into()?;
            let findings = doctor::diagnose(&layers.settings()?, layers.secret_files(), now).await;
            (format, findings.into_iter().map(|it| (it.check, it.said, it.fix)).collect::<Vec<_>>())
        }
    };
    let sick = findings.iter().any(|(_, _, fix)| fix.is_some());
    for (check, said, fix) in findings {
        match (format, fix) {
            (DoctorFormat::Json, fix) => {
                print::line(json!({ "check": check, "ok": fix.is_none(), "said": said, "fix": fix }));
            }
            (DoctorFormat::Text, None) => print::line(format!("ok       {check}: {said}")),
            (DoctorFormat::Text, Some(fix)) => {
                print::line(format!("problem  {check}: {said}"));
                print::line(format!("         to do: {fix}"));
            }
        }
    }
    Ok(if sick { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
