//! Kind of a section and whether it is normative, by its declared type, its id, its title and its position.

use norma_model::SectionKind::{self, *};

use crate::document::extent::Extent;
use crate::languages;
use crate::text::{label, words};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Values of `sec-type` and `content-type`.
const TYPES: &[(SectionKind, &str)] = &[
    (Foreword, "foreword, preface, avant-propos"),
    (Introduction, "intro, introduction"),
    (Scope, "scope"),
    (NormativeReferences, "norm-refs, normative-references, normrefs"),
    (Terms, "terms, terms-definitions, definitions"),
    (Bibliography, "bibl, bibliography, references"),
    (Index, "index"),
    (Annex, "annex, appendix"),
    (Clause, "clause, sec_clause"),
    (Other, "abstract, titlepage, endorsement, keyword, keywords, toc"),
];

/// The kind with which a table lists a text.
fn listed(table: &[(SectionKind, &str)], text: &str) -> Option<SectionKind> {
    table.iter().find(|(_, texts)| texts.split(", ").any(|listed| listed == text)).map(|(kind, _)| *kind)
}

/// Whether the section is in a clause too late in the document to define its terms: such a clause is about
/// writing standards.
fn is_about_terms(section: XmlNode<'_>) -> bool {
    let clause = section.ancestors().filter(|n| n.name() == Name::Sec).last();
    clause.and_then(clause_number).is_some_and(|number| number > LAST_PRELIMINARY_CLAUSE)
}

fn clause_number(section: XmlNode<'_>) -> Option<u32> {
    label(section)?.trim_end_matches('.').parse().ok()
}

/// Whether the section explains symbols or abbreviations and defines no terms.
fn explains_symbols(section: XmlNode<'_>) -> bool {
    let title = section.child(Name::Title).and_then(words);
    let title = title.unwrap_or_default().to_lowercase();
    languages::names_symbols(&title) && !languages::names_terms(&title)
}

/// The kind of a section.
pub(crate) fn kind_of(extent: Extent<'_>, parent: Option<SectionKind>) -> SectionKind {
    let node = match extent {
        Extent::Whole(node) => node,
        Extent::Run { parent, .. } => {
            let in_body = std::iter::once(parent).chain(parent.ancestors()).any(|n| n.name() == Name::Body);
            return if in_body { Clause } else { Other };
        }
    };
    match node.name() {
        Name::TermSec => return Term,
        Name::FnGroup => return Footnotes,
        Name::Index => return Index,
        Name::Glossary => return Terms,
        Name::Notes | Name::Ack | Name::SubPart => return Other,
        _ => {}
    }
    // A clause may begin with its own introduction or scope and is still normative.
    let own = matches!(parent, Some(Clause | Annex));
    let declared =
        declared_kind(node).filter(|kind| !(own && matches!(kind, Foreword | Introduction | Scope)));
    match node.name() {
        Name::RefList => {
            declared.or_else(|| by_title(node)).filter(|k| *k == NormativeReferences).unwrap_or(Bibliography)
        }
        Name::App => declared.or_else(|| by_title(node)).filter(|k| *k == Bibliography).unwrap_or(Annex),
        _ => declared.unwrap_or_else(|| inferred_kind(node, parent)),
    }
}

fn declared_kind(node: XmlNode<'_>) -> Option<SectionKind> {
    ["sec-type", "content-type"].iter().find_map(|attribute| {
        let value = node.attr(attribute)?.trim().to_ascii_lowercase();
        listed(TYPES, &value)
    })
}

fn inferred_kind(node: XmlNode<'_>, parent: Option<SectionKind>) -> SectionKind {
    if node.elements().any(|n| n.name() == Name::TermSec) {
        return Terms;
    }
    match parent {
        None => by_id(node).or_else(|| by_title(node)).unwrap_or_else(|| {
            let in_body = node.ancestors().any(|n| n.name() == Name::Body);
            if in_body { Clause } else { Other }
        }),
        Some(Annex | Clause | SectionKind::Footnotes) => Clause,
        Some(Terms | Term) if explains_symbols(node) || is_about_terms(node) => Clause,
        Some(Terms | Term) => Terms,
        // A collection's part is read as a document of its own.
        Some(Other) if node.ancestors().any(|n| n.name() == Name::SubPart) => {
            by_title(node).unwrap_or(Clause)
        }
        Some(kind) => kind,
    }
}

fn by_id(node: XmlNode<'_>) -> Option<SectionKind> {
    let id = node.xml_id()?.to_ascii_lowercase();
    let name = id.strip_prefix("sec_").or_else(|| id.strip_prefix("sec-")).unwrap_or(&id);
    let word = name.split(['.', '_', '-']).next()?;
    match word {
        "foreword" => Some(Foreword),
        "intro" | "introduction" => Some(Introduction),
        "bibl" | "bibliography" => Some(Bibliography),
        _ => None,
    }
}

/// The kind that a title names. A rule for writing standards has clauses *about* forewords and scopes under
/// these titles: their numbers are too high.
fn by_title(node: XmlNode<'_>) -> Option<SectionKind> {
    // The capital İ of Turkish has a dot of its own in lower case.
    let title = words(node.child(Name::Title)?)?.to_lowercase().replace('’', "'").replace('\u{307}', "");
    let kind =
        languages::kind_of_title(&title).or_else(|| languages::names_terms(&title).then_some(Terms))?;
    let clause = clause_number(node);
    let fits = match kind {
        Foreword | Introduction => clause.unwrap_or(0) == 0,
        Scope | NormativeReferences | Terms => clause.unwrap_or(1) <= LAST_PRELIMINARY_CLAUSE,
        _ => true,
    };
    fits.then_some(kind)
}

/// The last clause that may be preliminary: scope, normative references and terms are clauses 1 to 3 (ISO/IEC
/// Directives, Part 2), a little later for other publishers.
const LAST_PRELIMINARY_CLAUSE: u32 = 5;

/// Whether a section is normative.
pub(crate) fn is_normative(extent: Extent<'_>, kind: SectionKind, parent: Option<bool>) -> bool {
    match kind {
        Foreword | Introduction | Bibliography | Footnotes | Index => false,
        Annex => extent.element().and_then(annex_type).unwrap_or(true) && parent.unwrap_or(true),
        _ => parent.unwrap_or_else(|| {
            let node = match extent {
                Extent::Whole(node) => node,
                Extent::Run { parent, .. } => parent,
            };
            let in_body = std::iter::once(node).chain(node.ancestors()).any(|n| n.name() == Name::Body);
            in_body || !matches!(kind, Other)
        }),
    }
}

/// Whether words state normative or informative; `None` if they state neither. A negation anywhere among them
/// counts.
fn stated(text: &str) -> Option<bool> {
    let text = text.to_lowercase();
    match languages::annex_status(&text) {
        // “Informative, not normative” negates the other word.
        (true, true) => Some(false),
        (true, false) => Some(is_negated(&text)),
        (false, true) => Some(!is_negated(&text)),
        (false, false) => None,
    }
}

/// Whether words in lower case have a negation among them.
fn is_negated(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(languages::is_negation) || ["不", "非"].iter().any(|sign| text.contains(sign))
}

/// Whether an annex states that it is normative or informative; `None` when it states neither.
pub(crate) fn annex_type(annex: XmlNode<'_>) -> Option<bool> {
    let words = |name| words(annex.child(name)?);
    words(Name::AnnexType)
        // With any negation in it, the annex is informative.
        .and_then(|t| stated(&t).or_else(|| is_negated(&t.to_lowercase()).then_some(false)))
        .or_else(|| annex.attr("content-type").and_then(stated))
        .or_else(|| words(Name::Label).and_then(|t| stated(&t)))
        .or_else(|| {
            // `Annex A (informative) Tests`, `Annex A (not normative) Tests`, but no such word among others
            // in brackets.
            let title = words(Name::Title)?;
            let brackets = title.split(['(', '（']).skip(1).filter_map(|b| b.split([')', '）']).next());
            brackets.into_iter().find_map(|bracket| {
                let lower = bracket.trim().to_lowercase();
                let is_type =
                    !bracket.contains(' ') || languages::is_annex_status(&lower) || is_negated(&lower);
                stated(bracket).filter(|_| title.starts_with(['(', '（']) || is_type)
            })
        })
}

#[cfg(test)]
mod tests {
    use super::stated;

    #[test]
    fn a_negation_anywhere_turns_what_is_said_of_an_annex() {
        for informative in [
            "(informative)",
            "informativ",
            "(non-normative)",
            "not normative",
            "nicht normativ",
            "(n'est pas normative)",
            "ikke normativt",
            "This appendix is not an integral part of the code",
            "informative, not normative",
            "（参考）",
            "資料性附錄",
            "не обязательное",
            "非规范性",
            "Cette annexe ne fait pas partie intégrante de la norme",
            "nicht Bestandteil dieser Norm",
            "nicht zum Normtext gehörend",
            "This appendix is not part of this standard",
            "(informativo)",
            "(informatief)",
            "(informativní)",
            "(opastava)",
            "(tájékoztató)",
            "(bilgi için)",
            "(πληροφοριακό)",
            "(информационно)",
            "(довідковий)",
            "(참고)",
            "(إخباري)",
            "(teatmelisa)",
            "(não normativo)",
        ] {
            assert_eq!(stated(informative), Some(false), "{informative}");
        }
        for normative in [
            "normative",
            "Normativ",
            "normatif",
            "(规范性附录)",
            "forms an integral part",
            "not informative",
            "обязательное",
            "(normatief)",
            "(velvoittava)",
            "(rendelkező)",
            "(zorunlu)",
            "(κανονιστικό)",
            "(обов’язковий)",
            "(규정)",
            "（規定）",
            "(normlisa)",
        ] {
            assert_eq!(stated(normative), Some(true), "{normative}");
        }
        assert_eq!(stated("normal values of lids"), None);
    }
}
