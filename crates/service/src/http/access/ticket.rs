//! Signed URLs of assets: whom they were signed for, what they name, and whether they still hold.

use jiff::Timestamp;
use norma_api::problem::Code;
use norma_audit::AuditedStandard;
use norma_model::{Digest, Urn};
use norma_reads::{AssetTicket, Failure, failed};
use norma_store::{Day, Viewer};

use crate::http::context::RequestContext;
use crate::state::Shared;

/// An asset that a URL names which this service signed.
pub(in crate::http) struct SignedAsset {
    /// The caller for whom the URL was signed, today.
    pub(in crate::http) viewer: Viewer,
    pub(in crate::http) urn: Urn,
    pub(in crate::http) digest: Digest,
    /// Seconds until the URL expires.
    pub(in crate::http) seconds: i64,
}

impl SignedAsset {
    /// The asset that a signed text names.
    ///
    /// # Errors
    /// No key of the store signed it, or it has expired.
    pub(in crate::http) async fn open(
        shared: &Shared,
        context: &mut RequestContext,
        signed: &str,
        now: Timestamp,
    ) -> Result<Self, Failure> {
        let policy = shared.store.policy().await.map_err(failed)?;
        let ticket = AssetTicket::open(signed, &policy.signing_keys)
            .ok_or_else(|| Failure::new(Code::AssetUrlInvalid, "The signature does not fit this URL."))?;
        let viewer = Viewer::verified(&ticket.tenant, &ticket.client, Day::from_time(now.into()));
        let AssetTicket { urn, digest, tenant, client, expires } = ticket;
        context.caller = Some((tenant, client));
        let audited = AuditedStandard { urn: urn.as_str().into(), only_discovered: false };
        context.standards.standard = Some(audited);
        let seconds = expires - now.as_second();
        if seconds <= 0 {
            let detail = "This URL has expired; resolve the reference again.";
            return Err(Failure::new(Code::AssetUrlExpired, detail));
        }
        let urn = urn.parse().map_err(|error| Failure::internal(&error))?;
        Ok(Self { viewer, urn, digest: Digest::from_bytes(digest), seconds })
    }
}
