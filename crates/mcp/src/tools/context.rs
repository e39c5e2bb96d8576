//! Context of the tools: calls of the service and citations, words of closed lists.

use crate::api_calls::ApiCalls;
use crate::citer::{CitableUnit, Citer};
use crate::failure::{ToolFailure, ToolFailureKind};
use crate::unit::CitedText;

/// What every tool needs.
pub(crate) struct ToolContext {
    pub(crate) calls: ApiCalls,
    pub(crate) citer: Citer,
}

impl ToolContext {
    /// Adds to each unit its citation. `reference` is that of the edition with this URN.
    pub(crate) async fn cite(
        &self,
        units: &mut [CitedText],
        urn: &str,
        reference: &str,
    ) -> Result<(), ToolFailure> {
        let mut citable = Vec::with_capacity(units.len());
        for unit in units.iter() {
            citable.push(CitableUnit {
                urn: urn.to_owned(),
                reference: reference.to_owned(),
                kind: unit.kind.parse().map_err(|_| unexpected("a unit of an unknown kind"))?,
                id: unit.id.clone(),
                label: unit.label.clone(),
            });
        }
        let cites = self.citer.cite(&self.calls, &citable).await?;
        for (unit, cite) in units.iter_mut().zip(cites) {
            // The citation has the label.
            if cite.is_some() {
                unit.label = None;
            }
            unit.cite = cite;
        }
        Ok(())
    }
}

/// The failure of an answer that the program cannot shape.
pub(super) fn unexpected(reason: &str) -> ToolFailure {
    ToolFailure::new(
        ToolFailureKind::Unexpected,
        format!(
            "The service answered in a form that this program does not know, report this to its operator: {reason}"
        ),
    )
}

/// Parses words of a closed list.
pub(super) fn words<T: std::str::FromStr<Err: std::fmt::Display>>(
    name: &str,
    words: &[String],
) -> Result<Vec<T>, ToolFailure> {
    let mut parsed = Vec::with_capacity(words.len());
    for word in words {
        match word.parse() {
            Ok(word) => parsed.push(word),
            Err(error) => return Err(ToolFailure::invalid(format!("Correct `{name}`: {error}."))),
        }
    }
    Ok(parsed)
}
