//! `norma config` and `norma openapi`: documents about the program itself.

use std::process::ExitCode;

use norma_service::config::{DEFAULTS, Layers};

use crate::{args, print};

pub(crate) fn run(layers: &Layers, typed: args::Config) -> anyhow::Result<ExitCode> {
    match typed {
        args::Config::Defaults => print::line(DEFAULTS.trim_end()),
        args::Config::Dump => {
            let mut table = print::table(&["setting", "value", "from"]);
            for (key, value, origin) in layers.dump() {
                table.add_row([
                    format!("{}.{}", key.section, key.name),
                    without_secret(&value.to_string()),
                    origin.to_string(),
                ]);
            }
            print::line(table);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The only secrets in settings are user and password in URLs.
fn without_secret(value: &str) -> String {
    match (value.find("://"), value.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 <= at => format!("{}…{}", &value[..scheme + 3], &value[at..]),
        _ => value.to_owned(),
    }
}

pub(crate) fn openapi() -> anyhow::Result<ExitCode> {
    print::line(serde_json::to_string_pretty(&norma_api::openapi::snapshot())?);
    Ok(ExitCode::SUCCESS)
}
