//! Tables: the form in which the rules of a language are written, one TOML file each.

use std::collections::BTreeMap;

use norma_model::{Alternative, ProvisionKind};
use serde::Deserialize;

use super::language::{Conditions, Exclusions, Rule};
use super::lexicon::Lexicon;
use super::pattern::Pattern;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Table {
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
    pub(super) notes: NotesTable,
    #[serde(default)]
    pub(super) never: AroundTable,
    pub(super) lists: BTreeMap<String, Vec<String>>,
    pub(super) rule: Vec<RuleTable>,
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct NotesTable {
    pub(super) note: Vec<String>,
    pub(super) example: Vec<String>,
    #[serde(default)]
    pub(super) suffix: Vec<String>,
    pub(super) example_phrases: Vec<String>,
    pub(super) this_example: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct AroundTable {
    pub(super) not_after: Vec<String>,
    pub(super) not_before: Vec<String>,
    pub(super) not_with: Vec<String>,
    pub(super) not_within: Vec<String>,
    pub(super) not_amid: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct RuleTable {
    pub(super) id: String,
    pub(super) r#type: Kind,
    #[serde(default)]
    pub(super) negated: bool,
    pub(super) pattern: String,
    #[serde(default = "sure")]
    pub(super) confidence: f32,
    #[serde(default)]
    pub(super) alternatives: Vec<AlternativeTable>,
    #[serde(default)]
    pub(super) not_after: Vec<String>,
    #[serde(default)]
    pub(super) not_before: Vec<String>,
    #[serde(default)]
    pub(super) not_with: Vec<String>,
    #[serde(default)]
    pub(super) not_within: Vec<String>,
    #[serde(default)]
    pub(super) not_amid: Vec<String>,
    #[serde(default)]
    pub(super) only: Conditions,
    pub(super) example: String,
    pub(super) counter_example: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AlternativeTable {
    pub(super) r#type: Kind,
    pub(super) confidence: f32,
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

impl RuleTable {
    /// The rule, its words made known to the lexicon.
    pub(super) fn read(self, lexicon: &mut Lexicon) -> Result<Rule, String> {
        let id = self.id;
        let with_id = |error: String| format!("{id}: {error}");
        let pattern = Pattern::parse(&self.pattern, lexicon).map_err(with_id)?;
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
            not_amid: self.not_amid,
        };
        Ok(Rule {
            kind: self.r#type.into(),
            negated: self.negated,
            confidence: self.confidence,
            alternatives: self.alternatives.into_iter().map(Into::into).collect(),
            pattern,
            around: around.read(lexicon).map_err(with_id)?,
            conditions: self.only,
            example: self.example,
            counter_example: self.counter_example,
            id,
        })
    }
}

impl AroundTable {
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

impl From<AlternativeTable> for Alternative {
    fn from(table: AlternativeTable) -> Self {
        Self { kind: table.r#type.into(), confidence: table.confidence }
    }
}

/// Reads a list of patterns.
pub(super) fn patterns(texts: &[String], lexicon: &mut Lexicon) -> Result<Vec<Pattern>, String> {
    texts.iter().map(|text| Pattern::parse(text, lexicon)).collect()
}
