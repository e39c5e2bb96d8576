//! `norma explore`: its guard, its pages for a caller and for an operator, its browser, and what it says
//! where the service gives no answer.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod downloads;
mod operator;
mod reading;
mod search;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use reqwest::{Method, StatusCode};
use support::Demo;

const ANCHORS: &str = "urn:nsb:std:nsb:4210:ed-2:en";
const OLDER_ANCHORS: &str = "urn:nsb:std:nsb:4210:ed-1:en";

/// A running `norma explore`.
struct Explore {
    child: Child,
    url: String,
}

impl Drop for Explore {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// `norma explore` as the caller of the demonstration, of the service at this URL.
fn command(demo: &Demo, service: &str, listen: &str) -> Command {
    let text = |member: &str| demo.ready[member].as_str().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_norma"));
    command
        .args(["explore", "--listen", listen])
        .env("NORMA_AUTH_URL", text("authUrl"))
        .env("NORMA_TENANT_ID", text("tenantId"))
        .env("NORMA_CLIENT_ID", text("clientId"))
        .env("NORMA_CLIENT_SECRET", text("clientSecret"))
        .env("NORMA_SCOPE", text("scope"))
        .env("NORMA_BASE_URL", service)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn explore(demo: &Demo, service: &str) -> Explore {
    started(&mut command(demo, service, "127.0.0.1:0"))
}

fn started(command: &mut Command) -> Explore {
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("Look: ").unwrap_or_else(|| panic!("{line}")).to_owned();
    Explore { child, url }
}

async fn status(demo: &Demo, method: Method, url: &str, headers: &[(&str, &str)]) -> StatusCode {
    let mut request = demo.http.request(method, url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap().status()
}

async fn page(demo: &Demo, url: &str) -> (StatusCode, String) {
    let answer = demo.http.get(url).send().await.unwrap();
    (answer.status(), answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_page_of_the_explorer_and_who_has_its_address_is_answered() {
    let demo = Demo::start(&[]).await;
    let url = demo.ready["explorerUrl"].as_str().unwrap();
    let (origin, key) = url.trim_end_matches('/').rsplit_once('/').unwrap();
    let host = origin.strip_prefix("http://").unwrap();
    assert!(host.starts_with("127.0.0.1:") && key.len() == 26, "{url}");
    let port = host.rsplit_once(':').unwrap().1;
    let other_key = format!("{origin}/{}/en/", "a".repeat(26));
    let (localhost, other_port) = (format!("localhost:{port}"), format!("http://127.0.0.1:{}", u16::MAX));
    for (method, target, headers, expected) in [
        (Method::GET, url, &[][..], 200),
        (Method::HEAD, url, &[], 200),
        (Method::GET, url, &[("origin", origin)], 200),
        (Method::GET, url, &[("host", "evil.example")], 403),
        (Method::GET, url, &[("host", &*localhost)], 403),
        (Method::GET, url, &[("origin", "https://evil.example")], 403),
        (Method::GET, url, &[("origin", "null")], 403),
        (Method::GET, url, &[("origin", &*other_port)], 403),
        (Method::GET, &*other_key, &[], 404),
        (Method::GET, &*format!("{origin}/"), &[], 404),
        (Method::GET, &*format!("{origin}/explorer.css"), &[], 404),
        (Method::POST, url, &[], 405),
        (Method::OPTIONS, url, &[], 405),
        (Method::GET, &*format!("{url}en/nothing"), &[], 404),
        (Method::GET, &*format!("{url}xx/"), &[], 404),
    ] {
        let found = status(&demo, method.clone(), target, headers).await;
        assert_eq!(found.as_u16(), expected, "{method} {target} {headers:?}");
    }
    let answer = demo.http.get(url).header("accept-language", "fr, en;q=0.5").send().await.unwrap();
    assert!(answer.url().path().ends_with("/fr/"), "{}", answer.url());
    let header = |name: &str| answer.headers()[name].to_str().unwrap();
    assert!(
        header("content-security-policy")
            .starts_with("default-src 'none'; style-src 'self'; script-src 'self'")
    );
    assert_eq!((header("referrer-policy"), header("cache-control")), ("no-referrer", "no-store"));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_link_leads_to_a_page_and_no_page_has_the_token_or_the_secret() {
    let demo = Demo::start(&[]).await;
    let start = demo.ready["explorerUrl"].as_str().unwrap();
    let key = start.trim_end_matches('/').rsplit_once('/').unwrap().1;
    let (origin, _) = start.split_once(&format!("/{key}")).unwrap();
    let token = demo.caller().await.token().to_owned();
    // All tokens of an issuer begin with the same head; a cursor begins as one, too.
    let head = token.split_once('.').unwrap().0;
    let secrets = [token.as_str(), demo.ready["clientSecret"].as_str().unwrap(), "Bearer ey", head];
    let mut open = vec![
        format!("/{key}/en/"),
        format!("/{key}/de/s/{ANCHORS}"),
        format!("/{key}/fr/s/urn:nsb:std:nsb:4220:ed-1:en"),
    ];
    let mut seen: BTreeSet<String> = open.iter().cloned().collect();
    let (mut provisions, mut searches) = (0, 0);
    while let Some(path) = open.pop() {
        let (status, text) = page(&demo, &format!("{origin}{path}")).await;
        // What others cite may be absent here, and only its own page says so.
        let may_be_absent = path.contains("/s/urn:") && status == StatusCode::NOT_FOUND;
        assert!(status.is_success() || may_be_absent, "{path}: {status} {text}");
        assert!(secrets.iter().all(|secret| !text.contains(secret)), "{path} has a secret");
        if path.contains("/d/") {
            continue;
        }
        for link in [" href=\"", " src=\"", " action=\""].iter().flat_map(|name| text.split(name).skip(1)) {
            let link = link.split(['"', '#']).next().unwrap().replace("&amp;", "&");
            let link = if link.starts_with('?') {
                format!("{}{link}", path.split('?').next().unwrap())
            } else {
                link
            };
            assert!(link.is_empty() || link.starts_with(&format!("/{key}/")), "{path} leads to {link}");
            // Provisions are alike, and searches: some of them suffice.
            let (is_provision, is_search) = (link.contains("/p/"), link.contains("/search?"));
            let is_enough = is_provision && provisions == 20 || is_search && searches == 30;
            if !link.is_empty() && !link.contains("/fr/") && !is_enough && seen.insert(link.clone()) {
                provisions += u32::from(is_provision);
                searches += u32::from(is_search);
                open.push(link);
            }
        }
    }
    assert!(
        provisions == 20 && searches == 30 && seen.iter().any(|path| path.contains("/figure/")),
        "{seen:?}"
    );
    let (_, compared) = page(&demo, &format!("{start}fr/c/{OLDER_ANCHORS}/{ANCHORS}")).await;
    for words in ["Dispositions côte à côte", "exigences modifiées", "plus strictes", "Ancienne édition"]
    {
        assert!(compared.contains(words), "{words} in {compared}");
    }
    let (_, anchors) = page(&demo, &format!("{start}en/s/{ANCHORS}")).await;
    for part in [
        "data-provision=\"requirement\"",
        "<em data-verb",
        "Compare with NSB 4210:2019",
        "data-marks=\"permission\"",
    ] {
        assert!(anchors.contains(part), "{part} in {anchors}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_explorers_have_two_keys_and_neither_listens_beyond_loopback() {
    let demo = Demo::start(&[]).await;
    let service = demo.ready["baseUrl"].as_str().unwrap();
    let [first, second] = [explore(&demo, service), explore(&demo, service)];
    let key = |explorer: &Explore| explorer.url.trim_end_matches('/').rsplit_once('/').unwrap().1.to_owned();
    assert_ne!(key(&first), key(&second));
    let crossed = first.url.replace(&key(&first), &key(&second));
    assert_eq!(page(&demo, &crossed).await.0, StatusCode::NOT_FOUND);
    let (status, text) = page(&demo, &second.url).await;
    assert!(status.is_success() && text.contains("NSB 4210:2025"), "{text}");
    for (listen, words) in [
        ("0.0.0.0:0", "loopback addresses only"),
        (first.url.strip_prefix("http://").unwrap().split('/').next().unwrap(), "cannot listen"),
    ] {
        let output = command(&demo, service, listen).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(words), "{listen}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_says_why_the_service_gives_no_answer() {
    let demo = Demo::start(&[]).await;
    let text = |member: &str| demo.ready[member].as_str().unwrap();
    let start = text("explorerUrl");
    let found = page(&demo, &format!("{start}en/s/urn:nsb:std:nsb:ts:4250:ed-1:en")).await;
    assert!(found.0 == StatusCode::NOT_FOUND && found.1.contains("Not there, or not licensed"), "{found:?}");
    let (status, discovered) = page(&demo, &format!("{start}en/s/urn:nsb:std:nsb:4220:ed-1:en")).await;
    assert!(status.is_success() && discovered.contains("not read its text"), "{discovered}");
    // A port on which nobody listens any more.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let away = explore(&demo, &format!("http://{free}"));
    let found = page(&demo, &away.url).await;
    assert!(found.0 == StatusCode::SERVICE_UNAVAILABLE && found.1.contains("Try again"), "{found:?}");
    // A service that accepts and does not answer holds up no other request.
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let slow = explore(&demo, &format!("http://{}", mute.local_addr().unwrap()));
    let waiting = tokio::spawn(demo.http.get(format!("{}en/", slow.url)).send());
    let (mut called, _) = tokio::task::spawn_blocking(move || mute.accept()).await.unwrap().unwrap();
    called.read_exact(&mut [0; 16]).unwrap();
    assert!(page(&demo, &format!("{}explorer.css", slow.url)).await.0.is_success());
    assert!(!waiting.is_finished());
    waiting.abort();
    // The client is suspended while the pages are open.
    assert!(page(&demo, start).await.0.is_success());
    demo.norma(&["client", "suspend", text("tenantId"), text("clientId")]);
    let refused = support::wait::eventually(support::DEADLINE, async || {
        let (status, text) = page(&demo, start).await;
        if status == StatusCode::BAD_GATEWAY { Ok(text) } else { Err(text) }
    });
    let refused = refused.await;
    assert!(refused.contains("refuses your client") && refused.contains("suspended"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn spreadsheets_are_those_of_norma_export() {
    let demo = Demo::start(&[]).await;
    let start = demo.ready["explorerUrl"].as_str().unwrap();
    let changes = format!("en/c/{OLDER_ANCHORS}/{ANCHORS}");
    let standard = page(&demo, &format!("{start}en/s/{ANCHORS}")).await;
    let comparison = page(&demo, &format!("{start}{changes}")).await;
    for (format, shown, path, names) in [
        ("csv", &standard.1, format!("en/d/{ANCHORS}/csv"), &[ANCHORS][..]),
        ("xlsx", &standard.1, format!("en/d/{ANCHORS}/xlsx"), &[ANCHORS]),
        ("csv", &comparison.1, format!("{changes}/csv"), &["--compare", OLDER_ANCHORS, ANCHORS]),
        ("xlsx", &comparison.1, format!("{changes}/xlsx"), &["--compare", OLDER_ANCHORS, ANCHORS]),
    ] {
        assert!(shown.contains(&format!("/{path}\"")), "no link to {path} in {shown}");
        let answer = demo.http.get(format!("{start}{path}")).send().await.unwrap();
        let disposition = answer.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert!(disposition.ends_with(&format!(".{format}\"")), "{disposition}");
        let exported = demo.as_caller("export", &[names, &["--format", format]].concat()).output().unwrap();
        assert!(exported.status.success(), "{exported:?}");
        assert!(answer.bytes().await.unwrap() == exported.stdout, "{path} is not what norma export writes");
    }
    let found = page(&demo, &format!("{start}en/d/urn:nsb:std:nsb:4220:ed-1:en/csv")).await;
    assert!(found.0 == StatusCode::FORBIDDEN && found.1.contains("content-not-licensed"), "{found:?}");
    let found = page(&demo, &format!("{start}{changes}/ods")).await;
    let words = "expected the format <code>csv</code> or <code>xlsx</code>, found <code>ods</code>";
    assert!(found.1.contains(words), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_gets_a_private_file_and_no_argument_list_has_the_key() {
    let demo = Demo::start(&[]).await;
    let service = demo.ready["baseUrl"].as_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (opener, seen) = (folder.path().join("xdg-open"), folder.path().join("seen"));
    let open = |script: &str| {
        std::fs::write(&opener, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&opener, PermissionsExt::from_mode(0o755)).unwrap();
        let mut command = command(&demo, service, "127.0.0.1:0");
        command
            .arg("--open")
            .env("SEEN", &seen)
            .env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()));
        command
    };
    let script =
        "{ echo \"$# $1\"; stat -c %a \"$1\"; cat \"$1\"; } > \"$SEEN.part\"; mv \"$SEEN.part\" \"$SEEN\"";
    let mut explorer = started(&mut open(script));
    let opened = support::wait::eventually(support::DEADLINE, async || {
        std::fs::read_to_string(&seen).map_err(|error| error.to_string())
    });
    let opened = opened.await;
    let key = explorer.url.trim_end_matches('/').rsplit_once('/').unwrap().1;
    let (arguments, rest) = opened.split_once('\n').unwrap();
    let file = arguments.strip_prefix("1 ").unwrap_or_else(|| panic!("one argument: {opened}"));
    let (mode, content) = rest.split_once('\n').unwrap();
    assert!(mode == "600" && content.contains(&format!("url={}", explorer.url)), "{opened}");
    let own = std::fs::read_to_string(format!("/proc/{}/cmdline", explorer.child.id())).unwrap_or_default();
    assert!(!file.contains(key) && !own.contains(key), "{file}, {own}");
    let stopped = Command::new("kill").arg(explorer.child.id().to_string()).status().unwrap();
    assert!(stopped.success() && explorer.child.wait().unwrap().success());
    assert!(!std::path::Path::new(file).exists(), "{file} is left");
    // No browser: the opener fails, or does not exist.
    let absent = folder.path().join("nothing");
    for path in [folder.path(), &*absent] {
        let mut explorer = started(open("exit 3").env("PATH", path));
        let mut said = String::new();
        BufReader::new(explorer.child.stderr.take().unwrap()).read_line(&mut said).unwrap();
        assert!(said.contains("no browser can be started here"), "{said}");
        assert!(page(&demo, &explorer.url).await.0.is_success());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn huge_sections_are_shown_or_refused_and_the_next_page_is_answered() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/minimal/document.xml");
    let sample = std::fs::read_to_string(sample).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cells = format!("<tr>{}</tr>", "<td>1</td>".repeat(50)).repeat(1000);
    for (number, content) in [
        ("9001", format!("<preformat>{}</preformat>", "<bold>x</bold> ".repeat(700_000))),
        ("9002", format!("<table-wrap><table>{cells}</table></table-wrap>")),
        ("9003", format!("<p>{}x{}</p>", "<bold>".repeat(100_000), "</bold>".repeat(100_000))),
        ("9004", format!("<preformat>{}</preformat>", "0123456789 ".repeat(800_000))),
    ] {
        let document =
            sample.replace("4201", number).replace("<p>The mass", &format!("{content}<p>The mass"));
        std::fs::write(folder.path().join(format!("{number}.xml")), document).unwrap();
    }
    let demo = Demo::start(&["--ingest", folder.path().to_str().unwrap()]).await;
    let start = demo.ready["explorerUrl"].as_str().unwrap();
    let section = async |number: &str| {
        page(&demo, &format!("{start}en/s/urn:nsb:std:nsb:{number}:ed-1:en?at=sec_2")).await
    };
    let (status, text) = section("9001").await;
    assert!(
        status.is_success() && text.matches("<b>x</b>").count() == 700_000,
        "{status}, {} bytes",
        text.len()
    );
    let (status, text) = section("9002").await;
    assert!(
        status.is_success() && text.matches("<td>1</td>").count() == 50_000,
        "{status}, {} bytes",
        text.len()
    );
    // Elements that are nested so deeply are refused by the ingest, so the service has no such standard.
    assert_eq!(section("9003").await.0, StatusCode::NOT_FOUND);
    let (status, text) = section("9004").await;
    assert!(status == StatusCode::BAD_GATEWAY && text.contains("16777216 bytes"), "{status}: {text:.3000}");
    assert!(page(&demo, start).await.0.is_success());
}
