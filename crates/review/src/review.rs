//! A review: documents, the questions that they ask a service, and its answers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jiff::civil::Date;
use norma_api::shapes::{
    CitationOutcome, CitationsAnswer, CitationsRequest, QuotationsAnswer, QuotationsRequest,
    ResolvedCitation, SentQuotation, UnverifiedCause, VerifiedQuotation,
};
use norma_model::printed::{CitationInText, MAX_CITATION_LENGTH, PrintedDocument};
use norma_model::urn::find_publisher;
use norma_model::{Lang, Urn};

use crate::find::{
    LinkStrength, QuotationLink, ScannedBlock, bound_documents, linked_quotations, with_document,
};
use crate::language::language_of;
use crate::read::{DocumentBlock, DocumentError, DocumentPosition};

/// Most citations or quotations of one request: the default of `max-citations` and `max-quotations`.
const BATCH: usize = 100;
/// Most bytes of quotations in one request. A body may have 256 KiB, and JSON escapes some characters.
const BATCH_BYTES: usize = 96 * 1024;
/// Bytes of the first paragraphs that say the language of a document.
const LANGUAGE_SAMPLE: usize = 4000;
/// Most characters of a quotation that the service verifies.
const LONGEST_QUOTATION: usize = 2000;

/// A document to be reviewed.
#[derive(Clone, Debug)]
pub struct ReviewDocument {
    /// The file as it is named in reports.
    pub name: String,
    /// What was read.
    pub blocks: Result<Vec<DocumentBlock>, DocumentError>,
}

/// Documents in review.
#[derive(Debug)]
pub struct Review {
    /// Day whose editions count.
    pub(crate) at: Date,
    /// Whether that is the present day, so that the status of editions is that of the day.
    pub(crate) is_today: bool,
    pub(crate) documents: Vec<ScannedDocument>,
    resolved: BTreeMap<String, ResolvedCitation<'static>>,
    verified: BTreeMap<QuestionKey, VerifiedQuotation<'static>>,
    /// Why the service could not be asked.
    failure: Option<String>,
}

/// What is asked about a quotation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct QuestionKey {
    /// The citation; places alone, or empty, where there is a URN.
    citation: String,
    urn: Option<String>,
    text: String,
}

#[derive(Debug)]
pub(crate) struct ScannedDocument {
    pub(crate) name: String,
    pub(crate) error: Option<DocumentError>,
    blocks: Vec<DocumentBlock>,
    scanned: Vec<ScannedBlock>,
    /// The language of the first paragraphs, where it is certain.
    language: Option<Lang>,
}

/// What a citation cites.
#[derive(Clone, Debug)]
pub(crate) struct CitedStandard {
    /// The citation with its document, as it is sent.
    pub(crate) text: String,
    pub(crate) document: PrintedDocument,
    /// The places alone, as they are cited in English; empty without places.
    locations: String,
}

/// A citation of a standard.
#[derive(Clone, Debug)]
pub(crate) struct CitationOfStandard {
    pub(crate) position: DocumentPosition,
    pub(crate) cited: CitedStandard,
    pub(crate) citation: CitationInText,
}

/// A quotation with its citation.
#[derive(Clone, Debug)]
pub(crate) struct QuotationOfStandard {
    pub(crate) position: DocumentPosition,
    /// The citation as it is sent.
    pub(crate) citation: String,
    /// The citation of its document, with other places or none.
    document_citation: String,
    /// The places alone.
    locations: String,
    /// The words with single spaces.
    pub(crate) text: String,
    pub(crate) strength: LinkStrength,
    /// The language of the words, where it is certain.
    language: Option<Lang>,
}

impl Review {
    /// A review by the editions of a day, which is the present one or not.
    pub fn new(documents: Vec<ReviewDocument>, at: Date, today: Date) -> Self {
        let documents = documents.into_iter().map(ScannedDocument::of).collect();
        Self {
            at,
            is_today: at == today,
            documents,
            resolved: BTreeMap::new(),
            verified: BTreeMap::new(),
            failure: None,
        }
    }

    /// The requests for citations that are not answered yet. They are to be asked for until there are none:
    /// answers lead to further ones.
    pub fn citation_requests(&self) -> Vec<CitationsRequest> {
        if self.failure.is_some() {
            return Vec::new();
        }
        let mut citations = BTreeSet::new();
        for document in &self.documents {
            self.add_pending(document, &mut citations);
        }
        let citations: Vec<String> = citations.into_iter().collect();
        let at = Some(self.at.to_string());
        let request =
            |batch: &[String]| CitationsRequest { citations: batch.to_vec(), urn: None, at: at.clone() };
        citations.chunks(BATCH).map(request).collect()
    }

    fn add_pending(&self, document: &ScannedDocument, citations: &mut BTreeSet<String>) {
        let mut is_complete = true;
        for found in document.scanned.iter().flat_map(|scanned| &scanned.citations) {
            let Some(cited) = &found.citation.document else { continue };
            match self.resolved.get(&found.text) {
                None => {
                    is_complete = false;
                    citations.insert(found.text.clone());
                }
                // Another edition of the document may be known.
                Some(answer) if answer.outcome == CitationOutcome::EditionUnknown && cited.citation.dated => {
                    if !self.resolved.contains_key(&cited.citation.undated) {
                        is_complete = false;
                        citations.insert(cited.citation.undated.clone());
                    }
                }
                Some(_) => {}
            }
        }
        // To which document places alone belong is known once it is known what is a standard.
        if !is_complete {
            return;
        }
        for CitationOfStandard { cited, .. } in self.citations(document) {
            if !self.resolved.contains_key(&cited.text) {
                citations.insert(cited.text);
            }
        }
    }

    /// Notes the answer to a request.
    ///
    /// # Errors
    /// It has another number of items.
    pub fn resolved(
        &mut self,
        request: &CitationsRequest,
        answer: CitationsAnswer<'static>,
    ) -> Result<(), UnexpectedAnswer> {
        UnexpectedAnswer::check(request.citations.len(), answer.items.len())?;
        self.resolved.extend(request.citations.iter().cloned().zip(answer.items));
        Ok(())
    }

    /// The requests for quotations that are not answered yet, once all citations are resolved. They are to be
    /// asked for until there are none: a quotation in another language than the edition is looked for in the
    /// edition of its language first.
    pub fn quotation_requests(&self) -> Vec<QuotationsRequest> {
        if self.failure.is_some() {
            return Vec::new();
        }
        let mut pending: BTreeSet<QuestionKey> = BTreeSet::new();
        for document in &self.documents {
            for quotation in self.quotations(document) {
                pending.extend(self.next_question(&quotation));
            }
        }
        let mut requests: Vec<QuotationsRequest> = Vec::new();
        let mut bytes = 0;
        for QuestionKey { citation, urn, text } in pending {
            let size = citation.len() + text.len();
            let is_full = requests.last().is_none_or(|request| request.quotations.len() >= BATCH);
            if is_full || bytes + size > BATCH_BYTES {
                let at = Some(self.at.to_string());
                requests.push(QuotationsRequest { at, ..QuotationsRequest::default() });
                bytes = 0;
            }
            bytes += size;
            let citation = (!citation.is_empty()).then_some(citation);
            let sent = SentQuotation { text, citation, urn, id: None };
            if let Some(request) = requests.last_mut() {
                request.quotations.push(sent);
            }
        }
        requests
    }

    /// The question about a quotation that is to be asked next, if there is one.
    fn next_question(&self, quotation: &QuotationOfStandard) -> Option<QuestionKey> {
        if quotation.text.chars().count() > LONGEST_QUOTATION {
            return None;
        }
        for question in self.questions(quotation) {
            match self.verified.get(&question) {
                None => return Some(question),
                Some(answer) if has_no_edition(answer) => {}
                Some(_) => return None,
            }
        }
        None
    }

    /// The questions about a quotation in their order: of the edition in its language, and as it is cited.
    fn questions(&self, quotation: &QuotationOfStandard) -> Vec<QuestionKey> {
        let text = &quotation.text;
        let mut questions = Vec::new();
        if let Some(urn) = self.urn_in_language(quotation) {
            let citation = quotation.locations.clone();
            questions.push(QuestionKey { citation, urn: Some(urn), text: text.clone() });
        }
        questions.push(QuestionKey { citation: quotation.citation.clone(), urn: None, text: text.clone() });
        questions
    }

    /// The URN of the cited edition in the language of a quotation, where that is another one than the
    /// edition's.
    fn urn_in_language(&self, quotation: &QuotationOfStandard) -> Option<String> {
        let language = quotation.language.clone()?;
        let urn = self.resolved.get(&quotation.citation).and_then(|answer| answer.urn.as_ref());
        let urn: Urn = match urn {
            Some(urn) => urn.parse().ok()?,
            // Places in brackets were not resolved.
            None => self.resolved.get(&quotation.document_citation)?.urn.as_ref()?.parse().ok()?,
        };
        let partial = urn.as_partial();
        if partial.languages().contains(&language) {
            return None;
        }
        partial.with_edition(urn.edition(), &[language]).ok().map(|urn| urn.to_string())
    }

    /// Whether a quotation is in another language than the edition that its answer is of.
    pub(crate) fn is_translated(
        &self,
        quotation: &QuotationOfStandard,
        item: &VerifiedQuotation<'_>,
    ) -> bool {
        let Some(language) = &quotation.language else { return false };
        let urn: Option<Urn> = item.urn.as_ref().and_then(|urn| urn.parse().ok());
        urn.is_some_and(|urn| !urn.as_partial().languages().contains(language))
    }

    /// Notes the answer to a request.
    ///
    /// # Errors
    /// It has another number of items.
    pub fn verified(
        &mut self,
        request: &QuotationsRequest,
        answer: QuotationsAnswer<'static>,
    ) -> Result<(), UnexpectedAnswer> {
        UnexpectedAnswer::check(request.quotations.len(), answer.items.len())?;
        for (sent, item) in request.quotations.iter().zip(answer.items) {
            let citation = sent.citation.clone().unwrap_or_default();
            let key = QuestionKey { citation, urn: sent.urn.clone(), text: sent.text.clone() };
            self.verified.insert(key, item);
        }
        Ok(())
    }

    /// Notes that the service cannot be asked. What is not answered is unverified.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.failure = Some(reason.into());
    }

    /// Why the service could not be asked, if so.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// The answer for a citation.
    pub(crate) fn resolution(&self, citation: &str) -> Option<&ResolvedCitation<'static>> {
        self.resolved.get(citation)
    }

    /// The answer for a quotation: the first of those to its questions that is of an edition.
    pub(crate) fn verification(
        &self,
        quotation: &QuotationOfStandard,
    ) -> Option<&VerifiedQuotation<'static>> {
        let mut last = None;
        for question in self.questions(quotation) {
            let answer = self.verified.get(&question)?;
            if !has_no_edition(answer) {
                return Some(answer);
            }
            last = Some(answer);
        }
        last
    }

    /// Whether a citation with a document names a standard. Without an answer, a known publisher or a date
    /// says so; with one, an edition or a known publisher.
    pub(crate) fn is_standard(&self, found: &CitationInText) -> bool {
        let Some(document) = &found.citation.document else { return false };
        if find_publisher(document.citation.urn.publisher()).is_some() {
            return true;
        }
        match self.resolved.get(&found.text) {
            None => document.citation.dated,
            Some(answer) => is_known(answer) || self.other_edition(document).is_some(),
        }
    }

    /// The answer for the document of a citation whose date is of an edition that is not known.
    pub(crate) fn other_edition(&self, document: &PrintedDocument) -> Option<&ResolvedCitation<'static>> {
        self.resolved.get(&document.citation.undated).filter(|answer| is_known(answer))
    }

    /// The citations of standards in a document, without those in quotations of standards.
    pub(crate) fn citations(&self, document: &ScannedDocument) -> Vec<CitationOfStandard> {
        let cited = self.cited_standards(document);
        let mut quoted: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
        for link in document.links(&cited) {
            quoted.entry(link.block).or_default().push(link.range);
        }
        let mut citations = Vec::new();
        for (index, of_block) in cited.into_iter().enumerate() {
            let quoted = quoted.remove(&index).unwrap_or_default();
            for (number, cited) in of_block.into_iter().enumerate() {
                let Some(cited) = cited else { continue };
                let found = &document.scanned[index].citations[number];
                let is_quoted = quoted.iter().any(|range| is_within(&found.range, range));
                if is_quoted || cited.text.chars().count() > MAX_CITATION_LENGTH {
                    continue;
                }
                let position = document.blocks[index].position(found.range.start);
                citations.push(CitationOfStandard { position, cited, citation: found.clone() });
            }
        }
        citations
    }

    /// For each block, and each citation in it, the standard that it cites; `None` where its document is not
    /// a standard or not certain.
    fn cited_standards(&self, document: &ScannedDocument) -> Vec<Vec<Option<CitedStandard>>> {
        let mut cited = Vec::with_capacity(document.blocks.len());
        for (block, scanned) in document.blocks.iter().zip(&document.scanned) {
            cited.push(self.cited_in_block(block, scanned));
        }
        cited
    }

    fn cited_in_block(&self, block: &DocumentBlock, scanned: &ScannedBlock) -> Vec<Option<CitedStandard>> {
        let found = &scanned.citations;
        let bound = bound_documents(&block.text, scanned, |index| self.is_standard(&found[index]));
        let mut cited = Vec::with_capacity(found.len());
        for (one, holder) in found.iter().zip(bound) {
            let standard = match (&one.citation.document, holder) {
                (Some(document), _) if self.is_standard(one) => Some((one.text.clone(), document)),
                (None, Some(holder)) => {
                    let document = found[holder].citation.document.as_ref();
                    document.map(|document| (with_document(document, &one.text), document))
                }
                _ => None,
            };
            let standard = standard.map(|(text, document)| CitedStandard {
                text,
                document: document.clone(),
                locations: locations_of(one),
            });
            cited.push(standard);
        }
        cited
    }

    /// The quotations of a document that are said to be, or may be, from a standard.
    pub(crate) fn quotations(&self, document: &ScannedDocument) -> Vec<QuotationOfStandard> {
        let mut quotations = Vec::new();
        let cited = self.cited_standards(document);
        for link in document.links(&cited) {
            let (block, citation) = link.citation;
            let Some(cited) = &cited[block][citation] else { continue };
            let citation = match &link.locations {
                Some(locations) => with_document(&cited.document, locations),
                None => cited.text.clone(),
            };
            let text = link.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_citation = text.contains(&cited.document.text) && text.len() < citation.len() + 8;
            if is_citation || citation.chars().count() > MAX_CITATION_LENGTH {
                continue;
            }
            let around = &document.blocks[link.block].text;
            let language = language_of(&text).or_else(|| language_of(around));
            quotations.push(QuotationOfStandard {
                position: document.blocks[link.block].position(link.range.start),
                citation,
                document_citation: cited.text.clone(),
                locations: link.locations.unwrap_or_else(|| cited.locations.clone()),
                language: language.or_else(|| document.language.clone()),
                text,
                strength: link.strength,
            });
        }
        quotations
    }
}

impl ScannedDocument {
    fn of(document: ReviewDocument) -> Self {
        let ReviewDocument { name, blocks } = document;
        let (blocks, error) = match blocks {
            Ok(blocks) => (blocks, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let scanned = blocks.iter().map(ScannedBlock::of).collect();
        let mut beginning = String::new();
        for block in &blocks {
            beginning.push_str(&block.text);
            beginning.push('\n');
            if beginning.len() > LANGUAGE_SAMPLE {
                break;
            }
        }
        let language = language_of(&beginning);
        Self { name, error, blocks, scanned, language }
    }

    fn links(&self, cited: &[Vec<Option<CitedStandard>>]) -> Vec<QuotationLink> {
        let usable: Vec<Vec<bool>> =
            cited.iter().map(|block| block.iter().map(Option::is_some).collect()).collect();
        linked_quotations(&self.blocks, &self.scanned, &usable)
    }
}

/// The places of a citation, as they are cited in English.
fn locations_of(found: &CitationInText) -> String {
    let locations: Vec<String> = found.citation.locations.iter().map(ToString::to_string).collect();
    locations.join("; ")
}

/// Whether an answer says that there is no such edition.
fn has_no_edition(answer: &VerifiedQuotation<'_>) -> bool {
    answer.unverified_cause == Some(UnverifiedCause::EditionUnknown)
}

/// Whether an answer names an edition, or several.
fn is_known(answer: &ResolvedCitation<'_>) -> bool {
    !matches!(
        answer.outcome,
        CitationOutcome::EditionUnknown | CitationOutcome::Unreadable | CitationOutcome::Unrecognized
    )
}

fn is_within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// An answer that does not fit its request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an answer with {expected} items, found {found}")]
pub struct UnexpectedAnswer {
    expected: usize,
    found: usize,
}

impl UnexpectedAnswer {
    fn check(expected: usize, found: usize) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self { expected, found }) }
    }
}
