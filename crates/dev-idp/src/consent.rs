//! Admin consent page: an administrator of a tenant accepts or refuses the service API.

use axum::{
    Json,
    body::Bytes,
    extract::{Path, RawQuery, State},
    http::{
        HeaderMap, Method, StatusCode,
        header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY},
    },
    response::{Html, IntoResponse, Redirect, Response, Result},
};
use maud::{DOCTYPE, PreEscaped, html};
use url::Url;

use crate::{
    DevIdp, DevIdpError, Guid, RoleGrant, directory::SHARED_NAMES, params::Params, problem::problem,
    provider_state::ProviderState, refusal::TokenRefusal,
};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}\
code{overflow-wrap:anywhere}button,input{font:inherit;padding:.25rem .75rem}fieldset{margin:1rem 0}";

/// `GET /{tenant}/adminconsent?client_id&redirect_uri&state`: asks for the tenant whose administrator
/// accepts. Its form posts the same with `as_tenant` and `decision` (`accept` or `refuse`).
///
/// A script adds these to the query and gets the result at once; in a browser `as_tenant` is only a
/// preselection, because a link must not consent by itself.
pub(crate) async fn endpoint(
    State(idp): State<DevIdp>,
    Path(tenant): Path<String>,
    RawQuery(query): RawQuery,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response> {
    let posted = method == Method::POST;
    let params = if posted {
        Params::from_form(&headers, &body)?
    } else {
        Params::parse(query.unwrap_or_default().as_bytes())
    };
    let request = ConsentRequest::read(&idp.state(), &tenant, &params)?;
    let from_browser = headers.contains_key("sec-fetch-mode");
    if !posted && (from_browser || params.get("as_tenant").is_none()) {
        return Ok(request.form(&idp.state(), &tenant, &params));
    }
    Ok(match params.get("decision") {
        None | Some("accept") => {
            let tenant = idp.state().directory.resolve_tenant(params.required("as_tenant")?)?;
            request.accept(&idp, tenant)?;
            tracing::info!(%tenant, client = %request.client_id, "admin consent accepted");
            request.result([("admin_consent", "True"), ("tenant", &tenant.to_string())])
        }
        Some("refuse") => {
            let text = "The administrator refused the request";
            request.result([("error", "permission_denied"), ("error_description", text)])
        }
        Some(_) => problem(StatusCode::BAD_REQUEST, "`decision` is either accept or refuse."),
    })
}

/// A valid consent request.
struct ConsentRequest {
    client_id: Guid,
    /// The only tenant that can accept, if the app belongs to a tenant.
    home: Option<Guid>,
    app_name: String,
    redirect: Option<Url>,
    state: Option<String>,
}

impl ConsentRequest {
    fn read(state: &ProviderState, tenant: &str, params: &Params) -> Result<ConsentRequest, TokenRefusal> {
        let service = &state.service;
        let tenant = if SHARED_NAMES.contains(&tenant) {
            service.tenant_id
        } else {
            state.directory.resolve_tenant(tenant)?
        };
        let named = params.required("client_id")?;
        let unknown = || TokenRefusal::ClientUnknown { client: named.to_owned(), tenant };
        let client_id: Guid = named.parse().map_err(|_| unknown())?;
        let (home, app_name) = if client_id == service.client_id {
            (None, service.name.clone())
        } else {
            let app = state.principal(tenant, client_id).ok_or_else(unknown)?;
            (Some(tenant), app.name)
        };
        let redirect = match params.get("redirect_uri") {
            Some(uri) => Some(redirect(&service.redirect_uris, uri)?),
            None => None,
        };
        let state = params.get("state").map(str::to_owned);
        Ok(ConsentRequest { client_id, home, app_name, redirect, state })
    }

    fn form(&self, state: &ProviderState, path: &str, params: &Params) -> Response {
        let chosen = params.get("as_tenant").and_then(|name| state.directory.resolve_tenant(name).ok());
        let tenants = state.directory.0.iter();
        let choices = tenants.filter(|(id, _)| self.home.is_none() || self.home == Some(**id));
        let hidden = ["client_id", "redirect_uri", "state"].map(|name| (name, params.get(name)));
        let asks = if self.home.is_some() {
            "It asks for the roles that were added to it, for the whole organisation."
        } else {
            "It becomes an enterprise application of the organisation. Its role is then added to client apps \
             and granted to each."
        };
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width";
                    title { "Permissions requested" }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    p role="note" { "Development identity provider: for a laptop and for tests only." }
                    main {
                        h1 { "Permissions requested" }
                        p {
                            strong { (self.app_name) } " " code { (self.client_id) }
                            " wants to be let into your organisation. " (asks) " The role in question is "
                            code { (state.service.role) } "."
                        }
                        form method="post" action={ "/" (path) "/adminconsent" } {
                            @for (name, value) in hidden {
                                @if let Some(value) = value { input type="hidden" name=(name) value=(value); }
                            }
                            fieldset {
                                legend { "You decide as the administrator of" }
                                @for (id, tenant) in choices {
                                    p {
                                        label {
                                            input type="radio" name="as_tenant" value=(id) required
                                                checked[chosen == Some(*id) || self.home.is_some()];
                                            " " (tenant.name) " " code { (id) }
                                            @if tenant.consented { ", has accepted the service API" }
                                        }
                                    }
                                }
                            }
                            button name="decision" value="accept" { "Accept" } " "
                            button name="decision" value="refuse" formnovalidate { "Refuse" }
                        }
                    }
                }
            }
        };
        // No script, no frame; `same-origin` keeps the Origin header by which forms are checked.
        let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
        let headers = [(CONTENT_SECURITY_POLICY, policy), (REFERRER_POLICY, "same-origin")];
        (headers, Html(page.into_string())).into_response()
    }

    /// Creates the service principal, or grants the role that was added to the tenant's own app.
    fn accept(&self, idp: &DevIdp, tenant: Guid) -> Result<(), DevIdpError> {
        let Some(home) = self.home else { return idp.consent(tenant) };
        let unknown = DevIdpError::UnknownClient { tenant: home, client_id: self.client_id };
        if tenant != home {
            return Err(unknown);
        }
        let app = idp.state().principal(tenant, self.client_id);
        match app {
            None => Err(unknown),
            Some(app) if app.role == RoleGrant::Absent => Ok(()),
            Some(_) => idp.grant_added_role(tenant, self.client_id),
        }
    }

    /// The redirect with `answers`, or `answers` as JSON without a redirect URI.
    fn result(&self, answers: [(&str, &str); 2]) -> Response {
        let Some(mut to) = self.redirect.clone() else {
            return Json(std::collections::BTreeMap::from(answers)).into_response();
        };
        to.query_pairs_mut().extend_pairs(answers);
        if let Some(state) = &self.state {
            to.query_pairs_mut().append_pair("state", state);
        }
        Redirect::to(to.as_str()).into_response()
    }
}

/// A redirect URI that the registration allows; a registration without a list allows any web address.
fn redirect(allowed: &[String], uri: &str) -> Result<Url, TokenRefusal> {
    let refusal = TokenRefusal::RedirectUri(uri.to_owned());
    if !allowed.is_empty() && !allowed.iter().any(|known| known == uri) {
        return Err(refusal);
    }
    match Url::parse(uri) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        _ => Err(refusal),
    }
}
