//! The plan: which file of the package belongs to which graphic. Pure: names in, names out.

use std::collections::{HashMap, HashSet};

/// The files of a package by the ways in which a graphic may name them.
pub(crate) struct FileIndex {
    by_path: HashMap<String, String>,
    by_name: HashMap<String, Vec<String>>,
    by_stem: HashMap<String, Vec<String>>,
    folders_with_documents: Vec<String>,
}

/// Where several files share a stem: vector before lossless before lossy before what no browser shows.
const PREFERRED: [&str; 12] =
    ["svg", "png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "eps", "emf", "wmf"];

impl FileIndex {
    /// Indexes the names of a package; `documents` are those that are XML documents.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>, documents: &[String]) -> Self {
        let mut index = Self {
            by_path: HashMap::new(),
            by_name: HashMap::new(),
            by_stem: HashMap::new(),
            folders_with_documents: documents.iter().map(|d| folder_of(d).to_owned()).collect(),
        };
        index.folders_with_documents.sort_unstable();
        index.folders_with_documents.dedup();
        let documents: HashSet<&str> = documents.iter().map(String::as_str).collect();
        for path in names.filter(|name| !documents.contains(name)) {
            let folded = path.to_lowercase();
            let name = name_of(&folded).to_owned();
            let (stem, extension) = split_extension(&name);
            if PREFERRED.contains(&extension) {
                index.by_stem.entry(stem.to_owned()).or_default().push(path.to_owned());
            }
            index.by_name.entry(name).or_default().push(path.to_owned());
            index.by_path.insert(folded, path.to_owned());
        }
        index
    }

    /// The file that `href`, as written in `document`, means: by path, by name, by stem with another extension;
    /// letters of either case. A file that belongs to another document of the package is never taken.
    pub(crate) fn find(&self, document: &str, href: &str) -> Option<&str> {
        let path = normalised(folder_of(document), href)?;
        if let Some(found) = self.by_path.get(&path) {
            return Some(found);
        }
        let name = name_of(&path);
        let (stem, extension) = split_extension(name);
        let stem = if PREFERRED.contains(&extension) { stem } else { name };
        [self.by_name.get(name), self.by_stem.get(stem)]
            .into_iter()
            .flatten()
            .find_map(|candidates| self.nearest(document, &path, candidates))
    }

    /// Of the files that `document` may use, the best kind; of those, the one whose path is most like the href's.
    fn nearest<'a>(&self, document: &str, path: &str, candidates: &'a [String]) -> Option<&'a str> {
        let home = folder_of(document);
        let usable = candidates.iter().filter(|c| self.owner(c).is_none_or(|owner| owner == home));
        usable
            .min_by_key(|candidate| {
                let folded = candidate.to_lowercase();
                let extension = split_extension(name_of(&folded)).1;
                let rank = PREFERRED.iter().position(|p| *p == extension).unwrap_or(PREFERRED.len());
                let likeness = folded.split('/').rev().zip(path.split('/').rev()).take_while(|(a, b)| a == b);
                (rank, usize::MAX - likeness.count(), candidate.len(), *candidate)
            })
            .map(String::as_str)
    }

    /// The nearest folder above a file that holds documents.
    fn owner(&self, path: &str) -> Option<&str> {
        let mut folder = folder_of(path);
        loop {
            if let Ok(at) = self.folders_with_documents.binary_search_by(|f| f.as_str().cmp(folder)) {
                return Some(&self.folders_with_documents[at]);
            }
            if folder.is_empty() {
                return None;
            }
            folder = folder_of(folder);
        }
    }
}

/// The path that an href means from a folder: decoded, without `.` and `..`, in lower case.
fn normalised(folder: &str, href: &str) -> Option<String> {
    let href = href.trim().trim_start_matches("file://");
    let decoded = percent_encoding::percent_decode_str(href).decode_utf8().ok()?.replace('\\', "/");
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in decoded.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/").to_lowercase();
    (!path.is_empty() && !decoded.ends_with('/')).then_some(path)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn split_extension(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or((name, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(names: &[&str]) -> FileIndex {
        let documents: Vec<String> =
            names.iter().filter(|n| n.ends_with(".xml")).map(|n| (*n).to_owned()).collect();
        FileIndex::new(names.iter().copied(), &documents)
    }

    #[test]
    fn a_graphic_is_found_by_path_name_and_stem() {
        let index = index(&["doc/a.xml", "doc/media/Fig_1.PNG", "doc/media/fig_1.svg", "images/tab_3.gif"]);
        for (href, file) in [
            ("media/Fig_1.PNG", Some("doc/media/Fig_1.PNG")),
            ("media/fig_1.png", Some("doc/media/Fig_1.PNG")),
            ("fig_1.png", Some("doc/media/Fig_1.PNG")),
            ("fig_1", Some("doc/media/fig_1.svg")),
            ("fig_1.tif", Some("doc/media/fig_1.svg")),
            ("other/fig%5F1", Some("doc/media/fig_1.svg")),
            ("../images/tab_3", Some("images/tab_3.gif")),
            ("tab_3.gif", Some("images/tab_3.gif")),
            ("fig_A.1", None),
            ("", None),
        ] {
            assert_eq!(index.find("doc/a.xml", href), file, "{href}");
        }
    }

    #[test]
    fn a_dot_in_a_name_without_extension_is_no_extension() {
        let index = index(&["a.xml", "fig_A.1.png", "fig_A.2.png"]);
        assert_eq!(index.find("a.xml", "fig_A.1"), Some("fig_A.1.png"));
    }

    #[test]
    fn a_file_of_another_document_is_not_taken() {
        let index = index(&["one/a.xml", "two/b.xml", "two/fig_1.png"]);
        assert_eq!(index.find("one/a.xml", "fig_1"), None);
        assert_eq!(index.find("two/b.xml", "fig_1"), Some("two/fig_1.png"));
    }
}
