//! A provider with one tenant and one client, and the requests that tests send to it.

use norma_dev_idp::{DevIdp, DevIdpSettings, Guid, Registration};
use reqwest::{Client, RequestBuilder, Response, redirect::Policy};
use serde_json::Value;

pub(crate) const SCOPE: &str = "api://norma/.default";

/// A running provider with a tenant that has consented and a client that was granted the role.
pub(crate) struct Fixture {
    pub(crate) idp: DevIdp,
    pub(crate) http: Client,
    pub(crate) tenant: Guid,
    pub(crate) client: Registration,
}

impl Fixture {
    pub(crate) async fn start() -> Fixture {
        Fixture::with(DevIdpSettings::ephemeral()).await
    }

    pub(crate) async fn with(settings: DevIdpSettings) -> Fixture {
        let idp = DevIdp::start(settings).await.unwrap();
        let tenant = idp.add_tenant("Example Reader Ltd").unwrap();
        let client = idp.register_client(tenant, "Nightly reader").unwrap();
        idp.consent(tenant).unwrap();
        idp.grant_role(tenant, client.client_id).unwrap();
        Fixture { http: http(), idp, tenant, client }
    }

    /// The fields of a valid request.
    pub(crate) fn fields(&self) -> Vec<(&'static str, String)> {
        vec![
            ("grant_type", "client_credentials".to_owned()),
            ("client_id", self.client.client_id.to_string()),
            ("client_secret", self.client.secret.expose().to_owned()),
            ("scope", SCOPE.to_owned()),
        ]
    }

    /// The same with some fields replaced, added, or (`None`) removed.
    pub(crate) fn fields_but(&self, changes: &[(&'static str, Option<&str>)]) -> Vec<(&'static str, String)> {
        let mut fields = self.fields();
        for &(name, value) in changes {
            fields.retain(|(key, _)| *key != name);
            fields.extend(value.map(|value| (name, value.to_owned())));
        }
        fields
    }

    pub(crate) fn token_url(&self, tenant: impl std::fmt::Display) -> String {
        format!("{}/{tenant}/oauth2/v2.0/token", self.idp.url())
    }

    pub(crate) fn post(&self, fields: &[(&'static str, String)]) -> RequestBuilder {
        self.http.post(self.token_url(self.tenant)).form(fields)
    }

    /// Status and JSON of a token request in the fixture's tenant.
    pub(crate) async fn ask(&self, fields: &[(&'static str, String)]) -> (u16, Value) {
        answer(self.post(fields).send().await.unwrap()).await
    }

    /// The access token that these fields get.
    pub(crate) async fn token(&self, fields: &[(&'static str, String)]) -> String {
        let (status, body) = self.ask(fields).await;
        assert_eq!(status, 200, "{body}");
        body["access_token"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        answer(self.http.get(format!("{}{path}", self.idp.url())).send().await.unwrap()).await
    }
}

/// A client that shows redirects instead of following them.
pub(crate) fn http() -> Client {
    Client::builder().redirect(Policy::none()).no_proxy().build().unwrap()
}

pub(crate) async fn answer(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}
