//! Sentences that a generator makes, whose types, negation and quantities are true by construction, in three
//! languages. They are the specification of how quantities are read and of the scope of negation: a kind of
//! sentence that is read wrongly becomes a pattern in `english.rs`, `french.rs` or `german.rs` first.
//!
//! `NORMA_GENERATED=SEED` takes another seed than the default; the report lists faults by pattern.

mod english;
mod french;
mod german;
mod measures;
mod random;
mod sentence;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use norma_model::{
    Comparator, Lang, Provision, ProvisionKind, Quantity, Section, SectionId, SectionKind, Urn,
};
use norma_provisions::blocks::{Block, BlockKind, ListItem};
use norma_provisions::{Input, SearchLimits, find};

use measures::Style;
use random::Random;
use sentence::{Sentence, TrueQuantity, types};

const SENTENCES: usize = 10_000;
/// Sentences of a document, which has one language and one way to write numbers.
const OF_A_DOCUMENT: usize = 100;
const LANGUAGES: [&str; 3] = ["en", "de", "fr"];

/// The documents of a run.
fn documents(seed: u64) -> Vec<Vec<Sentence>> {
    let mut random = Random::new(seed);
    let count = (SENTENCES / OF_A_DOCUMENT) as u64;
    (0..count)
        .map(|document| {
            let language = LANGUAGES[document as usize % LANGUAGES.len()];
            let style = Style::of(language, document);
            (0..OF_A_DOCUMENT).map(|_| sentence(&mut random, &style)).collect()
        })
        .collect()
}

fn sentence(random: &mut Random, style: &Style) -> Sentence {
    let (patterns, (slots, modal), positions) = match style.language {
        "de" => (german::PATTERNS, german::slots(random, style), german::POSITIONS),
        "fr" => (french::PATTERNS, french::slots(random, style), french::POSITIONS),
        _ => (english::PATTERNS, english::slots(random, style), english::POSITIONS),
    };
    let pattern = random.one(patterns);
    let (stated_types, stated_quantities) = (pattern.1.replace("ms", "m"), pattern.3);
    let mut text = slots.fill(pattern.0);
    let mut items = Vec::new();
    let mut quantities = Vec::new();
    if let Some(sign) = stated_quantities.strip_suffix(" items") {
        // Each item has the value of the slot and one more of the same unit.
        let measured = slots.quantities(&[sign, " items"].concat());
        let printed = slots.fill("{items}");
        for position in positions.iter().take(2) {
            items.push(format!("{printed} {position};"));
            quantities.extend(measured.clone());
        }
    } else {
        quantities = slots.quantities(stated_quantities);
        let has_tail = random.percent(25) && text.ends_with('.') && !pattern.0.contains("{d} after");
        if has_tail {
            text.truncate(text.len() - 1);
            text += &slots.fill("{tail}.");
        }
    }
    let negated = match pattern.2 {
        'y' => Some(true),
        'n' => Some(false),
        _ => None,
    };
    let types = types(&stated_types, modal);
    Sentence { language: style.language, pattern: pattern.0, text, items, types, negated, quantities }
}

/// The provisions of each sentence of a document, whose sections are the sentences.
fn provisions(sentences: &[Sentence]) -> Vec<Vec<Provision>> {
    let language: Lang = sentences[0].language.parse().expect("a language");
    let urn: Urn = format!("urn:iso:std:iso:1:ed-1:{language}").parse().expect("a URN");
    let mut sections = Vec::new();
    let mut blocks = Vec::new();
    for (index, sentence) in sentences.iter().enumerate() {
        let mut section = Section {
            id: SectionId::new(format!("sec_{index}")),
            source_id: None,
            label: None,
            number: Some((index + 1).to_string().into()),
            title: None,
            kind: SectionKind::Clause,
            language: language.clone(),
            normative: true,
            level: 1,
            parent: None,
            layer: 0,
            xml: String::new(),
            text: String::new(),
        };
        let lead_in = blocks.len();
        blocks.push(block(index, &mut section, BlockKind::Paragraph, &sentence.text, None));
        for item in &sentence.items {
            let position = Rc::new(ListItem { list: index, lead_in: Some(lead_in), label: None, depth: 1 });
            blocks.push(block(index, &mut section, BlockKind::ListItem, item, Some(position)));
        }
        sections.push(section);
    }
    let found = find(&Input {
        urn: &urn,
        former_urn: None,
        languages: std::slice::from_ref(&language),
        language_of: &vec![0; sections.len()],
        sections: &sections,
        blocks: &blocks,
        terms: &[],
        tables: &[],
        graphics: &[],
        numbered: &[],
        reference: "",
        limits: &SearchLimits::default(),
    })
    .expect("any number of provisions");
    let mut of_sentence: Vec<Vec<Provision>> = vec![Vec::new(); sentences.len()];
    for provision in found.provisions {
        of_sentence[provision.section].push(provision);
    }
    of_sentence
}

fn block(
    index: usize,
    section: &mut Section,
    kind: BlockKind,
    text: &str,
    item: Option<Rc<ListItem>>,
) -> Block<'static> {
    let start = section.text.len();
    section.text.push_str(text);
    let range = start..section.text.len();
    section.text.push_str("\n\n");
    Block { section: index, kind, range, item, ..Block::default() }
}

/// How the quantities, types and negations that are found compare with the true ones.
#[derive(Debug, Default)]
struct Report {
    quantities: usize,
    right: usize,
    not_stated: usize,
    /// Wrong comparators, values and units, and quantities that are not there.
    wrong: usize,
    reversed: usize,
    missed: usize,
    types: usize,
    types_right: usize,
    negations: usize,
    wrongly_negated: usize,
    negation_not_seen: usize,
    /// For each pattern its faults: a name, the number, an example.
    faults: BTreeMap<(&'static str, &'static str, &'static str), (usize, String)>,
}

impl Report {
    fn fault(&mut self, sentence: &Sentence, what: &'static str, found: &str) {
        let fault = self.faults.entry((sentence.language, sentence.pattern, what)).or_default();
        fault.0 += 1;
        if fault.1.is_empty() {
            fault.1 = [&sentence.text, " → ", found].concat();
        }
    }

    fn count(&mut self, sentence: &Sentence, provisions: &[Provision]) {
        self.types += 1;
        let mut found: Vec<ProvisionKind> = provisions.iter().map(|p| p.kind).collect();
        found.sort_unstable();
        found.dedup();
        if sentence.types.contains(&found) {
            self.types_right += 1;
        } else {
            self.fault(sentence, "types", &format!("{found:?}"));
        }
        if let Some(negated) = sentence.negated.filter(|_| !provisions.is_empty()) {
            self.negations += 1;
            let seen = provisions.iter().any(|provision| provision.negated);
            if seen && !negated {
                self.wrongly_negated += 1;
                self.fault(sentence, "wrongly negated", "");
            } else if negated && !seen {
                self.negation_not_seen += 1;
                self.fault(sentence, "negation not seen", "");
            }
        }
        let mut left: Vec<&Quantity> = Vec::new();
        for quantity in provisions.iter().flat_map(|provision| provision.quantities.iter()) {
            // Provisions of one sentence have the same quantities.
            if !sentence.items.is_empty() || !left.contains(&quantity) {
                left.push(quantity);
            }
        }
        for wanted in &sentence.quantities {
            self.quantity(sentence, wanted, &mut left);
        }
        for invented in left {
            self.wrong += 1;
            self.fault(sentence, "not there", &written(invented));
        }
    }

    fn quantity(&mut self, sentence: &Sentence, wanted: &TrueQuantity, left: &mut Vec<&Quantity>) {
        self.quantities += 1;
        let same_value = |quantity: &&Quantity| *quantity.value == *wanted.value;
        let right =
            |quantity: &&Quantity| same_value(quantity) && has_comparator(quantity, wanted.comparator);
        let at = left.iter().position(right).or_else(|| left.iter().position(same_value));
        let Some(found) = at.map(|at| left.remove(at)) else {
            self.missed += 1;
            self.fault(sentence, "missed", &wanted.value);
            return;
        };
        let same_numbers = found.upper.as_deref() == wanted.upper.as_deref()
            && found.tolerance.as_deref() == wanted.tolerance.as_deref();
        let unit = found.ucum.as_deref().or(found.unit.as_deref());
        if !same_numbers || unit != wanted.unit.as_deref() {
            self.wrong += 1;
            self.fault(sentence, "value or unit", &written(found));
        } else if has_comparator(found, wanted.comparator) || wanted.open && !is_stated(found) {
            self.right += 1;
        } else if !is_stated(found) {
            self.not_stated += 1;
            self.fault(sentence, "not stated", &written(found));
        } else {
            self.wrong += 1;
            let sides = [comparator(found).and_then(side), side(wanted.comparator)];
            if let [Some(found_side), Some(true_side)] = sides
                && found_side != true_side
            {
                self.reversed += 1;
                self.fault(sentence, "REVERSED", &written(found));
            } else {
                self.fault(sentence, "comparator", &written(found));
            }
        }
    }

    fn print(&self) -> String {
        let mut text = String::new();
        for ((language, pattern, what), (count, example)) in &self.faults {
            writeln!(text, "{language} {count:4} {what:15} {pattern} | {example}").expect("a string");
        }
        let share = |part: usize, whole: usize| part as f64 * 100.0 / whole.max(1) as f64;
        let served = self.quantities - self.missed;
        writeln!(
            text,
            "quantities {}: right {} ({:.1} %), not stated {}, wrong {} ({:.2} % of those served; reversed {}), \
             missed {}",
            self.quantities,
            self.right,
            share(self.right, self.quantities),
            self.not_stated,
            self.wrong,
            share(self.wrong, served),
            self.reversed,
            self.missed
        )
        .expect("a string");
        writeln!(
            text,
            "types right {} of {} ({:.1} %); negations {}: wrongly negated {}, not seen {} ({:.2} %)",
            self.types_right,
            self.types,
            share(self.types_right, self.types),
            self.negations,
            self.wrongly_negated,
            self.negation_not_seen,
            share(self.wrongly_negated + self.negation_not_seen, self.negations)
        )
        .expect("a string");
        text
    }
}

fn comparator(quantity: &Quantity) -> Option<Comparator> {
    quantity.comparator
}

fn is_stated(quantity: &Quantity) -> bool {
    comparator(quantity).is_some()
}

fn has_comparator(quantity: &Quantity, wanted: Comparator) -> bool {
    comparator(quantity) == Some(wanted)
}

/// Whether a limit is an upper one.
fn side(comparator: Comparator) -> Option<bool> {
    match comparator {
        Comparator::AtMost | Comparator::LessThan => Some(true),
        Comparator::AtLeast | Comparator::MoreThan => Some(false),
        _ => None,
    }
}

fn written(quantity: &Quantity) -> String {
    let mut text = format!("{:?} {}", comparator(quantity), quantity.value);
    for part in [&quantity.upper, &quantity.tolerance, &quantity.unit].into_iter().flatten() {
        text += &[" ", part].concat();
    }
    text
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the variable tries other sentences")]
fn generated_sentences_are_read_as_they_were_made() {
    let seed = std::env::var("NORMA_GENERATED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(61);
    let mut report = Report::default();
    for sentences in documents(seed) {
        for (sentence, found) in sentences.iter().zip(provisions(&sentences)) {
            report.count(sentence, &found);
        }
    }
    println!("{}", report.print());
    let share = |part: usize, whole: usize| part as f64 / whole as f64;
    assert!(share(report.right, report.quantities) > 0.95, "too few quantities are right");
    assert!(share(report.wrong, report.quantities) < 0.005, "too many quantities are wrong");
    assert!(share(report.types_right, report.types) >= 0.998, "too few types are right");
    let wrong = report.wrongly_negated + report.negation_not_seen;
    assert!(share(wrong, report.negations) <= 0.002, "too many negations are wrong");
}
