//! Vocabularies of the changes since a cursor.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use utoipa::ToSchema;

use super::macros::{UnknownValue, UnknownWord, WordVisitor, vocabulary};

vocabulary! {
    /// Type of a change, by what to do with a copy.
    StandardChangeType {
        /// The edition is there, and was not visible before: read it.
        Create = "create",
        /// Something of the edition changed: read it again.
        Update = "update",
        /// The edition was withdrawn, or its notice changed. It can still be read.
        Withdraw = "withdraw",
        /// The edition was recalled: delete copies.
        Recall = "recall",
        /// The edition is not there any more, or changed so that grants do not cover it: delete copies.
        Remove = "remove",
        /// The caller's grants changed: list all standards again.
        Refresh = "refresh",
    }
}

vocabulary! {
    /// Cause of an update.
    UpdateCause {
        /// The source or a picture was corrected.
        Content = "content",
        /// The rules by which the service derives parts. The text did not change.
        Rules = "rules",
        /// The status, or the notice of a withdrawal.
        Status = "status",
        /// An amendment that the caller may see, or could see, came, changed or went.
        Amendment = "amendment",
    }
}

vocabulary! {
    /// What is to be listed again.
    RefreshScope {
        /// All standards, since grants changed: an operator changed them, or one began or ended.
        Entitlements = "entitlements",
    }
}
