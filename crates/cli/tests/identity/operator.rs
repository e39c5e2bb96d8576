//! `norma doctor operator`: finds what is missing in an installation, and changes nothing.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use norma_dev_idp::{DevIdp, DevIdpSettings};
use serde_json::Value;

use crate::world::{STANDARD, World, norma};

/// The checks that found a problem, and the whole output.
fn problems(arguments: &[&str]) -> (Vec<String>, String) {
    let said = norma(&[&["doctor", "operator", "--format", "json"], arguments].concat());
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty(), "{}", said.err);
    let bad: Vec<&Value> = lines.iter().filter(|line| line["ok"] == false).collect();
    assert_eq!(said.code, Some(i32::from(!bad.is_empty())), "{}", said.out);
    (bad.iter().map(|line| line["check"].as_str().unwrap().to_owned()).collect(), said.out)
}

fn assert_named(what: &str, arguments: &[&str], checks: &[&str], words: &[&str]) {
    let (bad, out) = problems(arguments);
    assert_eq!(bad, checks, "{what}: {out}");
    for word in words {
        assert!(out.contains(word), "{what}: `{word}` is not said in {out}");
    }
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Files that others may read or change, a full disk, an audit file that cannot be written, backups.
fn examine_files(world: &World, right: &[&str]) {
    let folder = world.folder.path();
    let with = |more: &[&str], checks: &[&str], words: &[&str]| {
        assert_named(&format!("{more:?}"), &[right, more].concat(), checks, words);
    };

    // Modes, of the store, its folder, the audit and a key.
    let store = folder.join("norma.db");
    set_mode(&store, 0o644);
    with(&[], &["permissions"], &["its mode is 0644", "chmod o-rwx", "norma.db"]);
    set_mode(&store, 0o640);
    with(&[], &[], &[]);
    set_mode(&store, 0o600);
    set_mode(folder, 0o777);
    with(&[], &["permissions"], &["its mode is 0777", "chmod o-w"]);
    set_mode(folder, 0o700);
    let audits = folder.join("audits");
    std::fs::create_dir(&audits).unwrap();
    set_mode(&audits, 0o700);
    let audit = audits.join("audit.jsonl");
    let rotated = audits.join("audit.jsonl.20261007T090000.000000000Z");
    for path in [&audit, &rotated] {
        std::fs::write(path, "").unwrap();
        set_mode(path, 0o604);
    }
    let audit = audit.to_str().unwrap();
    with(&["--audit-file", audit], &["permissions", "permissions"], &["20261007", "chmod o-rwx"]);
    set_mode(&rotated, 0o600);
    set_mode(Path::new(audit), 0o600);
    with(&["--audit-file", audit], &[], &["audit.jsonl can be written"]);

    // A settings file, and one that a variable names, with a password.
    let settings = world.file("norma.toml", "[store]\nblobs = \"s3://id:hush@bucket\"\n");
    set_mode(&settings, 0o644);
    let said = norma(
        &[&["doctor", "operator", "--config", settings.to_str().unwrap(), "--blobs", ""], right].concat(),
    );
    assert!(said.out.contains("a file with a secret") && said.out.contains("norma.toml"), "{}", said.out);
    set_mode(&settings, 0o600);

    // The audit file is a folder; its folder is not there; the user may not write it.
    with(&["--audit-file", audits.to_str().unwrap()], &["audit"], &["it is a folder", "name a file in it"]);
    with(&["--audit-file", "/nowhere/audit"], &["audit"], &["/nowhere", "make the folder"]);
    set_mode(&audits, 0o500);
    let said = without_rights(&[&["doctor", "operator", "--audit-file", audit], right].concat());
    assert!(said.contains("problem  audit: `audit-file`") && said.contains("Permission denied"), "{said}");
    set_mode(&audits, 0o700);

    // No disk has so much room.
    with(&["--min-free-space", "1000TiB"], &["disk"], &["less than `min-free-space`", "make room"]);

    // Backups.
    let backups = folder.join("backups");
    let named = ["--backup-path", backups.to_str().unwrap()];
    with(&named, &["backup"], &["cannot read", "`backup-path`"]);
    std::fs::create_dir(&backups).unwrap();
    with(&named, &["backup"], &["there is no backup"]);
    let old = backups.join("old.dump");
    std::fs::write(&old, "a dump").unwrap();
    let touched = Command::new("touch").args(["--date", "27 hours ago"]).arg(&old).status().unwrap();
    assert!(touched.success());
    with(&named, &["backup"], &["old.dump", "is 27 hours old", "`max-backup-age` is 26 hours"]);
    with(&[&named[..], &["--max-backup-age", "2d"]].concat(), &[], &["old.dump"]);
    let new = backups.join("new.dump");
    std::fs::write(&new, "").unwrap();
    with(&named, &["backup"], &["new.dump, is empty"]);
    std::fs::write(&new, "a dump").unwrap();
    with(&named, &[], &["new.dump, is 0 hours old"]);
}

/// Output of the program without root's capability to write whatever the mode of a file is (capabilities(7)).
fn without_rights(arguments: &[&str]) -> String {
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let program = env!("CARGO_BIN_EXE_norma");
    let mut command = Command::new(if is_root { "setpriv" } else { program });
    if is_root {
        command.args(["--bounding-set=-dac_override,-dac_read_search", program]);
    }
    String::from_utf8(command.args(arguments).output().unwrap().stdout).unwrap()
}

/// A certificate for `norma.test` that is valid between these days from now, and its key, in PEM.
fn certificate(from: i64, until: i64) -> (String, String) {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut parameters = rcgen::CertificateParams::new(["norma.test".to_owned()]).unwrap();
    let now = std::time::SystemTime::now();
    let day = |days: i64| {
        let distance = Duration::from_secs(days.unsigned_abs() * 24 * 3600);
        if days < 0 { now - distance } else { now + distance }
    };
    parameters.not_before = day(from).into();
    parameters.not_after = day(until).into();
    (parameters.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

/// Certificates of TLS and roots that have ended, end soon, are not valid yet or do not belong to the key.
fn examine_certificates(world: &World, right: &[&str]) {
    for (from, until, words) in [
        (-90, -1, Some("the certificate of CN=rcgen self signed cert expired on")),
        (-60, 29, Some("expires on")),
        (1, 90, Some("is not valid before")),
        (-60, 31, None),
    ] {
        let (pem, key) = certificate(from, until);
        let (pem, key) = (world.file("tls.pem", &pem), world.file("tls.key", &key));
        set_mode(&key, 0o600);
        let (pem, key) = (pem.to_str().unwrap(), key.to_str().unwrap());
        let tls = [right, &["--tls-cert", pem, "--tls-key", key]].concat();
        let roots = [right, &["--auth-ca", pem]].concat();
        match words {
            Some(words) => {
                assert_named(words, &tls, &["certificate"], &[words, "`tls-cert`", "renew it"]);
                assert_named(words, &roots, &["certificate"], &[words, "`auth-ca`", "root certificate"]);
            }
            None => {
                assert_named("valid", &tls, &[], &["valid for longer"]);
                assert_named(
                    "valid",
                    &[&tls[..], &["--expiry-notice", "32d"]].concat(),
                    &["certificate"],
                    &["expires on"],
                );
                assert_named("valid", &roots, &[], &["valid for longer"]);
            }
        }
    }
    // The last certificate, which is valid, for callers of the host that it names and of others.
    let file = |name: &str| world.folder.path().join(name).display().to_string();
    let (pem, key) = (file("tls.pem"), file("tls.key"));
    let at = |url, more: &[&str], checks: &[&str], words: &[&str]| {
        let tls = ["--tls-cert", &pem, "--tls-key", &key, "--public-url", url];
        assert_named(url, &[right, &tls, more].concat(), checks, words);
    };
    at("https://norma.test:8443", &[], &[], &["valid for longer"]);
    for url in ["https://norma.test.example", "https://192.0.2.1", "https://[2001:db8::1]:8443"] {
        at(url, &[], &["certificate"], &["`public-url`", url, "norma.test", "`trusted-proxies`"]);
        at(url, &["--trusted-proxies", "10.0.0.0/8"], &[], &["valid for longer"]);
    }
    let other = world.file("other.key", &certificate(-1, 90).1);
    set_mode(&other, 0o604);
    let both = [right, &["--tls-cert", &pem, "--tls-key", other.to_str().unwrap()]].concat();
    let words = ["the private key `tls-key`", "chmod o-rwx", "certificate or key cannot be used"];
    assert_named("another key", &both, &["certificate", "permissions"], &words);
}

/// Grants that end soon, and a clock that is wrong.
async fn examine_times(world: &World, right: &[&str]) {
    let tenant = world.client.tenant.to_string();
    let day = |days: u64| {
        let time = std::time::SystemTime::now() + Duration::from_secs(days * 24 * 3600);
        jiff::Timestamp::try_from(time).unwrap().to_zoned(jiff::tz::TimeZone::UTC).date().to_string()
    };
    let grant = |more: &[&str]| {
        let said =
            world.operate(&[&["grant", "add", &tenant, "--urn", "urn:nsb:std:nsb:4202:*"], more].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
    };
    let (soon, later) = (day(29), day(31));
    grant(&["--until", &later]);
    assert_named("a grant that ends later", right, &[], &[]);
    grant(&["--until", &soon, "--level", "discover"]);
    assert_named("a grant that another continues", right, &[], &[]);
    grant(&["--until", &soon, "--client", "other"]);
    assert_named("the same of one client", right, &[], &[]);
    grant(&["--until", &soon, "--urn", "urn:nsb:std:nsb:4203:*"]);
    let words = ["grant 6 of tenant", &soon, "norma grant add"];
    assert_named("a grant that ends soon", right, &["grants"], &words);
    assert_eq!(world.operate(&["grant", "remove", "6"]).code, Some(0));
    let notice = [right, &["--expiry-notice", "32d"]].concat();
    assert_named("a longer notice", &notice, &["grants"], &["grant 2 of tenant"]);

    assert_named("a key that is not old", right, &[], &["the key of asset URLs was made on"]);

    world.idp.set_clock_ahead(600);
    assert_named("a wrong clock", right, &["clock"], &["the provider's clock differs from ours by", "NTP"]);
    world.idp.set_clock_ahead(0);
    assert_named("a right clock", right, &[], &["differs from those of the providers by"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_installation_is_looked_over_and_each_fault_is_named() {
    let world = World::start(&[]).await;
    let store = world.folder.path().join("norma.db").display().to_string();
    let right = ["--store", &store, "--auth-url", world.idp.url(), "--audience", "api://norma"];
    let but = |more: &[&'static str]| -> Vec<String> {
        right.iter().chain(more).map(|argument| (*argument).to_owned()).collect()
    };
    let (bad, out) = problems(&right);
    assert_eq!(bad, [""; 0], "{out}");
    for said in ["schema is this program's", STANDARD, "2 keys from"] {
        assert!(out.contains(said), "{said}: {out}");
    }

    let without_audience = &right[..4];
    assert_named("no audience", without_audience, &["settings"], &["`audience`", "application ID URI"]);
    for (more, words) in [
        (["--auth-ca", "/nowhere"], ["/nowhere", "PEM"]),
        (["--algorithms", "none"], ["none", "RS256"]),
        (["--trusted-proxies", "everyone"], ["everyone", "10.0.0.0/8"]),
        (["--tls-cert=/nowhere", "--tls-key=/nowhere"], ["`tls-key`: cannot read /nowhere", "PEM"]),
    ] {
        let arguments = but(&more);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (bad, out) = problems(&arguments);
        assert!(bad.iter().all(|check| check == "settings") && !bad.is_empty(), "{more:?}: {out}");
        assert!(words.iter().all(|word| out.contains(word)), "{more:?}: {out}");
    }

    examine_files(&world, &right);
    examine_certificates(&world, &right);
    examine_times(&world, &right).await;

    let absent = world.folder.path().join("absent.db");
    let other = ["--store", absent.to_str().unwrap(), "--audience", "api://norma"];
    assert_named("no store", &other, &["store"], &["norma store migrate"]);
    assert!(!absent.exists(), "looking made a store");
    assert_eq!(norma(&["store", "migrate", "--store", absent.to_str().unwrap()]).code, Some(0));
    assert_named("an empty store", &other, &["tenants", "grants"], &["norma tenant add", "norma grant add"]);

    let elsewhere = ["--store", &store, "--auth-url", "http://127.0.0.1:9", "--audience", "api://norma"];
    assert_named("no provider", &elsewhere, &["keys", "keys"], &["auth-url"]);
    let another = DevIdp::start(DevIdpSettings::ephemeral()).await.unwrap();
    let stranger = ["--store", &store, "--auth-url", another.url(), "--audience", "api://norma"];
    assert_named("a provider without the tenant", &stranger, &["keys", "keys"], &["tenant's id"]);
}
