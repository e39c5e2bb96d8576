//! Sentences whose type and negation are known because of the way in which they are made: templates in three
//! languages, filled with words by a seed. They are the specification of the scope of negation.

use std::collections::{BTreeMap, HashSet};

const ENGLISH: &str = include_str!("negation/english.txt");
const GERMAN: &str = include_str!("negation/german.txt");
const FRENCH: &str = include_str!("negation/french.txt");

/// Sentences of one run.
const SENTENCES: usize = 10_000;

/// Numbers that depend on the seed alone (splitmix64, Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % bound as u64) as usize
    }
}

/// The templates of one language, and the words that fill them.
struct Grammar {
    language: &'static str,
    words: BTreeMap<&'static str, Vec<&'static str>>,
    templates: Vec<Template>,
}

struct Template {
    /// Type and negation, as the file writes them: `requirement`, `not permission`, `none`.
    truth: &'static str,
    /// The sentence, or the lead-in and an item, parted by ` / `.
    text: &'static str,
}

impl Grammar {
    /// Reads a file of lines `name = word; word` and, below a heading `[truth]`, templates.
    fn read(language: &'static str, file: &'static str) -> Self {
        let mut grammar = Self { language, words: BTreeMap::new(), templates: Vec::new() };
        let mut truth = None;
        for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(heading) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                truth = Some(heading);
            } else if let Some(truth) = truth {
                grammar.templates.push(Template { truth, text: line });
            } else {
                let (name, words) = line.split_once(" = ").expect("a line of words has ` = `");
                grammar.words.insert(name, words.split("; ").collect());
            }
        }
        grammar
    }

    /// A template with its slots filled. `{thing}` and `{thing2}` are different words of one list.
    fn fill(&self, text: &str, random: &mut Random) -> String {
        let mut filled = String::new();
        let mut chosen: BTreeMap<&str, &str> = BTreeMap::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (slot, behind) = after.split_once('}').expect("a slot ends with `}`");
            filled.push_str(before);
            let words = &self.words[slot.trim_end_matches(char::is_numeric)];
            let mut word = words[random.below(words.len())];
            while !chosen.contains_key(slot) && chosen.values().any(|other| *other == word) {
                word = words[random.below(words.len())];
            }
            filled.push_str(chosen.entry(slot).or_insert(word));
            rest = behind;
        }
        filled += rest;
        // A template may begin with a slot.
        let first = filled.chars().next().map_or(0, char::len_utf8);
        filled[..first].to_uppercase() + &filled[first..]
    }
}

/// A line of a gold file.
fn gold_line(grammar: &Grammar, template: &Template, text: &str) -> String {
    let (negated, kind) = match template.truth.strip_prefix("not ") {
        Some(kind) => (true, kind),
        None => (false, template.truth),
    };
    let kind = if kind == "none" { "null".to_owned() } else { format!("\"{kind}\"") };
    let (lead_in, sentence) = match text.split_once(" / ") {
        Some((lead_in, item)) => (format!("\"leadIn\":{lead_in:?},"), item),
        None => (String::new(), text),
    };
    let language = grammar.language;
    format!(
        r#"{{{lead_in}"sentence":{sentence:?},"type":{kind},"negated":{negated},"language":"{language}","publisher":"nsb"}}"#
    )
}

/// As many different sentences as asked for, as gold lines, each with its template.
fn lines(count: usize, seed: u64) -> Vec<(String, &'static str)> {
    let grammars = [Grammar::read("en", ENGLISH), Grammar::read("de", GERMAN), Grammar::read("fr", FRENCH)];
    let mut random = Random(seed);
    let mut seen = HashSet::new();
    let mut lines = Vec::with_capacity(count);
    while lines.len() < count {
        let grammar = &grammars[lines.len() % grammars.len()];
        let template = &grammar.templates[random.below(grammar.templates.len())];
        let text = grammar.fill(template.text, &mut random);
        if seen.insert(text.clone()) {
            lines.push((gold_line(grammar, template, &text), template.text));
        }
    }
    lines
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the variable tries other sentences")]
fn negation_and_type_of_generated_sentences_are_those_of_their_templates() {
    let seed = std::env::var("NORMA_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(61);
    let (mut wrong_negation, mut wrong_type) = (0, 0);
    let mut faults: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for (line, template) in lines(SENTENCES, seed) {
        let report = norma_bench_evaluate::eval(&line, &mut |_| Err("there are no documents".to_owned()))
            .expect("a generated line reads");
        let Some(error) = report.errors.first() else { continue };
        wrong_negation += report.negation_errors;
        wrong_type += usize::from(report.negation_errors == 0);
        faults.entry(template).or_insert((0, error.clone())).0 += 1;
    }
    for (template, (count, error)) in &faults {
        println!("{count:5}  {template}\n       {error}");
    }
    println!("of {SENTENCES} sentences {wrong_negation} have a wrong negation, {wrong_type} a wrong type");
    // What is wrong is at most 0.2 % of all.
    assert!((wrong_negation + wrong_type) * 500 <= SENTENCES, "see the templates above");
}
