//! Tables: the form in which the rules of a language are written, one TOML file each.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::language::{ContextWords, DeniedReading, Exclusions, LanguageRule, Notes};
use super::lexicon::Lexicon;
use super::negation::system::NegationSystem;
use super::pattern::Pattern;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct LanguageTable {
    pub(super) language: String,
    #[serde(default)]
    pub(super) elision: bool,
    pub(super) abbreviations: Vec<String>,
    pub(super) openings: Vec<String>,
    pub(super) complete_leads: Vec<String>,
    pub(super) one_of: Vec<String>,
    pub(super) no_provisions: Vec<String>,
    pub(super) naming: Vec<String>,
    pub(super) boilerplate: Vec<String>,
    pub(super) clauses: ClausesTable,
    pub(super) sections: SectionsTable,
    pub(super) notes: Notes<String>,
    pub(super) context: ContextWords<String>,
    #[serde(default)]
    pub(super) never: Exclusions<String>,
    pub(super) negation: NegationSystem,
    /// What rules say where their verb is denied, by the id of the rule.
    pub(super) denied: BTreeMap<String, DeniedReading<String>>,
    pub(super) lists: BTreeMap<String, Vec<String>>,
    pub(super) rule: Vec<LanguageRule<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ClausesTable {
    #[serde(default)]
    pub(super) verb_final: bool,
    pub(super) connectives: Vec<String>,
    #[serde(default)]
    pub(super) not_connectives: Vec<String>,
    #[serde(default)]
    pub(super) relatives: Vec<String>,
    #[serde(default)]
    pub(super) contact: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SectionsTable {
    pub(super) procedures: Vec<String>,
    pub(super) inventories: Vec<String>,
    pub(super) methods: Vec<String>,
}

impl LanguageRule<String> {
    /// The rule, its words made known to the lexicon.
    pub(super) fn read(
        self,
        denied: Option<DeniedReading<String>>,
        lexicon: &mut Lexicon,
    ) -> Result<LanguageRule, String> {
        let Self {
            id, kind, negated, confidence, alternatives, conditions, example, counter_example, ..
        } = self;
        let with_id = |error: String| format!("{id}: {error}");
        let pattern = Pattern::parse(&self.pattern, lexicon).map_err(with_id)?;
        if !pattern.can_be_found() {
            return Err(with_id(
                "a pattern needs a word that is always there, or `^` at its beginning".to_owned(),
            ));
        }
        let around = self.around.read(lexicon).map_err(with_id)?;
        let denied = denied.map(|denied| denied.read(lexicon)).transpose()?;
        Ok(LanguageRule {
            id,
            kind,
            negated,
            confidence,
            alternatives,
            pattern,
            around,
            conditions,
            denied,
            example,
            counter_example,
        })
    }
}

impl DeniedReading<String> {
    fn read(self, lexicon: &mut Lexicon) -> Result<DeniedReading, String> {
        let not_before = patterns(&self.not_before, lexicon)?;
        let subject_not_before = patterns(&self.subject_not_before, lexicon)?;
        let Self { id, kind, confidence, alternatives, example, .. } = self;
        Ok(DeniedReading { id, kind, confidence, alternatives, not_before, subject_not_before, example })
    }
}

impl Exclusions<String> {
    pub(super) fn read(&self, lexicon: &mut Lexicon) -> Result<Exclusions, String> {
        Ok(Exclusions {
            not_after: patterns(&self.not_after, lexicon)?,
            not_before: patterns(&self.not_before, lexicon)?,
            not_with: patterns(&self.not_with, lexicon)?,
            not_within: patterns(&self.not_within, lexicon)?,
            not_amid: patterns(&self.not_amid, lexicon)?,
        })
    }
}

impl Notes<String> {
    pub(super) fn read(self, lexicon: &mut Lexicon) -> Result<Notes, String> {
        let example_phrases = patterns(&self.example_phrases, lexicon)?;
        let this_example = patterns(&self.this_example, lexicon)?;
        Ok(Notes {
            note: self.note,
            example: self.example,
            suffix: self.suffix,
            example_phrases,
            this_example,
        })
    }
}

impl ContextWords<String> {
    pub(super) fn read(&self, lexicon: &mut Lexicon) -> Result<ContextWords, String> {
        Ok(ContextWords {
            limiting: patterns(&self.limiting, lexicon)?,
            not_limiting: patterns(&self.not_limiting, lexicon)?,
            joined: patterns(&self.joined, lexicon)?,
            not_joined: patterns(&self.not_joined, lexicon)?,
        })
    }
}

/// Reads a list of patterns.
pub(super) fn patterns(texts: &[String], lexicon: &mut Lexicon) -> Result<Vec<Pattern>, String> {
    texts.iter().map(|text| Pattern::parse(text, lexicon)).collect()
}
