//! Changes of grants: each makes a new catalogue state, so that no earlier answer is sent again.

use std::time::{Duration, SystemTime};

use norma_api::Operation;
use norma_store::{Day, Grant, GrantScope, Level, Tenant};

use crate::world::{self, World};

/// A grant to read the hidden standard.
fn reading_hidden(world: &World) -> Grant {
    Grant {
        tenant: world.tenant.to_string(),
        client: None,
        scope: GrantScope::List([world::HIDDEN.parse().unwrap()].into()),
        level: Level::Read,
        from: None,
        until: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_change_of_grants_tenants_and_suspensions_changes_the_state_of_the_catalogue() {
    let world = World::new().await;
    let (store, now) = (&world.store, SystemTime::now());
    let tenant =
        Tenant { id: "other".into(), issuer: Some("https://other.test".into()), ..Tenant::default() };
    let scope = GrantScope::Urns("*".parse().unwrap());
    let grant =
        Grant { tenant: "other".into(), client: None, scope, level: Level::Read, from: None, until: None };
    let mut states = vec![store.state().await.unwrap()];
    let mut changed = async |what: &str| {
        let state = store.state().await.unwrap();
        assert!(!states.contains(&state), "{what}");
        assert_eq!(store.known_state().await.unwrap(), state, "{what}");
        states.push(state);
    };
    store.put_tenant(&tenant, now).await.unwrap();
    changed("a tenant came").await;
    let id = store.add_grant(&grant, now).await.unwrap().unwrap();
    changed("a grant came").await;
    let discover = Grant { level: Level::Discover, ..grant };
    store.add_grant(&discover, now).await.unwrap().unwrap();
    changed("another grant came").await;
    store.remove_grant(id, now).await.unwrap();
    changed("a grant went").await;
    store.suspend_client("other", "one", true, now).await.unwrap();
    changed("a client was suspended").await;
    store.suspend_client("other", "one", false, now).await.unwrap();
    changed("a client was let in again").await;
    store.put_tenant(&Tenant { suspended: true, ..tenant }, now).await.unwrap();
    changed("a tenant was suspended").await;
    store.remove_tenant("other", now).await.unwrap();
    changed("a tenant went").await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_given_is_not_given_again_once_its_grant_is_gone() {
    let world = World::new().await;
    let status = async |path: &str| world.get(path).send().await.unwrap().status().as_u16();
    let paths = [Operation::Terms, Operation::Sections, Operation::Standard].map(|operation| {
        let path = operation.path_with(&[world::HIDDEN]);
        (operation, path)
    });
    let now = SystemTime::now();
    let grant = reading_hidden(&world);
    for (operation, path) in &paths {
        assert_eq!(status(path).await, 404, "{operation:?}");
    }
    let id = world.store.add_grant(&grant, now).await.unwrap().unwrap();
    for (operation, path) in &paths {
        assert_eq!((status(path).await, status(path).await), (200, 200), "{operation:?}");
    }
    world.store.add_grant(&Grant { level: Level::Discover, ..grant }, now).await.unwrap().unwrap();
    world.store.remove_grant(id, now).await.unwrap();
    let [terms, sections, standard] = paths.map(|(_, path)| path);
    assert_eq!((status(&terms).await, status(&sections).await, status(&standard).await), (403, 200, 403));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_counts_from_its_first_day_to_its_last_one() {
    let world = World::new().await;
    let path = Operation::Standard.path_with(&[world::HIDDEN]);
    let now = SystemTime::now();
    // Two days away, so that midnight may pass during the test.
    let days = Duration::from_secs(2 * 86_400);
    let (past, future) = (Day::from_time(now - days), Day::from_time(now + days));
    for (from, until, expected) in [
        (None, Some(&past), 404),
        (Some(&future), None, 404),
        (Some(&past), Some(&future), 200),
        (Some(&past), None, 200),
        (None, Some(&future), 200),
    ] {
        let grant = Grant { from: from.cloned(), until: until.cloned(), ..reading_hidden(&world) };
        let id = world.store.add_grant(&grant, now).await.unwrap().unwrap();
        let status = world.get(&path).send().await.unwrap().status();
        assert_eq!(status, expected, "{from:?} {until:?}");
        world.store.remove_grant(id, now).await.unwrap();
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_url_of_an_asset_works_for_as_long_as_its_caller_may_read_the_standard() {
    let world = World::new().await;
    let now = SystemTime::now();
    let url = world.resolve(world::READ, "fig_1a").await["url"].as_str().unwrap().to_owned();
    let answer = async || {
        let answer = world.http.get(&url).send().await.unwrap();
        let status = answer.status().as_u16();
        let problem: serde_json::Value =
            serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap_or_default();
        (status, problem["code"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(answer().await.0, 200);
    let (tenant, client) = (world.tenant.to_string(), world.clients[0].to_string());
    world.store.suspend_client(&tenant, &client, true, now).await.unwrap();
    assert_eq!(answer().await, (403, "caller-suspended".to_owned()));
    world.store.suspend_client(&tenant, &client, false, now).await.unwrap();
    assert_eq!(answer().await.0, 200);

    let scope = GrantScope::List([world::READ.parse().unwrap()].into());
    let discover =
        Grant { tenant, client: Some(client), scope, level: Level::Discover, from: None, until: None };
    for (id, grant) in &world.store.policy_now().await.unwrap().grants {
        if grant.scope == discover.scope {
            world.store.remove_grant(*id, now).await.unwrap();
        }
    }
    world.store.add_grant(&discover, now).await.unwrap().unwrap();
    assert_eq!(answer().await, (403, "asset-url-invalid".to_owned()));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_another_file_is_there_instead_of_the_store_nothing_is_answered_not_even_from_the_cache() {
    let world = World::new().await;
    let path = Operation::Standard.path_with(&[world::READ]);
    let status = async |path: &str| world.get(path).send().await.unwrap().status().as_u16();
    let ready = format!("http://{}/readyz", world.running.ops_address);
    let readiness = async || world.http.get(&ready).send().await.unwrap();
    // The second answer is in the response cache.
    for _ in 0..2 {
        assert_eq!(status(&path).await, 200);
    }
    let (file, aside) = (world.folder.path().join("norma.db"), world.folder.path().join("aside.db"));
    std::fs::rename(&file, &aside).unwrap();
    std::fs::copy(&aside, &file).unwrap();
    let unready = world::eventually("the service is not ready", async || {
        Some(readiness().await).filter(|answer| answer.status().as_u16() == 503)
    });
    let said = unready.await.text().await.unwrap();
    assert!(said.contains("was exchanged while it was open: another file is there now"), "{said}");
    for path in [&path, &Operation::Standards.path_with(&[])] {
        assert_eq!(status(path).await, 503, "{path}");
    }
    std::fs::rename(&aside, &file).unwrap();
    world::eventually("the opened file is back", async || {
        Some(readiness().await).filter(|answer| answer.status().is_success())
    })
    .await;
    assert_eq!(status(&path).await, 200);
    world.stop().await;
}
