//! Kind of a section and whether it is normative, by its declared type, its id, its title and its position.

use norma_model::SectionKind::{self, *};

use crate::document::extent::Extent;
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

/// Titles of top-level sections whose type is not declared, in lower case.
const TITLES: &[(SectionKind, &str)] = &[
    (Foreword, "foreword, national foreword, european foreword, avant-propos, avant-propos national"),
    (Foreword, "avant-propos européen, vorwort, nationales vorwort, europäisches vorwort, 前言, предисловие"),
    (Introduction, "introduction, einleitung, 引言, введение"),
    (Scope, "scope, domaine d'application, anwendungsbereich, 范围, область применения"),
    (NormativeReferences, "normative references, références normatives, normative verweisungen"),
    (NormativeReferences, "规范性引用文件, нормативные ссылки"),
    (Terms, "术语和定义, термины и определения"),
    (Bibliography, "bibliography, bibliographie, literaturhinweise, 参考文献, библиография"),
    (Index, "index"),
];

/// The kind with which a table lists a text.
fn listed(table: &[(SectionKind, &str)], text: &str) -> Option<SectionKind> {
    table.iter().find(|(_, texts)| texts.split(", ").any(|listed| listed == text)).map(|(kind, _)| *kind)
}

/// Words of which the title of a terms clause has at least one: “Terminology”, “Terms, definitions and
/// abbreviated terms”.
const TERMS: &str = "terms definitions terminology glossary vocabulary termes définitions terminologie glossaire vocabulaire \
    begriffe begriffsbestimmungen definitionen glossar benennungen";

/// The other words of such titles.
const TERM_TITLE_FILLERS: &str = "and of symbols abbreviations abbreviated acronyms notation notations units general et de des \
    symboles abréviations abrégés sigles acronymes unités und symbole abkürzungen formelzeichen kurzzeichen einheiten akronyme";

/// Beginnings of words for symbols and abbreviations.
const SYMBOLS: &str = "symbol notation unit abbrev abrév abrég acronym sigle abkürzung formelzeichen";

/// Whether a word is one of a list.
fn is_in(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|listed| listed == word)
}

/// Whether a title in lower case names terms; one for symbols and abbreviations alone does not.
fn names_terms(title: &str) -> bool {
    let words = || {
        title
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | '/' | '&' | '-'))
            .filter(|w| !w.is_empty())
    };
    // “Abbreviated terms” are not defined terms.
    let abbreviated = ["abbreviated terms", "termes abrégés"];
    let others = abbreviated.iter().fold(title.to_owned(), |title, terms| title.replace(terms, ""));
    words().all(|word| is_in(TERMS, word) || is_in(TERM_TITLE_FILLERS, word))
        && others.split(|c: char| !c.is_alphabetic()).any(|word| is_in(TERMS, word))
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
    SYMBOLS.split_whitespace().any(|word| title.contains(word)) && !names_terms(&title)
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
    let title = words(node.child(Name::Title)?)?.to_lowercase().replace('’', "'");
    let kind = listed(TITLES, &title).or_else(|| names_terms(&title).then_some(Terms))?;
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

/// Words for an informative annex, in lower case: at their begin, or within words that have no spaces.
const INFORMATIVE: &str = "inform, 資料, 资料, 参考, 參考, справоч, рекоменд";

/// Words that say that an annex is normative. `normal` is not one of them.
const NORMATIVE: &str = "normativ, normatif, norm., normatyw, 规范, 規範, 規定, обязат, норматив, mandatory, integral, integrant, \
    intégrant, bestandteil, normtext, part of this, part of the standard, partie de la norme, partie de la présente, \
    teil der norm, teil dieser norm, parte de esta, parte della";

/// Words that turn such a statement into its contrary.
const NEGATIONS: &str = "not non no nicht kein keine niet geen pas ne не ikke inte nie";

/// Whether words state normative or informative; `None` if they state neither. A negation anywhere among them
/// counts.
fn stated(text: &str) -> Option<bool> {
    let text = text.to_lowercase();
    let names = |words: &str| words.split(", ").any(|word| text.contains(word));
    match (names(INFORMATIVE), names(NORMATIVE)) {
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
    words.any(|word| is_in(NEGATIONS, word)) || ["不", "非"].iter().any(|sign| text.contains(sign))
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
            title.split('(').skip(1).filter_map(|b| b.split(')').next()).find_map(|bracket| {
                let is_type = !bracket.contains(' ') || is_negated(&bracket.to_lowercase());
                stated(bracket).filter(|_| title.starts_with('(') || is_type)
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
        ] {
            assert_eq!(stated(normative), Some(true), "{normative}");
        }
        assert_eq!(stated("normal values of lids"), None);
    }
}
