//! Queries of the parts of a standard.

use url::form_urlencoded::Serializer;

use super::{ParameterError, Parameters};
use crate::shapes::ProvisionType;

/// The query of a standard's content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentQuery {
    /// Id or number of the section whose subtree is requested.
    pub section: Option<String>,
}

impl ContentQuery {
    /// Reads the parameters of a request.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        Ok(Self { section: parameters.one("section")? })
    }

    /// The query string that reads back as this query.
    pub fn query_string(&self) -> String {
        Serializer::new(String::new()).extend_pairs(self.section.iter().map(|s| ("section", s))).finish()
    }
}

/// Most levels that a query can ask for.
pub const MAX_DEPTH: u32 = 100;

/// The query of a standard's section hierarchy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectionsQuery {
    /// How many levels of it.
    pub depth: Option<u32>,
}

impl SectionsQuery {
    /// Reads the parameters of a request.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        Ok(Self { depth: parameters.number("depth", MAX_DEPTH)? })
    }
}

/// The query of a standard's provisions. An empty field lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProvisionsQuery {
    /// Types; alternatives.
    pub types: Vec<ProvisionType>,
    /// Whether its section is normative.
    pub normative: Option<bool>,
    /// Words that the text holds: all words of one value; values are alternatives.
    pub q: Vec<String>,
    /// Whether each provision comes with the id of its lineage.
    pub lineage: bool,
}

impl ProvisionsQuery {
    /// Reads the parameters of a request.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        let types: Vec<&'static str> = ProvisionType::ALL.iter().map(|t| t.as_str()).collect();
        Ok(Self {
            types: parameters.words("type", &types)?,
            normative: parameters.word("normative", &["true", "false"])?,
            q: parameters.texts("q")?,
            lineage: parameters.flag("include", "lineage")?,
        })
    }

    /// The query string that reads back as this query.
    pub fn query_string(&self) -> String {
        let Self { types, normative, q, lineage } = self;
        let mut query = Serializer::new(String::new());
        query.extend_pairs(types.iter().map(|t| ("type", t.as_str())));
        query.extend_pairs(normative.iter().map(|n| ("normative", n.to_string())));
        query.extend_pairs(q.iter().map(|words| ("q", words)));
        query.extend_pairs(lineage.then_some(("include", "lineage")));
        query.finish()
    }

    /// Whether it asks for all provisions as they are stored.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
