//! Files of an index that another process receives.

use std::collections::BTreeSet;
use std::io::{Read, Seek};
use std::path::Path;

use norma_search::{
    CommittedFiles, EditionChanges, IndexError, KnownEditions, ReceivedIndex, SearchIndex, SearchReader,
};

use crate::folder::{filled, folder_of_index, numbered, total_in};
use crate::index::open;

/// Receives what is not there, and shows it; how many files were received.
fn receive(received: &mut ReceivedIndex, committed: CommittedFiles) -> (SearchReader, usize) {
    let (mut names, mut count) = (Vec::new(), 0);
    for mut file in committed.files {
        if !received.has(&file.name, file.size) {
            let mut bytes = Vec::new();
            file.file.rewind().unwrap();
            file.file.read_to_end(&mut bytes).unwrap();
            let mut written = received.receive(&file.name).unwrap();
            bytes.chunks(1000).for_each(|part| written.append(part).unwrap());
            written.finish(received).unwrap();
            count += 1;
        }
        names.push(file.name);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    (received.open_segments(&committed.list, &names).unwrap(), count)
}

fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder_of_index(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with('.')).collect()
}

#[test]
fn a_received_index_finds_what_the_built_one_finds_and_only_new_files_are_received() {
    let (built, fetched) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut index = filled(built.path(), 3);
    let mut received = ReceivedIndex::open(fetched.path()).unwrap();
    let (reader, first) = receive(&mut received, index.committed().unwrap());
    assert_eq!((total_in(&reader, 3), first > 3), (Ok(15), true));

    numbered(3).add_to(&mut index, 3);
    index.remove(0);
    let before = index.committed().unwrap();
    index.commit("state 2").unwrap();
    let (reader, second) = receive(&mut received, index.committed().unwrap());
    assert_eq!(total_in(&reader, 4), Ok(15));
    assert!(second <= first + 1, "{second}");
    // The files of an earlier commit can still be read, and received over the later ones.
    let (reader, _) = receive(&mut received, before);
    assert_eq!(total_in(&reader, 4), Ok(15));

    index.purge().unwrap();
    let (reader, _) = receive(&mut received, index.committed().unwrap());
    assert_eq!(total_in(&reader, 4), Ok(15));
    assert_eq!(names_in(fetched.path()), names_in(built.path()));
}

#[test]
fn what_changed_of_the_editions_is_known_and_a_reader_stays_with_its_segments() {
    let (built, fetched) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut index = filled(built.path(), 3);
    let mut received = ReceivedIndex::open(fetched.path()).unwrap();
    let (former, _) = receive(&mut received, index.committed().unwrap());
    let mut known = KnownEditions::default();
    let slots =
        |changes: &EditionChanges| -> BTreeSet<u32> { changes.added.iter().map(|(_, slot)| *slot).collect() };
    let first = former.changed_editions(&mut known).unwrap();
    assert_eq!((slots(&first), first.removed.len()), (BTreeSet::from([0, 1, 2]), 0));
    let none = former.changed_editions(&mut known).unwrap();
    assert!(none.added.is_empty() && none.removed.is_empty());

    numbered(3).add_to(&mut index, 3);
    index.remove(0);
    index.commit("state 2").unwrap();
    let (reader, _) = receive(&mut received, index.committed().unwrap());
    let second = reader.changed_editions(&mut known).unwrap();
    assert!(slots(&second).contains(&3) && second.removed.iter().eq([&0]), "{second:?}");

    // All are in one new segment.
    index.purge().unwrap();
    let (reader, _) = receive(&mut received, index.committed().unwrap());
    let third = reader.changed_editions(&mut known).unwrap();
    assert!(slots(&third).is_subset(&BTreeSet::from([1, 2, 3])) && third.removed.is_empty(), "{third:?}");
    let names = |reader: &SearchReader| -> BTreeSet<u32> {
        reader.editions().unwrap().into_iter().map(|(_, slot)| slot).collect()
    };
    assert_eq!((names(&former), names(&reader)), (BTreeSet::from([0, 1, 2]), BTreeSet::from([1, 2, 3])));
}

#[test]
fn files_that_are_there_are_received_again_only_where_they_are_damaged() {
    let (built, fetched) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let index = filled(built.path(), 3);
    receive(&mut ReceivedIndex::open(fetched.path()).unwrap(), index.committed().unwrap());
    let mut received = ReceivedIndex::open(fetched.path()).unwrap();
    let (_, none) = receive(&mut received, index.committed().unwrap());
    assert_eq!(none, 0);
    let inner = folder_of_index(fetched.path());
    let name = names_in(fetched.path()).into_iter().find(|name| name.ends_with(".idx")).unwrap();
    let length = inner.join(&name).metadata().unwrap().len();
    std::fs::write(inner.join(&name), vec![b'x'; usize::try_from(length).unwrap()]).unwrap();
    received.distrust();
    let (reader, one) = receive(&mut received, index.committed().unwrap());
    assert_eq!((one, total_in(&reader, 3)), (1, Ok(15)));
}

#[test]
fn a_process_that_received_an_index_builds_it_on() {
    let (built, fetched) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut received = ReceivedIndex::open(fetched.path()).unwrap();
    assert!(matches!(ReceivedIndex::open(fetched.path()), Err(IndexError::InUse(_))));
    receive(&mut received, filled(built.path(), 3).committed().unwrap());
    drop(received);
    let mut index: SearchIndex = open(fetched.path());
    assert_eq!(index.reader().editions().unwrap().len(), 3);
    index.remove(1);
    numbered(3).add_to(&mut index, 3);
    index.commit("state 2").unwrap();
    assert_eq!(total_in(index.reader(), 4), Ok(15));
    let before = names_in(fetched.path());
    index.purge().unwrap();
    // Files that were received leave the folder as its own ones do: they have words of removed editions.
    let after = names_in(fetched.path());
    let received_files = before.iter().filter(|name| after.contains(*name) && *name != "meta.json");
    let segments: BTreeSet<&str> = received_files.map(|name| name.split('.').next().unwrap()).collect();
    assert!(segments.len() <= 1, "{segments:?}");
    assert_eq!(total_in(index.reader(), 4), Ok(15));
}
