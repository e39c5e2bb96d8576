//! Archives of invented standards, as large as wanted and the same for the same seed: what tests and
//! measurements read where real documents are too few or may not be passed on.

/// Writes a line of a document.
macro_rules! put {
    ($text:expr, $($format:tt)*) => {{
        use std::fmt::Write;
        writeln!($text.xml, $($format)*).expect("a string takes every text");
    }};
}

mod catalogue;
mod document;
mod furniture;
mod languages;
mod picture;
mod prose;
mod vocabulary;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use anyhow::{Context, bail};

use catalogue::{Document, catalogue};
pub use languages::Words;

/// What to write.
#[derive(Clone, Copy, Debug)]
pub struct Archive {
    /// How many documents: each edition, language and amendment is one.
    pub standards: usize,
    /// Another seed makes another archive.
    pub seed: u64,
    /// Factor of the documents' size: with 1 the median is 60 KB, and the tail goes to several MB.
    pub size: f64,
    /// Whether there are figures with files.
    pub pictures: bool,
}

impl Archive {
    /// Writes the archive on all cores and returns the bytes of XML in it. Each document has a folder of its
    /// own, named after publisher, number, edition and language, with the document in `document.xml`.
    ///
    /// # Errors
    /// The folder is not empty or cannot be written.
    pub fn write(&self, out: &Path) -> anyhow::Result<u64> {
        fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
        if fs::read_dir(out)?.next().is_some() {
            bail!("{} is not empty; name a new folder", out.display());
        }
        let documents = catalogue(self.seed, self.standards);
        let (next, bytes, failed) = (AtomicUsize::new(0), AtomicU64::new(0), Mutex::new(None));
        let work = || {
            while let Some(document) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
                match self.write_one(document, &documents, out) {
                    Ok(written) => drop(bytes.fetch_add(written, Ordering::Relaxed)),
                    Err(error) => {
                        return drop(failed.lock().map(|mut first| first.get_or_insert(error).to_string()));
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(work);
            }
        });
        match failed.into_inner() {
            Ok(Some(error)) => Err(error),
            _ => Ok(bytes.into_inner()),
        }
    }

    fn write_one(&self, document: &Document, all: &[Document], out: &Path) -> anyhow::Result<u64> {
        let folder = out.join(document.folder());
        let (xml, pictures) = document::write(document, all, self.size, self.pictures);
        let media = folder.join("media");
        fs::create_dir_all(if pictures.is_empty() { &folder } else { &media })?;
        for (name, bytes) in pictures {
            fs::write(media.join(name), bytes)?;
        }
        let file = folder.join("document.xml");
        fs::write(&file, &xml).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(xml.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn xml(seed: u64, standards: usize) -> Vec<String> {
        let all = catalogue(seed, standards);
        all.iter().map(|one| document::write(one, &all, 0.1, true).0).collect()
    }

    #[test]
    fn a_seed_makes_one_archive_and_another_seed_another() {
        assert_eq!(xml(7, 40), xml(7, 40));
        assert_ne!(xml(7, 40), xml(8, 40));
    }

    #[test]
    fn a_longer_archive_begins_with_the_names_of_the_shorter() {
        let (short, long) = (catalogue(3, 50), catalogue(3, 80));
        assert!(short.iter().zip(&long).all(|(a, b)| a.folder() == b.folder()));
    }

    #[test]
    fn no_two_documents_share_a_name_or_a_paragraph() {
        let all = catalogue(1, 300);
        let names: HashSet<String> = all.iter().map(Document::folder).collect();
        assert_eq!(names.len(), 300);
        let mut seen = HashSet::new();
        for document in xml(1, 60) {
            for (at, _) in document.match_indices("<p>") {
                let paragraph = document[at..].split("</p>").next().unwrap();
                assert!(paragraph.len() < 300 || seen.insert(paragraph.to_owned()), "{paragraph}");
            }
        }
    }

    #[test]
    fn sizes_have_a_median_of_sixty_kilobytes_and_a_long_tail() {
        let all = catalogue(1, 400);
        let mut sizes: Vec<usize> =
            all.iter().map(|one| document::write(one, &all, 0.1, false).0.len()).collect();
        sizes.sort_unstable();
        let (median, largest) = (sizes[200], sizes[399]);
        assert!((4_500..9_000).contains(&median), "median {median}");
        assert!(largest > 8 * median, "largest {largest}, median {median}");
    }
}
