//! Opening: schemas that fit, and those that do not.

use norma_store::{Error, Location, Settings, Store, Tenant};

use crate::world::{Kind, TENANT, World, behind, place, tenant};

promises!(
    migrating_twice_or_by_two_at_once_is_migrating_once,
    a_newer_schema_is_refused,
    a_store_of_the_first_schema_keeps_its_tenants,
    a_store_that_is_not_there_is_made_only_on_request,
    a_store_is_ready_when_it_answers,
    a_store_is_not_ready_without_its_bucket
);

async fn migrating_twice_or_by_two_at_once_is_migrating_once(world: World) {
    assert_eq!(Store::migrate(&world.location, &Settings::default()).await.unwrap(), 0);
    let kind = if world.location.to_string().starts_with("postgres") { Kind::Postgres } else { Kind::Sqlite };
    let Some((location, _folder, _database)) = place(kind).await else { return };
    let mut careful = Settings::default();
    careful.migrate = false;
    let Err(Error::OlderSchema { found: 0, known }) = Store::open(&location, &careful).await else {
        panic!("an empty store was opened");
    };
    let settings = Settings::default();
    let steps = futures::future::join_all((0..4).map(|_| Store::migrate(&location, &settings))).await;
    let steps: usize = steps.into_iter().map(Result::unwrap).sum();
    assert_eq!(i64::try_from(steps).unwrap(), known);
    Store::open(&location, &careful).await.unwrap();
}

async fn a_newer_schema_is_refused(world: World) {
    let sql = "INSERT INTO schema_version (version) VALUES (999)";
    behind(world.folder.path(), world.database.as_ref(), sql).await;
    for migrate in [true, false] {
        let mut settings = Settings::default();
        settings.migrate = migrate;
        let opened = Store::open(&world.location, &settings).await;
        assert!(matches!(opened, Err(Error::NewerSchema { found: 999, .. })), "{opened:?}");
    }
}

async fn a_store_of_the_first_schema_keeps_its_tenants(world: World) {
    let (kind, schema) = match world.location.to_string().starts_with("postgres") {
        true => (Kind::Postgres, include_str!("../../src/postgres/schema-1.sql")),
        false => (Kind::Sqlite, include_str!("../../src/sqlite/schema-1.sql")),
    };
    let Some((location, folder, database)) = place(kind).await else { return };
    let version =
        "CREATE TABLE schema_version (version BIGINT PRIMARY KEY); INSERT INTO schema_version VALUES (1);";
    let row = format!("INSERT INTO tenants VALUES ('{TENANT}', 'Acme', 'https://acme.test', NULL, 1);");
    behind(folder.path(), database.as_ref(), &format!("{schema}; {version} {row}")).await;
    let migrated = Store::open(&location, &Settings::default()).await.unwrap();
    let issuer = Some("https://acme.test".to_owned());
    let kept = Tenant { issuer, suspended: true, ..tenant(TENANT) };
    assert_eq!(migrated.policy().await.unwrap().tenants, [kept]);
}

async fn a_store_that_is_not_there_is_made_only_on_request(world: World) {
    let kind = if world.location.to_string().starts_with("postgres") { Kind::Postgres } else { Kind::Sqlite };
    let Some((location, folder, _database)) = place(kind).await else { return };
    let mut reading = Settings::default();
    reading.make = false;
    for _ in 0..2 {
        assert!(matches!(Store::open(&location, &reading).await, Err(Error::Absent { .. })));
        assert!(!folder.path().join("norma.db").exists());
    }
    Store::open(&location, &Settings::default()).await.unwrap();
    Store::open(&location, &reading).await.unwrap();
}

async fn a_store_is_ready_when_it_answers(world: World) {
    world.store.check().await.unwrap();
}

async fn a_store_is_not_ready_without_its_bucket(world: World) {
    let told = world.location.to_string();
    let Some((_, blobs)) = told.split_once(" with blobs in ") else { return };
    let mut blobs = blobs.to_owned();
    let store = if blobs.starts_with("file:") {
        std::fs::remove_dir_all(world.folder.path().join("blobs")).unwrap();
        world.store
    } else {
        // The name of the bucket stands between the scheme and the next slash.
        let begin = blobs.find("://").unwrap() + 3;
        let end = begin + blobs[begin..].find('/').unwrap();
        blobs.replace_range(begin..end, "norma-has-no-such-bucket");
        let catalogue: Location = match &world.database {
            Some(database) => database.address.parse().unwrap(),
            None => world.folder.path().join("norma.db").to_str().unwrap().parse().unwrap(),
        };
        Store::open(&catalogue.with_blobs(blobs), &Settings::default()).await.unwrap()
    };
    let checked = store.check().await;
    assert!(matches!(checked, Err(Error::Unavailable { .. })), "{checked:?}");
}
