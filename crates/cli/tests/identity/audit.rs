//! The audit: one event for each read of content, none lost at the end, and no token anywhere.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::world::{STANDARD, World};

#[tokio::test(flavor = "multi_thread")]
async fn each_read_is_one_event_and_no_token_is_ever_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let mut world = World::start(&[
        "--audit-file",
        path.to_str().unwrap(),
        "--log-level",
        "trace",
        "--refused-limit",
        "0",
    ])
    .await;
    let (good, id) = (world.token(), STANDARD.replace(':', "%3A"));
    let mut sent = BTreeSet::new();
    for number in 0..50 {
        let part = ["", "/metadata", "/sections", "/content?section=2", "/provisions/2"][number % 5];
        let url = format!("{}/api/content/v1/standards/{id}{part}", world.base_url);
        let request = world
            .http
            .get(url)
            .bearer_auth(&good)
            .header("accept-encoding", "identity")
            .header("x-request-id", format!("read-{number}"));
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        sent.insert((format!("read-{number}"), answer.bytes().await.unwrap().len() as u64));
    }
    let bad: Vec<String> = mangled(&good);
    for token in &bad {
        let (status, code) = world.read(token).await;
        assert!([400, 401].contains(&status), "{status} {code} for {token}");
        assert!(["token-invalid", "invalid-request"].contains(&code.as_str()), "{code}");
    }
    world.stop().await;

    let events: Vec<Value> = std::fs::read_to_string(&path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let text = |event: &Value, name: &str| {
        event[name].as_str().unwrap_or_else(|| panic!("{name} in {event}")).to_owned()
    };
    let read: BTreeSet<_> =
        events.iter().map(|e| (text(e, "request"), e["bytes"].as_u64().unwrap())).collect();
    assert_eq!((events.len(), read), (50, sent));
    for event in &events {
        assert_eq!(text(event, "tenant"), world.client.tenant.to_string());
        assert_eq!(text(event, "client"), world.client.client_id.to_string());
        assert_eq!(text(event, "standard"), STANDARD);
        assert!(text(event, "part").starts_with("/api/content/v1/standards/{id}"), "{event}");
        assert_eq!(event["status"], 200);
        let number: usize = text(event, "request").trim_start_matches("read-").parse().unwrap();
        assert_eq!(text(event, "path").ends_with("/provisions/2"), number % 5 == 4, "{event}");
        assert_eq!(text(event, "path").ends_with("/content?section=2"), number % 5 == 3, "{event}");
    }
    let log = world.log();
    assert_eq!(log.matches("a token was refused").count(), bad.len());
    let signature = good.rsplit('.').next().unwrap();
    for secret in [signature, good.split('.').nth(1).unwrap()] {
        assert!(
            !log.contains(&secret[..40]) && !std::fs::read_to_string(&path).unwrap().contains(&secret[..40])
        );
    }
    assert!(!log.contains("ERROR") && !log.contains("panicked"), "{log}");
}

/// Tokens that were good once.
fn mangled(good: &str) -> Vec<String> {
    let parts: Vec<&str> = good.split('.').collect();
    let [header, claims, signature] = parts[..] else { panic!("a token has three parts") };
    vec![
        format!("{header}.{claims}.{}", signature.chars().rev().collect::<String>()),
        format!("{header}.{claims}."),
        format!("{header}.{claims}"),
        format!("{good}="),
        format!("{good}.{signature}"),
        format!("{header}.{header}.{signature}"),
        format!("eyJhbGciOiJub25lIn0.{claims}."),
        format!("eyJhbGciOiJub25lIn0.{claims}.{signature}"),
        good[..good.len() / 2].to_owned(),
        good.repeat(20),
    ]
}
