//! Replacement for traces in a build without the Cargo feature `otlp`: nothing is recorded, and a collector
//! is refused.

#![expect(missing_docs, reason = "`spans` explains them")]

use std::path::Path;
use std::time::Duration;

use http::request::Parts;
use norma_settings::{TraceSettings, UnusableSetting};

use crate::TraceLimits;

/// Traces that cannot be recorded in this build.
#[derive(Clone, Debug, Default)]
pub struct Traces(());

impl Traces {
    /// Refuses a collector.
    pub fn start(settings: &TraceSettings, _limits: TraceLimits) -> Result<Self, UnusableSetting> {
        match settings.traces_endpoint.is_empty() {
            true => Ok(Self(())),
            false => Err(UnusableSetting {
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

    pub fn request(
        &self,
        _head: &Parts,
        _method_and_route: (&'static str, &'static str),
        _path: Option<&str>,
        _public_url: &str,
    ) -> Trace {
        Trace(())
    }

    pub fn document(&self, _path: &Path) -> Trace {
        Trace(())
    }
}

/// A trace that is never recorded.
#[derive(Clone, Default)]
pub struct Trace(());

impl Trace {
    pub fn step(&self, _name: &'static str) -> Step {
        Step
    }

    pub fn set_text(&self, _name: &'static str, _text: &str) {}

    pub fn set_number(&self, _name: &'static str, _number: i64) {}

    pub fn fail(&self, _class: &'static str) {}

    pub fn end(self) {}
}

/// A step that is never recorded.
#[must_use = "a step ends when it is dropped"]
pub struct Step;

impl Step {
    pub fn end(self) {}
}
