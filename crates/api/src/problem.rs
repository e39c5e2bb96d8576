//! Problems (RFC 9457): every failure of a request, with a stable code and a page.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::page::page;
use crate::shapes::{ComparisonRelation, Facet, Lineage, RelatedProvision};

/// A failure as it is sent: `application/problem+json` (RFC 9457).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem<'a> {
    /// Reference of the page that explains the code: `/problems/<code>`.
    #[serde(rename = "type")]
    #[schema(format = "uri-reference")]
    pub kind: Cow<'a, str>,
    /// Title as plain text. It says what the code means, the same in each occurrence.
    pub title: Cow<'a, str>,
    /// Status of the response (RFC 9110).
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// Sentence for people about what is wrong. It is about this occurrence, and says what to do.
    pub detail: Cow<'a, str>,
    /// The request's id, as in `X-Request-Id`.
    pub instance: Cow<'a, str>,
    /// Code, for programs. It is stable and never gets another meaning.
    pub code: Cow<'a, str>,
    /// The parts of the request that are wrong, where it was the request's form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ProblemError<'a>>,
    /// Successors: provisions of newer editions that carry the provision on. Those of the one with this id,
    /// as far as you may read them, where the code is `provision-replaced`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub successors: Vec<RelatedProvision<'a>>,
    /// Lineage of the provision in the editions of its document. It is that of the successors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<Lineage<'a>>,
    /// Relation of the two provisions, or the side of the only one. The two are the provision with this id
    /// and the first of its successors. It is absent where the revision that had it is not retained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<ComparisonRelation>,
    /// Kinds of change. They are between these two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Facet>,
}

/// One part of a request that is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProblemError<'a> {
    /// Sentence for people about what is wrong. It is about this part of the request.
    pub detail: Cow<'a, str>,
    /// Query or path parameter that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<Cow<'a, str>>,
    /// Header field that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<Cow<'a, str>>,
    /// Zero-based offset of the first wrong character, in Unicode scalar values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    /// The closest valid value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Cow<'a, str>>,
    /// Allowed values, when the list is closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Cow<'a, str>>,
}

macro_rules! codes {
    ($($variant:ident $status:literal $code:literal $title:literal { $explanation:literal } { $remedy:literal })+) => {
        /// Stable code of a problem; never reused for another meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $variant,)+
        }

        impl Code {
            /// Every code, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Status of the response (RFC 9110).
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)+ }
            }

            /// The code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// The page that explains it.
            pub const fn path(self) -> &'static str {
                match self { $(Self::$variant => concat!("/problems/", $code),)+ }
            }

            /// A short sentence, the same in each occurrence.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)+ }
            }

            /// The sentence that says what happened and what to do.
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$variant => $explanation,)+ }
            }

            /// What to do about it.
            pub const fn remedy(self) -> &'static str {
                match self { $(Self::$variant => $remedy,)+ }
            }
        }
    };
}

codes! {
    InvalidRequest 400 "invalid-request" "The request is malformed"
        { "The request could not be read: most often there are several `Authorization` headers, or one whose value is not `Bearer` followed by a token; or an HTTP/1.1 request has no `Host` header, several, or one that is not a host and port." }
        { "Send exactly one header `Authorization: Bearer <access token>` and nothing after the token, and exactly one `Host`." }
    InvalidUrn 400 "invalid-urn" "No standard can have this URN"
        { "The identifier in the path has a shape that no standard's URN can have. `detail` names the part that is wrong." }
        { "Write `urn:<publisher>:std:<originator>:<number>:ed-<edition>:<language>`, with each colon as `%3A` in a path. The list of standards shows the URNs as they are." }
    InvalidSelection 400 "invalid-selection" "The selection cannot be read"
        { "The selection of provisions breaks its grammar, is too long, has too many items or names a range backwards. `errors[].offset` is the position of the first wrong character." }
        { "A selection is made of clause numbers (`4.2`), single provisions (`4.2(3)`), ranges (`5-7`, `4.2(3)-4.4(1)`), `annex:A`, `table:2`, `figure:1`, `term:3.2` and `id:…`, separated by commas within a kind and by semicolons between kinds; `!` excludes." }
    InvalidParameter 400 "invalid-parameter" "A parameter has an invalid value"
        { "The value of a query parameter is not valid. `errors[]` names the parameter and the allowed values." }
        { "Correct the value, or leave the parameter out to get its default." }
    UnknownParameter 400 "unknown-parameter" "The operation does not have this parameter"
        { "The query has a parameter that this operation does not know. Parameters are never ignored in silence, because a filter that is not applied would give more than was asked for." }
        { "Use the name in `errors[].suggestion`, or one of `errors[].allowed`." }
    InvalidCursor 400 "invalid-cursor" "The cursor cannot be used here"
        { "The cursor was altered, was cut short, or was made for a query with other filters or another order. A cursor of changes was made for another client, or with another key of the service." }
        { "Take `next` from the page before as it is. A cursor carries its filters and its order: leave them out, or repeat them unchanged. To begin again, leave the cursor out." }
    InvalidBody 400 "invalid-body" "The body cannot be used"
        { "The request's body is not JSON, or not of the shape that this operation expects." }
        { "Send the body that the OpenAPI document shows for this operation." }
    NotComparable 400 "not-comparable" "The two editions cannot be compared"
        { "The two URNs name one edition, editions of different documents, or editions without a common language. `detail` says which." }
        { "Name two editions of one document in one language. Editions of different documents are compared with `differentDocuments=true`." }
    TokenMissing 401 "token-missing" "An access token is needed"
        { "The request has no bearer token." }
        { "Request a token from your own tenant at the identity provider (client credentials, scope: this service's application ID URI and `/.default`) and send it as `Authorization: Bearer <access token>`." }
    TokenInvalid 401 "token-invalid" "The access token is not accepted"
        { "The token is not one that this service can accept: its signature, issuer, audience or form is wrong, or its tenant is not registered here. `detail` says what; whether the issuer, the key or the signature is wrong is in the service's log only." }
        { "Check that the token was requested from your own tenant, with this service's application ID URI and `/.default` as scope (not your own application's), and that your tenant is registered with the operator." }
    TokenExpired 401 "token-expired" "The access token has expired"
        { "The token is past its `exp`; everything else about it is valid." }
        { "Request a new one. Keep a token until shortly before its `exp`, and no longer." }
    RoleMissing 403 "role-missing" "The token does not have the application role"
        { "The token is valid, but it does not have the application role that this service requires." }
        { "Add the application permission to your app registration and let an administrator of your tenant consent to it; then request a new token." }
    CallerSuspended 403 "caller-suspended" "This caller is suspended"
        { "The operator has suspended your tenant or this client of it." }
        { "Ask the operator of the service." }
    ContentNotLicensed 403 "content-not-licensed" "The content of this standard is not licensed to you"
        { "You may see the bibliographic data of the standard and its section hierarchy, but you have no grant to read its content." }
        { "Ask the operator for a grant at level `read` for the URN in `detail`." }
    AssetUrlInvalid 403 "asset-url-invalid" "The asset URL was not made by this service"
        { "The signature in the URL does not fit the rest of it: it was altered, cut short, or made elsewhere." }
        { "Resolve the reference again and use the URL exactly as answered." }
    AssetUrlExpired 403 "asset-url-expired" "The asset URL has expired"
        { "The URL is past its expiry time." }
        { "Resolve the reference again. Store references, never URLs." }
    StandardNotFound 404 "standard-not-found" "No standard that you may see has this identifier"
        { "No standard that you may see has this identifier. The answer is the same for unknown standards and for those that you may not see." }
        { "Check the URN against the list of standards. If it should be there, ask the operator for a grant." }
    SectionNotFound 404 "section-not-found" "The standard has no such section"
        { "No section of this standard has this id or number." }
        { "Take ids and numbers from the standard's section hierarchy." }
    TableNotFound 404 "table-not-found" "The standard has no such table"
        { "No table of this standard has this id or number, or, where CSV was asked for, it has more cells than can be served." }
        { "Take ids and numbers from the standard's tables. The text of a table without cells is in its section." }
    SelectionNotFound 404 "selection-not-found" "The selection names nothing in this standard"
        { "The selection can be read, but none of its items names a clause, table, figure, term, section or provision of this standard." }
        { "Take numbers and ids from the standard's section hierarchy. When at least one item is found, the answer is 200 and `unmatched` lists the others." }
    ProvisionNotFound 404 "provision-not-found" "No provision that you may see has this id"
        { "No provision of a standard that you may see has this id." }
        { "Take ids from a standard's provisions. An id stays the same as long as the provision's own text does." }
    AssetNotFound 404 "asset-not-found" "No file exists for this reference"
        { "The reference names no graphic of this standard, or one whose file was missing when the standard was ingested. `detail` says which." }
        { "Take `assetReference` from the standard's graphics, and resolve only those with `available: true`." }
    RevisionNotFound 404 "revision-not-found" "The standard has no such revision"
        { "The standard never had this revision, or so long ago that its name is not retained. `errors[].allowed` lists those with which it can be compared." }
        { "Take `revision` from an answer about the same standard: each edition has revisions of its own." }
    SearchOff 404 "search-off" "This service has no search"
        { "The operator has turned the full-text search off." }
        { "List the standards and filter their provisions instead, or ask the operator to set `search = true`." }
    NotFound 404 "not-found" "There is nothing at this path"
        { "No operation has this path." }
        { "Compare the path with the OpenAPI document at `/openapi.json`. A URN is one path segment: write its colons as `%3A`." }
    MethodNotAllowed 405 "method-not-allowed" "This path does not support this method"
        { "The path exists, with other methods." }
        { "Use a method that the `Allow` header lists." }
    NotAcceptable 406 "not-acceptable" "None of the accepted media types is available"
        { "The operation has no representation in a media type of the `Accept` header." }
        { "Accept one of `errors[].allowed`, or leave `Accept` out." }
    CursorEnded 410 "cursor-ended" "The cursor leads to no changes any more"
        { "The cursor is valid, and the changes after it are not known: the first of them is more than 400 days old, or the service's database was put back to an earlier moment." }
        { "Ask for changes without `since`, list all standards, and read each again, with `If-None-Match` where you have the tag; delete copies of those that are not listed. Then continue with the new `next`." }
    ProvisionReplaced 410 "provision-replaced" "The provision has another id now"
        { "The provision was published under this id. After a correction or a new edition others carry it on: `successors` names them, and `lineage` the id that they share. `relation` and `changed` say what became of it, where that is known." }
        { "Replace the stored id by that of a successor. Where evidence has to survive such changes, store the id of the lineage." }
    ProvisionGone 410 "provision-gone" "The provision is not published any more"
        { "The provision was published under this id, and no present provision carries it on." }
        { "Compare the editions to see what took its place; `candidates` of a removed provision are the nearest ones." }
    RevisionGone 410 "revision-gone" "The revision can no longer be compared"
        { "The standard had this revision, and its source is no longer retained, or this version of the service cannot derive it; `detail` says which. `errors[].allowed` lists the revisions with which the standard can be compared." }
        { "Read the provisions again and check them by hand. The operator decides how many earlier revisions are retained, and how long." }
    StandardRecalled 410 "standard-recalled" "The standard has been recalled"
        { "The publisher or the operator has recalled this edition; it is not served any more." }
        { "Delete your copies. The operator can say which edition replaces it." }
    PreconditionFailed 412 "precondition-failed" "The precondition failed"
        { "The request has an `If-Match` or `If-Unmodified-Since` header that the current state does not meet." }
        { "Read the resource again and use its current `ETag`." }
    BodyTooLarge 413 "body-too-large" "The body is too large"
        { "The request's body is longer than this service accepts." }
        { "Send fewer references in one request; `/api/content/v1/limits` returns the limit in bytes." }
    UriTooLong 414 "uri-too-long" "The request target is too long"
        { "Path and query together are longer than this service accepts." }
        { "Ask for less at once; `/api/content/v1/limits` returns the limit in bytes." }
    UnsupportedMediaType 415 "unsupported-media-type" "The body's media type or encoding is not supported"
        { "The operation expects a body of another media type, or one that is not compressed." }
        { "Send `Content-Type: application/json` and no `Content-Encoding`." }
    ComparisonTooLarge 422 "comparison-too-large" "The editions are too large to be compared on request"
        { "One of the editions has more provisions, or the comparison takes more memory, than this service allows; `detail` names the setting." }
        { "Ask the operator. Neighbouring editions of one document are compared when they are published, whatever their size allows." }
    RangeNotSatisfiable 416 "range-not-satisfiable" "The range lies outside the file"
        { "The `Range` header asks for bytes beyond the file's end." }
        { "Use the length that `Content-Range` states." }
    HeadersTooLarge 431 "headers-too-large" "The header fields are too large"
        { "The request's header fields together are longer than this service accepts." }
        { "Send fewer or shorter header fields; a token of usual length fits." }
    RateLimited 429 "rate-limited" "Too many requests"
        { "This client has sent more requests than it may, or has more of them in flight at once." }
        { "Wait as many seconds as `Retry-After` says, and send fewer at once. `/api/content/v1/limits` returns the rate." }
    Internal 500 "internal" "The service failed"
        { "An internal error occurred. The cause is in the service's log, under the request's id." }
        { "Try again later; if the problem persists, give the operator the request's id (`instance`)." }
    Unavailable 503 "unavailable" "The service cannot answer now"
        { "Something the service depends on cannot be reached, or the service is starting or stopping." }
        { "Wait as many seconds as `Retry-After` says and try again." }
    Timeout 504 "timeout" "The answer took too long"
        { "The service did not finish the answer within its time limit." }
        { "Try again later, or ask for less at once." }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Error of parsing a [`Code`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a problem code")]
pub struct UnknownCode(String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        Self::ALL.iter().copied().find(|c| c.as_str() == text).ok_or_else(|| UnknownCode(text.to_owned()))
    }
}

impl<'a> Problem<'a> {
    /// A problem with this code; `instance` is the request's id.
    pub fn new(code: Code, detail: impl Into<Cow<'a, str>>, instance: impl Into<Cow<'a, str>>) -> Self {
        Self {
            kind: code.path().into(),
            title: code.title().into(),
            status: code.status(),
            detail: detail.into(),
            instance: instance.into(),
            code: code.as_str().into(),
            errors: Vec::new(),
            successors: Vec::new(),
            lineage: None,
            relation: None,
            changed: Vec::new(),
        }
    }

    /// The same problem of a service at this path of its host (without slash at the end).
    pub fn below(self, base_path: &str) -> Self {
        Self { kind: format!("{base_path}{}", self.kind).into(), ..self }
    }

    /// The same problem, naming the parts of the request that are wrong.
    pub fn with_errors(self, errors: Vec<ProblemError<'a>>) -> Self {
        Self { errors, ..self }
    }

    /// The code, where this version of the contract knows it.
    pub fn known_code(&self) -> Option<Code> {
        self.code.parse().ok()
    }

    /// The bytes to send.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("shapes have text keys and a vector takes every byte")
    }
}

impl Code {
    /// The page at [`Code::path`], in Markdown.
    pub fn markdown(self) -> String {
        format!(
            "## {code}\n\n**{status}: {title}.**\n\n{explanation}\n\n*What to do.* {remedy}\n",
            code = self.as_str(),
            status = self.status(),
            title = self.title(),
            explanation = self.explanation(),
            remedy = self.remedy(),
        )
    }

    /// The page at [`Code::path`], in HTML; it loads nothing.
    pub fn html(self) -> String {
        let body = format!(
            "<p class=\"kicker\">Problem {status} <code>{code}</code></p>\n<h1>{title}</h1>\n<p>{explanation}</p>\n\
             <h2>What to do</h2>\n<p>{remedy}</p>",
            code = self.as_str(),
            status = self.status(),
            title = html(self.title()),
            explanation = html(self.explanation()),
            remedy = html(self.remedy()),
        );
        page(self.title(), &body, "../")
    }
}

/// The page with all codes, which leads to the page of each.
pub fn index_page() -> String {
    let mut body = String::from(
        "<h1>Problems</h1>\n<p>Every failure is answered with <code>application/problem+json</code> (RFC 9457). Its \
         <code>code</code> is one of these.</p>\n<ul>\n",
    );
    for code in Code::ALL {
        let (status, title) = (code.status(), html(code.title()));
        body.push_str(&format!(
            "<li>{status} <a href=\"problems/{code}\"><code>{code}</code></a>: {title}</li>\n"
        ));
    }
    body.push_str("</ul>");
    page("Problems", &body, "")
}

/// All problems on one page, in Markdown: `docs/problems.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Problems\n\nEvery failure is answered with `application/problem+json` (RFC 9457): `type`, `title`, \
         `status`, `detail`, `instance` (the request's id), `code` and, where the form of the request was wrong, \
         `errors[]`. `code` is stable and never gets another meaning. `type` is the path of the page below on the \
         running service.\n\nThis page is written by the `api` crate; a test compares the two.\n",
    );
    for code in Code::ALL {
        page.push('\n');
        page.push_str(&code.markdown());
    }
    page
}

/// Text with its Markdown code spans as HTML.
fn html(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut out = String::with_capacity(escaped.len());
    for (index, part) in escaped.split('`').enumerate() {
        if index > 0 {
            out.push_str(if index % 2 == 1 { "<code>" } else { "</code>" });
        }
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reads_back_and_names_its_own_page() {
        for &code in Code::ALL {
            assert_eq!(code.as_str().parse(), Ok(code));
            assert_eq!(code.path(), format!("/problems/{code}"));
            assert!((400..600).contains(&code.status()), "{code}");
            assert_eq!(
                code.html().matches("<code>").count(),
                code.html().matches("</code>").count(),
                "{code}"
            );
        }
    }

    #[test]
    fn a_problem_without_errors_has_no_such_member() {
        let problem = Problem::new(Code::InvalidUrn, "namespace: must not be empty", "0123");
        let json: serde_json::Value = serde_json::from_slice(&problem.to_json()).unwrap();
        assert_eq!(
            json,
            serde_json::json!({
                "type": "/problems/invalid-urn",
                "title": "No standard can have this URN",
                "status": 400,
                "detail": "namespace: must not be empty",
                "instance": "0123",
                "code": "invalid-urn",
            })
        );
    }
}
