//! Histories of one edition that a program makes, with what happened to each sentence known by construction:
//! `migrate` from each revision must say it.
//!
//! `NORMA_HISTORIES` is the number of histories, and a word for other seeds and other sentences: `200
//! hidden`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{correct, document, migrated, provisions, urn};
use crate::world::World;

/// Histories without the variable.
const FEW: usize = 6;

/// Ids of one request at most.
const AT_ONCE: usize = 500;

/// A generator of numbers that is the same everywhere (Knuth, MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// The words that sentences are made of: those for everyone, or those that nobody saw while the matcher and
/// this test were written.
struct Words {
    subjects: [&'static str; 8],
    verbs: [&'static str; 6],
    ends: [&'static str; 6],
}

const OPEN: Words = Words {
    subjects: ["axle", "bracket", "chain", "drum", "edge", "flange", "gear", "handle"],
    verbs: [
        "be made of",
        "be coated with",
        "be tested with",
        "be joined by",
        "be cleaned with",
        "be filled with",
    ],
    ends: ["carbon steel", "red lead", "a dry brush", "two rivets", "warm soapy water", "mineral grease"],
};

const HIDDEN: Words = Words {
    subjects: ["kiln", "ladle", "mould", "nozzle", "oven", "platen", "quench", "riser"],
    verbs: [
        "be lined with",
        "be heated by",
        "be sealed with",
        "be held by",
        "be rinsed with",
        "be marked with",
    ],
    ends: ["fire clay", "town gas", "a copper ring", "four clamps", "distilled water", "a blue stripe"],
};

/// A thing that sentences depend on, in one of its versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Table(usize),
    Formula,
    Clause,
}

/// A sentence of the edition.
#[derive(Clone, Debug)]
struct Sentence {
    /// Names it over all revisions.
    key: usize,
    /// Names its list, whose items share a lead-in.
    list: bool,
    text: String,
    target: Option<Target>,
}

/// The state of an edition.
#[derive(Clone)]
struct State {
    sentences: Vec<Sentence>,
    lead_in: String,
    tables: [usize; 2],
    formula: usize,
    clause: usize,
    /// For each key of a sentence that was split, the keys of its halves.
    halves: BTreeMap<usize, [usize; 2]>,
}

/// A history: the states of one edition.
struct History {
    numbers: Numbers,
    words: &'static Words,
    next_key: usize,
    states: Vec<State>,
}

impl History {
    fn new(seed: u64, words: &'static Words) -> Self {
        let mut history = Self { numbers: Numbers(seed), words, next_key: 0, states: Vec::new() };
        let mut sentences: Vec<Sentence> = (0..14).map(|_| history.sentence(false)).collect();
        let items = (0..4).map(|_| history.sentence(true));
        sentences.extend(items.collect::<Vec<_>>());
        for (sentence, target) in
            sentences.iter_mut().zip([Target::Table(0), Target::Table(1), Target::Formula, Target::Clause])
        {
            sentence.target = Some(target);
        }
        let lead_in = "The supplier shall provide".to_owned();
        let state =
            State { sentences, lead_in, tables: [55, 20], formula: 2, clause: 1, halves: BTreeMap::new() };
        history.states.push(state);
        history
    }

    fn sentence(&mut self, list: bool) -> Sentence {
        let key = self.next_key;
        self.next_key += 1;
        let subject = self.words.subjects[self.numbers.below(8)];
        let end = self.words.ends[self.numbers.below(6)];
        let text = match list {
            true => format!("a drawing of {subject} number {} with {end};", 100 + key),
            false => {
                let verb = self.words.verbs[self.numbers.below(6)];
                let load = 10 + self.numbers.below(80);
                format!("The {subject} of type {} shall {verb} {end} at {load} degrees", 100 + key)
            }
        };
        Sentence { key, list, text, target: None }
    }

    /// Corrects the last state.
    fn correct(&mut self) {
        let mut state = self.states.last().unwrap().clone();
        let plain: Vec<usize> = (0..state.sentences.len()).filter(|&at| !state.sentences[at].list).collect();
        let at = plain[self.numbers.below(plain.len())];
        match self.numbers.below(10) {
            0 => state.tables[0] += 5,
            1 => state.tables[1] += 3,
            2 => state.formula += 1,
            3 => state.clause += 1,
            4 => {
                let text = &mut state.sentences[at].text;
                *text = match text.contains(" shall ") {
                    true => text.replacen(" shall ", " should ", 1),
                    false => text.replacen(" should ", " shall ", 1),
                };
            }
            5 => {
                let more = self.numbers.below(9) + 1;
                let sentence = &mut state.sentences[at];
                sentence.text = sentence.text.replacen(" degrees", &format!(".{more} degrees"), 1);
            }
            6 if state.sentences[at].target.is_none() => drop(state.sentences.remove(at)),
            6 | 7 => {
                let sentence = self.sentence(false);
                state.sentences.insert(at, sentence);
            }
            8 => {
                let first = state.sentences.iter().position(|sentence| sentence.list).unwrap();
                state.sentences[first..].rotate_left(1);
            }
            _ => {
                let by = ["in writing", "before delivery", "on request"][self.numbers.below(3)];
                state.lead_in = format!("The supplier shall provide {by}");
            }
        }
        // A lead-in may be corrected to what it is.
        if state.source(0) != self.states.last().unwrap().source(0) {
            self.states.push(state);
        }
    }

    /// Splits a sentence of the last state in two.
    fn split(&mut self) {
        let mut state = self.states.last().unwrap().clone();
        let whole = |sentence: &Sentence| {
            !sentence.list && sentence.target.is_none() && sentence.text.contains(" and it shall ")
        };
        let Some(at) = state.sentences.iter().position(whole) else { return };
        let (one, two) = state.sentences[at].text.split_once(" and it shall ").unwrap();
        let (one, two) = (one.to_owned(), format!("It shall {two}"));
        let keys = [self.next_key, self.next_key + 1];
        self.next_key += 2;
        state.halves.insert(state.sentences[at].key, keys);
        let half = |(key, text)| Sentence { key, list: false, text, target: None };
        state.sentences.splice(at..=at, keys.into_iter().zip([one, two]).map(half));
        self.states.push(state);
    }
}

impl State {
    fn source(&self, number: usize) -> String {
        let mut blocks = String::new();
        for sentence in self.sentences.iter().filter(|sentence| !sentence.list) {
            let reference = match sentence.target {
                None => String::new(),
                Some(Target::Table(n)) => {
                    format!(" and <xref ref-type=\"table\" rid=\"t{n}\">Table {}</xref>", n + 1)
                }
                Some(Target::Formula) => {
                    " and <xref ref-type=\"disp-formula\" rid=\"f1\">Formula (1)</xref>".to_owned()
                }
                Some(Target::Clause) => " and <xref ref-type=\"sec\" rid=\"s9\">4.9</xref>".to_owned(),
            };
            blocks.push_str(&format!("<p>{}{reference}.</p>", sentence.text));
        }
        let items: String = self
            .sentences
            .iter()
            .filter(|sentence| sentence.list)
            .map(|sentence| format!("<list-item><p>{}</p></list-item>", sentence.text))
            .collect();
        blocks.push_str(&format!("<p>{}:</p><list list-type=\"bullet\">{items}</list>", self.lead_in));
        blocks.push_str(&format!(
            "<disp-formula id=\"f1\"><label>(1)</label><math><mi>F</mi><mo>=</mo><mn>{}</mn><mi>m</mi></math></disp-formula>",
            self.formula
        ));
        for (n, value) in self.tables.iter().enumerate() {
            blocks.push_str(&format!(
                "<table-wrap id=\"t{n}\"><label>Table {}</label><caption><title>Values {n}</title></caption><table><thead><tr>\
                 <th>Part</th><th>Value</th></tr></thead><tbody><tr><td>part</td><td>&gt;= {value}</td></tr></tbody></table>\
                 </table-wrap>",
                n + 1
            ));
        }
        blocks.push_str(&format!(
            "<sec id=\"s9\"><label>4.9</label><title>Store</title><p>The store shall have {} doors.</p></sec>",
            self.clause
        ));
        document(number, 1, &blocks)
    }

    /// Whether what a sentence depends on is another one in a later state.
    fn depends_on_change(&self, target: Option<Target>, later: &Self) -> bool {
        match target {
            None => false,
            Some(Target::Table(n)) => self.tables[n] != later.tables[n],
            Some(Target::Formula) => self.formula != later.formula,
            Some(Target::Clause) => self.clause != later.clause,
        }
    }

    /// The id of each sentence, by its key. The text of a provision begins with that of its sentence.
    fn ids(&self, published: &[(String, String)]) -> BTreeMap<usize, String> {
        let mut ids = BTreeMap::new();
        for sentence in &self.sentences {
            let text = sentence.text.trim_end_matches(';');
            let found = published.iter().find(|(_, published)| published.starts_with(text));
            if let Some((id, _)) = found {
                ids.insert(sentence.key, id.clone());
            }
        }
        ids
    }
}

/// The counts of what was compared.
#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    changes: usize,
    exact: usize,
    called_unchanged: usize,
    wrong: Vec<String>,
}

impl Tally {
    /// Compares what `migrate` says of a sentence with what happened to it.
    fn add(
        &mut self,
        sentence: &Sentence,
        [then, now]: [&State; 2],
        ids: &BTreeMap<usize, String>,
        item: &Value,
    ) {
        let found: Vec<&str> = item["comparedProvisions"]
            .as_array()
            .map(|all| all.iter().filter_map(|one| one["id"].as_str()).collect())
            .unwrap_or_default();
        let same = item["relation"] == "same" && item.get("changed").is_none();
        let present = now.sentences.iter().find(|one| one.key == sentence.key);
        let is = |key: &usize| ids.get(key).is_some_and(|id| found.contains(&id.as_str()));
        let (is_changed, is_exact) = match (present, now.halves.get(&sentence.key)) {
            (None, Some(halves)) => (true, halves.iter().all(|half| is(half) || !ids.contains_key(half))),
            (None, None) => (true, item["outcome"] == "absent"),
            (Some(present), _) => {
                let reworded = present.text != sentence.text || (present.list && then.lead_in != now.lead_in);
                let depends = then.depends_on_change(sentence.target, now);
                let names =
                    item["changed"].as_array().is_some_and(|all| all.iter().any(|one| one == "dependsOn"));
                let relation = if reworded { "reworded" } else { "same" };
                let is_exact = item["relation"] == relation && names == depends && is(&sentence.key);
                (reworded || depends, is_exact && (same != (reworded || depends)))
            }
        };
        self.compared += 1;
        self.changes += usize::from(is_changed);
        self.exact += usize::from(is_exact);
        self.called_unchanged += usize::from(is_changed && same);
        if !is_exact {
            self.wrong.push(format!("{sentence:?} is {present:?}: {item}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_to_each_sentence_of_an_edition_is_said_from_each_of_its_revisions() {
    let wanted = std::env::var("NORMA_HISTORIES").unwrap_or_default();
    let mut wanted = wanted.split_whitespace();
    let count = wanted.next().and_then(|count| count.parse().ok()).unwrap_or(FEW);
    let (words, seed) = match wanted.next() {
        Some("hidden") => (&HIDDEN, 1_000_003),
        _ => (&OPEN, 7),
    };
    let world = World::with(&[("rate-limit", "0")]).await;
    let mut tally = Tally::default();
    for n in 0..count {
        one(&world, &mut tally, n, seed + n as u64, words).await;
    }
    let Tally { compared, changes, exact, called_unchanged, wrong } = &tally;
    eprintln!(
        "{count} histories: {compared} sentences, {changes} changed, {exact} exact, {called_unchanged} called unchanged"
    );
    wrong.iter().take(20).for_each(|wrong| eprintln!("{wrong}"));
    assert_eq!(*called_unchanged, 0, "a change is called unchanged");
    assert!(*changes > 10 && 100 * exact >= 98 * compared, "{exact} of {compared}");
    world.stop().await;
}

async fn one(world: &World, tally: &mut Tally, n: usize, seed: u64, words: &'static Words) {
    let (number, mut history) = (8_000 + n, History::new(seed, words));
    let longer = history.states[0].sentences.iter().position(|one| one.target.is_none()).unwrap();
    let text = &mut history.states[0].sentences[longer].text;
    text.push_str(" and it shall carry a plate with the name of the maker");
    for step in 0..4 {
        history.correct();
        if step == 2 {
            history.split();
        }
    }
    let urn = urn(number, 1);
    let mut published = Vec::new();
    for (at, state) in history.states.iter().enumerate() {
        let source = state.source(number);
        match at {
            0 => world.add(&source, &urn).await,
            _ => correct(world, &source).await,
        }
        let (revision, items) = provisions(world, &urn).await;
        published.push((revision, state.ids(&items)));
    }
    let now = history.states.last().unwrap();
    let (_, present_ids) = published.last().unwrap().clone();
    let earlier = published.len() - 1;
    for (then, (revision, ids)) in history.states.iter().zip(&published).take(earlier) {
        let asked: Vec<&str> = ids.values().map(String::as_str).take(AT_ONCE).collect();
        let items = migrated(world, &urn, &format!("?fromRevision={revision}"), &asked).await;
        for (key, item) in ids.keys().zip(&items) {
            let sentence = then.sentences.iter().find(|sentence| sentence.key == *key).unwrap();
            tally.add(sentence, [then, now], &present_ids, item);
        }
    }
}
