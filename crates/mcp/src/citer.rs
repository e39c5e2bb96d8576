//! Citations of units: printed forms that the service itself has led to the same unit.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use norma_client::shapes::{CitationOutcome, CitationsRequest, CitedPartType, ResolvedCitation};

use crate::api_calls::ApiCalls;
use crate::failure::ToolFailure;

/// Most citations of one request (`max-citations` of the service).
const MOST_AT_ONCE: usize = 100;

/// Most units whose citations are remembered; then all are forgotten.
const MOST_REMEMBERED: usize = 20_000;

/// How long a citation is remembered. Another edition or language can make it ambiguous.
const REMEMBERED_FOR: Duration = Duration::from_secs(600);

/// A unit that is to be cited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CitableUnit {
    pub(crate) urn: String,
    pub(crate) reference: String,
    pub(crate) kind: CitedPartType,
    pub(crate) id: String,
    /// The label as printed, such as `Annex A`, or the number.
    pub(crate) label: Option<String>,
}

/// Finds citations, and remembers them for a while.
#[derive(Default)]
pub(crate) struct Citer {
    known: Mutex<HashMap<CitableUnit, (Option<String>, Instant)>>,
}

impl Citer {
    /// A citation of each unit, in order. A unit without a label that a citation can name is not cited.
    pub(crate) async fn cite(
        &self,
        calls: &ApiCalls,
        units: &[CitableUnit],
    ) -> Result<Vec<Option<String>>, ToolFailure> {
        let now = Instant::now();
        let mut cites: Vec<Option<String>> = vec![None; units.len()];
        let mut open = Vec::new();
        for (index, unit) in units.iter().enumerate() {
            match self.known(unit, now) {
                Some(cite) => cites[index] = cite,
                None => open.push(index),
            }
        }
        // The likeliest form of each unit first; the other forms of those that it does not lead to.
        let first: Vec<Vec<String>> =
            open.iter().map(|index| units[*index].forms().into_iter().take(1).collect()).collect();
        self.try_forms(calls, units, &open, &first, &mut cites).await?;
        let missed: Vec<usize> = open.iter().copied().filter(|index| cites[*index].is_none()).collect();
        let others: Vec<Vec<String>> =
            missed.iter().map(|index| units[*index].forms().into_iter().skip(1).collect()).collect();
        self.try_forms(calls, units, &missed, &others, &mut cites).await?;
        for index in open {
            self.remember(&units[index], cites[index].clone(), now);
        }
        Ok(cites)
    }

    /// Asks where forms lead, and notes for each unit the first one that leads to it.
    async fn try_forms(
        &self,
        calls: &ApiCalls,
        units: &[CitableUnit],
        indexes: &[usize],
        forms: &[Vec<String>],
        cites: &mut [Option<String>],
    ) -> Result<(), ToolFailure> {
        let mut asked: Vec<(usize, &String)> = Vec::new();
        for (index, forms) in indexes.iter().zip(forms) {
            asked.extend(forms.iter().map(|form| (*index, form)));
        }
        for some in asked.chunks(MOST_AT_ONCE) {
            let citations = some.iter().map(|(_, form)| (*form).clone()).collect();
            let request = CitationsRequest { citations, urn: None, at: None };
            let answer = calls.resolve_citations(&request).await?;
            for ((index, form), found) in some.iter().zip(&answer.items) {
                if cites[*index].is_none() && units[*index].is_found(found) {
                    cites[*index] = Some((*form).clone());
                }
            }
        }
        Ok(())
    }

    fn known(&self, unit: &CitableUnit, now: Instant) -> Option<Option<String>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (cite, since) = known.get(unit)?;
        if now.duration_since(*since) > REMEMBERED_FOR { None } else { Some(cite.clone()) }
    }

    fn remember(&self, unit: &CitableUnit, cite: Option<String>, now: Instant) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(unit.clone(), (cite, now));
    }
}

impl CitableUnit {
    /// Texts that may cite the unit, the likeliest first: by the reference, or by the URN where a citation by
    /// reference means another language or cannot be read.
    fn forms(&self) -> Vec<String> {
        let Some(label) = self.label.as_deref() else { return Vec::new() };
        let plain = label.trim_end_matches('.');
        let is_number = plain.starts_with(|c: char| c.is_ascii_digit());
        let mut printed = match self.kind {
            CitedPartType::Table if is_number => vec![format!("Table {plain}")],
            CitedPartType::Figure if is_number => vec![format!("Figure {plain}")],
            // `B(1)` alone is not read as a place of an annex.
            CitedPartType::Provision if !is_number && !plain.contains('.') => {
                vec![format!("Annex {plain}"), plain.to_owned()]
            }
            _ => vec![plain.to_owned()],
        };
        if self.kind == CitedPartType::Section && !plain.contains(' ') {
            printed.push(format!("Annex {plain}"));
        }
        if let Some((_, number)) = plain.split_once(' ') {
            printed.push(number.to_owned());
        }
        let mut forms = Vec::with_capacity(printed.len() * 2);
        for document in [&self.reference, &self.urn] {
            forms.extend(printed.iter().map(|location| format!("{document}, {location}")));
        }
        forms
    }

    /// True if a citation leads to this unit and to nothing else.
    fn is_found(&self, found: &ResolvedCitation<'_>) -> bool {
        if found.outcome != CitationOutcome::Resolved || found.urn.as_deref() != Some(self.urn.as_str()) {
            return false;
        }
        match found.locations.as_slice() {
            [only] => only.within.is_none() && only.id == self.id,
            _ => false,
        }
    }
}
