//! `norma config` and `norma openapi`: documents about the program itself.

use std::process::ExitCode;

use norma_settings::{DEFAULTS, Layers, SettingOrigin, common_defaults};
use norma_store::redacted;
use serde_json::json;
use toml::Value;

use crate::{args, print};

pub(crate) fn run(layers: &Layers, options: args::Config) -> anyhow::Result<ExitCode> {
    match options {
        args::Config::Defaults { all: true } => print::lines(DEFAULTS.trim_end()),
        args::Config::Defaults { all: false } => print::lines(common_defaults()),
        args::Config::Dump(printed) => {
            let mut table = print::table(&["setting", "value", "from"]);
            for (key, value, origin) in layers.dump() {
                let (name, value) =
                    (format!("{}.{}", key.section, key.name), without_secret(&key.name, value));
                if printed.is_json() {
                    print::line(json!({"setting": name, "value": value, "from": origin.to_string()}));
                    continue;
                }
                let is_default = *origin == SettingOrigin::Default;
                let from = if is_default { String::new() } else { origin.to_string() };
                table.add_row([name, value.to_string(), from]);
            }
            if !printed.is_json() {
                table.print();
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A setting without its secrets: those in addresses, and the values of header fields.
fn without_secret(name: &str, value: &Value) -> Value {
    match value {
        Value::String(text) if name == "traces-headers" => {
            Value::String(text.split_once('=').map_or("…".to_owned(), |(header, _)| format!("{header}=…")))
        }
        Value::String(text) => Value::String(redacted(text)),
        Value::Array(values) => {
            Value::Array(values.iter().map(|value| without_secret(name, value)).collect())
        }
        other => other.clone(),
    }
}

pub(crate) fn openapi() -> anyhow::Result<ExitCode> {
    print::lines(serde_json::to_string_pretty(&norma_api::openapi::snapshot())?);
    Ok(ExitCode::SUCCESS)
}
