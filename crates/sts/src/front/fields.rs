//! Fields of the metadata: values, classes, rights, relations.

use norma_model::{Copyright, Ics, RelationKind};
use norma_provisions::blocks::Cited;

use crate::diagnostic::Diagnostics;
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
    let adjacent = if own.peek().is_none() { adjacent_doc_meta(block) } else { None };
    own.chain(adjacent.into_iter().flat_map(move |adjacent| own_nodes(adjacent, name)))
}

/// The `std-doc-meta` next to another block of metadata.
fn adjacent_doc_meta(block: XmlNode<'_>) -> Option<XmlNode<'_>> {
    block.parent()?.elements().find(|node| node.name() == Name::StdDocMeta && *node != block)
}

/// A `std-doc-meta` completes another block of metadata next to it, if there is one.
pub(super) fn completes_another(block: XmlNode<'_>) -> bool {
    if block.name() != Name::StdDocMeta {
        return false;
    }
    let Some(parent) = block.parent() else { return false };
    parent.elements().any(|node| node != block && node.name().is_meta_block())
}

fn own_nodes<'t>(block: XmlNode<'t>, name: Name) -> impl Iterator<Item = XmlNode<'t>> {
    block.all(name).filter(move |node| !is_about_other_document(*node, block))
}

/// A node of a block is about another document in an element that names one, and in a title or text.
fn is_about_other_document(node: XmlNode<'_>, block: XmlNode<'_>) -> bool {
    for ancestor in node.ancestors() {
        if ancestor == block {
            return false;
        }
        if matches!(ancestor.name(), Name::StdXref | Name::Std | Name::TitleWrap | Name::Sec) {
            return true;
        }
    }
    false
}

/// Union of the classes of all blocks, without repeats.
pub(super) fn ics(blocks: &[XmlNode<'_>], diagnostics: &mut Diagnostics) -> Vec<Ics> {
    let mut all: Vec<Ics> = Vec::new();
    for node in blocks.iter().flat_map(|block| block.all(Name::Ics)) {
        let Some(words) = node.child(Name::IcsCode).unwrap_or(node).normalized_text() else { continue };
        let wrap = node.parent().filter(|p| p.name() == Name::IcsWrap).unwrap_or(node);
        let title = wrap.child(Name::IcsDesc).and_then(XmlNode::normalized_text);
        let codes = ics_codes(&words);
        if codes.is_empty() {
            let message = format!("`{words}` is not a code of the ICS; it is left out");
            diagnostics.add("invalid-ics", node.range().start, message);
        }
        for code in codes {
            match all.iter_mut().find(|known| known.code == code) {
                Some(known) if known.title.is_none() => known.title.clone_from(&title),
                Some(_) => {}
                None => all.push(Ics { code, title: title.clone() }),
            }
        }
    }
    all
}

/// The codes among words (International Classification for Standards, “Structure”): a field of two digits, a
/// group of three and a sub-group of two, with dots or blanks between them: `ICS 13.110`, `13 110 10`.
fn ics_codes(words: &str) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    // The separator within the last code, while it may go on.
    let mut separator: Option<&str> = None;
    let mut rest = words;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let before = rest[..start].trim();
        let digits = &rest[start..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let digits = &digits[..end];
        rest = &rest[start + end..];
        let continues_last = match codes.last().map_or(0, String::len) {
            _ if separator.is_none() => false,
            2 => digits.len() == 3 && matches!(before, "" | "."),
            6 => digits.len() == 2 && separator == Some(before),
            _ => false,
        };
        if continues_last && let Some(code) = codes.last_mut() {
            code.push('.');
            code.push_str(digits);
            separator = Some(before);
        } else if digits.len() == 2 {
            codes.push(digits.to_owned());
            separator = Some("");
        } else {
            // A number that is not part of a code ends the one before it.
            separator = None;
        }
    }
    codes
}

/// The rights that a block states; `None` if it states none.
pub(super) fn copyright(owner: XmlNode<'_>) -> Option<Copyright> {
    let copyright = Copyright {
        statement: value(owner, Name::CopyrightStatement),
        year: value(owner, Name::CopyrightYear),
        holder: value(owner, Name::CopyrightHolder),
    };
    (copyright != Copyright::default()).then_some(copyright)
}

/// The number of pages, which is an attribute in NISO STS and text in ISOSTS.
pub(super) fn page_count(owner: XmlNode<'_>) -> Option<u32> {
    let node = owner.all(Name::PageCount).next()?;
    let count = node.attr("count").map(str::to_owned).or_else(|| node.normalized_text())?;
    count.trim().parse().ok()
}

/// Relations stated by `std-xref` in the blocks of metadata of a document, whose own block is `owner`.
///
/// The block of an adopted document says what that one replaces or amends. The document that adopts it is
/// only related to those.
pub(super) fn relations(owner: XmlNode<'_>, blocks: &[XmlNode<'_>]) -> Vec<(RelationKind, Cited)> {
    let mut relations = Vec::new();
    for &block in blocks {
        let is_own = block == owner || (completes_another(block) && block.parent() == owner.parent());
        for (kind, cited) in relations_of(block) {
            let kind = match kind {
                RelationKind::Replaces | RelationKind::Amends if !is_own => RelationKind::Related,
                _ => kind,
            };
            relations.push((kind, cited));
        }
    }
    relations
}

/// The relations that one block states.
fn relations_of(block: XmlNode<'_>) -> Vec<(RelationKind, Cited)> {
    let mut relations = Vec::new();
    for xref in block.all(Name::StdXref) {
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
        if let Some(cited) = citation::from_std(xref) {
            relations.push((kind, cited));
        }
    }
    // IEEE states them next to its titles.
    for article in block.all(Name::RelatedArticle) {
        let kind = match article.attr("related-article-type").unwrap_or_default() {
            "revision-of" => RelationKind::Replaces,
            "amendment-to" | "corrigendum-to" | "errata-to" => RelationKind::Amends,
            _ => RelationKind::Related,
        };
        for cited in article.all(Name::Std).filter_map(citation::from_std) {
            relations.push((kind, cited));
        }
    }
    relations
}

#[cfg(test)]
mod tests {
    use super::ics_codes;

    #[test]
    fn codes_of_the_classification_are_found_among_words_and_blanks() {
        for (words, codes) in [
            ("13.110", vec!["13.110"]),
            ("ICS 13.110", vec!["13.110"]),
            ("ICS: 13.110.10", vec!["13.110.10"]),
            ("13. 110", vec!["13.110"]),
            ("13 110 10", vec!["13.110.10"]),
            ("13.110, 25.040.30; 77", vec!["13.110", "25.040.30", "77"]),
            ("13.110 25.040", vec!["13.110", "25.040"]),
            ("13.110 25", vec!["13.110", "25"]),
            ("01.040.01 (Vocabularies)", vec!["01.040.01"]),
            ("Safety of machinery", vec![]),
            ("2020", vec![]),
        ] {
            assert_eq!(ics_codes(words), codes, "{words}");
        }
    }
}
