//! Damaged bytes, of an engine or an object store: found in the piece that holds them, and never returned.

use norma_model::Asset;
use norma_store::{Blob, BlobReader, Error, Publication, Settings, Store};

use crate::world::{World, edition, run_sql};

promises!(
    a_large_blob_is_read_piece_by_piece,
    a_piece_needs_no_other_piece,
    an_altered_bit_is_found_in_each_blob,
    altered_checksums_are_found_as_well,
    a_blob_of_several_pieces_is_collected_with_them,
);

/// Bytes of the largest piece.
const PIECE: usize = 256 << 10;

/// Several pieces and a rest, no two of them alike.
fn large() -> Blob {
    let size = 3 * PIECE as u32 + 4_321;
    Blob::new((0..size).map(|n| ((n / 3) ^ (n >> 16)) as u8).collect::<Vec<_>>())
}

/// An edition with a large picture.
fn with_large() -> (Publication, Blob) {
    let (mut publication, large) = (edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009"), large());
    let (digest, size) = (large.digest(), large.size());
    publication.assets = vec![Asset { digest, size, media_type: "image/png".to_owned(), dimensions: None }];
    publication.pictures = vec![large.clone()];
    (publication, large)
}

async fn published_large(world: &World) -> Blob {
    let (publication, large) = with_large();
    world.publish(&publication).await;
    large
}

/// A reader of a pack or picture of an edition.
async fn reader(store: &Store, blob: &Blob) -> BlobReader {
    for edition in store.editions(None, 10).await.unwrap() {
        let handle = store.handle(&store.entry(&edition.urn).await.unwrap().unwrap());
        if handle.pack().digest() == &blob.digest() {
            return handle.pack();
        }
        if let Some(asset) = handle.asset(&blob.digest()).await.unwrap() {
            return asset;
        }
    }
    panic!("no edition has {}", blob.digest());
}

/// All of a blob.
async fn whole(store: &Store, blob: &Blob) -> norma_store::Result<bytes::Bytes> {
    reader(store, blob).await.read(0..u64::MAX).await
}

/// A handle that remembers nothing.
async fn fresh(world: &World) -> Store {
    Store::open(&world.location, &Settings::default()).await.unwrap()
}

/// Alters each piece that lies in the engine or in a folder, but pieces `spared` of a large blob.
async fn flip(world: &World, spared: &[u32]) {
    let blobs = world.folder.path().join("blobs");
    if blobs.is_dir() {
        for entry in walkdir(&blobs) {
            let mut bytes = std::fs::read(&entry).unwrap();
            for (n, piece) in bytes.chunks_mut(PIECE).enumerate() {
                let middle = piece.len() / 2;
                piece[middle] ^= if spared.contains(&(n as u32)) { 0 } else { 0x10 };
            }
            std::fs::write(&entry, bytes).unwrap();
        }
        return;
    }
    let spared: Vec<String> = spared.iter().map(ToString::to_string).collect();
    let altered = match &world.database {
        Some(_) => "set_bit(bytes, 9, 1 - get_bit(bytes, 9))",
        None => {
            "CAST(substr(bytes, 1, 4) || CASE WHEN substr(bytes, 5, 1) = x'41' THEN x'40' ELSE x'41' END \
             || substr(bytes, 6) AS BLOB)"
        }
    };
    let sql = format!(
        "UPDATE pieces SET bytes = {altered} WHERE id % 1048576 NOT IN ({})",
        if spared.is_empty() { "-1".to_owned() } else { spared.join(", ") }
    );
    run_sql(world.folder.path(), world.database.as_ref(), &sql).await;
}

fn walkdir(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walkdir(&path) } else { vec![path] }).collect()
}

async fn a_large_blob_is_read_piece_by_piece(world: World) {
    let large = published_large(&world).await;
    let store = fresh(&world).await;
    let reader = reader(&store, &large).await;
    assert_eq!((reader.size(), reader.digest()), (large.size(), &large.digest()));
    let size = large.bytes().len();
    // In any order, and again; from the middle of a piece as well.
    for at in [3 * PIECE, 0, 2 * PIECE + 7, PIECE, size - 1, 3 * PIECE] {
        let end = (at / PIECE * PIECE + PIECE).min(size);
        assert!(reader.piece_from(at as u64).await.unwrap() == large.bytes().slice(at..end), "from {at}");
    }
    assert!(reader.piece_from(size as u64).await.unwrap().is_empty());
    for range in [0..size, 5..9, PIECE - 1..PIECE + 1, size - 1..size + 7, size..size + 1, 9..9] {
        let expected = large.bytes().slice(range.start.min(size)..range.end.min(size));
        assert!(reader.read(range.start as u64..range.end as u64).await.unwrap() == expected, "{range:?}");
    }
}

async fn a_piece_needs_no_other_piece(world: World) {
    let large = published_large(&world).await;
    if is_elsewhere(&world) {
        return;
    }
    flip(&world, &[2]).await;
    let store = fresh(&world).await;
    let reader = reader(&store, &large).await;
    assert!(reader.piece_from(2 * PIECE as u64).await.unwrap() == large.bytes().slice(2 * PIECE..3 * PIECE));
    for n in [0, 1, 3] {
        assert!(matches!(reader.piece_from(n * PIECE as u64).await, Err(Error::Corrupt(_))), "piece {n}");
    }
}

/// Whether the bytes lie in a server that this test does not reach into.
fn is_elsewhere(world: &World) -> bool {
    let address = world.location.to_string();
    address.contains("s3://") || address.contains("az://")
}

async fn an_altered_bit_is_found_in_each_blob(world: World) {
    let publication = edition("urn:iso:std:iso:7301:ed-4:en", "ISO 7301:2021");
    world.publish(&publication).await;
    let large = published_large(&world).await;
    if is_elsewhere(&world) {
        return;
    }
    flip(&world, &[]).await;
    let store = fresh(&world).await;
    for blob in [publication.pack, large] {
        assert!(matches!(whole(&store, &blob).await, Err(Error::Corrupt(_))), "{}", blob.digest());
    }
    assert_eq!(store.verify(&mut |_, _| {}).await.unwrap().damaged, 3);
}

async fn altered_checksums_are_found_as_well(world: World) {
    let large = published_large(&world).await;
    // The last byte is one of the checksum of the last piece.
    let other = match &world.database {
        Some(_) => "set_byte(pieces, length(pieces) - 1, 255 - get_byte(pieces, length(pieces) - 1))",
        None => {
            "CAST(substr(pieces, 1, length(pieces) - 1) \
             || CASE WHEN substr(pieces, -1) = x'41' THEN x'40' ELSE x'41' END AS BLOB)"
        }
    };
    let sql = format!("UPDATE blobs SET pieces = {other}");
    run_sql(world.folder.path(), world.database.as_ref(), &sql).await;
    let store = fresh(&world).await;
    assert!(matches!(whole(&store, &large).await, Err(Error::Corrupt(_))));
    assert_eq!(store.verify(&mut |_, _| {}).await.unwrap().damaged, 2);
    // What is put back has checksums again.
    let (mut publication, _) = with_large();
    publication.repair = true;
    world.publish(&publication).await;
    assert!(whole(&store, &large).await.unwrap() == large.bytes());
    assert_eq!(store.verify(&mut |_, _| {}).await.unwrap().damaged, 0);
}

async fn a_blob_of_several_pieces_is_collected_with_them(world: World) {
    let large = [large()];
    world.store.stage_blobs(&large, false, crate::world::at(0)).await.unwrap();
    let collected = world.store.gc(std::time::Duration::ZERO, crate::world::at(1_000_000)).await.unwrap();
    assert_eq!((collected.blobs, collected.bytes), (1, large[0].size()));
    // Nothing of it is left: this would fail.
    let alone = "CREATE UNIQUE INDEX no_two ON pieces ((1)); INSERT INTO pieces (id, bytes) VALUES (0, '')";
    let alone = if world.database.is_some() { alone.to_owned() } else { alone.replace("''", "x''") };
    run_sql(world.folder.path(), world.database.as_ref(), &alone).await;
    run_sql(world.folder.path(), world.database.as_ref(), "DROP INDEX no_two").await;
    world.store.stage_blobs(&large, false, crate::world::at(2)).await.unwrap();
    let staged = fresh(&world).await.blob_verified(&large[0].digest()).await.unwrap().unwrap();
    assert!(staged.bytes() == large[0].bytes());
}
