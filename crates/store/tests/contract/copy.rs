//! Copies: everything arrives, whatever the two engines.

use norma_store::{GrantScope, Level, Lookup, Query};

use crate::world::{Kind, TENANT, World, at, relation, urn_of, variety};

promises!(a_copy_holds_all_that_the_original_holds);

async fn a_copy_holds_all_that_the_original_holds(world: World) {
    let mut publications = variety();
    publications[0].relations = vec![relation(norma_model::RelationKind::Adopts, "ISO 712:2009")];
    publications[0].provisions = (0..700u16).map(provision).collect();
    publications[0].aliases = vec![norma_model::Identifier::parse("iso:std:iso:1:ed-1:v1:en").unwrap()];
    for publication in &publications {
        world.publish(publication).await;
    }
    world.store.withdraw(&publications[4].summary.urn, None, at(2)).await.unwrap();
    for second in 0..3 {
        world.store.rotate_signing_key(at(second)).await.unwrap();
    }
    world.grant("urn:iso:*", Level::Read).await;
    let tokens = norma_store::TokenShape { role_claim: Some("groups".into()), ..Default::default() };
    let shaped = norma_store::Tenant { tokens, ..crate::world::tenant(TENANT) };
    world.store.put_tenant(&shaped, at(2)).await.unwrap();
    world.give(GrantScope::List([publications[0].summary.urn.clone()].into()), Level::Discover).await;
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(other) = World::open(kind).await else { continue };
        let mut reported = 0;
        let copied = world.store.copy_to(&other.store, at(3), &mut |_| reported += 1).await.unwrap();
        assert_eq!((copied.editions, copied.present, reported), (5, 0, 5));
        assert_eq!(other.list(&Query::default()).await, world.list(&Query::default()).await);
        for publication in &publications {
            let urn = publication.summary.urn.as_str();
            let (here, there) = (world.find(urn).await, other.find(urn).await);
            let (Some(Lookup::Edition(here)), Some(Lookup::Edition(there))) = (here, there) else { continue };
            assert_eq!(
                (here.entry(), here.level(), here.related()),
                (there.entry(), there.level(), there.related())
            );
            let pack = other.store.handle(there.entry()).pack().read(0..u64::MAX).await.unwrap();
            assert_eq!(&pack, publication.pack.bytes());
        }
        let (found, position) = other.view().await.provision(&provision(699)).await.unwrap().unwrap();
        assert_eq!(
            (urn_of(Some(found)).as_str(), position.index),
            (publications[0].summary.urn.as_str(), 699)
        );
        assert_eq!(
            urn_of(other.find("iso:std:iso:1:ed-1:v1:en").await),
            publications[0].summary.urn.as_str()
        );
        let (here, there) = (world.store.policy().await.unwrap(), other.store.policy().await.unwrap());
        assert_eq!((here.signing_keys.len(), &here.signing_keys), (3, &there.signing_keys));
        assert_eq!(here.tenant(TENANT), there.tenant(TENANT));
        let again = world.store.copy_to(&other.store, at(4), &mut |_| {}).await.unwrap();
        assert_eq!((again.editions, again.present, again.bytes), (0, 5, 0));
    }
}

fn provision(n: u16) -> norma_model::ProvisionId {
    let mut bits = [0; 16];
    bits[..2].copy_from_slice(&n.to_be_bytes());
    norma_model::ProvisionId::from_bytes(bits)
}
