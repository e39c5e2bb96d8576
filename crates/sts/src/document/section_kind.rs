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

/// The last clause that may be preliminary: scope, normative references and terms are clauses 1 to 3 (ISO/IEC
/// Directives, Part 2), a little later for other publishers.
const LAST_PRELIMINARY_CLAUSE: u32 = 5;

/// The kind that [`TYPES`] lists a value under.
fn kind_of_type(value: &str) -> Option<SectionKind> {
    let listed = TYPES.iter().find(|(_, values)| values.split(", ").any(|listed| listed == value));
    listed.map(|(kind, _)| *kind)
}

/// A clause too late in the document to define its terms is about writing standards.
fn is_about_terms(section: XmlNode<'_>) -> bool {
    let clause = section.ancestors().filter(|n| n.name() == Name::Sec).last();
    clause.and_then(clause_number).is_some_and(|number| number > LAST_PRELIMINARY_CLAUSE)
}

fn clause_number(section: XmlNode<'_>) -> Option<u32> {
    label(section)?.trim_end_matches('.').parse().ok()
}

/// Sections that explain symbols or abbreviations and define no terms, by their titles.
fn explains_symbols(section: XmlNode<'_>) -> bool {
    let title = section.child(Name::Title).and_then(words);
    let title = title.unwrap_or_default().to_lowercase();
    languages::names_symbols(&title) && !languages::names_terms(&title)
}

/// Kind of a section under one of the kind `parent`; loose content is a clause or, outside of the body,
/// other.
pub(crate) fn kind_of(extent: Extent<'_>, parent: Option<SectionKind>) -> SectionKind {
    let node = match extent {
        Extent::Whole(node) => node,
        Extent::Run { parent, .. } if is_in_body(parent) => return Clause,
        Extent::Run { .. } => return Other,
    };
    let declared = || declared_kind(node, parent);
    match node.name() {
        Name::TermSec => Term,
        Name::FnGroup => Footnotes,
        Name::Index => Index,
        Name::Glossary => Terms,
        Name::Notes | Name::Ack | Name::SubPart => Other,
        Name::RefList => match declared().or_else(|| by_title(node)) {
            Some(NormativeReferences) => NormativeReferences,
            _ => Bibliography,
        },
        Name::App => match declared().or_else(|| by_title(node)) {
            Some(Bibliography) => Bibliography,
            _ => Annex,
        },
        _ => declared().unwrap_or_else(|| inferred_kind(node, parent)),
    }
}

fn is_in_body(node: XmlNode<'_>) -> bool {
    std::iter::once(node).chain(node.ancestors()).any(|n| n.name() == Name::Body)
}

/// The kind that attributes of a section declare and that is possible under its parent.
fn declared_kind(node: XmlNode<'_>, parent: Option<SectionKind>) -> Option<SectionKind> {
    let kind = declared_type(node)?;
    // A clause may begin with its own introduction or scope and is still normative.
    if matches!(parent, Some(Clause | Annex)) && matches!(kind, Foreword | Introduction | Scope) {
        return None;
    }
    Some(kind)
}

fn declared_type(node: XmlNode<'_>) -> Option<SectionKind> {
    for attribute in ["sec-type", "content-type"] {
        let Some(value) = node.attr(attribute) else { continue };
        let kind = kind_of_type(&value.trim().to_ascii_lowercase());
        if kind.is_some() {
            return kind;
        }
    }
    None
}

/// The kind of a section without a declared one: by its content, its id and title, or its parent.
fn inferred_kind(node: XmlNode<'_>, parent: Option<SectionKind>) -> SectionKind {
    if node.elements().any(|n| n.name() == Name::TermSec) {
        return Terms;
    }
    let Some(parent) = parent else {
        let by_position = || if is_in_body(node) { Clause } else { Other };
        return by_id(node).or_else(|| by_title(node)).unwrap_or_else(by_position);
    };
    match parent {
        Annex | Clause | Footnotes => Clause,
        Terms | Term if explains_symbols(node) || is_about_terms(node) => Clause,
        Terms | Term => Terms,
        // A collection's part is read as a document of its own.
        Other if node.ancestors().any(|n| n.name() == Name::SubPart) => by_title(node).unwrap_or(Clause),
        other => other,
    }
}

/// The kind that the source's id names: `sec_foreword`, `intro`.
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
    let kind = match languages::kind_of_title(&title) {
        Some(kind) => kind,
        None if languages::names_terms(&title) => Terms,
        None => return None,
    };
    let clause = clause_number(node);
    let last = match kind {
        Foreword | Introduction => 0,
        Scope | NormativeReferences | Terms => LAST_PRELIMINARY_CLAUSE,
        _ => return Some(kind),
    };
    match clause {
        Some(clause) if clause > last => None,
        _ => Some(kind),
    }
}

/// A section is normative by its kind and by the section around it. An annex is, unless it says that it is
/// informative.
pub(crate) fn is_normative(extent: Extent<'_>, kind: SectionKind, parent: Option<bool>) -> bool {
    match kind {
        Foreword | Introduction | Bibliography | Footnotes | Index => return false,
        Annex => {
            let own = extent.element().and_then(annex_type);
            return own.unwrap_or(true) && parent.unwrap_or(true);
        }
        _ => {}
    }
    if let Some(parent) = parent {
        return parent;
    }
    let node = match extent {
        Extent::Whole(node) => node,
        Extent::Run { parent, .. } => parent,
    };
    kind != Other || is_in_body(node)
}

/// What words state: `true` for normative, `false` for informative, `None` for neither. A negation anywhere
/// among them counts.
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

/// Looks for a negation among words in lower case; Chinese has no spaces between them.
fn is_negated(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(languages::is_negation) || ["不", "非"].iter().any(|sign| text.contains(sign))
}

/// What an annex states: `true` for normative, `false` for informative, `None` for neither.
pub(crate) fn annex_type(annex: XmlNode<'_>) -> Option<bool> {
    let words = |name| words(annex.child(name)?);
    words(Name::AnnexType)
        .and_then(|annex_type| stated_in_annex_type(&annex_type))
        .or_else(|| annex.attr("content-type").and_then(stated))
        .or_else(|| stated(&words(Name::Label)?))
        .or_else(|| stated_in_title(&words(Name::Title)?))
}

/// The statement of an `annex-type`, where any negation says that the annex is informative.
fn stated_in_annex_type(annex_type: &str) -> Option<bool> {
    let stated = stated(annex_type);
    if stated.is_none() && is_negated(&annex_type.to_lowercase()) {
        return Some(false);
    }
    stated
}

/// The statement in brackets of a title: `Annex A (informative) Tests`, `Annex A (not normative) Tests`, but
/// no such word among others in brackets.
fn stated_in_title(title: &str) -> Option<bool> {
    let begins_with_brackets = title.starts_with(['(', '（']);
    for opened in title.split(['(', '（']).skip(1) {
        let bracket = opened.split([')', '）']).next().unwrap_or_default();
        let Some(is_normative) = stated(bracket) else { continue };
        let words = bracket.trim().to_lowercase();
        let is_only_type = !bracket.contains(' ') || languages::is_annex_status(&words) || is_negated(&words);
        if begins_with_brackets || is_only_type {
            return Some(is_normative);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{stated, stated_in_title};

    #[test]
    fn the_title_of_an_annex_states_its_type_in_brackets_of_their_own() {
        for (title, normative) in [
            ("Annex A (informative) Tests", Some(false)),
            ("Annex A (not normative) Tests", Some(false)),
            ("Annex A (normative)", Some(true)),
            ("Annex A (of normative documents) Tests", None),
            ("(informative annex) Tests", Some(false)),
            ("Annex A Informative tests", None),
        ] {
            assert_eq!(stated_in_title(title), normative, "{title}");
        }
    }

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
