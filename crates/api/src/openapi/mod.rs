//! The OpenAPI 3.1 document, made from the table of operations and the shapes; and what else documents the
//! API.

mod examples;
mod operations;
mod schemas;

pub use examples::example_answer;
use serde_json::{Map, Value, json};

use crate::guides::Guide;
use crate::page::page;
use crate::paths::Operation;

/// Path of the documentation page's script.
pub const DOCS_SCRIPT_PATH: &str = "/docs/scalar.js";

/// Name of the security scheme.
const SCHEME: &str = "bearerToken";

/// The OpenAPI document of a service at this public URL (without a slash at its end), whose callers ask this
/// URL for tokens of this scope.
pub fn document(public_url: &str, token_url: &str, scope: &str) -> Value {
    let mut paths = Map::new();
    for &operation in Operation::ALL {
        let description = operation.describe();
        let path = paths.entry(description.path).or_insert_with(|| json!({}));
        path[description.method.as_str().to_lowercase()] = operations::render(operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Norma Content API",
            "version": "1.0.0",
            "summary": "Technical standards and their parts, for servers that may use them.",
            "description": INTRODUCTION,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": public_url, "description": "This service" }],
        "security": [{ SCHEME: [] }],
        "tags": [
            { "name": "Standards", "description": "The list of standards, and each as a whole." },
            { "name": "Parts of a standard", "description": "Metadata, sections, content, provisions, terms, tables, graphics and assets." },
            { "name": "Changes between editions", "description": "Changes of provisions from one edition to another." },
            { "name": "Preview", "description": "For exploration and feedback; shapes can change." },
            { "name": "Service", "description": "Limits, documents and pages about the service itself." },
        ],
        "paths": paths,
        "components": {
            "securitySchemes": {
                SCHEME: {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": format!(
                        "An access token of the identity provider, by client credentials in the caller's own tenant: \
                         `{token_url}`, scope `{scope}`. The client secret goes to the identity provider alone."
                    ),
                },
            },
            "headers": operations::rate_headers(),
            "examples": examples::problems(),
            "schemas": schemas::all(),
        },
    })
}

/// The document as stored in `docs/openapi.json`, with placeholders for the values of a deployment.
pub fn snapshot() -> Value {
    document(
        "https://norma.example",
        "https://login.example/{tenant}/oauth2/v2.0/token",
        "api://norma.example/.default",
    )
}

/// The documentation for people: a page that reads the OpenAPI document and its script at
/// [`DOCS_SCRIPT_PATH`], both below the path of the public URL, and nothing else.
pub fn docs_page(base_path: &str) -> String {
    let openapi = format!("{base_path}{}", Operation::OpenApi.path());
    let configuration = json!({
        "agent": { "disabled": true },
        "defaultOpenAllTags": true,
        "hideClientButton": true,
        "mcp": { "disabled": true },
        "proxyUrl": "",
        "showDeveloperTools": "never",
        "telemetry": false,
        "url": openapi,
        "withDefaultFonts": false,
    });
    let configuration = configuration.to_string().replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Norma Content API</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <link rel=\"icon\" href=\"data:,\"><style>{MAKERS_LINKS} {{ display: none !important }}\n{READABLE_COLOURS}</style></head>\n\
         <body>\n<noscript>The OpenAPI document is at <a href=\"{openapi}\">{openapi}</a>.</noscript>\n\
         <script id=\"api-reference\" data-configuration=\"{configuration}\"></script>\n\
         <script src=\"{base_path}{DOCS_SCRIPT_PATH}\"></script>\n</body>\n</html>\n"
    )
}

/// CSS selector of the script's links to its vendor, for which it has no setting.
const MAKERS_LINKS: &str = "a[href*='scalar.com']";

/// CSS with a contrast of at least 4.5 to 1 for text (WCAG 2.2, 1.4.3), where the script's own colours have
/// less.
const READABLE_COLOURS: &str = "\
.light-mode { --scalar-color-3: #696969 !important; --scalar-color-green: #00754a !important; \
--scalar-color-orange: #b33c00 !important; --scalar-color-red: #c70005 !important; \
--scalar-color-blue: #0068a8 !important; }
.dark-mode { --scalar-color-3: #919191 !important; }";

/// The page at the root, for people who open the service in a browser, with links below the path of the
/// public URL.
pub fn home_page(base_path: &str) -> String {
    let up = format!("{base_path}/");
    let [docs, openapi, problems] = [Operation::Docs, Operation::OpenApi, Operation::ProblemIndex]
        .map(|page| format!("{base_path}{}", page.path()));
    let mut guides = String::new();
    for guide in Guide::ALL {
        guides.push_str(&format!("<li>{}: {}</li>\n", guide.link(&up), guide.summary));
    }
    let body = format!(
        "<h1>Norma Content API</h1>\n<p>Technical standards and their parts, for programs that may use them.</p>\n\
         <ul>\n<li><a href=\"{docs}\">Documentation</a>: the operations, with what they send and answer.</li>\n\
         <li><a href=\"{openapi}\">OpenAPI document</a>: the same for programs.</li>\n\
         <li><a href=\"{problems}\">List of problems</a>: what each code means and what to do.</li>\n</ul>\n\
         <h2>Guides</h2>\n<ul>\n{guides}</ul>"
    );
    page("Norma Content API", &body, &up)
}

/// Metadata of the service as a protected resource (RFC 9728): its public URL, the authority of the identity
/// provider and the audiences it accepts, of which those that are application ID URIs give scopes.
///
/// The authority must serve `/.well-known/openid-configuration`. It is that of all organisations: the
/// registered tenants and their own providers are not public.
pub fn protected_resource(public_url: &str, authority: &str, audiences: &[String]) -> Vec<u8> {
    let scopes: Vec<String> = (audiences.iter())
        .filter(|audience| audience.contains(':'))
        .map(|audience| format!("{}/.default", audience.trim_end_matches('/')))
        .collect();
    let metadata = json!({
        "resource": public_url,
        "authorization_servers": [authority],
        "scopes_supported": scopes,
        "bearer_methods_supported": ["header"],
        "resource_name": "Norma Content API",
        "resource_documentation": format!("{public_url}{}", Operation::Docs.path()),
    });
    serde_json::to_vec(&metadata).expect("a value always serialises")
}

const INTRODUCTION: &str = "\
Norma serves technical standards and their parts to servers that may use them.

**Access.** Every call but those under *Service* without a lock carries `Authorization: Bearer <access token>`. \
Request the token from your own tenant at the identity provider, by client credentials, with the service's \
application ID URI and `/.default` as scope; keep it until shortly before it expires.

**Identifiers.** A standard is addressed by its URN, each colon of which is `%3A` in a path. Without edition or \
language a URN means the latest edition that you may see; `Content-Location` and `urn` then name it.

**Answers.** What is not known is absent, never null; arrays are always there. Every view carries `urn` and \
`revision`. `ETag` and `If-None-Match` save bytes; HEAD is answered wherever GET is.

**Failures** are `application/problem+json` (RFC 9457) with a stable `code`, whose page is at `/problems/<code>`; \
`/problems` lists all.

**Versions.** Within v1 there are only additions: new operations, new optional parameters, new members of \
objects, and new values where an answer has one word of a list (`type`, `status`, `outcome` and others). Ignore \
members that you do not know, and accept values that you do not know: they mean something else than those that you \
handle. An end is announced by the headers `Deprecation` and `Sunset` at \
least 12 months ahead. What is tagged *Preview* is outside this promise.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_page_loads_nothing_from_other_hosts() {
        for base_path in ["", "/standards"] {
            let page = docs_page(base_path);
            assert!(page.contains(&format!("\"{base_path}{DOCS_SCRIPT_PATH}\"")), "{page}");
            assert!(
                page.contains(&format!("&quot;url&quot;:&quot;{base_path}/openapi.json&quot;")),
                "{page}"
            );
            assert!(!page.contains("//"), "{page}");
        }
    }

    #[test]
    fn only_application_id_uris_become_scopes() {
        let audiences = ["2f8a0a52-6f3b-4c33-9d35-3f3a8f9f0001".to_owned(), "api://norma/".to_owned()];
        let bytes = protected_resource("https://n.example", "https://login.example/all/v2.0", &audiences);
        let metadata: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(metadata["scopes_supported"], json!(["api://norma/.default"]));
        assert_eq!(metadata["resource"], "https://n.example");
        assert_eq!(metadata["authorization_servers"], json!(["https://login.example/all/v2.0"]));
    }
}
