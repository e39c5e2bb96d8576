//! Opening: schemas that fit, and those that do not.

use norma_store::{Error, Settings, Store};

use crate::world::{Kind, World, place};

promises!(
    migrating_twice_or_by_two_at_once_is_migrating_once,
    a_newer_schema_is_refused,
    a_store_is_ready_when_it_answers
);

async fn migrating_twice_or_by_two_at_once_is_migrating_once(world: World) {
    assert_eq!(Store::migrate(&world.location, &Settings::default()).await.unwrap(), 0);
    let kind = if world.location.to_string().starts_with("postgres") { Kind::Postgres } else { Kind::Sqlite };
    let Some((location, _folder, _database)) = place(kind).await else { return };
    let mut careful = Settings::default();
    careful.migrate = false;
    assert!(matches!(Store::open(&location, &careful).await, Err(Error::OlderSchema { found: 0, .. })));
    let settings = Settings::default();
    let steps = futures::future::join_all((0..4).map(|_| Store::migrate(&location, &settings))).await;
    let steps: usize = steps.into_iter().map(Result::unwrap).sum();
    assert_eq!(steps, 1);
    Store::open(&location, &careful).await.unwrap();
}

async fn a_newer_schema_is_refused(world: World) {
    let sql = "INSERT INTO schema_version (version) VALUES (999)";
    let text = world.location.to_string();
    if text.starts_with("sqlite:") {
        let file = world.folder.path().join("norma.db");
        rusqlite::Connection::open(file).unwrap().execute(sql, []).unwrap();
    } else {
        use sqlx::Connection as _;
        let mut connection = sqlx::PgConnection::connect(&world.address()).await.unwrap();
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    }
    for migrate in [true, false] {
        let mut settings = Settings::default();
        settings.migrate = migrate;
        let opened = Store::open(&world.location, &settings).await;
        assert!(matches!(opened, Err(Error::NewerSchema { found: 999, .. })), "{opened:?}");
    }
}

async fn a_store_is_ready_when_it_answers(world: World) {
    world.store.check().await.unwrap();
}
