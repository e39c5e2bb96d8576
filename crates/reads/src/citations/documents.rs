//! Documents of a request: which edition each citation of it is of, looked up once.

use std::collections::HashMap;
use std::sync::Arc;

use norma_api::problem::Code;
use norma_model::Identifier;
use norma_model::printed::{CitedLocation, PrintedCitation, PrintedDocument};

use crate::Failure;
use crate::access::{Access, CitedEditionLookup};
use crate::as_of::AsOf;

/// The documents of a request, with the editions that they mean to its caller.
pub(crate) struct CitedDocuments {
    as_of: AsOf,
    known: HashMap<DocumentKey, Arc<CitedEditionLookup>>,
}

/// What makes two citations mean the same edition.
#[derive(PartialEq, Eq, Hash)]
enum DocumentKey {
    /// URN, text and date of a designation.
    Printed(String, String, Option<String>),
    /// The standard that the request names for places alone.
    Standard(Identifier),
    /// No document.
    None,
}

impl CitedDocuments {
    /// Those of a request that is answered as of a day.
    pub(crate) fn new(as_of: AsOf) -> Self {
        Self { as_of, known: HashMap::new() }
    }

    /// The day of the request.
    pub(crate) fn as_of(&self) -> &AsOf {
        &self.as_of
    }

    /// The edition of a document, or that of the standard where there is no document.
    pub(crate) async fn edition(
        &mut self,
        access: &mut Access<'_>,
        document: Option<&PrintedDocument>,
        standard: Option<&Identifier>,
    ) -> Result<Arc<CitedEditionLookup>, Failure> {
        let key = DocumentKey::of(document, standard);
        if let Some(found) = self.known.get(&key) {
            return Ok(Arc::clone(found));
        }
        let found = match (document, standard) {
            (Some(document), _) => access.edition_of_citation(document, &self.as_of).await?,
            (None, Some(standard)) => match access.edition_of_locations(standard, &self.as_of).await? {
                Some(found) => CitedEditionLookup::One(found),
                None => CitedEditionLookup::Unknown,
            },
            (None, None) => CitedEditionLookup::Unknown,
        };
        let found = Arc::new(found);
        self.known.insert(key, Arc::clone(&found));
        Ok(found)
    }
}

impl DocumentKey {
    fn of(document: Option<&PrintedDocument>, standard: Option<&Identifier>) -> Self {
        match (document, standard) {
            (Some(document), _) => {
                let urn = document.citation.urn.to_string();
                Self::Printed(urn, document.text.clone(), document.citation.year.clone())
            }
            (None, Some(standard)) => Self::Standard(standard.clone()),
            (None, None) => Self::None,
        }
    }
}

/// The standard that the member `urn` of a body names.
///
/// # Errors
/// The URN is not valid.
pub(crate) fn standard_of(urn: Option<&str>) -> Result<Option<Identifier>, Failure> {
    let Some(urn) = urn else { return Ok(None) };
    match Identifier::parse(urn) {
        Ok(identifier) => Ok(Some(identifier)),
        Err(error) => {
            let detail = format!("`urn`: expected the URN of a standard: {error}.");
            Err(Failure::new(Code::InvalidBody, detail))
        }
    }
}

/// Reads a citation. Where the request names a standard, a bare number is a place of it.
///
/// # Errors
/// The reason why it cannot be read, as a sentence.
pub(crate) fn read_citation(text: &str, has_standard: bool) -> Result<PrintedCitation, String> {
    match PrintedCitation::read(text) {
        Ok(citation) => Ok(citation),
        Err(error) => match CitedLocation::read_all(text) {
            Ok(locations) if has_standard => Ok(PrintedCitation { document: None, locations }),
            _ => Err(format!("{error}.")),
        },
    }
}

/// The reason why there is no edition of a citation, as a sentence.
pub(crate) fn unknown_edition(
    document: Option<&PrintedDocument>,
    has_standard: bool,
    as_of: &AsOf,
) -> String {
    let on_day = match as_of.day() {
        Some(day) => format!(" and that was published by {day}"),
        None => String::new(),
    };
    match document {
        Some(document) => {
            let named = document_name(document);
            format!("There is no edition of `{named}` that you may see{on_day}.")
        }
        None if has_standard => {
            format!("There is no standard with the URN in `urn` that you may see{on_day}.")
        }
        None => "The citation names no document; send the URN of the standard in `urn`.".to_owned(),
    }
}

/// The designation of a document with its date.
fn document_name(document: &PrintedDocument) -> String {
    let text = &document.text;
    match &document.citation.year {
        Some(year) if !text.contains(year.as_str()) => format!("{text} ({year})"),
        _ => text.clone(),
    }
}
