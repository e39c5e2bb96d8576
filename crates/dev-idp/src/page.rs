//! HTML frame of the pages.

use axum::{
    http::{
        StatusCode,
        header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY},
    },
    response::{Html, IntoResponse, Response},
};

use crate::respond::no_store;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;\
color:#1b1f24;background:#fff}.warn{background:#fff3cd;border:1px solid #8a6d00;padding:.5rem 1rem}\
table{border-collapse:collapse}td,th{text-align:left;padding:.25rem .75rem .25rem 0;vertical-align:top}\
code{overflow-wrap:anywhere}form{display:inline}button,input{font:inherit;padding:.25rem .75rem}\
fieldset{margin:1rem 0}";

/// A whole page; `body` is HTML, `title` is text.
pub(crate) fn page(status: StatusCode, title: &str, body: &str) -> Response {
    let title = escape(title);
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><p class=\"warn\" role=\"note\">Development identity provider: for a laptop and for tests only.</p>\
         <main><h1>{title}</h1>{body}</main></body></html>"
    );
    // No script, no frame; `same-origin` keeps the Origin header by which forms are checked.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
    let headers = [(CONTENT_SECURITY_POLICY, policy), (REFERRER_POLICY, "same-origin")];
    (status, no_store(), headers, Html(html)).into_response()
}

/// An error page; `text` is plain text.
pub(crate) fn problem(status: StatusCode, text: &str) -> Response {
    page(
        status,
        "That did not work",
        &format!("<p>{}</p><p><a href=\"/\">To the start page</a></p>", escape(text)),
    )
}

/// Text as HTML, in elements and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
