//! Pages to change tenants, apps, roles and keys; scripts that accept JSON get JSON.

use std::time::Duration;

use axum::{
    Json,
    body::Bytes,
    extract::{Path, RawQuery, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use crate::{
    DevIdp, Error, Guid, RoleGrant,
    page::{escape, page, problem},
    params::Params,
    refusal::{Refusal, remedy},
    respond::{no_store, see_other, wants_json},
};

/// Result of a change: the JSON members for a script, and the page for a person.
type Change = Result<(Value, Response), Failure>;

/// Why a change was not made.
pub(crate) enum Failure {
    Request(Refusal),
    Change(Error),
    Message(&'static str),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Request(refusal)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Change(error)
    }
}

/// `GET /`: tenants, the consent link, keys.
pub(crate) async fn home(State(idp): State<DevIdp>) -> Response {
    let consent_url = escape(&idp.consent_url());
    let state = idp.state();
    let rows: String = (state.directory.0.iter())
        .map(|(id, tenant)| {
            let name = escape(&tenant.name);
            let consent = if tenant.consented { "yes" } else { "no" };
            format!("<tr><td><a href=\"/{id}/apps\">{name}</a></td><td><code>{id}</code></td><td>{consent}</td></tr>")
        })
        .collect();
    let service = &state.service;
    page(
        StatusCode::OK,
        "Identity provider",
        &format!(
            "<table><tr><th>Service API</th><td>{}</td></tr><tr><th>Client id</th><td><code>{}</code></td></tr>\
             <tr><th>Scope</th><td><code>{}/.default</code></td></tr><tr><th>Role</th><td><code>{}</code></td></tr>\
             <tr><th>Consent</th><td><a href=\"{consent_url}\">{consent_url}</a></td></tr></table><h2>Tenants</h2>\
             <table><tr><th>Name</th><th>Id</th><th>Consented</th></tr>{rows}</table>\
             <form method=\"post\" action=\"/tenants\"><p><label>Name <input name=\"name\" required></label> \
             <button>Add a tenant</button></p></form><h2>Signing keys</h2><form method=\"post\" action=\"/keys\">\
             <p><label>Old key stays published for <input name=\"overlap_seconds\" type=\"number\" min=\"0\" \
             value=\"3600\"> seconds</label></p><button name=\"action\" value=\"rotate\">Rotate</button> \
             <button name=\"action\" value=\"replace\">Replace all at once</button></form>",
            escape(&service.name),
            service.client_id,
            escape(&service.application_id_uri),
            escape(&service.role),
        ),
    )
}

/// `GET /error?code=…`: what to do about an error of the token endpoint.
pub(crate) async fn explain(RawQuery(query): RawQuery) -> Response {
    let query = Params::parse(query.unwrap_or_default().as_bytes());
    let known =
        query.get("code").and_then(|code| code.parse().ok()).and_then(|code| Some((code, remedy(code)?)));
    match known {
        Some((code, remedy)) => {
            page(StatusCode::OK, &format!("AADSTS{code}"), &format!("<p>{}</p>", escape(remedy)))
        }
        None => problem(
            StatusCode::NOT_FOUND,
            "No further advice exists for this code; see the error's description.",
        ),
    }
}

/// `GET /{tenant}/apps`: the apps of one tenant, and the state of each.
pub(crate) async fn list(State(idp): State<DevIdp>, Path(tenant): Path<String>) -> Response {
    let state = idp.state();
    let id = match state.directory.resolve_tenant(&tenant) {
        Ok(id) => id,
        Err(refusal) => return problem(StatusCode::NOT_FOUND, &refusal.parts().2),
    };
    let Ok(tenant) = state.directory.tenant(id) else {
        return problem(StatusCode::NOT_FOUND, "No tenant has this id.");
    };
    let rows: String = (tenant.apps.iter())
        .map(|(client, app)| {
            let name = escape(&app.name);
            let (words, actions): (_, &[(&str, &str)]) = match app.role {
                RoleGrant::Absent => ("not added", &[("add", "Add the role")]),
                RoleGrant::Added => {
                    ("added, not granted", &[("grant", "Grant admin consent"), ("revoke", "Remove")])
                }
                RoleGrant::Granted => ("granted", &[("revoke", "Remove")]),
            };
            let buttons: String = (actions.iter())
                .map(|(action, label)| {
                    format!("<button name=\"action\" value=\"{action}\">{label}</button> ")
                })
                .collect();
            format!(
                "<tr><td>{name}</td><td><code>{client}</code></td><td>{words}</td><td>\
                 <form method=\"post\" action=\"/{id}/apps/{client}/role\">{buttons}</form></td></tr>"
            )
        })
        .collect();
    let consent = if tenant.consented {
        "<p>The service API is an enterprise application of this tenant.</p>".to_owned()
    } else {
        let service = &state.service;
        let link =
            format!("/{}/adminconsent?client_id={}&as_tenant={id}", service.tenant_id, service.client_id);
        format!(
            "<p>The service API is not known in this tenant yet: <a href=\"{}\">consent first</a>.</p>",
            escape(&link)
        )
    };
    page(
        StatusCode::OK,
        &tenant.name,
        &format!(
            "<p>Tenant <code>{id}</code></p>{consent}<table><tr><th>App</th><th>Client id</th><th>Role {}</th><th></th>\
             </tr>{rows}</table><form method=\"post\" action=\"/{id}/apps\"><p><label>Name <input name=\"name\" required>\
             </label> <button>Register an app</button></p></form><p><a href=\"/\">To the start page</a></p>",
            escape(&state.service.role),
        ),
    )
}

/// `POST /tenants` with `name`.
pub(crate) async fn add_tenant(State(idp): State<DevIdp>, headers: HeaderMap, body: Bytes) -> Response {
    let change = || -> Change {
        let form = Params::from_form(&headers, &body)?;
        let tenant = idp.add_tenant(form.required("name")?)?;
        Ok((json!({ "tenant": tenant }), see_other(&format!("/{tenant}/apps"))))
    };
    answer(&headers, change())
}

/// `POST /{tenant}/apps` with `name`; the answer is the only place that ever shows the secret.
pub(crate) async fn register(
    State(idp): State<DevIdp>,
    Path(tenant): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let change = || -> Change {
        let form = Params::from_form(&headers, &body)?;
        let tenant = idp.state().directory.resolve_tenant(&tenant)?;
        let made = idp.register_client(tenant, form.required("name")?)?;
        let (client_id, secret) = (made.client_id, made.secret.expose());
        let shown = page(
            StatusCode::CREATED,
            "Registered",
            &format!(
                "<table><tr><th>Tenant</th><td><code>{tenant}</code></td></tr><tr><th>Client id</th><td>\
                 <code>{client_id}</code></td></tr><tr><th>Secret</th><td><code>{}</code></td></tr></table>\
                 <p>The secret is not shown again.</p><p><a href=\"/{tenant}/apps\">To the apps</a></p>",
                escape(secret)
            ),
        );
        Ok((json!({ "tenant": tenant, "client_id": client_id, "client_secret": secret }), shown))
    };
    answer(&headers, change())
}

/// `POST /{tenant}/apps/{client}/role` with `action`: `add`, `grant` or `revoke`.
pub(crate) async fn change_role(
    State(idp): State<DevIdp>,
    Path((tenant, client)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let change = || -> Change {
        let form = Params::from_form(&headers, &body)?;
        let tenant = idp.state().directory.resolve_tenant(&tenant)?;
        let client: Guid = client.parse()?;
        match form.required("action")? {
            "add" => idp.add_role(tenant, client)?,
            "grant" => idp.grant_added_role(tenant, client)?,
            "revoke" => idp.revoke_role(tenant, client)?,
            _ => return Err(Failure::Message("`action` is one of add, grant and revoke.")),
        }
        let role = idp.state().directory.app_mut(tenant, client)?.role;
        Ok((
            json!({ "tenant": tenant, "client_id": client, "role": role }),
            see_other(&format!("/{tenant}/apps")),
        ))
    };
    answer(&headers, change())
}

/// `POST /keys` with `action`: `rotate` (and `overlap_seconds`, default 3600) or `replace`.
pub(crate) async fn change_keys(State(idp): State<DevIdp>, headers: HeaderMap, body: Bytes) -> Response {
    let change = async || -> Change {
        let form = Params::from_form(&headers, &body)?;
        match form.required("action")? {
            "rotate" => {
                let overlap = form.get("overlap_seconds").unwrap_or("3600").parse();
                let overlap =
                    overlap.map_err(|_| Failure::Message("`overlap_seconds` is a whole number."))?;
                idp.rotate_keys(Duration::from_secs(overlap)).await?;
            }
            "replace" => idp.replace_keys().await?,
            _ => return Err(Failure::Message("`action` is one of rotate and replace.")),
        }
        let state = idp.state();
        Ok((state.keys.published(state.now(), None), see_other("/")))
    };
    let change = change().await;
    answer(&headers, change)
}

fn answer(headers: &HeaderMap, change: Change) -> Response {
    let (status, text) = match change {
        Ok((members, _)) if wants_json(headers) => return (no_store(), Json(members)).into_response(),
        Ok((_, shown)) => return shown,
        Err(Failure::Request(refusal)) => (StatusCode::BAD_REQUEST, refusal.parts().2),
        Err(Failure::Message(words)) => (StatusCode::BAD_REQUEST, words.to_owned()),
        Err(Failure::Change(error)) => (StatusCode::CONFLICT, error.to_string()),
    };
    if wants_json(headers) {
        return (status, no_store(), Json(json!({ "error": text }))).into_response();
    }
    problem(status, &text)
}
