//! A call: the operation and arguments of a request, read from its target and its `Accept` as the table of
//! operations declares them. What cannot be read goes no further.

use http::header;
use norma_api::guides::Guide;
use norma_api::media::{Media, View};
use norma_api::problem::{Code, ProblemError};
use norma_api::query::{
    ChangesQuery, ComparisonQuery, ContentQuery, FieldsQuery, ListQuery, MigrateQuery, Parameters,
    ProvisionsQuery, QueryLimits, SearchQuery, SectionsQuery,
};
use norma_api::{NotAcceptable, Operation};
use norma_model::lineage::Asked;
use norma_model::{Identifier, Selection, UrnError};
use percent_encoding::percent_decode_str;

use crate::failure::provision_not_found;
use crate::migrate::MigrationFrom;
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
    /// What changed since a cursor.
    Changes(ChangesQuery),
    /// A search in the full text of the editions that the caller may read or discover.
    Search(SearchQuery),
    /// Where printed citations lead.
    Citations,
    /// Whether quotations are true.
    Quotations,
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
    /// The instructions of an amendment.
    Instructions(Identifier),
    /// URLs of assets of an edition.
    Resolve(Identifier),
    /// The comparison of the edition in the path with another.
    Comparison(Identifier, Identifier, ComparisonQuery),
    /// The counterparts of ids in the edition in the path, or of labels of another edition.
    Migrate(Identifier, MigrationFrom),
}

/// A document about the service, which is the same for everybody.
#[derive(Debug)]
pub enum ServiceDocument {
    /// The OpenAPI document of all operations.
    OpenApi,
    /// The documentation for people, as a page of HTML.
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
        let sent = SentArguments { path: arguments, query: &parameters, media };
        match operation {
            Operation::Standards => Ok(Self::Read(ReadCall::List(ListQuery::from_parameters(&parameters)?))),
            Operation::Changes => {
                Ok(Self::Read(ReadCall::Changes(ChangesQuery::from_parameters(&parameters)?)))
            }
            Operation::Search => Ok(Self::Read(ReadCall::Search(SearchQuery::from_parameters(&parameters)?))),
            Operation::ResolveCitations => Ok(Self::Read(ReadCall::Citations)),
            Operation::VerifyQuotations => Ok(Self::Read(ReadCall::Quotations)),
            Operation::Standard => sent.composed(View::Complete),
            Operation::Metadata => sent.composed(View::Metadata),
            Operation::Sections => sent.sections(),
            Operation::Content => sent.content(),
            Operation::Provisions => sent.provisions(),
            Operation::Selection => sent.selection(),
            Operation::Terms => sent.view(View::Terms),
            Operation::Tables => sent.view(View::Tables),
            Operation::Table => sent.table(),
            Operation::Graphics => sent.view(View::Graphics),
            Operation::Instructions => Ok(Self::Read(ReadCall::Instructions(identifier(arguments)?))),
            Operation::ResolveAssets => Ok(Self::Read(ReadCall::Resolve(identifier(arguments)?))),
            Operation::Provision => sent.provision(),
            Operation::Limits => Ok(Self::Limits),
            Operation::Asset => argument(arguments, "signed").map(Self::Asset),
            Operation::KnowledgeGraph => match media {
                Media::Turtle => sent.view(View::GraphTurtle),
                _ => sent.view(View::Graph),
            },
            Operation::Comparison => sent.comparison(),
            Operation::Migrate => sent.migration(),
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

/// The arguments of a request, of which each operation takes its own.
struct SentArguments<'a> {
    path: &'a Arguments<'a>,
    query: &'a Parameters<'a>,
    media: Media,
}

impl SentArguments<'_> {
    /// A view as it is stored.
    fn view(&self, view: View) -> Result<Call, Failure> {
        Ok(Call::Read(ReadCall::View(identifier(self.path)?, view, None)))
    }

    fn composed(&self, view: View) -> Result<Call, Failure> {
        let FieldsQuery { fields } = FieldsQuery::from_parameters(view, self.query)?;
        Ok(Call::Read(ReadCall::View(identifier(self.path)?, view, fields)))
    }

    fn sections(&self) -> Result<Call, Failure> {
        match SectionsQuery::from_parameters(self.query)?.depth {
            None => self.view(View::Sections),
            Some(depth) => Ok(Call::Read(ReadCall::Hierarchy(identifier(self.path)?, depth))),
        }
    }

    fn content(&self) -> Result<Call, Failure> {
        let ContentQuery { section } = ContentQuery::from_parameters(self.query)?;
        let view = match self.media {
            Media::Text => View::ContentText,
            Media::Xml => View::Source,
            _ => View::Content,
        };
        let Some(section) = section else { return self.view(view) };
        if view == View::Source {
            return Err(section_of_source());
        }
        let section = section.trim().to_owned();
        Ok(Call::Read(ReadCall::Content(identifier(self.path)?, view, section)))
    }

    fn provisions(&self) -> Result<Call, Failure> {
        let filters = ProvisionsQuery::from_parameters(self.query)?;
        if filters.is_empty() {
            return self.view(View::Provisions);
        }
        Ok(Call::Read(ReadCall::Provisions(identifier(self.path)?, filters)))
    }

    fn selection(&self) -> Result<Call, Failure> {
        let id = identifier(self.path)?;
        let selection = argument(self.path, "selection")?.parse::<Selection>()?;
        let filters = ProvisionsQuery::from_parameters(self.query)?;
        Ok(Call::Read(ReadCall::Selection(id, selection, filters)))
    }

    fn table(&self) -> Result<Call, Failure> {
        let table = argument(self.path, "table")?;
        Ok(Call::Read(ReadCall::Table(identifier(self.path)?, table, self.media)))
    }

    /// A text that cannot be an id is answered like an id that does not exist.
    fn provision(&self) -> Result<Call, Failure> {
        let id = argument(self.path, "id")?.parse().map_err(|_| provision_not_found())?;
        Ok(Call::Read(ReadCall::Provision(id)))
    }

    fn comparison(&self) -> Result<Call, Failure> {
        let query = ComparisonQuery::from_parameters(self.query)?;
        let id = identifier(self.path)?;
        let with = other("with", &query.with)?;
        Ok(Call::Read(ReadCall::Comparison(id, with, query)))
    }

    fn migration(&self) -> Result<Call, Failure> {
        let query = MigrateQuery::from_parameters(self.query)?;
        let edition = match &query.from {
            Some(from) => Some(other("from", from)?),
            None => None,
        };
        let from = MigrationFrom { edition, revision: query.from_revision, texts: query.text };
        Ok(Call::Read(ReadCall::Migrate(identifier(self.path)?, from)))
    }
}

/// The failure for a section of the XML source: a part of it would not be a document.
fn section_of_source() -> Failure {
    let detail = "The XML source is available as a whole only; ask for a section in JSON or plain text.";
    Failure::of_parameter(Code::InvalidParameter, "section", detail)
}

/// The standard that the path names.
fn identifier(arguments: &Arguments<'_>) -> Result<Identifier, Failure> {
    let id = argument(arguments, "id")?;
    Identifier::parse(&id).map_err(|error| {
        let reason = reason(&id, error);
        let cause = ProblemError {
            detail: reason.clone().into(),
            parameter: Some("id".into()),
            ..Default::default()
        };
        Failure::new(Code::InvalidUrn, format!("This is not a valid URN of a standard: {reason}."))
            .because(cause)
    })
}

/// The standard that a parameter of the query names.
fn other(parameter: &'static str, urn: &str) -> Result<Identifier, Failure> {
    Identifier::parse(urn).map_err(|error| {
        let reason = reason(urn, error);
        let detail = format!("`{parameter}`: expected the URN of a standard: {reason}.");
        Failure::of_parameter(Code::InvalidParameter, parameter, detail)
    })
}

/// The reason why a URN is not valid. One that is still percent-encoded after it was decoded has a reason of
/// its own, since that of its parser would name a character that the caller did not mean.
fn reason(urn: &str, error: UrnError) -> String {
    if urn.to_ascii_lowercase().contains("%3a") {
        return "it was percent-encoded twice: send `%3A` for a colon, not `%253A`".to_owned();
    }
    error.to_string()
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

#[cfg(test)]
mod tests {
    use super::*;

    const URN: &str = "urn%3Ansb%3Astd%3Ansb%3A4210%3Aed-2%3Aen";

    /// Reads a GET of an operation with this query and `Accept`.
    fn read(
        operation: Operation,
        arguments: &Arguments<'_>,
        query: &str,
        accept: &str,
    ) -> Result<Call, Failure> {
        let uri = format!("/x?{query}");
        let request = http::Request::builder().uri(uri).header(header::ACCEPT, accept).body(()).unwrap();
        Call::read(operation, arguments, &request.into_parts().0, QueryLimits::default())
    }

    fn code(answer: Result<Call, Failure>) -> Code {
        match answer {
            Ok(_) => panic!("it is refused"),
            Err(failure) => failure.code(),
        }
    }

    #[test]
    fn a_view_without_parameters_is_sent_as_it_is_stored() {
        let id = [("id", URN)];
        let call = read(Operation::Provisions, &id, "", "*/*").unwrap();
        assert!(matches!(call, Call::Read(ReadCall::View(_, View::Provisions, None))), "{call:?}");
        let call = read(Operation::Provisions, &id, "type=permission", "*/*").unwrap();
        assert!(matches!(call, Call::Read(ReadCall::Provisions(..))), "{call:?}");
        let call = read(Operation::Sections, &id, "depth=2", "*/*").unwrap();
        assert!(matches!(call, Call::Read(ReadCall::Hierarchy(_, 2))), "{call:?}");
    }

    #[test]
    fn the_media_type_chooses_the_view_of_the_content_and_xml_has_no_sections() {
        let id = [("id", URN)];
        let call = read(Operation::Content, &id, "section=%204.1%20", "text/plain").unwrap();
        let Call::Read(ReadCall::Content(_, View::ContentText, section)) = call else { panic!("{call:?}") };
        assert_eq!(section, "4.1");
        let call = read(Operation::Content, &id, "", "application/xml").unwrap();
        assert!(matches!(call, Call::Read(ReadCall::View(_, View::Source, None))), "{call:?}");
        assert_eq!(
            code(read(Operation::Content, &id, "section=4", "application/xml")),
            Code::InvalidParameter
        );
        assert_eq!(code(read(Operation::Content, &id, "", "text/html")), Code::NotAcceptable);
    }

    #[test]
    fn a_urn_that_was_encoded_twice_is_refused_with_what_to_send() {
        let failure = read(Operation::Terms, &[("id", "urn%253Aiso%253Astd")], "", "*/*").unwrap_err();
        assert_eq!(failure.code(), Code::InvalidUrn);
        assert!(failure.detail().contains("send `%3A` for a colon"), "{}", failure.detail());
        assert_eq!(code(read(Operation::Terms, &[("id", "no-urn")], "", "*/*")), Code::InvalidUrn);
    }

    #[test]
    fn a_selection_that_cannot_be_read_is_refused_with_the_position() {
        let arguments = [("id", URN), ("selection", "4.2(")];
        assert_eq!(code(read(Operation::Selection, &arguments, "", "*/*")), Code::InvalidSelection);
        let arguments = [("id", URN), ("selection", "4.2%281%29%3B5-7")];
        let call = read(Operation::Selection, &arguments, "normative=true", "*/*").unwrap();
        let Call::Read(ReadCall::Selection(_, selection, filters)) = call else { panic!("{call:?}") };
        assert_eq!((selection.to_string(), filters.normative), ("4.2(1),5-7".to_owned(), Some(true)));
    }

    #[test]
    fn a_comparison_names_the_parameter_whose_urn_is_wrong() {
        let failure = read(Operation::Comparison, &[("id", URN)], "with=x", "*/*").unwrap_err();
        assert_eq!(failure.code(), Code::InvalidParameter);
        assert!(
            failure.detail().starts_with("`with`: expected the URN of a standard"),
            "{}",
            failure.detail()
        );
    }

    #[test]
    fn what_is_no_id_of_a_provision_is_a_provision_that_does_not_exist() {
        assert_eq!(code(read(Operation::Provision, &[("id", "x")], "", "*/*")), Code::ProvisionNotFound);
        // One that is not UTF-8 once decoded names nothing.
        assert_eq!(code(read(Operation::Terms, &[("id", "%ff")], "", "*/*")), Code::NotFound);
    }
}
