//! A call: the operation and arguments of a request, read from its target and its `Accept` as the table of
//! operations declares them. What cannot be read goes no further.

use http::header;
use norma_api::guides::Guide;
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
#[expect(clippy::large_enum_variant, reason = "a request has one call, and nearly all are reads")]
pub enum Call {
    /// A read for a caller with a token.
    Read(ReadCall),
    /// The limits in force.
    Limits,
    /// The bytes of an asset, by what was signed.
    Asset(String),
    /// A document about the service.
    Document(ServiceDocument),
}

/// A read for a caller with a token: each is answered by a function of its own.
#[derive(Debug)]
pub enum ReadCall {
    /// The list of standards.
    List(ListQuery),
    /// A search.
    Search(SearchQuery),
    /// A view as it is stored; or members of a composed one, in addition to those that are always included.
    View(Identifier, View, Option<Vec<&'static str>>),
    /// This number of levels of the section hierarchy.
    Hierarchy(Identifier, u32),
    /// Sections of the content, in a view of it.
    Content(Identifier, View, String),
    /// A table by id or number, in JSON or CSV.
    Table(Identifier, String, Media),
    /// The provisions that filters leave.
    Provisions(Identifier, ProvisionsQuery),
    /// The provisions of a selection that filters leave.
    Selection(Identifier, Selection, ProvisionsQuery),
    /// One provision in context, by its id or that of its lineage.
    Provision(Asked),
    /// URLs of assets of an edition.
    Resolve(Identifier),
    /// The comparison of the edition in the path with another.
    Comparison(Identifier, Identifier, ComparisonQuery),
    /// The counterparts of ids in the edition in the path, or of labels of another edition; with texts or
    /// without.
    Migrate(Identifier, Option<Identifier>, bool),
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
    /// A guide for people who write clients.
    Guide(&'static Guide),
    /// The list of problems.
    Problems,
    /// The page of a problem.
    Problem(Code),
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
        let id = || identifier(arguments);
        let view = |view| Ok(Self::Read(ReadCall::View(identifier(arguments)?, view, None)));
        match operation {
            Operation::Standards => Ok(Self::Read(ReadCall::List(ListQuery::from_parameters(&parameters)?))),
            Operation::Search => Ok(Self::Read(ReadCall::Search(SearchQuery::from_parameters(&parameters)?))),
            Operation::Standard => composed(View::Complete, &parameters, arguments),
            Operation::Metadata => composed(View::Metadata, &parameters, arguments),
            Operation::Sections => match SectionsQuery::from_parameters(&parameters)?.depth {
                None => view(View::Sections),
                Some(depth) => Ok(Self::Read(ReadCall::Hierarchy(id()?, depth))),
            },
            Operation::Content => content(media, ContentQuery::from_parameters(&parameters)?, arguments),
            Operation::Provisions => match ProvisionsQuery::from_parameters(&parameters)? {
                filters if filters.is_empty() => view(View::Provisions),
                filters => Ok(Self::Read(ReadCall::Provisions(id()?, filters))),
            },
            Operation::Selection => {
                let id = id()?;
                let selection = argument(arguments, "selection")?.parse::<Selection>()?;
                let filters = ProvisionsQuery::from_parameters(&parameters)?;
                Ok(Self::Read(ReadCall::Selection(id, selection, filters)))
            }
            Operation::Terms => view(View::Terms),
            Operation::Tables => view(View::Tables),
            Operation::Table => {
                let table = argument(arguments, "table")?;
                Ok(Self::Read(ReadCall::Table(id()?, table, media)))
            }
            Operation::Graphics => view(View::Graphics),
            Operation::ResolveAssets => Ok(Self::Read(ReadCall::Resolve(id()?))),
            Operation::Provision => {
                let id = argument(arguments, "id")?.parse().map_err(|_| provision_not_found())?;
                Ok(Self::Read(ReadCall::Provision(id)))
            }
            Operation::Limits => Ok(Self::Limits),
            Operation::Asset => argument(arguments, "signed").map(Self::Asset),
            Operation::KnowledgeGraph => match media {
                Media::Turtle => view(View::GraphTurtle),
                _ => view(View::Graph),
            },
            Operation::Comparison => {
                let query = ComparisonQuery::from_parameters(&parameters)?;
                let (id, with) = (id()?, other("with", &query.with)?);
                Ok(Self::Read(ReadCall::Comparison(id, with, query)))
            }
            Operation::Migrate => {
                let MigrateQuery { from, text } = MigrateQuery::from_parameters(&parameters)?;
                let from = from.map(|from| other("from", &from)).transpose()?;
                Ok(Self::Read(ReadCall::Migrate(id()?, from, text)))
            }
            Operation::OpenApi => Ok(Self::Document(ServiceDocument::OpenApi)),
            Operation::Docs => Ok(Self::Document(ServiceDocument::Docs)),
            Operation::ProtectedResource => Ok(Self::Document(ServiceDocument::ProtectedResource)),
            Operation::Vocabulary => Ok(Self::Document(ServiceDocument::Vocabulary)),
            Operation::GuidePage => {
                let guide = Guide::named(&argument(arguments, "guide")?).ok_or_else(nothing_here)?;
                Ok(Self::Document(ServiceDocument::Guide(guide)))
            }
            Operation::ProblemIndex => Ok(Self::Document(ServiceDocument::Problems)),
            Operation::ProblemPage => {
                let code = argument(arguments, "code")?.parse().map_err(|_| nothing_here())?;
                Ok(Self::Document(ServiceDocument::Problem(code)))
            }
        }
    }
}

fn composed(view: View, parameters: &Parameters<'_>, arguments: &Arguments<'_>) -> Result<Call, Failure> {
    let FieldsQuery { fields } = FieldsQuery::from_parameters(view, parameters)?;
    Ok(Call::Read(ReadCall::View(identifier(arguments)?, view, fields)))
}

fn content(
    media: Media,
    ContentQuery { section }: ContentQuery,
    arguments: &Arguments<'_>,
) -> Result<Call, Failure> {
    let view = match media {
        Media::Text => View::ContentText,
        Media::Xml => View::Source,
        _ => View::Content,
    };
    match section {
        None => Ok(Call::Read(ReadCall::View(identifier(arguments)?, view, None))),
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
        Some(section) => {
            let section = section.trim().to_owned();
            Ok(Call::Read(ReadCall::Content(identifier(arguments)?, view, section)))
        }
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
