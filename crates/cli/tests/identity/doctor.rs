//! `norma doctor caller`: each mistake of an onboarding is made, and found by name.

use serde_json::Value;

use crate::world::{Said, World, norma};

/// The options of a caller with a correct configuration.
struct Options(Vec<(&'static str, String)>);

impl Options {
    fn of(world: &World) -> Self {
        let secret = world.file("secret", world.client.secret.expose());
        let service = world.idp.service();
        Self(vec![
            ("--authority", world.idp.url().to_owned()),
            ("--tenant", world.client.tenant.to_string()),
            ("--client-id", world.client.client_id.to_string()),
            ("--scope", format!("{}/.default", service.application_id_uri)),
            ("--secret-file", secret.display().to_string()),
            ("--base-url", world.base_url.clone()),
        ])
    }

    /// The same with one of them changed.
    fn but(&self, name: &'static str, value: &str) -> Self {
        let mut changed: Vec<_> = self.0.iter().filter(|(own, _)| *own != name).cloned().collect();
        changed.push((name, value.to_owned()));
        Self(changed)
    }

    fn doctor(&self, more: &[&str]) -> Said {
        let mut arguments = vec!["doctor", "caller"];
        arguments.extend(self.0.iter().flat_map(|(name, value)| [*name, value.as_str()]));
        arguments.extend(more);
        norma(&arguments)
    }

    /// The checks that found a problem, and the whole output.
    fn problems(&self) -> (Vec<String>, String) {
        let said = self.doctor(&["--format", "json"]);
        let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(!lines.is_empty(), "{}", said.err);
        let bad: Vec<&Value> = lines.iter().filter(|line| line["ok"] == false).collect();
        assert!(bad.iter().all(|line| !line["fix"].as_str().unwrap().is_empty()));
        assert_eq!(said.code, Some(i32::from(!bad.is_empty())), "{}", said.out);
        (bad.iter().map(|line| line["check"].as_str().unwrap().to_owned()).collect(), said.out)
    }

    /// Asserts that one check finds a problem and reports these words.
    fn assert_named(&self, what: &str, checks: &[&str], words: &[&str]) {
        let (bad, out) = self.problems();
        assert_eq!(bad, checks, "{what}: {out}");
        for word in words {
            assert!(out.contains(word), "{what}: `{word}` is not said in {out}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_configuration_is_well_and_each_mistake_is_named() {
    let world = World::start(&[]).await;
    let right = Options::of(&world);
    let said = right.doctor(&[]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let checks =
        ["configuration", "credential", "service", "scope", "provider", "clock", "token", "role", "call"];
    for check in checks.into_iter().chain(["standards"]) {
        assert!(said.out.contains(&format!("ok       {check}: ")), "{check}: {}", said.out);
    }
    let (tenant, client, secret) =
        (world.client.tenant, world.client.client_id, world.client.secret.expose());
    let service = world.idp.service();

    // The four of the token request, and what is wrong before anything is sent.
    let service_id = service.client_id.to_string();
    let as_service = right.but("--client-id", &service_id);
    as_service.but("--service-client-id", &service_id).assert_named(
        "the service's client id, known",
        &["configuration"],
        &["own app registration"],
    );
    as_service.assert_named(
        "the service's client id",
        &["token"],
        &["own app registration, not the service's"],
    );
    let own = format!("api://{client}/.default");
    right.but("--scope", &own).assert_named("own URI", &["configuration"], &["operator of the service gave"]);
    let bare = &service.application_id_uri;
    right.but("--scope", bare).assert_named("no /.default", &["configuration"], &["append `/.default`"]);
    let other = right.but("--scope", "api://elsewhere/.default");
    other.assert_named("another API", &["scope", "token"], &["api://norma/.default", "consent"]);
    right.but("--tenant", "common").assert_named("no tenant", &["configuration"], &["caller's own tenant"]);

    // Mistakes that provider and service report.
    let unknown = "77777777-7777-4777-8777-777777777777";
    right.but("--tenant", unknown).assert_named("unknown tenant", &["provider"], &["caller's own"]);
    right.but("--client-id", unknown).assert_named("unknown client", &["token"], &["own app registration"]);
    let wrong = world.file("wrong", "guess").display().to_string();
    right.but("--secret-file", &wrong).assert_named("wrong secret", &["token"], &["expired"]);
    right.but("--secret-file", "/nowhere").assert_named(
        "no secret",
        &["credential"],
        &["/nowhere", "set a file"],
    );
    right.but("--authority", "http://127.0.0.1:9").assert_named("no provider", &["provider"], &["URL"]);
    let nowhere = right.but("--base-url", "http://127.0.0.1:9");
    nowhere.assert_named("no service", &["service", "call"], &["check the service URL"]);
    let provider = right.but("--base-url", world.idp.url());
    provider.assert_named("the provider for the service", &["service", "call"], &["check the service URL"]);

    // Consent, role, grant and suspension.
    world.idp.revoke_role(tenant, client).unwrap();
    right.assert_named("no role", &["role", "call"], &["admin consent", "role-missing"]);
    world.idp.withdraw_consent(tenant).unwrap();
    right.assert_named("no consent", &["token"], &["an administrator must consent"]);
    world.idp.consent(tenant).unwrap();
    world.idp.grant_role(tenant, client).unwrap();
    world.idp.set_clock_ahead(600);
    right.assert_named("a wrong clock", &["clock", "clock", "call"], &["set the clock"]);
    world.idp.set_clock_ahead(0);
    let id = tenant.to_string();
    assert_eq!(world.operate(&["grant", "remove", "1"]).code, Some(0));
    world.until(&world.token(), 404).await;
    right.assert_named("no grant", &["standards"], &["for a grant"]);
    assert_eq!(world.operate(&["tenant", "suspend", &id]).code, Some(0));
    world.until(&world.token(), 403).await;
    right.assert_named("suspended", &["call"], &["resume"]);
    assert_eq!(world.operate(&["tenant", "remove", &id]).code, Some(0));
    world.until(&world.token(), 401).await;
    right.assert_named("not registered", &["call"], &["not registered tenant", &id]);

    for said in [right.doctor(&[]), right.but("--scope", bare).doctor(&[])] {
        assert!(!said.out.contains(secret) && !said.err.contains(secret));
        assert!(said.out.contains("problem  ") && said.out.contains("to do: "), "{}", said.out);
    }
}
