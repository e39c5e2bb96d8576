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
        if let Some(own) = node.xml_id()
            && tree.is_unique(own)
        {
            ids.push(own.to_owned());
            continue;
        }
        ids.push(generated_id(tree, word, &mut count));
    }
    ids
}

/// The next id of the form `<word>~<k>` that the source does not use; `count` is the last `k`.
fn generated_id(tree: &Tree<'_>, word: &str, count: &mut usize) -> String {
    loop {
        *count += 1;
        let id = format!("{word}~{count}");
        if !tree.has_id(&id) {
            return id;
        }
    }
}

/// The graphics of a document, in the order of its plan, and those whose `data:` URI cannot be read.
pub(crate) fn graphics<'t>(document: &DocumentIndex<'t>, ids: &[String]) -> (Vec<Graphic>, Vec<XmlNode<'t>>) {
    let mut graphics = Vec::with_capacity(ids.len());
    let mut undecodable = Vec::new();
    for (&(node, section), id) in document.structure.graphics.iter().zip(ids) {
        let source = match asset_source(node) {
            Ok(source) => source,
            Err(UndecodableUri) => {
                undecodable.push(node);
                AssetSource::Missing
            }
        };
        graphics.push(graphic(document, node, section, id, source));
    }
    (graphics, undecodable)
}

fn graphic<'t>(
    document: &DocumentIndex<'t>,
    node: XmlNode<'t>,
    section: Option<usize>,
    id: &str,
    source: AssetSource,
) -> Graphic {
    let figure = node.ancestors().find(|n| n.name() == Name::Fig);
    let own_label = label(node);
    let own_caption = node.child(Name::Caption);
    let pictures = figure.map_or(1, |figure| figure.all(Name::Graphic).take(2).count());
    // One of several pictures with a label or caption of its own is a part of the figure, which the
    // caption of the figure is not about.
    let is_part = pictures > 1 && (own_label.is_some() || own_caption.is_some());
    let figure_label = figure.and_then(label);
    let figure_caption = figure.and_then(caption_of);
    let (label, caption) = if is_part {
        (own_label.or(figure_label), own_caption)
    } else {
        (figure_label.or(own_label), figure_caption.or(own_caption))
    };
    let caption = caption.and_then(|caption| line(Some(document), caption_title(caption)));
    let reference = match &source {
        AssetSource::Href(href) => href.clone(),
        _ => id.to_owned(),
    };
    Graphic {
        id: GraphicId::new(id.to_owned()),
        figure_id: figure.and_then(XmlNode::xml_id).map(str::to_owned),
        label,
        caption: caption.map(|caption| collapse(&caption)),
        alt_text: alternative_text(node),
        section,
        reference,
        source,
    }
}

/// A `data:` URI (RFC 2397) that cannot be decoded.
struct UndecodableUri;

/// The bytes of a picture in its own `data:` URI, or the address that it states.
fn asset_source(node: XmlNode<'_>) -> Result<AssetSource, UndecodableUri> {
    let Some(href) = node.attr("href") else { return Ok(AssetSource::Missing) };
    let href = href.trim();
    if has_data_scheme(href) {
        return embedded(href).ok_or(UndecodableUri);
    }
    Ok(AssetSource::Href(href.to_owned()))
}

/// The words that represent a picture: its own, or those of the figure or alternatives directly around it.
pub(crate) fn alternative_text(node: XmlNode<'_>) -> Option<String> {
    if let Some(own) = node.child(Name::AltText).and_then(words) {
        return Some(own);
    }
    if let Some(own) = node.attr("alt") {
        return Some(own.to_owned());
    }
    let holder = node.parent()?;
    if !matches!(holder.name(), Name::Fig | Name::Alternatives) {
        return None;
    }
    words(holder.child(Name::AltText)?)
}

fn has_data_scheme(href: &str) -> bool {
    href.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Decodes a `data:` URI (RFC 2397).
fn embedded(href: &str) -> Option<AssetSource> {
    let (head, data) = href.get(5..)?.split_once(',')?;
    let mut parts = head.split(';').map(str::trim);
    let media_type = parts.next().filter(|t| t.contains('/')).map(str::to_ascii_lowercase);
    let mut bytes: Vec<u8> = percent_encoding::percent_decode_str(data).collect();
    let is_base64 = parts.any(|part| part.eq_ignore_ascii_case("base64"));
    if is_base64 {
        bytes.retain(|byte| !byte.is_ascii_whitespace());
        bytes = BASE64.decode(bytes).ok()?;
    }
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
