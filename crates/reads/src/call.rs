//! A call: the operation and arguments of a request, read from its target and its `Accept` as the table of
//! operations declares them. What cannot be read goes no further.

use http::header;
use norma_api::media::{Media, View};
use norma_api::problem::{Code, ProblemError};
use norma_api::query::{
    ComparisonQuery, ContentQuery, FieldsQuery, ListQuery, MigrateQuery, Parameters, ProvisionsQuery,
    QueryLimits, SearchQuery, SectionsQuery,
};
use norma_api::{NotAcceptable, Operation};
use norma_model::lineage::Asked;
use norma_model::{Identifier, Selection};
use percent_encoding::percent_decode_str;

use crate::failure::provision_not_found;
use crate::{Failure, list_of, nothing_here};

/// The operation that a request names, with its arguments.
#[derive(Debug)]
pub enum Call {
    /// The list of standards.
    List(ListQuery),
    /// A search.
    Search(SearchQuery),
    /// Part of an edition.
    Edition(Identifier, RequestedPart),
    /// URLs of assets of an edition.
    Resolve(Identifier),
    /// One provision in context, by its id or that of its lineage.
    Provision(Asked),
    /// The comparison of the edition in the path with another.
    Comparison(Identifier, Identifier, ComparisonQuery),
    /// The counterparts of ids in the edition in the path, or of labels of another edition; with texts or
    /// without.
    Migrate(Identifier, Option<Identifier>, bool),
    /// The limits in force.
    Limits,
    /// The bytes of an asset, by what was signed.
    Asset(String),
    /// A document about the service.
    Document(ServiceDocument),
}

/// A document about the service, which is the same for everybody.
#[derive(Debug)]
pub enum ServiceDocument {
    /// The OpenAPI document.
    OpenApi,
    /// The documentation for people.
    Docs,
    /// The issuers and scopes of tokens (RFC 9728).
    ProtectedResource,
    /// The vocabulary of the knowledge graph.
    Vocabulary,
    /// The page of a problem.
    Problem(Code),
}

/// Part of an edition.
#[derive(Debug)]
pub enum RequestedPart {
    /// A view as it is stored.
    View(View),
    /// Members of a composed view, in addition to those that are always included.
    Fields(View, Vec<&'static str>),
    /// This number of levels of the section hierarchy.
    Hierarchy(u32),
    /// Sections of the content, in a view of it.
    Sections(View, String),
    /// A table by id or number, in JSON or CSV.
    Table(String, Media),
    /// The provisions that filters leave.
    Provisions(ProvisionsQuery),
    /// The provisions of a selection that filters leave.
    Selection(Selection, ProvisionsQuery),
}

/// Values of the parameters in a path, by their names, as sent.
pub type Arguments<'p> = [(&'p str, &'p str)];

impl Call {
    /// Reads a request of an operation.
    ///
    /// # Errors
    /// What the operation does not take: unknown parameters, media types that are not offered, and values
    /// that mean nothing.
    pub fn read(
        operation: Operation,
        arguments: &Arguments<'_>,
        head: &http::request::Parts,
        limits: QueryLimits,
    ) -> Result<Self, Failure> {
        let parameters = Parameters::parse(operation, head.uri.query().unwrap_or_default(), limits)?;
        let media = operation.negotiate(list_of(&head.headers, header::ACCEPT).as_deref())?;
        let edition = |part| Ok(Self::Edition(identifier(arguments)?, part));
        match operation {
            Operation::Standards => Ok(Self::List(ListQuery::from_parameters(&parameters)?)),
            Operation::Search => Ok(Self::Search(SearchQuery::from_parameters(&parameters)?)),
            Operation::Standard => edition(composed(View::Complete, &parameters)?),
            Operation::Metadata => edition(composed(View::Metadata, &parameters)?),
            Operation::Sections => edition(match SectionsQuery::from_parameters(&parameters)?.depth {
                None => RequestedPart::View(View::Sections),
                Some(depth) => RequestedPart::Hierarchy(depth),
            }),
            Operation::Content => edition(content(media, ContentQuery::from_parameters(&parameters)?)?),
            Operation::Provisions => match ProvisionsQuery::from_parameters(&parameters)? {
                filters if filters.is_empty() => edition(RequestedPart::View(View::Provisions)),
                filters => edition(RequestedPart::Provisions(filters)),
            },
            Operation::Selection => {
                let id = identifier(arguments)?;
                let selection = argument(arguments, "selection")?.parse::<Selection>()?;
                Ok(Self::Edition(
                    id,
                    RequestedPart::Selection(selection, ProvisionsQuery::from_parameters(&parameters)?),
                ))
            }
            Operation::Terms => edition(RequestedPart::View(View::Terms)),
            Operation::Tables => edition(RequestedPart::View(View::Tables)),
            Operation::Table => edition(RequestedPart::Table(argument(arguments, "table")?, media)),
            Operation::Graphics => edition(RequestedPart::View(View::Graphics)),
            Operation::ResolveAssets => identifier(arguments).map(Self::Resolve),
            Operation::Provision => {
                let id = argument(arguments, "id")?.parse();
                id.map(Self::Provision).map_err(|_| provision_not_found())
            }
            Operation::Limits => Ok(Self::Limits),
            Operation::Asset => argument(arguments, "signed").map(Self::Asset),
            Operation::KnowledgeGraph => edition(RequestedPart::View(match media {
                Media::Turtle => View::GraphTurtle,
                _ => View::Graph,
            })),
            Operation::Comparison => {
                let query = ComparisonQuery::from_parameters(&parameters)?;
                Ok(Self::Comparison(identifier(arguments)?, other("with", &query.with)?, query))
            }
            Operation::Migrate => {
                let MigrateQuery { from, text } = MigrateQuery::from_parameters(&parameters)?;
                let from = from.map(|from| other("from", &from)).transpose()?;
                Ok(Self::Migrate(identifier(arguments)?, from, text))
            }
            Operation::OpenApi => Ok(Self::Document(ServiceDocument::OpenApi)),
            Operation::Docs => Ok(Self::Document(ServiceDocument::Docs)),
            Operation::ProtectedResource => Ok(Self::Document(ServiceDocument::ProtectedResource)),
            Operation::Vocabulary => Ok(Self::Document(ServiceDocument::Vocabulary)),
            Operation::ProblemPage => {
                let code = argument(arguments, "code")?.parse().map_err(|_| nothing_here())?;
                Ok(Self::Document(ServiceDocument::Problem(code)))
            }
        }
    }
}

fn composed(view: View, parameters: &Parameters<'_>) -> Result<RequestedPart, Failure> {
    let FieldsQuery { fields } = FieldsQuery::from_parameters(view, parameters)?;
    Ok(fields.map_or(RequestedPart::View(view), |fields| RequestedPart::Fields(view, fields)))
}

fn content(media: Media, ContentQuery { section }: ContentQuery) -> Result<RequestedPart, Failure> {
    let view = match media {
        Media::Text => View::ContentText,
        Media::Xml => View::Source,
        _ => View::Content,
    };
    match section {
        None => Ok(RequestedPart::View(view)),
        Some(_) if view == View::Source => {
            let detail =
                "The XML source is available as a whole only; ask for a section in JSON or plain text.";
            let cause = ProblemError {
                detail: detail.into(),
                parameter: Some("section".into()),
                ..Default::default()
            };
            Err(Failure::new(Code::InvalidParameter, detail).because(cause))
        }
        Some(section) => Ok(RequestedPart::Sections(view, section.trim().to_owned())),
    }
}

/// The standard that the path names.
fn identifier(arguments: &Arguments<'_>) -> Result<Identifier, Failure> {
    let id = argument(arguments, "id")?;
    Identifier::parse(&id).map_err(|error| {
        let error = encoded_twice(&id).unwrap_or_else(|| error.to_string());
        let cause =
            ProblemError { detail: error.clone().into(), parameter: Some("id".into()), ..Default::default() };
        Failure::new(Code::InvalidUrn, format!("This is not a valid URN of a standard: {error}."))
            .because(cause)
    })
}

/// The error of a URN that is still percent-encoded after it was decoded.
fn encoded_twice(urn: &str) -> Option<String> {
    let encoded = urn.to_ascii_lowercase().contains("%3a");
    encoded.then(|| "it was percent-encoded twice: send `%3A` for a colon, not `%253A`".to_owned())
}

/// The standard that a parameter of the query names.
fn other(parameter: &'static str, urn: &str) -> Result<Identifier, Failure> {
    Identifier::parse(urn).map_err(|error| {
        let error = encoded_twice(urn).unwrap_or_else(|| error.to_string());
        let detail = format!("`{parameter}`: expected the URN of a standard: {error}.");
        let cause = ProblemError {
            detail: detail.clone().into(),
            parameter: Some(parameter.into()),
            ..Default::default()
        };
        Failure::new(Code::InvalidParameter, detail).because(cause)
    })
}

/// The value of a parameter in the path. One that is not UTF-8 once decoded names nothing.
fn argument(arguments: &Arguments<'_>, name: &str) -> Result<String, Failure> {
    let (_, sent) = arguments.iter().find(|(key, _)| *key == name).ok_or_else(nothing_here)?;
    Ok(percent_decode_str(sent).decode_utf8().map_err(|_| nothing_here())?.into_owned())
}

impl From<NotAcceptable> for Failure {
    fn from(refused: NotAcceptable) -> Self {
        let allowed = refused.offered.iter().map(|media| media.name().into()).collect();
        let error = ProblemError {
            header: Some("Accept".into()),
            allowed,
            detail: refused.to_string().into(),
            ..ProblemError::default()
        };
        Self::new(Code::NotAcceptable, "This operation offers none of the accepted media types.")
            .because(error)
    }
}
