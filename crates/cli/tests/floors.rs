//! Dependencies between crates: each uses only crates of lower floors, as drawn in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Crates of the workspace that each crate may use.
const EDGES: [(&str, &[&str]); 27] = [
    ("model", &[]),
    ("files", &[]),
    ("auth", &[]),
    ("dev-idp", &["files"]),
    ("amendments", &["model"]),
    ("provisions", &["model"]),
    ("compare", &["model"]),
    ("sts", &["model", "amendments", "provisions"]),
    ("store", &["model"]),
    ("api", &["model"]),
    ("client", &["api"]),
    ("export", &["api"]),
    ("explorer", &["model", "api", "client", "export", "review", "sts"]),
    ("mcp", &["model", "api", "auth", "client"]),
    ("mirror", &["files", "client", "explorer", "sts"]),
    ("render", &["model", "amendments", "api", "compare"]),
    ("search", &["model"]),
    ("review", &["model", "api"]),
    ("quotations", &["model", "compare", "provisions"]),
    ("settings", &[]),
    ("traces", &["settings"]),
    ("audit", &["files", "api", "settings"]),
    ("editions", &["model", "compare", "store", "api", "render", "search", "settings"]),
    ("ingest", &["model", "sts", "store", "render", "settings", "traces", "editions"]),
    (
        "reads",
        &[
            "model",
            "amendments",
            "compare",
            "quotations",
            "store",
            "api",
            "render",
            "search",
            "settings",
            "traces",
            "audit",
            "editions",
        ],
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
            "model", "files", "auth", "dev-idp", "sts", "store", "api", "render", "client", "export",
            "compare", "settings", "traces", "audit", "editions", "explorer", "ingest", "mcp", "mirror",
            "reads", "review", "service",
        ],
    ),
];

/// Crates that a crate may use in its tests, in addition.
const IN_TESTS: [(&str, &[&str]); 9] = [
    ("export", &["model", "sts"]),
    ("render", &["sts"]),
    ("sts", &["compare"]),
    ("quotations", &["sts"]),
    ("review", &["compare", "quotations", "sts"]),
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

/// Servers of HTTP.
const SERVERS: [&str; 1] = ["axum"];
/// Clients and servers of HTTP.
const HTTP: [&str; 3] = ["axum", "hyper", "reqwest"];
/// Databases and object stores.
const STORES: [&str; 4] = ["norma-store", "object_store", "rusqlite", "sqlx"];
/// Readers of XML.
const XML: [&str; 3] = ["norma-sts", "quick-xml", "roxmltree"];
/// Runtimes for IO.
const IO: [&str; 3] = ["async-std", "smol", "tokio"];

/// Packages that a crate has nowhere below it, for the rows of the table in ARCHITECTURE.md that say what a
/// crate must not contain. A package that another one brings is found as well.
fn absent() -> [(&'static str, Vec<&'static str>); 23] {
    [
        ("service", vec!["norma-ingest", "norma-sts", "zip"]),
        ("ingest", SERVERS.to_vec()),
        ("reads", [&SERVERS[..], &["norma-ingest", "norma-sts"]].concat()),
        ("editions", [&SERVERS[..], &["norma-ingest", "norma-sts"]].concat()),
        ("audit", [&HTTP[..], &STORES, &["norma-auth", "tokio"]].concat()),
        ("explorer", STORES.to_vec()),
        ("mcp", [&STORES[..], &XML, &["norma-service"]].concat()),
        ("traces", [&STORES[..], &SERVERS, &["norma-api", "norma-auth", "norma-model"]].concat()),
        ("sts", [&HTTP[..], &STORES, &IO].concat()),
        ("render", [&HTTP[..], &STORES, &IO].concat()),
        ("export", [&HTTP[..], &STORES, &IO].concat()),
        ("client", [&SERVERS[..], &STORES, &["norma-service"]].concat()),
        ("search", [&HTTP[..], &STORES, &["norma-render"]].concat()),
        ("quotations", [&HTTP[..], &STORES, &IO, &XML].concat()),
        ("settings", [&HTTP[..], &STORES, &IO, &["norma-api", "norma-auth", "norma-model"]].concat()),
        ("dev-idp", vec!["norma-auth"]),
        ("provisions", [&HTTP[..], &STORES, &IO, &XML].concat()),
        ("amendments", [&HTTP[..], &STORES, &IO, &XML].concat()),
        ("compare", [&HTTP[..], &STORES, &IO].concat()),
        ("api", [&HTTP[..], &STORES].concat()),
        ("model", [&HTTP[..], &STORES, &IO, &XML].concat()),
        ("auth", SERVERS.to_vec()),
        // A client of object stores brings a reader of XML for their answers.
        ("store", vec!["norma-provisions", "norma-sts"]),
    ]
}

/// The names of all packages that a crate uses, directly or through others, without tests and builds, as
/// `cargo tree -p norma-NAME -e normal` shows them.
fn packages_below(name: &str) -> BTreeSet<String> {
    let package = format!("norma-{name}");
    let tree = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(["--package", &package])
        .current_dir(crates())
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let lines = String::from_utf8(tree.stdout).expect("names of packages are UTF-8");
    lines.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn no_crate_has_below_it_what_it_must_not_contain() {
    let (store, service) = (packages_below("store"), packages_below("service"));
    assert!(store.contains("rusqlite") && service.contains("axum"), "{store:?} {service:?}");
    for (name, packages) in absent() {
        let below = packages_below(name);
        for package in packages {
            assert!(!below.contains(package), "{name} has {package} below it");
        }
    }
}

/// The page and this test name the same crates.
#[test]
fn each_crate_has_a_row_on_the_page_of_the_architecture() {
    let page = std::fs::read_to_string(crates().join("../ARCHITECTURE.md")).unwrap();
    let rows: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_once(" | `")?.1.split_once('`'))
        .map(|(name, _)| name)
        .collect();
    let expected: BTreeSet<&str> = EDGES.iter().map(|(name, _)| *name).collect();
    assert_eq!(rows, expected);
}

/// What a crate does not do itself, though packages below it may: words of its sources, without tests.
#[test]
fn no_crate_that_is_pure_names_files_sockets_or_the_clock() {
    for name in ["render", "export", "compare", "amendments", "model", "provisions", "quotations"] {
        for entry in walkdir::WalkDir::new(crates().join(name).join("src")) {
            let path = entry.unwrap().into_path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for word in ["std::fs", "std::net", "std::process", "Instant::now", "SystemTime::now"] {
                assert!(!text.contains(word), "{}: {word}", path.display());
            }
        }
    }
}

/// Words for the task of one crate, each with the only crate that may use it.
#[test]
fn each_library_stays_with_the_crate_whose_skill_it_is() {
    for (library, owners) in [
        // No crate that `ingest`, `audit`, `editions` and `reads` use is among those of HTTP.
        ("axum", &["service", "dev-idp", "explorer", "mcp"][..]),
        ("hyper", &["service"]),
        ("hyper-util", &["service", "dev-idp", "mcp"]),
        ("tower", &["service"]),
        ("zip", &["ingest", "review", "export"]),
        ("walkdir", &["ingest"]),
        ("imagesize", &["ingest"]),
        ("csv", &["reads", "editions", "audit", "export"]),
        ("rust_xlsxwriter", &["export"]),
        ("sqlx", &["store"]),
        ("tantivy", &["search"]),
        ("object_store", &["store"]),
        ("roxmltree", &["sts"]),
        ("quick-xml", &["sts", "review", "export"]),
        ("sentencex", &["provisions"]),
        ("reqwest", &["client", "auth", "mirror", "traces"]), // mirror: webhooks; traces: the client of the exporter
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
