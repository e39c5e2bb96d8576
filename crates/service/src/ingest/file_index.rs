//! File index of a package: candidates for the `href` of a graphic.

use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;

/// Why a graphic gets no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// The package holds no file of that name.
    Missing,
    /// The name of this file, or of a folder around it, begins with a dot.
    Hidden(String),
    /// This file belongs to another document, or to none.
    NotOwned(String),
    /// This file is not a picture of a kind that is served.
    NotAPicture(String),
}

/// The files of a package by the ways in which a graphic may name them. A folder of a publisher's archive has a hundred thousand: each
/// name is in memory once.
pub(crate) struct FileIndex {
    by_path: Names,
    by_name: Names,
    by_base_name: Names,
    /// XML files, in the order of the folders that hold them.
    xml: Vec<Arc<str>>,
}

/// Files by one form of their names: pairs of that form and the path, in ascending order.
#[derive(Default)]
struct Names(Vec<(Arc<str>, Arc<str>)>);

impl Names {
    fn add(&mut self, form: &str, path: &Arc<str>) {
        let form = if *form == **path { path.clone() } else { form.into() };
        self.0.push((form, path.clone()));
    }

    /// The files with this form, in the order of their paths.
    fn get(&self, form: &str) -> impl Iterator<Item = &str> {
        let start = self.0.partition_point(|(other, _)| **other < *form);
        self.0[start..].iter().take_while(move |(other, _)| **other == *form).map(|(_, path)| &**path)
    }
}

/// Where several files share a stem: vector before lossless before lossy before what no browser shows.
const PREFERRED: [&str; 12] =
    ["svg", "png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "eps", "emf", "wmf"];

impl FileIndex {
    /// Indexes the names of a package; `is_xml` tells by its name whether a file may be a document.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a Arc<str>>, is_xml: impl Fn(&str) -> bool) -> Self {
        let [mut by_path, mut by_name, mut by_base_name] = <[Names; 3]>::default();
        let mut xml = Vec::new();
        for path in names {
            let folded = fold(path);
            by_path.add(&folded, path);
            if is_hidden(path) {
                continue;
            }
            if is_xml(path) {
                xml.push(path.clone());
                continue;
            }
            let name = name_of(&folded);
            let (base_name, extension) = split_extension(name);
            by_name.add(name, path);
            if PREFERRED.contains(&extension) {
                by_base_name.add(base_name, path);
            }
        }
        for Names(names) in [&mut by_path, &mut by_name, &mut by_base_name] {
            names.sort_unstable();
            names.shrink_to_fit();
        }
        xml.sort_unstable_by(|a, b| (folder_of(a), a).cmp(&(folder_of(b), b)));
        xml.shrink_to_fit();
        Self { by_path, by_name, by_base_name, xml }
    }

    /// The files that `href`, as written in `document`, may mean, the likeliest first: by path, by name, by stem with
    /// another extension; letters of either case. A file that is hidden or belongs to another document is never among
    /// them. `is_document` tells whether an XML file is a standard.
    ///
    /// # Errors
    /// The reason where no file fits.
    pub(crate) fn find(
        &self,
        document: &str,
        href: &str,
        is_document: impl Fn(&str) -> bool,
    ) -> Result<Vec<&str>, NotTaken> {
        let home = folder_of(document);
        let path = resolve(home, href).ok_or(NotTaken::Missing)?;
        let folded = fold(&path);
        let name = name_of(&folded);
        let (base_name, extension) = split_extension(name);
        let base_name = if PREFERRED.contains(&extension) { base_name } else { name };
        let mut found: Vec<&str> = Vec::new();
        let mut reason = NotTaken::Missing;
        let named = || self.by_path.get(&folded);
        if let Some(file) = named().find(|file| *file == path).or_else(|| named().next()) {
            if is_hidden(file) {
                reason = NotTaken::Hidden(file.to_owned());
            } else if self.belongs(file, home, &is_document) {
                found.push(file);
            } else {
                reason = NotTaken::NotOwned(file.to_owned());
            }
        }
        for (names, form) in [(&self.by_name, name), (&self.by_base_name, base_name)] {
            let own = names.get(form).filter(|file| self.belongs(file, home, &is_document));
            found.extend(nearest(&folded, own).filter(|file| !found.contains(file)));
        }
        if found.is_empty() { Err(reason) } else { Ok(found) }
    }

    /// Whether a file belongs to the documents of the folder `home`: these are in the nearest folder at or above the file
    /// that holds documents. Where no folder above holds any (`xml/a.xml`, `images/fig.png`), the nearest folder counts that
    /// has documents below it, if all of them are in one folder.
    fn belongs(&self, file: &str, home: &str, is_document: &impl Fn(&str) -> bool) -> bool {
        let holds = |folder: &str, xml: &[Arc<str>]| folder == home || xml.iter().any(|xml| is_document(xml));
        let above =
            || std::iter::successors(Some(folder_of(file)), |f| (!f.is_empty()).then(|| folder_of(f)));
        for folder in above() {
            match self.folders_from(folder).next().filter(|(first, _)| *first == folder) {
                Some((_, xml)) if holds(folder, xml) => return folder == home,
                None if folder == home => return true,
                _ => {}
            }
        }
        for folder in above() {
            let inside = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            let below = self.folders_from(&inside).take_while(|(below, _)| below.starts_with(&inside));
            let mut below = below.filter(|(below, xml)| holds(below, xml)).map(|(below, _)| below);
            if let Some(first) = below.next() {
                return first == home && below.next().is_none();
            }
        }
        false
    }

    /// The folders that hold XML files, from `first` on, each with these.
    fn folders_from(&self, first: &str) -> impl Iterator<Item = (&str, &[Arc<str>])> {
        let start = self.xml.partition_point(|file| folder_of(file) < first);
        let folders = self.xml[start..].chunk_by(|a, b| folder_of(a) == folder_of(b));
        folders.map(|files| (folder_of(&files[0]), files))
    }
}

/// The file of the best kind; of several, the one whose path is most like the href's.
fn nearest<'a>(path: &str, files: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let order = |file: &&'a str| {
        let folded = fold(file);
        let extension = split_extension(name_of(&folded)).1;
        let rank = PREFERRED.iter().position(|p| *p == extension).unwrap_or(PREFERRED.len());
        let likeness = folded.split('/').rev().zip(path.split('/').rev()).take_while(|(a, b)| a == b);
        (rank, usize::MAX - likeness.count(), file.len(), *file)
    };
    files.min_by_key(order)
}

/// A name in the form in which names are compared: Unicode normalization form C, lower case.
pub(crate) fn fold(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).collect()
}

/// Whether the name of a file or of a folder around it begins with a dot.
fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.'))
}

/// The path that an href means from a folder: decoded, without `.` and `..`.
fn resolve(folder: &str, href: &str) -> Option<String> {
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
    let path = parts.join("/");
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

    /// The first file that an href in a document means. XML whose name contains `alien` is not a standard.
    fn find(names: &[&str], document: &str, href: &str) -> Result<String, NotTaken> {
        let names: Vec<Arc<str>> = names.iter().map(|&name| name.into()).collect();
        let index = FileIndex::new(names.iter(), |name| name.ends_with(".xml"));
        index.find(document, href, |name| !name.contains("alien")).map(|files| files[0].to_owned())
    }

    fn taken(names: &[&str], document: &str, href: &str) -> Option<String> {
        find(names, document, href).ok()
    }

    #[test]
    fn a_graphic_is_found_by_path_name_and_stem() {
        let names = ["doc/a.xml", "doc/media/Fig_1.PNG", "doc/media/fig_1.svg", "images/tab_3.gif"];
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
            assert_eq!(taken(&names, "doc/a.xml", href).as_deref(), file, "{href}");
        }
    }

    #[test]
    fn of_names_that_differ_in_case_the_one_that_is_written_is_taken_and_forms_of_unicode_are_one() {
        for name in ["Fig.png", "fig.png"] {
            assert_eq!(taken(&["a.xml", "Fig.png", "fig.png"], "a.xml", name).as_deref(), Some(name));
        }
        let decomposed = "Gro\u{308}ße.png";
        assert_eq!(taken(&["a.xml", decomposed], "a.xml", "größe.png").as_deref(), Some(decomposed));
    }

    #[test]
    fn a_dot_in_a_name_without_extension_is_no_extension() {
        let names = ["a.xml", "fig_A.1.png", "fig_A.2.png"];
        assert_eq!(taken(&names, "a.xml", "fig_A.1").as_deref(), Some("fig_A.1.png"));
    }

    #[test]
    fn a_file_belongs_to_the_documents_of_its_folder_or_of_the_nearest_folder_above() {
        let names = [
            "one/a.xml",
            "one/b.xml",
            "one/media/fig.png",
            "one/part/c.xml",
            "one/part/deep/down/fig.png",
            "one/odd/alien.xml",
            "one/odd/fig.png",
            "pool/fig.png",
            "two/xml/d.xml",
            "two/images/fig.png",
        ];
        for (document, own) in [
            ("one/a.xml", vec!["one/media/fig.png", "one/odd/fig.png"]),
            ("one/b.xml", vec!["one/media/fig.png", "one/odd/fig.png"]),
            ("one/part/c.xml", vec!["one/part/deep/down/fig.png"]),
            ("two/xml/d.xml", vec!["two/images/fig.png"]),
        ] {
            for file in names.iter().filter(|name| name.ends_with("fig.png")) {
                let up = "../".repeat(document.matches('/').count());
                let found = taken(&names, document, &format!("{up}{file}"));
                if own.contains(file) {
                    assert_eq!(found.as_deref(), Some(*file), "{document}");
                } else {
                    assert!(
                        found.is_none_or(|found| own.contains(&found.as_str())),
                        "{document} took {file}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_keeps_a_file_from_a_document_is_said() {
        let names = ["a/a.xml", "a/.env", "a/.git/fig.png", "b/b.xml", "b/plan.png", "pool/logo.png"];
        for (href, reason) in [
            (".env", NotTaken::Hidden("a/.env".into())),
            ("%2Eenv", NotTaken::Hidden("a/.env".into())),
            (".git/fig.png", NotTaken::Hidden("a/.git/fig.png".into())),
            ("fig.png", NotTaken::Missing),
            ("../b/plan.png", NotTaken::NotOwned("b/plan.png".into())),
            ("..\\b\\PLAN.png", NotTaken::NotOwned("b/plan.png".into())),
            ("../pool/logo.png", NotTaken::NotOwned("pool/logo.png".into())),
            ("plan", NotTaken::Missing),
        ] {
            assert_eq!(find(&names, "a/a.xml", href), Err(reason), "{href}");
        }
    }
}
