//! Admin consent page: an administrator of a tenant accepts or refuses the service API.

use axum::{
    body::Bytes,
    extract::{Path, RawQuery, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use url::Url;

use crate::{
    DevIdp, Guid, RoleGrant,
    directory::SHARED_NAMES,
    page::{escape, page, problem},
    params::Params,
    provider_state::ProviderState,
    refusal::Refusal,
    respond::{from_browser, see_other},
};

/// `GET /{tenant}/adminconsent?client_id&redirect_uri&state`: asks which tenant's administrator accepts.
///
/// A script adds `as_tenant`, and `decision=refuse` to refuse, and gets the result at once; in a browser
/// `as_tenant` is only a preselection, because a link must not consent by itself.
pub(crate) async fn show(
    State(idp): State<DevIdp>,
    Path(tenant): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let query = Params::parse(query.unwrap_or_default().as_bytes());
    let decided = query.get("as_tenant").is_some() && !from_browser(&headers);
    answer(&idp, &tenant, &query, decided)
}

/// `POST /{tenant}/adminconsent`: the decision, with `as_tenant` and `decision` (`accept` or `refuse`).
pub(crate) async fn decide(
    State(idp): State<DevIdp>,
    Path(tenant): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    match Params::from_form(&headers, &body) {
        Ok(form) => answer(&idp, &tenant, &form, true),
        Err(refusal) => refused(&refusal),
    }
}

fn answer(idp: &DevIdp, tenant: &str, params: &Params, decided: bool) -> Response {
    let request = match Request::read(&idp.state(), tenant, params) {
        Ok(request) => request,
        Err(refusal) => return refused(&refusal),
    };
    if !decided {
        return request.form(&idp.state(), tenant, params);
    }
    match params.get("decision") {
        None | Some("accept") => request.accept(idp, params),
        Some("refuse") => request.refuse(),
        Some(_) => problem(StatusCode::BAD_REQUEST, "`decision` is either accept or refuse."),
    }
}

fn refused(refusal: &Refusal) -> Response {
    let (code, _, text) = refusal.parts();
    problem(StatusCode::BAD_REQUEST, &format!("AADSTS{code}: {text}"))
}

/// A valid consent request.
struct Request {
    client_id: Guid,
    /// The only tenant that can accept, when the app is a tenant's own.
    home: Option<Guid>,
    app_name: String,
    redirect: Option<Url>,
    state: Option<String>,
}

impl Request {
    fn read(state: &ProviderState, tenant: &str, params: &Params) -> Result<Request, Refusal> {
        let service = &state.service;
        let tenant = if SHARED_NAMES.contains(&tenant) {
            service.tenant_id
        } else {
            state.directory.resolve_tenant(tenant)?
        };
        let named = params.required("client_id")?;
        let unknown = || Refusal::ClientUnknown { client: named.to_owned(), tenant };
        let client_id: Guid = named.parse().map_err(|_| unknown())?;
        let (home, app_name) = if client_id == service.client_id {
            (None, service.name.clone())
        } else {
            (Some(tenant), state.principal(tenant, client_id).ok_or_else(unknown)?.name)
        };
        let redirect =
            params.get("redirect_uri").map(|uri| redirect(&service.redirect_uris, uri)).transpose()?;
        Ok(Request { client_id, home, app_name, redirect, state: params.get("state").map(str::to_owned) })
    }

    fn form(&self, state: &ProviderState, path: &str, params: &Params) -> Response {
        let chosen = params.get("as_tenant").and_then(|name| state.directory.resolve_tenant(name).ok());
        let choices: String = state
            .directory
            .0
            .iter()
            .filter(|(id, _)| self.home.is_none_or(|home| home == **id))
            .map(|(id, tenant)| {
                let checked = if chosen == Some(*id) || self.home.is_some() { " checked" } else { "" };
                let name = escape(&tenant.name);
                let already = if tenant.consented { ", has accepted the service API" } else { "" };
                format!(
                    "<p><label><input type=\"radio\" name=\"as_tenant\" value=\"{id}\" required{checked}> {name} \
                     <code>{id}</code>{already}</label></p>"
                )
            })
            .collect();
        let hidden: String = ["client_id", "redirect_uri", "state"]
            .into_iter()
            .filter_map(|name| Some((name, escape(params.get(name)?))))
            .map(|(name, value)| format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">"))
            .collect();
        let asks = if self.home.is_some() {
            "It asks for the roles that were added to it, for the whole organisation."
        } else {
            "It becomes an enterprise application of the organisation; its role is then added to client apps and \
             granted to each."
        };
        let (app, role) = (escape(&self.app_name), escape(&state.service.role));
        page(
            StatusCode::OK,
            "Permissions requested",
            &format!(
                "<p><strong>{app}</strong> <code>{}</code> wants to be let into your organisation. {asks} The role \
                 in question is <code>{role}</code>.</p><form method=\"post\" action=\"/{}/adminconsent\">{hidden}\
                 <fieldset><legend>You decide as the administrator of</legend>{choices}</fieldset>\
                 <button name=\"decision\" value=\"accept\">Accept</button> \
                 <button name=\"decision\" value=\"refuse\" formnovalidate>Refuse</button></form>",
                self.client_id,
                escape(path),
            ),
        )
    }

    /// Creates the service principal, or grants the role of the tenant's own app; then redirects or shows the result.
    fn accept(&self, idp: &DevIdp, params: &Params) -> Response {
        let named = match params.required("as_tenant") {
            Ok(name) => idp.state().directory.resolve_tenant(name),
            Err(refusal) => Err(refusal),
        };
        let tenant = match named {
            Ok(tenant) => tenant,
            Err(refusal) => return refused(&refusal),
        };
        let done = match self.home {
            None => idp.consent(tenant),
            Some(home) if home == tenant => self.grant_own(idp, tenant),
            Some(home) => Err(crate::Error::UnknownClient { tenant: home, client_id: self.client_id }),
        };
        if let Err(error) = done {
            return problem(StatusCode::CONFLICT, &error.to_string());
        }
        tracing::info!(%tenant, client = %self.client_id, "admin consent accepted");
        match self.redirected(&[("admin_consent", "True"), ("tenant", &tenant.to_string())]) {
            Some(response) => response,
            None => page(
                StatusCode::OK,
                "Accepted",
                &format!(
                    "<p>{} is accepted in tenant <code>{tenant}</code>.</p>\
                     <p><a href=\"/{tenant}/apps\">Add its role to an app and grant it</a></p>",
                    escape(&self.app_name)
                ),
            ),
        }
    }

    fn grant_own(&self, idp: &DevIdp, tenant: Guid) -> Result<(), crate::Error> {
        let asks =
            idp.state().principal(tenant, self.client_id).is_some_and(|app| app.role != RoleGrant::Absent);
        if asks { idp.grant_added_role(tenant, self.client_id) } else { Ok(()) }
    }

    fn refuse(&self) -> Response {
        let text = "The administrator refused the request";
        self.redirected(&[("error", "permission_denied"), ("error_description", text)])
            .unwrap_or_else(|| page(StatusCode::OK, "Refused", "<p>Nothing was changed.</p>"))
    }

    fn redirected(&self, answers: &[(&str, &str)]) -> Option<Response> {
        let mut to = self.redirect.clone()?;
        to.query_pairs_mut()
            .extend_pairs(answers)
            .extend_pairs(self.state.iter().map(|state| ("state", state)));
        Some(see_other(to.as_str()))
    }
}

/// A redirect URI that the registration allows; one without a list allows any web address.
fn redirect(allowed: &[String], uri: &str) -> Result<Url, Refusal> {
    let wrong = || Refusal::RedirectUri(uri.to_owned());
    if !allowed.is_empty() && !allowed.iter().any(|known| known == uri) {
        return Err(wrong());
    }
    Url::parse(uri).ok().filter(|url| matches!(url.scheme(), "http" | "https")).ok_or_else(wrong)
}
