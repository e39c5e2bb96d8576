//! Two editions that a caller may compare: both are visible to them, and at least one may be read.

use std::sync::Arc;

use norma_api::Operation;
use norma_api::query::AskedRevision;
use norma_editions::earlier::{NamedRevision, Revisions};
use norma_model::{Identifier, Urn};
use norma_store::{EarlierRevision, EditionHandle, GrantedEdition, Level};

use super::{Access, is_exact, require_level, required_level};
use crate::Failure;
use crate::edition::AuthorizedEdition;
use crate::failed::{failed, unlicensed};
use crate::pair_side::PairSide;
use crate::revision_failure::no_such_revision;
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
    /// Path and parameter have the canonical URNs. Else the answer says which editions were meant.
    pub(crate) is_exact: bool,
    /// The earlier revision of each edition that is compared; `None` for the present one.
    pub(crate) earlier: [Option<EarlierRevision>; 2],
    /// A revision was named, so that both may be of one edition.
    pub(crate) is_of_revision: bool,
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
        let mut readable = None;
        if granted.iter().all(|one| one.level() >= Level::Read) {
            let authorized = |one: &GrantedEdition| AuthorizedEdition::new(one.clone(), is_exact, services);
            readable = Some(granted.each_ref().map(authorized));
        }
        Ok(Self {
            granted,
            compared,
            readable,
            named,
            is_exact,
            earlier: [None, None],
            is_of_revision: false,
        })
    }

    /// The pair of an edition, which is on the side `named`, and another one in a revision; or of its own two
    /// revisions. The caller may read both.
    fn with_revision(mut self, revision: NamedRevision) -> Self {
        self.is_of_revision = true;
        if let NamedRevision::Earlier(earlier) = revision {
            self.earlier[self.named.opposite().index()] = Some(earlier);
        }
        self
    }

    /// The name of the compared revision of an edition.
    pub(crate) fn revision(&self, side: usize) -> &str {
        match &self.earlier[side] {
            Some(earlier) => &earlier.revision,
            None => &self.granted[side].entry().revision,
        }
    }

    /// The canonical URN of the older and of the newer edition.
    pub(crate) fn urns(&self) -> [&Urn; 2] {
        self.granted.each_ref().map(|one| &one.entry().summary.urn)
    }
}

/// The source that a revision of an edition means, which the caller may read.
///
/// # Errors
/// There is none; the answer says which there are.
pub(crate) async fn named_revision(
    granted: &GrantedEdition,
    name: &AskedRevision,
    parameter: &'static str,
) -> Result<NamedRevision, Failure> {
    let urn = &granted.entry().summary.urn;
    let handle = granted.readable().ok_or_else(|| unlicensed(urn))?;
    let revisions = Revisions::read(&handle).await.map_err(failed)?;
    revisions.find(name).map_err(|error| no_such_revision(error, urn, name, &revisions, parameter))
}

impl Access<'_> {
    /// The edition in the path and the one to compare it with.
    ///
    /// # Errors
    /// The caller may not see one of them, one was recalled, or the caller may read neither. With a revision
    /// of the second edition: the caller may not read both, or there is no such revision.
    pub(crate) async fn pair(
        &mut self,
        operation: Operation,
        id: &Identifier,
        (with, revision): (&Identifier, Option<&AskedRevision>),
    ) -> Result<GrantedPair, Failure> {
        let _authorizing = self.authorizing.take();
        let level = match revision {
            Some(_) => Level::Read,
            None => required_level(operation),
        };
        // Both are looked for before anything is said of either.
        let first = self.find(id).await?;
        let second = self.find(with).await?;
        let first = require_level(&mut self.standards.standard, first, level)?;
        let second = require_level(&mut self.standards.other, second, level)?;
        let is_exact = is_exact(id, &first) && is_exact(with, &second);
        let Some(name) = revision else {
            return GrantedPair::new((first, second), is_exact, &self.services);
        };
        let named = named_revision(&second, name, "withRevision").await?;
        let pair = GrantedPair::new((first, second), is_exact, &self.services)?;
        Ok(pair.with_revision(named))
    }

    /// An authorized edition and another one of the same caller, or itself, in an earlier revision; `None`
    /// where the caller may not read the other one.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn pair_of_revision(
        &mut self,
        edition: &AuthorizedEdition,
        urn: &str,
        earlier: EarlierRevision,
    ) -> Result<Option<GrantedPair>, Failure> {
        let pair = self.pair_of_lineages(edition, urn).await?;
        Ok(pair.map(|pair| pair.with_revision(NamedRevision::Earlier(earlier))))
    }

    /// The revisions of an edition that the caller may read, by the URN of it; `None` where they may not.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn revisions_of(
        &mut self,
        edition: &AuthorizedEdition,
        urn: &str,
    ) -> Result<Option<Revisions>, Failure> {
        let Some(other) = edition.granted().other(urn).await.map_err(failed)? else { return Ok(None) };
        let Some(handle) = other.readable() else { return Ok(None) };
        let revisions = Revisions::read(&handle).await.map_err(failed)?;
        Ok(Some(revisions))
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
        let Some(other) = granted.other(urn).await.map_err(failed)? else { return Ok(None) };
        let pair = GrantedPair::new((granted.clone(), other), true, &self.services)?;
        Ok(Some(pair))
    }
}
