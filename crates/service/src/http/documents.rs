//! Documents about the service: the same bytes for all callers, made once, in each coding, with their entity
//! tags.

use std::collections::HashMap;
use std::io::Write;
use std::sync::LazyLock;

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use norma_api::guides::Guide;
use norma_api::media::{ContentCoding, Media};
use norma_api::openapi;
use norma_api::problem::Code;
use norma_reads::{
    Body, Failure, Representation, ServiceDocument as Kind, digest, list_of, nothing_here, tag,
};
use norma_render::{MIN_COMPRESSED, vocabulary};
use norma_settings::Settings;

use crate::sockets;

/// Bytes that everybody may read.
struct PublicDocument {
    content_type: HeaderValue,
    /// The best coding first, identity last.
    forms: Vec<DocumentForm>,
}

/// The bytes of a document in one coding.
struct DocumentForm {
    coding: ContentCoding,
    tag: HeaderValue,
    bytes: Bytes,
}

impl DocumentForm {
    /// A form of the document whose identity bytes have this digest.
    fn new(coding: ContentCoding, digest: &str, bytes: Bytes) -> Self {
        let tag = tag(&format!("{digest}.{}", coding.name())).expect("digits and a coding are ASCII");
        Self { coding, tag, bytes }
    }
}

impl PublicDocument {
    /// A document under this value of `Content-Type`.
    fn new(content_type: &'static str, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let digest = digest(&bytes);
        let mut forms = Vec::new();
        if bytes.len() >= MIN_COMPRESSED {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(&bytes).expect("a vector takes every byte");
            let compressed = gzip.finish().expect("a vector takes every byte");
            forms.push(DocumentForm::new(ContentCoding::Gzip, &digest, compressed.into()));
        }
        forms.push(DocumentForm::new(ContentCoding::Identity, &digest, bytes));
        Self { content_type: HeaderValue::from_static(content_type), forms }
    }

    fn json(bytes: impl Into<Bytes>) -> Self {
        Self::new(Media::Json.content_type(), bytes)
    }

    fn html(page: String) -> Self {
        Self::new(Media::Html.content_type(), page)
    }

    /// The form that the request asks for.
    fn representation(&self, request: &Parts) -> Representation {
        let offered: Vec<ContentCoding> = self.forms.iter().map(|form| form.coding).collect();
        let accept = list_of(&request.headers, header::ACCEPT_ENCODING);
        let chosen = ContentCoding::negotiate(accept.as_deref(), &offered);
        let form = self.forms.iter().find(|form| form.coding == chosen).expect("what is offered is there");
        let body = Body::from_bytes(form.bytes.clone());
        let mut representation = Representation::new(self.content_type.clone(), Some(form.tag.clone()), body);
        representation.coded(form.coding);
        representation
    }
}

/// The public documents about the service, which depend on the settings.
pub(crate) struct Documents {
    openapi: PublicDocument,
    protected_resource: PublicDocument,
    docs: PublicDocument,
    home: PublicDocument,
}

impl Documents {
    /// The documents of a service with these settings at this public URL.
    pub(crate) fn new(settings: &Settings, public_url: &str) -> Self {
        let identity = &settings.identity;
        let auth_url = identity.auth_url.trim_end_matches('/');
        // Not every caller's tenant may be named here, so the provider's word for all organisations is used
        // instead: what its discovery document says has `{tenantid}` where the caller puts the own tenant.
        let organizations = format!("{auth_url}/organizations");
        let token_url = format!("{organizations}/oauth2/v2.0/token");
        // By convention the application ID URI is an audience that is a URI; the client id is a bare GUID.
        let resource = identity.audience.iter().find(|a| a.contains(':')).or(identity.audience.first());
        let scope = format!("{}/.default", resource.map_or("", String::as_str).trim_end_matches('/'));
        let protected =
            openapi::protected_resource(public_url, &format!("{organizations}/v2.0"), &identity.audience);
        let base_path = sockets::base_path(public_url);
        Self {
            openapi: PublicDocument::json(openapi::document(public_url, &token_url, &scope).to_string()),
            protected_resource: PublicDocument::json(protected),
            docs: PublicDocument::html(openapi::docs_page(&base_path)),
            home: PublicDocument::html(openapi::home_page(&base_path)),
        }
    }

    /// A document in the form that the request asks for.
    pub(super) fn representation(&self, document: &Kind, request: &Parts) -> Representation {
        static VOCABULARY: LazyLock<PublicDocument> =
            LazyLock::new(|| PublicDocument::new(Media::Turtle.content_type(), vocabulary()));
        static PROBLEMS: LazyLock<HashMap<Code, PublicDocument>> = LazyLock::new(|| {
            Code::ALL.iter().map(|&code| (code, PublicDocument::html(code.html()))).collect()
        });
        static PROBLEM_INDEX: LazyLock<PublicDocument> =
            LazyLock::new(|| PublicDocument::html(norma_api::problem::index_page()));
        static GUIDES: LazyLock<HashMap<&str, PublicDocument>> = LazyLock::new(|| {
            Guide::ALL.iter().map(|guide| (guide.name, PublicDocument::html(guide.html()))).collect()
        });
        let document = match document {
            Kind::OpenApi => &self.openapi,
            Kind::ProtectedResource => &self.protected_resource,
            Kind::Docs => &self.docs,
            Kind::Vocabulary => &VOCABULARY,
            Kind::Guide(guide) => &GUIDES[guide.name],
            Kind::Problems => &PROBLEM_INDEX,
            Kind::Problem(code) => &PROBLEMS[code],
        };
        document.representation(request)
    }

    /// The problem for a path that no operation has. Only a browser at the root finds a page, which leads it
    /// to the documentation.
    pub(super) fn elsewhere(&self, request: &Parts) -> Result<Representation, Failure> {
        let reads = matches!(request.method, Method::GET | Method::HEAD);
        let accept = list_of(&request.headers, header::ACCEPT);
        let media = Media::negotiate(accept.as_deref(), &[Media::Problem, Media::Html]);
        if request.uri.path() != "/" || !reads || media != Ok(Media::Html) {
            return Err(nothing_here());
        }
        let mut page = self.home.representation(request);
        page.set(header::VARY, "Accept, Accept-Encoding")?;
        Ok(page)
    }
}

/// The script of the documentation page, which loads nothing from elsewhere.
pub(super) fn script(request: &Parts) -> Result<Representation, Failure> {
    static SCRIPT: LazyLock<Option<PublicDocument>> = LazyLock::new(|| {
        let (_, bytes) = scalar_api_reference::get_asset_with_mime("scalar.js")?;
        Some(PublicDocument::new("text/javascript; charset=utf-8", bytes))
    });
    SCRIPT.as_ref().ok_or_else(nothing_here).map(|script| script.representation(request))
}
