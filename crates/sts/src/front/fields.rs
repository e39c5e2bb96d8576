//! Fields of the metadata: values, classes, rights, relations.

use norma_model::{Copyright, Ics, RelationKind};

use norma_provisions::blocks::Cited;

use crate::document::citation;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The first meaningful value of that name in a block; `N/A` and the like have no meaning.
pub(crate) fn value(block: XmlNode<'_>, name: Name) -> Option<String> {
    values(block, name).next()
}

/// All values of that name in a block, except those of other documents in it.
pub(super) fn values<'t>(block: XmlNode<'t>, name: Name) -> impl Iterator<Item = String> {
    nodes(block, name)
        .filter_map(XmlNode::normalized_text)
        .filter(|words| !words.eq_ignore_ascii_case("n/a") && words.chars().any(char::is_alphanumeric))
}

/// The elements of that name in a block, except those about other documents. Where the block has none, those
/// of the `std-doc-meta` next to it: it has for all documents of a standard what the block has for one.
pub(super) fn nodes<'t>(block: XmlNode<'t>, name: Name) -> impl Iterator<Item = XmlNode<'t>> {
    let mut own = own_nodes(block, name).peekable();
    let adjacent = own.peek().is_none().then(|| adjacent_doc_meta(block)).flatten();
    own.chain(adjacent.into_iter().flat_map(move |adjacent| own_nodes(adjacent, name)))
}

/// The `std-doc-meta` next to another block of metadata.
fn adjacent_doc_meta(block: XmlNode<'_>) -> Option<XmlNode<'_>> {
    block.parent()?.elements().find(|node| node.name() == Name::StdDocMeta && *node != block)
}

/// Whether a block is a `std-doc-meta` whose members complete those of another block next to it.
pub(super) fn completes_another(block: XmlNode<'_>) -> bool {
    let adjacent = || block.parent().into_iter().flat_map(|parent| parent.elements());
    block.name() == Name::StdDocMeta && adjacent().any(|node| node != block && node.name().is_meta_block())
}

fn own_nodes<'t>(block: XmlNode<'t>, name: Name) -> impl Iterator<Item = XmlNode<'t>> {
    let of_other_document =
        |n: XmlNode<'_>| matches!(n.name(), Name::StdXref | Name::Std | Name::TitleWrap | Name::Sec);
    block.all(name).filter(move |node| !node.ancestors().take_while(|n| *n != block).any(of_other_document))
}

/// Union of the classes of all blocks, without repeats.
pub(super) fn ics(blocks: &[XmlNode<'_>]) -> Vec<Ics> {
    let mut all: Vec<Ics> = Vec::new();
    for node in blocks.iter().flat_map(|b| b.all(Name::Ics)) {
        let Some(words) = node.child(Name::IcsCode).unwrap_or(node).normalized_text() else { continue };
        let wrap = node.parent().filter(|p| p.name() == Name::IcsWrap).unwrap_or(node);
        let title = wrap.child(Name::IcsDesc).and_then(XmlNode::normalized_text);
        for code in words.split([',', ';']).map(str::trim).filter(|c| !c.is_empty()) {
            match all.iter_mut().find(|known| known.code == code) {
                Some(known) => known.title = known.title.take().or_else(|| title.clone()),
                None => all.push(Ics { code: code.to_owned(), title: title.clone() }),
            }
        }
    }
    all
}

pub(super) fn copyright(owner: XmlNode<'_>) -> Option<Copyright> {
    let copyright = Copyright {
        statement: value(owner, Name::CopyrightStatement),
        year: value(owner, Name::CopyrightYear),
        holder: value(owner, Name::CopyrightHolder),
    };
    (copyright != Copyright::default()).then_some(copyright)
}

pub(super) fn page_count(owner: XmlNode<'_>) -> Option<u32> {
    let node = owner.all(Name::PageCount).next()?;
    let count = node.attr("count").map(str::to_owned).or_else(|| node.normalized_text())?;
    count.trim().parse().ok()
}

/// Relations stated by `std-xref` in any block.
pub(super) fn relations(blocks: &[XmlNode<'_>]) -> Vec<(RelationKind, Cited)> {
    let mut relations = Vec::new();
    for xref in blocks.iter().flat_map(|b| b.all(Name::StdXref)) {
        let kind = match xref.attr("type").unwrap_or_default().trim().to_ascii_lowercase().as_str() {
            "supersedes" | "replaces" | "revises" | "obsoletes" | "cancels" => RelationKind::Replaces,
            "amends" | "updates" | "corrects" | "supplements" => RelationKind::Amends,
            "adopts" | "adoptedfrom" | "std-adopted-from" | "ispublishedformatof" | "identical" => {
                RelationKind::Adopts
            }
            "normativereference" | "normative-reference" => RelationKind::NormativeReference,
            "informativereference" | "informative-reference" => RelationKind::InformativeReference,
            _ => RelationKind::Related,
        };
        relations.extend(citation::from_std(xref).map(|cited| (kind, cited)));
    }
    // IEEE states them next to its titles.
    for article in blocks.iter().flat_map(|b| b.all(Name::RelatedArticle)) {
        let kind = match article.attr("related-article-type").unwrap_or_default() {
            "revision-of" => RelationKind::Replaces,
            "amendment-to" | "corrigendum-to" | "errata-to" => RelationKind::Amends,
            _ => RelationKind::Related,
        };
        relations.extend(article.all(Name::Std).filter_map(citation::from_std).map(|cited| (kind, cited)));
    }
    relations
}
