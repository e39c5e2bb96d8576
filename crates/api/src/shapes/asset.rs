//! Request and response of resolving references to assets.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::problem::Problem;

/// Body of `POST /standards/{id}/assets/resolve`: one reference, or several.
///
/// An asset reference is a graphic's id or figure id, its href with or without folder or extension, or
/// `#fig_1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ResolveRequest {
    /// One reference; the answer is a `ResolvedAsset` or a problem.
    #[schema(title = "ResolveOne")]
    #[serde(rename_all = "camelCase")]
    One {
        /// Asset reference: what `assets/resolve` takes.
        #[schema(min_length = 1)]
        asset_reference: String,
    },
    /// Several references; the answer is a `ResolveAnswer`.
    #[schema(title = "ResolveMany")]
    #[serde(rename_all = "camelCase")]
    Many {
        /// Asset references; the answer keeps their order.
        #[schema(min_items = 1, max_items = 100)]
        asset_references: Vec<String>,
    },
}

/// Error of parsing the body of a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is not JSON.
    #[error("the body is not valid JSON: {0}")]
    NoJson(String),
    /// It is JSON of another shape than this.
    #[error("the body must be {0}")]
    Shape(&'static str),
    /// An item of this kind is empty, or there is none.
    #[error("no {0} may be empty, and there must be at least one")]
    Empty(&'static str),
    /// There are too many items.
    #[error("{count} {what}s were sent; at most {most} are allowed in one request (`{setting}`)")]
    TooMany {
        /// What the items are.
        what: &'static str,
        /// How many were sent.
        count: usize,
        /// How many may be sent.
        most: usize,
        /// The setting that says so.
        setting: &'static str,
    },
}

impl BodyError {
    /// Reads a body of this shape.
    pub(super) fn read<'a, T: Deserialize<'a>>(body: &'a [u8], shape: &'static str) -> Result<T, Self> {
        serde_json::from_slice(body).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => Self::Shape(shape),
            _ => Self::NoJson(error.to_string()),
        })
    }

    /// Checks that there are between 1 and `most` items, none of them empty.
    pub(super) fn check(
        items: &[String],
        what: &'static str,
        most: usize,
        setting: &'static str,
    ) -> Result<(), Self> {
        Self::check_count(items, what, most, setting)?;
        if items.iter().any(|item| item.is_empty()) { Err(Self::Empty(what)) } else { Ok(()) }
    }

    /// Checks that there are between 1 and `most` items.
    pub(super) fn check_count<T>(
        items: &[T],
        what: &'static str,
        most: usize,
        setting: &'static str,
    ) -> Result<(), Self> {
        match items.len() {
            0 => Err(Self::Empty(what)),
            count if count > most => Err(Self::TooMany { what, count, most, setting }),
            _ => Ok(()),
        }
    }
}

impl ResolveRequest {
    /// Reads a body that holds at most `most` references.
    pub fn parse(body: &[u8], most: usize) -> Result<Self, BodyError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "camelCase")]
        struct ResolveBody {
            asset_reference: Option<String>,
            asset_references: Option<Vec<String>>,
        }
        const SHAPE: &str = "an object with `assetReference` (a text) or `assetReferences` (a list of texts), and no other member";
        let request = match BodyError::read(body, SHAPE)? {
            ResolveBody { asset_reference: Some(asset_reference), asset_references: None } => {
                Self::One { asset_reference }
            }
            ResolveBody { asset_reference: None, asset_references: Some(asset_references) } => {
                Self::Many { asset_references }
            }
            _ => return Err(BodyError::Shape(SHAPE)),
        };
        BodyError::check(request.references(), "reference", most, "max-asset-references")?;
        Ok(request)
    }

    /// The references in order.
    pub fn references(&self) -> &[String] {
        match self {
            Self::One { asset_reference } => std::slice::from_ref(asset_reference),
            Self::Many { asset_references } => asset_references,
        }
    }
}

/// URL and properties of one resolved reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedAsset<'a> {
    /// Asset reference: what `assets/resolve` takes. It is as the request has it.
    pub asset_reference: Cow<'a, str>,
    /// Absolute URL of the bytes; it needs no token.
    #[schema(format = "uri")]
    pub url: Cow<'a, str>,
    /// When the URL stops working (RFC 3339, UTC).
    #[schema(format = DateTime)]
    pub expires_at: Cow<'a, str>,
    /// Media type of the file (RFC 6838).
    pub media_type: Cow<'a, str>,
    /// Length of the file in bytes.
    pub size: u64,
    /// Width in pixels (SVG: user units).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Height in pixels (SVG: user units).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// Digest of the file: `sha256:` and 64 hexadecimal digits.
    pub digest: Cow<'a, str>,
}

/// Answer to several references, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ResolveAnswer<'a> {
    /// One for each reference.
    pub items: Vec<ResolveItem<'a>>,
}

/// Answer to one of several references.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ResolveItem<'a> {
    /// Where its bytes are.
    Resolved(ResolvedAsset<'a>),
    /// Why it could not be resolved.
    Unresolved(UnresolvedAsset<'a>),
}

/// A reference without bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnresolvedAsset<'a> {
    /// Asset reference: what `assets/resolve` takes. It is as the request has it.
    pub asset_reference: Cow<'a, str>,
    /// Why it could not be resolved.
    pub problem: Problem<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reference_or_several_are_read_and_anything_else_is_refused_with_its_reason() {
        let one = ResolveRequest::parse(br#"{"assetReference": "fig_1.png"}"#, 2).unwrap();
        assert_eq!(one.references(), ["fig_1.png"]);
        let many = ResolveRequest::parse(br#"{"assetReferences": ["a", "b"]}"#, 2).unwrap();
        assert_eq!(many.references(), ["a", "b"]);
        for shape in [
            r#"{}"#,
            r#"[]"#,
            r#"{"assetReference":"a","assetReferences":["b"]}"#,
            r#"{"assetReference":1}"#,
            r#"{"references":[]}"#,
        ] {
            assert!(
                matches!(ResolveRequest::parse(shape.as_bytes(), 2), Err(BodyError::Shape(_))),
                "{shape}"
            );
        }
        assert!(matches!(ResolveRequest::parse(b"{", 2), Err(BodyError::NoJson(_))));
        assert_eq!(
            ResolveRequest::parse(br#"{"assetReferences":[]}"#, 2),
            Err(BodyError::Empty("reference"))
        );
        let three = ResolveRequest::parse(br#"{"assetReferences":["a","b","c"]}"#, 2);
        assert!(matches!(three, Err(BodyError::TooMany { count: 3, most: 2, .. })));
    }
}
