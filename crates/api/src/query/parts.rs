//! Queries of the parts of a standard.

use url::form_urlencoded::Serializer;

use super::{ParameterError, Parameters, QueryLimits};
use crate::Operation;
use crate::media::View;
use crate::shapes::ProvisionType;
use crate::values::NonBlankText;

/// The members that a composed view has whatever is asked for.
const ALWAYS: [&str; 3] = ["status", "urn", "revision"];

/// The members that show text of a standard.
const TEXT: [&str; 3] = ["sections", "provisions", "terms"];

/// The query of a composed view: the complete standard, or the standard without section bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldsQuery {
    /// Members besides those that are always there, in the order of the view; `None`: all of them.
    pub fields: Option<Vec<&'static str>>,
}

impl FieldsQuery {
    /// Reads the parameters of a request for a view.
    pub fn from_parameters(view: View, parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        let Some(asked) = parameters.list("fields")? else { return Ok(Self::default()) };
        let members = view.members().iter().copied();
        let fields = members.filter(|member| asked.contains(member) && !ALWAYS.contains(member)).collect();
        Ok(Self { fields: Some(fields) })
    }

    /// True if an answer to this query string of an operation shows text of the standard.
    pub fn shows_text(operation: Operation, query: &str) -> bool {
        let view = if operation == Operation::Standard { View::Complete } else { View::Metadata };
        let parameters = Parameters::parse(operation, query, QueryLimits::default());
        let read = parameters.and_then(|parameters| Self::from_parameters(view, &parameters));
        let fields = read.ok().and_then(|read| read.fields);
        fields.is_none_or(|fields| fields.iter().any(|field| TEXT.contains(field)))
    }
}

/// The query of a standard's content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentQuery {
    /// Id or number of the section whose subtree is requested.
    pub section: Option<String>,
}

impl ContentQuery {
    /// Reads the parameters of a request.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        Ok(Self { section: parameters.one("section")?.map(|NonBlankText(section)| section) })
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
        Ok(Self { depth: parameters.number("depth")? })
    }
}

/// The query of a standard's provisions. An empty field lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProvisionsQuery {
    /// Types of provisions; alternatives.
    pub types: Vec<ProvisionType>,
    /// The normative status of the section; `None` for either.
    pub normative: Option<bool>,
    /// Words that the text holds: all words of one value; values are alternatives.
    pub q: Vec<String>,
    /// Each provision comes with the id of its lineage.
    pub lineage: bool,
}

impl ProvisionsQuery {
    /// Reads the parameters of a request.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        Ok(Self {
            types: parameters.words("type")?,
            normative: parameters.boolean("normative")?,
            q: parameters.searched_texts("q")?,
            lineage: parameters.choice("include")?.is_some(),
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

    /// True if it asks for all provisions as they are stored.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
