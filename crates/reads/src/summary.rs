//! Editions in one line: from rows and entries of the store to the shapes of the API.

use std::time::SystemTime;

use jiff::Timestamp;
use norma_api::shapes::{AccessLevel, RelatedEditionType, StandardSummary};
use norma_model::Lang;
use norma_store::{Entry, Level, ListRow, OperatorNotice, RelatedKind};

/// A row of the list.
pub(crate) fn of_row(row: &ListRow) -> StandardSummary<'_> {
    let line = summary(&row.summary, row.status, &row.revision, row.updated, row.level);
    with_notice(line, row.notice.as_ref())
}

/// An edition in one line.
pub(crate) fn of_entry(entry: &Entry, level: Level) -> StandardSummary<'_> {
    let line = summary(&entry.summary, entry.status, &entry.revision, entry.updated, level);
    with_notice(line, entry.notice.as_ref())
}

/// The line with what the operator says of a withdrawal.
fn with_notice<'a>(line: StandardSummary<'a>, notice: Option<&'a OperatorNotice>) -> StandardSummary<'a> {
    let Some(notice) = notice else { return line };
    let text = if notice.text.is_empty() { None } else { Some(notice.text.as_str().into()) };
    StandardSummary { withdrawn_on: Some(day(notice.at).into()), notice: text, ..line }
}

/// The day of a time, in UTC: `2026-08-17`.
pub(crate) fn day(time: SystemTime) -> String {
    let instant = instant(time);
    instant.split('T').next().unwrap_or_default().to_owned()
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
        language: joined(languages).into(),
        standard_type: (*kind).into(),
        status: status.into(),
        amended_by: Vec::new(),
        withdrawn_on: None,
        notice: None,
        published_on: published_on.as_ref().map(|d| d.as_str().into()),
        ics_codes: ics.iter().map(Into::into).collect(),
        revision: revision.into(),
        updated_at: instant(updated).into(),
        access: access(level),
    }
}

/// A level of the store in the shape of the contract.
pub(crate) fn access(level: Level) -> AccessLevel {
    match level {
        Level::Discover => AccessLevel::Discover,
        Level::Read => AccessLevel::Read,
    }
}

fn joined(languages: &[Lang]) -> String {
    let codes: Vec<&str> = languages.iter().map(Lang::as_str).collect();
    codes.join(",")
}

/// RFC 3339 in UTC, to the millisecond.
pub(crate) fn instant(time: SystemTime) -> String {
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
        RelatedKind::Replaces => RelatedEditionType::Replaces,
        RelatedKind::Amends => RelatedEditionType::Amends,
        RelatedKind::Adopts => RelatedEditionType::Adopts,
        RelatedKind::Edition => RelatedEditionType::Edition,
        RelatedKind::Translation => RelatedEditionType::Translation,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn a_time_is_cut_to_its_millisecond_in_utc_and_a_day_is_its_date() {
        let time = UNIX_EPOCH + Duration::from_micros(1_786_924_799_999_900);
        assert_eq!(
            (instant(time), day(time)),
            ("2026-08-16T23:59:59.999Z".to_owned(), "2026-08-16".to_owned())
        );
    }

    #[test]
    fn a_level_that_a_later_version_adds_is_none_of_the_store() {
        assert_eq!(level(AccessLevel::Read), Some(Level::Read));
        assert_eq!(level(AccessLevel::Discover), Some(Level::Discover));
        assert_eq!(level(AccessLevel::Unrecognized), None);
    }
}
