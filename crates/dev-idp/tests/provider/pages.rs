//! Tests of the onboarding by an administrator, in a browser and by a script.

use norma_dev_idp::{DevIdp, Guid, Settings};
use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::fixture::{SCOPE, answer, http};

struct Office {
    idp: DevIdp,
    http: Client,
}

impl Office {
    async fn open() -> Office {
        Office { idp: DevIdp::start(Settings::ephemeral()).await.unwrap(), http: http() }
    }

    async fn get(&self, path: &str) -> (u16, String) {
        let response = self.http.get(format!("{}{path}", self.idp.url())).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    async fn post(&self, path: &str, form: &[(&str, &str)]) -> Response {
        self.http.post(format!("{}{path}", self.idp.url())).form(form).send().await.unwrap()
    }

    async fn post_json(&self, path: &str, form: &[(&str, &str)]) -> (u16, Value) {
        let request =
            self.http.post(format!("{}{path}", self.idp.url())).header("accept", "application/json");
        answer(request.form(form).send().await.unwrap()).await
    }

    fn consent_path(&self) -> String {
        self.idp.consent_url().strip_prefix(self.idp.url()).unwrap().to_owned()
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
async fn a_script_plays_the_whole_onboarding_over_http() {
    let o = Office::open().await;
    let (_, tenant) = o.post_json("/tenants", &[("name", "Example Reader Ltd")]).await;
    let tenant = tenant["tenant"].as_str().unwrap();
    let (_, app) = o.post_json(&format!("/{tenant}/apps"), &[("name", "Nightly")]).await;
    let (client, secret) = (app["client_id"].as_str().unwrap(), app["client_secret"].as_str().unwrap());
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", client),
        ("client_secret", secret),
        ("scope", SCOPE),
    ];
    let token_path = format!("/{tenant}/oauth2/v2.0/token");
    let role_path = format!("/{tenant}/apps/{client}/role");

    let (status, body) = answer(o.post(&token_path, &fields).await).await;
    assert_eq!((status, &body["error_codes"]), (400, &json!([500011])), "before consent");
    let (status, body) = o.post_json(&role_path, &[("action", "add")]).await;
    assert_eq!(status, 409, "the role cannot be added before consent: {body}");

    let (status, page) = o.get(&format!("{}&as_tenant={tenant}", o.consent_path())).await;
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("Accepted"));
    let (_, body) = answer(o.post(&token_path, &fields).await).await;
    assert!(crate::tokens::claims(body["access_token"].as_str().unwrap()).get("roles").is_none());

    let (status, _) = o.post_json(&role_path, &[("action", "grant")]).await;
    assert_eq!(status, 409, "nothing is granted that was not added");
    let (_, added) = o.post_json(&role_path, &[("action", "add")]).await;
    assert_eq!(added["role"], "added");
    let (_, granted) = o.post_json(&role_path, &[("action", "grant")]).await;
    assert_eq!(granted["role"], "granted");
    let (_, body) = answer(o.post(&token_path, &fields).await).await;
    let claims = crate::tokens::claims(body["access_token"].as_str().unwrap());
    assert_eq!(claims["roles"], json!(["Content.Read"]));
}

#[tokio::test]
async fn a_person_accepts_for_the_tenant_they_choose_and_the_redirect_names_it() {
    let o = Office::open().await;
    let tenant = o.idp.add_tenant("Reader & <Sons>").unwrap();
    let link =
        format!("{}&redirect_uri=https%3A%2F%2Fapp.example%2Fdone%3Fx%3D1&state=a%22%3Eb", o.consent_path());
    let (status, page) = o.get(&link).await;
    assert_eq!(status, 200);
    assert!(page.contains("Reader &amp; &lt;Sons&gt;") && page.contains(&tenant.to_string()));
    assert!(page.contains(r#"name="state" value="a&quot;&gt;b""#), "{page}");
    assert!(page.contains(r#"value="accept""#) && page.contains(r#"value="refuse""#));

    let service = o.idp.service();
    let (action, client, tenant) =
        (format!("/{}/adminconsent", service.tenant_id), service.client_id.to_string(), tenant.to_string());
    let form = |decision| {
        [
            ("client_id", client.as_str()),
            ("redirect_uri", "https://app.example/done?x=1"),
            ("state", "a\">b"),
            ("as_tenant", tenant.as_str()),
            ("decision", decision),
        ]
    };
    let refused = o.post(&action, &form("refuse")).await;
    assert_eq!(refused.status(), 303);
    let found = answers(&location(&refused));
    assert_eq!(found[0..2], pairs(&[("x", "1"), ("error", "permission_denied")]));
    assert_eq!(found[3], ("state".to_owned(), "a\">b".to_owned()));
    assert!(o.idp.add_role(tenant.parse().unwrap(), Guid::random()).is_err());
    let (_, list) = o.get(&format!("/{tenant}/apps")).await;
    assert!(list.contains("not known in this tenant yet"), "a refusal changes nothing");

    let accepted = location(&o.post(&action, &form("accept")).await);
    assert_eq!(
        answers(&accepted),
        pairs(&[("x", "1"), ("admin_consent", "True"), ("tenant", &tenant), ("state", "a\">b")])
    );
    let (_, list) = o.get(&format!("/{tenant}/apps")).await;
    assert!(list.contains("is an enterprise application of this tenant"));
}

#[tokio::test]
async fn consent_for_a_tenants_own_app_grants_the_role_that_was_added_to_it() {
    let o = Office::open().await;
    let tenant = o.idp.add_tenant("Reader").unwrap();
    let client = o.idp.register_client(tenant, "Nightly").unwrap().client_id;
    o.idp.consent(tenant).unwrap();
    let link = format!("/{tenant}/adminconsent?client_id={client}&as_tenant={tenant}");
    assert_eq!(o.get(&link).await.0, 200);
    let roles = |idp: &DevIdp| {
        crate::tokens::claims(&idp.access_token(tenant, client).unwrap()).get("roles").cloned()
    };
    assert_eq!(roles(&o.idp), None, "it asks for nothing yet");
    o.idp.add_role(tenant, client).unwrap();
    assert_eq!(o.get(&link).await.0, 200);
    assert_eq!(roles(&o.idp), Some(json!(["Content.Read"])));
}

#[tokio::test]
async fn a_consent_link_with_a_mistake_says_which() {
    let mut settings = Settings::ephemeral();
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
        let (status, page) = o.get(&link).await;
        assert_eq!(status, 400, "{link}");
        assert!(page.contains(code), "{link}: {page}");
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
    let page =
        o.http.get(link).header("sec-fetch-mode", "navigate").send().await.unwrap().text().await.unwrap();
    assert!(page.contains(&format!("value=\"{tenant}\" required checked")), "only chosen beforehand: {page}");
    let (_, list) = o.get(&format!("/{tenant}/apps")).await;
    assert!(list.contains("not known in this tenant yet"));
}

#[tokio::test]
async fn changes_are_not_taken_from_other_sites_or_other_host_names() {
    let o = Office::open().await;
    let url = format!("{}/tenants", o.idp.url());
    let post = || o.http.post(&url).form(&[("name", "x")]);
    for (what, request, status) in [
        ("another site", post().header("origin", "https://evil.example"), 403),
        ("an opaque origin", post().header("origin", "null"), 403),
        ("another port", post().header("origin", "http://127.0.0.1:1"), 403),
        ("a browser's word", post().header("sec-fetch-site", "cross-site"), 403),
        ("a rebound name", post().header("host", "evil.example"), 403),
        ("its own page", post().header("origin", o.idp.url()).header("sec-fetch-site", "same-origin"), 303),
        ("a program", post(), 303),
    ] {
        assert_eq!(request.send().await.unwrap().status(), status, "{what}");
    }
    let rebound = o.http.get(o.idp.url()).header("host", "evil.example").send().await.unwrap();
    assert_eq!(rebound.status(), 403);
    let page = o.http.get(o.idp.url()).send().await.unwrap();
    assert!(page.headers()["content-security-policy"].to_str().unwrap().contains("frame-ancestors 'none'"));
}

#[tokio::test]
async fn keys_rotate_by_the_page_and_bad_forms_are_refused() {
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
    for form in [("action", "melt"), ("overlap_seconds", "1"), ("action", "")] {
        assert_eq!(o.post_json("/keys", &[form]).await.0, 400, "{form:?}");
    }
    assert_eq!(o.post_json("/keys", &[("action", "rotate"), ("overlap_seconds", "soon")]).await.0, 400);
    assert_eq!(o.post_json("/nobody/apps", &[("name", "x")]).await.0, 400);
    assert_eq!(o.get("/nowhere/at/all").await.0, 404);
    assert_eq!(o.get("/error?code=1").await.0, 404);
    assert_eq!(o.get("/common/oauth2/v2.0/authorize").await.0, 400);
}

#[tokio::test]
async fn the_page_of_a_fresh_app_shows_its_secret_once() {
    let o = Office::open().await;
    let tenant = o.idp.service().tenant_id;
    let response = o.post(&format!("/{tenant}/apps"), &[("name", "Nightly")]).await;
    assert_eq!(response.status(), 201);
    assert!(response.text().await.unwrap().contains("not shown again"));
    let (_, list) = o.get(&format!("/{tenant}/apps")).await;
    assert!(list.contains("Nightly") && list.contains("Add the role"));
}
