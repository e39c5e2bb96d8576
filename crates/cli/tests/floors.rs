//! Dependencies between crates: each uses only crates of lower floors, as drawn in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Crates of the workspace that each crate may use.
const EDGES: [(&str, &[&str]); 22] = [
    ("model", &[]),
    ("files", &[]),
    ("auth", &[]),
    ("dev-idp", &["files"]),
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
    ("audit", &["files", "api", "settings"]),
    ("editions", &["model", "compare", "store", "api", "render", "search", "settings"]),
    ("ingest", &["model", "sts", "store", "render", "settings", "traces", "editions"]),
    (
        "reads",
        &["model", "compare", "store", "api", "render", "search", "settings", "traces", "audit", "editions"],
    ),
    (
        "service",
        &[
            "model", "files", "store", "api", "auth", "render", "search", "settings", "traces", "audit",
            "editions", "reads",
        ],
    ),
    (
        "cli",
        &[
            "model",
            "files",
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
const IN_TESTS: [(&str, &[&str]); 7] = [
    ("export", &["model", "sts"]),
    ("render", &["sts"]),
    ("sts", &["compare"]),
    ("ingest", &["api", "auth", "compare"]),
    ("reads", &["ingest"]),
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
        // No crate that `ingest`, `audit`, `editions` and `reads` use is among those of HTTP.
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
