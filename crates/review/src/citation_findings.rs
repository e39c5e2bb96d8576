//! Findings about citations.

use norma_api::shapes::{CitationOutcome, ResolvedCitation, Status};

use crate::advice;
use crate::finding::{FindingEdition, FindingPosition, ReviewFinding, ReviewRule, fingerprint};
use crate::review::{CitationOfStandard, Review};

/// What is found about one citation, before it is a finding.
struct CitationRemark {
    rule: ReviewRule,
    message: String,
}

impl CitationRemark {
    fn new(rule: ReviewRule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into() }
    }
}

/// The findings about a citation. `quoted_in` names the units that have what is quoted with it, where they
/// are known.
pub(crate) fn of_citation(
    review: &Review,
    file: &str,
    cited: &CitationOfStandard,
    quoted_in: &str,
) -> Vec<ReviewFinding> {
    let text = &cited.cited.text;
    let Some(answer) = review.resolution(text) else {
        let reason = review.failure().unwrap_or("the service did not answer");
        let remark = CitationRemark::new(ReviewRule::Unverified, format!("Not checked: {reason}."));
        return vec![finding(file, cited, "unverified", None, remark)];
    };
    let mut remarks = Vec::new();
    remarks.extend(outcome(review, cited, answer, quoted_in));
    remarks.extend(out_of_date(review, answer));
    let edition = edition_of(answer);
    remarks
        .into_iter()
        .map(|remark| finding(file, cited, answer.outcome.as_str(), edition.clone(), remark))
        .collect()
}

fn finding(
    file: &str,
    cited: &CitationOfStandard,
    verdict: &str,
    edition: Option<FindingEdition>,
    remark: CitationRemark,
) -> ReviewFinding {
    let citation = cited.cited.text.clone();
    ReviewFinding {
        level: remark.rule.usual_level(),
        rule: remark.rule,
        file: file.to_owned(),
        position: FindingPosition::from(cited.position),
        fingerprint: fingerprint(file, remark.rule, &citation, None),
        citation,
        quotation: None,
        verdict: verdict.to_owned(),
        message: remark.message,
        edition,
        changes: Vec::new(),
        omissions: Vec::new(),
        actual: Vec::new(),
    }
}

/// What the outcome says.
fn outcome(
    review: &Review,
    cited: &CitationOfStandard,
    answer: &ResolvedCitation<'_>,
    quoted_in: &str,
) -> Option<CitationRemark> {
    match answer.outcome {
        CitationOutcome::Resolved | CitationOutcome::Unreadable | CitationOutcome::Unrecognized => None,
        CitationOutcome::LocationUnknown => {
            let locations: Vec<String> =
                cited.citation.citation.locations.iter().map(ToString::to_string).collect();
            let location = advice::joined(&locations);
            let message = advice::location_unknown(answer, &location, quoted_in);
            Some(CitationRemark::new(ReviewRule::LocationUnknown, message))
        }
        CitationOutcome::EditionUnknown => edition_unknown(review, cited),
        CitationOutcome::Ambiguous => {
            Some(CitationRemark::new(ReviewRule::AmbiguousCitation, ambiguous(answer)))
        }
        CitationOutcome::NotLicensed => {
            let reference = answer.reference.as_deref().unwrap_or(&cited.cited.document.text);
            let message = format!("Not checked: you may discover {reference}, but not read it.");
            Some(CitationRemark::new(ReviewRule::Unverified, message))
        }
    }
}

/// A date of which no edition is known, where another edition is. Without one nothing is known of the
/// document.
fn edition_unknown(review: &Review, cited: &CitationOfStandard) -> Option<CitationRemark> {
    let document = &cited.cited.document;
    if !document.citation.dated {
        return None;
    }
    let other = review.other_edition(document)?;
    let reference = other.reference.as_deref().unwrap_or(&document.citation.undated);
    let message = format!(
        "No edition {} is known that you may see: the latest one is {reference}; cite an edition that exists.",
        document.text
    );
    Some(CitationRemark::new(ReviewRule::EditionUnknown, message))
}

fn ambiguous(answer: &ResolvedCitation<'_>) -> String {
    let mut names = Vec::new();
    for candidate in answer.candidates.iter().take(3) {
        let reference = candidate.edition.reference.to_string();
        names.push(match &candidate.location {
            Some(part) => {
                let name = advice::part_name(part.kind, part.label.as_deref(), &part.id);
                format!("{reference}, {name}")
            }
            None => reference,
        });
    }
    names.dedup();
    match names.as_slice() {
        [] => "It may mean several editions or places: name one.".to_owned(),
        names => format!("It may mean {}: name one.", names.join(" or ")),
    }
}

/// What happened to the edition and to the places since.
fn out_of_date(review: &Review, answer: &ResolvedCitation<'_>) -> Option<CitationRemark> {
    answer.urn.as_ref()?;
    // A status is that of today.
    let status = if review.is_today { answer.status } else { None };
    if !answer.superseded_by.is_empty() || status == Some(Status::Superseded) {
        return Some(CitationRemark::new(ReviewRule::SupersededEdition, advice::superseded(answer)));
    }
    if status == Some(Status::Withdrawn) {
        let reference = answer.reference.as_deref().unwrap_or("The edition");
        let message = format!("{reference} is withdrawn: say so, or cite what is in force.");
        return Some(CitationRemark::new(ReviewRule::WithdrawnEdition, message));
    }
    amended(answer)
}

fn amended(answer: &ResolvedCitation<'_>) -> Option<CitationRemark> {
    let mut parts = Vec::new();
    let mut amendments = Vec::new();
    for part in &answer.locations {
        if part.amended_by.is_empty() {
            continue;
        }
        parts.push(advice::part_name(part.kind, part.label.as_deref(), &part.id));
        amendments.extend(part.amended_by.iter().map(|amendment| amendment.reference.to_string()));
    }
    if parts.is_empty() {
        return None;
    }
    amendments.sort_unstable();
    amendments.dedup();
    let verb = if amendments.len() == 1 { "changes" } else { "change" };
    let message = format!("{} {verb} {}: read both.", advice::joined(&amendments), advice::joined(&parts));
    Some(CitationRemark::new(ReviewRule::AmendedLocation, message))
}

/// The edition of an answer.
fn edition_of(answer: &ResolvedCitation<'_>) -> Option<FindingEdition> {
    let (urn, reference) = (answer.urn.as_ref()?, answer.reference.as_ref()?);
    Some(FindingEdition { urn: urn.to_string(), reference: reference.to_string() })
}
