//! Tests of the crate on blocks made by hand.

mod lists;
mod lost;
mod tables;

use std::rc::Rc;

use norma_model::{
    Container, Lang, Origin, Provision, ProvisionKind, ReferenceTarget, Section, SectionId, SectionKind, Urn,
};
use proptest::prelude::*;

use super::classify::{ReadingMode, classify};
use super::conventions::{Conventions, KeyWords};
use super::language::Language;
use super::tokenizer::{looks, tokens};
use super::{FoundProvisions, Input, SearchLimits, find};
use crate::blocks::{Authored, Block, BlockKind, CrossReferenceTarget, ListItem, SpanKind, TokenSpan};
use crate::diagnostics::Diagnostics;

/// A section made by hand: paragraphs, items and notes, one after the other.
struct SectionSource {
    section: Section,
    blocks: Vec<Block<'static>>,
}

impl SectionSource {
    fn new(kind: SectionKind) -> Self {
        let section = Section {
            id: SectionId::new("sec_4.2"),
            source_id: None,
            label: Some("4.2".into()),
            number: Some("4.2".into()),
            title: None,
            kind,
            language: Lang::en(),
            normative: true,
            level: 1,
            parent: None,
            layer: 0,
            xml: String::new(),
            text: String::new(),
        };
        Self { section, blocks: Vec::new() }
    }

    fn block(mut self, kind: BlockKind, text: &str) -> Self {
        let start = self.section.text.len();
        self.section.text.push_str(text);
        self.blocks.push(Block {
            section: 0,
            kind,
            range: start..self.section.text.len(),
            element: Some("p"),
            ..Block::default()
        });
        self.section.text.push_str("\n\n");
        self
    }

    fn item(mut self, lead_in: usize, depth: u16, text: &str) -> Self {
        self = self.block(BlockKind::ListItem, text);
        let list = lead_in + 1;
        self.blocks.last_mut().unwrap().item =
            Some(Rc::new(ListItem { list, lead_in: Some(lead_in), label: None, depth }));
        self
    }

    fn span(mut self, word: &str, kind: SpanKind) -> Self {
        let block = self.blocks.last_mut().unwrap();
        let at = block.range.start + self.section.text[block.range.clone()].find(word).unwrap();
        let span = TokenSpan { range: at..at + word.len(), kind };
        block.spans = block.spans.iter().cloned().chain([span]).collect();
        self
    }

    fn find(&self) -> FoundProvisions {
        self.find_within(&SearchLimits::default()).unwrap()
    }

    fn find_within(&self, limits: &SearchLimits) -> Option<FoundProvisions> {
        find(&Input {
            urn: &"urn:iso:std:iso:1:ed-1:en".parse::<Urn>().unwrap(),
            former_urn: None,
            languages: &[Lang::en()],
            language_of: &[0],
            sections: std::slice::from_ref(&self.section),
            blocks: &self.blocks,
            terms: &[],
            tables: &[],
            graphics: &[],
            numbered: &[],
            reference: "ISO 1:2020",
            limits,
        })
    }

    fn provisions(&self) -> Vec<Provision> {
        self.find().provisions
    }
}

fn paragraph(text: &str) -> SectionSource {
    SectionSource::new(SectionKind::Clause).block(BlockKind::Paragraph, text)
}

fn codes(diagnostics: Diagnostics) -> Vec<&'static str> {
    diagnostics.listed().map(|diagnostic| diagnostic.code).collect()
}

fn texts(provisions: &[Provision]) -> Vec<&str> {
    provisions.iter().map(|p| &*p.text).collect()
}

/// Each rule shows what it finds and what it leaves; the tables are checked against that.
#[test]
fn each_rule_finds_its_example_and_leaves_its_counter_example() {
    let mut wrong = Vec::new();
    for language in Language::all() {
        for rule in &language.rules {
            let key_words = if rule.conditions.bcp14 { KeyWords::Bcp14UpperOnly } else { KeyWords::Plain };
            let mode = ReadingMode {
                conventions: Conventions {
                    key_words,
                    soll: rule.conditions.soll.unwrap_or_default(),
                    law: rule.conditions.law,
                    ..Conventions::default()
                },
                procedure: rule.conditions.procedure,
                inventory: false,
                by_form: rule.conditions.form,
            };
            let found = |text: &str| -> Vec<(String, ProvisionKind)> {
                let tokens = tokens(text, 0..text.len(), &[], &language.lexicon);
                let hits = classify(text, &tokens, language, mode);
                hits.iter().map(|h| (h.reading.to_owned(), h.kind)).collect()
            };
            if let Some(denied) = &rule.denied {
                let by_denied = found(&denied.example);
                if by_denied != [(denied.id.clone(), denied.kind.unwrap_or(rule.kind))] {
                    wrong.push(format!("{}: `{}` gives {by_denied:?}", denied.id, denied.example));
                }
            }
            let by_example = found(&rule.example);
            let own = match &rule.denied {
                Some(denied) if rule.conditions.denied => {
                    (denied.id.clone(), denied.kind.unwrap_or(rule.kind))
                }
                _ => (rule.id.clone(), rule.kind),
            };
            if by_example != [own] {
                wrong.push(format!("{}: `{}` gives {by_example:?}", rule.id, rule.example));
            }
            let by_counter = found(&rule.counter_example);
            if by_counter.iter().any(|(id, _)| *id == rule.id) {
                wrong.push(format!("{}: `{}` gives {by_counter:?}", rule.id, rule.counter_example));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn nested_items_complete_the_chain_of_their_lead_ins() {
    let page = paragraph("A pump is tested. The report shall contain:")
        .item(0, 1, "the sample, with")
        .item(1, 2, "its name;")
        .item(1, 2, "its mass, which may be rounded;")
        .item(1, 2, "the balance should be named;")
        .item(0, 1, "the date.");
    let provisions = page.provisions();
    assert_eq!(
        texts(&provisions),
        ["its name;", "its mass, which may be rounded;", "the balance should be named;", "the date."]
    );
    assert_eq!(provisions[0].lead_in.as_deref(), Some("The report shall contain: the sample, with"));
    assert_eq!(provisions[3].lead_in.as_deref(), Some("The report shall contain:"));
    let kinds: Vec<_> = provisions.iter().map(|p| p.kind).collect();
    use ProvisionKind::{Recommendation, Requirement};
    assert_eq!(kinds, [Requirement, Requirement, Recommendation, Requirement]);
    assert_eq!(
        provisions.iter().map(|p| &*p.label).collect::<Vec<_>>(),
        ["4.2(1)", "4.2(2)", "4.2(3)", "4.2(4)"]
    );
    assert_eq!(provisions[0].container, Container::ListItem);
}

#[test]
fn sentences_of_an_item_complete_its_lead_in_but_for_those_with_a_verbal_form() {
    let lead = "The test shall be carried out as follows:";
    let steps = paragraph(lead)
        .item(0, 1, "The bag is opened. It is left to stand.")
        .item(0, 1, "The bag is weighed. Its mass may be rounded. It is written down. The scale is cleaned.")
        .item(0, 1, "The bag should be closed. It keeps for a year.");
    let provisions = steps.provisions();
    let found: Vec<_> = provisions.iter().map(|p| (p.kind, &*p.text)).collect();
    use ProvisionKind::{Permission, Recommendation, Requirement};
    assert_eq!(
        found,
        [
            (Requirement, "The bag is opened. It is left to stand."),
            (Requirement, "The bag is weighed."),
            (Permission, "Its mass may be rounded."),
            (Requirement, "It is written down. The scale is cleaned."),
            (Recommendation, "The bag should be closed."),
        ]
    );
    assert!(provisions.iter().all(|p| p.lead_in.as_deref() == Some(lead)), "{provisions:?}");
    let states =
        paragraph("Each bag shall bear:").item(0, 1, "its mass. It may be rounded. It is seldom exact.");
    assert_eq!(texts(&states.provisions()), ["its mass.", "It may be rounded."]);
}

#[test]
fn what_the_source_marks_is_one_provision_and_stays_whole() {
    let mut page =
        paragraph("The lid shall close. It may be red.").block(BlockKind::Paragraph, "It is blue.");
    for block in &mut page.blocks {
        block.authored = Some(Rc::new(Authored {
            mark: 1,
            kind: None,
            element: Some("req_1"),
            identifier: None,
            label: None,
            each: false,
            tabular: false,
        }));
    }
    let provisions = page.provisions();
    assert_eq!(texts(&provisions), ["The lid shall close. It may be red. It is blue."]);
    assert_eq!(provisions[0].origin, Origin::Authored);
    assert_eq!(provisions[0].kind, ProvisionKind::Requirement);
    assert_eq!(provisions[0].anchor.element.as_deref(), Some("req_1"));
}

#[test]
fn a_long_paragraph_is_read_in_stretches_and_a_sentence_beyond_the_limit_is_passed_over() {
    let sentences = |n: usize| (0..n).map(|n| format!("The lid {n} shall close. ")).collect::<String>();
    let limits = |sentence_bytes| SearchLimits { sentence_bytes, ..SearchLimits::default() };
    let page = paragraph(&sentences(40));
    for size in [30, 64, 100, 999] {
        let found = page.find_within(&limits(size)).unwrap();
        assert_eq!(found.provisions, page.provisions(), "{size}");
        assert_eq!(codes(found.diagnostics), [""; 0], "{size}");
    }
    let long = format!("{}It is {} and shall close. {}", sentences(3), "very ".repeat(30), sentences(2));
    let page = paragraph(&long);
    assert_eq!(page.provisions().len(), 6);
    for size in [50, 60, 100, 140] {
        let found = page.find_within(&limits(size)).unwrap();
        assert_eq!(texts(&found.provisions).len(), 5, "{size}: {:?}", texts(&found.provisions));
        assert_eq!(codes(found.diagnostics), ["long-sentence"], "{size}");
    }
}

#[test]
fn reading_ends_when_there_are_more_provisions_than_there_may_be() {
    let page = paragraph(&"The lid shall close. ".repeat(40));
    for size in [100, 1000] {
        let limits =
            |provisions| SearchLimits { sentence_bytes: size, provisions, ..SearchLimits::default() };
        assert!(page.find_within(&limits(40)).is_some_and(|found| found.provisions.len() == 40), "{size}");
        assert!(page.find_within(&limits(39)).is_none(), "{size}");
    }
}

#[test]
fn obligations_in_notes_examples_and_preliminary_parts_are_reported_and_no_provisions() {
    let page =
        SectionSource::new(SectionKind::Clause).block(BlockKind::Note, "The lid shall close. It may be red.");
    let found = page.find();
    assert!(found.provisions.is_empty());
    assert_eq!(codes(found.diagnostics), ["provision-in-note"]);
    for (kind, block, code) in [
        (SectionKind::Clause, BlockKind::Example, "provision-in-example"),
        (SectionKind::Foreword, BlockKind::Paragraph, "provision-in-foreword"),
        (SectionKind::Introduction, BlockKind::Paragraph, "provision-in-introduction"),
        (SectionKind::Scope, BlockKind::Paragraph, "provision-in-scope"),
    ] {
        let found = SectionSource::new(kind).block(block, "Lids should close. Bags can be open.").find();
        assert!(found.provisions.is_empty(), "{code}");
        assert_eq!(codes(found.diagnostics), [code]);
    }
}

#[test]
fn notes_and_examples_set_as_paragraphs_are_reported_with_their_lists_and_are_no_provisions() {
    let page = paragraph("The lid shall close. NOTE 1 – It should be red. Lids may leak.")
        .block(BlockKind::Paragraph, "EXAMPLE The following apply:")
        .item(1, 1, "the lid shall be red;")
        .block(BlockKind::Paragraph, "Each bag shall bear:")
        .item(3, 1, "its mass. Note: it shall be rounded;")
        .item(3, 1, "Note 2: the mass should be exact.");
    let found = page.find();
    assert_eq!(texts(&found.provisions), ["The lid shall close.", "its mass."]);
    assert_eq!(
        codes(found.diagnostics),
        ["provision-in-note", "provision-in-example", "provision-in-note", "provision-in-note"]
    );
}

#[test]
fn items_under_the_lead_in_of_a_recital_hold_no_provisions() {
    let page = paragraph("considering").item(0, 1, "that lids may leak;").item(0, 1, "lids shall be dry;");
    assert_eq!(texts(&page.provisions()), [""; 0]);
    let page = paragraph("considering the leaks, each lid shall be:").item(0, 1, "dry;").item(0, 1, "clean.");
    assert_eq!(texts(&page.provisions()), ["dry;", "clean."]);
}

#[test]
fn references_stand_in_order_with_their_targets() {
    let targets =
        ["fig_1", "fig_2"].map(|id| CrossReferenceTarget { id: id.to_owned(), within: None }).to_vec();
    let page = paragraph("It shall be as in Figures 1 and 2 and ISO 712.")
        .span("Figures 1 and 2", SpanKind::CrossReference { targets })
        .span("ISO 712", SpanKind::Citation { cited: Vec::new(), listed: false });
    let references = &page.provisions()[0].references;
    let texts: Vec<_> = references.iter().map(|r| r.text.as_str()).collect();
    assert_eq!(texts, ["Figures 1 and 2", "Figures 1 and 2", "ISO 712"]);
    assert_eq!(references.iter().filter(|r| r.target.is_some()).count(), 2);
}

#[test]
fn a_standard_in_plain_words_is_among_the_marked_references() {
    let page = paragraph("As in ISO 3696 and Table 1, or IEC 60335-1, it shall be dry.").span(
        "Table 1",
        SpanKind::CrossReference {
            targets: vec![CrossReferenceTarget { id: "tab_1".to_owned(), within: None }],
        },
    );
    let texts: Vec<_> = page.provisions()[0].references.iter().map(|r| r.text.clone()).collect();
    assert_eq!(texts, ["ISO 3696", "Table 1", "IEC 60335-1"]);
}

#[test]
fn two_provisions_of_one_sentence_share_its_text_and_differ_in_their_anchors() {
    let page = paragraph("Ä: The lid shall close, and it may be red.");
    let [shall, may] = &page.provisions()[..] else { panic!("two provisions") };
    assert_eq!((&shall.text, shall.anchor.start), (&may.text, may.anchor.start));
    assert_ne!(shall.anchor, may.anchor);
    let words = |p: &Provision| {
        let form = p.anchor.verbal_form.expect("a derived provision has a verbal form");
        page.section.text.chars().skip(form.start).take(form.end - form.start).collect::<String>()
    };
    assert_eq!((words(shall), words(may)), ("shall".to_owned(), "may".to_owned()));
    let list = paragraph("Ä: The report shall state:").item(0, 1, "the date;").item(0, 1, "the place.");
    let form = list.provisions()[1].anchor.verbal_form.expect("the lead-in has it");
    assert_eq!(list.section.text.chars().skip(form.start).take(5).collect::<String>(), "shall");
}

/// These ids are a promise to everyone who has stored them.
#[test]
fn ids_depend_on_the_words_alone_and_never_change() {
    let ids = |page: &SectionSource| page.provisions().iter().map(|p| p.id.to_string()).collect::<Vec<_>>();
    let before = paragraph("The lid shall close, and it may be red.");
    let pinned = ids(&before);
    assert_eq!(pinned, PINNED);
    let moved = paragraph("Bags shall be dry.")
        .block(BlockKind::Paragraph, "The  lid shall close,1 and it\nmay be red.");
    let moved = moved.span("1", SpanKind::FootnoteMark { footnotes: Box::default() });
    assert_eq!(
        ids(&moved)[1..],
        pinned[..],
        "neither white space nor a footnote nor a new neighbour matters"
    );
    let twice = paragraph("Bags shall be dry. Bags shall be dry. Lids shall close.");
    let once = paragraph("Bags shall be dry. Lids shall close.");
    let (twice, once) = (ids(&twice), ids(&once));
    assert_ne!(twice[0], twice[1]);
    assert_eq!(twice[2], once[1]);
}

/// Nothing that a document can hold makes the work grow faster than its text: neither long sentences nor
/// many.
#[test]
fn twice_the_text_is_twice_the_work() {
    for (head, piece) in [
        ("", "It is to be dry and "),
        ("", "it shall be dry, "),
        ("If ", "it is wet, weigh it, "),
        ("", "The lid shall be shut. "),
        ("", "if ( it shall be which may "),
        ("See ", "how it can be so, "),
        ("", "no one “shall” "),
    ] {
        let work = |times: usize| {
            let mut page = paragraph(&format!("{head}{}", piece.repeat(times)));
            page.section.title = Some("Procedure".into());
            looks::during(|| page.provisions())
        };
        let (once, twice) = (work(400), work(800));
        assert!(once > 0 && twice <= once * 21 / 10, "{piece}: {once}, then {twice}");
    }
}

proptest! {
    /// The slice that an anchor names, white space collapsed, is the provision's text.
    #[test]
    fn an_anchor_gives_back_its_text(
        sentences in prop::collection::vec("(Der|The|L’)( [a-zé]{1,7}|\u{a0}| ){0,5} (shall|may|is)( [a-zß–𝑥“”.,:]{1,6}| \n){0,6}[.:;!]?", 1..5),
        spans in prop::collection::vec((0usize..200, 1usize..12), 0..4),
    ) {
        let text = sentences.join(" ");
        let mut page = paragraph(&text);
        let boundary = |at: usize| (at.min(text.len())..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap();
        let mut last = 0;
        let mut spans = spans;
        spans.sort_unstable();
        page.blocks[0].spans = spans.into_iter().map(|(at, length)| {
            let (start, end) = (boundary(at.max(last)), boundary(at.max(last) + length));
            last = end;
            TokenSpan { range: start..end, kind: if length % 2 == 0 { SpanKind::Formula } else { SpanKind::FootnoteMark { footnotes: Box::default() } } }
        }).collect();
        for provision in page.provisions() {
            let chars = page.section.text.chars();
            let slice: String =
                chars.skip(provision.anchor.start).take(provision.anchor.end - provision.anchor.start).collect();
            prop_assert_eq!(slice.split_whitespace().collect::<Vec<_>>().join(" "), &*provision.text);
        }
    }
}

const PINNED: &[&str] = &["prv_a3gyp6gib6nmk53lrgtj5h3m5u", "prv_4hdn5yw3or74yibwkpcdfd6k4a"];

#[test]
fn names_in_a_list_within_a_list_explain_their_item() {
    let page = paragraph("The report shall state:")
        .item(0, 1, "the state of the drum:")
        .item(1, 2, "speed")
        .item(1, 2, "torque")
        .item(0, 1, "the date of the test.");
    let found = page.provisions();
    assert_eq!(texts(&found), ["the state of the drum:", "the date of the test."]);
    let page = paragraph("The report shall state:")
        .item(0, 1, "for the drum:")
        .item(1, 2, "the speed at which it turns;")
        .item(1, 2, "the torque.");
    let found = page.provisions();
    assert_eq!(texts(&found), ["the speed at which it turns;", "the torque."]);
}

#[test]
fn a_lead_in_that_is_complete_stays_a_provision_next_to_items_with_verbal_forms() {
    let page = paragraph("The drum may be opened under the following conditions:")
        .item(0, 1, "the motor shall be off;")
        .item(0, 1, "the brake is on.");
    let found = page.provisions();
    assert_eq!(
        texts(&found),
        ["The drum may be opened under the following conditions:", "the motor shall be off;"]
    );
}

#[test]
fn a_dependency_that_is_the_identifier_of_another_requirement_gets_its_target() {
    let mut page = SectionSource::new(SectionKind::Clause)
        .block(BlockKind::TableCell, "The lid shall close.")
        .block(BlockKind::TableCell, "The bag shall be dry.")
        .block(BlockKind::Dependency, "/req/core/lid")
        .block(BlockKind::Dependency, "/req/core/tin");
    for (at, name) in
        [(0, Some("https://example.org/req/core/lid")), (1, Some("/req/core/bag")), (2, None), (3, None)]
    {
        page.blocks[at].table = Some(u32::from(at > 0));
        page.blocks[at].authored = Some(Rc::new(Authored {
            mark: 1 + usize::from(at > 0),
            kind: None,
            element: None,
            identifier: name.map(Rc::from),
            label: None,
            each: false,
            tabular: true,
        }));
    }
    let provisions = page.provisions();
    assert_eq!(texts(&provisions), ["The lid shall close.", "The bag shall be dry."]);
    let part = |id: &str| Some(ReferenceTarget::Part(id.to_owned()));
    let found: Vec<_> =
        provisions[1].references.iter().map(|r| (r.text.as_str(), r.target.clone())).collect();
    assert_eq!(found, [("/req/core/lid", part("sec_4.2")), ("/req/core/tin", None)]);
}
