//! Answers about the samples, by the functions that a service answers with: the reader of citations, the
//! outline of an edition, and the verdict on a quotation.

use std::path::Path;

use norma_api::shapes::{
    AccessLevel, CitationOutcome, CitationsAnswer, CitationsRequest, CitedEdition, CitedPart, CitedPartType,
    CriticalChangeType, CriticalOmissionType, EditionWithQuotation, QuotationChange, QuotationOmission,
    QuotationsAnswer, QuotationsRequest, RelatedEdition, RelatedEditionType, ResolvedCitation, SentQuotation,
    Status, UnverifiedCause, VerdictType, VerifiedQuotation, VerifiedUnit,
};
use norma_compare::Units;
use norma_model::printed::{FoundLocation, OutlinePart, PrintedCitation};
use norma_model::{Edition, Lang, Outline, PartialUrn};
use norma_quotations::{CandidateUnit, PreparedUnit, Quotation, QuotationVerdict, verify};

/// The samples of which documents are made.
const SAMPLES: [&str; 8] = [
    "minimal",
    "bicycle-anchors-ed1",
    "bicycle-anchors-ed2-en",
    "bicycle-anchors-ed2-de",
    "bicycle-anchors-ed2-fr",
    "tea-infusion",
    "water-baths",
    "archive-boxes",
];

/// An edition of a sample.
pub(crate) struct SampleEdition {
    pub(crate) reference: String,
    pub(crate) language: Lang,
    urn: String,
    document: String,
    year: String,
    title: String,
    outline: Outline,
    units: Units,
    labels: Vec<String>,
}

pub(crate) struct SampleService {
    pub(crate) editions: Vec<SampleEdition>,
}

impl SampleEdition {
    fn of(edition: &Edition) -> Self {
        let reference = edition.metadata.reference.clone();
        let cited = PartialUrn::from_reference(&reference).unwrap();
        let outline = Outline::from_edition(edition);
        let mut labels = Vec::new();
        for (index, provision) in outline.provisions.iter().enumerate() {
            let section = &outline.sections[provision.section as usize];
            let ordinal = index as u32 - section.provisions.0 + 1;
            labels.push(format!("{}({ordinal})", section.number.as_deref().unwrap_or("?")));
        }
        Self {
            language: edition.urn.as_partial().languages()[0].clone(),
            urn: edition.urn.to_string(),
            document: edition.urn.as_partial().document_urn().to_owned(),
            year: cited.year.unwrap(),
            title: edition
                .metadata
                .titles
                .values()
                .next()
                .map(|title| title.full.clone())
                .unwrap_or_default(),
            units: Units::from(&**edition),
            outline,
            labels,
            reference,
        }
    }

    /// Numbers of the clauses that have provisions, and their texts: label, lead-in and text.
    pub(crate) fn provisions(&self) -> Vec<(String, String)> {
        let mut provisions = Vec::new();
        for (index, unit) in self.units.units.iter().enumerate() {
            if unit.lead_in.is_none() && !self.labels[index].starts_with('?') {
                provisions.push((self.labels[index].clone(), unit.text.to_string()));
            }
        }
        provisions
    }

    /// Numbers of clauses with dots.
    pub(crate) fn clauses(&self) -> Vec<String> {
        let numbers = self.outline.sections.iter().filter_map(|section| section.number.as_deref());
        numbers.filter(|number| number.contains('.')).map(str::to_owned).collect()
    }

    pub(crate) fn has_clause(&self, number: &str) -> bool {
        self.outline.sections.iter().any(|section| section.number.as_deref() == Some(number))
    }

    fn part(&self, part: OutlinePart) -> CitedPart<'static> {
        let (kind, id, label) = match part {
            OutlinePart::Section(index) => {
                let section = &self.outline.sections[index as usize];
                (CitedPartType::Section, section.id.to_string(), section.number.as_deref().map(str::to_owned))
            }
            OutlinePart::Provision(index) => {
                let provision = &self.outline.provisions[index as usize];
                let label = self.labels[index as usize].clone();
                (CitedPartType::Provision, provision.id.to_string(), Some(label))
            }
            OutlinePart::Table(index) => {
                let table = &self.outline.tables[index as usize];
                (CitedPartType::Table, table.id.to_string(), table.number.clone())
            }
            OutlinePart::Figure(index) => {
                let figure = &self.outline.figures()[index as usize];
                (CitedPartType::Figure, figure.id.to_string(), figure.number.clone())
            }
            OutlinePart::Term(index) => {
                let term = &self.outline.terms[index as usize];
                (CitedPartType::Term, term.id.to_string(), term.number.clone())
            }
        };
        let mut part = CitedPart::new(kind, id);
        part.label = label.map(Into::into);
        part
    }

    fn cited(&self) -> CitedEdition<'static> {
        CitedEdition {
            urn: self.urn.clone().into(),
            reference: self.reference.clone().into(),
            status: Status::Published,
        }
    }

    /// The provisions at the places of a citation, and whether there are such places.
    fn provisions_at(&self, citation: &PrintedCitation) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for location in &citation.locations {
            let FoundLocation::Parts(parts) = self.outline.find_location(location) else { return None };
            for part in parts {
                found.extend(self.provisions_in(part));
            }
        }
        Some(found)
    }

    fn provisions_in(&self, part: OutlinePart) -> Vec<usize> {
        match part {
            OutlinePart::Provision(index) => vec![index as usize],
            OutlinePart::Section(index) => {
                let end = self.outline.sections[index as usize].end;
                let sections = index..end;
                let provisions = self.outline.provisions.iter().enumerate();
                provisions.filter(|(_, p)| sections.contains(&p.section)).map(|(at, _)| at).collect()
            }
            OutlinePart::Table(index) => {
                let provisions = self.outline.provisions.iter().enumerate();
                provisions.filter(|(_, p)| p.table == Some(index)).map(|(at, _)| at).collect()
            }
            OutlinePart::Figure(_) | OutlinePart::Term(_) => Vec::new(),
        }
    }

    fn verdict(&self, quotation: &Quotation, provisions: &[usize]) -> (QuotationVerdict, Vec<usize>) {
        let mut prepared = Vec::new();
        for index in provisions {
            let unit = &self.units.units[*index];
            prepared.push(PreparedUnit::new(CandidateUnit::of_provision(unit, *index, &self.language)));
        }
        let verdict = verify(quotation, &prepared);
        let units = verdict.units().iter().map(|at| provisions[*at]).collect();
        (verdict, units)
    }

    fn shown(&self, units: &[usize]) -> Vec<VerifiedUnit<'static>> {
        let mut shown = Vec::new();
        for index in units {
            let unit = &self.units.units[*index];
            shown.push(VerifiedUnit {
                kind: CitedPartType::Provision,
                id: self.outline.provisions[*index].id.to_string().into(),
                label: Some(self.labels[*index].clone().into()),
                cite: Some(format!("{}, {}", self.reference, self.labels[*index]).into()),
                provision_type: None,
                section: None,
                lead_in: unit.lead_in.as_deref().map(|lead_in| lead_in.to_owned().into()),
                text: unit.text.to_string().into(),
                amended_by: Vec::new(),
            });
        }
        shown
    }
}

/// The order of verdicts, the best first.
fn rank(verdict: &QuotationVerdict) -> u8 {
    match verdict {
        QuotationVerdict::Exact { .. } | QuotationVerdict::Normalised { .. } => 0,
        QuotationVerdict::Partial { .. } => 1,
        QuotationVerdict::Altered { .. } => 2,
        QuotationVerdict::Absent => 3,
    }
}

impl SampleService {
    pub(crate) fn new() -> Self {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut editions = Vec::new();
        for sample in SAMPLES {
            let source = std::fs::read(samples.join(sample).join("document.xml")).unwrap();
            let extracted = norma_sts::extract(&source, &norma_sts::ExtractionOptions::default()).unwrap();
            editions.push(SampleEdition::of(&extracted.edition));
        }
        Self { editions }
    }

    /// The editions of a document, the latest first; of one in several languages the English one first.
    fn editions_of(&self, document: &str) -> Vec<&SampleEdition> {
        let mut editions: Vec<&SampleEdition> =
            self.editions.iter().filter(|edition| edition.document == document).collect();
        editions.sort_by_key(|edition| {
            (std::cmp::Reverse(edition.year.clone()), edition.language.as_str() != "en")
        });
        editions
    }

    /// The edition that a citation names.
    pub(crate) fn edition(&self, citation: &PrintedCitation) -> Option<&SampleEdition> {
        let document = &citation.document.as_ref()?.citation;
        let editions = self.editions_of(document.urn.document_urn());
        let mut fitting = editions.into_iter();
        match &document.year {
            Some(year) => fitting.find(|edition| edition.year.starts_with(year.as_str())),
            None => fitting.next(),
        }
    }

    fn successor(&self, edition: &SampleEdition) -> Option<&SampleEdition> {
        let latest = *self.editions_of(&edition.document).first()?;
        (latest.year != edition.year).then_some(latest)
    }

    pub(crate) fn resolve(&self, request: &CitationsRequest) -> CitationsAnswer<'static> {
        CitationsAnswer {
            items: request.citations.iter().map(|citation| self.resolve_one(citation)).collect(),
        }
    }

    fn resolve_one(&self, text: &str) -> ResolvedCitation<'static> {
        let answer = |outcome| ResolvedCitation::new(text.to_owned(), outcome);
        let Ok(citation) = PrintedCitation::read(text) else { return answer(CitationOutcome::Unreadable) };
        let Some(edition) = self.edition(&citation) else { return answer(CitationOutcome::EditionUnknown) };
        let mut resolved = answer(CitationOutcome::Resolved);
        for location in &citation.locations {
            match edition.outline.find_location(location) {
                FoundLocation::Parts(parts) => {
                    resolved.locations.extend(parts.into_iter().map(|part| edition.part(part)));
                }
                FoundLocation::Ambiguous(_) => resolved.outcome = CitationOutcome::Ambiguous,
                _ => resolved.outcome = CitationOutcome::LocationUnknown,
            }
        }
        resolved.urn = Some(edition.urn.clone().into());
        resolved.reference = Some(edition.reference.clone().into());
        resolved.access = Some(AccessLevel::Read);
        resolved.status = Some(Status::Published);
        if let Some(successor) = self.successor(edition) {
            resolved.status = Some(Status::Superseded);
            resolved.latest = Some(successor.cited());
            resolved.superseded_by.push(RelatedEdition {
                kind: RelatedEditionType::ReplacedBy,
                urn: successor.urn.clone().into(),
                reference: successor.reference.clone().into(),
            });
        }
        resolved
    }

    pub(crate) fn verify(&self, request: &QuotationsRequest) -> QuotationsAnswer<'static> {
        QuotationsAnswer { items: request.quotations.iter().map(|sent| self.verify_one(sent)).collect() }
    }

    fn verify_one(&self, sent: &SentQuotation) -> VerifiedQuotation<'static> {
        let mut unknown = VerifiedQuotation::new(VerdictType::Unverified);
        unknown.unverified_cause = Some(UnverifiedCause::EditionUnknown);
        let citation = sent.citation.as_deref().map(|text| PrintedCitation::read(text).unwrap());
        let edition = match &sent.urn {
            Some(urn) => self.editions.iter().find(|edition| edition.urn == *urn),
            None => citation.as_ref().and_then(|citation| self.edition(citation)),
        };
        let (Some(edition), Ok(quotation)) = (edition, Quotation::new(&sent.text)) else { return unknown };
        let all: Vec<usize> = (0..edition.units.units.len()).collect();
        let cited = citation.as_ref().filter(|citation| !citation.locations.is_empty());
        let at_location = cited.map(|citation| edition.provisions_at(citation).unwrap_or_default());
        let mut found = edition.verdict(&quotation, &all);
        if let Some(provisions) = &at_location {
            let there = edition.verdict(&quotation, provisions);
            if rank(&there.0) <= rank(&found.0) {
                found = there;
            }
        }
        let mut item = self.item(edition, found);
        if let Some(provisions) = at_location
            && !item.1.is_empty()
        {
            item.0.at_cited_location = Some(item.1.iter().all(|unit| provisions.contains(unit)));
        }
        if matches!(item.0.verdict, VerdictType::Altered | VerdictType::Absent | VerdictType::Partial) {
            self.look_in_others(edition, &quotation, &mut item.0);
        }
        item.0
    }

    /// The item for a verdict, and its units.
    fn item(
        &self,
        edition: &SampleEdition,
        (verdict, units): (QuotationVerdict, Vec<usize>),
    ) -> (VerifiedQuotation<'static>, Vec<usize>) {
        let word = match &verdict {
            QuotationVerdict::Exact { .. } => VerdictType::Exact,
            QuotationVerdict::Normalised { .. } => VerdictType::Normalised,
            QuotationVerdict::Partial { .. } => VerdictType::Partial,
            QuotationVerdict::Altered { .. } => VerdictType::Altered,
            QuotationVerdict::Absent => VerdictType::Absent,
        };
        let mut item = VerifiedQuotation::new(word);
        item.urn = Some(edition.urn.clone().into());
        item.reference = Some(edition.reference.clone().into());
        item.title = Some(edition.title.clone().into());
        item.units = edition.shown(&units);
        if let QuotationVerdict::Partial { omissions, .. } | QuotationVerdict::Altered { omissions, .. } =
            &verdict
        {
            for omission in omissions {
                let critical = omission.critical.iter().map(|kind| omission_type(&format!("{kind:?}")));
                item.omissions.push(QuotationOmission {
                    text: omission.text.clone().into(),
                    critical: critical.collect(),
                });
            }
        }
        if let QuotationVerdict::Altered { changes, .. } = &verdict {
            for change in changes {
                item.changes.push(QuotationChange {
                    quoted: change.quoted.clone().into(),
                    actual: change.actual.clone().into(),
                    critical: change.critical.map(|kind| change_type(&format!("{kind:?}"))),
                });
            }
        }
        (item, units)
    }

    /// Looks whether another edition of the document has the quotation.
    fn look_in_others(
        &self,
        edition: &SampleEdition,
        quotation: &Quotation,
        item: &mut VerifiedQuotation<'static>,
    ) {
        for other in self.editions_of(&edition.document) {
            if other.year == edition.year {
                continue;
            }
            let all: Vec<usize> = (0..other.units.units.len()).collect();
            let (verdict, units) = other.verdict(quotation, &all);
            if rank(&verdict) == 0 {
                item.verdict = VerdictType::OtherEdition;
                item.found_in =
                    Some(EditionWithQuotation { edition: other.cited(), units: other.shown(&units) });
                return;
            }
        }
    }
}

/// The type of an omission with the name of a variant.
fn omission_type(name: &str) -> CriticalOmissionType {
    match name {
        "Negation" => CriticalOmissionType::Negation,
        "VerbalForm" => CriticalOmissionType::VerbalForm,
        "Condition" => CriticalOmissionType::Condition,
        "Exception" => CriticalOmissionType::Exception,
        "Limit" => CriticalOmissionType::Limit,
        _ => CriticalOmissionType::LeadIn,
    }
}

fn change_type(name: &str) -> CriticalChangeType {
    match name {
        "Negation" => CriticalChangeType::Negation,
        "Verb" => CriticalChangeType::Verb,
        "Number" => CriticalChangeType::Number,
        "Unit" => CriticalChangeType::Unit,
        "Comparator" => CriticalChangeType::Comparator,
        _ => CriticalChangeType::Reference,
    }
}
