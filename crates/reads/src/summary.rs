//! Editions in one line: from rows and entries of the store to the shapes of the API.

use std::time::SystemTime;

use jiff::Timestamp;
use norma_api::shapes::{AccessLevel, RelatedEditionType, StandardSummary};
use norma_store::{Entry, Level, ListRow, RelatedKind};

/// A row of the list.
pub(crate) fn of_row(row: &ListRow) -> StandardSummary<'_> {
    summary(&row.summary, row.status, &row.revision, row.updated, row.level)
}

/// An edition in one line.
pub(crate) fn of_entry(entry: &Entry, level: Level) -> StandardSummary<'_> {
    summary(&entry.summary, entry.status, &entry.revision, entry.updated, level)
}

fn summary<'a>(
    summary: &'a norma_store::Summary,
    status: norma_model::Status,
    revision: &'a str,
    updated: SystemTime,
    level: Level,
) -> StandardSummary<'a> {
    let norma_store::Summary {
        urn,
        reference,
        title,
        publisher,
        number,
        part,
        supplement,
        languages,
        kind,
        published_on,
        ics,
    } = summary;
    StandardSummary {
        urn: urn.as_str().into(),
        reference: reference.into(),
        title: title.into(),
        publisher: publisher.into(),
        number: number.into(),
        part: part.as_deref().map(Into::into),
        supplement: supplement.as_ref().map(Into::into),
        edition: urn.edition().into(),
        language: languages.iter().map(|l| l.as_str()).collect::<Vec<_>>().join(",").into(),
        standard_type: (*kind).into(),
        status: status.into(),
        published_on: published_on.as_ref().map(|d| d.as_str().into()),
        ics_codes: ics.iter().map(Into::into).collect(),
        revision: revision.into(),
        updated_at: instant(updated).into(),
        access: match level {
            Level::Discover => AccessLevel::Discover,
            Level::Read => AccessLevel::Read,
        },
    }
}

/// RFC 3339 in UTC, to the millisecond.
fn instant(time: SystemTime) -> String {
    let time = Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{time:.3}")
}

/// A level as the store knows it; `None` for one that this version does not know.
pub(crate) fn level(level: AccessLevel) -> Option<Level> {
    match level {
        AccessLevel::Discover => Some(Level::Discover),
        AccessLevel::Read => Some(Level::Read),
        AccessLevel::Unrecognized => None,
    }
}

/// The relation of another edition to one.
pub(crate) fn relation(kind: RelatedKind) -> RelatedEditionType {
    match kind {
        RelatedKind::ReplacedBy => RelatedEditionType::ReplacedBy,
        RelatedKind::AmendedBy => RelatedEditionType::AmendedBy,
        RelatedKind::AdoptedAs => RelatedEditionType::AdoptedAs,
        RelatedKind::Edition => RelatedEditionType::Edition,
        RelatedKind::Translation => RelatedEditionType::Translation,
    }
}
