//! Languages: the word lists, patterns and rules of each, read from its table.

mod traces;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use foldhash::HashSet;
use norma_model::{Alternative, Lang, ProvisionKind};
use sentencex::languages::{English, French, German};
use serde::Deserialize;

use super::conventions::Soll;
use super::lexicon::{Lexicon, Uses, Word};
use super::negation::system::NegationSystem;
use super::pattern::Pattern;
use super::phrases::PhrasePatterns;
use super::table::{ClausesTable, LanguageTable, patterns};
use super::tokenizer::{SentenceToken, Writing};
use super::word_lists::WordLists;

/// A language's rules, ready to be applied.
pub(super) struct Language {
    /// The code of the language (ISO 639-1).
    #[cfg_attr(not(test), expect(dead_code, reason = "for the test of the tables"))]
    pub(super) code: String,
    /// The splitter into sentences.
    pub(super) splitter: Splitter,
    /// The rules in the order of the table: of two rules for one word, the first that matches counts.
    pub(super) rules: Vec<LanguageRule>,
    pub(super) lexicon: Lexicon,
    pub(super) word_lists: WordLists,
    pub(super) clauses: Clauses,
    /// How it denies a verb.
    pub(super) negation: NegationSystem,
    pub(super) openings: Vec<Pattern>,
    /// Ends of lead-ins that are complete without their list.
    pub(super) complete_leads: Vec<Pattern>,
    /// Phrases of lead-ins that require one of their items: “one of the following”.
    pub(super) one_of: Vec<Pattern>,
    /// Phrases of sentences without a provision: explanations of key words, instructions that amend a text.
    pub(super) no_provisions: Vec<Pattern>,
    /// Phrases of sentences that give a name, which do not complete a lead-in.
    pub(super) naming: Vec<Pattern>,
    /// Abbreviations with their full stop.
    pub(super) abbreviations: HashSet<String>,
    /// The last words of those that are two.
    pair_ends: Vec<String>,
    /// Titles of clauses in which imperatives are requirements.
    pub(super) procedures: PhrasePatterns,
    /// Titles of clauses that list things.
    pub(super) inventories: PhrasePatterns,
    /// Titles of clauses that together make a test method.
    pub(super) methods: PhrasePatterns,
    pub(super) never: Exclusions,
    pub(super) notes: Notes,
    pub(super) context: ContextWords,
    /// Words of sentences that publishers put into every foreword.
    pub(super) boilerplate: Vec<String>,
    /// Rules by the number of their word.
    by_key: Vec<Vec<usize>>,
    keyless: Vec<usize>,
    /// Finds the traces as they are spelled; built when a document first asks for it.
    traces: LazyLock<AhoCorasick, Box<dyn FnOnce() -> AhoCorasick + Send>>,
}

/// The words with which notes and examples begin, in lower case. In a table patterns are texts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Notes<P = Pattern> {
    pub(super) note: Vec<String>,
    pub(super) example: Vec<String>,
    /// Words that may follow the number: “to entry”.
    #[serde(default)]
    pub(super) suffix: Vec<String>,
    /// Phrases with which examples begin: “for example”.
    pub(super) example_phrases: Vec<P>,
    /// Beginnings of sentences that are a part of one: “in this example”.
    pub(super) this_example: Vec<P>,
}

/// The words by which sentences belong to the provision before or after them. In a table patterns are texts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ContextWords<P = Pattern> {
    /// Phrases of sentences that limit what is before them: “this does not apply”.
    pub(super) limiting: Vec<P>,
    /// Beginnings of others that state a duty of their own: “unless it rains, lids shall be open”.
    pub(super) not_limiting: Vec<P>,
    /// Beginnings of sentences that say something of what is before them: “otherwise”.
    pub(super) joined: Vec<P>,
    /// Beginnings of others that only look so: “this document”.
    pub(super) not_joined: Vec<P>,
}

/// A rule by which words are read as a provision. In a table patterns are texts.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", bound = "P: Default + Deserialize<'de>")]
pub(super) struct LanguageRule<P = Pattern> {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: ProvisionKind,
    #[serde(default)]
    pub(super) negated: bool,
    #[serde(default = "sure")]
    pub(super) confidence: f32,
    #[serde(default)]
    pub(super) alternatives: Vec<Alternative>,
    pub(super) pattern: P,
    #[serde(flatten)]
    pub(super) around: Exclusions<P>,
    #[serde(default, rename = "only")]
    pub(super) conditions: Conditions,
    /// What the words say where their verb is denied; `None` where that makes no provision of this rule.
    #[serde(skip)]
    pub(super) denied: Option<DeniedReading>,
    pub(super) example: String,
    pub(super) counter_example: String,
}

/// What a verbal form says where its verb is denied: a ban, a permission, or that there is no duty.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", bound = "P: Deserialize<'de>")]
pub(super) struct DeniedReading<P = Pattern> {
    /// Name of the reading, shown as `rule` of a provision.
    pub(super) id: String,
    /// The type of the reading; that of the rule where none is stated.
    #[serde(rename = "type")]
    pub(super) kind: Option<ProvisionKind>,
    #[serde(default = "sure")]
    pub(super) confidence: f32,
    #[serde(default)]
    pub(super) alternatives: Vec<Alternative>,
    /// What follows the verbal form where nothing is forbidden: “may not *be visible*”.
    #[serde(default = "Vec::new")]
    pub(super) not_before: Vec<P>,
    /// The same where an earlier word denies: “No change may *be necessary*”.
    #[serde(default = "Vec::new")]
    pub(super) subject_not_before: Vec<P>,
    /// A sentence that is read so.
    pub(super) example: String,
}

/// A word at which a rule may match.
pub(super) struct TriggerWord {
    /// The byte of the text at which the word begins.
    pub(super) at: usize,
    /// True if the word alone decides; otherwise it and its neighbours must also be spelled as in the table.
    pub(super) sure: bool,
}

fn sure() -> f32 {
    0.95
}

/// Patterns that must not be around a match. In a table patterns are texts.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Exclusions<P = Pattern> {
    pub(super) not_after: Vec<P>,
    pub(super) not_before: Vec<P>,
    pub(super) not_with: Vec<P>,
    pub(super) not_within: Vec<P>,
    /// Longer phrases that must not contain the match.
    pub(super) not_amid: Vec<P>,
}

/// The conditions under which a rule applies.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Conditions {
    /// In a main clause only.
    pub(super) main: bool,
    /// In procedures and test methods only.
    pub(super) procedure: bool,
    /// Only in groups of orders outside of procedures.
    pub(super) form: bool,
    /// The meaning that `soll` must have in the document.
    pub(super) soll: Option<Soll>,
    /// In laws and regulations only.
    pub(super) law: bool,
    /// Only where the same main clause has no finite verb.
    pub(super) verbless: bool,
    /// Not as the first word of a sentence.
    pub(super) inside: bool,
    /// Only in a document that uses the key words of BCP 14, and for words that are all in upper case.
    pub(super) bcp14: bool,
    /// Only where the verb is denied.
    pub(super) denied: bool,
    /// The type is that which the document's conventions give to `must`, or else the rule's own.
    pub(super) must: bool,
    /// The allowed spellings of the words; empty for any.
    written: Vec<LetterCase>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LetterCase {
    Lower,
    Capital,
    Upper,
}

/// The rules that distinguish main and subordinate clauses.
pub(super) struct Clauses {
    /// A modal at the end of its clause is in a subordinate one (German).
    pub(super) verb_final: bool,
    pub(super) connectives: PhrasePatterns,
    pub(super) not_connectives: Vec<Pattern>,
    pub(super) relatives: Vec<Word>,
    /// Relative clauses without pronoun, with the words to which they belong, looked up by their modal.
    pub(super) contact: Vec<Pattern>,
}

/// The languages with tables, each read when a document first needs it: a new language is a new table and a
/// line here.
static LANGUAGES: [(&str, LazyLock<Language>); 3] = [
    ("en", LazyLock::new(|| Language::of_table(include_str!("rules/english.toml"), &English {}))),
    ("fr", LazyLock::new(|| Language::of_table(include_str!("rules/french.toml"), &French {}))),
    ("de", LazyLock::new(|| Language::of_table(include_str!("rules/german.toml"), &German {}))),
];

/// A language of the sentence library.
pub(super) type Splitter = &'static (dyn sentencex::languages::Language + Sync);

impl Language {
    /// The rules of a language; `None` if there is no table for it.
    pub(super) fn of(lang: &Lang) -> Option<&'static Self> {
        LANGUAGES.iter().find(|(code, _)| *code == lang.primary()).map(|(_, language)| &**language)
    }

    /// The languages that have a table.
    pub(super) fn codes() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|(code, _)| *code)
    }

    #[cfg(test)]
    pub(super) fn all() -> impl Iterator<Item = &'static Self> {
        LANGUAGES.iter().map(|(code, language)| {
            assert_eq!(*code, language.code, "a table is listed under its own language");
            &**language
        })
    }

    fn of_table(table: &str, splitter: Splitter) -> Self {
        Self::read(table, splitter).expect("a test reads every table of rules")
    }

    fn read(table: &str, splitter: Splitter) -> Result<Self, String> {
        let table: LanguageTable = toml::from_str(table).map_err(|e| e.to_string())?;
        let mut lexicon = Lexicon::new(table.elision, &table.lists)?;
        let words = &mut lexicon;
        let rules = read_rules(table.rule, table.denied, words)?;
        let clauses = Clauses::read(&table.clauses, words)?;
        let openings = patterns(&table.openings, words)?;
        let complete_leads = patterns(&table.complete_leads, words)?;
        let one_of = patterns(&table.one_of, words)?;
        let no_provisions = patterns(&table.no_provisions, words)?;
        let naming = patterns(&table.naming, words)?;
        let notes = table.notes.read(words)?;
        let context = table.context.read(words)?;
        let procedures = PhrasePatterns::anywhere(patterns(&table.sections.procedures, words)?)?;
        let inventories = PhrasePatterns::anywhere(patterns(&table.sections.inventories, words)?)?;
        let methods = PhrasePatterns::anywhere(patterns(&table.sections.methods, words)?)?;
        let never = table.never.read(words)?;

        if lexicon.len() > Lexicon::MOST_WORDS {
            return Err(format!("{} words are more than {}", lexicon.len(), Lexicon::MOST_WORDS));
        }
        let traces = traces::of_rules(&rules);
        note_uses(&mut lexicon, &clauses, &rules, &traces);
        let (by_key, keyless) = indexes(&rules, lexicon.len() + 1);
        Ok(Self {
            code: table.language,
            splitter,
            traces: LazyLock::new(Box::new(move || traces::searched(&traces))),
            rules,
            word_lists: WordLists::of(&lexicon),
            clauses,
            negation: table.negation,
            openings,
            complete_leads,
            one_of,
            no_provisions,
            naming,
            pair_ends: pair_ends(&table.abbreviations),
            abbreviations: table.abbreviations.into_iter().collect(),
            procedures,
            inventories,
            methods,
            never,
            notes,
            context,
            boilerplate: table.boilerplate,
            by_key,
            keyless,
            lexicon,
        })
    }

    /// True if an abbreviation of two words (“et al.”) may end with this one.
    pub(super) fn may_end_pair(&self, word: &str) -> bool {
        !word.is_ascii() || self.pair_ends.iter().any(|end| end.eq_ignore_ascii_case(word))
    }

    /// Rules that may match with their key at this token, in the order of the table.
    pub(super) fn rules_at<'a>(
        &'a self,
        tokens: &'a [SentenceToken],
        at: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let entry = tokens[at].known;
        let rules =
            if entry.uses.intersects(Uses::KEY) { self.by_key[entry.word.index()].as_slice() } else { &[] };
        rules.iter().copied().filter(move |&rule| self.rules[rule].pattern.has_neighbours(tokens, at))
    }

    /// Positions in the text of these tokens where a rule may match, ascending: a cheap test before any
    /// sentence is read.
    pub(super) fn traces(&self, tokens: &[SentenceToken], text: &str) -> Vec<TriggerWord> {
        let mut traces = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            if !token.known.uses.intersects(Uses::KEY) {
                continue;
            }
            let Range { start, end } = token.range;
            let sure = token.known.uses.intersects(Uses::TRACE)
                && text[start..end].is_ascii()
                && !is_glued(text.as_bytes(), &token.range);
            if sure || self.rules_at(tokens, at).next().is_some() {
                traces.push(TriggerWord { at: start, sure });
            }
        }
        traces
    }

    /// Rules that begin a sentence with a listed word.
    pub(super) fn keyless_rules(&self) -> &[usize] {
        &self.keyless
    }

    /// Positions in the text of the words of a rule as a table spells them, ascending. A trace that begins
    /// within a word (“pressi-on peut”) must not hide the one that it overlaps, so the search goes on right
    /// after its beginning.
    pub(super) fn spelled_traces<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        let mut from = 0;
        std::iter::from_fn(move || {
            loop {
                let found = self.traces.find(aho_corasick::Input::new(text).range(from..))?.range();
                if is_whole_word(text, &found) {
                    from = found.end;
                    return Some(found.start);
                }
                from = found.start + 1;
            }
        })
    }
}

impl LanguageRule {
    /// True if the verb is where a main clause begins, as in an order. Words before it, such as “After the
    /// residue that was left has cooled,”, are complete.
    pub(super) fn is_command(&self) -> bool {
        self.conditions.procedure || self.pattern.heads_a_clause()
    }
}

impl Clauses {
    fn read(table: &ClausesTable, words: &mut Lexicon) -> Result<Self, String> {
        Ok(Self {
            verb_final: table.verb_final,
            connectives: PhrasePatterns::from_first_word(patterns(&table.connectives, words)?)?,
            not_connectives: patterns(&table.not_connectives, words)?,
            relatives: table.relatives.iter().map(|word| words.intern(word)).collect(),
            contact: patterns(&table.contact, words)?,
        })
    }
}

impl Conditions {
    /// True if words may be written like this.
    pub(super) fn allow(&self, writing: Writing) -> bool {
        let written = match writing {
            Writing::Lower => LetterCase::Lower,
            Writing::Capital => LetterCase::Capital,
            Writing::Upper => LetterCase::Upper,
        };
        self.written.is_empty() || self.written.contains(&written)
    }
}

/// True if no letter or digit goes on with a word. What an apostrophe ends is whole before a letter:
/// `l'essai`.
fn is_whole_word(text: &str, word: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    if bytes[..word.start].last().is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let goes_on = bytes.get(word.end).is_some_and(u8::is_ascii_alphanumeric);
    !goes_on || text[word.clone()].ends_with(['\'', '’'])
}

/// True if a letter or digit is directly next to a word: a formula may be there without a blank.
fn is_glued(text: &[u8], word: &Range<usize>) -> bool {
    let before = text[..word.start].last();
    let behind = text.get(word.end);
    before.is_some_and(u8::is_ascii_alphanumeric) || behind.is_some_and(u8::is_ascii_alphanumeric)
}

/// Reads the rules of a table, each with what it says where its verb is denied.
fn read_rules(
    rules: Vec<LanguageRule<String>>,
    mut denied: BTreeMap<String, DeniedReading<String>>,
    words: &mut Lexicon,
) -> Result<Vec<LanguageRule>, String> {
    let mut read = Vec::with_capacity(rules.len());
    for rule in rules {
        let denied = denied.remove(&rule.id);
        read.push(rule.read(denied, words)?);
    }
    match denied.first_key_value() {
        Some((id, _)) => Err(format!("there is no rule `{id}` that could be denied")),
        None => Ok(read),
    }
}

/// Notes in the lexicon which words begin a subordinate clause, find a rule or are a trace.
fn note_uses(lexicon: &mut Lexicon, clauses: &Clauses, rules: &[LanguageRule], traces: &[String]) {
    lexicon.note(clauses.connectives.words(), Uses::CONNECTIVE);
    lexicon.note(rules.iter().flat_map(|rule| rule.pattern.keys()), Uses::KEY);
    let single_words: Vec<Word> = traces.iter().filter_map(|trace| lexicon.word(trace)).collect();
    lexicon.note(single_words.into_iter(), Uses::TRACE);
}

/// The rules by the words by which they are looked up, and those without such a word, in the order of the
/// table.
fn indexes(rules: &[LanguageRule], words: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut by_key = vec![Vec::new(); words];
    let mut keyless = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        if rule.pattern.key.is_none() {
            keyless.push(index);
        }
        for key in rule.pattern.keys() {
            by_key[key.index()].push(index);
        }
    }
    (by_key, keyless)
}

/// The last words of abbreviations of several words, each once.
fn pair_ends(abbreviations: &[String]) -> Vec<String> {
    let mut ends = Vec::new();
    for abbreviation in abbreviations {
        if let Some((_, end)) = abbreviation.rsplit_once(' ') {
            ends.push(end.to_owned());
        }
    }
    ends.sort();
    ends.dedup();
    ends
}
