//! Tests of the onboarding by an administrator, in a browser and by a script.

use norma_dev_idp::{DevIdp, DevIdpSettings, Guid};
use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::fixture::{SCOPE, answer, http};

struct Office {
    idp: DevIdp,
    http: Client,
}

impl Office {
    async fn open() -> Office {
        Office { idp: DevIdp::start(DevIdpSettings::ephemeral()).await.unwrap(), http: http() }
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        answer(self.http.get(format!("{}{path}", self.idp.url())).send().await.unwrap()).await
    }

    async fn page(&self, path: &str) -> String {
        let (status, page) = self.get(path).await;
        assert_eq!(status, 200, "{page}");
        page.as_str().unwrap().to_owned()
    }

    async fn post(&self, path: &str, form: &[(&str, &str)]) -> Response {
        self.http.post(format!("{}{path}", self.idp.url())).form(form).send().await.unwrap()
    }

    async fn post_json(&self, path: &str, form: &[(&str, &str)]) -> (u16, Value) {
        answer(self.post(path, form).await).await
    }

    fn consent_path(&self) -> String {
        self.idp.consent_url().strip_prefix(self.idp.url()).unwrap().to_owned()
    }

    /// True if the service API is known in the tenant: only then can its role be added to an app.
    async fn has_consented(&self, tenant: &str) -> bool {
        let tenant = tenant.parse().unwrap();
        let app = self.idp.register_client(tenant, "Probe").unwrap().client_id;
        self.idp.add_role(tenant, app).is_ok()
    }
}

fn location(response: &Response) -> url::Url {
    response.headers()["location"].to_str().unwrap().parse().unwrap()
}

fn answers(url: &url::Url) -> Vec<(String, String)> {
    url.query_pairs().into_owned().collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

#[tokio::test]
async fn a_script_consents_and_adds_and_grants_the_role_over_http() {
    let o = Office::open().await;
    let tenant = o.idp.add_tenant("Example Reader Ltd").unwrap();
    let app = o.idp.register_client(tenant, "Nightly").unwrap();
    let client = app.client_id.to_string();
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", &client),
        ("client_secret", app.secret.expose()),
        ("scope", SCOPE),
    ];
    let token_path = format!("/{tenant}/oauth2/v2.0/token");
    let role_path = format!("/{tenant}/apps/{client}/role");

    let (status, body) = o.post_json(&token_path, &fields).await;
    assert_eq!((status, &body["error_codes"]), (400, &json!([500011])), "before consent");
    let (status, body) = o.post_json(&role_path, &[("action", "add")]).await;
    assert_eq!(status, 409, "the role cannot be added before consent: {body}");
    assert!(body["error"].as_str().unwrap().contains("consent first"), "{body}");

    let (status, body) = o.get(&format!("{}&as_tenant={tenant}", o.consent_path())).await;
    assert_eq!((status, body), (200, json!({ "admin_consent": "True", "tenant": tenant.to_string() })));
    let (_, body) = o.post_json(&token_path, &fields).await;
    assert!(crate::tokens::claims(body["access_token"].as_str().unwrap()).get("roles").is_none());

    let (status, _) = o.post_json(&role_path, &[("action", "grant")]).await;
    assert_eq!(status, 409, "nothing is granted that was not added");
    let (_, added) = o.post_json(&role_path, &[("action", "add")]).await;
    assert_eq!(added["role"], "added");
    let (_, granted) = o.post_json(&role_path, &[("action", "grant")]).await;
    assert_eq!(granted["role"], "granted");
    let (_, body) = o.post_json(&token_path, &fields).await;
    let claims = crate::tokens::claims(body["access_token"].as_str().unwrap());
    assert_eq!(claims["roles"], json!(["Content.Read"]));
    let (_, revoked) = o.post_json(&role_path, &[("action", "revoke")]).await;
    assert_eq!(revoked["role"], "absent");
}

#[tokio::test]
async fn a_person_accepts_for_the_tenant_they_choose_and_the_redirect_names_it() {
    let o = Office::open().await;
    let tenant = o.idp.add_tenant("Reader & <Sons>").unwrap().to_string();
    let link =
        format!("{}&redirect_uri=https%3A%2F%2Fapp.example%2Fdone%3Fx%3D1&state=a%22%3Eb", o.consent_path());
    let page = o.page(&link).await;
    assert!(page.contains("Reader &amp; &lt;Sons&gt;") && page.contains(&tenant));
    assert!(page.contains(r#"name="state" value="a&quot;&gt;b""#), "{page}");
    assert!(page.contains(r#"value="accept""#) && page.contains(r#"value="refuse""#));

    let service = o.idp.service();
    let (action, client) = (format!("/{}/adminconsent", service.tenant_id), service.client_id.to_string());
    let form = |decision| {
        [
            ("client_id", client.as_str()),
            ("redirect_uri", "https://app.example/done?x=1"),
            ("state", "a\">b"),
            ("as_tenant", tenant.as_str()),
            ("decision", decision),
        ]
    };
    assert_eq!(o.post(&action, &form("perhaps")).await.status(), 400);
    let refused = o.post(&action, &form("refuse")).await;
    assert_eq!(refused.status(), 303);
    let found = answers(&location(&refused));
    assert_eq!(found[0..2], pairs(&[("x", "1"), ("error", "permission_denied")]));
    assert_eq!(found[3], ("state".to_owned(), "a\">b".to_owned()));
    assert!(!o.has_consented(&tenant).await, "a refusal changes nothing");

    let accepted = location(&o.post(&action, &form("accept")).await);
    assert_eq!(
        answers(&accepted),
        pairs(&[("x", "1"), ("admin_consent", "True"), ("tenant", &tenant), ("state", "a\">b")])
    );
    assert!(o.has_consented(&tenant).await);
}

#[tokio::test]
async fn consent_for_a_tenants_own_app_grants_the_role_that_was_added_to_it() {
    let o = Office::open().await;
    let tenant = o.idp.add_tenant("Reader").unwrap();
    let other = o.idp.add_tenant("Another").unwrap();
    let client = o.idp.register_client(tenant, "Nightly").unwrap().client_id;
    o.idp.consent(tenant).unwrap();
    let link = |as_tenant| format!("/{tenant}/adminconsent?client_id={client}&as_tenant={as_tenant}");
    assert_eq!(o.get(&link(tenant)).await.0, 200);
    let roles = |idp: &DevIdp| {
        crate::tokens::claims(&idp.access_token(tenant, client).unwrap()).get("roles").cloned()
    };
    assert_eq!(roles(&o.idp), None, "it asks for nothing yet");
    o.idp.add_role(tenant, client).unwrap();
    assert_eq!(o.get(&link(other)).await.0, 409, "another tenant does not decide");
    assert_eq!(roles(&o.idp), None);
    assert_eq!(o.get(&link(tenant)).await.0, 200);
    assert_eq!(roles(&o.idp), Some(json!(["Content.Read"])));
}

#[tokio::test]
async fn a_consent_link_with_a_mistake_says_which() {
    let mut settings = DevIdpSettings::ephemeral();
    settings.service.redirect_uris = vec!["https://app.example/done".into()];
    let o = Office { idp: DevIdp::start(settings).await.unwrap(), http: http() };
    let good = o.consent_path();
    let service = o.idp.service().tenant_id;
    for (link, code) in [
        (format!("/{service}/adminconsent"), "AADSTS900144"),
        (format!("/{service}/adminconsent?client_id={}", Guid::random()), "AADSTS700016"),
        (format!("{good}&redirect_uri=https%3A%2F%2Fother.example"), "AADSTS50011"),
        (format!("{good}&redirect_uri=javascript%3Aalert(1)"), "AADSTS50011"),
        (format!("{good}&as_tenant={}", Guid::random()), "AADSTS90002"),
        (good.replace(&service.to_string(), "nobody"), "AADSTS900023"),
    ] {
        let (status, body) = o.get(&link).await;
        assert_eq!(status, 400, "{link}");
        assert!(body["error"].as_str().unwrap().starts_with(code), "{link}: {body}");
    }
    let allowed = format!("{good}&redirect_uri=https%3A%2F%2Fapp.example%2Fdone");
    assert_eq!(o.get(&allowed).await.0, 200);
    assert_eq!(o.get(&good.replace(&service.to_string(), "organizations")).await.0, 200);
}

#[tokio::test]
async fn a_link_in_a_browser_never_consents_by_itself() {
    let o = Office::open().await;
    let tenant = o.idp.add_tenant("Reader").unwrap();
    let link = format!("{}&as_tenant={tenant}", o.idp.consent_url());
    let page = o.http.get(link).header("sec-fetch-mode", "navigate").send().await.unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    let page = page.text().await.unwrap();
    assert!(page.contains(&format!("value=\"{tenant}\" required checked")), "only chosen beforehand: {page}");
    assert!(!o.has_consented(&tenant.to_string()).await);
}

#[tokio::test]
async fn changes_are_not_taken_from_other_sites_or_other_host_names() {
    let o = Office::open().await;
    let url = format!("{}/keys", o.idp.url());
    let post = || o.http.post(&url).form(&[("action", "rotate")]);
    for (what, request, status) in [
        ("another site", post().header("origin", "https://evil.example"), 403),
        ("an opaque origin", post().header("origin", "null"), 403),
        ("another port", post().header("origin", "http://127.0.0.1:1"), 403),
        ("a browser's word", post().header("sec-fetch-site", "cross-site"), 403),
        ("a rebound name", post().header("host", "evil.example"), 403),
        ("its own page", post().header("origin", o.idp.url()).header("sec-fetch-site", "same-origin"), 200),
        ("a program", post(), 200),
    ] {
        assert_eq!(request.send().await.unwrap().status(), status, "{what}");
    }
    let rebound = o.http.get(o.idp.consent_url()).header("host", "evil.example").send().await.unwrap();
    assert_eq!(rebound.status(), 403);
}

#[tokio::test]
async fn keys_rotate_and_bad_requests_are_refused_with_a_json_error() {
    let o = Office::open().await;
    let rotated = o.post_json("/keys", &[("action", "rotate"), ("overlap_seconds", "60")]).await;
    assert_eq!(rotated.1["keys"].as_array().unwrap().len(), 3);
    let rotated = o.post_json("/keys", &[("action", "rotate"), ("overlap_seconds", "0")]).await;
    assert_eq!(
        rotated.1["keys"].as_array().unwrap().len(),
        3,
        "no overlap: only the first retired key lingers"
    );
    let replaced = o.post_json("/keys", &[("action", "replace")]).await;
    assert_eq!(replaced.1["keys"].as_array().unwrap().len(), 2);
    let id = Guid::random();
    for (path, form, status) in [
        ("/keys", vec![("action", "melt")], 400),
        ("/keys", vec![("overlap_seconds", "1")], 400),
        ("/keys", vec![("action", "")], 400),
        ("/keys", vec![("action", "rotate"), ("overlap_seconds", "soon")], 400),
        (&format!("/nobody/apps/{id}/role"), vec![("action", "add")], 400),
        (&format!("/{}/apps/{id}/role", o.idp.service().tenant_id), vec![("action", "melt")], 400),
        (&format!("/{}/apps/{id}/role", o.idp.service().tenant_id), vec![("action", "add")], 409),
        ("/nowhere/at/all", vec![("action", "add")], 404),
        ("/common/oauth2/v2.0/authorize", vec![("action", "add")], 404),
    ] {
        let (found, body) = o.post_json(path, &form).await;
        assert_eq!(found, status, "{path} {form:?}");
        assert!(body["error"].is_string(), "{path}: {body}");
    }
}
