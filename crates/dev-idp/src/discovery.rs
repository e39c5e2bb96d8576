//! Discovery: provider metadata, key sets, and instance discovery.

use axum::{
    Extension, Json,
    extract::{Path, RawQuery, State},
    http::header::CACHE_CONTROL,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use url::Url;

use crate::{DevIdp, directory::SHARED_NAMES, params::Params, trace::RequestIds};

/// Placeholder of the tenant in the documents of `common` and the other shared names.
const ANY_TENANT: &str = "{tenantid}";

/// Answers `GET /{tenant}/v2.0/.well-known/openid-configuration`.
pub(crate) async fn document_v2(
    idp: State<DevIdp>,
    path: Path<String>,
    trace: Extension<RequestIds>,
) -> Response {
    answer(&idp, &path, &trace, |tenant| {
        let url = idp.url();
        let mut document = common_members(url, &path, "oauth2/v2.0");
        document["issuer"] = format!("{url}/{tenant}/v2.0").into();
        document["jwks_uri"] = format!("{url}/{}/discovery/v2.0/keys", *path).into();
        document
    })
}

/// Answers `GET /{tenant}/.well-known/openid-configuration`.
pub(crate) async fn document_v1(
    idp: State<DevIdp>,
    path: Path<String>,
    trace: Extension<RequestIds>,
) -> Response {
    answer(&idp, &path, &trace, |tenant| {
        let url = idp.url();
        let mut document = common_members(url, &path, "oauth2");
        document["issuer"] = format!("https://sts.windows.net/{tenant}/").into();
        document["jwks_uri"] = format!("{url}/{}/discovery/keys", *path).into();
        document
    })
}

/// `GET /{tenant}/discovery/v2.0/keys`: each key states the issuer it signs for.
pub(crate) async fn keys_v2(
    idp: State<DevIdp>,
    path: Path<String>,
    trace: Extension<RequestIds>,
) -> Response {
    answer(&idp, &path, &trace, |tenant| {
        let state = idp.state();
        state.keys.published(state.now(), Some(&format!("{}/{tenant}/v2.0", idp.url())))
    })
}

/// `GET /{tenant}/discovery/keys`: the same keys without an issuer.
pub(crate) async fn keys_v1(
    idp: State<DevIdp>,
    path: Path<String>,
    trace: Extension<RequestIds>,
) -> Response {
    answer(&idp, &path, &trace, |_| {
        let state = idp.state();
        state.keys.published(state.now(), None)
    })
}

/// `GET /common/discovery/instance?authorization_endpoint=…`: this provider is a cloud of one host.
pub(crate) async fn instance(State(idp): State<DevIdp>, RawQuery(query): RawQuery) -> Response {
    let url = idp.url();
    let query = Params::parse(query.unwrap_or_default().as_bytes());
    let tenant = match query.get("authorization_endpoint").and_then(tenant_of_endpoint) {
        Some(tenant) => tenant,
        None => "common".to_owned(),
    };
    let host = host_of(url);
    cacheable(json!({
        "tenant_discovery_endpoint": format!("{url}/{tenant}/v2.0/.well-known/openid-configuration"),
        "api-version": "1.1",
        "metadata": [{ "preferred_network": host, "preferred_cache": host, "aliases": [host] }],
    }))
}

/// The first segment in the path of an endpoint.
fn tenant_of_endpoint(endpoint: &str) -> Option<String> {
    let endpoint = Url::parse(endpoint).ok()?;
    let tenant = endpoint.path_segments()?.next()?;
    if tenant.is_empty() { None } else { Some(tenant.to_owned()) }
}

/// Host and port of a URL.
fn host_of(url: &str) -> &str {
    match url.split_once("://") {
        Some((_, host)) => host,
        None => url,
    }
}

/// Resolves the tenant of the path; an unknown one gives the error of the real metadata endpoints.
fn answer(idp: &DevIdp, path: &str, trace: &RequestIds, document: impl FnOnce(&str) -> Value) -> Response {
    if SHARED_NAMES.contains(&path) {
        return cacheable(document(ANY_TENANT));
    }
    let tenant = idp.state().directory.resolve_tenant(path);
    match tenant {
        Ok(tenant) => cacheable(document(&tenant.to_string())),
        Err(refusal) => refusal.answer("invalid_tenant", trace, idp.state().now()),
    }
}

fn cacheable(document: Value) -> Response {
    ([(CACHE_CONTROL, "max-age=86400, private")], Json(document)).into_response()
}

/// Members of both versions of the document. Interactive endpoints are listed, as clients expect, but only
/// the client-credentials grant is served.
fn common_members(url: &str, tenant: &str, oauth2: &str) -> Value {
    json!({
        "token_endpoint": format!("{url}/{tenant}/{oauth2}/token"),
        "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt", "client_secret_basic"],
        "authorization_endpoint": format!("{url}/{tenant}/{oauth2}/authorize"),
        "response_modes_supported": ["query", "fragment", "form_post"],
        "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
        "subject_types_supported": ["pairwise"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": ["openid", "profile", "email", "offline_access"],
        "grant_types_supported": ["client_credentials"],
        "claims_supported": ["sub", "iss", "aud", "exp", "iat", "nbf", "tid", "oid", "roles", "ver"],
        "request_uri_parameter_supported": false,
        "tenant_region_scope": Value::Null,
        "cloud_instance_name": host_of(url),
    })
}
