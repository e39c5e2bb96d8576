//! `norma doctor operator`: finds what is missing in an installation, and changes nothing.

use norma_dev_idp::{DevIdp, Settings};
use serde_json::Value;

use crate::world::{STANDARD, World, norma};

/// The checks that found a problem, and everything that was said.
fn problems(arguments: &[&str]) -> (Vec<String>, String) {
    let said = norma(&[&["doctor", "operator", "--format", "json"], arguments].concat());
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty(), "{}", said.err);
    let bad: Vec<&Value> = lines.iter().filter(|line| line["ok"] == false).collect();
    assert_eq!(said.code, Some(i32::from(!bad.is_empty())), "{}", said.out);
    (bad.iter().map(|line| line["check"].as_str().unwrap().to_owned()).collect(), said.out)
}

fn assert_named(what: &str, arguments: &[&str], checks: &[&str], words: &[&str]) {
    let (bad, out) = problems(arguments);
    assert_eq!(bad, checks, "{what}: {out}");
    for word in words {
        assert!(out.contains(word), "{what}: `{word}` is not said in {out}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_installation_is_looked_over_and_each_fault_is_named() {
    let world = World::start(&[]).await;
    let store = world.folder.path().join("norma.db").display().to_string();
    let right = ["--store", &store, "--auth-url", world.idp.url(), "--audience", "api://norma"];
    let but = |more: &[&'static str]| -> Vec<String> {
        right.iter().chain(more).map(|argument| (*argument).to_owned()).collect()
    };
    let (bad, out) = problems(&right);
    assert_eq!(bad, [""; 0], "{out}");
    for said in ["schema is this program's", STANDARD, "2 keys from"] {
        assert!(out.contains(said), "{said}: {out}");
    }

    let without_audience = &right[..4];
    assert_named("no audience", without_audience, &["settings"], &["`audience`", "application ID URI"]);
    for (more, words) in [
        (["--auth-ca", "/nowhere"], ["/nowhere", "PEM"]),
        (["--algorithms", "none"], ["none", "RS256"]),
        (["--trusted-proxies", "everyone"], ["everyone", "10.0.0.0/8"]),
        (["--tls-cert=/nowhere", "--tls-key=/nowhere"], ["`tls-key`: cannot read /nowhere", "PEM"]),
        (["--audit-file", "/nowhere/audit"], ["/nowhere", "make the folder"]),
    ] {
        let arguments = but(&more);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (bad, out) = problems(&arguments);
        assert!(bad.iter().all(|check| check == "settings") && !bad.is_empty(), "{more:?}: {out}");
        assert!(words.iter().all(|word| out.contains(word)), "{more:?}: {out}");
    }

    let absent = world.folder.path().join("absent.db");
    let other = ["--store", absent.to_str().unwrap(), "--audience", "api://norma"];
    assert_named("no store", &other, &["store"], &["norma store migrate"]);
    assert!(!absent.exists(), "looking made a store");
    assert_eq!(norma(&["store", "migrate", "--store", absent.to_str().unwrap()]).code, Some(0));
    assert_named("an empty store", &other, &["tenants", "grants"], &["norma tenant add", "norma grant add"]);

    let elsewhere = ["--store", &store, "--auth-url", "http://127.0.0.1:9", "--audience", "api://norma"];
    assert_named("no provider", &elsewhere, &["keys", "keys"], &["auth-url"]);
    let another = DevIdp::start(Settings::ephemeral()).await.unwrap();
    let stranger = ["--store", &store, "--auth-url", another.url(), "--audience", "api://norma"];
    assert_named("a provider without the tenant", &stranger, &["keys", "keys"], &["tenant's id"]);
}
