//! Changes of the standards that the caller may see, since a cursor.

mod counts;
mod cursor;

use std::time::{Duration, SystemTime};

use http::header;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::{ChangesQuery, QueryLimits};
use norma_api::shapes::{ChangeList, StandardChange, StandardChangeType, UpdateCause};
use norma_model::Status;
use norma_store::{
    ChangePosition, ChangesPage, EditionChangeKind, ListRow, ListedChange, OperatorNotice, PresentCause,
};

use self::counts::{ChangeCounts, MAX_COUNTED};
use self::cursor::{ChangeCursor, PURPOSE};
use crate::access::Access;
use crate::representation::Representation;
use crate::{Failure, Request, summary};

/// Time after which the changes that follow a cursor are no longer answered: longer than a year, so that what
/// is done once a year works.
pub const CHANGES_RETAINED: Duration = Duration::from_secs(400 * 24 * 3600);

/// Shapes the changes after a cursor. Without one, the answer has the cursor of the last change that the
/// caller sees.
pub(crate) async fn changes(
    access: &mut Access<'_>,
    query: &ChangesQuery,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let caller = CursorCaller::of(access);
    let Some(since) = &query.since else {
        let position = access.last_change().await?;
        return answer(Vec::new(), false, caller.cursor(position));
    };
    let since = ChangeCursor::open(since, &caller.key, &caller.client).ok_or_else(altered)?;
    if !since.is_of(&caller.rights) {
        // Where it was: what changed meanwhile follows, as far as the grants of today show it.
        return answer(vec![StandardChange::refresh()], true, caller.cursor(since.position));
    }
    let limit = query.limit.unwrap_or(QueryLimits::default().page_size);
    let page = access.changes_since(since.position, limit).await?;
    let ChangesPage { changes, position, has_more } = page.ok_or_else(|| ended(RESTORED))?;
    if let Some(first) = changes.first()
        && is_too_old(first.at, request.now.into())
    {
        return Err(ended(TOO_OLD));
    }

    let mut counts = ChangeCounts::default();
    let (mut items, mut end, mut more) = (Vec::with_capacity(changes.len()), position, has_more);
    for change in &changes {
        // Comparisons are work: an answer has few of them, whatever its limit.
        if counts.made() == MAX_COUNTED {
            more = true;
            break;
        }
        end = change.position;
        let mut item = item(change);
        item.counts = counts.of(access, change).await?;
        items.push(item);
    }
    if !more {
        end = position;
    }
    answer(items, more, caller.cursor(end))
}

/// What cursors of the caller are sealed with.
struct CursorCaller {
    key: [u8; 32],
    rights: [u8; 32],
    client: norma_store::TurnClient,
}

impl CursorCaller {
    fn of(access: &Access<'_>) -> Self {
        let (key, rights) = access.cursor_key(PURPOSE);
        Self { key, rights, client: access.client() }
    }

    fn cursor(&self, position: ChangePosition) -> String {
        ChangeCursor::new(position, &self.rights).sealed(&self.key, &self.client)
    }
}

fn answer(items: Vec<StandardChange<'_>>, more: bool, next: String) -> Result<Representation, Failure> {
    // The tag is of the body alone: what the caller may not see changes nothing.
    let mut representation = Representation::from_shape(&ChangeList { items, more, next: next.into() })?;
    // No text of the answer is in a language of the caller's.
    representation.set(header::VARY, "Accept, Accept-Encoding")?;
    Ok(representation)
}

/// A change in the shape of the contract, without counts.
fn item(change: &ListedChange) -> StandardChange<'_> {
    let urn = change.urn.as_str();
    let mut item = match &change.kind {
        EditionChangeKind::Present { row, cause, has_other_status, former_revision } => {
            let (change_type, cause) = type_of(row, *cause, *has_other_status);
            let mut item = StandardChange::of_urn(change_type, urn);
            item.reference = Some(row.summary.reference.as_str().into());
            item.cause = cause;
            item.status = Some(row.status.into());
            item.access = Some(summary::access(row.level));
            item.revision = Some(row.revision.as_str().into());
            item.previous_revision = former_revision.as_deref().map(Into::into);
            item.notice = text_of(row.notice.as_ref());
            item
        }
        EditionChangeKind::Recalled { notice } => {
            let mut item = StandardChange::of_urn(StandardChangeType::Recall, urn);
            item.notice = text_of(notice.as_ref());
            item
        }
        EditionChangeKind::Removed => StandardChange::of_urn(StandardChangeType::Remove, urn),
    };
    item.changed_at = Some(summary::instant(change.at).into());
    item
}

/// The type of the change of an edition that is there, and the cause of an update.
fn type_of(
    row: &ListRow,
    cause: PresentCause,
    has_other_status: bool,
) -> (StandardChangeType, Option<UpdateCause>) {
    let cause = match cause {
        PresentCause::Created => return (StandardChangeType::Create, None),
        PresentCause::Content => UpdateCause::Content,
        PresentCause::Rules => UpdateCause::Rules,
        PresentCause::Status => UpdateCause::Status,
        PresentCause::Amendment => UpdateCause::Amendment,
    };
    if has_other_status && row.status == Status::Withdrawn {
        return (StandardChangeType::Withdraw, None);
    }
    (StandardChangeType::Update, Some(cause))
}

fn text_of(notice: Option<&OperatorNotice>) -> Option<std::borrow::Cow<'_, str>> {
    let text = notice?.text.as_str();
    if text.is_empty() { None } else { Some(text.into()) }
}

fn is_too_old(at: SystemTime, now: SystemTime) -> bool {
    now.duration_since(at).is_ok_and(|age| age > CHANGES_RETAINED)
}

/// The failure for a text that was not sealed for this client.
fn altered() -> Failure {
    let detail = "`since` was not made by this service for this client; use `next` of an answer unchanged, or \
                  begin again without `since`.";
    Failure::of_parameter(Code::InvalidCursor, "since", detail)
}

const RESTORED: &str = "`since` is of a state that this service does not have, since its database was put back: begin \
                        again without `since`, and list all standards.";

const TOO_OLD: &str = "`since` is followed by a change that is more than 400 days old: begin again without `since`, \
                       and list all standards.";

/// The failure for a cursor whose changes are no longer known.
fn ended(detail: &'static str) -> Failure {
    let cause =
        ProblemError { detail: detail.into(), parameter: Some("since".into()), ..ProblemError::default() };
    Failure::new(Code::CursorEnded, detail).because(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_answered_for_400_days() {
        let now = SystemTime::UNIX_EPOCH + CHANGES_RETAINED + Duration::from_secs(10);
        assert!(is_too_old(SystemTime::UNIX_EPOCH + Duration::from_secs(9), now));
        assert!(!is_too_old(SystemTime::UNIX_EPOCH + Duration::from_secs(10), now));
        // A clock that was put back.
        assert!(!is_too_old(now + Duration::from_secs(1), now));
        assert!(TOO_OLD.contains(&format!("{} days", CHANGES_RETAINED.as_secs() / 86_400)));
    }
}
