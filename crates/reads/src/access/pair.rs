//! Two editions that a caller may compare: both are visible to them, and at least one may be read.

use std::sync::Arc;

use norma_api::Operation;
use norma_model::{Identifier, Urn};
use norma_store::{EditionHandle, GrantedEdition, Level};

use super::{Access, is_exact, require_level, required_level};
use crate::Failure;
use crate::edition::AuthorizedEdition;
use crate::failed::{failed, unlicensed};
use crate::pair_side::PairSide;
use crate::services::RequestServices;

/// Two editions that a caller may compare, the older one first.
#[derive(Clone)]
pub(crate) struct GrantedPair {
    pub(crate) granted: [GrantedEdition; 2],
    /// The editions for their comparison, of which a caller who may read only one of them gets counts.
    pub(crate) compared: [EditionHandle; 2],
    /// The editions, where the caller may read both.
    pub(crate) readable: Option<[Arc<AuthorizedEdition>; 2]>,
    /// The side that the path names.
    pub(crate) named: PairSide,
    /// Whether path and parameter have the canonical URNs. Else the answer says which editions were meant.
    pub(crate) is_exact: bool,
}

impl GrantedPair {
    /// The pair of the edition in the path and another one.
    ///
    /// # Errors
    /// The caller may read neither.
    fn new(
        (first, second): (GrantedEdition, GrantedEdition),
        is_exact: bool,
        services: &RequestServices,
    ) -> Result<Self, Failure> {
        let named = if first.entry().precedes(second.entry()) { PairSide::Older } else { PairSide::Newer };
        let of_path = first.entry().summary.urn.clone();
        let granted = match named {
            PairSide::Older => [first, second],
            PairSide::Newer => [second, first],
        };
        let Some(compared) = granted[0].compared_with(&granted[1]) else { return Err(unlicensed(&of_path)) };
        let may_read_both = granted.iter().all(|one| one.level() >= Level::Read);
        let readable = may_read_both
            .then(|| granted.each_ref().map(|one| AuthorizedEdition::new(one.clone(), is_exact, services)));
        Ok(Self { granted, compared, readable, named, is_exact })
    }

    /// The canonical URN of the older and of the newer edition.
    pub(crate) fn urns(&self) -> [&Urn; 2] {
        self.granted.each_ref().map(|one| &one.entry().summary.urn)
    }
}

impl Access<'_> {
    /// The edition in the path and the one to compare it with.
    ///
    /// # Errors
    /// The caller may not see one of them, one was recalled, or the caller may read neither.
    pub(crate) async fn pair(
        &mut self,
        operation: Operation,
        id: &Identifier,
        with: &Identifier,
    ) -> Result<GrantedPair, Failure> {
        let _authorizing = self.authorizing.take();
        let level = required_level(operation);
        // Both are looked for before anything is said of either.
        let first = self.find(id).await?;
        let second = self.find(with).await?;
        let first = require_level(&mut self.standards.standard, first, level)?;
        let second = require_level(&mut self.standards.other, second, level)?;
        let is_exact = is_exact(id, &first) && is_exact(with, &second);
        GrantedPair::new((first, second), is_exact, &self.services)
    }

    /// An authorized edition and another one of the same caller, from which the lineages of ids come; `None`
    /// where the caller may not read that.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn pair_of_lineages(
        &mut self,
        edition: &AuthorizedEdition,
        urn: &str,
    ) -> Result<Option<GrantedPair>, Failure> {
        let granted = edition.granted();
        match granted.other(urn).await.map_err(failed)? {
            Some(other) => GrantedPair::new((granted.clone(), other), true, &self.services).map(Some),
            None => Ok(None),
        }
    }
}
