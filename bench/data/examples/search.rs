//! Measured search of `bench/run search`: invented units with their tokens, and an index that answers queries
//! line by line.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Parser;
use fastrand::Rng;
use norma_bench_data::Words;
use norma_model::Lang;
use norma_search::{
    IndexedUnit, LanguageText, PROVISION_KINDS, Page, Scope, SearchIndex, SlotAccess, SlotKey, TextQuery,
    Token, UnitFilter, UnitKind, WordsAround, analyse, number_forms, spellings,
};

/// That of the `norma` command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Units of each standard.
const UNITS: usize = 10;
/// One standard of so many is visible.
const VISIBLE: u32 = 10;
const LANGUAGES: [&str; 3] = ["en", "fr", "de"];
/// Letters of German words that are found by their ends, and of words that find them.
const LONG: usize = 8;
const PART: usize = 5;
const PART_STEM: usize = 4;

/// Makes units and queries, or answers them.
#[derive(Parser)]
enum Typed {
    /// Writes `units.tsv`, `tokens.tsv` (what another engine indexes) and `queries.tsv`.
    Write {
        folder: PathBuf,
        #[arg(long, default_value_t = 100_000)]
        standards: u32,
    },
    /// Opens the index, builds it where it is empty, and answers the queries of its input.
    Serve {
        folder: PathBuf,
        #[arg(long, default_value_t = 64 << 20)]
        memory: usize,
    },
}

fn main() -> anyhow::Result<()> {
    match Typed::parse() {
        Typed::Write { folder, standards } => write(&folder, standards),
        Typed::Serve { folder, memory } => serve(&folder, memory),
    }
}

/// A unit as `units.tsv` has it.
struct Line<'t> {
    kind: usize,
    language: &'t str,
    keys: &'t str,
    title: &'t str,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn read(line: &'t str) -> anyhow::Result<Self> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [kind, language, keys, title, text] = columns[..] else { anyhow::bail!("{line}") };
        Ok(Self { kind: kind.parse()?, language, keys, title, text })
    }

    /// The unit at a position of its standard. The position says what it is.
    fn unit(&self, position: u32) -> anyhow::Result<IndexedUnit<'t>> {
        let kind = UnitKind::ALL[self.kind];
        let is_provision = kind == UnitKind::Provision;
        let language = self.language.parse()?;
        Ok(IndexedUnit {
            kind,
            index: position,
            provision: is_provision.then(|| PROVISION_KINDS[(position % 3) as usize]),
            normative: Some(true),
            keys: self.keys.split('|').collect(),
            title: vec![LanguageText::new(self.title, &language)],
            text: vec![LanguageText::new(self.text, &language)],
            context: WordsAround::default(),
        })
    }

    /// The words of the title.
    fn title_words(&self) -> anyhow::Result<WordsAround> {
        Ok(WordsAround::of(&[LanguageText::new(self.title, &self.language.parse()?)]))
    }
}

fn urn(standard: u32) -> String {
    format!("urn:nsb:std:nsb:{standard}:ed-1:en")
}

/// One of ten standards is visible.
struct Visible(Vec<[String; 3]>);

impl Scope for Visible {
    fn slots(&self) -> usize {
        self.0.len()
    }

    fn access(&self, slot: u32) -> Option<SlotAccess> {
        slot.is_multiple_of(VISIBLE).then_some(SlotAccess::All)
    }

    fn key(&self, slot: u32) -> SlotKey<'_> {
        let [date, reference, urn] = &self.0[slot as usize];
        SlotKey { in_force: !slot.is_multiple_of(5), date, reference, urn }
    }
}

fn write(folder: &Path, standards: u32) -> anyhow::Result<()> {
    let file = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
    let (mut units, mut tokens, mut queries) =
        (file("units.tsv")?, file("tokens.tsv")?, file("queries.tsv")?);
    let vocabularies = LANGUAGES.map(Words::new);
    let mut rng = Rng::with_seed(1);
    for standard in 0..standards {
        let at = language(&mut rng);
        let (language, words) = (LANGUAGES[at], &vocabularies[at]);
        let reference = format!("NSB {standard}:2024");
        for position in 0..UNITS {
            let id: String =
                (0..26).map(|_| char::from(b"abcdefghijklmnopqrstuvwxyz234567"[rng.usize(0..32)])).collect();
            let (kind, keys, title, text) = match position {
                0 => (0, format!("{reference}|urn:nsb:std:nsb:{standard}|NSB {standard}"), 8, 0),
                1 | 2 => (1, format!("{position}|sec_{position}"), 3, 0),
                8 => (3, "term_3.1".to_owned(), 2, 20),
                9 => (4, "Table 1|tab_1".to_owned(), 6, 60),
                _ => (2, format!("4.{position}|prv_{id}"), 0, 28),
            };
            let title = words.text(&mut rng, title);
            let mut text = words.text(&mut rng, text);
            match kind {
                0 => text = reference.clone(),
                2 if rng.u32(0..10) == 0 => text += &format!(" (NSB {})", rng.u32(0..standards)),
                _ => {}
            }
            let line = format!("{kind}\t{language}\t{keys}\t{title}\t{text}");
            writeln!(units, "{line}")?;
            writeln!(tokens, "{}", tokenised(&Line::read(&line)?)?)?;
        }
    }
    for at in 0..1000 {
        let words = &vocabularies[language(&mut rng)];
        let typed: Vec<&str> = (0..1 + at % 3).map(|_| words.content(&mut rng)).collect();
        let matches: Vec<String> =
            typed.iter().map(|word| expression(word)).collect::<anyhow::Result<_>>()?;
        writeln!(queries, "{}\t{}", typed.join(" "), matches.join(" AND "))?;
    }
    Ok(())
}

/// Half of the standards are English.
fn language(rng: &mut Rng) -> usize {
    [0, 0, 1, 2][rng.usize(0..4)]
}

/// The tokens of title and text, and beginnings and ends of words, as columns.
fn tokenised(unit: &Line<'_>) -> anyhow::Result<String> {
    let language: Lang = unit.language.parse()?;
    let (title, text) = (analyse(unit.title, &language), analyse(unit.text, &language));
    let joined = |tokens: &[Token]| tokens.iter().map(|one| one.term.as_str()).collect::<Vec<_>>().join(" ");
    let is_long = |token: &&Token| {
        language.as_str() == "de" && !token.is_designation && token.word.chars().count() >= LONG
    };
    let long = title.iter().chain(&text).filter(is_long).flat_map(|token| [&token.term, &token.word]);
    let mut parts: Vec<String> = long.flat_map(|form| ends(form)).collect();
    parts.sort_unstable();
    parts.dedup();
    Ok([joined(&title), joined(&text), parts.join(" ")].join("\t"))
}

/// A word after `>`, and reversed after `<`.
fn ends(word: &str) -> [String; 2] {
    [format!(">{word}"), format!("<{}", word.chars().rev().collect::<String>())]
}

/// What finds a word in FTS5: its stem in each language, its other spellings, the digits of a number word,
/// and longer German words that begin or end with it.
fn expression(word: &str) -> anyhow::Result<String> {
    let mut forms = Vec::new();
    for language in std::iter::once("und").chain(LANGUAGES) {
        forms.extend(analyse(word, &language.parse()?).into_iter().map(|token| token.term));
    }
    let german = forms[3].clone();
    forms.extend(number_forms(word));
    for other in spellings(word) {
        forms.extend(analyse(&other, &Lang::en()).into_iter().map(|token| token.term));
    }
    forms.sort_unstable();
    forms.dedup();
    let mut any: Vec<String> = forms.iter().map(|form| format!("\"{form}\"")).collect();
    if word.chars().count() >= PART {
        let stem = Some(&*german).filter(|stem| *stem != word && stem.chars().count() >= PART_STEM);
        any.extend(std::iter::once(word).chain(stem).flat_map(ends).map(|end| format!("\"{end}\"*")));
    }
    Ok(format!("({})", any.join(" OR ")))
}

fn serve(folder: &Path, memory: usize) -> anyhow::Result<()> {
    println!("started");
    let mut input = std::io::stdin().lines();
    let standards: u32 = input.next().context("the first line is the number of standards")??.parse()?;
    let mut index = SearchIndex::open(&folder.join("index"), memory, 1)?;
    println!("opened");
    input.next().context("the second line asks for the index")??;
    if index.state().is_none() {
        build(&folder.join("units.tsv"), &mut index)?;
    }
    println!("built");
    let key = |number: u32| [(1980 + number % 45).to_string(), format!("NSB {number}:2024"), urn(number)];
    let scope = Visible((0..standards).map(key).collect());
    for line in input {
        let line = line?;
        // After a question mark, units with some of the words are looked for where none has all.
        let (relaxes, words) = match line.strip_prefix('?') {
            Some(words) => (true, words),
            None => (false, line.as_str()),
        };
        let page = Page { limit: 20, after: None, grouped: false, max_matches: u64::MAX, relaxes };
        let query = TextQuery::parse(words, None, 32)?;
        let found = index.reader().search(&query, &scope, &UnitFilter::default(), &page)?;
        println!("{} {:?}", found.total, found.kinds);
    }
    Ok(())
}

fn build(units: &Path, index: &mut SearchIndex) -> anyhow::Result<()> {
    let mut lines = BufReader::new(File::open(units)?).lines();
    for slot in 0.. {
        let standard: Vec<String> = lines.by_ref().take(UNITS).collect::<Result<_, _>>()?;
        if standard.is_empty() {
            break;
        }
        let lines: Vec<Line<'_>> =
            standard.iter().map(|line| Line::read(line)).collect::<anyhow::Result<_>>()?;
        let mut units = Vec::with_capacity(lines.len());
        let of_standard = lines[0].title_words()?;
        let of_section = of_standard.with(&[lines[2].title_words()?]);
        for (position, line) in (0..).zip(&lines) {
            let mut unit = line.unit(position)?;
            unit.context = match position {
                0 => WordsAround::default(),
                1 | 2 => of_standard.clone(),
                _ => of_section.clone(),
            };
            units.push(unit);
        }
        index.add(slot, &urn(slot), &format!("urn:nsb:std:nsb:{slot}").parse()?, units)?;
    }
    index.commit("1")?;
    Ok(())
}
