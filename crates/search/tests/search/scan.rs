//! The search compared with a scan of the visible texts, which knows tokens but neither the index nor how
//! queries are read. Two indexes with the same editions and different histories answer alike.

use std::collections::BTreeSet;

use norma_model::{Lang, ProvisionKind};
use norma_search::{
    Found, LanguageText, PROVISION_KINDS, Page, SearchCursor, SearchIndex, TextQuery, Tier, Token,
    UnitFilter, UnitHit, UnitKind, analyse, excerpt,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::index::{TestEdition, TestKey, TestScope, TestUnit, open};

/// Words of texts and queries: inflections, compounds and their parts, stop words, numbers.
const WORDS: &[&str] = &[
    "anchor",
    "anchors",
    "forces",
    "steel",
    "the",
    "of",
    "not",
    "stahl",
    "stahlteile",
    "korrosionsschutz",
    "schutz",
    "kraft",
    "ausziehkräfte",
    "effort",
    "efforts",
    "12",
    "0,5",
];
const STOP_WORDS: &[&str] = &["the", "of"];
const PREFIXES: &[&str] = &["anc", "anchors", "sta", "kor", "eff", "xyz"];

/// A part of a query.
#[derive(Clone, Debug)]
enum Part {
    Word(&'static str),
    Phrase(Vec<&'static str>),
    Not(&'static str),
    Prefix(&'static str),
    NotPrefix(&'static str),
}

#[derive(Clone, Debug)]
struct Question {
    parts: Vec<Part>,
    readable: Vec<bool>,
    titles: Vec<bool>,
    kinds: Vec<UnitKind>,
    normative: Option<bool>,
    limit: usize,
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        6 => select(WORDS).prop_map(Part::Word),
        2 => vec(select(WORDS), 1..4).prop_map(Part::Phrase),
        1 => select(WORDS).prop_map(Part::Not),
        1 => select(PREFIXES).prop_map(Part::Prefix),
        1 => select(PREFIXES).prop_map(Part::NotPrefix),
    ]
}

const EDITIONS: usize = 7;

fn question() -> impl Strategy<Value = Question> {
    let grants = || vec(any::<bool>(), EDITIONS);
    let kinds = prop_oneof![
        3 => Just(Vec::new()),
        1 => subsequence(UnitKind::ALL.to_vec(), 1..4),
    ];
    let parts = (select(WORDS).prop_map(Part::Word), vec(part(), 0..3))
        .prop_map(|(first, rest)| std::iter::once(first).chain(rest).collect::<Vec<_>>());
    let normative = prop_oneof![3 => Just(None), 1 => any::<bool>().prop_map(Some)];
    (parts, grants(), grants(), kinds, normative, 1..8usize).prop_map(
        |(parts, readable, titles, kinds, normative, limit)| Question {
            parts,
            readable,
            titles,
            kinds,
            normative,
            limit,
        },
    )
}

fn unit() -> impl Strategy<Value = TestUnit> {
    let words = |most| vec(select(WORDS), 0..most).prop_map(|words| words.join(" "));
    (
        select(UnitKind::ALL.as_slice()),
        select(PROVISION_KINDS.as_slice()),
        any::<Option<bool>>(),
        words(3),
        words(7),
    )
        .prop_map(|(kind, provision, normative, title, text)| TestUnit {
            kind,
            provision: (kind == UnitKind::Provision).then_some(provision),
            normative,
            keys: Vec::new(),
            title,
            text,
            context: String::new(),
        })
}

fn editions() -> impl Strategy<Value = Vec<TestEdition>> {
    let edition = (vec(unit(), 1..6), any::<bool>(), 1..4u8, select(["en", "fr", "de"].as_slice()));
    vec(edition, EDITIONS).prop_map(|editions| {
        let edition =
            |(at, (units, in_force, date, language)): (usize, (Vec<TestUnit>, bool, u8, &str))| TestEdition {
                key: TestKey {
                    in_force,
                    date: format!("200{date}"),
                    reference: format!("NSB {}", at % 3),
                    urn: format!("urn:{at}"),
                },
                document_urn: format!("urn:nsb:std:nsb:{at}"),
                language: language.parse().unwrap(),
                units,
            };
        editions.into_iter().enumerate().map(edition).collect()
    })
}

fn text(parts: &[Part]) -> String {
    let text = |part: &Part| match part {
        Part::Word(word) => (*word).to_owned(),
        Part::Phrase(words) => format!("\"{}\"", words.join(" ")),
        Part::Not(word) => format!("-{word}"),
        Part::Prefix(prefix) => format!("{prefix}*"),
        Part::NotPrefix(prefix) => format!("-{prefix}*"),
    };
    parts.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// All forms that a word of a query has in texts.
pub(crate) fn forms(word: &str) -> Vec<String> {
    let form = |language: &str| analyse(word, &language.parse::<Lang>().unwrap())[0].term.clone();
    ["en", "fr", "de", "nl"].into_iter().map(form).collect()
}

/// True for a word of a text that has a word of a query as its beginning or end.
pub(crate) fn has_part(token: &Token, word: &str, language: &Lang) -> bool {
    let stem = analyse(word, &"de".parse().unwrap())[0].term.clone();
    let has = |part: &str| {
        [&token.term, &token.word].into_iter().any(|whole| whole.starts_with(part) || whole.ends_with(part))
    };
    language.as_str() == "de"
        && word.chars().count() >= 5
        && !word.starts_with(|c: char| c.is_ascii_digit())
        && token.word.chars().count() >= 8
        && (has(word) || stem.chars().count() >= 4 && has(&stem))
}

/// The position of the first words of a text that are these, where `None` is any word.
pub(crate) fn find(tokens: &[Token], words: &[Option<&str>]) -> Option<usize> {
    let is_at = |start: usize| {
        words.iter().enumerate().all(|(at, word)| {
            word.is_none_or(|word| {
                tokens.get(start + at).is_some_and(|token| forms(word).contains(&token.term))
            })
        })
    };
    (0..tokens.len()).find(|start| is_at(*start))
}

/// How a unit matches the parts of a query.
fn scanned_tier(unit: &TestUnit, language: &Lang, parts: &[Part]) -> Option<Tier> {
    let (title, text) = (analyse(&unit.title, language), analyse(&unit.text, language));
    let both = || title.iter().chain(&text);
    let has_other_words = parts.iter().any(|part| match part {
        Part::Word(word) => !STOP_WORDS.contains(word),
        Part::Phrase(_) | Part::Prefix(_) => true,
        Part::Not(_) | Part::NotPrefix(_) => false,
    });
    let counts = |word: &str| !has_other_words || !STOP_WORDS.contains(&word);
    let begins =
        |prefix: &str| both().any(|token| token.word.starts_with(prefix) || token.term.starts_with(prefix));
    let (mut whole, mut in_title) = (true, true);
    // The words in their order, with those that do not count as gaps.
    let mut sequence: Vec<Option<&str>> = Vec::new();
    for part in parts {
        match part {
            Part::Word(word) => {
                sequence.push(counts(word).then_some(*word));
                if !counts(word) {
                    continue;
                }
                let (t, x) = (find(&title, &[Some(word)]).is_some(), find(&text, &[Some(word)]).is_some());
                whole &= t || x;
                in_title &= t;
                if !t && !x && !both().any(|token| has_part(token, word, language)) {
                    return None;
                }
            }
            Part::Phrase(words) => {
                let words: Vec<Option<&str>> = words.iter().map(|word| Some(*word)).collect();
                let (t, x) = (find(&title, &words).is_some(), find(&text, &words).is_some());
                if !t && !x {
                    return None;
                }
                in_title &= t;
                sequence.extend(words);
            }
            Part::Not(word) => {
                if find(&title, &[Some(word)]).is_some() || find(&text, &[Some(word)]).is_some() {
                    return None;
                }
            }
            Part::Prefix(prefix) => {
                if !begins(prefix) {
                    return None;
                }
                whole = false;
            }
            Part::NotPrefix(prefix) => {
                if begins(prefix) {
                    return None;
                }
            }
        }
    }
    if !whole {
        return Some(Tier::Part);
    }
    let first = sequence.iter().position(Option::is_some)?;
    let last = sequence.iter().rposition(Option::is_some)?;
    // A whole title has as many words, those that do not count included.
    let is_whole_title = title.len() == sequence.len()
        && title
            .iter()
            .zip(&sequence)
            .all(|(token, word)| word.is_none_or(|word| forms(word).contains(&token.term)));
    let sequence = &sequence[first..=last];
    Some(match in_title {
        true if is_whole_title => Tier::Title,
        true if find(&title, sequence).is_some() => Tier::TitlePhrase,
        true => Tier::TitleWords,
        _ if find(&text, sequence).is_some() => Tier::Phrase,
        _ => Tier::Words,
    })
}

/// A hit by what does not depend on slots.
type Scanned = (std::cmp::Reverse<Tier>, TestKey, u32);

fn scan(editions: &[TestEdition], question: &Question) -> Vec<Scanned> {
    let mut hits = Vec::new();
    for (at, edition) in editions.iter().enumerate() {
        for (position, unit) in (0..).zip(&edition.units) {
            let is_visible = question.readable[at] || question.titles[at] && unit.kind == UnitKind::Standard;
            let is_wanted = (question.kinds.is_empty() || question.kinds.contains(&unit.kind))
                && question.normative.is_none_or(|wanted| unit.normative == Some(wanted));
            let tier = scanned_tier(unit, &edition.language, &question.parts);
            if let Some(tier) = tier.filter(|_| is_visible && is_wanted) {
                hits.push((std::cmp::Reverse(tier), edition.key.clone(), position));
            }
        }
    }
    hits.sort();
    hits
}

/// An index with the slot of each edition.
struct Instance {
    index: SearchIndex,
    slots: Vec<u32>,
    keys: Vec<TestKey>,
    _folder: tempfile::TempDir,
}

impl Instance {
    /// Adds the editions in an order, with a commit after each where `is_old`, after others were removed.
    fn new(editions: &[TestEdition], is_old: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut index = open(folder.path());
        let count = editions.len() as u32;
        let none =
            TestKey { in_force: true, date: String::new(), reference: String::new(), urn: String::new() };
        let mut keys = vec![none; 3 * editions.len()];
        let mut slots = Vec::new();
        for (at, edition) in (0..).zip(editions) {
            let slot = if is_old { 2 * count - at } else { at };
            keys[slot as usize] = edition.key.clone();
            slots.push(slot);
        }
        if is_old {
            // An edition that is removed, and one whose removal the index has not seen.
            editions[0].add_to(&mut index, 0);
            editions[1].add_to(&mut index, 1);
            index.commit("0").unwrap();
            index.remove(0);
            for (at, edition) in editions.iter().enumerate().rev() {
                edition.add_to(&mut index, slots[at]);
                index.commit(&at.to_string()).unwrap();
            }
        } else {
            for (edition, slot) in editions.iter().zip(&slots) {
                edition.add_to(&mut index, *slot);
            }
            index.commit("0").unwrap();
        }
        Self { index, slots, keys, _folder: folder }
    }

    fn search(&self, question: &Question, after: Option<SearchCursor>, grouped: bool) -> Found {
        let set = |bits: &[bool]| -> BTreeSet<u32> {
            bits.iter().zip(&self.slots).filter(|(bit, _)| **bit).map(|(_, slot)| *slot).collect()
        };
        let (readable, titles) = (set(&question.readable), set(&question.titles));
        let scope = TestScope { readable, titles, keys: &self.keys };
        let filter = UnitFilter {
            kinds: question.kinds.clone(),
            provisions: Vec::new(),
            normative: question.normative,
        };
        let query = TextQuery::parse(&text(&question.parts), None, 32).unwrap();
        let page = Page { limit: question.limit, after, grouped, max_matches: u64::MAX, relaxes: false };
        self.index.reader().search(&query, &scope, &filter, &page).unwrap()
    }

    fn scanned(&self, hit: &UnitHit) -> Scanned {
        (std::cmp::Reverse(hit.tier), self.keys[hit.slot as usize].clone(), hit.position)
    }

    /// All pages, with the first one.
    fn all(&self, question: &Question, grouped: bool) -> (Found, Vec<Vec<Scanned>>) {
        let first = self.search(question, None, grouped);
        let mut items = Vec::new();
        let mut page = first.clone();
        loop {
            items.extend(page.hits.iter().map(|hit| vec![self.scanned(hit)]));
            let hits =
                |group: &norma_search::HitGroup| group.hits.iter().map(|hit| self.scanned(hit)).collect();
            items.extend(page.groups.iter().map(hits));
            let Some(next) = page.next.take() else { return (first, items) };
            let query = "the query";
            let next = SearchCursor::decode(&next.encode(query), query).unwrap();
            page = self.search(question, Some(next), grouped);
            assert_eq!((page.total, page.kinds, &page.slots), (first.total, first.kinds, &first.slots));
        }
    }
}

/// Each highlight of a hit is made of whole words, each a form of a word of the query.
fn compare_highlights(edition: &TestEdition, unit: &TestUnit, question: &Question) {
    let query = TextQuery::parse(&text(&question.parts), None, 32).unwrap();
    let found = excerpt(&[LanguageText::new(unit.text.as_str(), &edition.language)], &query);
    let scalars: Vec<char> = found.text.chars().collect();
    for (start, end) in found.highlights {
        let slice: String = scalars[start as usize..end as usize].iter().collect();
        let is_form = |token: &Token| {
            let of_word =
                |word: &str| forms(word).contains(&token.term) || has_part(token, word, &edition.language);
            question.parts.iter().any(|part| match part {
                Part::Word(word) => of_word(word),
                Part::Phrase(words) => words.iter().any(|word| of_word(word)),
                Part::Prefix(prefix) => token.word.starts_with(prefix) || token.term.starts_with(prefix),
                Part::Not(_) | Part::NotPrefix(_) => false,
            })
        };
        let tokens = analyse(&slice, &edition.language);
        let is_whole = slice.trim() == slice && unit.text.split(' ').any(|word| slice.starts_with(word));
        assert!(is_whole && !tokens.is_empty() && tokens.iter().all(is_form), "{slice:?}");
    }
}

fn compare(editions: &[TestEdition], instance: &Instance, question: &Question) {
    let expected = scan(editions, question);
    let (found, items) = instance.all(question, false);
    let asked = text(&question.parts);
    let items: Vec<Scanned> = items.into_iter().flatten().collect();
    assert_eq!(items, expected, "{asked}");
    assert_eq!(found.total, expected.len() as u64, "{asked}");
    let unit = |hit: &Scanned| {
        let edition = editions.iter().find(|edition| edition.key == hit.1).unwrap();
        &edition.units[hit.2 as usize]
    };
    for hit in &expected {
        let edition = editions.iter().find(|edition| edition.key == hit.1).unwrap();
        compare_highlights(edition, unit(hit), question);
    }
    let count = |is: &dyn Fn(&TestUnit) -> bool| expected.iter().filter(|hit| is(unit(hit))).count() as u64;
    assert_eq!(found.kinds, UnitKind::ALL.map(|kind| count(&|unit| unit.kind == kind)), "{asked}");
    let types = PROVISION_KINDS.map(|kind: ProvisionKind| count(&|unit| unit.provision == Some(kind)));
    assert_eq!(found.provisions, types, "{asked}");
    let normative = [true, false].map(|wanted| count(&|unit| unit.normative == Some(wanted)));
    assert_eq!(found.normative, normative, "{asked}");
    let mut groups: Vec<Vec<Scanned>> = Vec::new();
    for hit in &expected {
        match groups.iter_mut().find(|group| group[0].1 == hit.1) {
            Some(group) => group.push(hit.clone()),
            None => groups.push(vec![hit.clone()]),
        }
    }
    for (slot, counted) in &found.slots {
        let key = &instance.keys[*slot as usize];
        let group = groups.iter().find(|group| group[0].1 == *key).unwrap();
        assert_eq!(*counted, group.len() as u64, "{asked}");
    }
    groups.iter_mut().for_each(|group| group.truncate(3));
    let (_, grouped) = instance.all(question, true);
    assert_eq!(grouped, groups, "{asked}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 25, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn hits_order_totals_and_counts_are_those_of_a_scan(
        editions in editions(),
        questions in vec(question(), 100),
    ) {
        let instances = [Instance::new(&editions, false), Instance::new(&editions, true)];
        for question in &questions {
            for instance in &instances {
                compare(&editions, instance, question);
            }
        }
    }
}

#[test]
fn hidden_units_do_not_count_toward_the_limit() {
    let unit = |text: &str| TestUnit {
        kind: UnitKind::Provision,
        provision: Some(ProvisionKind::Requirement),
        normative: None,
        keys: Vec::new(),
        title: String::new(),
        text: text.to_owned(),
        context: String::new(),
    };
    let edition = |at: u32, units: Vec<TestUnit>| TestEdition {
        key: TestKey::numbered(at),
        document_urn: format!("urn:nsb:std:nsb:{at}"),
        language: Lang::en(),
        units,
    };
    let editions =
        [edition(1, vec![unit("steel anchors"); 2]), edition(2, vec![unit("steel anchorage"); 50])];
    let instance = Instance::new(&editions, false);
    let [one, both] = [1, 2].map(|count| TestScope::readable(0..count, &instance.keys));
    let page = Page { limit: 1, after: None, grouped: false, max_matches: 2, relaxes: false };
    for text in ["steel", "anc*", "\"steel anchors\""] {
        let query = TextQuery::parse(text, None, 32).unwrap();
        let found = instance.index.reader().search(&query, &one, &UnitFilter::default(), &page).unwrap();
        assert_eq!(found.total, 2, "{text}");
    }
    let query = TextQuery::parse("steel", None, 32).unwrap();
    let refused = instance.index.reader().search(&query, &both, &UnitFilter::default(), &page);
    assert_eq!(refused, Err(norma_search::SearchError::TooManyMatches));
}
