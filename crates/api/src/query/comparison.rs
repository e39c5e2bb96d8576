//! The queries of what names a second edition: a comparison, and the migration of ids.

use norma_model::Lang;
use url::form_urlencoded::Serializer;

use super::{ParameterError, Parameters, invalid};
use crate::shapes::{ComparisonRelation, ProvisionType};

/// With which edition one is compared, and which items are wanted. An empty list lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComparisonQuery {
    /// URN of the other edition.
    pub with: String,
    /// Relations; alternatives.
    pub relations: Vec<ComparisonRelation>,
    /// Types of one of the provisions; alternatives.
    pub types: Vec<ProvisionType>,
    /// Only pairs of which type or polarity changed.
    pub strength_changed: bool,
    /// Whether the texts of provisions are wanted.
    pub text: bool,
    /// The language to compare; the first common one of the older edition where there is none.
    pub language: Option<Lang>,
    /// Whether editions of different documents may be compared.
    pub different_documents: bool,
}

impl ComparisonQuery {
    /// The whole comparison with this edition.
    pub fn with(urn: impl Into<String>) -> Self {
        Self { with: urn.into(), ..Self::default() }
    }

    /// Reads the parameters of a request.
    ///
    /// # Errors
    /// A parameter that is wrong, or `with` that is absent.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        let with: Option<String> = parameters.one("with")?;
        let relations: Vec<&'static str> = ComparisonRelation::ALL.iter().map(|r| r.as_str()).collect();
        let types: Vec<&'static str> = ProvisionType::ALL.iter().map(|t| t.as_str()).collect();
        Ok(Self {
            with: with.ok_or_else(|| invalid("with", "is absent; expected the URN of the other edition"))?,
            relations: parameters.words("relation", &relations)?,
            types: parameters.words("type", &types)?,
            strength_changed: parameters.flag("strength", "changed")?,
            text: parameters.flag("include", "text")?,
            language: parameters.one("language")?,
            different_documents: parameters.word("differentDocuments", &["true", "false"])?.unwrap_or(false),
        })
    }

    /// The query string that reads back as this query.
    pub fn query_string(&self) -> String {
        let Self { with, relations, types, strength_changed, text, language, different_documents } = self;
        let mut query = Serializer::new(String::new());
        query.append_pair("with", with);
        query.extend_pairs(relations.iter().map(|relation| ("relation", relation.as_str())));
        query.extend_pairs(types.iter().map(|kind| ("type", kind.as_str())));
        query.extend_pairs(strength_changed.then_some(("strength", "changed")));
        query.extend_pairs(text.then_some(("include", "text")));
        query.extend_pairs(language.iter().map(|language| ("language", language.as_str())));
        query.extend_pairs(different_documents.then_some(("differentDocuments", "true")));
        query.finish()
    }
}

/// The query of a migration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrateQuery {
    /// URN of the edition that the labels are of.
    pub from: Option<String>,
}

impl MigrateQuery {
    /// Reads the parameters of a request.
    ///
    /// # Errors
    /// A parameter that is wrong.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        Ok(Self { from: parameters.one("from")? })
    }

    /// The query string that reads back as this query.
    pub fn query_string(&self) -> String {
        Serializer::new(String::new()).extend_pairs(self.from.iter().map(|urn| ("from", urn))).finish()
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
            relations: vec![ComparisonRelation::New, ComparisonRelation::Removed],
            types: vec![ProvisionType::Requirement],
            strength_changed: true,
            text: true,
            language: Some(Lang::en()),
            different_documents: true,
            ..ComparisonQuery::with("urn:nsb:std:nsb:4210:ed-2:en")
        };
        assert_eq!(parse(&query.query_string()), Ok(query));
        assert_eq!(parse("with=a"), Ok(ComparisonQuery::with("a")));
        for wrong in
            ["", "with=", "with=a&with=b", "with=a&strength=same", "with=a&include=words", "with=a&x=1"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
