//! Changes by scripts to a running provider: roles of apps, and signing keys.

use std::time::Duration;

use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::Result,
};
use serde_json::{Value, json};

use crate::{DevIdp, params::Params, problem::problem};

/// `POST /{tenant}/apps/{client}/role` with `action`: `add`, `grant` or `revoke`.
pub(crate) async fn role(
    State(idp): State<DevIdp>,
    Path((tenant, client)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>> {
    let form = Params::from_form(&headers, &body)?;
    let tenant = idp.state().directory.resolve_tenant(&tenant)?;
    let client = client.parse()?;
    match form.required("action")? {
        "add" => idp.add_role(tenant, client)?,
        "grant" => idp.grant_added_role(tenant, client)?,
        "revoke" => idp.revoke_role(tenant, client)?,
        _ => return Err(problem(StatusCode::BAD_REQUEST, "`action` is one of add, grant and revoke.").into()),
    }
    let role = idp.state().directory.app_mut(tenant, client)?.role;
    Ok(Json(json!({ "tenant": tenant, "client_id": client, "role": role })))
}

/// `POST /keys` with `action`: `rotate` (and `overlap_seconds`, default 3600) or `replace`. Returns the key
/// set.
pub(crate) async fn keys(State(idp): State<DevIdp>, headers: HeaderMap, body: Bytes) -> Result<Json<Value>> {
    let form = Params::from_form(&headers, &body)?;
    let overlap = form.get("overlap_seconds").unwrap_or("3600").parse();
    match (form.required("action")?, overlap) {
        ("rotate", Ok(overlap)) => idp.rotate_keys(Duration::from_secs(overlap)).await?,
        ("replace", _) => idp.replace_keys().await?,
        _ => {
            let text = "`action` is rotate, with `overlap_seconds` as a whole number, or replace.";
            return Err(problem(StatusCode::BAD_REQUEST, text).into());
        }
    }
    let state = idp.state();
    Ok(Json(state.keys.published(state.now(), None)))
}
