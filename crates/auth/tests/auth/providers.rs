//! Tokens in the shapes of other providers: those of applications pass, those of users and of other shapes do
//! not.

use norma_auth::{AppRule, Profile, RegisteredTenant, RoleForm, Tenants, Verifier};
use serde_json::{Value, json};

use crate::forge::*;
use crate::wrong::with_claims;

const ISSUER: &str = "https://op.test";

/// A verifier for one tenant whose tokens have this shape.
fn verifier(rule: &str, role_claim: &str, form: RoleForm) -> Verifier {
    let (verifier, provider) = stage(rules());
    provider.publish("https://op.test/jwks", key_set(&[K1.jwk("op")]));
    let rule: AppRule = rule.parse().unwrap();
    let mut profile = Profile::other(ISSUER, Some("https://op.test/jwks")).unwrap();
    profile.tenant_claim = None;
    profile.app_only = Some(rule);
    profile.client_claims = rule.client_claims().iter().map(|&claim| claim.to_owned()).collect();
    profile.role_claim = role_claim.to_owned();
    profile.role_form = form;
    let tenant = RegisteredTenant { profiles: vec![profile], ..tenant(TENANT_A) };
    verifier.replace_tenants(Tenants::new([tenant]).unwrap());
    verifier
}

/// The name of the verdict on a token with these claims in addition to those of every token.
async fn verdict(verifier: &Verifier, own: &Value) -> String {
    let mut claims = json!({ "iss": ISSUER, "aud": AUDIENCE, "exp": NOW + 600 });
    claims.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
    let header = json!({ "alg": "RS256", "typ": "JWT", "kid": "op" });
    let verdict = verifier.verify(&K1.token(&header.to_string(), &claims.to_string()), at(0)).await;
    verdict.as_ref().map_or_else(|_| name(&verdict), |caller| caller.client.clone())
}

/// `token` with these members in place of its own; null removes one.
fn but(token: &Value, changes: Value) -> Value {
    let mut token = token.clone();
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => token.as_object_mut().unwrap().remove(name),
            value => token.as_object_mut().unwrap().insert(name.clone(), value.clone()),
        };
    }
    token
}

#[tokio::test]
async fn each_provider_says_in_its_way_that_a_token_is_one_of_an_application() {
    use RoleForm::{Array, Members, Words};
    let keycloak = json!({
        "sub": "7b0e", "azp": "Batch", "client_id": "Batch", "preferred_username": "service-account-batch",
        "scope": "profile email", "realm_access": { "roles": [ROLE, "offline_access"] },
    });
    let okta = json!({ "cid": "0oa1", "sub": "0oa1", "scp": [ROLE] });
    let auth0 =
        json!({ "azp": "batch", "sub": "batch@clients", "gty": "client-credentials", "permissions": [ROLE] });
    let zitadel =
        json!({ "sub": "2622", "client_id": "batch", "urn:op:roles": { ROLE: { "1": "acme.test" } } });
    let subject = json!({ "sub": "batch", "client_id": "batch", "scope": format!("openid {ROLE}") });
    let none = json!({ "client_id": "batch", "roles": [ROLE] });
    let entra = json!({ "azp": "batch", "idtyp": "app", "roles": [ROLE] });
    for (rule, role_claim, form, client, good, users) in [
        (
            "keycloak",
            "realm_access.roles",
            Array,
            "Batch",
            keycloak,
            vec![
                json!({ "preferred_username": "alice", "client_id": null }),
                json!({ "preferred_username": "alice" }),
                json!({ "preferred_username": null }),
                json!({ "client_id": null }),
                json!({ "client_id": "another" }),
                json!({ "preferred_username": "service-account-another" }),
            ],
        ),
        (
            "okta",
            "scp",
            Array,
            "0oa1",
            okta,
            vec![
                json!({ "sub": "alice@acme.test", "uid": "00u1" }),
                json!({ "uid": "00u1" }),
                json!({ "sub": null }),
                json!({ "cid": "" , "sub": "" }),
            ],
        ),
        (
            "auth0",
            "permissions",
            Array,
            "batch",
            auth0,
            vec![
                json!({ "sub": "auth0|alice", "gty": null }),
                json!({ "gty": "password" }),
                json!({ "sub": "another@clients" }),
                json!({ "sub": "batch" }),
            ],
        ),
        (
            "zitadel",
            "urn:op:roles",
            Members,
            "batch",
            zitadel,
            vec![
                json!({ "client_id": "231234567890123456" }),
                json!({ "client_id": "231234567890123456@portal" }),
                json!({ "client_id": null }),
                json!({ "client_id": "" }),
            ],
        ),
        (
            "subject-is-client",
            "scope",
            Words,
            "batch",
            subject,
            vec![json!({ "sub": "alice" }), json!({ "sub": null })],
        ),
        (
            "no-subject",
            "roles",
            Array,
            "batch",
            none,
            vec![json!({ "sub": "alice" }), json!({ "sub": "batch" })],
        ),
        (
            "entra",
            "roles",
            Array,
            "batch",
            entra,
            vec![json!({ "scp": "Content.Read" }), json!({ "idtyp": "user" })],
        ),
    ] {
        let verifier = verifier(rule, role_claim, form);
        assert_eq!(verdict(&verifier, &good).await, client, "{rule}");
        for change in users {
            assert_eq!(
                verdict(&verifier, &but(&good, change.clone())).await,
                "Delegated",
                "{rule}: {change}"
            );
        }
        for (audience, expected) in [(json!("api://another.test"), "Audience"), (Value::Null, "AudienceType")]
        {
            let mut elsewhere = good.clone();
            elsewhere["aud"] = audience;
            assert_eq!(verdict(&verifier, &elsewhere).await, expected, "{rule}");
        }
    }
}

#[tokio::test]
async fn roles_are_read_in_the_registered_form_only_and_by_a_path() {
    use RoleForm::{Array, Members, Words};
    let token = |roles: Value| json!({ "client_id": "batch", "a": { "b.c": { "roles": roles } } });
    let forms = [json!([ROLE]), json!(format!("other {ROLE}")), json!({ ROLE: {} })];
    for (index, form) in [Array, Words, Members].into_iter().enumerate() {
        let verifier = verifier("no-subject", "a.b.c.roles", form);
        for (other, roles) in forms.iter().enumerate() {
            let expected = if index == other { "batch" } else { "RoleType" };
            assert_eq!(verdict(&verifier, &token(roles.clone())).await, expected, "{form:?} {roles}");
        }
        let elsewhere =
            json!({ "client_id": "batch", "a": { "b": { "roles": forms[index] } }, "roles": forms[index] });
        assert_eq!(verdict(&verifier, &elsewhere).await, "RoleMissing", "{form:?}");
        // A claim of the whole name goes first.
        let both = but(&token(json!(1)), json!({ "a.b.c.roles": forms[index] }));
        assert_eq!(verdict(&verifier, &both).await, "batch", "{form:?}");
    }
}

#[test]
fn shapes_that_could_never_pass_are_refused_at_registration() {
    let said = "cognito".parse::<AppRule>().unwrap_err().to_string();
    assert!(said.contains("no audience"), "{said}");
    assert!(Profile::other("https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_x", None).is_err());
    for wrong in ["off", "none", "true", ""] {
        let said = wrong.parse::<AppRule>().unwrap_err().to_string();
        assert!(said.contains("entra, okta, keycloak"), "{said}");
    }
    let with = |rule: AppRule, change: fn(&mut Profile)| {
        let mut profile = Profile::other(ISSUER, None).unwrap();
        profile.app_only = Some(rule);
        profile.client_claims = rule.client_claims().iter().map(|&claim| claim.to_owned()).collect();
        change(&mut profile);
        Tenants::new([RegisteredTenant { profiles: vec![profile], ..tenant(TENANT_A) }])
    };
    assert!(with(AppRule::Okta, |_| {}).is_ok());
    assert!(with(AppRule::Okta, |profile| profile.client_claims = vec!["sub".into()]).is_ok());
    let said =
        with(AppRule::Okta, |profile| profile.client_claims = vec!["azp".into()]).unwrap_err().to_string();
    assert!(said.contains("`cid`"), "{said}");
    assert!(with(AppRule::Entra, |profile| profile.role_claim = "scp".into()).is_err());
}

#[tokio::test]
async fn the_log_names_the_audience_of_a_token_once_its_signature_is_right() {
    let (verifier, _) = stage(rules());
    let reject =
        verifier.verify(&with_claims(&claims().text("aud", "api://elsewhere").to_string()), at(0)).await;
    let said = reject.unwrap_err().to_string();
    assert!(said.contains("`api://elsewhere`"), "{said}");
    let forged = K2.token(&header().to_string(), &claims().text("aud", "api://elsewhere").to_string());
    let said = verifier.verify(&forged, at(0)).await.unwrap_err().to_string();
    assert!(!said.contains("elsewhere"), "{said}");
}
