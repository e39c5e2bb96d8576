//! Opening: schemas that fit, and those that do not.

use norma_store::{Level, Location, Migrated, Store, StoreError, StoreOptions};

use crate::world::{Kind, World, at, edition, location_of, run_sql, tenant, viewer};

promises!(
    a_schema_made_twice_or_concurrently_is_made_once,
    a_newer_schema_is_refused,
    a_store_of_a_version_that_was_never_released_is_refused_and_left_as_it_is,
    the_sqlite_file_of_another_program_is_refused_and_left_as_it_is,
    a_store_that_is_not_there_is_made_only_on_request,
    a_store_is_ready_when_it_answers,
    a_store_is_not_ready_without_its_bucket,
    without_its_bucket_a_pack_is_unavailable_and_not_damaged,
    a_file_that_the_system_does_not_tell_of_is_not_absent,
    nothing_is_read_or_written_while_another_file_is_there_instead_of_the_store,
    nothing_is_read_of_a_file_that_was_overwritten_with_an_earlier_state,
);

async fn a_schema_made_twice_or_concurrently_is_made_once(world: World) {
    assert_eq!(Store::migrate(&world.location, &StoreOptions::default()).await.unwrap(), Migrated::Nothing);
    let Some((location, _folder, _database)) = location_of(engine_of(&world)).await else { return };
    let mut careful = StoreOptions::default();
    careful.migrate = false;
    let opened = Store::open(&location, &careful).await;
    assert!(matches!(opened, Err(StoreError::NoSchema { .. })), "{opened:?}");
    let settings = StoreOptions::default();
    let made = futures::future::join_all((0..4).map(|_| Store::migrate(&location, &settings))).await;
    assert_eq!(made.into_iter().filter(|made| *made.as_ref().unwrap() == Migrated::Made).count(), 1);
    Store::open(&location, &careful).await.unwrap();
}

async fn the_sqlite_file_of_another_program_is_refused_and_left_as_it_is(world: World) {
    let Some((location, folder, None)) = location_of(engine_of(&world)).await else { return };
    let sql = "CREATE TABLE albums (title TEXT); INSERT INTO albums VALUES ('Blue')";
    run_sql(folder.path(), None, sql).await;
    let tables = || {
        let file = rusqlite::Connection::open(folder.path().join("norma.db")).unwrap();
        let mut names = file.prepare("SELECT name FROM sqlite_schema").unwrap();
        names.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap).collect::<Vec<_>>()
    };
    let opened = Store::open(&location, &StoreOptions::default()).await.map(|_| ());
    let migrated = Store::migrate(&location, &StoreOptions::default()).await.map(|_| ());
    for refused in [opened, migrated] {
        let said = refused.unwrap_err().to_string();
        assert!(said.contains("the database of another program"), "{said}");
    }
    assert_eq!(tables(), ["albums"]);
}

async fn a_newer_schema_is_refused(world: World) {
    let sql = "INSERT INTO norma_schema (version) VALUES (999)";
    run_sql(world.folder.path(), world.database.as_ref(), sql).await;
    for migrate in [true, false] {
        let mut settings = StoreOptions::default();
        settings.migrate = migrate;
        let opened = Store::open(&world.location, &settings).await;
        assert!(matches!(opened, Err(StoreError::NewerSchema { found: 999, .. })), "{opened:?}");
    }
}

async fn a_store_of_a_version_that_was_never_released_is_refused_and_left_as_it_is(world: World) {
    for version in 1..=5 {
        let Some((location, folder, database)) = location_of(engine_of(&world)).await else { return };
        let steps: Vec<String> = (1..=version).map(|n| format!("({n})")).collect();
        let steps = steps.join(", ");
        let earlier = format!(
            "CREATE TABLE norma_schema (version BIGINT PRIMARY KEY); \
             CREATE TABLE feed (one BIGINT PRIMARY KEY, seq BIGINT NOT NULL); \
             INSERT INTO norma_schema (version) VALUES {steps}"
        );
        run_sql(folder.path(), database.as_ref(), &earlier).await;
        for migrate in [true, false] {
            let mut settings = StoreOptions::default();
            settings.migrate = migrate;
            let refused = Store::open(&location, &settings).await.unwrap_err().to_string();
            let expected =
                format!("has schema {version}, of a version of Norma that was never released: ingest again");
            assert!(refused.contains(&expected), "{refused}");
            assert!(refused.contains(&location.to_string()), "{refused}");
        }
        let refused = Store::migrate(&location, &StoreOptions::default()).await;
        assert!(matches!(refused, Err(StoreError::EarlierSchema { .. })), "{refused:?}");
        // Fails where anything was added.
        run_sql(folder.path(), database.as_ref(), "CREATE TABLE editions (id BIGINT)").await;
    }
}

/// The same engine without an object store.
fn engine_of(world: &World) -> Kind {
    match world.location.to_string().starts_with("postgres") {
        true => Kind::Postgres,
        false => Kind::Sqlite,
    }
}

async fn a_store_that_is_not_there_is_made_only_on_request(world: World) {
    let Some((location, folder, _database)) = location_of(engine_of(&world)).await else { return };
    let mut reading = StoreOptions::default();
    reading.make = false;
    for _ in 0..2 {
        assert!(matches!(Store::open(&location, &reading).await, Err(StoreError::Absent { .. })));
        assert!(!folder.path().join("norma.db").exists());
    }
    Store::open(&location, &StoreOptions::default()).await.unwrap();
    Store::open(&location, &reading).await.unwrap();
}

async fn a_store_is_ready_when_it_answers(world: World) {
    world.store.check().await.unwrap();
}

async fn a_store_is_not_ready_without_its_bucket(world: World) {
    let Some(store) = without_bucket(&world).await else { return };
    let checked = store.check().await;
    assert!(matches!(checked, Err(StoreError::Unavailable { .. })), "{checked:?}");
}

async fn without_its_bucket_a_pack_is_unavailable_and_not_damaged(world: World) {
    let publication = edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009");
    world.publish(&publication).await;
    let Some(store) = without_bucket(&world).await else { return };
    let entry = store.entry(&publication.summary.urn).await.unwrap().unwrap();
    let read = store.handle(&entry).pack().read(0..1).await;
    assert!(matches!(read, Err(StoreError::Unavailable { .. })), "{read:?}");
}

async fn a_file_that_the_system_does_not_tell_of_is_not_absent(world: World) {
    let below_a_file = world.folder.path().join("file/norma.db");
    std::fs::write(below_a_file.parent().unwrap(), "").unwrap();
    let mut reading = StoreOptions::default();
    reading.make = false;
    let location: Location = below_a_file.to_str().unwrap().parse().unwrap();
    let opened = Store::open(&location, &reading).await;
    assert!(matches!(opened, Err(StoreError::Unavailable { .. })), "{opened:?}");
}

/// The store with its bucket or folder gone; `None` where its blobs are in the database.
async fn without_bucket(world: &World) -> Option<Store> {
    let reported = world.location.to_string();
    let (_, blobs) = reported.split_once(" with blobs in ")?;
    let mut blobs = blobs.to_owned();
    Some(if blobs.starts_with("file:") {
        std::fs::remove_dir_all(world.folder.path().join("blobs")).unwrap();
        world.store.clone()
    } else {
        // The name of the bucket is between the scheme and the next slash.
        let begin = blobs.find("://").unwrap() + 3;
        let end = begin + blobs[begin..].find('/').unwrap();
        blobs.replace_range(begin..end, "norma-has-no-such-bucket");
        let catalogue: Location = match &world.database {
            Some(database) => database.address.parse().unwrap(),
            None => world.folder.path().join("norma.db").to_str().unwrap().parse().unwrap(),
        };
        Store::open(&catalogue.with_blobs(blobs), &StoreOptions::default()).await.unwrap()
    })
}

/// Refuses each way to read and to write.
async fn expect_replaced(store: &Store) {
    let is_replaced = |error: StoreError| matches!(error, StoreError::Replaced { .. });
    assert!(is_replaced(store.state().await.unwrap_err()));
    assert!(
        is_replaced(store.known_state().await.unwrap_err()),
        "answers in a cache are found by this state"
    );
    assert!(is_replaced(store.view_for(&viewer("2026-05-01")).await.err().unwrap()));
    assert!(is_replaced(store.policy().await.unwrap_err()));
    assert!(is_replaced(store.check().await.unwrap_err()));
    assert!(is_replaced(store.put_tenant(&tenant("another"), at(9)).await.unwrap_err()));
}

async fn nothing_is_read_or_written_while_another_file_is_there_instead_of_the_store(world: World) {
    if world.database.is_some() {
        return;
    }
    let (file, aside) = (world.folder.path().join("norma.db"), world.folder.path().join("aside.db"));
    let before = world.store.state().await.unwrap();
    std::fs::rename(&file, &aside).unwrap();
    expect_replaced(&world.store).await;
    std::fs::copy(&aside, &file).unwrap();
    expect_replaced(&world.store).await;
    std::fs::rename(&aside, &file).unwrap();
    assert_eq!(world.store.state().await.unwrap(), before, "it is the opened file again");
    world.store.put_tenant(&tenant("another"), at(9)).await.unwrap();
}

async fn nothing_is_read_of_a_file_that_was_overwritten_with_an_earlier_state(world: World) {
    if world.database.is_some() {
        return;
    }
    let grant = world.grant("*", Level::Read).await;
    let (file, backup) = (world.folder.path().join("norma.db"), world.folder.path().join("backup.db"));
    let sql = format!("VACUUM INTO '{}'", backup.display());
    run_sql(world.folder.path(), None, &sql).await;
    assert!(world.store.remove_grant(grant, at(2)).await.unwrap());
    // SQLite has no page of it in its log any more.
    run_sql(world.folder.path(), None, "PRAGMA wal_checkpoint(TRUNCATE)").await;
    std::fs::copy(&backup, &file).unwrap();
    assert!(matches!(world.store.state().await, Err(StoreError::Replaced { .. })));
    assert!(matches!(world.store.known_state().await, Err(StoreError::Replaced { .. })));
    assert!(matches!(world.store.view_for(&viewer("2026-05-01")).await, Err(StoreError::Replaced { .. })));
}
