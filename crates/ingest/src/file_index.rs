//! File index of a package: candidates for the `href` of a graphic.

use std::cmp::Reverse;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;

use crate::names::{FileName, FileNames};

/// The reason why a graphic gets no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// The package has no file with that name.
    Missing,
    /// The name of this file, or of a folder around it, begins with a dot.
    Hidden(String),
    /// This file belongs to another document, or to none.
    NotOwned(String),
    /// This file is not a picture of a kind that is served.
    NotAPicture(String),
}

/// The files of a package by the forms in which a graphic may name them.
pub(crate) struct FileIndex {
    names: Arc<FileNames>,
    by_path: Forms,
    by_name: Forms,
    by_base_name: Forms,
    /// XML files, in the order of their folders.
    xml: Vec<FileName>,
}

/// Names in the order of one of their forms, which is computed again for each lookup.
struct Forms {
    form: fn(&str) -> String,
    ordered: Vec<FileName>,
}

impl Forms {
    fn new(names: &FileNames, mut chosen: Vec<FileName>, form: fn(&str) -> String) -> Self {
        chosen.sort_by_cached_key(|&name| form(&names[name]));
        chosen.shrink_to_fit();
        Self { form, ordered: chosen }
    }

    /// The files in and below `folder` with this form, in the order of their paths.
    fn get<'n>(&self, names: &'n FileNames, folder: &str, form: &str) -> impl Iterator<Item = &'n str> {
        let start = self.ordered.partition_point(|&name| {
            let name = &names[name];
            ((self.form)(name).as_str(), name) < (form, folder)
        });
        let rest = self.ordered[start..].iter().map(|&name| &names[name]);
        rest.take_while(move |name| name.starts_with(folder) && (self.form)(name) == *form)
    }
}

/// Order of preference of files that share a stem: vector, lossless, lossy, then those that no browser shows.
const PREFERRED: [&str; 12] =
    ["svg", "png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "eps", "emf", "wmf"];

impl FileIndex {
    /// Indexes the names of a package; `is_xml` says by its name whether a file may be a document.
    pub(crate) fn new(names: &Arc<FileNames>, is_xml: impl Fn(&str) -> bool) -> Self {
        let (mut xml, mut other, mut preferred) = (Vec::new(), Vec::new(), Vec::new());
        for &name in names.all() {
            let text = &names[name];
            if is_hidden(text) {
                continue;
            }
            if is_xml(text) {
                xml.push(name);
                continue;
            }
            other.push(name);
            if PREFERRED.contains(&split_extension(&fold(text)).1) {
                preferred.push(name);
            }
        }
        xml.sort_unstable_by_key(|&name| (folder_of(&names[name]), &names[name]));
        xml.shrink_to_fit();
        Self {
            by_path: Forms::new(names, names.all().to_vec(), fold),
            by_name: Forms::new(names, other, |path| fold(name_of(path))),
            by_base_name: Forms::new(names, preferred, |path| base_name_of(&fold(path)).to_owned()),
            xml,
            names: Arc::clone(names),
        }
    }

    /// The files that `href`, as written in `document`, may mean, the likeliest first. They match by path, by
    /// name, or by stem with another extension, with letters in either case. A file that is hidden or belongs
    /// to another document is never among them. `is_document` tells whether an XML file is a standard. Each
    /// is looked for when it is asked for: many folders may hold a file of one name. Then the reason, where
    /// nothing is found.
    pub(crate) fn find<'a>(
        &'a self,
        document: &'a str,
        href: &str,
        is_document: impl Fn(&str) -> bool,
    ) -> (impl Iterator<Item = &'a str>, NotTaken) {
        let owner = Owner::new(self, folder_of(document), is_document);
        let path = resolve(owner.home, href).unwrap_or_default();
        let folded = fold(&path);
        let (exact, reason) = match self.with_path(&path, &folded) {
            None => (None, NotTaken::Missing),
            Some(file) if is_hidden(file) => (None, NotTaken::Hidden(file.to_owned())),
            Some(file) if owner.owns(file) => (Some(file), NotTaken::Missing),
            Some(file) => (None, NotTaken::NotOwned(file.to_owned())),
        };
        let similar = [&self.by_name, &self.by_base_name]
            .into_iter()
            .filter_map(move |forms| owner.similar(forms, &path, &folded));
        (exact.into_iter().chain(similar), reason)
    }

    /// The file with this path, otherwise the first one whose path differs only in case or form of Unicode.
    fn with_path(&self, path: &str, folded: &str) -> Option<&str> {
        let mut first = None;
        for file in self.by_path.get(&self.names, "", folded) {
            if file == path {
                return Some(file);
            }
            first = first.or(Some(file));
        }
        first
    }

    /// The folders with XML files, from `first` on, each with its files.
    fn folders_from(&self, first: &str) -> impl Iterator<Item = (&str, &[FileName])> {
        let folder = |&name: &FileName| folder_of(&self.names[name]);
        let start = self.xml.partition_point(|name| folder(name) < first);
        let folders = self.xml[start..].chunk_by(move |a, b| folder(a) == folder(b));
        folders.map(move |files| (folder(&files[0]), files))
    }
}

/// The folder of a document. It owns the files for which it is the nearest folder with documents, at or above
/// them. Files with no such folder above them (`images/fig.png` of `xml/a.xml`) belong to the documents below
/// the nearest folder that has any below it, if all of these are in one folder. If they are in several, as
/// those of several languages are, a file whose name no other file in that folder has belongs to each of
/// them.
struct Owner<'a, F> {
    index: &'a FileIndex,
    is_document: F,
    home: &'a str,
    /// The highest folder at or above `home` whose only documents are those of `home`: their files are in it.
    top: &'a str,
}

impl<'a, F: Fn(&str) -> bool> Owner<'a, F> {
    fn new(index: &'a FileIndex, home: &'a str, is_document: F) -> Self {
        let mut owner = Self { index, is_document, home, top: home };
        for folder in at_or_above(home) {
            if !owner.is_alone_in(folder) {
                break;
            }
            owner.top = folder;
        }
        owner
    }

    fn owns(&self, file: &str) -> bool {
        for folder in at_or_above(folder_of(file)) {
            if folder == self.home {
                return file.starts_with(self.top);
            }
            // The first of the folders in and below it is the folder itself: it has documents of its own.
            if self.folders_in(folder).next() == Some(folder) {
                return false;
            }
        }
        file.starts_with(self.top) || self.shares(file)
    }

    /// True if a file with no documents in the folders above it belongs to all that are near it.
    fn shares(&self, file: &str) -> bool {
        let is_near_documents = |folder: &&str| self.folders_in(folder).next().is_some();
        let Some(around) = at_or_above(folder_of(file)).find(is_near_documents) else { return false };
        let form = (self.index.by_name.form)(file);
        let same_name = self.index.by_name.get(&self.index.names, around, &form).take(2).count();
        self.home.starts_with(around) && same_name == 1
    }

    /// The file of the document, or else one that it shares, that has the same form as this path.
    fn similar(&self, forms: &Forms, path: &str, folded: &str) -> Option<&'a str> {
        let form = (forms.form)(path);
        let own = forms.get(&self.index.names, self.top, &form).filter(|file| self.owns(file));
        match nearest(folded, own) {
            Some(file) => Some(file),
            None => self.shared(forms, &form),
        }
    }

    /// The only file with a form in a folder above, where documents of other folders share it.
    fn shared(&self, forms: &Forms, form: &str) -> Option<&'a str> {
        for folder in at_or_above(self.top).skip(1) {
            let mut files = forms.get(&self.index.names, folder, form);
            match (files.next(), files.next()) {
                (None, _) => {}
                (Some(file), None) => return if self.owns(file) { Some(file) } else { None },
                // Further up there are more.
                _ => return None,
            }
        }
        None
    }

    fn is_alone_in(&self, folder: &str) -> bool {
        self.folders_in(folder).eq([self.home])
    }

    /// The folders with documents at and below `folder`.
    fn folders_in<'f>(&'f self, folder: &'f str) -> impl Iterator<Item = &'f str> {
        let folders = self.index.folders_from(folder);
        let inside = folders.take_while(move |(path, _)| path.starts_with(folder));
        inside.filter(move |(path, xml)| self.has_documents(path, xml)).map(|(path, _)| path)
    }

    /// True if a document is among the XML files of a folder. The own folder has one, and is not looked into.
    fn has_documents(&self, folder: &str, xml: &[FileName]) -> bool {
        if folder == self.home {
            return true;
        }
        for &name in xml {
            if (self.is_document)(&self.index.names[name]) {
                return true;
            }
        }
        false
    }
}

/// A folder and those around it, up to the package's own.
fn at_or_above(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| folder.strip_suffix('/').map(folder_of))
}

/// The file of the best kind; of several, the one with the path that is most similar to the href's.
fn nearest<'a>(path: &str, files: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    files.min_by_key(|file| {
        let folded = fold(file);
        let extension = split_extension(name_of(&folded)).1;
        let rank = PREFERRED.iter().position(|p| *p == extension).unwrap_or(PREFERRED.len());
        // Of files of one kind, the one that shares the most last parts with the href comes first.
        (rank, Reverse(common_end(&folded, path)), file.len(), *file)
    })
}

/// Number of parts that two paths have in common, from their ends.
fn common_end(a: &str, b: &str) -> usize {
    let mut count = 0;
    for (a, b) in a.split('/').rev().zip(b.split('/').rev()) {
        if a != b {
            break;
        }
        count += 1;
    }
    count
}

/// A name in the form for comparison: Unicode normalization form C, lower case.
pub(crate) fn fold(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).collect()
}

/// True if a file is hidden: its name or that of a folder around it begins with a dot, or an operating system
/// put it there (`__MACOSX` and `.DS_Store` of macOS, `Thumbs.db` and `desktop.ini` of Windows).
pub(crate) fn is_hidden(path: &str) -> bool {
    for part in path.split('/') {
        if part.starts_with('.') && part != "." {
            return true;
        }
        if OF_SYSTEMS.iter().any(|name| part.eq_ignore_ascii_case(name)) {
            return true;
        }
    }
    false
}

const OF_SYSTEMS: [&str; 3] = ["__MACOSX", "Thumbs.db", "desktop.ini"];

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

/// The folder of a file or folder, ending in `/`, so that everything in and below a folder begins with it.
fn folder_of(path: &str) -> &str {
    &path[..path.len() - name_of(path).len()]
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A name without its extension, if that is one of a picture: a name may have a dot and no extension.
fn base_name_of(path: &str) -> &str {
    let name = name_of(path);
    let (base_name, extension) = split_extension(name);
    if PREFERRED.contains(&extension) { base_name } else { name }
}

fn split_extension(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or((name, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first file that an href in a document means. XML whose name contains `alien` is not a standard.
    fn find(names: &[&str], document: &str, href: &str) -> Result<String, NotTaken> {
        let names = FileNames::new(names.iter().map(|&name| name.to_owned()).collect());
        let index = FileIndex::new(&names.into(), |name| name.ends_with(".xml"));
        let (mut files, reason) = index.find(document, href, |name| !name.contains("alien"));
        files.next().map(str::to_owned).ok_or(reason)
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
    fn a_picture_above_several_languages_belongs_to_each_of_them_if_its_name_is_unique() {
        let names = [
            "x/en/a.xml",
            "x/fr/a.xml",
            "x/images/fig.png",
            "x/images/two.png",
            "x/fr/images/two.png",
            "y/en/a.xml",
            "y/fr/a.xml",
            "y/images/fig.png",
            "y/images/old/three.png",
            "y/images/three.png",
        ];
        for (document, href, file) in [
            ("x/en/a.xml", "fig.png", Some("x/images/fig.png")),
            ("x/fr/a.xml", "fig", Some("x/images/fig.png")),
            ("x/fr/a.xml", "../images/fig.png", Some("x/images/fig.png")),
            ("y/en/a.xml", "images/FIG.png", Some("y/images/fig.png")),
            ("x/fr/a.xml", "two.png", Some("x/fr/images/two.png")),
            // Two files have this name.
            ("x/en/a.xml", "two.png", None),
            ("y/en/a.xml", "three.png", None),
            ("y/en/a.xml", "../../x/images/fig.png", None),
        ] {
            let found = taken(&names, document, href);
            let other = href.contains("/x/").then(|| "y/images/fig.png".to_owned());
            assert!(found.as_deref() == file || found == other, "{document} {href}: {found:?}");
        }
    }

    #[test]
    fn files_of_one_name_in_other_folders_are_not_looked_at() {
        let files =
            |n| [format!("{n}/doc/a.xml"), format!("{n}/doc/fig.png"), format!("{n}/images/plan.png")];
        let names = FileNames::new((0..1000).flat_map(files).collect());
        let index = FileIndex::new(&names.into(), |name| name.ends_with(".xml"));
        for (href, file) in
            [("fig.png", "500/doc/fig.png"), ("fig", "500/doc/fig.png"), ("plan", "500/images/plan.png")]
        {
            let looked_into = std::cell::Cell::new(0);
            let (mut files, _) = index.find("500/doc/a.xml", href, |_| {
                looked_into.set(looked_into.get() + 1);
                true
            });
            assert_eq!(files.next(), Some(file), "{href}");
            assert!(looked_into.get() < 5, "{href}: {looked_into:?}");
        }
    }

    #[test]
    fn a_folder_is_not_in_another_whose_name_its_own_begins_with() {
        // Two files have each name, so that none is shared by the documents of both folders.
        let names = ["one/a.xml", "one-b/plan.png", "two/b.xml", "two/plan.png"];
        assert_eq!(taken(&names, "one/a.xml", "plan"), None);
        assert_eq!(taken(&names, "two/b.xml", "plan").as_deref(), Some("two/plan.png"));
    }

    #[test]
    fn a_document_in_a_hidden_folder_owns_no_files_outside_it() {
        let names = [".git/x/b.xml", "one/fig.png"];
        assert_eq!(find(&names, ".git/x/b.xml", "fig"), Err(NotTaken::Missing));
        let outside = Err(NotTaken::NotOwned("one/fig.png".into()));
        assert_eq!(find(&names, ".git/x/b.xml", "../../one/fig.png"), outside);
    }

    #[test]
    fn what_keeps_a_file_from_a_document_is_said() {
        let names = [
            "a/a.xml",
            "a/.env",
            "a/.git/fig.png",
            "a/__MACOSX/fig.png",
            "b/b.xml",
            "b/plan.png",
            "pool/logo.png",
            "pool/old/logo.png",
        ];
        for (href, reason) in [
            (".env", NotTaken::Hidden("a/.env".into())),
            ("%2Eenv", NotTaken::Hidden("a/.env".into())),
            (".git/fig.png", NotTaken::Hidden("a/.git/fig.png".into())),
            ("fig.png", NotTaken::Missing),
            ("../b/plan.png", NotTaken::NotOwned("b/plan.png".into())),
            ("..\\b\\PLAN.png", NotTaken::NotOwned("b/plan.png".into())),
            ("../pool/logo.png", NotTaken::NotOwned("pool/logo.png".into())),
            ("plan", NotTaken::Missing),
            ("__MACOSX/fig.png", NotTaken::Hidden("a/__MACOSX/fig.png".into())),
        ] {
            assert_eq!(find(&names, "a/a.xml", href), Err(reason), "{href}");
        }
    }
}
