//! Load while keys rotate and the provider is down: every valid token is accepted, and every foreign one
//! refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use norma_api::Operation;
use norma_dev_idp::{DevIdp, DevIdpSettings};
use norma_service::server::FixedLimits;
use tokio::sync::watch;

use crate::world::{READ, World, eventually};

/// Requests at the same time.
const CALLERS: usize = 16;

struct Load {
    world: World,
    good: watch::Receiver<String>,
    foreign: Vec<String>,
    answered: AtomicUsize,
    over: AtomicBool,
}

impl Load {
    async fn call(self: Arc<Self>, caller: usize) {
        for number in caller.. {
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            let good = self.good.borrow().clone();
            assert_eq!(read(&self.world, &good).await, (200, String::new()), "a good token");
            let (status, code) = read(&self.world, &self.foreign[number % self.foreign.len()]).await;
            // While it cannot be known whether a key exists, the answer says so.
            assert!(
                [(401, "token-invalid"), (503, "unavailable")].contains(&(status, code.as_str())),
                "{status} {code}"
            );
            self.answered.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until this many more requests were answered.
    async fn go_on(&self, requests: usize) {
        let aim = self.answered.load(Ordering::Relaxed) + requests;
        eventually("more requests are answered", async || {
            (self.answered.load(Ordering::Relaxed) >= aim).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn under_load_rotation_and_outage_refuse_no_good_token_and_accept_no_foreign_one() {
    let folder = tempfile::tempdir().unwrap();
    let state_file = Some(folder.path().join("state.json"));
    let settings = DevIdpSettings { state_file, ..DevIdpSettings::ephemeral() };
    // Rotation in a second is what takes hours elsewhere; the pauses are as much shorter.
    let mut limits = FixedLimits::default();
    limits.keys.refetch_gap = Duration::ZERO;
    let idp = DevIdp::start(settings.clone()).await.unwrap();
    let world = World::of(idp, limits, &[("rate-limit", "0"), ("refused-limit", "0")]).await;
    let address = world.idp.url().trim_start_matches("http://").parse().unwrap();
    let (current, good) = watch::channel(world.reader());
    let load = Arc::new(Load {
        foreign: foreign(&world).await,
        world,
        good,
        answered: AtomicUsize::new(0),
        over: AtomicBool::new(false),
    });
    let callers: Vec<_> = (0..CALLERS).map(|caller| tokio::spawn(load.clone().call(caller))).collect();
    let idp = &load.world.idp;
    for _ in 0..5 {
        idp.rotate_keys(Duration::from_secs(3600)).await.unwrap();
        current.send(load.world.reader()).unwrap();
        load.go_on(3 * CALLERS).await;
    }

    idp.shutdown().await.unwrap();
    load.go_on(6 * CALLERS).await;
    let ready = load
        .world
        .http
        .get(format!("http://{}/readyz", load.world.running.ops_address))
        .send()
        .await
        .unwrap();
    assert_eq!(ready.status(), 200, "its known keys go on working");
    let idp = DevIdp::start(DevIdpSettings { listen: address, ..settings }).await.unwrap();
    for _ in 0..3 {
        idp.rotate_keys(Duration::from_secs(3600)).await.unwrap();
    }
    let fresh = idp.access_token(load.world.tenant, load.world.clients[0]).unwrap();
    // A fetch that began during the outage may still have to end.
    eventually("the key of the new token is known", async || {
        (read(&load.world, &fresh).await.0 == 200).then_some(())
    })
    .await;
    current.send(fresh).unwrap();
    load.go_on(6 * CALLERS).await;
    load.over.store(true, Ordering::Relaxed);
    for caller in callers {
        caller.await.unwrap();
    }
    assert!(load.answered.load(Ordering::Relaxed) >= 27 * CALLERS);
}

/// Reads a standard with a token: status, and code of the problem.
async fn read(world: &World, token: &str) -> (u16, String) {
    let (status, code, _) =
        world.ask(Operation::Standard, &Operation::Standard.path_with(&[READ]), Some(token)).await;
    (status, code)
}

/// Tokens with a correct form: of another provider, of its keys under our issuer, of an unregistered tenant,
/// and with a shortened signature.
async fn foreign(world: &World) -> Vec<String> {
    let other = DevIdp::start(DevIdpSettings::ephemeral()).await.unwrap();
    let tenant = other.add_tenant("Stranger").unwrap();
    let client = other.register_client(tenant, "Stranger").unwrap().client_id;
    other.consent(tenant).unwrap();
    other.grant_role(tenant, client).unwrap();
    let ours = world.reader();
    let claims = data_encoding::BASE64URL_NOPAD.decode(ours.split('.').nth(1).unwrap().as_bytes()).unwrap();
    let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
    let unregistered = world.idp.add_tenant("Unregistered").unwrap();
    let guest = world.idp.register_client(unregistered, "Guest").unwrap().client_id;
    world.idp.consent(unregistered).unwrap();
    world.idp.grant_role(unregistered, guest).unwrap();
    let body = ours.rsplit_once('.').unwrap().0;
    vec![
        other.access_token(tenant, client).unwrap(),
        other.sign(&claims).unwrap(),
        world.idp.access_token(unregistered, guest).unwrap(),
        format!("{body}.{}", "A".repeat(342)),
    ]
}
