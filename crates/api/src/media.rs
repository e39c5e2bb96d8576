//! Representations: media types, content negotiation, and names of the views of an edition.

use std::fmt;

use crate::quality::{QualityItem, parse_quality_list};

/// A media type of responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Media {
    /// JSON (`application/json`), which most operations answer with.
    Json,
    /// Plain text in UTF-8 (`text/plain`).
    Text,
    /// The XML source (`application/xml`).
    Xml,
    /// JSON-LD of the knowledge graph (`application/ld+json`).
    JsonLd,
    /// Turtle of the knowledge graph (`text/turtle`).
    Turtle,
    /// CSV of a table (`text/csv`).
    Csv,
    /// `text/html`, outside `/api/` only.
    Html,
    /// A problem document (`application/problem+json`, RFC 9457).
    Problem,
    /// The bytes of an asset, whose media type is stored with it.
    Asset,
}

impl Media {
    /// Value of `Content-Type`. A source in XML states its own charset, so no parameter is added there.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Text => "text/plain; charset=utf-8",
            Self::Turtle => "text/turtle; charset=utf-8",
            // RFC 4180; RFC 7111.
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Html => "text/html; charset=utf-8",
            _ => self.name(),
        }
    }

    /// The media type without parameters (RFC 6838).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain",
            Self::Xml => "application/xml",
            Self::JsonLd => "application/ld+json",
            Self::Turtle => "text/turtle",
            Self::Csv => "text/csv",
            Self::Html => "text/html",
            Self::Problem => "application/problem+json",
            Self::Asset => "application/octet-stream",
        }
    }

    /// Other names under which a caller may ask for it: JSON-LD is JSON, and XML has two names (RFC 7303).
    const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::JsonLd => &["application/json"],
            Self::Xml => &["text/xml"],
            _ => &[],
        }
    }

    /// Chooses among `offered` by an `Accept` header (RFC 9110, 12.5.1); the first offered one wins when
    /// there is no header or when two are wanted equally.
    pub fn negotiate(accept: Option<&str>, offered: &[Self]) -> Result<Self, NotAcceptable> {
        let refuse = || NotAcceptable { offered: offered.to_vec() };
        let ranges: Vec<Range<'_>> = match accept.map(str::trim) {
            None | Some("") => return offered.first().copied().ok_or_else(refuse),
            Some(accept) => parse_quality_list(accept).filter_map(Range::from_item).collect(),
        };
        let mut best: Option<(u16, Self)> = None;
        for &media in offered {
            let quality = media.quality(&ranges);
            if quality > best.map_or(0, |(q, _)| q) {
                best = Some((quality, media));
            }
        }
        best.map(|(_, media)| media).ok_or_else(refuse)
    }

    /// Quality in thousandths, from the most specific range that matches.
    fn quality(self, ranges: &[Range<'_>]) -> u16 {
        let names = || std::iter::once(self.name()).chain(self.aliases().iter().copied());
        let fits = ranges.iter().filter_map(|range| {
            // Its own name is more specific than an alias.
            let by_name = names()
                .enumerate()
                .filter_map(|(index, name)| Some((range.specificity(name)?, std::cmp::Reverse(index))));
            Some((by_name.max()?, range.quality))
        });
        fits.max().map_or(0, |(_, quality)| quality)
    }
}

impl fmt::Display for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No offered media type is accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("none of the accepted media types is available; offered: {}", offered.iter().map(|m| m.name()).collect::<Vec<_>>().join(", "))]
pub struct NotAcceptable {
    /// What is offered, the default first.
    pub offered: Vec<Media>,
}

/// One item of an `Accept` header.
struct Range<'a> {
    name: &'a str,
    /// Parameters other than `q`: none of our types has any, so a range with one fits less well, or not at
    /// all.
    charset: Option<&'a str>,
    other: bool,
    quality: u16,
}

impl<'a> Range<'a> {
    fn from_item(item: QualityItem<'a>) -> Option<Self> {
        let QualityItem { value: name, quality, .. } = item;
        let mut range = Self { name, charset: None, other: false, quality };
        for (name, value) in item.parameters() {
            match name.eq_ignore_ascii_case("charset") {
                true => range.charset = Some(value),
                false => range.other = true,
            }
        }
        (name.contains('/') || name == "*").then_some(range)
    }

    /// How closely it names a media type; `None` when it does not.
    fn specificity(&self, media: &str) -> Option<u8> {
        if self.charset.is_some_and(|c| !c.eq_ignore_ascii_case("utf-8")) {
            return None;
        }
        let kind = media.split('/').next().unwrap_or_default();
        let exact = 2 + u8::from(!self.other) + u8::from(self.charset.is_some());
        match self.name {
            "*" | "*/*" => Some(0),
            name if name.eq_ignore_ascii_case(media) => Some(exact),
            name => name.strip_suffix("/*").filter(|n| n.eq_ignore_ascii_case(kind)).map(|_| 1),
        }
    }
}

/// How a body is coded (RFC 9110, section 8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ContentCoding {
    /// The bytes as they are.
    Identity,
    /// Bytes in gzip (RFC 1952).
    Gzip,
}

impl ContentCoding {
    /// The name in `Content-Encoding`; `identity` is not written there.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
        }
    }

    /// Chooses among `offered` (best first) by an `Accept-Encoding` header; without the header, identity.
    pub fn negotiate(accept: Option<&str>, offered: &[Self]) -> Self {
        let Some(accept) = accept else { return Self::Identity };
        let of = |name: &str| parse_quality_list(accept).find(|item| item.value.eq_ignore_ascii_case(name));
        let quality = |coding: Self| match (of(coding.name()).or_else(|| of("*")), coding) {
            (Some(item), _) => item.quality,
            // Identity is acceptable unless it is refused (RFC 9110, section 12.5.3), but only as a last
            // resort.
            (None, Self::Identity) => 1,
            (None, _) => 0,
        };
        let mut best = (0, Self::Identity);
        for &coding in offered {
            let quality = quality(coding);
            if quality > best.0 {
                best = (quality, coding);
            }
        }
        best.1
    }
}

/// The members of a composed view that a pack stores as its head: bibliographic data.
pub const HEAD_MEMBERS: [&str; 3] = ["metadata", "ics", "relations"];

/// A rendering of an edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum View {
    /// The complete standard, without its live fields.
    Complete,
    /// The standard without section bodies, without its live fields.
    Metadata,
    /// The section hierarchy, without content.
    Sections,
    /// The sections in one list, with their content.
    Content,
    /// The ordered content as plain text.
    ContentText,
    /// The source as it came in.
    Source,
    /// All provisions, as they are stored.
    Provisions,
    /// All terms, as they are stored.
    Terms,
    /// All tables, as they are stored.
    Tables,
    /// All graphics, as they are stored.
    Graphics,
    /// The knowledge graph in JSON-LD.
    Graph,
    /// The knowledge graph in Turtle.
    GraphTurtle,
}

impl View {
    /// True for a view that begins with members of the catalogue.
    pub const fn has_live_fields(self) -> bool {
        matches!(self, Self::Complete | Self::Metadata)
    }

    /// The members of a view that is composed of parts which can be left out, in their order; of another view
    /// none.
    pub const fn members(self) -> &'static [&'static str] {
        match self {
            Self::Complete => &[
                "status",
                "relatedEditions",
                "urn",
                "revision",
                "metadata",
                "ics",
                "relations",
                "sections",
                "graphics",
                "terms",
            ],
            Self::Metadata => &[
                "status",
                "relatedEditions",
                "urn",
                "revision",
                "metadata",
                "ics",
                "relations",
                "provisions",
                "terms",
                "graphics",
            ],
            _ => &[],
        }
    }

    /// Every view, in the order of the declaration.
    pub const ALL: &[Self] = &[
        Self::Complete,
        Self::Metadata,
        Self::Sections,
        Self::Content,
        Self::ContentText,
        Self::Source,
        Self::Provisions,
        Self::Terms,
        Self::Tables,
        Self::Graphics,
        Self::Graph,
        Self::GraphTurtle,
    ];

    /// The name in entity tags and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Metadata => "metadata",
            Self::Sections => "sections",
            Self::Content => "content",
            Self::ContentText => "content-text",
            Self::Source => "source",
            Self::Provisions => "provisions",
            Self::Terms => "terms",
            Self::Tables => "tables",
            Self::Graphics => "graphics",
            Self::Graph => "graph",
            Self::GraphTurtle => "graph-turtle",
        }
    }

    /// The media type of the view.
    pub const fn media(self) -> Media {
        match self {
            Self::ContentText => Media::Text,
            Self::Source => Media::Xml,
            Self::Graph => Media::JsonLd,
            Self::GraphTurtle => Media::Turtle,
            _ => Media::Json,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: &[Media] = &[Media::Json, Media::Text, Media::Xml];
    const GRAPH: &[Media] = &[Media::JsonLd, Media::Turtle];

    #[test]
    fn the_first_offered_type_is_the_default() {
        for accept in [None, Some(""), Some("*/*"), Some("application/*"), Some("text/html, */*;q=0.1")] {
            assert_eq!(Media::negotiate(accept, CONTENT), Ok(Media::Json), "{accept:?}");
        }
        assert_eq!(Media::negotiate(Some("application/json"), GRAPH), Ok(Media::JsonLd));
    }

    #[test]
    fn quality_and_specificity_decide_as_in_rfc_9110() {
        for (accept, media) in [
            ("text/plain", Media::Text),
            ("TEXT/Plain; charset=UTF-8", Media::Text),
            ("application/json;q=0.5, text/plain", Media::Text),
            ("*/*, application/json;q=0", Media::Text),
            ("text/*;q=0.3, text/plain;q=0, */*;q=0.2", Media::Xml),
            ("text/xml", Media::Xml),
            ("application/xml;q=0.9, application/json;q=0.8;", Media::Xml),
        ] {
            assert_eq!(Media::negotiate(Some(accept), CONTENT), Ok(media), "{accept}");
        }
        assert_eq!(
            Media::negotiate(Some("text/turtle, application/ld+json;q=0.9"), GRAPH),
            Ok(Media::Turtle)
        );
        assert_eq!(
            Media::negotiate(Some("application/json;q=0.1, application/ld+json;q=0"), GRAPH),
            Err(NotAcceptable { offered: GRAPH.to_vec() })
        );
    }

    #[test]
    fn a_coding_is_used_only_when_it_is_accepted() {
        use ContentCoding::{Gzip, Identity};
        for (accept, best) in [
            (Some("gzip, br"), Gzip),
            (Some("gzip"), Gzip),
            (Some("br;q=0.5, gzip"), Gzip),
            (Some("deflate;q=0, *"), Gzip),
            (Some("br"), Identity),
            (Some("*;q=0"), Identity),
            (None, Identity),
        ] {
            assert_eq!(ContentCoding::negotiate(accept, &[Gzip, Identity]), best, "{accept:?}");
        }
    }

    #[test]
    fn what_is_not_offered_is_not_acceptable_and_the_offer_is_listed() {
        for accept in
            ["text/html", "application/json;q=0", "text/plain;charset=latin1", "json", "application/json;q=2"]
        {
            let error = Media::negotiate(Some(accept), &[Media::Json]).unwrap_err();
            assert!(error.to_string().ends_with("offered: application/json"), "{accept}");
        }
    }
}
