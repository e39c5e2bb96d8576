//! Documents that a generator makes of the samples, with citations and quotations that are right or wrong by
//! construction.
//!
//! The templates are in two files: `seen.txt` was looked at while the rules were made, `held_out.txt` was
//! not. `NORMA_GENERATED=SEED` takes another seed than the default. The report counts what is found, class
//! by class, and shows what is missed and what is found wrongly.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "this is test code")]

mod formats;
mod items;
#[path = "../../../provisions/tests/generated/random.rs"]
mod random;
mod service;

use std::collections::BTreeMap;

use jiff::civil::date;
use norma_review::{
    FindingPosition, Review, ReviewBaseline, ReviewDocument, ReviewFinding, ReviewReport, read_document,
};

use formats::{EXTENSIONS, GeneratedDocument, document};
use items::{ERRORS, Item, ItemMaker, Truth, templates};
use random::Random;
use service::SampleService;

/// Documents of each half.
const DOCUMENTS: u64 = 15;
/// Planted errors, and right items, of a document.
const ITEMS: usize = 10;
const NOISE: usize = 7;

fn seed() -> u64 {
    std::env::var("NORMA_GENERATED").map_or(1, |seed| seed.parse().unwrap())
}

/// Asks the samples what a review wants to know.
fn answered(mut review: Review, service: &SampleService) -> Review {
    loop {
        let requests = review.citation_requests();
        if requests.is_empty() {
            break;
        }
        for request in requests {
            review.resolved(&request, service.resolve(&request)).unwrap();
        }
    }
    loop {
        let requests = review.quotation_requests();
        if requests.is_empty() {
            break;
        }
        for request in requests {
            review.verified(&request, service.verify(&request)).unwrap();
        }
    }
    review
}

fn items(random: &mut Random, maker: &ItemMaker<'_>, number: u64) -> Vec<Item> {
    let mut truths = vec![Truth::Right; ITEMS];
    truths.extend([Truth::Noise; NOISE]);
    for index in 0..ITEMS {
        truths.push(ERRORS[(index + number as usize) % ERRORS.len()]);
    }
    if maker.language == "en" {
        let last = truths.len() - 1;
        truths[last] = Truth::OtherEdition;
    }
    let mut items: Vec<Item> = truths.into_iter().map(|truth| maker.item(random, truth)).collect();
    for index in (1..items.len()).rev() {
        items.swap(index, random.between(0, index as u64) as usize);
    }
    items
}

#[derive(Default)]
struct Count {
    planted: usize,
    found: usize,
}

/// What was found in documents.
#[derive(Default)]
struct Measured {
    classes: BTreeMap<Truth, Count>,
    true_findings: usize,
    false_findings: usize,
}

impl Measured {
    fn add(&mut self, items: &[Item], document: &GeneratedDocument, report: &ReviewReport) {
        let mut findings: Vec<&ReviewFinding> =
            report.findings.iter().filter(|finding| finding.file == document.name).collect();
        for (item, position) in items.iter().zip(&document.positions) {
            let (of_item, others) =
                findings.into_iter().partition(|finding| position.contains(&number(finding)));
            findings = others;
            self.add_item(item, &document.name, of_item);
        }
        for finding in findings {
            self.false_findings += 1;
            println!("{}: at no item: {finding:?}", document.name);
        }
    }

    fn add_item(&mut self, item: &Item, name: &str, findings: Vec<&ReviewFinding>) {
        let count = self.classes.entry(item.truth).or_default();
        count.planted += 1;
        let rules = item.truth.rules();
        let is_found = findings.iter().any(|finding| rules.contains(&finding.rule));
        count.found += usize::from(is_found);
        if item.truth.is_error() && !is_found {
            println!("missed in {name}: {:?} {:?}\n    {:?}", item.truth, item.paragraph, findings);
        }
        for finding in findings {
            if rules.contains(&finding.rule) {
                self.true_findings += 1;
            } else {
                self.false_findings += 1;
                println!("wrong in {name}: {:?} {:?}\n    {finding:?}", item.truth, item.paragraph);
            }
        }
    }

    fn recall(&self) -> f64 {
        let errors = self.classes.iter().filter(|(truth, _)| truth.is_error());
        let (planted, found) = errors.fold((0, 0), |(a, b), (_, count)| (a + count.planted, b + count.found));
        found as f64 / planted as f64
    }

    fn precision(&self) -> f64 {
        self.true_findings as f64 / (self.true_findings + self.false_findings) as f64
    }
}

fn number(finding: &ReviewFinding) -> u32 {
    match finding.position {
        FindingPosition::Line { line } => line,
        FindingPosition::Paragraph { paragraph, .. } => paragraph,
    }
}

/// Writes a document, and next to it a line for each item: first and last line, what is true, and the rules
/// that may find it.
fn write_labelled(folder: &std::path::Path, document: &GeneratedDocument, items: &[Item]) {
    let mut labels = String::new();
    for (item, position) in items.iter().zip(&document.positions) {
        let rules: Vec<&str> = item.truth.rules().iter().map(|rule| rule.id()).collect();
        let (first, last) = (position.start(), position.end());
        labels += &format!("{first}\t{last}\t{:?}\t{}\n", item.truth, rules.join(","));
    }
    std::fs::write(folder.join(&document.name), &document.bytes).unwrap();
    std::fs::write(folder.join(format!("{}.tsv", document.name)), labels).unwrap();
}

/// Documents of a file of templates with what is found in them.
fn measured(file: &'static str, half: &str) -> Measured {
    let service = SampleService::new();
    let templates = templates(file);
    let mut random = Random::new(seed() * 1000 + half.len() as u64);
    let mut measured = Measured::default();
    for number in 0..DOCUMENTS {
        let language = *random.one(&["en", "en", "en", "de", "fr"]);
        let maker = ItemMaker { service: &service, templates: &templates, language };
        let items = items(&mut random, &maker, number);
        let extension = EXTENSIONS[number as usize % EXTENSIONS.len()];
        let document = document(&format!("{half}-{number}.{extension}"), &items);
        let blocks = read_document(document.format, &document.bytes);
        let reviewed = ReviewDocument { name: document.name.clone(), blocks };
        let day = date(2026, 11, 29);
        let review = answered(Review::new(vec![reviewed], day, day), &service);
        measured.add(&items, &document, &review.report(&ReviewBaseline::default()));
        if let Some(folder) = std::env::var_os("NORMA_REVIEW_DOCUMENTS") {
            write_labelled(std::path::Path::new(&folder), &document, &items);
        }
    }
    for (truth, count) in &measured.classes {
        println!("{half}: {truth:?} {} of {}", count.found, count.planted);
    }
    println!(
        "{half}: recall {:.3}, precision {:.3} ({} true, {} false findings)",
        measured.recall(),
        measured.precision(),
        measured.true_findings,
        measured.false_findings
    );
    measured
}

#[test]
fn planted_errors_are_found_and_right_citations_are_left_alone() {
    let measured = measured(include_str!("seen.txt"), "seen");
    assert!(measured.recall() >= 0.95 && measured.precision() >= 0.98);
}

#[test]
fn errors_in_wordings_that_were_held_out_are_found_as_well() {
    let measured = measured(include_str!("held_out.txt"), "held-out");
    assert!(measured.recall() >= 0.95 && measured.precision() >= 0.98);
}
