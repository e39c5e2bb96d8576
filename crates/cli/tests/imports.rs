//! Circles of files: within a crate no more than three files import from each other in a circle.
//!
//! The test reads every file of every crate and resolves each path in it to the file that defines the item. A
//! path through a re-export in `lib.rs` or a module's own file leads to the definition; the re-export itself
//! is not an import, and neither are tests. By the same paths it is seen who makes viewers of the catalogue
//! and who looks editions up.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, ForeignItem, Item, UseTree, Visibility};

/// The most files that may import from each other in a circle.
const MOST: usize = 3;

/// Most re-exports that are followed to a definition.
const DEEPEST: usize = 16;

/// A module of a crate; several may be in one file.
#[derive(Default)]
struct Module {
    file: PathBuf,
    parent: Option<usize>,
    children: HashMap<String, usize>,
    defines: HashSet<String>,
    /// Names from a `use`, each with its path there.
    uses: HashMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    /// Paths that are imports.
    mentions: BTreeSet<Vec<String>>,
}

struct Crate {
    modules: Vec<Module>,
}

impl Crate {
    fn read(source: &Path) -> Self {
        let root =
            ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|path| path.is_file());
        let mut read = Self { modules: Vec::new() };
        read.file(&root.expect("a crate has a root"), source, None);
        read
    }

    /// Reads a module from its file, with children in a folder, and returns its index.
    fn file(&mut self, path: &Path, children: &Path, parent: Option<usize>) -> usize {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        self.module(path, children, parent, file.items)
    }

    fn module(&mut self, path: &Path, children: &Path, parent: Option<usize>, items: Vec<Item>) -> usize {
        let at = self.modules.len();
        self.modules.push(Module { file: path.to_owned(), parent, ..Module::default() });
        for item in items.into_iter().filter(|item| !is_test(attributes(item))) {
            match item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let inner = children.join(&name);
                    let child = match module.content {
                        Some((_, items)) => self.module(path, &inner, Some(at), items),
                        None => {
                            let file = [children.join(format!("{name}.rs")), inner.join("mod.rs")];
                            let file = file.iter().find(|file| file.is_file());
                            let file =
                                file.unwrap_or_else(|| panic!("{}: no file of {name}", path.display()));
                            self.file(file, &inner, Some(at))
                        }
                    };
                    self.modules[at].children.insert(name, child);
                }
                Item::Use(item) => {
                    let exported = !matches!(item.vis, Visibility::Inherited);
                    self.modules[at].import(&item.tree, &mut Vec::new(), exported && children.is_dir());
                }
                item => {
                    self.modules[at].defines.extend(names(&item));
                    self.modules[at].mention(item.into_token_stream());
                }
            }
        }
        at
    }

    /// The module with the definition of a path; `None` for a module, and for items of other crates.
    fn definition(&self, mut at: usize, path: &[String], depth: usize) -> Option<usize> {
        let mut rest = path;
        while let Some((name, tail)) = rest.split_first().filter(|_| depth < DEEPEST) {
            let module = &self.modules[at];
            let deeper = |before: &[String], after: &[String]| {
                self.definition(at, &[before, after].concat(), depth + 1)
            };
            at = match name.as_str() {
                "crate" => 0,
                "self" => at,
                "super" => module.parent?,
                name => match module.children.get(name) {
                    Some(child) => *child,
                    None if module.defines.contains(name) => return Some(at),
                    None => {
                        let used = module.uses.get(name);
                        return match used {
                            Some(used) => deeper(used, tail),
                            None => module.globs.iter().find_map(|glob| deeper(glob, rest)),
                        };
                    }
                },
            };
            rest = tail;
        }
        None
    }

    /// The imports of each file, with their paths.
    fn imports(&self) -> BTreeMap<&Path, BTreeMap<&Path, BTreeSet<String>>> {
        let mut imports: BTreeMap<&Path, BTreeMap<&Path, BTreeSet<String>>> = BTreeMap::new();
        for (at, module) in self.modules.iter().enumerate() {
            for path in &module.mentions {
                let Some(definition) = self.definition(at, path, 0) else { continue };
                let file = self.modules[definition].file.as_path();
                if file != module.file {
                    let by = imports.entry(&module.file).or_default().entry(file).or_default();
                    by.insert(path.join("::"));
                }
            }
        }
        imports
    }
}

impl Module {
    fn import(&mut self, tree: &UseTree, before: &mut Vec<String>, exported: bool) {
        let (name, leads_to) = match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before, exported);
                before.pop();
                return;
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, before, exported));
            }
            UseTree::Glob(_) => return self.globs.push(before.clone()),
            UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            UseTree::Rename(rename) => (rename.rename.to_string(), rename.ident.to_string()),
        };
        let mut path = before.clone();
        let name = if leads_to == "self" { path.last().cloned().unwrap_or_default() } else { name };
        if leads_to != "self" {
            path.push(leads_to);
        }
        if !exported {
            self.mentions.insert(path.clone());
        }
        self.uses.insert(name, path);
    }

    /// Records the paths among tokens, also of macros: names separated by two colons.
    fn mention(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let (mut colons, mut field) = (0, false);
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.mentions.insert(std::mem::take(&mut path));
                    }
                    if !field {
                        path.push(ident.to_string());
                    }
                    (colons, field) = (0, false);
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => colons += 1,
                token => {
                    self.mentions.insert(std::mem::take(&mut path));
                    field = matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '.');
                    colons = 0;
                    if let TokenTree::Group(group) = token {
                        self.mention(group.stream());
                    }
                }
            }
        }
        self.mentions.insert(path);
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string().replace(' ', "");
        text.starts_with("#[cfg(") && text.contains("test") && !text.contains("not(test")
    })
}

/// The names that an item defines in its module.
fn names(item: &Item) -> Vec<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::ForeignMod(item) => {
            let name = |item: &ForeignItem| match item {
                ForeignItem::Fn(item) => Some(item.sig.ident.to_string()),
                _ => None,
            };
            return item.items.iter().filter_map(name).collect();
        }
        // What a macro such as `bitflags!` makes has the names among its tokens that follow `struct`, `enum`
        // or `fn`.
        Item::Macro(item) => return named_in(item.mac.tokens.clone()),
        _ => return Vec::new(),
    };
    vec![name.to_string()]
}

fn named_in(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let defines =
        |word: &TokenTree| ["struct", "enum", "fn", "static", "const"].contains(&&*word.to_string());
    tokens.windows(2).filter(|two| defines(&two[0])).map(|two| two[1].to_string()).collect()
}

/// The groups of files that all reach each other along imports, without single files.
fn circles<'a>(
    imports: &BTreeMap<&'a Path, BTreeMap<&'a Path, BTreeSet<String>>>,
) -> Vec<BTreeSet<&'a Path>> {
    let reached = |from: &'a Path| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            let next = imports.get(file).into_iter().flat_map(|imports| imports.keys().copied());
            open.extend(next.filter(|file| reached.insert(*file)));
        }
        reached
    };
    let reached: BTreeMap<&Path, BTreeSet<&Path>> =
        imports.keys().map(|file| (*file, reached(file))).collect();
    let circle = |(file, far): (&&'a Path, &BTreeSet<&'a Path>)| -> BTreeSet<&'a Path> {
        far.iter().copied().filter(|other| reached.get(other).is_some_and(|far| far.contains(file))).collect()
    };
    reached
        .iter()
        .map(circle)
        .filter(|circle| circle.len() > 1)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[test]
fn no_circle_of_files_has_more_than_three() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/cli has a parent");
    let (mut seen, mut wrong) = (0, String::new());
    for entry in std::fs::read_dir(crates).expect("the folder of the crates is readable") {
        let folder = entry.expect("an entry of the folder is readable").path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let source = folder.join("src");
        if !source.is_dir() {
            continue;
        }
        let read = Crate::read(&source);
        seen += read.modules.len();
        let imports = read.imports();
        let large: Vec<_> = circles(&imports).into_iter().filter(|circle| circle.len() > MOST).collect();
        let short = |file: &Path| file.strip_prefix(&source).unwrap_or(file).display().to_string();
        for circle in &large {
            let files = circle.len();
            wrong +=
                &format!("\ncrate {name} has a circle of {files} files. Move what they share below them.\n");
            for (file, to) in circle.iter().flat_map(|file| imports[file].iter().map(move |to| (file, to))) {
                if circle.contains(to.0) {
                    let by = to.1.iter().cloned().collect::<Vec<_>>().join(", ");
                    wrong += &format!("  {} imports {} by {by}\n", short(file), short(to.0));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(seen > 100, "only {seen} modules were read");
}

/// The folders of `sts` from the lowest to the highest: a file imports from its own and from lower ones.
/// Labels, captions and titles of the document are read as running text is, and text looks up what it refers
/// to: the two are one layer.
const LAYERS: [&[&str]; 3] = [&["xml"], &["document", "text"], &["front"]];

#[test]
fn a_layer_of_sts_imports_from_lower_ones_only() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sts/src");
    let layer = |file: &Path| {
        let first = file.strip_prefix(&source).expect("a file of the crate").components().next()?;
        LAYERS.iter().position(|layer| {
            let stem = Path::new(first.as_os_str()).file_stem();
            stem.is_some_and(|stem| layer.iter().any(|folder| stem == *folder))
        })
    };
    let read = Crate::read(&source);
    let mut crossed = 0;
    for (file, imports) in read.imports() {
        for (other, by) in imports {
            if let (Some(own), Some(other_layer)) = (layer(file), layer(other)) {
                assert!(other_layer <= own, "{} imports {} by {by:?}", file.display(), other.display());
                crossed += usize::from(other_layer < own);
            }
        }
    }
    assert!(crossed > 20, "only {crossed} imports lead from one layer to another");
}

/// The files of all crates but `store` that name an item by the end of its path, tests aside.
fn files_that_name(path: &[&str]) -> BTreeSet<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/cli has a parent");
    let end: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(crates).expect("the folder of the crates is readable") {
        let folder = entry.expect("an entry of the folder is readable").path();
        let source = folder.join("src");
        if !source.is_dir() || folder.ends_with("store") {
            continue;
        }
        for module in Crate::read(&source).modules {
            if module.mentions.iter().any(|path| path.ends_with(&end)) {
                let file = module.file.strip_prefix(crates).expect("a file of a crate");
                found.insert(file.display().to_string());
            }
        }
    }
    found
}

#[test]
fn a_viewer_is_made_from_a_verified_token_or_an_opened_ticket_only() {
    let makers = ["service/src/http/access/ticket.rs", "service/src/http/access/token.rs"];
    assert_eq!(files_that_name(&["Viewer", "verified"]), makers.map(str::to_owned).into());
}

/// The items of the store by which editions are looked up for a viewer, each with the files that name it.
const LOOKUPS: [(&str, &[&str]); 3] = [
    // The view has the lookups. The service gets it for a viewer and gives it to `Access`, which keeps it.
    ("CatalogueView", &["reads/src/access/mod.rs", "service/src/http/access/mod.rs"]),
    ("Lookup", &["reads/src/access/changes.rs", "reads/src/access/mod.rs", "reads/src/access/provision.rs"]),
    // An operator searches all editions, without a viewer.
    ("SearchableEditions", &["editions/src/search/mod.rs", "reads/src/access/mod.rs"]),
];

#[test]
fn only_the_access_module_of_reads_looks_editions_up() {
    for (item, files) in LOOKUPS {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        assert_eq!(files_that_name(&[item]), files, "{item}");
    }
    // It alone makes authorized editions, with the lineages of one that it gave.
    let makers = ["access/changes", "access/mod", "access/pair", "access/provision", "edition/lineage"];
    let makers = makers.map(|file| format!("reads/src/{file}.rs")).into();
    assert_eq!(files_that_name(&["AuthorizedEdition", "new"]), makers);
    // The whole store is beyond the reach of an operation: it could name it only to open one.
    let of_reads =
        |item| files_that_name(&["norma_store", item]).into_iter().filter(|file| file.starts_with("reads/"));
    assert_eq!(of_reads("Store").chain(of_reads("Reader")).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn a_circle_is_found_through_re_exports_and_paths_in_macros_and_not_in_tests() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a; mod b; mod c; mod d; pub use a::A; pub use b::Renamed as B;");
    write("a.rs", "use crate::B; pub struct A(B);");
    write("b/mod.rs", "mod inner; pub use inner::Inner as Renamed;");
    write("b/inner.rs", "pub struct Inner; fn f() { println!(\"{}\", crate::c::NAME) }");
    write("c.rs", "pub const NAME: &str = super::d::name(); fn f(d: u8) -> u8 { d }");
    write("d.rs", "use super::*; pub const fn name() -> &'static str { match A::NONE { _ => \"\" } }");
    let read = Crate::read(folder.path());
    let imports = read.imports();
    let circle = circles(&imports).pop().expect("there is a circle");
    let names: Vec<&str> = circle.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["a.rs", "inner.rs", "c.rs", "d.rs"]);
    write("d.rs", "pub fn name() -> &'static str { \"\" } #[cfg(test)] mod tests { use crate::A; }");
    assert!(circles(&Crate::read(folder.path()).imports()).is_empty());
}
