//! Graphics: every picture of the document once; those in `data:` URIs are decoded.

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use norma_model::whitespace::collapse;
use norma_model::{AssetSource, Graphic, GraphicId};

use crate::document::index::DocumentIndex;
use crate::text::{caption_of, caption_title, label, line, words};
use crate::xml::names::Name;
use crate::xml::tree::{Tree, XmlNode};

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Assigns ids to nodes in their order: the source's own if it is unique, else `<word>~<k>`.
pub(crate) fn assign_ids<'t>(
    tree: &Tree<'t>,
    nodes: impl Iterator<Item = XmlNode<'t>>,
    word: &str,
) -> Vec<String> {
    let mut count = 0;
    let mut ids = Vec::new();
    for node in nodes {
        ids.push(match node.xml_id().filter(|id| tree.is_unique(id)) {
            Some(id) => id.to_owned(),
            None => loop {
                count += 1;
                let id = format!("{word}~{count}");
                if !tree.has_id(&id) {
                    break id;
                }
            },
        });
    }
    ids
}

/// The graphics of a document, in the order of its plan, and those whose `data:` URI cannot be read.
pub(crate) fn graphics<'t>(document: &DocumentIndex<'t>, ids: &[String]) -> (Vec<Graphic>, Vec<XmlNode<'t>>) {
    let mut undecodable = Vec::new();
    let graphics = document
        .structure
        .graphics
        .iter()
        .zip(ids)
        .map(|(&(node, section), id)| {
            let figure = node.ancestors().find(|n| matches!(n.name(), Name::Fig));
            let own_label = label(node);
            let own_caption = node.child(Name::Caption);
            let pictures = figure.map_or(1, |f| f.all(Name::Graphic).take(2).count());
            // One of several pictures with a label or caption of its own is a part of the figure, which the
            // caption of the figure is not about.
            let is_part = pictures > 1 && (own_label.is_some() || own_caption.is_some());
            let of_figure = figure.and_then(caption_of).filter(|_| !is_part);
            let caption = of_figure.or(own_caption);
            let of_figure = figure.and_then(label);
            let label = if is_part { own_label.or(of_figure) } else { of_figure.or(own_label) };
            let href = node.attr("href").map(str::trim);
            let source = match href {
                None => AssetSource::Missing,
                Some(href) if has_data_scheme(href) => embedded(href).unwrap_or_else(|| {
                    undecodable.push(node);
                    AssetSource::Missing
                }),
                Some(href) => AssetSource::Href(href.to_owned()),
            };
            let reference = match &source {
                AssetSource::Href(href) => href.clone(),
                _ => id.clone(),
            };
            Graphic {
                id: GraphicId::new(id.clone()),
                figure_id: figure.and_then(XmlNode::xml_id).map(str::to_owned),
                label,
                caption: caption
                    .and_then(|caption| line(Some(document), caption_title(caption)))
                    .map(|caption| collapse(&caption)),
                alt_text: alternative_text(node),
                section,
                reference,
                source,
            }
        })
        .collect();
    (graphics, undecodable)
}

/// The words that represent a picture.
pub(crate) fn alternative_text(node: XmlNode<'_>) -> Option<String> {
    let own = node.child(Name::AltText).and_then(words).or_else(|| node.attr("alt").map(str::to_owned));
    own.or_else(|| {
        let holder = node.parent().filter(|p| matches!(p.name(), Name::Fig | Name::Alternatives))?;
        words(holder.child(Name::AltText)?)
    })
}

fn has_data_scheme(href: &str) -> bool {
    href.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Decodes a `data:` URI (RFC 2397).
fn embedded(href: &str) -> Option<AssetSource> {
    let (head, data) = href.get(5..)?.split_once(',')?;
    let mut parts = head.split(';').map(str::trim);
    let media_type = parts.next().filter(|t| t.contains('/')).map(str::to_ascii_lowercase);
    let raw: Vec<u8> = percent_encoding::percent_decode_str(data).collect();
    let bytes = if parts.any(|p| p.eq_ignore_ascii_case("base64")) {
        let digits: Vec<u8> = raw.into_iter().filter(|b| !b.is_ascii_whitespace()).collect();
        BASE64.decode(digits).ok()?
    } else {
        raw
    };
    Some(AssetSource::Embedded { media_type, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_uris_are_decoded_with_and_without_base64() {
        let bytes = |href: &str| match embedded(href) {
            Some(AssetSource::Embedded { media_type, bytes }) => (media_type, bytes),
            other => panic!("{href}: {other:?}"),
        };
        assert_eq!(bytes("data:image/PNG;base64,aGk="), (Some("image/png".into()), b"hi".to_vec()));
        assert_eq!(bytes("DATA:image/png;base64,a Gk"), (Some("image/png".into()), b"hi".to_vec()));
        assert_eq!(bytes("data:,a%20b"), (None, b"a b".to_vec()));
        assert_eq!(embedded("data:image/png;base64,§"), None);
    }
}
