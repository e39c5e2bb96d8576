//! Quotations of a request, with what each is said to be from.

use norma_api::shapes::{QuotationsRequest, SentQuotation, UnverifiedCause};
use norma_model::printed::{CitedLocation, PrintedDocument};
use norma_model::{Identifier, ProvisionId};
use norma_quotations::Quotation;

use crate::Failure;
use crate::citations::{read_citation, standard_of};

/// A quotation of the request.
pub(super) struct AskedQuotation {
    pub(super) quotation: Quotation,
    pub(super) source: QuotationSource,
    pub(super) location: AskedLocation,
}

/// The document of a quotation.
pub(super) enum QuotationSource {
    /// A designation.
    Document(PrintedDocument),
    /// A URN.
    Standard(Identifier),
    /// The edition with this provision.
    Provision(ProvisionId),
}

/// Where in an edition a quotation is said to be.
pub(super) enum AskedLocation {
    /// Anywhere.
    Edition,
    /// At these places of a citation.
    Printed(Vec<CitedLocation>),
    /// In the part with this id.
    Id(String),
}

/// Why a quotation is not looked for.
pub(super) struct RefusedQuotation {
    pub(super) cause: UnverifiedCause,
    /// As a sentence.
    pub(super) reason: String,
}

/// Why a quotation without source is not looked for.
const NO_SOURCE: &str = "Nothing says which document is quoted; send `urn`, or a citation with a document.";

/// Reads the quotations of a request.
///
/// # Errors
/// A URN is not valid.
pub(super) fn read_all(
    request: &QuotationsRequest,
) -> Result<Vec<Result<AskedQuotation, RefusedQuotation>>, Failure> {
    let of_all = standard_of(request.urn.as_deref())?;
    let mut asked = Vec::with_capacity(request.quotations.len());
    for sent in &request.quotations {
        let standard = match standard_of(sent.urn.as_deref())? {
            Some(own) => Some(own),
            None => of_all.clone(),
        };
        asked.push(read(sent, standard));
    }
    Ok(asked)
}

fn read(sent: &SentQuotation, standard: Option<Identifier>) -> Result<AskedQuotation, RefusedQuotation> {
    let quotation = Quotation::new(&sent.text).map_err(|error| {
        let reason = format!("The text cannot be verified: {error}.");
        RefusedQuotation { cause: UnverifiedCause::QuotationUnreadable, reason }
    })?;
    let (source, location) = match (&sent.citation, &sent.id) {
        (Some(citation), _) => by_citation(citation, standard)?,
        (None, Some(id)) => by_id(id, standard)?,
        (None, None) => (standard.map(QuotationSource::Standard), AskedLocation::Edition),
    };
    match source {
        Some(source) => Ok(AskedQuotation { quotation, source, location }),
        None => Err(RefusedQuotation { cause: UnverifiedCause::NoSource, reason: NO_SOURCE.to_owned() }),
    }
}

fn by_citation(
    citation: &str,
    standard: Option<Identifier>,
) -> Result<(Option<QuotationSource>, AskedLocation), RefusedQuotation> {
    let read = read_citation(citation, standard.is_some())
        .map_err(|reason| RefusedQuotation { cause: UnverifiedCause::CitationUnreadable, reason })?;
    let source = match read.document {
        Some(document) => Some(QuotationSource::Document(document)),
        None => standard.map(QuotationSource::Standard),
    };
    let location = match read.locations.is_empty() {
        true => AskedLocation::Edition,
        false => AskedLocation::Printed(read.locations),
    };
    Ok((source, location))
}

/// The id of a provision says which edition it is of.
fn by_id(
    id: &str,
    standard: Option<Identifier>,
) -> Result<(Option<QuotationSource>, AskedLocation), RefusedQuotation> {
    let source = match standard {
        Some(standard) => Some(QuotationSource::Standard(standard)),
        None => id.parse().ok().map(QuotationSource::Provision),
    };
    Ok((source, AskedLocation::Id(id.to_owned())))
}
