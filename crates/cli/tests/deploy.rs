//! Files in `deploy/` and the content of packages, compared with the program. What they name exists, manual
//! pages and completions name every command, and the service manager learns of start and stop.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::collections::BTreeSet;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Longest time of a start or a stop.
const DEADLINE: Duration = Duration::from_secs(60);

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Texts of all files in a folder with this ending.
fn texts(folder: &str, ending: &str) -> Vec<String> {
    let files = walkdir::WalkDir::new(workspace().join(folder)).into_iter().map(Result::unwrap);
    let files = files.filter(|file| file.path().extension().is_some_and(|found| found == ending));
    files.map(|file| std::fs::read_to_string(file.path()).unwrap()).collect()
}

/// The names of metrics in a text.
fn metrics(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = words.filter(|word| word.starts_with("norma_")).map(|word| {
        let suffixes = ["_bucket", "_sum", "_count"];
        suffixes.iter().find_map(|suffix| word.strip_suffix(suffix)).unwrap_or(word).to_owned()
    });
    names.collect()
}

#[test]
fn dashboard_and_alerts_name_metrics_that_the_service_has_and_leave_none_out() {
    let literals = ["audit", "reads", "service", "traces"]
        .map(|name| texts(&format!("crates/{name}/src"), "rs").concat())
        .concat();
    let known: BTreeSet<String> =
        metrics(&literals).into_iter().filter(|name| literals.contains(&format!("!(\"{name}\""))).collect();
    assert!(known.contains("norma_http_requests_total"), "{known:?}");
    for (folder, ending) in [("deploy/prometheus", "yml"), ("deploy/grafana", "json")] {
        assert_eq!(metrics(&texts(folder, ending).concat()), known, "{folder}");
    }
}

/// Runs the program, which must succeed, and returns its output.
fn norma(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_norma")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The subcommands of a command, by its help, each as the words of a command line.
fn commands(above: &[&str]) -> Vec<Vec<String>> {
    let help = norma(&[above, &["--help"]].concat());
    let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let names = listed.lines().take_while(|line| !line.is_empty()).filter(|line| line.starts_with("  "));
    let names =
        names.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .flat_map(|name| {
            let words = [above, &[name]].concat();
            let own = words.iter().map(|word| (*word).to_owned()).collect();
            [vec![own], commands(&words)].concat()
        })
        .collect()
}

#[test]
fn manual_pages_and_completions_name_every_command_and_setting() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man");
    // 2026-11-23T00:00:00Z; roff(7) writes a hyphen that can be copied as `\-`.
    norma(&["man", pages.to_str().unwrap(), "--epoch", "1795392000"]);
    let page =
        |name: &str| std::fs::read_to_string(pages.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let commands = commands(&[]);
    assert!(commands.len() > 50 && commands.contains(&vec!["tenant".into(), "add".into()]), "{commands:?}");
    for words in &commands {
        let text = page(&format!("man1/norma-{}.1", words.join("-")));
        assert!(text.contains(" 1 2026-11-23 "), "{text}");
        assert!(text.contains(&format!("norma {}", words.join(" ").replace('-', "\\-"))), "{text}");
    }
    assert!(page("man1/norma.1").contains("norma\\-serve(1)"));
    let settings = page("man5/norma.toml.5");
    for key in norma_settings::keys() {
        assert!(settings.contains(&key.name.replace('-', "\\-")), "norma.toml(5) does not name {}", key.name);
    }
    let count = std::fs::read_dir(pages.join("man1")).unwrap().count();
    assert_eq!(count, commands.len() + 1, "one page more than commands: norma(1)");
    for shell in ["bash", "zsh", "fish"] {
        let script = norma(&["completions", shell]);
        let missing: Vec<_> = commands.iter().flatten().filter(|word| !script.contains(*word)).collect();
        assert!(missing.is_empty(), "{shell}: {missing:?}");
        assert!(script.contains("max-connections"), "{shell} does not complete the settings of norma serve");
        assert!(script.len() < 300_000, "{shell}: {} bytes", script.len());
    }
}

#[test]
fn the_image_has_settings_that_norma_reads_and_all_files_that_the_program_is_built_of() {
    let settings = workspace().join("deploy/image/norma.toml");
    let dump = norma(&["config", "dump", "--config", settings.to_str().unwrap()]);
    for line in ["http.listen", "http.ops-listen", "store.store"] {
        let line = dump.lines().find(|row| row.starts_with(&format!("{line} "))).unwrap();
        assert!(line.contains("deploy/image/norma.toml"), "{line}");
    }
    let sent = std::fs::read_to_string(workspace().join(".dockerignore")).unwrap();
    let sent: Vec<&str> = sent.lines().filter_map(|line| line.strip_prefix('!')).collect();
    // Files that the sources include: `include_str!("../../../../docs/…")`,
    // `include_dir!("$CARGO_MANIFEST_DIR/../../samples")`.
    let sources = texts("crates", "rs").concat();
    let included = sources.split("include_").skip(1).filter_map(|rest| {
        let path = rest.get(..200).unwrap_or(rest).split('"').nth(1)?;
        path.contains("/../").then(|| path.rsplit("../").next()).flatten()
    });
    let included: BTreeSet<&str> = included.filter(|path| workspace().join(path).exists()).collect();
    assert!(included.contains("samples"), "{included:?}");
    for path in included {
        assert!(sent.iter().any(|folder| path.starts_with(folder)), ".dockerignore leaves out {path}");
    }
}

/// A service that notifies the test as its service manager (sd_notify(3)).
struct Service {
    child: std::process::Child,
    socket: UnixDatagram,
    ops: String,
    _folder: tempfile::TempDir,
}

impl Service {
    fn start(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(DEADLINE)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_norma"))
            .args(["serve", "--audience", "api://norma", "--ready-file", "ready.json"])
            .args(["--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"])
            .args(more)
            .current_dir(&folder)
            .env("NOTIFY_SOCKET", &path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut service = Self { child, socket, ops: String::new(), _folder: folder };
        assert_eq!(service.state(), "READY=1");
        let addresses = std::fs::read(service._folder.path().join("ready.json")).unwrap();
        let addresses: serde_json::Value = serde_json::from_slice(&addresses).unwrap();
        service.ops = addresses["opsUrl"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
        service
    }

    /// The next state that it notifies.
    fn state(&self) -> String {
        let mut buffer = [0; 256];
        let length = self.socket.recv(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[..length]).trim().to_owned()
    }

    fn terminate(&self) {
        let stop = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(stop.success());
        assert_eq!(self.state(), "STOPPING=1");
    }

    /// Exit status, standard output and standard error of `norma health`.
    fn health(&self, more: &[&str]) -> (Option<i32>, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_norma"))
            .args(["health", "--ops-listen", &self.ops])
            .args(more)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn settings_of_traces_are_valid_and_their_secrets_are_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let headers = folder.path().join("headers");
    std::fs::write(&headers, "Authorization=Bearer%20hush,X-Scope=hush\n").unwrap();
    let dump = Command::new(env!("CARGO_BIN_EXE_norma"))
        .args(["config", "dump", "--config"])
        .arg(workspace().join("deploy/opentelemetry/norma.toml"))
        .env("NORMA_TRACES_HEADERS_FILE", &headers)
        .output()
        .unwrap();
    let shown = String::from_utf8(dump.stdout).unwrap();
    assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
    assert!(shown.contains("Authorization=…") && shown.contains("X-Scope=…"), "{shown}");
    assert!(shown.contains("0.01") && !shown.contains("hush"), "{shown}");
}

#[test]
fn the_service_manager_is_notified_of_readiness_and_of_the_stop() {
    let mut service = Service::start(&["--drain-time", "0s"]);
    assert_eq!(service.health(&[]), (Some(0), "ready\n".to_owned(), String::new()));
    service.terminate();
    assert!(service.child.wait().unwrap().success());
    let (status, _, said) = service.health(&[]);
    assert_eq!(status, Some(1));
    assert!(said.contains(&service.ops) && said.contains("is the service running"), "{said}");
}

#[test]
fn a_service_that_stops_is_live_and_not_ready() {
    let service = Service::start(&["--drain-time", "10m"]);
    service.terminate();
    let mut answers = std::iter::repeat_with(|| service.health(&[]));
    let (status, _, said) = answers.find(|(status, ..)| *status != Some(0)).unwrap();
    assert_eq!(status, Some(1));
    assert!(said.contains("not ready: 503") && said.contains("\"stopping\":true"), "{said}");
    assert_eq!(service.health(&["--live"]), (Some(0), "live\n".to_owned(), String::new()));
}

#[test]
fn health_fails_where_nothing_answers_in_time_or_no_port_is_known() {
    // Connections that are not accepted.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    for (address, timeout, expected) in [
        (address.as_str(), "10ms", "within 10ms"),
        ("127.0.0.1:0", "3s", "port 0"),
        (&address, "-1s", "negative"),
    ] {
        let timeout = format!("--timeout={timeout}");
        let output = Command::new(env!("CARGO_BIN_EXE_norma"))
            .args(["health", "--ops-listen", address, &timeout])
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(expected), "{said}");
    }
}

/// Objects of a manifest for Kubernetes, as JSON; None where the Python packages of the tests are not
/// installed.
#[allow(clippy::disallowed_methods, reason = "the environment of the tests")]
fn manifest(name: &str) -> Option<serde_json::Value> {
    let python = Path::new(&std::env::var_os("NORMA_VENV")?).join("bin/python");
    let code = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)";
    let file = std::fs::File::open(workspace().join("deploy/kubernetes").join(name)).unwrap();
    let output = Command::new(python).args(["-c", code]).stdin(file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Owner and modes of mounted files are those of the kubelet: root's; with `fsGroup` they belong to that
/// group, which may read them (Kubernetes API, PodSecurityContext, fsGroup). 0644 is the default mode.
#[test]
fn pods_can_read_each_file_that_is_mounted_and_no_other_user_the_secret() {
    if Command::new("id").arg("-u").output().unwrap().stdout != b"0\n" {
        eprintln!("skipped: only root can give files and processes to another user");
        return;
    }
    for name in ["deployment.yaml", "migration-job.yaml"] {
        let Some(object) = manifest(name) else {
            eprintln!("skipped: NORMA_VENV names no Python packages");
            return;
        };
        let pod = &object["spec"]["template"]["spec"];
        let security = &pod["securityContext"];
        let number = |value: &serde_json::Value| value.as_u64().map(|number| u32::try_from(number).unwrap());
        let (user, group) =
            (number(&security["runAsUser"]).unwrap(), number(&security["runAsGroup"]).unwrap());
        let fs_group = number(&security["fsGroup"]);

        let folder = tempfile::tempdir().unwrap();
        set_mode(folder.path(), 0o755);
        let program = folder.path().join("norma");
        let built = env!("CARGO_BIN_EXE_norma");
        if std::fs::hard_link(built, &program).is_err() {
            std::fs::copy(built, &program).unwrap();
        }
        let mounts = pod["containers"][0]["volumeMounts"].as_array().unwrap();
        for volume in pod["volumes"].as_array().unwrap() {
            let mount = mounts.iter().find(|mount| mount["name"] == volume["name"]).unwrap();
            let at = folder.path().join(mount["mountPath"].as_str().unwrap().trim_start_matches('/'));
            std::fs::create_dir_all(&at).unwrap();
            let (file, text, source) = match volume["name"].as_str().unwrap() {
                "settings" => {
                    let text =
                        std::fs::read_to_string(workspace().join("deploy/kubernetes/norma.toml")).unwrap();
                    ("norma.toml", text, &volume["configMap"])
                }
                "store" => ("store", "postgres://norma:hush@db/norma".to_owned(), &volume["secret"]),
                _ => continue,
            };
            let mode = number(&source["defaultMode"]).unwrap_or(0o644);
            std::fs::write(at.join(file), text).unwrap();
            std::os::unix::fs::chown(at.join(file), Some(0), Some(fs_group.unwrap_or(0))).unwrap();
            set_mode(&at.join(file), if fs_group.is_some() { mode | 0o440 } else { mode });
        }

        let run = |user: u32, group: u32, groups: Option<u32>| {
            let groups = groups.map_or("--clear-groups".to_owned(), |group| format!("--groups={group}"));
            let output = Command::new("setpriv")
                .args([&format!("--reuid={user}"), &format!("--regid={group}"), &groups])
                .arg(&program)
                .args(["config", "dump", "--config"])
                .arg(folder.path().join("etc/norma/norma.toml"))
                .env("NORMA_STORE_FILE", folder.path().join("etc/norma-store/store"))
                .output()
                .unwrap();
            (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let (reads, said) = run(user, group, fs_group);
        assert!(reads, "{name}: {said}");
        let (reads, said) = run(user + 1, group + 1, None);
        assert!(
            !reads && said.contains("norma-store/store"),
            "{name}: another user reads the secret: {said}"
        );
    }
}

fn set_mode(path: &Path, mode: u32) {
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(path, permissions).unwrap();
}

#[test]
fn fixed_limits_have_the_values_that_the_page_of_operations_names() {
    let page = std::fs::read_to_string(workspace().join("docs/operations.md")).unwrap();
    let document = norma_sts::ExtractionLimits::default();
    let batch = norma_store::Batch::default();
    let queries = norma_api::query::QueryLimits::default();
    let norma_service::server::FixedLimits { listeners, keys, reads, traces } = Default::default();
    let time = |time: Duration| time.as_millis();
    let seconds = |seconds: u64| u128::from(1000 * seconds);
    for (name, shown, expected, found) in [
        ("tls-interval", "10 s", seconds(10), time(listeners.tls_interval)),
        ("unread-body-time", "5 ms", 5, time(listeners.unread_body_time)),
        ("lingering-time", "2 s", seconds(2), time(listeners.lingering_time)),
        ("lingering-size", "16 MiB", 16 << 20, listeners.lingering_size.into()),
        ("max-lingering", "256", 256, listeners.max_lingering as u128),
        ("max-lingering-per-address", "16", 16, listeners.max_lingering_per_address as u128),
        ("max-ops-connections", "64", 64, listeners.max_ops_connections as u128),
        ("max-streams", "100", 100, listeners.max_streams.into()),
        ("gc-grace-period", "24 h", seconds(24 * 3600), time(norma_store::GC_GRACE)),
        ("search-matches", "2,000,000", 2_000_000, reads.search_matches.into()),
        ("key-refresh", "1 h", seconds(3600), time(keys.refresh)),
        ("key-lifetime", "24 h", seconds(24 * 3600), time(keys.lifetime)),
        ("key-refetch-gap", "10 s", seconds(10), time(keys.refetch_gap)),
        ("unknown-key-ttl", "10 s", seconds(10), time(keys.unknown_key_ttl)),
        ("key-fetch-timeout", "5 s", seconds(5), time(keys.fetch_timeout)),
        ("key-set-size", "256 KiB", 256 << 10, keys.max_document as u128),
        ("page-size", "50", 50, queries.page_size.into()),
        ("max-page-size", "500", 500, queries.max_page_size.into()),
        ("max-query-values", "100", 100, queries.max_values as u128),
        ("max-query-words", "32", 32, queries.max_words as u128),
        ("max-asset-references", "100", 100, norma_reads::MAX_ASSET_REFERENCES as u128),
        ("max-migrated-ids", "1000", 1000, norma_reads::MAX_MIGRATED_IDS as u128),
        ("max-citations", "100", 100, norma_reads::MAX_CITATIONS as u128),
        ("max-citation-characters", "500", 500, norma_model::printed::MAX_CITATION_LENGTH as u128),
        ("max-quotations", "100", 100, norma_reads::MAX_QUOTATIONS as u128),
        ("max-quotation-characters", "2,000", 2_000, norma_reads::MAX_QUOTATION_CHARACTERS as u128),
        ("asset-url-lifetime", "15 min", seconds(15 * 60), time(reads.asset_url_lifetime)),
        ("max-depth", "256", 256, document.depth.into()),
        ("max-nodes", "20,000,000", 20_000_000, document.nodes.into()),
        ("max-attribute-size", "32 MiB", 32 << 20, document.attribute_bytes as u128),
        ("max-entity-expansion", "8 MiB", 8 << 20, document.expansion_bytes as u128),
        ("max-entity-depth", "16", 16, document.expansion_depth as u128),
        ("max-prefixes", "256", 256, document.prefixes as u128),
        ("max-undeclared-prefixes", "16", 16, document.undeclared_prefixes as u128),
        ("max-parts", "12,500", 12_500, document.parts as u128),
        ("min-part-size", "96 bytes", 96, document.part_bytes as u128),
        ("max-sentence-size", "64 KiB", 64 << 10, document.sentence_bytes as u128),
        ("max-table-size", "16 MiB", 16 << 20, document.table_bytes as u128),
        ("max-interrupted-text", "16 MiB", 16 << 20, document.interrupted_bytes as u128),
        ("max-diagnostics", "1000", 1000, document.diagnostics as u128),
        ("batch-documents", "256", 256, batch.editions as u128),
        ("batch-size", "4 MiB", 4 << 20, batch.bytes.into()),
        ("batch-time", "1 s", seconds(1), time(batch.time)),
        ("max-comparison-units", "100,000", 100_000, norma_editions::comparison::MAX_UNITS as u128),
        ("max-comparison-size", "64 MiB", 64 << 20, norma_editions::comparison::MAX_RECORD_SIZE.into()),
        ("traces-queue", "4096", 4096, traces.queue as u128),
        ("traces-interval", "2 s", seconds(2), time(traces.interval)),
        ("traces-timeout", "10 s", seconds(10), time(traces.timeout)),
    ] {
        assert_eq!(found, expected, "{name}");
        assert!(
            page.contains(&format!("| `{name}` | {shown} |")),
            "{name}: docs/operations.md names another value"
        );
    }
}
