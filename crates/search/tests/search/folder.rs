//! The folder of an index: what is wrong with it is removed, and never ends the process.

use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use norma_model::Lang;
use norma_search::{
    IndexError, SearchError, SearchIndex, SearchReader, TextQuery, UnitFilter, UnitKind, is_in_use,
};

use crate::index::{MEMORY, TestEdition, TestKey, TestScope, TestUnit, first_page, open};

pub(crate) fn numbered(at: u32) -> TestEdition {
    let unit = TestUnit {
        kind: UnitKind::Section,
        provision: None,
        normative: None,
        keys: vec![format!("{at}.1")],
        title: format!("Anchors number {at}"),
        text: "Steel holds, rust does not. ".repeat(20),
        context: String::new(),
    };
    TestEdition {
        key: TestKey::numbered(at),
        document_urn: format!("urn:nsb:std:nsb:{at}"),
        language: Lang::en(),
        units: vec![unit; 5],
    }
}

pub(crate) fn filled(folder: &Path, editions: u32) -> SearchIndex {
    let mut index = open(folder);
    (0..editions).for_each(|at| numbered(at).add_to(&mut index, at));
    index.commit("state 1").unwrap();
    index
}

fn total(index: &SearchIndex, editions: u32) -> Result<u64, SearchError> {
    total_in(index.reader(), editions)
}

/// How many units say what all editions say.
pub(crate) fn total_in(reader: &SearchReader, editions: u32) -> Result<u64, SearchError> {
    let keys: Vec<TestKey> = (0..editions).map(TestKey::numbered).collect();
    let scope = TestScope::readable(0..editions, &keys);
    let query = TextQuery::parse("anchors", None, 32).unwrap();
    Ok(reader.search(&query, &scope, &UnitFilter::default(), &first_page(10))?.total)
}

/// Where the index of the present analyser is.
pub(crate) fn folder_of_index(folder: &Path) -> PathBuf {
    folder.join(format!("index-{}", norma_search::ANALYSER_VERSION))
}

/// The files of the index that hold words.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder_of_index(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.metadata().unwrap().len() > 0);
    files.sort();
    files
}

#[test]
fn an_index_is_as_it_was_after_it_was_closed() {
    let folder = tempfile::tempdir().unwrap();
    drop(filled(folder.path(), 3));
    let index = open(folder.path());
    assert_eq!(index.state(), Some("state 1"));
    let mut editions = index.reader().editions().unwrap();
    editions.sort();
    assert_eq!(editions, (0..3).map(|at| (format!("urn:{at}"), at)).collect::<Vec<_>>());
    assert_eq!(total(&index, 3), Ok(15));
    assert!(index.reader().size() > 0);
}

#[test]
fn others_cannot_read_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a/search");
    let index = filled(&inner, 1);
    assert_eq!(inner.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    drop(index);
    let existing = folder.path().join("existing");
    std::fs::create_dir(&existing).unwrap();
    std::fs::set_permissions(&existing, PermissionsExt::from_mode(0o755)).unwrap();
    drop(filled(&existing, 1));
    for path in [existing.clone(), folder_of_index(&existing)] {
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
    std::fs::set_permissions(folder_of_index(&existing), PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(open(&existing).state(), Some("state 1"));
    assert_eq!(folder_of_index(&existing).metadata().unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_folder_with_other_things_is_refused_and_left_as_it_is() {
    for name in ["index.html", "index-", "index-a", "lock", "notes"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), "theirs").unwrap();
        std::fs::create_dir(folder.path().join("index-0")).unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o750)).unwrap();
        match SearchIndex::open(folder.path(), MEMORY, 1).map(drop) {
            Err(IndexError::Foreign { entry, .. }) => assert_eq!(entry, name),
            other => panic!("{name}: {other:?}"),
        }
        assert!(is_in_use(folder.path()).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
        assert_eq!(folder.path().metadata().unwrap().permissions().mode() & 0o777, 0o750);
    }
    // The root of a file system of its own, and an index whose lock was removed.
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("lost+found")).unwrap();
    drop(filled(folder.path(), 1));
    std::fs::remove_file(folder.path().join("norma-search.lock")).unwrap();
    assert_eq!(total(&open(folder.path()), 1), Ok(5));
}

#[test]
fn a_folder_is_in_use_while_an_index_is_open_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("search");
    assert!(!is_in_use(&inner).unwrap());
    assert!(!inner.exists());
    let index = filled(&inner, 1);
    assert!(is_in_use(&inner).unwrap());
    drop(index);
    assert!(!is_in_use(&inner).unwrap());
}

#[test]
fn a_second_process_is_refused_and_the_first_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let index = filled(folder.path(), 1);
    let second = SearchIndex::open(folder.path(), MEMORY, 1);
    assert!(matches!(second, Err(IndexError::InUse(_))));
    assert_eq!(total(&index, 1), Ok(5));
}

#[test]
fn an_index_of_another_analyser_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    drop(filled(folder.path(), 1));
    std::fs::rename(folder_of_index(folder.path()), folder.path().join("index-0")).unwrap();
    let index = open(folder.path());
    assert_eq!(index.state(), None);
    assert!(!folder.path().join("index-0").exists());
}

#[test]
fn a_damaged_index_is_removed_when_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    drop(filled(folder.path(), 3));
    let count = files(folder.path()).len();
    let (mut damaged, mut harmless) = (0, Vec::new());
    for at in 0..count {
        for damage in ["flip", "cut", "remove"] {
            let copy = tempfile::tempdir().unwrap();
            std::fs::create_dir(folder_of_index(copy.path())).unwrap();
            for file in files(folder.path()) {
                std::fs::copy(&file, folder_of_index(copy.path()).join(file.file_name().unwrap())).unwrap();
            }
            let path = files(copy.path())[at].clone();
            let mut bytes = std::fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            match damage {
                "flip" => bytes[middle] ^= 0x55,
                _ => bytes.truncate(middle),
            }
            match damage {
                "remove" => std::fs::remove_file(&path).unwrap(),
                _ => std::fs::write(&path, bytes).unwrap(),
            }
            // The index is as before, or empty; it can be filled again.
            let mut index = open(copy.path());
            match index.state() {
                Some(_) => {
                    harmless.push(format!("{damage} {}", path.display()));
                    assert_eq!(total(&index, 3), Ok(15), "{damage} {}", path.display());
                }
                None => damaged += 1,
            }
            for at in 0..3 {
                index.remove(at);
                numbered(at).add_to(&mut index, at);
            }
            index.commit("state 2").unwrap();
            assert_eq!(total(&index, 3), Ok(15));
        }
    }
    assert!(damaged >= 2 * (count - 2), "{damaged} of {}; without effect: {harmless:?}", 3 * count);
}

/// Changes a byte of a file, which may be open, in the middle.
fn flip(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(path, bytes).unwrap();
}

/// The files with this ending.
fn with_ending(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = files(folder);
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files
}

#[test]
fn files_that_are_damaged_while_the_index_is_open_are_found_by_a_verification() {
    for ending in ["idx", "pos", "term", "fast"] {
        for damage in ["flip", "cut", "remove"] {
            let folder = tempfile::tempdir().unwrap();
            let mut index = filled(folder.path(), 3);
            index.verify().unwrap();
            let path = &with_ending(folder.path(), ending)[0];
            match damage {
                "flip" => flip(path),
                "cut" => File::options().write(true).open(path).unwrap().set_len(0).unwrap(),
                _ => std::fs::remove_file(path).unwrap(),
            }
            if damage == "cut" {
                let found = total(&index, 3);
                let is_in_memory = ["term", "fast"].contains(&ending);
                let is_damaged = matches!(found, Err(SearchError::Damaged(_)));
                assert!(if is_in_memory { found == Ok(15) } else { is_damaged }, "{ending} {found:?}");
            }
            let is_damaged = |result| matches!(result, Err(IndexError::Damaged(_)));
            assert!(is_damaged(index.verify()), "{ending}");
            assert!(is_damaged(index.purge()), "{ending}");
            drop(index);
            assert_eq!(open(folder.path()).state(), None, "{ending}");
        }
    }
}

#[test]
fn files_that_are_damaged_before_units_are_removed_give_an_error_with_their_name() {
    for ending in ["idx", "pos", "term", "fast", "fieldnorm", "store"] {
        let folder = tempfile::tempdir().unwrap();
        let mut index = filled(folder.path(), 3);
        let path = &with_ending(folder.path(), ending)[0];
        let sound = std::fs::read(path).unwrap();
        // What the engine wrote at the end, the checksum included, is not of the content.
        let content = sound.len().saturating_sub(200);
        let positions = (0..content).step_by(1 + content / 60);
        for (at, byte) in positions.flat_map(|at| [0, 1, 0x7f, 0xff].map(|byte| (at, byte))) {
            let mut bytes = sound.clone();
            bytes[at..].iter_mut().take(4).for_each(|one| *one = byte);
            if bytes == sound {
                continue;
            }
            std::fs::write(path, &bytes).unwrap();
            index.remove(1);
            match index.commit("state 2") {
                Err(IndexError::Damaged(file)) => assert_eq!(file, *path),
                other => panic!("{ending}, {byte} at {at}: {other:?}"),
            }
        }
        std::fs::write(path, sound).unwrap();
        index.remove(1);
        index.commit("state 3").unwrap();
        assert_eq!(total(&index, 3), Ok(10), "{ending}");
    }
}

#[test]
fn a_damaged_segment_is_not_merged_into_one_with_right_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = filled(folder.path(), 1);
    flip(&with_ending(folder.path(), "pos")[0]);
    // The engine merges when eight segments are about as large.
    let result = (1..20).try_for_each(|at| {
        numbered(at).add_to(&mut index, at);
        index.commit("2")
    });
    assert!(matches!(result, Err(IndexError::Damaged(_))), "{result:?}");
    drop(index);
    assert_eq!(open(folder.path()).state(), None);
}

#[test]
fn a_list_of_segments_that_does_not_agree_with_them_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    drop(filled(folder.path(), 3));
    let list = folder_of_index(folder.path()).join("meta.json");
    let text = std::fs::read_to_string(&list).unwrap();
    assert!(text.contains(r#""max_doc": 15"#), "{text}");
    std::fs::write(&list, text.replace(r#""max_doc": 15"#, r#""max_doc": 14"#)).unwrap();
    assert_eq!(open(folder.path()).state(), None);
}

#[test]
fn what_was_not_committed_is_not_there_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let copy = tempfile::tempdir().unwrap();
    let mut index = filled(folder.path(), 2);
    index.remove(0);
    numbered(2).add_to(&mut index, 2);
    // The files as a killed process leaves them.
    std::fs::create_dir(folder_of_index(copy.path())).unwrap();
    let to = folder_of_index(copy.path());
    let copied = |file: &PathBuf| std::fs::copy(file, to.join(file.file_name().unwrap())).is_ok();
    // A merge may remove files while they are copied; then all are copied again.
    while !files(folder.path()).iter().all(copied) {
        std::fs::remove_dir_all(&to).unwrap();
        std::fs::create_dir(&to).unwrap();
    }
    let again = open(copy.path());
    assert_eq!(again.state(), Some("state 1"));
    assert_eq!(total(&again, 3), Ok(10));
}

#[test]
fn no_word_of_a_removed_edition_is_left_after_a_purge() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(folder.path());
    let mut secret = numbered(0);
    secret.units[0].text = "quicksilverish".to_owned();
    secret.add_to(&mut index, 0);
    numbered(1).add_to(&mut index, 1);
    index.commit("1").unwrap();
    // The words are compressed: what counts is that no file with them is left.
    let segments = || -> Vec<PathBuf> {
        let is_segment = |path: &PathBuf| path.extension().is_some_and(|ending| ending != "json");
        files(folder.path()).into_iter().filter(is_segment).collect()
    };
    let before = segments();
    assert!(!before.is_empty());
    index.remove(0);
    index.commit("2").unwrap();
    index.purge().unwrap();
    let after = segments();
    assert!(!after.is_empty());
    assert!(after.iter().all(|path| !before.contains(path)), "{before:?}, then {after:?}");
    assert_eq!(total(&index, 2), Ok(5));
}

#[test]
fn a_folder_that_cannot_be_written_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(matches!(SearchIndex::open(&file, MEMORY, 1), Err(IndexError::Folder { .. })));
}
