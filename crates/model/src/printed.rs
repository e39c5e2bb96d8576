//! Printed citations: a document, places in it, or both, as people write them in English, French and German.
//!
//! ```text
//! citation = document [ joint places ] / places [ of document ]
//! document = designation [ date ]     ; ISO 17301-1:2016   IEC 60204-1 (2016)   DIN 476, Ausgabe 2013-10
//! places   = place *( joint place )   ; 4.2   Clause 4 and Annex A   Tables 1 to 3   4.2 to 4.4
//! place    = [ word ] number *detail  ; Tabelle 2   4.2(1)   6.2.3 b)   5.3 Absatz 2   3.5, Note 1 to entry
//!          / detail of place          ; item b) of 6.2.3   Note 1 to 4.2
//! ```
//! A text is read as a whole or refused: a place that is guessed would lead to the wrong one.

mod cited;
mod document;
mod find;
mod location_reader;
mod locations;
mod normal;
mod running_text;
mod selection;
mod values;
mod word_lists;

pub use cited::{
    CitedLocation, DetailKind, LocationDetail, LocationKind, MAX_CITATION_LENGTH, MAX_CITED_LOCATIONS,
    PrintedDocument, RangeEnd, UnreadableCitation,
};
pub use find::{FoundLocation, MAX_FOUND_PARTS, OutlinePart};
pub use running_text::{CitationInText, citations_in};
pub use word_lists::{ANNEX_WORDS, CLAUSE_WORDS, FIGURE_WORDS, FORMULA_WORDS, TABLE_WORDS};

/// A citation taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedCitation {
    /// The cited document; `None` where the citation names places alone.
    pub document: Option<PrintedDocument>,
    /// The places in the order of the text; none where the document is cited as a whole.
    pub locations: Vec<CitedLocation>,
}

impl PrintedCitation {
    /// Reads a citation.
    ///
    /// ```
    /// use norma_model::printed::PrintedCitation;
    /// let citation = PrintedCitation::read("EN ISO 13849-1:2023-12, 6.2.3 b)")?;
    /// let document = citation.document.unwrap().citation;
    /// assert_eq!(document.urn.as_str(), "urn:en:std:en-iso:13849:-1");
    /// assert_eq!(document.year.as_deref(), Some("2023-12"));
    /// assert_eq!(citation.locations[0].to_string(), "6.2.3 item b");
    /// # Ok::<(), norma_model::printed::UnreadableCitation>(())
    /// ```
    ///
    /// # Errors
    /// The text is longer than [`MAX_CITATION_LENGTH`], names more than [`MAX_CITED_LOCATIONS`] places,
    /// or has something that is neither a designation nor a place.
    pub fn read(text: &str) -> Result<Self, UnreadableCitation> {
        let text = normal::normal(text)?;
        let text = word_lists::without_announcement(&text);
        if let Some(citation) = Self::with_locations_first(text)? {
            return Ok(citation);
        }
        let Some(found) = document::read(text) else { return Err(UnreadableCitation::at(text)) };
        let rest = &text[found.end..];
        let document = Some(found.document);
        if document::is_end(rest) || word_lists::is_remark(rest) {
            return Ok(Self { document, locations: Vec::new() });
        }
        let (locations, rest) = locations::after_document(rest)?;
        if rest.is_empty() || word_lists::is_remark(rest) {
            return Ok(Self { document, locations });
        }
        Err(UnreadableCitation::at(rest))
    }

    /// Places alone, or before their document: `Clause 4.2 of ISO 712`. `None` where the text does not begin
    /// with a place.
    fn with_locations_first(text: &str) -> Result<Option<Self>, UnreadableCitation> {
        let Some((locations, rest)) = locations::announced(text)? else { return Ok(None) };
        let rest = rest.trim_start();
        if rest.is_empty() {
            return Ok(Some(Self { document: None, locations }));
        }
        let Some(document) = word_lists::after_of(rest) else { return Ok(None) };
        match document::read(document) {
            Some(found) if document::is_end(&document[found.end..]) => {
                Ok(Some(Self { document: Some(found.document), locations }))
            }
            _ => Err(UnreadableCitation::at(document)),
        }
    }
}

impl CitedLocation {
    /// Reads places alone, also a bare number such as `4` or `A`.
    ///
    /// # Errors
    /// As of [`PrintedCitation::read`].
    pub fn read_all(text: &str) -> Result<Vec<Self>, UnreadableCitation> {
        let text = normal::normal(text)?;
        let text = word_lists::without_announcement(&text);
        let (locations, rest) = locations::all(text)?;
        if rest.is_empty() { Ok(locations) } else { Err(UnreadableCitation::at(rest)) }
    }
}
