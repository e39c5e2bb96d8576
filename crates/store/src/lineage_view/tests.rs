//! Number of reads that following an id takes.

use std::time::SystemTime;

use norma_model::{LineageId, NeighbourLinks, PartitionEdition};

use super::*;
use crate::entry::Publication;
use crate::fair::READS;
use crate::{Day, Grant, GrantScope, LineageUpdate, Lookup, Store, StoreOptions, Tenant, Viewer};

fn urn(edition: u8) -> String {
    format!("urn:iso:std:iso:7:ed-{edition}:en")
}

/// Rows that the last of this number of editions reads for this number of ids that were never answered.
async fn reads(editions: u8, ids: u8) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let location = folder.path().join("norma.db").to_str().unwrap().parse().unwrap();
    let store = Store::open(&location, &StoreOptions::default()).await.unwrap();
    let now = SystemTime::UNIX_EPOCH;
    store.put_tenant(&Tenant { id: "t".to_owned(), ..Tenant::default() }, now).await.unwrap();
    let (scope, tenant) = (GrantScope::Urns("*".parse().unwrap()), "t".to_owned());
    let grant = Grant { tenant, client: None, scope, level: Level::Read, from: None, until: None };
    store.add_grant(&grant, now).await.unwrap();
    for n in 1..=editions {
        let mut publication = Publication::empty(&urn(n));
        publication.provisions =
            (0..50).map(|m| ProvisionId::from_bytes([m + 1; 16].map(|b| b ^ n))).collect();
        store.publish(&publication, now).await.unwrap();
    }
    let document = store.document("urn:iso:std:iso:7").await.unwrap();
    let edition = |n| PartitionEdition { urn: urn(n).into(), revision: "".into() };
    let links = |newer| {
        let united = (0..50).map(|m| (m, m)).collect();
        NeighbourLinks { older: newer - 1, newer, united, related: Vec::new() }
    };
    let partition = Partition {
        editions: (1..=editions).map(edition).collect(),
        neighbours: (1..editions.into()).map(links).collect(),
    };
    let (stem, wanted) = (document.stem, document.wanted);
    let update = LineageUpdate { stem, wanted, matcher: 1, partition, inherited: Vec::new() };
    assert!(store.put_lineages(&update, now).await.unwrap());
    let view = store.view_for(&Viewer::verified("t", "c", Day::from_time(now))).await.unwrap();
    let urn = norma_model::Identifier::parse(&urn(editions)).unwrap();
    let Some(Lookup::Edition(last)) = view.find(&urn, &[]).await.unwrap() else { panic!("{urn:?}") };
    let asked: Vec<_> = (0..ids).map(|n| Asked::Lineage(LineageId::from_bytes([n; 16]))).collect();
    READS.take();
    let (fates, is_fresh) = last.fates(&asked, None, 1).await.unwrap();
    assert!(is_fresh && fates.iter().all(Option::is_none), "{fates:?}");
    READS.take()
}

#[tokio::test]
async fn an_id_that_was_never_answered_costs_a_bounded_number_of_reads() {
    let [of_two, of_six] = [reads(2, 40).await, reads(6, 40).await];
    assert_eq!(of_two, of_six);
    let reads_of = |what: &str| of_six.iter().filter(|sql| sql.contains(what)).count();
    // One partition and one list of ids are decoded; an id is looked for among those of provisions and of
    // retired ones.
    assert_eq!((reads_of("FROM lineages"), reads_of("FROM editions e")), (1, 1), "{of_six:#?}");
    assert_eq!((reads_of("FROM provisions x"), reads_of("FROM retired_provisions")), (40, 40), "{of_six:#?}");
    assert_eq!(of_six.len(), 82, "{of_six:#?}");
}
