//! Replacement of traces in a build without the Cargo feature `traces`: nothing is recorded, and a collector is refused.

use std::path::Path;
use std::time::Duration;

use axum::http::request::Parts;

use crate::config;
use crate::error::StartError;

/// Traces that cannot be recorded in this build.
#[derive(Clone, Debug, Default)]
pub struct Traces(());

impl Traces {
    /// Refuses a collector.
    pub fn start(settings: &config::Traces) -> Result<Self, StartError> {
        match settings.traces_endpoint.is_empty() {
            true => Ok(Self(())),
            false => Err(StartError::Setting {
                setting: "traces-endpoint",
                why: "this program was built without traces; leave the setting empty, or build it with the Cargo feature \
                      `traces`"
                    .to_owned(),
            }),
        }
    }

    /// Has nothing to send; no span is ever lost.
    pub async fn stop(&self, _limit: Duration) -> u64 {
        0
    }

    pub(crate) fn request(
        &self,
        _head: &Parts,
        _method_and_route: (&'static str, &'static str),
        _path: Option<&str>,
        _public_url: &str,
    ) -> Trace {
        Trace(())
    }

    pub(crate) fn document(&self, _path: &Path) -> Trace {
        Trace(())
    }
}

/// A trace that is never recorded.
#[derive(Clone, Default)]
pub(crate) struct Trace(());

impl Trace {
    pub(crate) fn step(&self, _name: &'static str) -> Step {
        Step
    }

    pub(crate) fn set_text(&self, _name: &'static str, _text: &str) {}

    pub(crate) fn set_number(&self, _name: &'static str, _number: i64) {}

    pub(crate) fn fail(&self, _class: &'static str) {}

    pub(crate) fn end(self) {}
}

/// A step that is never recorded.
#[must_use = "a step ends when it is dropped"]
pub(crate) struct Step;

impl Step {
    pub(crate) fn end(self) {}
}
