//! Searches for units with some of the words of a question, compared with a scan of the visible units, which
//! knows tokens but neither the index nor how questions are read.

use std::cmp::Reverse;

use norma_model::{Lang, ProvisionKind};
use norma_search::{
    Found, LanguageText, Page, SearchCursor, SearchIndex, TextQuery, UnitFilter, UnitHit, UnitKind, analyse,
    excerpt,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::index::{TestEdition, TestKey, TestScope, TestUnit, open};
use crate::scan::{find, forms, has_part};

/// Words of texts and questions.
const WORDS: &[&str] =
    &["anchor", "anchors", "steel", "of", "stahl", "stahltüre", "kraft", "effort", "12", "colour", "color"];
/// Words that only ask.
const ASKING: &[&str] = &["how", "what", "must", "wie", "combien"];
const EDITIONS: usize = 6;

fn unit() -> impl Strategy<Value = TestUnit> {
    let words = |most| vec(select(WORDS), 0..most).prop_map(|words| words.join(" "));
    (select(UnitKind::ALL.as_slice()), words(2), words(4), words(3)).prop_map(
        |(kind, title, text, context)| TestUnit {
            kind,
            provision: (kind == UnitKind::Provision).then_some(ProvisionKind::Requirement),
            normative: None,
            keys: Vec::new(),
            title,
            text,
            context,
        },
    )
}

fn editions() -> impl Strategy<Value = Vec<TestEdition>> {
    let edition = (vec(unit(), 1..6), any::<bool>(), select(["en", "fr", "de"].as_slice()));
    vec(edition, EDITIONS).prop_map(|editions| {
        let mut made = Vec::new();
        for (number, (units, in_force, language)) in (0u32..).zip(editions) {
            let mut key = TestKey::numbered(number);
            key.in_force = in_force;
            let document_urn = format!("urn:nsb:std:nsb:{number}");
            made.push(TestEdition { key, document_urn, language: language.parse().unwrap(), units });
        }
        made
    })
}

#[derive(Clone, Debug)]
struct Question {
    words: Vec<&'static str>,
    excluded: Option<&'static str>,
    visible: Vec<bool>,
    limit: usize,
}

fn question() -> impl Strategy<Value = Question> {
    let word = prop_oneof![4 => select(WORDS), 1 => select(ASKING)];
    let excluded = prop_oneof![4 => Just(None), 1 => select(WORDS).prop_map(Some)];
    let words = vec(word, 2..7);
    (words, excluded, vec(any::<bool>(), EDITIONS), 1..5usize)
        .prop_map(|(words, excluded, visible, limit)| Question { words, excluded, visible, limit })
        .prop_filter("a word to find", |one| one.words.iter().any(|word| *word != "of"))
}

fn text(question: &Question) -> String {
    let mut text = question.words.join(" ");
    if let Some(excluded) = question.excluded {
        text += &format!(" -{excluded}");
    }
    text
}

/// All forms of a word, those of its other spelling included.
fn all_forms(word: &str) -> Vec<String> {
    let mut all = forms(word);
    match word {
        "colour" => all.extend(forms("color")),
        "color" => all.extend(forms("colour")),
        "12" => all.extend(["twelve", "douze", "zwolf"].map(str::to_owned)),
        _ => {}
    }
    all
}

/// True where a text has a word, whole or as a part.
fn has_word(text: &str, word: &str, language: &Lang, parts: bool) -> bool {
    let forms = all_forms(word);
    analyse(text, language)
        .iter()
        .any(|token| forms.contains(&token.term) || parts && has_part(token, word, language))
}

/// The words that are looked for: each once by its forms, without stop words and those that ask.
fn asked_words(question: &Question) -> Vec<&'static str> {
    let counting: Vec<&str> = question.words.iter().copied().filter(|word| *word != "of").collect();
    let only_asks = counting.iter().all(|word| ASKING.contains(word));
    let mut asked: Vec<&'static str> = Vec::new();
    for word in &counting {
        let is_known = asked.iter().any(|known| {
            let sorted = |word: &str| {
                let mut forms = all_forms(word);
                forms.sort();
                forms.dedup();
                forms
            };
            sorted(known) == sorted(word)
        });
        if !is_known && (only_asks || !ASKING.contains(word)) {
            asked.push(word);
        }
    }
    asked
}

/// What a unit has: how many words with what is around it, how many itself, and how many in its title.
fn counts(unit: &TestUnit, language: &Lang, asked: &[&str]) -> (usize, usize, usize) {
    let (mut matched, mut own, mut title) = (0, 0, 0);
    for word in asked {
        let is_own = [&unit.title, &unit.text].iter().any(|text| has_word(text, word, language, true));
        matched += usize::from(is_own || has_word(&unit.context, word, language, true));
        own += usize::from(is_own);
        title += usize::from(has_word(&unit.title, word, language, false));
    }
    (matched, own, title)
}

type Scanned = (Reverse<(usize, usize, usize)>, TestKey, u32);

/// The units with enough words in order; `None` where a unit has all words of the query.
fn scan(editions: &[TestEdition], question: &Question) -> Option<Vec<Scanned>> {
    let asked = asked_words(question);
    let least = asked.len().div_ceil(2).max(2).min(asked.len());
    let all: Vec<&str> = question.words.iter().copied().filter(|word| *word != "of").collect();
    let mut found = Vec::new();
    for (edition, _) in editions.iter().zip(&question.visible).filter(|(_, visible)| **visible) {
        for (position, unit) in (0..).zip(&edition.units) {
            let texts = [&unit.title, &unit.text];
            let excludes = |word: &str| {
                texts.iter().any(|text| find(&analyse(text, &edition.language), &[Some(word)]).is_some())
            };
            if let Some(word) = question.excluded
                && (excludes(word) || texts.iter().any(|text| has_word(text, word, &edition.language, false)))
            {
                continue;
            }
            if counts(unit, &edition.language, &all).1 == all.len() {
                return None;
            }
            let counts = counts(unit, &edition.language, &asked);
            if counts.0 > 0 {
                found.push((Reverse(counts), edition.key.clone(), position));
            }
        }
    }
    found.sort();
    // Where no unit has enough, those with fewer are found.
    if found.first().is_some_and(|(Reverse(counts), ..)| counts.0 >= least) {
        found.retain(|(Reverse(counts), ..)| counts.0 >= least);
    }
    Some(found)
}

fn indexed(editions: &[TestEdition], only: Option<&[bool]>) -> (tempfile::TempDir, SearchIndex) {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(folder.path());
    for (slot, edition) in (0..).zip(editions) {
        if only.is_none_or(|only| only[slot as usize]) {
            edition.add_to(&mut index, slot);
        }
        if slot == 2 {
            index.commit("half").unwrap();
        }
    }
    index.commit("all").unwrap();
    (folder, index)
}

fn search(
    index: &SearchIndex,
    editions: &[TestEdition],
    question: &Question,
    after: Option<SearchCursor>,
) -> Found {
    let keys: Vec<TestKey> = editions.iter().map(|edition| edition.key.clone()).collect();
    let visible = (0..EDITIONS as u32).filter(|slot| question.visible[*slot as usize]);
    let scope = TestScope::readable(visible, &keys);
    let query = TextQuery::parse(&text(question), None, 32).unwrap();
    let page = Page { limit: question.limit, after, grouped: false, max_matches: u64::MAX, relaxes: true };
    let found = index.reader().search(&query, &scope, &UnitFilter::default(), &page).unwrap();
    let mut steps = index.reader().begin(&query, keys.len(), &UnitFilter::default(), &page);
    while !steps.step(&scope, &mut || true).unwrap() {}
    assert_eq!(steps.finish(&scope), found);
    found
}

fn compare(index: &SearchIndex, editions: &[TestEdition], question: &Question) {
    let asked = text(question);
    let mut page = search(index, editions, question, None);
    let Some(expected) = scan(editions, question) else {
        assert!(page.total > 0 && page.relaxed.is_none(), "{asked}");
        return;
    };
    let mut items = Vec::new();
    loop {
        assert_eq!((page.total, page.kinds), (0, [0; 5]), "{asked}");
        assert!(page.relaxed.is_some(), "{asked}");
        items.extend(page.hits.iter().map(|hit: &UnitHit| {
            let words = hit.words.unwrap();
            let counts = [words.matched, words.own, words.title].map(|bits| bits.count_ones() as usize);
            (Reverse(counts.into()), editions[hit.slot as usize].key.clone(), hit.position)
        }));
        let Some(next) = page.next.take() else { break };
        let next = SearchCursor::decode(&next.encode("q"), "q").unwrap();
        page = search(index, editions, question, Some(next));
    }
    assert_eq!(items, expected, "{asked}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 25, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn units_with_most_words_come_first_and_are_those_of_a_scan(
        editions in editions(),
        questions in vec(question(), 60),
    ) {
        let (_folder, index) = indexed(&editions, None);
        for question in &questions {
            compare(&index, &editions, question);
        }
    }

    #[test]
    fn nothing_depends_on_editions_that_are_hidden(
        editions in editions(),
        questions in vec(question(), 20),
    ) {
        let (_folder, index) = indexed(&editions, None);
        for question in &questions {
            let (_folder, only_visible) = indexed(&editions, Some(&question.visible));
            let found = [&index, &only_visible].map(|index| search(index, &editions, question, None));
            prop_assert_eq!(&found[0], &found[1], "{}", text(question));
        }
    }
}

fn provision(text: &str, context: &str) -> TestUnit {
    TestUnit {
        kind: UnitKind::Provision,
        provision: Some(ProvisionKind::Requirement),
        normative: Some(true),
        keys: Vec::new(),
        title: String::new(),
        text: text.to_owned(),
        context: context.to_owned(),
    }
}

/// The texts that a question finds among some provisions, with all words or some.
fn texts_found(units: Vec<TestUnit>, language: &str, question: &str) -> Vec<String> {
    let edition = TestEdition {
        key: TestKey::numbered(1),
        document_urn: "urn:nsb:std:nsb:1".to_owned(),
        language: language.parse().unwrap(),
        units,
    };
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(folder.path());
    edition.add_to(&mut index, 0);
    index.commit("1").unwrap();
    let keys = [edition.key.clone()];
    let scope = TestScope::readable([0], &keys);
    let query = TextQuery::parse(question, None, 32).unwrap();
    let page = Page { limit: 10, after: None, grouped: false, max_matches: 100, relaxes: true };
    let found = index.reader().search(&query, &scope, &UnitFilter::default(), &page).unwrap();
    found.hits.iter().map(|hit| edition.units[hit.position as usize].text.clone()).collect()
}

#[test]
fn words_above_a_unit_count_below_its_own() {
    let units = || {
        vec![
            provision("The year shall be added.", "Marking of anchors"),
            provision("The year of the marking of anchors is kept.", ""),
            provision("Anchors are steel.", "Steel"),
        ]
    };
    let found = texts_found(units(), "en", "anchor marking: which year of manufacture");
    assert_eq!(found, ["The year of the marking of anchors is kept.", "The year shall be added."]);
    // One word of two is too few where a unit has two, and better than nothing where none has.
    assert_eq!(texts_found(units(), "en", "steel manufacture"), ["Anchors are steel."]);
    assert!(texts_found(units(), "en", "rubber manufacture").is_empty());
}

#[test]
fn spellings_numbers_and_hyphens_are_forms_of_words() {
    for (text, language, question) in [
        ("Parts shall be galvanized.", "en", "galvanised parts"),
        ("Five anchors are tested.", "en", "5 anchors"),
        ("Die Prüfung dauert zwei Tage.", "de", "2 Tage"),
        ("A pull-out force of 8 kN.", "en", "pullout force"),
        ("A pullout force of 8 kN.", "en", "pullout force"),
        ("A free passage of 1\u{a0}800 mm.", "en", "passage 1800 mm"),
        ("A free passage of 1800 mm.", "en", "passage 1 800 mm"),
        ("After 10,000 cycles.", "en", "10 000 cycles"),
        ("Nach 10.000 Lastwechseln.", "de", "10000 Lastwechsel"),
        ("Die Kräfte auf der Straße.", "de", "Kraefte Strasse"),
        ("Die Kraefte auf der Strasse.", "de", "Kräfte Straße"),
        ("0,5 mm thick", "en", "0.5 mm"),
    ] {
        assert_eq!(texts_found(vec![provision(text, "")], language, question), [text], "{question}");
    }
}

#[test]
fn an_excerpt_begins_at_a_word_as_printed() {
    let text = format!("{}300mm pull-out-forces {}", "x-ray300mm ".repeat(60), "sand ".repeat(200));
    let query = TextQuery::parse("forces", None, 32).unwrap();
    let found = excerpt(&[LanguageText::new(text.as_str(), &Lang::en())], &query);
    assert!(found.text.starts_with("x-ray300mm "), "{}", found.text);
}

#[test]
fn german_words_are_found_in_the_middle_of_others_and_by_the_words_they_are_made_of() {
    for (text, question) in [
        ("Die Fahrradankerprüfung folgt.", "anker"),
        ("Das Drehmoment der Schraube.", "Drehmomentverlust Schraube"),
        ("Der Rand der Platte.", "Plattenrand"),
        ("Die Sicherheit am Bau.", "Sicherheitsschuh"),
        ("Das Salzsprühnebelgerät.", "Salzsprühtest"),
    ] {
        assert_eq!(texts_found(vec![provision(text, "")], "de", question), [text], "{question}");
    }
    // Only where no text has the word itself.
    let texts = || vec![provision("Drehmomentverlust.", ""), provision("Das Drehmoment.", "")];
    assert_eq!(texts_found(texts(), "de", "Drehmomentverlust"), ["Drehmomentverlust."]);
}
