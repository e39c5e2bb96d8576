//! Damaged bytes, in an engine or an object store: found in their piece, and never returned.

use norma_model::{Asset, Identifier, Lang, NeighbourLinks, Partition, PartitionEdition, ProvisionId};
use norma_store::{
    Blob, BlobReader, Level, LineageUpdate, Lookup, Publication, Query, Result, Store, StoreError,
    StoreOptions,
};

use crate::world::{World, at, edition, run_sql, viewer};

promises!(
    a_large_blob_is_read_piece_by_piece,
    a_piece_needs_no_other_piece,
    an_altered_bit_is_found_in_each_blob,
    altered_checksums_are_found_as_well,
    a_bit_that_flips_in_the_catalogue_changes_no_answer,
    a_blob_of_several_pieces_is_collected_with_them,
);

/// Bytes of the largest piece.
const PIECE: usize = 256 << 10;

/// Several different pieces and a rest.
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
    Store::open(&world.location, &StoreOptions::default()).await.unwrap()
}

/// Alters each piece in the engine or in a folder, except pieces `spared` of a large blob.
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
        assert!(
            matches!(reader.piece_from(n * PIECE as u64).await, Err(StoreError::Corrupt(_))),
            "piece {n}"
        );
    }
}

/// True if the bytes are on a server that this test cannot change.
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
        assert!(matches!(whole(&store, &blob).await, Err(StoreError::Corrupt(_))), "{}", blob.digest());
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
    assert!(matches!(whole(&store, &large).await, Err(StoreError::Corrupt(_))));
    assert_eq!(store.verify(&mut |_, _| {}).await.unwrap().damaged, 2);
    // Restored rows have checksums again.
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

/// Columns of the catalogue with content, or with values that lead to it.
const BYTES: [(&str, &str); 9] = [
    ("editions", "source"),
    ("edition_parts", "directory"),
    ("edition_parts", "assets"),
    ("edition_parts", "provisions"),
    ("blobs", "digest"),
    ("blobs", "pieces"),
    ("pieces", "bytes"),
    ("comparisons", "record"),
    ("lineages", "links"),
];
const TEXTS: [(&str, &str); 13] = [
    ("editions", "urn"),
    ("editions", "reference"),
    ("editions", "title"),
    ("editions", "publisher"),
    ("editions", "number"),
    ("editions", "languages"),
    ("editions", "kind"),
    ("editions", "published_on"),
    ("editions", "ics"),
    ("editions", "revision"),
    ("comparisons", "older"),
    ("comparisons", "language"),
    ("comparisons", "newer_revision"),
];
const NUMBERS: [(&str, &str); 13] = [
    ("editions", "pack"),
    ("editions", "source_size"),
    ("editions", "listed_checksum"),
    ("edition_parts", "edition"),
    ("edition_parts", "head_checksum"),
    ("edition_parts", "provisions_checksum"),
    ("provisions", "edition"),
    ("blobs", "size"),
    ("comparisons", "matcher"),
    ("comparisons", "checksum"),
    ("lineages", "done"),
    ("lineages", "matcher"),
    ("lineages", "checksum"),
];

/// Statements that flip some bits of a column, one after the other; running one again restores them. Rows
/// that would collide with others, as by a number that two have then, are left alone by the engine's refusal.
fn flips(is_postgres: bool) -> Vec<String> {
    let mut all = Vec::new();
    for (table, column) in BYTES {
        // The first byte, one in the middle and the last one; each has an integer division of its own on both
        // engines.
        for at in ["0", "length({c}) / 3", "length({c}) / 2", "length({c}) - 1"] {
            let at = at.replace("{c}", column);
            all.push(match is_postgres {
                true => format!(
                    "UPDATE {table} SET {column} = set_byte({column}, {at}, get_byte({column}, {at}) # 4) \
                     WHERE length({column}) > 0"
                ),
                false => format!("{table} {column} bytes {at}"),
            });
        }
    }
    for (table, column) in TEXTS {
        // The lowest bit of some letters and digits, which gives another one.
        all.push(match is_postgres {
            true => format!(
                "UPDATE {table} SET {column} = translate({column}, '012367efnoihsrNO', '103276feonhirsON')"
            ),
            false => format!("{table} {column} text"),
        });
    }
    for (table, column) in NUMBERS {
        for bit in [1_i64, 2, 1 << 20] {
            // SQLite has no operator for it.
            all.push(match is_postgres {
                true => format!("UPDATE {table} SET {column} = {column} # {bit}"),
                false => {
                    format!("UPDATE {table} SET {column} = ({column} | {bit}) - ({column} & {bit})")
                }
            });
        }
    }
    all
}

/// Runs a statement of [`flips`]; false if the engine refuses it.
async fn run_flip(world: &World, flip: &str) -> bool {
    if let Some(database) = &world.database {
        let mut connection = database.connect().await;
        return sqlx::raw_sql(sqlx::AssertSqlSafe(flip.to_owned())).execute(&mut connection).await.is_ok();
    }
    let file = rusqlite::Connection::open(world.folder.path().join("norma.db")).unwrap();
    if flip.starts_with("UPDATE") {
        return file.execute(flip, []).is_ok();
    }
    let words: Vec<&str> = flip.splitn(4, ' ').collect();
    let (table, column) = (words[0], words[1]);
    if words[2] == "text" {
        let swap = |c: char| match "012367efnoihsrNO".find(c) {
            Some(at) => char::from(b"103276feonhirsON"[at]),
            None => c,
        };
        let texts: Vec<String> = {
            let mut asked = file.prepare(&format!("SELECT DISTINCT {column} FROM {table}")).unwrap();
            asked.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap()
        };
        // By another form first, so that no two rows have one text meanwhile.
        let sql = format!("UPDATE {table} SET {column} = ?1 WHERE {column} = ?2");
        for text in &texts {
            file.execute(&sql, [format!("\u{1}{text}"), text.clone()]).unwrap();
        }
        for text in &texts {
            file.execute(&sql, [text.chars().map(swap).collect(), format!("\u{1}{text}")]).unwrap();
        }
        return true;
    }
    let at = words[3];
    let asked = format!("SELECT {column}, {at} FROM {table} WHERE length({column}) > 0");
    let cells: Vec<(Vec<u8>, usize)> = {
        let mut asked = file.prepare(&asked).unwrap();
        let cell = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)? as usize));
        asked.query_map([], cell).unwrap().collect::<rusqlite::Result<_>>().unwrap()
    };
    for (cell, at) in cells {
        let mut flipped = cell.clone();
        flipped[at] ^= 4;
        let sql = format!("UPDATE {table} SET {column} = ?1 WHERE {column} = ?2");
        file.execute(&sql, [flipped, cell]).unwrap();
    }
    true
}

/// All reads of a service, each with a name and an error or an answer, which is `None` if nothing is found.
async fn read_all(store: &Store, urns: &[String]) -> Vec<(String, Result<Option<String>>)> {
    let mut all = Vec::new();
    let view = store.view_for(&viewer("2026-05-01")).await.unwrap();
    let english: Lang = "en".parse().unwrap();
    let mut found = Vec::new();
    for urn in urns {
        let granted = match view.find(&Identifier::parse(urn).unwrap(), &[]).await {
            Ok(Some(Lookup::Edition(granted))) => granted,
            other => {
                all.push((urn.clone(), other.map(|_| None)));
                continue;
            }
        };
        let entry = granted.entry();
        let shown = (&entry.summary, &entry.revision, &entry.source, entry.source_size, &entry.directory);
        all.push((urn.clone(), Ok(Some(format!("{shown:?} {:?}", entry.assets)))));
        let handle = granted.readable().unwrap();
        let pack = handle.pack().read(0..u64::MAX).await;
        all.push((format!("pack of {urn}"), pack.map(|bytes| Some(format!("{bytes:?}")))));
        for (n, asset) in entry.assets.iter().enumerate() {
            let bytes = match handle.asset(&asset.digest).await {
                Ok(Some(blob)) => blob.read(0..u64::MAX).await.map(|bytes| Some(format!("{bytes:?}"))),
                other => other.map(|_| None),
            };
            all.push((format!("asset {n} of {urn}"), bytes));
        }
        let edition = entry.summary.urn.edition().parse().unwrap();
        for m in 0..3 {
            let id = provision(edition, m);
            let shown = crate::lineage::lineage_of(&granted, id, m.into()).await;
            all.push((
                format!("lineage of {id}"),
                shown.map(|shown| shown.map(|shown| format!("{shown:?}"))),
            ));
        }
        found.push(handle);
    }
    for (edition, m) in [(1, 0), (1, 2), (2, 1)] {
        let id = provision(edition, m);
        let shown = view.provision(&id).await;
        let shown = shown.map(|found| {
            let (Lookup::Edition(edition), position) = found? else { return None };
            Some(format!("{} {position:?}", edition.entry().summary.urn))
        });
        all.push((format!("provision {id}"), shown));
    }
    if let [older, newer] = &found[..] {
        let record = older.comparison(newer, &english, 1).await;
        all.push(("comparison".to_owned(), record.map(|record| record.map(|record| format!("{record:?}")))));
    }
    let page = view.list(&Query::default(), None, 100).await;
    let rows = page.map(|page| page.rows.iter().map(|row| format!("{:?}", row.summary)).collect::<Vec<_>>());
    match rows {
        Ok(rows) => {
            all.extend(rows.into_iter().enumerate().map(|(n, row)| (format!("row {n}"), Ok(Some(row)))))
        }
        Err(error) => all.push(("list".to_owned(), Err(error))),
    }
    all
}

/// Provision `m` of edition `n`.
fn provision(n: u8, m: u8) -> ProvisionId {
    ProvisionId::from_bytes([n, m, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7])
}

async fn a_bit_that_flips_in_the_catalogue_changes_no_answer(world: World) {
    if world.folder.path().join("blobs").is_dir() || is_elsewhere(&world) {
        return;
    }
    world.grant("urn:iso:*", Level::Read).await;
    let urns: Vec<String> = (1..=2).map(|n| format!("urn:iso:std:iso:7:ed-{n}:en")).collect();
    for (n, urn) in (1..).zip(&urns) {
        let mut publication = edition(urn, &format!("ISO 7:200{n}"));
        publication.provisions = (0..3).map(|m| provision(n, m)).collect();
        let picture = Blob::in_pieces(format!("picture of edition {n}"), [4, 9]);
        let (digest, size) = (picture.digest(), picture.size());
        publication.assets =
            vec![Asset { digest, size, media_type: "image/png".to_owned(), dimensions: Some((3, 4)) }];
        publication.pictures = vec![picture];
        world.publish(&publication).await;
    }
    let document = world.store.document("urn:iso:std:iso:7").await.unwrap();
    let state = |one: &norma_store::DocumentEdition| PartitionEdition {
        urn: one.urn.as_str().into(),
        revision: one.revision.as_str().into(),
    };
    let links = NeighbourLinks { older: 0, newer: 1, united: vec![(0, 0), (1, 1)], related: vec![(2, 2)] };
    let update = LineageUpdate {
        stem: document.stem.clone(),
        wanted: document.wanted,
        matcher: 1,
        partition: Partition {
            editions: document.editions.iter().map(state).collect(),
            neighbours: vec![links],
        },
        inherited: Vec::new(),
    };
    assert!(world.store.put_lineages(&update, at(2)).await.unwrap());
    let handle = async |urn: &String| {
        let entry = world.store.entry(&urn.parse().unwrap()).await.unwrap().unwrap();
        world.store.handle(&entry)
    };
    let (older, newer) = (handle(&urns[0]).await, handle(&urns[1]).await);
    let record = bytes::Bytes::from_static(b"a record of some bytes");
    assert!(older.put_comparison(&newer, &"en".parse().unwrap(), 1, record).await.unwrap());

    let expected = read_all(&fresh(&world).await, &urns).await;
    assert!(expected.iter().all(|(_, answer)| matches!(answer, Ok(Some(_)))), "{expected:?}");
    let expected: std::collections::BTreeMap<String, String> =
        expected.into_iter().map(|(name, answer)| (name, answer.unwrap().unwrap())).collect();
    let rows: Vec<&String> =
        expected.iter().filter(|(name, _)| name.starts_with("row")).map(|(_, row)| row).collect();
    let mut done = 0;
    for flip in flips(world.database.is_some()) {
        if !run_flip(&world, &flip).await {
            continue;
        }
        done += 1;
        let mut complaints = 0;
        for (name, answer) in read_all(&fresh(&world).await, &urns).await {
            match answer {
                // Rows of a list may be missing, and none is wrong.
                Ok(Some(answer)) if name.starts_with("row") => {
                    assert!(rows.contains(&&answer), "{flip}: {name} is {answer}");
                }
                Ok(Some(answer)) => assert_eq!(expected.get(&name), Some(&answer), "{flip}: {name}"),
                Ok(None) | Err(StoreError::Corrupt(_)) => complaints += 1,
                Err(error) => panic!("{flip}: {name}: {error}"),
            }
        }
        let is_index = flip.contains("provisions edition") || flip.contains("UPDATE provisions");
        assert!(complaints > 0 || is_index, "{flip}: nothing is missing and nothing is an error");
        assert!(run_flip(&world, &flip).await, "{flip} is undone");
    }
    assert!(done > 50, "{done} flips only");
    let restored = read_all(&fresh(&world).await, &urns).await;
    assert!(restored.iter().all(|(name, answer)| answer.as_ref().unwrap().as_ref() == expected.get(name)));
}
