//! Files of a store: for their owner only, and served if they cannot be written. The tests run themselves
//! again, under another umask and as another user.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use norma_store::{Location, Query, Store, StoreError, StoreOptions};

use crate::world::{Kind, World, at, edition, keep, viewer};

/// Names the store to whom runs as a child.
const CHILD: &str = "NORMA_TEST_CHILD_OF";

fn child(test: &str, folder: &Path, prefix: &[&str]) -> Output {
    let shell = [prefix, &["sh", "-c", "umask 000; exec \"$0\" \"$@\""]].concat();
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]);
    command.arg(std::env::current_exe().unwrap()).args(["--exact", test, "--nocapture"]);
    command.env(CHILD, folder).output().unwrap()
}

fn succeeded(output: &Output) {
    let said = [output.stdout.as_slice(), &output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn what_a_store_creates_is_for_its_owner_only_whatever_the_umask() {
    const NAME: &str = "files::what_a_store_creates_is_for_its_owner_only_whatever_the_umask";
    let Some(folder) = std::env::var_os(CHILD) else {
        let folder = tempfile::tempdir().unwrap();
        return succeeded(&child(NAME, folder.path(), &[]));
    };
    let folder = Path::new(&folder).join("new/store");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let location: Location = folder.join("norma.db").to_str().unwrap().parse().unwrap();
        let blobs = folder.parent().unwrap().join("blobs");
        let location = location.with_blobs(format!("file://{}", blobs.display()));
        let store = Store::open(&location, &StoreOptions::default()).await.unwrap();
        store.publish(&edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009"), at(1)).await.unwrap();
        // While the store is open: its log and the index of that are there too.
        let mut view = 0;
        let mut folders = vec![folder.parent().unwrap().to_owned()];
        while let Some(folder) = folders.pop() {
            assert_eq!(mode(&folder), 0o700, "{}", folder.display());
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    assert_eq!(mode(&path), 0o600, "{}", path.display());
                    view += 1;
                }
            }
        }
        assert!(view > 3, "{view} files: norma.db, norma.db-wal, norma.db-shm and a blob at least");
    });
}

#[test]
fn a_store_that_cannot_be_written_is_served_and_takes_nothing() {
    const NAME: &str = "files::a_store_that_cannot_be_written_is_served_and_takes_nothing";
    let Some(folder) = std::env::var_os(CHILD) else {
        return keep(Kind::Sqlite, |world| Box::pin(prepare_read_only(world, NAME)));
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let location: Location = Path::new(&folder).join("norma.db").to_str().unwrap().parse().unwrap();
        let store = Store::open(&location, &StoreOptions::default()).await.unwrap();
        assert!(store.is_read_only());
        let view = store.view_for(&viewer("2026-05-01")).await.unwrap();
        assert_eq!(view.list(&Query::default(), None, 50).await.unwrap().total, 1);
        store.check().await.unwrap();
        let refused = store.rotate_signing_key(at(3)).await;
        assert!(matches!(refused, Err(StoreError::ReadOnly)), "{refused:?}");
        // In a folder that can be written, a file that cannot is only read as well.
        let refused = store.publish(&edition("urn:iso:std:iso:1:ed-1:en", "ISO 1:2000"), at(3)).await;
        assert!(matches!(refused, Err(StoreError::ReadOnly)), "{refused:?}");
    });
}

async fn prepare_read_only(world: World, name: &'static str) {
    let World { store, folder, location, .. } = world;
    store.publish(&edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009"), at(1)).await.unwrap();
    let whole = norma_store::Grant {
        tenant: crate::world::TENANT.to_owned(),
        client: None,
        scope: norma_store::GrantScope::Urns("*".parse().unwrap()),
        level: norma_store::Level::Read,
        from: None,
        until: None,
    };
    store.add_grant(&whole, at(1)).await.unwrap().unwrap();
    let (file, log) = (folder.path().join("norma.db"), folder.path().join("norma.db-wal"));
    let unfinished = std::fs::read(&log).unwrap();
    assert!(!unfinished.is_empty());
    drop(store);
    // The last connection writes the log back and deletes it.
    let began = std::time::Instant::now();
    while log.exists() {
        assert!(began.elapsed().as_secs() < 60, "the log stays");
        tokio::task::yield_now().await;
    }
    let set = |file_mode: u32, folder_mode: u32| {
        std::fs::set_permissions(&file, PermissionsExt::from_mode(file_mode)).unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(folder_mode)).unwrap();
    };
    // Root writes whatever the mode says, unless it has given that capability up (capabilities(7)).
    let is_root = std::process::Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let without: &[&str] = if is_root { &["setpriv", "--bounding-set=-dac_override"] } else { &[] };
    for (file_mode, folder_mode) in [(0o444, 0o555), (0o666, 0o555), (0o444, 0o777)] {
        set(file_mode, folder_mode);
        succeeded(&child(name, folder.path(), without));
    }
    set(0o600, 0o700);
    // With the index of the log, SQLite could read both.
    drop(std::fs::remove_file(folder.path().join("norma.db-shm")));
    std::fs::write(&log, unfinished).unwrap();
    set(0o444, 0o555);
    std::fs::set_permissions(&log, PermissionsExt::from_mode(0o444)).unwrap();
    let refused = child(name, folder.path(), without);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("must be written back"), "{said}");
    set(0o600, 0o700);
    drop(location);
}
