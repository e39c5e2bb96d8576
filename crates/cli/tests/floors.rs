//! Dependencies between crates: each uses only crates of lower floors, as drawn in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Crates of the workspace that each crate may use.
const EDGES: [(&str, &[&str]); 21] = [
    ("model", &[]),
    ("auth", &[]),
    ("dev-idp", &[]),
    ("provisions", &["model"]),
    ("compare", &["model"]),
    ("sts", &["model", "provisions"]),
    ("store", &["model"]),
    ("api", &["model"]),
    ("client", &["api"]),
    ("export", &["api"]),
    ("explorer", &["api", "client", "export", "sts"]),
    ("render", &["model", "api", "compare"]),
    ("search", &["model"]),
    ("settings", &["auth", "store", "api"]),
    ("traces", &["settings"]),
    ("audit", &["api", "settings"]),
    ("editions", &["model", "compare", "store", "api", "render", "search", "settings"]),
    ("ingest", &["model", "sts", "store", "render", "settings", "traces", "editions"]),
    (
        "reads",
        &["model", "compare", "store", "api", "render", "search", "settings", "traces", "audit", "editions"],
    ),
    (
        "service",
        &[
            "model", "compare", "store", "api", "auth", "render", "settings", "traces", "audit", "editions",
            "search", "reads",
        ],
    ),
    (
        "cli",
        &[
            "model",
            "auth",
            "dev-idp",
            "provisions",
            "sts",
            "store",
            "api",
            "render",
            "client",
            "export",
            "compare",
            "settings",
            "traces",
            "audit",
            "editions",
            "explorer",
            "ingest",
            "reads",
            "service",
        ],
    ),
];

/// Crates that a crate may use in its tests, in addition.
const IN_TESTS: [(&str, &[&str]); 6] = [
    ("export", &["model", "sts"]),
    ("render", &["sts"]),
    ("sts", &["compare"]),
    ("ingest", &["api", "auth", "compare"]),
    ("service", &["dev-idp", "ingest"]),
    ("cli", &["bench-data"]),
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/cli has a parent").to_owned()
}

/// Our own crates in a section of a manifest, for all targets or for some, under their own names or others.
fn ours(manifest: &toml::Table, section: &str) -> BTreeSet<String> {
    let targets = manifest.get("target").and_then(|targets| targets.as_table());
    let of_targets =
        targets.into_iter().flat_map(|targets| targets.values().filter_map(|one| one.as_table()));
    let sections =
        std::iter::once(manifest).chain(of_targets).filter_map(|table| table.get(section)?.as_table());
    let name = |(name, entry): (&String, &toml::Value)| {
        entry.get("package").and_then(|package| package.as_str()).unwrap_or(name).to_owned()
    };
    let names = sections.flat_map(|table| table.iter().map(name));
    names.filter_map(|name| name.strip_prefix("norma-").map(str::to_owned)).collect()
}

#[test]
fn a_crate_is_found_under_another_name_and_for_one_target() {
    let manifest = "[dependencies]\nnorma-api.workspace = true\ns = { package = \"norma-store\", path = \"../store\" }\n\
                    [target.'cfg(unix)'.dependencies]\nnorma-sts.workspace = true\n[dev-dependencies]\nnorma-cli = \"1\"\n";
    assert_eq!(Vec::from_iter(ours(&manifest.parse().unwrap(), "dependencies")), ["api", "store", "sts"]);
}

#[test]
fn no_crate_uses_one_of_its_own_floor_or_above() {
    let allowed: BTreeMap<&str, &[&str]> = EDGES.into_iter().collect();
    let in_tests: BTreeMap<&str, &[&str]> = IN_TESTS.into_iter().collect();
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(crates()).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let manifest: toml::Table = text.parse().unwrap();
        let edges = allowed.get(name.as_str()).unwrap_or_else(|| panic!("crate {name} has no floor"));
        for below in ours(&manifest, "dependencies").union(&ours(&manifest, "build-dependencies")) {
            assert!(edges.contains(&below.as_str()), "{name} leans on {below}");
        }
        let more = in_tests.get(name.as_str()).copied().unwrap_or_default();
        for below in ours(&manifest, "dev-dependencies") {
            let fits = edges.contains(&below.as_str()) || more.contains(&below.as_str());
            assert!(fits, "{name} leans on {below} in its tests");
        }
        found.insert(name);
    }
    assert_eq!(found.len(), EDGES.len(), "{found:?}");
}

/// Words for the task of one crate, each with the only crate that may use it.
#[test]
fn each_library_stays_with_the_crate_whose_skill_it_is() {
    for (library, owners) in [
        // No crate that `ingest`, `audit` and `editions` use is among those of HTTP.
        ("axum", &["service", "dev-idp", "explorer"][..]),
        ("hyper", &["service"]),
        ("hyper-util", &["service", "dev-idp"]),
        ("tower", &["service"]),
        ("zip", &["ingest"]),
        ("walkdir", &["ingest"]),
        ("imagesize", &["ingest"]),
        ("csv", &["reads", "editions", "audit", "export"]),
        ("rust_xlsxwriter", &["export"]),
        ("sqlx", &["store"]),
        ("tantivy", &["search"]),
        ("object_store", &["store"]),
        ("roxmltree", &["sts"]),
        ("quick-xml", &["sts"]),
        ("sentencex", &["provisions"]),
        ("reqwest", &["client", "auth", "traces"]), // traces: the client of the exporter
        ("utoipa", &["api"]),
    ] {
        for (name, _) in EDGES {
            let text = std::fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
            let manifest: toml::Table = text.parse().unwrap();
            let named = manifest["dependencies"].as_table().is_some_and(|d| d.contains_key(library));
            assert!(!named || owners.contains(&name), "{name} depends on {library}");
        }
    }
}

/// Operations get editions from the access step only: it alone makes an `Authorized`, and nothing else
/// implements the traits by which they read.
#[test]
fn the_access_step_alone_lets_a_caller_use_an_edition() {
    let access = [crates().join("service/src/http/access"), crates().join("reads/src")];
    let mut found = 0;
    for file in sources(&crates()) {
        let text = std::fs::read_to_string(&file).unwrap();
        // Clippy lets nothing follow the unit tests of a file; those of a folder are in a file of their own.
        let is_of_tests = file.ends_with("tests.rs");
        let production =
            text.split("\n#[cfg(test)]\nmod tests {").next().filter(|_| !is_of_tests).unwrap_or_default();
        for what in [
            "AuthorizedEdition for ",
            "AuthorizedPair for ",
            "AuthorizedSearch for ",
            "Catalogue for ",
            "Authorized::new(",
        ] {
            let is_this_test = file.ends_with("cli/tests/floors.rs");
            assert!(
                !text.contains(what) || access.iter().any(|folder| file.starts_with(folder)) || is_this_test,
                "`{what}` in {}",
                file.display()
            );
            found += if is_this_test { 0 } else { production.matches(what).count() };
        }
    }
    assert_eq!(
        found, 10,
        "four traits, and six ways to an edition: its name, a provision, a signed URL, a comparison, a lineage, a search"
    );
}

/// The Rust files of a folder and its subfolders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let entries = entries.map(|entry| entry.expect("a folder can be listed").path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// Files that the URN of `GET …/standards/{id}/provisions/{selection}` passes, as text or parsed, where it is
/// canonical (tests, authentication and grants aside). Others have it within something that they do not look
/// into, such as a line or a row.
const PASSED_BY_A_URN: [(&str, &[&str]); 5] = [
    (
        "service/src/http",
        &["listen", "pipeline", "route", "context", "head", "response_cache", "access/mod", "access/edition"],
    ),
    ("audit/src", &["lib"]),
    ("handlers/src", &["call", "views", "provisions", "representation"]),
    ("model/src", &["urn", "urn/identifier", "urn/grammar"]),
    ("store/src", &["view", "snapshot", "catalogue/entry", "sqlite/mod"]),
];

#[test]
fn a_urn_passes_at_most_twenty_files_on_its_way_through_a_read() {
    let files =
        PASSED_BY_A_URN.iter().flat_map(|(folder, files)| files.iter().map(move |file| (folder, file)));
    let files: Vec<PathBuf> =
        files.map(|(folder, file)| crates().join(folder).join(file).with_extension("rs")).collect();
    // A file has it by one of these names, or within the request or the edition that it is in.
    let names = ["urn", "Urn", "Identifier", "uri", "path", "Request", "AuthorizedEdition"];
    for file in &files {
        let text =
            std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(names.iter().any(|name| text.contains(name)), "{} has no URN", file.display());
    }
    assert!(files.len() <= 20, "{}", files.len());
}
