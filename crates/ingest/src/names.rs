//! Names of the files of a package in memory.

use std::ops::Index;

/// The names of all files of a package, each once, in ascending order.
///
/// They are one text: a folder of a publisher's archive has a hundred thousand. An ingest of so many took 0.2
/// KB for each where each was a text of its own, and takes less than 0.1 (`bench/RESULTS.md`, Growth).
pub(crate) struct FileNames {
    /// Each after a NUL, which no name has.
    text: String,
    all: Vec<FileName>,
}

/// The end of a name in the text of [`FileNames`].
#[derive(Clone, Copy)]
pub(crate) struct FileName(u32);

impl FileNames {
    /// # Panics
    /// They have more than 4 GiB.
    pub(crate) fn new(mut names: Vec<String>) -> Self {
        names.sort_unstable();
        names.dedup();
        let mut text = String::with_capacity(names.iter().map(|name| 1 + name.len()).sum());
        let mut all = Vec::with_capacity(names.len());
        for name in &names {
            text.push('\0');
            text.push_str(name);
            let end = u32::try_from(text.len()).expect("names have less than 4 GiB");
            all.push(FileName(end));
        }
        Self { all, text }
    }

    /// All names, in ascending order.
    pub(crate) fn all(&self) -> &[FileName] {
        &self.all
    }

    /// The texts of all of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|&name| &self[name])
    }

    /// One of them by its text.
    pub(crate) fn find(&self, name: &str) -> Option<FileName> {
        let at = self.all.binary_search_by(|&other| self[other].cmp(name)).ok()?;
        Some(self.all[at])
    }
}

impl Index<FileName> for FileNames {
    type Output = str;

    fn index(&self, FileName(end): FileName) -> &str {
        let before = &self.text[..end as usize];
        before.rsplit_once('\0').map_or(before, |(_, name)| name)
    }
}
