//! A change of grants is a change of the catalogue's state, so that no answer from before it is given again.

use std::time::SystemTime;

use norma_api::Operation;
use norma_store::{Grant, Level, Scope, Tenant};

use crate::world::{self, World};

#[tokio::test(flavor = "multi_thread")]
async fn each_change_of_grants_tenants_and_suspensions_changes_the_state_of_the_catalogue() {
    let world = World::new().await;
    let (store, now) = (&world.store, SystemTime::now());
    let tenant =
        Tenant { id: "other".into(), issuer: Some("https://other.test".into()), ..Tenant::default() };
    let scope = Scope::Urns("*".parse().unwrap());
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
    let grant = Grant {
        tenant: world.tenant.to_string(),
        client: None,
        scope: Scope::List([world::HIDDEN.parse().unwrap()].into()),
        level: Level::Read,
        from: None,
        until: None,
    };
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
