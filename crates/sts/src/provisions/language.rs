//! Languages: what is known of each, read from its table of rules.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use norma_model::{Lang, ProvisionKind};
use serde::Deserialize;

use super::pattern::{List, Lists, Pattern};
use super::words::Writing;

/// A language's rules, ready to be applied.
pub(super) struct Language {
    /// Language code, as the sentence library knows it.
    pub(super) code: String,
    /// Whether an apostrophe ends a word.
    pub(super) elision: bool,
    /// In the order of the table: of two rules for one word, the first that holds counts.
    pub(super) rules: Vec<Rule>,
    pub(super) lists: Lists,
    pub(super) clauses: Clauses,
    pub(super) openings: Vec<Pattern>,
    /// Abbreviations with their full stop.
    pub(super) abbreviations: HashSet<String>,
    /// Titles of clauses in which imperatives are requirements.
    pub(super) procedures: Vec<Pattern>,
    /// Titles of clauses that list things.
    pub(super) inventories: Vec<Pattern>,
    /// Titles of clauses that together make a test method.
    pub(super) methods: Vec<Pattern>,
    pub(super) never: Around,
    /// Words of sentences that publishers put into every foreword.
    pub(super) boilerplate: Vec<String>,
    by_key: HashMap<String, Vec<usize>>,
    keyless: Vec<usize>,
    traces: AhoCorasick,
}

/// How words are read as a provision.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) kind: ProvisionKind,
    pub(super) negated: bool,
    pub(super) confidence: f32,
    pub(super) alternatives: Vec<(ProvisionKind, f32)>,
    pub(super) pattern: Pattern,
    pub(super) around: Around,
    pub(super) conditions: Conditions,
    #[cfg_attr(not(test), expect(dead_code, reason = "for people and for the test of the tables"))]
    pub(super) example: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "for people and for the test of the tables"))]
    pub(super) counter_example: String,
}

/// What must not stand around a match.
#[derive(Debug, Default)]
pub(super) struct Around {
    pub(super) not_after: Vec<Pattern>,
    pub(super) not_before: Vec<Pattern>,
    pub(super) not_with: Vec<Pattern>,
    pub(super) not_within: Vec<Pattern>,
}

/// Where a rule holds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Conditions {
    /// In a main clause only.
    pub(super) main: bool,
    /// In procedures and test methods only.
    pub(super) procedure: bool,
    /// Only where no finite verb stands in the same main clause.
    pub(super) verbless: bool,
    /// Not as the first word of a sentence.
    pub(super) inside: bool,
    /// Only where the document uses the key words of BCP 14, and all its words are in upper case.
    pub(super) bcp14: bool,
    /// How the words may be written; empty: in any way.
    written: Vec<Written>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Written {
    Lower,
    Capital,
    Upper,
}

/// How main and subordinate clauses are told apart.
pub(super) struct Clauses {
    /// A modal at the end of its clause is in a subordinate one (German).
    pub(super) verb_final: bool,
    pub(super) connectives: Vec<Pattern>,
    /// Words with which a connective begins.
    pub(super) openers: HashSet<String>,
    pub(super) not_connectives: Vec<Pattern>,
    pub(super) relatives: HashSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    language: String,
    #[serde(default)]
    elision: bool,
    abbreviations: Vec<String>,
    openings: Vec<String>,
    boilerplate: Vec<String>,
    clauses: ClausesTable,
    sections: SectionsTable,
    #[serde(default)]
    never: AroundTable,
    lists: HashMap<String, Vec<String>>,
    rule: Vec<RuleTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ClausesTable {
    #[serde(default)]
    verb_final: bool,
    connectives: Vec<String>,
    #[serde(default)]
    not_connectives: Vec<String>,
    #[serde(default)]
    relatives: HashSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SectionsTable {
    procedures: Vec<String>,
    inventories: Vec<String>,
    methods: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct AroundTable {
    not_after: Vec<String>,
    not_before: Vec<String>,
    not_with: Vec<String>,
    not_within: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct RuleTable {
    id: String,
    r#type: Kind,
    #[serde(default)]
    negated: bool,
    pattern: String,
    #[serde(default = "sure")]
    confidence: f32,
    #[serde(default)]
    alternatives: Vec<AlternativeTable>,
    #[serde(default)]
    not_after: Vec<String>,
    #[serde(default)]
    not_before: Vec<String>,
    #[serde(default)]
    not_with: Vec<String>,
    #[serde(default)]
    not_within: Vec<String>,
    #[serde(default)]
    only: Conditions,
    example: String,
    counter_example: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AlternativeTable {
    r#type: Kind,
    confidence: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Kind {
    Requirement,
    Recommendation,
    Permission,
    Capability,
    ExternalConstraint,
}

fn sure() -> f32 {
    0.95
}

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    [include_str!("rules/english.toml"), include_str!("rules/french.toml"), include_str!("rules/german.toml")]
        .into_iter()
        .map(|table| Language::read(table).expect("a test reads every table of rules"))
        .collect()
});

impl Language {
    /// The rules of a language; `None` where there is no table for it.
    pub(super) fn of(lang: &Lang) -> Option<&'static Self> {
        LANGUAGES.iter().find(|l| l.code == lang.primary())
    }

    #[cfg(test)]
    pub(super) fn all() -> &'static [Self] {
        &LANGUAGES
    }

    fn read(table: &str) -> Result<Self, String> {
        let table: Table = toml::from_str(table).map_err(|e| e.to_string())?;
        let mut rules = Vec::with_capacity(table.rule.len());
        for rule in table.rule {
            rules.push(rule.read()?);
        }
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        let mut keyless = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            let mut keys = rule.pattern.keys().peekable();
            if keys.peek().is_none() {
                keyless.push(index);
            }
            for key in keys {
                by_key.entry(key.to_owned()).or_default().push(index);
            }
        }
        let mut traces: Vec<String> = rules.iter().flat_map(|r: &Rule| r.pattern.traces()).collect();
        traces.extend(traces.clone().iter().filter(|t| t.contains('\'')).map(|t| t.replace('\'', "’")));
        // Of two traces that begin alike the shorter is enough.
        traces.sort();
        traces.dedup_by(|longer, shorter| {
            longer.strip_prefix(shorter.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        let traces = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(&traces)
            .map_err(|e| e.to_string())?;
        let lists: Lists = table.lists.iter().map(|(name, words)| (name.clone(), List::new(words))).collect();
        let connectives = patterns(&table.clauses.connectives)?;
        let language = Self {
            code: table.language,
            elision: table.elision,
            rules,
            lists,
            clauses: Clauses {
                verb_final: table.clauses.verb_final,
                openers: openers(&connectives)?,
                connectives,
                not_connectives: patterns(&table.clauses.not_connectives)?,
                relatives: table.clauses.relatives,
            },
            openings: patterns(&table.openings)?,
            abbreviations: table.abbreviations.into_iter().collect(),
            procedures: patterns(&table.sections.procedures)?,
            inventories: patterns(&table.sections.inventories)?,
            methods: patterns(&table.sections.methods)?,
            never: table.never.read()?,
            boilerplate: table.boilerplate,
            by_key,
            keyless,
            traces,
        };
        if let Some(list) = language.patterns().find_map(|p| p.missing_list(&language.lists)) {
            return Err(format!("there is no list `{list}`"));
        }
        Ok(language)
    }

    fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        let around = self.rules.iter().map(|r| &r.around).chain([&self.never]);
        let around = around
            .flat_map(|a| a.not_after.iter().chain(&a.not_before).chain(&a.not_with).chain(&a.not_within));
        let clauses = self.clauses.connectives.iter().chain(&self.clauses.not_connectives);
        let sections =
            self.procedures.iter().chain(&self.inventories).chain(&self.methods).chain(&self.openings);
        self.rules.iter().map(|r| &r.pattern).chain(around).chain(clauses).chain(sections)
    }

    /// Rules that may hold at this word, in the order of the table.
    pub(super) fn rules_for(&self, word: &str) -> &[usize] {
        self.by_key.get(word).map_or(&[], Vec::as_slice)
    }

    /// Rules that begin a sentence with a listed word.
    pub(super) fn keyless_rules(&self) -> &[usize] {
        &self.keyless
    }

    /// Where in the text a rule may hold: a cheap look before any sentence is read.
    pub(super) fn traces<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        self.traces
            .find_iter(text)
            .map(|found| found.range())
            .filter(move |range| {
                let bytes = text.as_bytes();
                let before = range.start.checked_sub(1).and_then(|at| bytes.get(at));
                let elided = text[range.clone()].ends_with(['\'', '’']);
                !letter(before) && (elided || !letter(bytes.get(range.end)))
            })
            .map(|range| range.start)
    }

    pub(super) fn listed(&self, list: &str, word: &str) -> bool {
        self.lists.get(list).is_some_and(|l| l.holds(word))
    }
}

impl RuleTable {
    fn read(self) -> Result<Rule, String> {
        let id = self.id;
        let with_id = |error: String| format!("{id}: {error}");
        let pattern = Pattern::parse(&self.pattern).map_err(with_id)?;
        if !pattern.can_be_found() {
            return Err(format!(
                "{id}: a pattern needs a word that is always there, or `^` at its beginning"
            ));
        }
        let around = AroundTable {
            not_after: self.not_after,
            not_before: self.not_before,
            not_with: self.not_with,
            not_within: self.not_within,
        };
        Ok(Rule {
            kind: self.r#type.into(),
            negated: self.negated,
            confidence: self.confidence,
            alternatives: self.alternatives.into_iter().map(|a| (a.r#type.into(), a.confidence)).collect(),
            pattern,
            around: around.read().map_err(with_id)?,
            conditions: self.only,
            example: self.example,
            counter_example: self.counter_example,
            id,
        })
    }
}

impl AroundTable {
    fn read(&self) -> Result<Around, String> {
        Ok(Around {
            not_after: patterns(&self.not_after)?,
            not_before: patterns(&self.not_before)?,
            not_with: patterns(&self.not_with)?,
            not_within: patterns(&self.not_within)?,
        })
    }
}

impl Conditions {
    /// Whether words may be written like this.
    pub(super) fn allow(&self, writing: Writing) -> bool {
        let written = match writing {
            Writing::Lower => Written::Lower,
            Writing::Capital => Written::Capital,
            Writing::Upper => Written::Upper,
        };
        self.written.is_empty() || self.written.contains(&written)
    }
}

impl From<Kind> for ProvisionKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Requirement => Self::Requirement,
            Kind::Recommendation => Self::Recommendation,
            Kind::Permission => Self::Permission,
            Kind::Capability => Self::Capability,
            Kind::ExternalConstraint => Self::ExternalConstraint,
        }
    }
}

fn openers(connectives: &[Pattern]) -> Result<HashSet<String>, String> {
    let words = connectives.iter().map(|c| c.first_words().ok_or("a connective begins with a word"));
    Ok(words.collect::<Result<Vec<_>, _>>()?.concat().into_iter().map(str::to_owned).collect())
}

fn patterns(texts: &[String]) -> Result<Vec<Pattern>, String> {
    texts.iter().map(|text| Pattern::parse(text)).collect()
}
