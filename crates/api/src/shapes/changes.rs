//! Changes of standards since a cursor.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AccessLevel, ComparisonCounts, RefreshScope, StandardChangeType, Status, UpdateCause};

/// `GET /changes`: what changed of the standards that the caller may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangeList<'a> {
    /// Changes in order, each edition once on a page.
    pub items: Vec<StandardChange<'a>>,
    /// True where there are or may be more changes, as after a `refresh`: ask again at once, with `next`.
    pub more: bool,
    /// Cursor of the next page; absent at the end. Here there is always one: after the last page it is where
    /// later changes begin.
    pub next: Cow<'a, str>,
}

/// The last change of an edition; or that the caller's grants changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StandardChange<'a> {
    /// Type of the change, by what to do with a copy.
    #[serde(rename = "type")]
    pub change_type: StandardChangeType,
    /// What is to be listed again; only of a `refresh`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<RefreshScope>,
    /// URN of the standard. A `refresh` has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub urn: Option<Cow<'a, str>>,
    /// Designation of the document. A standard that is there has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Cow<'a, str>>,
    /// Cause of an `update`: what changed since the cursor, or since the one with which its pages began.
    /// Where several things did, the first that applies of `content`, `rules`, `status` and `amendment`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<UpdateCause>,
    /// Time of the change (RFC 3339). It is that of the last one.
    #[schema(format = DateTime)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_at: Option<Cow<'a, str>>,
    /// Status of the edition, which says whether it is in force. A standard that is there has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Level of the caller's access to the edition. A standard that is there has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<AccessLevel>,
    /// Revision of the edition, which changes with its source and with the way it is derived. A standard that
    /// is there has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Cow<'a, str>>,
    /// Revision that the edition had at the cursor, or at the one with which its pages began. It is absent
    /// where `revision` is the same, or where the service does not know it any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_revision: Option<Cow<'a, str>>,
    /// Counts of the comparison of the two revisions, as `GET /standards/{id}/comparison` answers them with
    /// `withRevision`. They are absent where there is no comparison, and of a standard that the caller may
    /// only discover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<ComparisonCounts>,
    /// Notice of the operator about the withdrawal. Or about the recall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<Cow<'a, str>>,
}

impl<'a> StandardChange<'a> {
    /// A change of the standard with this URN, of which nothing else is known.
    pub fn of_urn(change_type: StandardChangeType, urn: impl Into<Cow<'a, str>>) -> Self {
        Self { urn: Some(urn.into()), ..Self::new(change_type) }
    }

    /// That the caller's grants changed.
    pub fn refresh() -> Self {
        Self { scope: Some(RefreshScope::Entitlements), ..Self::new(StandardChangeType::Refresh) }
    }

    fn new(change_type: StandardChangeType) -> Self {
        Self {
            change_type,
            scope: None,
            urn: None,
            reference: None,
            cause: None,
            changed_at: None,
            status: None,
            access: None,
            revision: None,
            previous_revision: None,
            counts: None,
            notice: None,
        }
    }
}
