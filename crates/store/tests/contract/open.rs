//! Opening: schemas that fit, and those that do not.

use norma_store::{Location, Migrated, Store, StoreError, StoreOptions};

use crate::world::{Kind, World, location_of, run_sql};

promises!(
    a_schema_made_twice_or_concurrently_is_made_once,
    a_newer_schema_is_refused,
    a_store_made_before_version_0_2_is_refused_and_left_as_it_is,
    the_sqlite_file_of_another_program_is_refused_and_left_as_it_is,
    a_store_that_is_not_there_is_made_only_on_request,
    a_store_is_ready_when_it_answers,
    a_store_is_not_ready_without_its_bucket
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

async fn a_store_made_before_version_0_2_is_refused_and_left_as_it_is(world: World) {
    for version in 1..=6 {
        let Some((location, folder, database)) = location_of(engine_of(&world)).await else { return };
        let steps: Vec<String> = (1..=version).map(|n| format!("({n})")).collect();
        let steps = steps.join(", ");
        let earlier = format!(
            "CREATE TABLE schema_version (version BIGINT PRIMARY KEY); \
             CREATE TABLE locks (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until BIGINT NOT NULL); \
             CREATE TABLE tenants (id TEXT PRIMARY KEY, name TEXT NOT NULL, issuer TEXT, jwks_uri TEXT, \
                suspended BIGINT NOT NULL); \
             INSERT INTO schema_version (version) VALUES {steps}"
        );
        run_sql(folder.path(), database.as_ref(), &earlier).await;
        for migrate in [true, false] {
            let mut settings = StoreOptions::default();
            settings.migrate = migrate;
            let refused = Store::open(&location, &settings).await.unwrap_err().to_string();
            assert!(refused.contains("made before 0.2: ingest again"), "{refused}");
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
    let reported = world.location.to_string();
    let Some((_, blobs)) = reported.split_once(" with blobs in ") else { return };
    let mut blobs = blobs.to_owned();
    let store = if blobs.starts_with("file:") {
        std::fs::remove_dir_all(world.folder.path().join("blobs")).unwrap();
        world.store
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
    };
    let checked = store.check().await;
    assert!(matches!(checked, Err(StoreError::Unavailable { .. })), "{checked:?}");
}
