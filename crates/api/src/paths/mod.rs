//! Operations: every route of the service with its purpose, parameters, responses and required access.

mod changes;
mod citations;
mod instructions;
mod parameters;
mod search;
mod table;
mod tags;

use std::fmt;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::media::{Media, NotAcceptable};
use crate::problem::Code;
use crate::values::ParameterValue;

/// Path prefix of operations whose failures are problems and never HTML.
const API: &str = "/api/";

/// Declares the routes in the order of the documentation.
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// An operation of the service: a method and a path.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operation {
            $($(#[$doc])* $name,)*
        }

        impl Operation {
            /// Every operation, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

operations! {
    /// The standards that the caller may see.
    Standards,
    /// What changed since a cursor.
    Changes,
    /// The texts that a search finds.
    Search,
    /// Where printed citations lead.
    ResolveCitations,
    /// Whether quotations are true.
    VerifyQuotations,
    /// One complete standard.
    Standard,
    /// A standard without section bodies.
    Metadata,
    /// The section hierarchy.
    Sections,
    /// The ordered section content.
    Content,
    /// The provisions.
    Provisions,
    /// The provisions that a selection names.
    Selection,
    /// The terms.
    Terms,
    /// The tables.
    Tables,
    /// One table.
    Table,
    /// The graphics.
    Graphics,
    /// What an amendment changes.
    Instructions,
    /// Turning references into URLs.
    ResolveAssets,
    /// One provision in context.
    Provision,
    /// The limits of the caller.
    Limits,
    /// The bytes of a resolved URL.
    Asset,
    /// The knowledge graph of a standard, a preview.
    KnowledgeGraph,
    /// The comparison of two editions.
    Comparison,
    /// What became of provisions in an edition.
    Migrate,
    /// The OpenAPI document.
    OpenApi,
    /// The documentation for people.
    Docs,
    /// A guide for people who write clients.
    GuidePage,
    /// The list of problem codes.
    ProblemIndex,
    /// The page of a problem code.
    ProblemPage,
    /// The identity provider and the scope to use (RFC 9728).
    ProtectedResource,
    /// The vocabulary of the knowledge graph.
    Vocabulary,
}

/// Methods that operations have (RFC 9110).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// GET; HEAD is answered wherever GET is.
    Get,
    /// POST of a body in JSON.
    Post,
}

/// Minimum access that an operation requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    /// No token and no grant.
    Open,
    /// A URL that the service signed, and that its caller may still read the standard.
    SignedUrl,
    /// An accepted token, whatever the grants.
    Token,
    /// An accepted token, and a grant to discover the standard.
    Discover,
    /// An accepted token, grants to discover two standards, and one to read either of them.
    ReadEither,
    /// An accepted token, and a grant to read the standard.
    Read,
}

/// Cacheability of the responses of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caching {
    /// Not cacheable: the response depends on more than caller, day, catalogue and request.
    Never,
    /// Cacheable by the caller for as long as the signed URL is good.
    SignedUrl,
    /// Cacheable by the service for the same caller, and by the caller with revalidation.
    Private,
    /// Cacheable by everybody, also by shared caches.
    Public,
}

/// Location of a parameter (OpenAPI's `in`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterLocation {
    /// A segment of the path.
    Path,
    /// The query of the target.
    Query,
}

/// Format of a parameter's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFormat {
    /// Any text, without a pattern.
    Text,
    /// Text that this regular expression (ECMA-262) matches as a whole.
    Matching(&'static str),
    /// A whole number from 1 to this.
    Number(u32),
    /// One of the words `true` and `false`.
    Boolean,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Some of these words, separated by commas.
    ListOf(&'static [&'static str]),
}

impl ValueFormat {
    /// Texts that are read as a type.
    pub(crate) const fn of<T: ParameterValue>() -> Self {
        Self::Matching(T::PATTERN)
    }
}

/// A parameter of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name in the path or query.
    pub name: &'static str,
    /// The location in the target.
    pub location: ParameterLocation,
    /// The format of the values.
    pub values: ValueFormat,
    /// A request without the parameter is refused.
    pub required: bool,
    /// The parameter may be repeated, and its values then mean *or*.
    pub repeatable: bool,
    /// The purpose, in sentences for the OpenAPI document.
    pub description: &'static str,
    /// A value that shows how it is written.
    pub example: &'static str,
    /// What holds where it is absent, where that is one of its values.
    pub default: Option<&'static str>,
}

/// Body of a successful response.
#[derive(Clone, Copy, Debug)]
pub enum ResponseBody {
    /// JSON of one of these shapes, by their names in the OpenAPI document; of any shape when the list is
    /// empty.
    Json(&'static [&'static str]),
    /// Bytes of another media type.
    Other(Media),
}

impl ResponseBody {
    /// The media type of the body.
    pub const fn media(self) -> Media {
        match self {
            Self::Json(_) => Media::Json,
            Self::Other(media) => media,
        }
    }
}

/// Description of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The method of requests.
    pub method: Method,
    /// Path with `{name}` for each path parameter.
    pub path: &'static str,
    /// Name in generated clients.
    pub id: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What it does, in sentences.
    pub description: &'static str,
    /// Group in the documentation.
    pub tag: &'static str,
    /// Parameters in the order of the documentation.
    pub parameters: &'static [Parameter],
    /// Name of the request body's shape (`application/json`).
    pub body: Option<&'static str>,
    /// What a successful response is.
    pub success: &'static str,
    /// Bodies of successful responses, the default first.
    pub answers: &'static [ResponseBody],
    /// Minimum access that an operation requires.
    pub requirement: Requirement,
    /// Members of the answer that need a grant to discover the standard only, where `fields` asks for no
    /// others.
    pub discoverable: &'static [&'static str],
    /// Cacheability of the responses.
    pub caching: Caching,
    /// Problems of this operation, in addition to those that every operation of its kind can have.
    pub own_problems: &'static [Code],
}

/// Problems that any operation can have.
const EVERYWHERE: &[Code] =
    &[Code::InvalidRequest, Code::UriTooLong, Code::HeadersTooLarge, Code::Internal, Code::Timeout];
/// Problems that any operation under `/api/` can have.
const IN_THE_API: &[Code] =
    &[Code::UnknownParameter, Code::NotAcceptable, Code::RateLimited, Code::Unavailable];
/// Problems of operations that ask for a token.
const WITH_TOKEN: &[Code] =
    &[Code::TokenMissing, Code::TokenInvalid, Code::TokenExpired, Code::RoleMissing, Code::CallerSuspended];
/// Problems of operations on one standard, whatever the level.
const ON_A_STANDARD: &[Code] = &[Code::InvalidUrn, Code::StandardNotFound, Code::StandardRecalled];

impl Operation {
    /// The path, with `{name}` for each path parameter.
    pub const fn path(self) -> &'static str {
        self.describe().path
    }

    /// The media types of successful responses, the default first.
    pub fn media(self) -> Vec<Media> {
        self.describe().answers.iter().map(|a| a.media()).collect()
    }

    /// Names of its parameters in the query.
    pub fn query_parameters(self) -> Vec<&'static str> {
        let parameters = self.describe().parameters.iter();
        parameters
            .filter(|parameter| parameter.location == ParameterLocation::Query)
            .map(|parameter| parameter.name)
            .collect()
    }

    /// True where requests are checked against this table: unknown parameters and media types that are not
    /// offered are refused in the API; pages and documents about the service are answered whatever is sent.
    pub(crate) fn is_strict(self) -> bool {
        self.path().starts_with(API)
    }

    /// The media type to answer with, by `Accept`. An asset has a media type of its own, whatever is
    /// accepted.
    ///
    /// # Errors
    /// Nothing that is offered is accepted, in an operation that is strict.
    pub fn negotiate(self, accept: Option<&str>) -> Result<Media, NotAcceptable> {
        let offered = self.media();
        match offered[0] {
            media if media == Media::Asset || !self.is_strict() => Ok(media),
            _ => Media::negotiate(accept, &offered),
        }
    }

    /// The path with its parameters filled in, in their order, percent-encoded so that each colon of a URN
    /// becomes `%3A`.
    ///
    /// # Panics
    /// When there are not as many arguments as path parameters.
    pub fn path_with(self, arguments: &[&str]) -> String {
        let mut arguments = arguments.iter();
        let segments = self.path().split('/').map(|segment| match segment.starts_with('{') {
            true => encode(arguments.next().expect("an argument for each path parameter")),
            false => segment.to_owned(),
        });
        let path = segments.collect::<Vec<_>>().join("/");
        assert!(arguments.next().is_none(), "a path parameter for each argument of {self:?}");
        path
    }

    /// Every problem it can answer with, in the order of the contract, without repeats.
    pub fn problems(self) -> Vec<Code> {
        let Description { method, path, body, requirement, own_problems, .. } = *self.describe();
        let mut codes = [own_problems, EVERYWHERE].concat();
        if self.is_strict() {
            codes.extend_from_slice(IN_THE_API);
        }
        if method == Method::Get {
            codes.push(Code::PreconditionFailed);
        }
        if body.is_some() {
            codes.extend([Code::InvalidBody, Code::BodyTooLarge, Code::UnsupportedMediaType]);
        }
        if requirement >= Requirement::Token {
            codes.extend_from_slice(WITH_TOKEN);
        }
        if path.contains("/standards/{id}") {
            codes.extend_from_slice(ON_A_STANDARD);
        }
        if requirement >= Requirement::ReadEither {
            codes.push(Code::ContentNotLicensed);
        }
        codes.sort_unstable();
        codes.dedup();
        codes
    }
}

/// Percent-encodes one path segment. In addition to the unreserved characters (RFC 3986, 2.3) it keeps those
/// of selections, which no router interprets: `, ; ! ( )`.
fn encode(segment: &str) -> String {
    const ENCODED: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'#')
        .add(b'$')
        .add(b'%')
        .add(b'&')
        .add(b'\'')
        .add(b'*')
        .add(b'+')
        .add(b'/')
        .add(b':')
        .add(b'<')
        .add(b'=')
        .add(b'>')
        .add(b'?')
        .add(b'@')
        .add(b'[')
        .add(b'\\')
        .add(b']')
        .add(b'^')
        .add(b'`')
        .add(b'{')
        .add(b'|')
        .add(b'}');
    utf8_percent_encode(segment, ENCODED).to_string()
}

impl Method {
    /// The method as it is sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_operations_share_a_route_or_a_name() {
        let routes: HashSet<_> =
            Operation::ALL.iter().map(|o| (o.describe().method.as_str(), o.path())).collect();
        let names: HashSet<_> = Operation::ALL.iter().map(|o| o.describe().id).collect();
        assert_eq!((routes.len(), names.len()), (Operation::ALL.len(), Operation::ALL.len()));
    }

    #[test]
    fn each_path_parameter_is_described_in_the_order_of_the_path() {
        for operation in Operation::ALL {
            let in_path: Vec<&str> =
                operation.path().split('/').filter_map(|s| s.strip_prefix('{')?.strip_suffix('}')).collect();
            let described: Vec<&str> = operation
                .describe()
                .parameters
                .iter()
                .filter(|p| p.location == ParameterLocation::Path)
                .map(|p| p.name)
                .collect();
            assert_eq!(in_path, described, "{operation:?}");
        }
    }

    #[test]
    fn colons_and_slashes_are_encoded_in_a_path_and_selections_stay_readable() {
        assert_eq!(
            Operation::Selection.path_with(&["urn:iso:std:iso:1:ed-2:en,fr", "4.2(3);!5-7,a b/ü"]),
            "/api/content/v1/standards/urn%3Aiso%3Astd%3Aiso%3A1%3Aed-2%3Aen,fr/provisions/4.2(3);!5-7,a%20b%2F%C3%BC"
        );
    }

    #[test]
    fn each_operation_has_the_level_and_the_caching_of_the_contract() {
        use Caching::{Never, Private, Public};
        use Requirement::{Discover, Open, Read, ReadEither, Token};
        let declared = |operation: &Operation| {
            let Description { requirement, caching, .. } = *operation.describe();
            (requirement, caching)
        };
        for operation in Operation::ALL {
            let expected = match operation {
                Operation::Standards | Operation::Changes | Operation::Search | Operation::Limits => {
                    (Token, Private)
                }
                Operation::Sections => (Discover, Private),
                Operation::Comparison => (ReadEither, Private),
                Operation::ResolveCitations | Operation::VerifyQuotations => (Token, Never),
                Operation::ResolveAssets | Operation::Migrate => (Read, Never),
                Operation::Asset => (Requirement::SignedUrl, Caching::SignedUrl),
                operation if operation.is_strict() => (Read, Private),
                _ => (Open, Public),
            };
            assert_eq!(declared(operation), expected, "{operation:?}");
            let discoverable: &[&str] = match operation {
                Operation::Metadata => &["metadata", "ics", "relations"],
                _ => &[],
            };
            assert_eq!(operation.describe().discoverable, discoverable, "{operation:?}");
            // Cached responses are found by the head of a request alone.
            let has_body = operation.describe().body.is_some();
            assert!(!has_body || operation.describe().caching == Never, "{operation:?}");
        }
    }

    #[test]
    fn an_operation_that_reads_can_be_refused_for_want_of_a_licence_and_an_open_one_cannot() {
        for operation in Operation::ALL {
            let read = operation.describe().requirement >= Requirement::ReadEither;
            assert_eq!(operation.problems().contains(&Code::ContentNotLicensed), read, "{operation:?}");
        }
        assert!(!Operation::Asset.problems().contains(&Code::TokenMissing));
    }
}
