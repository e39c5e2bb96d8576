//! The measured pairs of documents with one change around a sentence: the status of its annex, its footnotes,
//! what limits it, its lead-in, a neighbour, what it names. Templates are in `crates/compare/tests/changes`;
//! the right answer follows from how a pair is made.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::templates::{self, expect_shares, filled};
use norma_compare::{Comparison, DependencyKind, Facet, NumberedPartKind, UnitRelation, Units, compare};
use norma_sts::{ExtractionOptions, extract};

/// Pairs that are made of each template.
const ROUNDS: usize = 4;

/// A document of clauses and annexes.
#[derive(Clone)]
struct Document {
    language: String,
    /// The content of each clause, from Clause 4 on.
    clauses: Vec<String>,
    /// The content of Annex A, and whether it is normative.
    annex: Option<(String, bool)>,
    /// Load in a cell of Table 1, with the footnote of the cell and the note of the table.
    table: [String; 3],
    /// Clauses in front of the others, which shift their numbers.
    in_front: usize,
}

impl Document {
    fn new(language: &str) -> Self {
        let table = ["7 t", "Words.", "Words."].map(str::to_owned);
        Self { language: language.to_owned(), clauses: Vec::new(), annex: None, table, in_front: 0 }
    }

    /// The number of the clause with an index.
    fn number(&self, clause: usize) -> usize {
        4 + self.in_front + clause
    }

    /// Replaces the marks of a sentence in the clause with an index.
    fn marked(&self, text: &str, clause: usize) -> String {
        let [clause_word, table_word] = match &*self.language {
            "de" => ["Abschnitt", "Tabelle"],
            "fr" => ["Article", "Tableau"],
            _ => ["Clause", "Table"],
        };
        let next = clause + 1;
        let table = format!("<xref ref-type=\"table\" rid=\"tab\">{table_word} 1</xref>");
        let reference =
            format!("<xref ref-type=\"sec\" rid=\"sec_{next}\">{clause_word} {}</xref>", self.number(next));
        text.replace("[T]", &table).replace("[C]", &reference)
    }

    fn xml(&self, edition: usize) -> String {
        let language = &self.language;
        let mut body = String::new();
        for index in 0..self.in_front {
            body += &format!(
                "<sec id=\"front_{index}\"><label>{}</label><title>Front {index}</title><p>The gulls cry.</p></sec>",
                4 + index
            );
        }
        for (index, content) in self.clauses.iter().enumerate() {
            body += &format!(
                "<sec id=\"sec_{index}\"><label>{}</label><title>Topic {index}</title>{}</sec>",
                self.number(index),
                self.marked(content, index)
            );
        }
        let [load, footnote, note] = &self.table;
        body += &format!(
            "<sec id=\"sec_t\"><label>{}</label><title>Loads</title><p>Words.</p><table-wrap id=\"tab\"><label>Table 1</label><table><thead><tr><th>Hook</th><th>Load</th></tr></thead>\
             <tbody><tr><td>A</td><td>{load}<xref ref-type=\"table-fn\" rid=\"tfn\">a</xref></td></tr><tr><td>B</td><td>5 t</td></tr></tbody></table>\
             <table-wrap-foot><non-normative-note><label>NOTE</label><p>{note}</p></non-normative-note><fn id=\"tfn\"><label>a</label><p>{footnote}</p></fn></table-wrap-foot></table-wrap></sec>",
            self.number(self.clauses.len())
        );
        let annex = self.annex.as_ref().map_or_else(String::new, |(content, normative)| {
            let status = if *normative { "normative" } else { "informative" };
            let kind = if *normative { "norm-annex" } else { "inform-annex" };
            format!(
                "<back><app-group><app id=\"an\" content-type=\"{kind}\"><label>Annex A</label><annex-type>({status})</annex-type><title>Hulls</title>{content}</app></app-group></back>"
            )
        });
        format!(
            "<standard xmlns:xlink=\"http://www.w3.org/1999/xlink\"><front><std-meta><title-wrap xml:lang=\"{language}\"><full>Quays</full></title-wrap>\
             <std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>4712</doc-number><edition>{edition}</edition></std-ident>\
             <content-language>{language}</content-language><std-ref type=\"dated\">NSB 4712:200{edition}</std-ref></std-meta></front><body>{body}</body>{annex}</standard>"
        )
    }

    fn units(&self, edition: usize) -> Units {
        let source = self.xml(edition);
        let extraction = extract(source.as_bytes(), &ExtractionOptions::default()).unwrap();
        Units::from(&*extraction.edition).in_language(&self.language.parse().unwrap())
    }
}

/// Two documents, and the facets of the provisions in which something changed, by words of the older
/// text. All other provisions with the same words have none.
struct Pair {
    older: Document,
    newer: Document,
    expected: Vec<(String, &'static str)>,
}

/// A text in paragraphs or items.
fn paragraph(sentences: &[&str]) -> String {
    format!("<p>{}</p>", sentences.join(" "))
}

fn list(lead: &str, items: &[&str]) -> String {
    let items: String = items.iter().map(|item| format!("<list-item><p>{item};</p></list-item>")).collect();
    format!("<p>{lead}</p><list list-type=\"bullet\">{items}</list>")
}

/// A sentence with its footnote at `[F]`, or without one.
fn with_footnote(sentence: &str, footnote: Option<&str>) -> String {
    let element = footnote.map(|text| format!("<fn id=\"fn_1\"><p>{text}</p></fn>"));
    sentence.replace("[F]", element.as_deref().unwrap_or_default())
}

/// The words of a sentence before its first mark.
fn words_of(sentence: &str) -> String {
    sentence.split('[').next().unwrap().trim_end_matches(['.', ':', ' ']).to_owned()
}

/// The two texts of a change: the first became the second, the second was added, or the first was dropped.
fn sides<'a>(first: &'a str, second: &'a str, round: usize) -> [Option<&'a str>; 2] {
    match round {
        2 => [None, Some(second)],
        3 => [Some(first), None],
        _ => [Some(first), Some(second)],
    }
}

const OTHER: [(&str, &str); 3] = [
    ("en", "<p>The deck shall be swept.</p>"),
    ("de", "<p>Das Deck muss gefegt werden.</p>"),
    ("fr", "<p>Le pont doit être balayé.</p>"),
];

/// The two documents of a pair, and what is expected.
type Made = ([Document; 2], Vec<(String, &'static str)>);

/// A filled template.
struct Filled<'a> {
    kind: &'a str,
    texts: Vec<&'a str>,
    round: usize,
    /// A document without clauses.
    base: Document,
    /// The content of a clause that stays the same.
    other: String,
}

impl Filled<'_> {
    /// Two documents that differ in Clause 4 alone.
    fn clauses(&self, contents: [String; 2]) -> [Document; 2] {
        contents.map(|content| self.document(vec![content, self.other.clone()]))
    }

    fn document(&self, clauses: Vec<String>) -> Document {
        Document { clauses, ..self.base.clone() }
    }

    /// Two documents with these clauses, in which one of the texts at Table 1 differs.
    fn tables(&self, clauses: &[String], text: usize, values: [&str; 2]) -> [Document; 2] {
        values.map(|value| {
            let mut document = self.document(clauses.to_vec());
            document.table[text] = value.to_owned();
            document
        })
    }

    fn first(&self) -> String {
        words_of(self.texts[0])
    }

    /// Changes of a status or of a footnote.
    fn status_or_footnote(&self) -> Option<Made> {
        let Self { texts, round, other, .. } = self;
        Some(match self.kind {
            "annex" => {
                let annex = |normative| Document {
                    annex: Some((paragraph(texts), normative)),
                    ..self.document(vec![other.clone()])
                };
                let is_first = round.is_multiple_of(2);
                ([annex(is_first), annex(!is_first)], vec![(self.first(), "normative")])
            }
            "footnote" => {
                let contents = sides(texts[1], texts[2], *round)
                    .map(|footnote| paragraph(&[with_footnote(texts[0], footnote).as_str()]));
                (self.clauses(contents), vec![(self.first(), "dependsOn:footnote")])
            }
            "cell-footnote" => {
                let contents = sides(texts[1], texts[2], *round).map(|footnote| {
                    let cell = with_footnote(texts[0], footnote);
                    format!(
                        "<table-wrap id=\"tab_2\"><label>Table 2</label><table><tbody><tr><td>1</td><td>{cell}</td></tr></tbody></table></table-wrap>"
                    )
                });
                (self.clauses(contents), vec![(self.first(), "dependsOn:footnote")])
            }
            "table-footnote" | "table-note" => {
                let text = if self.kind == "table-note" { 2 } else { 1 };
                let clauses = [paragraph(&texts[..1]), other.clone()];
                let documents = self.tables(&clauses, text, [texts[1], texts[2]]);
                (documents, vec![(self.first(), "dependsOn:table")])
            }
            _ => return None,
        })
    }

    /// Changes of a sentence next to another one.
    fn neighbour(&self) -> Option<Made> {
        let Self { texts, round, .. } = self;
        Some(match self.kind {
            "limit" | "free" => {
                let contents = sides(texts[1], texts[2], *round).map(|limit| {
                    let sentences: Vec<&str> = std::iter::once(texts[0]).chain(limit).collect();
                    paragraph(&sentences)
                });
                let limited = vec![(self.first(), "condition")];
                (self.clauses(contents), if self.kind == "limit" { limited } else { Vec::new() })
            }
            "joined" | "apart" => {
                let contents = [0, 1].map(|side| paragraph(&[texts[side], texts[2]]));
                let joined = vec![(words_of(texts[2]), "dependsOn:sentence")];
                (self.clauses(contents), if self.kind == "joined" { joined } else { Vec::new() })
            }
            _ => return None,
        })
    }

    /// Changes of a list.
    fn of_list(&self) -> Option<Made> {
        let Self { texts, round, other, .. } = self;
        Some(match self.kind {
            "lead-in" => {
                let contents = [0, 1].map(|side| list(texts[side], &texts[2..4]));
                let facet = if texts[4] == "strength" { "strength" } else { "condition" };
                let expected = texts[2..4].iter().map(|item| ((*item).to_owned(), facet));
                (self.clauses(contents), expected.collect())
            }
            "lead-table" => {
                let documents =
                    self.tables(&[list(texts[0], &texts[1..3]), other.clone()], 0, ["7 t", "8 t"]);
                let expected = texts[1..3].iter().map(|item| ((*item).to_owned(), "dependsOn:table"));
                (documents, expected.collect())
            }
            "lead-apart" => {
                let contents = [0, 1].map(|side| list(texts[side], &texts[2..4]));
                let expected = texts[2..4].iter().map(|item| (words_of(item), "dependsOn:sentence"));
                let expected = expected.chain(texts[2..4].iter().map(|item| (words_of(item), "?")));
                (self.clauses(contents), expected.collect())
            }
            "items" => {
                let mut shifted = texts[1..].to_vec();
                shifted.rotate_left(1 + round % 2);
                (self.clauses([list(texts[0], &texts[1..]), list(texts[0], &shifted)]), Vec::new())
            }
            _ => return None,
        })
    }

    /// Changes of what a sentence refers to, and documents that say the same.
    fn reference(&self) -> Option<Made> {
        let Self { texts, round, other, .. } = self;
        Some(match self.kind {
            "chain" => {
                // Table 1 is as many steps away as the round says, from 2 to 5.
                let mut clauses = vec![paragraph(&texts[..1])];
                clauses.extend((0..*round).map(|_| paragraph(&texts[1..2])));
                clauses.push(paragraph(&texts[2..3]));
                let expected = if *round < 2 { "dependsOn:table" } else { "dependsOn:unknown" };
                (self.tables(&clauses, 0, ["7 t", "8 t"]), vec![(self.first(), expected)])
            }
            "clause" => {
                let documents = [1, 2]
                    .map(|side| self.document(vec![paragraph(&texts[..1]), paragraph(&texts[side..=side])]));
                (documents, vec![(self.first(), "dependsOn:clause")])
            }
            "same" => {
                let sentence = with_footnote(texts[0], Some(texts[1]));
                let content = paragraph(&[sentence.as_str(), texts[2], texts[3]]);
                let clauses = vec![content, other.clone()];
                let documents =
                    [0, round % 3].map(|in_front| Document { in_front, ..self.document(clauses.clone()) });
                (documents, Vec::new())
            }
            _ => return None,
        })
    }
}

/// The pair of a template.
fn pair(kind: &str, language: &str, texts: &[String], round: usize) -> Pair {
    let other = OTHER.iter().find(|(code, _)| *code == language).unwrap().1.to_owned();
    let texts = texts.iter().map(String::as_str).collect();
    let filled = Filled { kind, texts, round, base: Document::new(language), other };
    let made = filled
        .status_or_footnote()
        .or_else(|| filled.neighbour())
        .or_else(|| filled.of_list())
        .or_else(|| filled.reference());
    let ([older, newer], expected) = made.unwrap_or_else(|| panic!("no kind `{kind}`"));
    Pair { older, newer, expected }
}

/// The facets of a link, those of a dependency with its type.
fn names(found: &Comparison, link: usize) -> BTreeSet<String> {
    let facets = &found.links[link].facets;
    let mut names = BTreeSet::new();
    for facet in facets.kinds() {
        if facet != Facet::DependsOn {
            names.insert(facet.name().to_owned());
        }
    }
    for dependency in &facets.depends_on {
        let kind = match dependency.kind {
            _ if dependency.unknown => "unknown",
            DependencyKind::Clause => "clause",
            DependencyKind::Part(NumberedPartKind::Table) => "table",
            DependencyKind::Part(_) => "part",
            DependencyKind::Term => "term",
            DependencyKind::Footnote => "footnote",
            DependencyKind::Sentence => "sentence",
        };
        names.insert(format!("dependsOn:{kind}"));
    }
    names
}

/// What is wrong in the comparison of a pair; `None` where nothing is.
fn mistakes(pair: &Pair, exchanged: bool) -> Option<String> {
    let (a, b) = match exchanged {
        false => (pair.older.units(1), pair.newer.units(2)),
        true => (pair.newer.units(1), pair.older.units(2)),
    };
    let found = compare(&a, &b);
    let mut wrong = Vec::new();
    let mut expected_links = BTreeSet::new();
    for (words, facet) in &pair.expected {
        let is_wanted = |link: &usize| a.units[found.links[*link].older].text.contains(&**words);
        let Some(link) = (0..found.links.len()).find(is_wanted) else {
            wrong.push(format!("`{words}` has no counterpart"));
            continue;
        };
        expected_links.insert(link);
        let names = names(&found, link);
        // A lead-in may be a part of the provision, or a neighbour of it.
        let may_be = pair.expected.contains(&(words.clone(), "?"));
        let is_reworded = found.links[link].relation == UnitRelation::Reworded;
        if *facet != "?" && names != BTreeSet::from([(*facet).to_owned()]) && !(may_be && is_reworded) {
            wrong.push(format!("`{words}`: expected {facet}, found {names:?}"));
        }
    }
    for (link, one) in found.links.iter().enumerate() {
        let names = names(&found, link);
        let is_other = !expected_links.contains(&link) && one.relation == UnitRelation::Same;
        // A clause on the way to a changed table depends on it too.
        let on_the_way = pair.expected.iter().any(|(_, facet)| facet.starts_with("dependsOn:"))
            && names.iter().all(|name| name == "dependsOn:table" || name == "dependsOn:clause");
        if is_other && !names.is_empty() && !on_the_way {
            wrong.push(format!("`{}`: expected nothing, found {names:?}", a.units[one.older].text));
        }
    }
    let unmatched = found.older_unmatched.len() + found.newer_unmatched.len();
    if pair.expected.is_empty() && unmatched > 1 {
        wrong.push(format!("{unmatched} without counterpart"));
    }
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

/// Words for the slots of the templates, by language.
fn words(language: &str, slot: &str) -> &'static [&'static str] {
    match (language, slot) {
        ("en", "count") => &["four", "six", "nine", "two"],
        _ => templates::words(language, slot),
    }
}

/// Pairs of a file that are read rightly in both directions, and all of them; prints the others.
fn measured(file: &str) -> BTreeMap<String, [usize; 2]> {
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for template in templates::templates(file) {
        let [kind, language, texts @ ..] = &template.split('|').collect::<Vec<_>>()[..] else {
            panic!("expected kind, language and sentences, found `{template}`")
        };
        for round in 0..ROUNDS {
            let texts: Vec<String> =
                texts.iter().map(|text| filled(text, round, |slot| words(language, slot))).collect();
            let pair = pair(kind, language, &texts, round);
            let count = counts.entry((*kind).to_owned()).or_default();
            count[1] += 1;
            match [false, true].map(|exchanged| mistakes(&pair, exchanged)) {
                [None, None] => count[0] += 1,
                [wrong, mirrored] => {
                    println!("{kind} {language} {round}: {wrong:?}; exchanged: {mirrored:?}: {texts:?}");
                }
            }
        }
    }
    counts
}

#[test]
fn a_change_around_a_sentence_is_said_of_it_and_of_no_other() {
    expect_shares([("pairs.txt", 0.98), ("pairs-kept.txt", 0.95)], measured);
}
