//! Search indexes that one process builds and the others fetch.

use std::time::Duration;

use bytes::Bytes;
use norma_store::{BUILDER_LOST, Collected, SearchSetFile, Store, StoreError};

use crate::world::{Kind, World, at};

promises!(
    one_process_at_a_time_builds_an_index,
    a_set_is_published_as_a_whole_and_its_parts_stay_until_no_set_has_them,
    an_index_that_nothing_builds_is_forgotten_and_collected,
    an_index_that_was_released_stays_as_long_as_after_a_sign_of_life,
    a_set_with_a_part_that_was_collected_is_refused,
    a_copy_has_the_index_unless_a_process_builds_one_there,
);

const ANALYSER: u32 = 4;

async fn claim(world: &World, analyser: u32, builder: &str, seconds: u64) -> bool {
    world.store.claim_search_index(analyser, builder, false, at(seconds)).await.unwrap()
}

async fn file(store: &Store, name: &str, content: &'static str, seconds: u64) -> SearchSetFile {
    let part =
        store.put_search_part(Bytes::from_static(content.as_bytes()), false, at(seconds)).await.unwrap();
    SearchSetFile { name: name.to_owned(), size: content.len() as u64, parts: vec![part] }
}

async fn publish(world: &World, builder: &str, files: &[SearchSetFile], seconds: u64) -> bool {
    let list = Bytes::from_static(b"segments");
    world.store.publish_search_set(ANALYSER, builder, &list, files, at(seconds)).await.unwrap()
}

async fn one_process_at_a_time_builds_an_index(world: World) {
    let lost = BUILDER_LOST.as_secs();
    assert!(claim(&world, ANALYSER, "one", 0).await);
    assert!(!claim(&world, ANALYSER, "two", lost - 1).await);
    // Another analyser has another index.
    assert!(claim(&world, ANALYSER + 1, "two", 0).await);
    assert!(claim(&world, ANALYSER, "one", lost - 1).await);
    assert!(!claim(&world, ANALYSER, "two", lost + 1).await);
    assert!(claim(&world, ANALYSER, "two", 2 * lost).await);
    assert!(!claim(&world, ANALYSER, "one", 2 * lost).await);
    assert!(!publish(&world, "one", &[], 2 * lost).await);
    assert!(world.store.claim_search_index(ANALYSER, "one", true, at(2 * lost)).await.unwrap());
    assert!(publish(&world, "one", &[], 2 * lost).await);
    world.store.release_search_index(ANALYSER, "two", at(2 * lost)).await.unwrap();
    assert!(!claim(&world, ANALYSER, "two", 2 * lost).await);
    world.store.release_search_index(ANALYSER, "one", at(2 * lost)).await.unwrap();
    assert!(claim(&world, ANALYSER, "two", 2 * lost).await);
    assert_ne!(Store::builder_name(), Store::builder_name());
}

async fn a_set_is_published_as_a_whole_and_its_parts_stay_until_no_set_has_them(world: World) {
    let store = &world.store;
    assert_eq!(store.search_set(ANALYSER, 0).await.unwrap(), None);
    assert!(claim(&world, ANALYSER, "one", 0).await);
    assert_eq!(store.search_set(ANALYSER, 0).await.unwrap(), None);
    let first = [file(store, "a.term", "aaaa", 0).await, file(store, "a.idx", "bb", 0).await];
    assert!(publish(&world, "one", &first, 1).await);
    let set = store.search_set(ANALYSER, 0).await.unwrap().unwrap();
    assert_eq!((set.files.as_slice(), set.list.as_ref()), (first.as_slice(), b"segments".as_slice()));
    assert_eq!(store.search_set(ANALYSER, set.number).await.unwrap(), None);
    assert_eq!(store.search_set(ANALYSER + 1, 0).await.unwrap(), None);
    assert_eq!(store.gc(Duration::ZERO, at(1000)).await.unwrap(), Collected::default());

    let second = [first[0].clone(), file(store, "b.idx", "cc", 2).await];
    assert!(publish(&world, "one", &second, 3).await);
    let later = store.search_set(ANALYSER, set.number).await.unwrap().unwrap();
    assert!(later.number > set.number);
    assert_eq!(later.files, second);
    // What only the former set had is removed with it.
    assert!(store.blob_verified(&first[1].parts[0]).await.unwrap().is_none());
    assert_eq!(store.blob_verified(&first[0].parts[0]).await.unwrap().unwrap().bytes().as_ref(), b"aaaa");
    let verified = store.verify(&mut |_, damage| assert_eq!(damage, None)).await.unwrap();
    assert_eq!((verified.blobs, verified.bytes), (2, 6));
}

async fn an_index_that_nothing_builds_is_forgotten_and_collected(world: World) {
    let (store, hour) = (&world.store, 3600);
    assert!(claim(&world, ANALYSER, "one", 0).await);
    let files = [file(store, "a.term", "aaaa", 0).await];
    assert!(publish(&world, "one", &files, 1).await);
    assert!(claim(&world, ANALYSER, "one", 20 * hour).await);
    assert_eq!(store.gc(Duration::ZERO, at(31 * hour)).await.unwrap(), Collected::default());
    assert!(store.search_set(ANALYSER, 0).await.unwrap().is_some());
    assert_eq!(store.gc(Duration::ZERO, at(33 * hour)).await.unwrap(), Collected { blobs: 1, bytes: 4 });
    assert_eq!(store.search_set(ANALYSER, 0).await.unwrap(), None);
}

async fn an_index_that_was_released_stays_as_long_as_after_a_sign_of_life(world: World) {
    let (store, hour) = (&world.store, 3600);
    assert!(claim(&world, ANALYSER, "one", 0).await);
    let files = [file(store, "a.term", "aaaa", 0).await];
    assert!(publish(&world, "one", &files, 1).await);
    store.release_search_index(ANALYSER, "one", at(2)).await.unwrap();
    assert_eq!(store.gc(Duration::ZERO, at(11 * hour)).await.unwrap(), Collected::default());
    assert!(store.search_set(ANALYSER, 0).await.unwrap().is_some());
    store.gc(Duration::ZERO, at(13 * hour)).await.unwrap();
    assert_eq!(store.search_set(ANALYSER, 0).await.unwrap(), None);
}

async fn a_copy_has_the_index_unless_a_process_builds_one_there(world: World) {
    let store = &world.store;
    assert!(claim(&world, ANALYSER, "one", 0).await);
    let files = [file(store, "a.term", "aaaa", 0).await];
    assert!(publish(&world, "one", &files, 1).await);
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(other) = World::open(kind).await else { continue };
        let copy = async |seconds| store.copy_search_indexes(&other.store, at(seconds)).await.unwrap();
        assert_eq!(copy(2).await, 4);
        let copied = other.store.search_set(ANALYSER, 0).await.unwrap().unwrap();
        assert_eq!(
            (copied.list.as_ref(), copied.files.as_slice()),
            (b"segments".as_slice(), files.as_slice())
        );
        let part = other.store.blob_verified(&files[0].parts[0]).await.unwrap().unwrap();
        assert_eq!(part.bytes().as_ref(), b"aaaa");
        assert_eq!(copy(3).await, 0);
        assert_eq!(other.store.search_set(ANALYSER, copied.number).await.unwrap(), None);

        // A process builds the index at once, and what it publishes stays.
        assert!(claim(&other, ANALYSER, "two", 3).await);
        assert!(publish(&other, "two", &[], 4).await);
        assert_eq!(copy(5).await, 0);
        assert_eq!(other.store.search_set(ANALYSER, 0).await.unwrap().unwrap().files, []);
    }
}

async fn a_set_with_a_part_that_was_collected_is_refused(world: World) {
    let store = &world.store;
    assert!(claim(&world, ANALYSER, "one", 0).await);
    let files = [file(store, "a.term", "aaaa", 0).await];
    store.gc(Duration::ZERO, at(10)).await.unwrap();
    let list = Bytes::from_static(b"segments");
    let refused = store.publish_search_set(ANALYSER, "one", &list, &files, at(11)).await;
    assert!(matches!(refused, Err(StoreError::Contended(_))), "{refused:?}");
    assert_eq!(store.search_set(ANALYSER, 0).await.unwrap(), None);
}
