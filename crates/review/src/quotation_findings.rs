//! Findings about quotations.

use norma_api::shapes::{
    CriticalOmissionType, QuotationChange, QuotationOmission, UnverifiedCause, VerdictType,
    VerifiedQuotation, VerifiedUnit,
};

use crate::advice;
use crate::find::LinkStrength;
use crate::finding::{
    ActualText, FindingEdition, FindingLevel, FindingPosition, ReviewFinding, ReviewRule, fingerprint,
};
use crate::review::{QuotationOfStandard, Review};

/// Fewest words of a quotation near a citation that may be an altered one: fewer may be anything.
const FEWEST_WORDS_NEAR: usize = 8;

/// What is found about one quotation, before it is a finding.
struct QuotationRemark {
    rule: ReviewRule,
    level: FindingLevel,
    message: String,
}

impl QuotationRemark {
    fn new(rule: ReviewRule, level: FindingLevel, message: impl Into<String>) -> Self {
        Self { rule, level, message: message.into() }
    }

    fn unverified(reason: &str) -> Self {
        let reason = reason.trim_end_matches('.');
        Self::new(ReviewRule::Unverified, FindingLevel::Note, format!("Not verified: {reason}."))
    }
}

/// The finding about a quotation, if there is one. `is_location_known` is false where the finding about its
/// citation says already that its place does not exist.
pub(crate) fn of_quotation(
    review: &Review,
    file: &str,
    quotation: &QuotationOfStandard,
    is_location_known: bool,
) -> Option<ReviewFinding> {
    let answer = review.verification(quotation);
    let remark = match answer {
        Some(item) if review.is_translated(quotation, item) => translated(quotation, item)?,
        Some(item) => remark(quotation, item, is_location_known)?,
        None => unanswered(review, quotation)?,
    };
    let verdict = answer.map_or("unverified", |item| item.verdict.as_str());
    Some(ReviewFinding {
        level: remark.level,
        rule: remark.rule,
        file: file.to_owned(),
        position: FindingPosition::from(quotation.position),
        fingerprint: fingerprint(file, remark.rule, &quotation.citation, Some(&quotation.text)),
        citation: quotation.citation.clone(),
        quotation: Some(quotation.text.clone()),
        verdict: verdict.to_owned(),
        message: remark.message,
        edition: answer.and_then(edition_of),
        changes: answer.map(changes_of).unwrap_or_default(),
        omissions: answer.map(omissions_of).unwrap_or_default(),
        actual: answer.map(|item| actual_of(&item.units)).unwrap_or_default(),
    })
}

/// A quotation without an answer: it is too long, or the service could not be asked.
fn unanswered(review: &Review, quotation: &QuotationOfStandard) -> Option<QuotationRemark> {
    if quotation.strength == LinkStrength::Near {
        return None;
    }
    Some(match review.failure() {
        Some(reason) => QuotationRemark::unverified(reason),
        None => QuotationRemark::unverified("it is longer than 2,000 characters; quote it in parts"),
    })
}

/// A quotation in another language than the edition: it is a translation, which is not verified.
fn translated(quotation: &QuotationOfStandard, item: &VerifiedQuotation<'_>) -> Option<QuotationRemark> {
    let is_found =
        matches!(item.verdict, VerdictType::Exact | VerdictType::Normalised | VerdictType::Partial);
    if is_found || is_same_edition(item) || quotation.strength == LinkStrength::Near {
        return None;
    }
    let reference = advice::reference(item);
    let reason = format!("{reference} is not there in the language of the quotation");
    Some(QuotationRemark::unverified(&reason))
}

fn remark(
    quotation: &QuotationOfStandard,
    item: &VerifiedQuotation<'_>,
    is_location_known: bool,
) -> Option<QuotationRemark> {
    let is_stated = quotation.strength == LinkStrength::Stated;
    if is_title(quotation, item) {
        return None;
    }
    match item.verdict {
        VerdictType::Exact | VerdictType::Normalised => other_location(item, is_location_known),
        VerdictType::Partial => partial(quotation, item).or_else(|| other_location(item, is_location_known)),
        VerdictType::Altered if is_stated || is_nearly_all(quotation, item) => {
            let level = level_of_changes(item);
            Some(QuotationRemark::new(ReviewRule::AlteredQuotation, level, advice::altered(item)))
        }
        VerdictType::OtherEdition if is_same_edition(item) => None,
        VerdictType::OtherEdition => {
            let level = level_of_changes(item);
            Some(QuotationRemark::new(ReviewRule::OtherEdition, level, advice::other_edition(item)))
        }
        // A text in quotation marks near a citation need not be a quotation of the standard.
        VerdictType::Absent if is_stated => {
            let message = format!(
                "No edition of {} that you may read has these words: cite their source, or leave the quotation marks out.",
                advice::reference(item)
            );
            Some(QuotationRemark::new(ReviewRule::AbsentQuotation, FindingLevel::Error, message))
        }
        VerdictType::Unverified if is_stated => unverified(item),
        _ => None,
    }
}

/// Whether what has a quotation is the cited edition in another language.
fn is_same_edition(item: &VerifiedQuotation<'_>) -> bool {
    let Some(found) = &item.found_in else { return false };
    item.reference.as_ref() == Some(&found.edition.reference)
}

/// Whether what is quoted is the title of the standard.
fn is_title(quotation: &QuotationOfStandard, item: &VerifiedQuotation<'_>) -> bool {
    let Some(title) = &item.title else { return false };
    let (title, quoted) = (letters(title), letters(&quotation.text));
    !quoted.is_empty() && title.contains(&quoted)
}

/// Letters and digits alone, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn unverified(item: &VerifiedQuotation<'_>) -> Option<QuotationRemark> {
    // What is not stored is listed with the documents that are not; words without letters are not quotations.
    let is_silent = matches!(
        item.unverified_cause,
        Some(UnverifiedCause::EditionUnknown | UnverifiedCause::QuotationUnreadable)
    );
    if is_silent {
        return None;
    }
    let mut reason = item.reason.as_deref().unwrap_or("the service does not say why").to_owned();
    if item.retry {
        reason = format!("{} Review it again later", reason.trim_end());
    }
    Some(QuotationRemark::unverified(&reason))
}

/// A true quotation with another place than the cited one.
fn other_location(item: &VerifiedQuotation<'_>, is_location_known: bool) -> Option<QuotationRemark> {
    if item.at_cited_location != Some(false) || !is_location_known {
        return None;
    }
    let message = format!("These words are in {}: cite that.", advice::unit_names(&item.units));
    Some(QuotationRemark::new(ReviewRule::OtherLocation, FindingLevel::Warning, message))
}

/// A quotation that leaves out words that matter. A phrase within a sentence of the author has no verbal form
/// and no lead-in of its own, and says nothing else without them.
fn partial(quotation: &QuotationOfStandard, item: &VerifiedQuotation<'_>) -> Option<QuotationRemark> {
    let is_phrase = quotation.text.starts_with(char::is_lowercase);
    let is_harmless = |kind: &CriticalOmissionType| {
        is_phrase && matches!(kind, CriticalOmissionType::VerbalForm | CriticalOmissionType::LeadIn)
    };
    let matters =
        item.omissions.iter().any(|omission| omission.critical.iter().any(|kind| !is_harmless(kind)));
    matters.then(|| {
        QuotationRemark::new(ReviewRule::PartialQuotation, FindingLevel::Error, advice::partial(item))
    })
}

/// Whether a passage near a citation has nearly all words of the unit, so that it is a quotation of it.
fn is_nearly_all(quotation: &QuotationOfStandard, item: &VerifiedQuotation<'_>) -> bool {
    let words = quotation.text.split_whitespace().count();
    let mut changed = 0;
    for change in &item.changes {
        let quoted = change.quoted.split_whitespace().count();
        let actual = change.actual.split_whitespace().count();
        changed += quoted.max(actual);
    }
    words >= FEWEST_WORDS_NEAR && changed * 4 <= words
}

fn level_of_changes(item: &VerifiedQuotation<'_>) -> FindingLevel {
    let is_change_critical = item.changes.iter().any(|change| change.critical.is_some());
    let is_omission_critical = item.omissions.iter().any(|omission| !omission.critical.is_empty());
    if is_change_critical || is_omission_critical { FindingLevel::Error } else { FindingLevel::Warning }
}

fn edition_of(item: &VerifiedQuotation<'_>) -> Option<FindingEdition> {
    let (urn, reference) = (item.urn.as_ref()?, item.reference.as_ref()?);
    Some(FindingEdition { urn: urn.to_string(), reference: reference.to_string() })
}

fn changes_of(item: &VerifiedQuotation<'_>) -> Vec<QuotationChange<'static>> {
    let mut changes = Vec::with_capacity(item.changes.len());
    for change in &item.changes {
        changes.push(QuotationChange {
            quoted: change.quoted.to_string().into(),
            actual: change.actual.to_string().into(),
            critical: change.critical,
        });
    }
    changes
}

fn omissions_of(item: &VerifiedQuotation<'_>) -> Vec<QuotationOmission<'static>> {
    let mut omissions = Vec::with_capacity(item.omissions.len());
    for omission in &item.omissions {
        let text = omission.text.to_string().into();
        omissions.push(QuotationOmission { text, critical: omission.critical.clone() });
    }
    omissions
}

fn actual_of(units: &[VerifiedUnit<'_>]) -> Vec<ActualText> {
    let mut actual = Vec::with_capacity(units.len());
    for unit in units {
        let mut text = unit.lead_in.as_deref().unwrap_or_default().to_owned();
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&unit.text);
        actual.push(ActualText { cite: advice::unit_name(unit), text });
    }
    actual
}
