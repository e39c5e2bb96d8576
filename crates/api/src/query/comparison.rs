//! The queries of what names a second edition: a comparison, and the migration of ids.

use norma_model::Lang;
use url::form_urlencoded::{Serializer, parse};

use super::cursor::{self, Position};
use super::list::ListQueryError;
use super::revision::AskedRevision;
use super::{ParameterError, Parameters, invalid};
use crate::paths::Operation;
use crate::shapes::{ComparisonRelation, Facet, Likelihood, ProvisionType};
use crate::values::NonBlankText;

/// Most items of one page of a comparison, and as many as a page has where the caller does not say how many.
pub const MAX_COMPARED: u32 = 2000;

/// Where a page of a comparison begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonPosition {
    /// Number of items of the whole comparison before it.
    pub index: usize,
    /// The state of the comparison that the index is of: another state has other items.
    pub state: String,
}

/// With which edition one is compared, and which items are wanted. An empty list lets everything through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonQuery {
    /// URN of the other edition.
    pub with: String,
    /// The revision of the other edition that is compared; the present one where there is none.
    pub with_revision: Option<AskedRevision>,
    /// Relations of items; alternatives.
    pub relations: Vec<ComparisonRelation>,
    /// Types of one of the provisions; alternatives.
    pub types: Vec<ProvisionType>,
    /// Only pairs with one of these kinds of change.
    pub changed: Vec<Facet>,
    /// Only pairs that are this sure; alternatives.
    pub likelihoods: Vec<Likelihood>,
    /// Only items with a provision in this section of either edition, by its id or number.
    pub section: Option<String>,
    /// The texts of provisions are wanted.
    pub text: bool,
    /// The language to compare; the first common one of the older edition where there is none.
    pub language: Option<Lang>,
    /// Editions of different documents may be compared.
    pub different_documents: bool,
    /// Most items of a page.
    pub limit: u32,
    /// Where the page begins; at the first item where there is none.
    pub after: Option<ComparisonPosition>,
}

impl Default for ComparisonQuery {
    fn default() -> Self {
        Self {
            with: String::new(),
            with_revision: None,
            relations: Vec::new(),
            types: Vec::new(),
            changed: Vec::new(),
            likelihoods: Vec::new(),
            section: None,
            text: false,
            language: None,
            different_documents: false,
            limit: MAX_COMPARED,
            after: None,
        }
    }
}

impl ComparisonQuery {
    /// The whole comparison with this edition.
    pub fn with(urn: impl Into<String>) -> Self {
        Self { with: urn.into(), ..Self::default() }
    }

    /// Reads the parameters of a request. A cursor contains all of them but `limit`: they may be repeated
    /// next to it, but not changed.
    ///
    /// # Errors
    /// A parameter that is wrong, `with` that is absent, or a cursor of another query.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ListQueryError> {
        let limit = parameters.number("limit")?.unwrap_or(MAX_COMPARED);
        let asked = Self { limit, ..Self::filters(parameters)? };
        let Some(cursor) = parameters.text("cursor")? else { return Ok(asked) };
        let (carried, Position { key, urn: state }) =
            cursor::decode(&cursor).ok_or(ListQueryError::Cursor)?;
        let index = key.parse().map_err(|_| ListQueryError::Cursor)?;
        let carried = Parameters::parse(Operation::Comparison, &carried, parameters.limits)
            .map_err(|_| ListQueryError::Cursor)?;
        let query = Self::filters(&carried).map_err(|_| ListQueryError::Cursor)?;
        // Next to a cursor, the filters that it carries are repeated or left out.
        let are_repeated = asked.canonical() == query.canonical();
        let are_left_out = asked.canonical() == Self::with(&query.with).canonical();
        if !are_repeated && !are_left_out {
            return Err(ListQueryError::OtherQuery);
        }
        Ok(Self { limit, after: Some(ComparisonPosition { index, state }), ..query })
    }

    /// All but the page.
    fn filters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        let with = parameters.text("with")?;
        Ok(Self {
            with: with.ok_or_else(|| invalid("with", "is absent; expected the URN of the other edition"))?,
            with_revision: parameters.one("withRevision")?,
            relations: parameters.words("relation")?,
            types: parameters.words("type")?,
            changed: parameters.words("changed")?,
            likelihoods: parameters.words("likelihood")?,
            section: parameters.one("section")?.map(|NonBlankText(section)| section.trim().to_owned()),
            text: parameters.choice("include")?.is_some(),
            language: parameters.one("language")?,
            different_documents: parameters.boolean("differentDocuments")?.unwrap_or(false),
            ..Self::default()
        })
    }

    /// True if a query string asks for texts, by itself or by its cursor.
    pub fn asks_for_text(query: &str) -> bool {
        if includes_text(query) {
            return true;
        }
        for (name, value) in parse(query.as_bytes()) {
            if name == "cursor"
                && let Some((carried, _)) = cursor::decode(&value)
                && includes_text(&carried)
            {
                return true;
            }
        }
        false
    }

    /// True if it asks for some of the items, or for more of them than their relation.
    pub fn has_filters(&self) -> bool {
        let Self { with, with_revision, language, different_documents, .. } = self.clone();
        let unfiltered = Self { with, with_revision, language, different_documents, ..Self::default() };
        self.canonical() != unfiltered.canonical()
    }

    /// All but the page, as a query string.
    fn canonical(&self) -> String {
        let Self { with, with_revision, relations, types, changed, likelihoods, .. } = self;
        let Self { section, text, language, different_documents, .. } = self;
        let mut query = Serializer::new(String::new());
        query.append_pair("with", with);
        query.extend_pairs(with_revision.iter().map(|revision| ("withRevision", revision.to_string())));
        query.extend_pairs(relations.iter().map(|relation| ("relation", relation.as_str())));
        query.extend_pairs(types.iter().map(|kind| ("type", kind.as_str())));
        query.extend_pairs(changed.iter().map(|facet| ("changed", facet.as_str())));
        query.extend_pairs(likelihoods.iter().map(|likelihood| ("likelihood", likelihood.as_str())));
        query.extend_pairs(section.iter().map(|section| ("section", section)));
        query.extend_pairs(text.then_some(("include", "text")));
        query.extend_pairs(language.iter().map(|language| ("language", language.as_str())));
        query.extend_pairs(different_documents.then_some(("differentDocuments", "true")));
        query.finish()
    }

    /// The query string that reads back as this query.
    pub fn query_string(&self) -> String {
        let mut query = self.canonical();
        if self.limit != MAX_COMPARED {
            query.push_str(&format!("&limit={}", self.limit));
        }
        if let Some(after) = &self.after {
            query.push_str(&format!("&cursor={}", self.cursor(after)));
        }
        query
    }

    /// The cursor of the page that begins here.
    pub fn cursor(&self, position: &ComparisonPosition) -> String {
        let ComparisonPosition { index, state } = position;
        cursor::encode(&self.canonical(), &Position { key: index.to_string(), urn: state.clone() })
    }

    /// The query string of the page with this cursor and the same limit.
    pub fn next(&self, cursor: &str) -> String {
        let with = Self { limit: self.limit, ..Self::with(&self.with) };
        format!("{}&cursor={cursor}", with.query_string())
    }
}

fn includes_text(query: &str) -> bool {
    parse(query.as_bytes()).any(|(name, value)| name == "include" && value == "text")
}

/// The query of a migration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrateQuery {
    /// URN of the edition that the labels are of, or whose member of a lineage is compared.
    pub from: Option<String>,
    /// The revision of that edition, or else of the one in the path, that ids and labels are of; the present
    /// one where there is none.
    pub from_revision: Option<AskedRevision>,
    /// The texts of provisions are wanted.
    pub text: bool,
}

impl MigrateQuery {
    /// Reads the parameters of a request.
    ///
    /// # Errors
    /// A parameter that is wrong.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        Ok(Self {
            from: parameters.text("from")?,
            from_revision: parameters.one("fromRevision")?,
            text: parameters.choice("include")?.is_some(),
        })
    }

    /// The query string that reads back as this query.
    pub fn query_string(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.extend_pairs(self.from.iter().map(|urn| ("from", urn)));
        query.extend_pairs(self.from_revision.iter().map(|name| ("fromRevision", name.to_string())));
        query.extend_pairs(self.text.then_some(("include", "text"))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::Operation;
    use crate::query::QueryLimits;

    #[test]
    fn a_query_of_a_comparison_reads_back_from_what_it_writes_and_needs_the_other_edition() {
        let parse = |query: &str| {
            let parameters = Parameters::parse(Operation::Comparison, query, QueryLimits::default())?;
            ComparisonQuery::from_parameters(&parameters)
        };
        let query = ComparisonQuery {
            with_revision: Some(AskedRevision::Revision("0123456789abcdef".to_owned())),
            relations: vec![ComparisonRelation::New, ComparisonRelation::Removed],
            types: vec![ProvisionType::Requirement],
            changed: vec![Facet::Bound, Facet::DependsOn],
            likelihoods: vec![Likelihood::High, Likelihood::Likely],
            section: Some("5.2".to_owned()),
            text: true,
            language: Some(Lang::en()),
            different_documents: true,
            ..ComparisonQuery::with("urn:nsb:std:nsb:4210:ed-2:en")
        };
        assert_eq!(parse(&query.query_string()), Ok(query));
        assert_eq!(parse("with=a"), Ok(ComparisonQuery::with("a")));
        for wrong in [
            "",
            "with=",
            "with=a&with=b",
            "with=a&changed=words",
            "with=a&include=words",
            "with=a&withRevision=2",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
