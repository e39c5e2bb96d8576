//! Damage: bytes that an engine or an object store altered are found in the piece that they lie in, and never given out.

use norma_store::{Blob, BlobReader, Encoding, Error, Settings, Store};

use crate::world::{World, behind, edition};

promises!(
    a_large_blob_is_read_piece_by_piece,
    a_piece_needs_no_other_piece,
    an_altered_bit_is_found_in_each_blob,
    altered_checksums_are_found_as_well,
    a_blob_of_several_pieces_is_collected_with_them,
);

/// Several pieces and a rest, no two of them alike.
fn large() -> Blob {
    let size = 3 * BlobReader::PIECE as u32 + 4_321;
    Blob::new((0..size).map(|n| ((n / 3) ^ (n >> 16)) as u8).collect::<Vec<_>>())
}

async fn with_large(world: &World) -> Blob {
    let (mut publication, large) = (edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009"), large());
    publication.views.push(("graph".to_owned(), Encoding::Identity, large.clone()));
    world.publish(&publication).await;
    large
}

/// A handle that remembers nothing.
async fn fresh(world: &World) -> Store {
    Store::open(&world.location, &Settings::default()).await.unwrap()
}

/// Alters each piece that lies in the engine or in a folder, but pieces `kept` of a large blob.
async fn flip(world: &World, kept: &[u32]) {
    let blobs = world.folder.path().join("blobs");
    if blobs.is_dir() {
        for entry in walkdir(&blobs) {
            let mut bytes = std::fs::read(&entry).unwrap();
            for (n, piece) in bytes.chunks_mut(BlobReader::PIECE as usize).enumerate() {
                let middle = piece.len() / 2;
                piece[middle] ^= if kept.contains(&(n as u32)) { 0 } else { 0x10 };
            }
            std::fs::write(&entry, bytes).unwrap();
        }
        return;
    }
    let kept: Vec<String> = kept.iter().map(ToString::to_string).collect();
    let altered = match &world.database {
        Some(_) => "set_bit(bytes, 9, 1 - get_bit(bytes, 9))",
        None => {
            "CAST(substr(bytes, 1, 4) || CASE WHEN substr(bytes, 5, 1) = x'41' THEN x'40' ELSE x'41' END \
             || substr(bytes, 6) AS BLOB)"
        }
    };
    let sql = format!(
        "UPDATE blobs SET bytes = {altered} WHERE bytes IS NOT NULL; \
         UPDATE blob_pieces SET bytes = {altered} WHERE n NOT IN ({})",
        if kept.is_empty() { "-1".to_owned() } else { kept.join(", ") }
    );
    behind(world.folder.path(), world.database.as_ref(), &sql).await;
}

fn walkdir(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walkdir(&path) } else { vec![path] }).collect()
}

async fn a_large_blob_is_read_piece_by_piece(world: World) {
    let large = with_large(&world).await;
    let store = fresh(&world).await;
    let reader = store.blob_reader(&large.digest()).await.unwrap().unwrap();
    assert_eq!((reader.size(), reader.digest()), (large.size(), &large.digest()));
    // In any order, and again.
    for n in [3, 0, 2, 1, 3] {
        let start = n as usize * BlobReader::PIECE as usize;
        let end = (start + BlobReader::PIECE as usize).min(large.bytes().len());
        assert!(reader.piece(n).await.unwrap() == large.bytes().slice(start..end), "piece {n}");
    }
    assert!(matches!(reader.piece(4).await, Err(Error::Corrupt(_))));
    assert!(store.blob(&large.digest()).await.unwrap().as_ref() == Some(large.bytes()));
    assert!(store.blob_reader(&Blob::new("nothing").digest()).await.unwrap().is_none());
}

async fn a_piece_needs_no_other_piece(world: World) {
    let large = with_large(&world).await;
    if is_elsewhere(&world) {
        return;
    }
    flip(&world, &[2]).await;
    let store = fresh(&world).await;
    let reader = store.blob_reader(&large.digest()).await.unwrap().unwrap();
    let piece = BlobReader::PIECE as usize;
    assert!(reader.piece(2).await.unwrap() == large.bytes().slice(2 * piece..3 * piece));
    for n in [0, 1, 3] {
        assert!(matches!(reader.piece(n).await, Err(Error::Corrupt(_))), "piece {n}");
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
    let large = with_large(&world).await;
    if is_elsewhere(&world) {
        return;
    }
    flip(&world, &[]).await;
    let store = fresh(&world).await;
    let views = publication.views.iter().map(|(_, _, blob)| blob.digest());
    for digest in views.chain([publication.source.digest(), large.digest()]) {
        let read = store.blob(&digest).await;
        assert!(matches!(read, Err(Error::Corrupt(_))), "{digest}");
    }
    assert_eq!(store.verify(&mut |_, _| {}).await.unwrap().damaged, 9);
}

async fn altered_checksums_are_found_as_well(world: World) {
    let large = with_large(&world).await;
    let zeros = match &world.database {
        Some(_) => "decode(repeat('00', length(checksums)), 'hex')",
        None => "zeroblob(length(checksums))",
    };
    let sql = format!("UPDATE blobs SET checksums = {zeros}");
    behind(world.folder.path(), world.database.as_ref(), &sql).await;
    let store = fresh(&world).await;
    assert!(matches!(store.blob(&large.digest()).await, Err(Error::Corrupt(_))));
    assert_eq!(store.verify(&mut |_, _| {}).await.unwrap().damaged, 5);
    // What is put back has checksums again.
    let mut publication = edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009");
    publication.views.push(("graph".to_owned(), Encoding::Identity, large.clone()));
    publication.mend = true;
    world.publish(&publication).await;
    assert!(store.blob(&large.digest()).await.unwrap().as_ref() == Some(large.bytes()));
    assert_eq!(store.verify(&mut |_, _| {}).await.unwrap().damaged, 0);
}

async fn a_blob_of_several_pieces_is_collected_with_them(world: World) {
    let large = [large()];
    world.store.lay(&large, false, crate::world::at(0)).await.unwrap();
    let collected = world.store.gc(std::time::Duration::ZERO, crate::world::at(1_000_000)).await.unwrap();
    assert_eq!((collected.blobs, collected.bytes), (1, large[0].size()));
    // Nothing of it is left that a new one could meet.
    behind(world.folder.path(), world.database.as_ref(), "DELETE FROM blobs").await;
    world.store.lay(&large, false, crate::world::at(2)).await.unwrap();
    assert!(fresh(&world).await.blob(&large[0].digest()).await.unwrap().as_ref() == Some(large[0].bytes()));
}
