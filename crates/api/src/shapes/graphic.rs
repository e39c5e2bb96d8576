//! Graphics: the pictures that the text of an edition refers to.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Amendment, SectionRef, borrowed};

/// Answer of `GET /standards/{id}/graphics`: the graphics of the standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GraphicsView<'a> {
    /// Amendments of the object that the caller may see, in the order of their publication. It is absent
    /// without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Graphics in document order.
    pub items: Vec<Graphic<'a>>,
}

/// One picture of the text, in place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Graphic<'a> {
    /// Id of the object. It is unique in the edition.
    pub id: Cow<'a, str>,
    /// Id of the figure that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figure_id: Option<Cow<'a, str>>,
    /// Label, for people. It is that of the figure as written: `Figure 1`. One of several pictures of a
    /// figure may have its own: `b)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Caption without its label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<Cow<'a, str>>,
    /// Text for readers who cannot see the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt_text: Option<Cow<'a, str>>,
    /// Section that has the object. A graphic in the metadata has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionRef<'a>>,
    /// Asset reference: what `assets/resolve` takes.
    pub asset_reference: Cow<'a, str>,
    /// Media type of the file (RFC 6838).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<Cow<'a, str>>,
    /// Width in pixels (SVG: user units).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Height in pixels (SVG: user units).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// Length of the file in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Digest of the file: `sha256:` and 64 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Cow<'a, str>>,
    /// True where the file of the graphic can be resolved.
    pub available: bool,
}

impl<'a> Graphic<'a> {
    /// The shape of a graphic, with its file where there is one, of an edition with these sections.
    pub fn new(
        graphic: &'a norma_model::Graphic,
        asset: Option<&'a norma_model::Asset>,
        sections: &'a [norma_model::Section],
    ) -> Self {
        // Where the source says the picture is has done its work when the asset was matched.
        let norma_model::Graphic { id, figure_id, label, caption, alt_text, section, reference, source: _ } =
            graphic;
        let dimensions = asset.and_then(|a| a.dimensions);
        Self {
            id: id.as_str().into(),
            figure_id: borrowed(figure_id),
            label: borrowed(label),
            caption: borrowed(caption),
            alt_text: borrowed(alt_text),
            section: section.map(|s| (&sections[s]).into()),
            asset_reference: reference.into(),
            media_type: asset.map(|a| a.media_type.as_str().into()),
            width: dimensions.map(|(width, _)| width),
            height: dimensions.map(|(_, height)| height),
            size: asset.map(|a| a.size),
            digest: asset.map(|a| a.digest.to_string().into()),
            available: asset.is_some(),
        }
    }
}
