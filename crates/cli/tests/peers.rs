//! Other projects' programs with the running demonstration: a fuzzer and a linter of APIs, generated clients,
//! a browser, processors of linked data, a collector of traces. Also a browser with the page of a comparison.
//!
//! `script/test` installs them and says where they are: `NORMA_VENV` is a Python virtual environment,
//! `NORMA_NODE_MODULES` a folder of Node packages, `NORMA_BROWSER` a Chromium. A test whose program is not
//! there says so and proves nothing.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use support::{Demo, installed};

const STANDARD: &str = "urn:nsb:std:nsb:4210:ed-2:en";

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers").join(name)
}

fn openapi() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json")
}

/// Runs a program to its end; a failure shows its output. A program may block, the demonstration is another
/// process.
fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&said));
    output
}

/// Requests that a fuzzer makes from the OpenAPI document, with a token and without, under all of its checks.
#[tokio::test(flavor = "multi_thread")]
async fn a_fuzzer_finds_no_answer_that_the_openapi_document_does_not_promise() {
    let Some(venv) = installed("NORMA_VENV") else { return };
    let demo = Demo::start(&[]).await;
    let caller = demo.caller().await;
    let provisions = caller.standard(STANDARD, "/provisions").await;
    let ids: Vec<&str> =
        provisions["items"].as_array().unwrap().iter().map(|p| p["id"].as_str().unwrap()).collect();
    let standards: Vec<&str> =
        demo.ready["standards"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    let url = format!("{}/openapi.json", demo.ready["baseUrl"].as_str().unwrap());
    for bearer in [Some(caller.token()), None] {
        let mut fuzzer = Command::new(venv.join("bin/schemathesis"));
        fuzzer
            .args(["run", &url, "--checks", "all", "--seed", "1", "--no-color"])
            .env("SCHEMATHESIS_HOOKS", "fuzzer_hooks")
            .env("PYTHONPATH", script(""))
            .env("NORMA_STANDARDS", standards.join(" "))
            .env("NORMA_PROVISIONS", ids.join(" "))
            .current_dir(demo.folder());
        match bearer {
            Some(token) => {
                fuzzer.args(["--max-examples", "20", "-H", &format!("Authorization: Bearer {token}")])
            }
            // Without a token each request ends at authentication: fewer checks matter there. It makes up no
            // tokens, most of which would be malformed.
            None => fuzzer
                .args(["--max-examples", "5", "--phases", "examples,coverage,fuzzing"])
                .args(["--generation-with-security-parameters", "false"]),
        };
        succeed(&mut fuzzer);
    }
    let log = demo.stop().await;
    assert!(!log.contains("ERROR"), "{log}");
}

#[test]
fn a_strict_linter_finds_nothing_to_say_of_the_openapi_document() {
    let Some(modules) = installed("NORMA_NODE_MODULES") else { return };
    let mut linter = Command::new(modules.join(".bin/redocly"));
    linter.args(["lint", "--extends=recommended-strict"]).arg(openapi());
    linter.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    succeed(&mut linter);
}

/// Examples and answers, compared by a validator of JSON Schema.
#[tokio::test(flavor = "multi_thread")]
async fn every_example_and_every_answer_about_the_samples_fits_its_schema() {
    let Some(venv) = installed("NORMA_VENV") else { return };
    let demo = Demo::start(&[]).await;
    let standards = demo.ready["standards"].as_array().unwrap().iter().map(|urn| urn.as_str().unwrap());
    succeed(
        Command::new(venv.join("bin/python"))
            .arg(script("answers.py"))
            .arg(demo.ready["baseUrl"].as_str().unwrap())
            .args(standards)
            .env("NORMA_TOKEN", demo.caller().await.token()),
    );
}

/// The client of openapi-python-client is imported as a whole, and reads the list and a standard.
#[tokio::test(flavor = "multi_thread")]
async fn a_generated_python_client_reads_a_standard() {
    let Some(venv) = installed("NORMA_VENV") else { return };
    let demo = Demo::start(&[]).await;
    let package = demo.folder().join("norma_generated");
    let mut generator = Command::new(venv.join("bin/openapi-python-client"));
    generator
        .args(["generate", "--meta", "none", "--path"])
        .arg(openapi())
        .arg("--output-path")
        .arg(&package);
    // Without a formatter in PATH it warns; anything else that it warns of would be left out of the client.
    let said = String::from_utf8(succeed(&mut generator).stdout).unwrap();
    assert!(!said.contains("WARNING") && !said.contains("omitted"), "{said}");
    succeed(
        Command::new(venv.join("bin/python"))
            .arg(script("generated_client.py"))
            .args([demo.ready["baseUrl"].as_str().unwrap(), STANDARD])
            .env("PYTHONPATH", demo.folder())
            .env("NORMA_TOKEN", demo.caller().await.token()),
    );
}

/// The types of openapi-typescript fit a program that reads a standard, and the program runs.
#[tokio::test(flavor = "multi_thread")]
async fn generated_typescript_types_fit_a_program_that_reads_a_standard() {
    let Some(modules) = installed("NORMA_NODE_MODULES") else { return };
    let demo = Demo::start(&[]).await;
    let folder = demo.folder();
    succeed(
        Command::new(modules.join(".bin/openapi-typescript"))
            .arg(openapi())
            .arg("--output")
            .arg(folder.join("norma.d.ts")),
    );
    std::fs::copy(script("typed_reader.mts"), folder.join("typed_reader.mts")).unwrap();
    // openapi-fetch is found there.
    std::os::unix::fs::symlink(&modules, folder.join("node_modules")).unwrap();
    succeed(
        Command::new(modules.join(".bin/tsc"))
            .args(["--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"])
            .args(["typed_reader.mts", "norma.d.ts"])
            .current_dir(folder),
    );
    succeed(
        Command::new("node")
            .arg(folder.join("typed_reader.mjs"))
            .args([demo.ready["baseUrl"].as_str().unwrap(), STANDARD])
            .env("NORMA_TOKEN", demo.caller().await.token()),
    );
}

/// Clients that four generators write in TypeScript, each with its defaults and the browser's `fetch`,
/// compile in strict mode.
#[test]
fn generated_typescript_clients_compile() {
    let Some(modules) = installed("NORMA_NODE_MODULES") else { return };
    let folder = tempfile::tempdir().unwrap();
    for (program, arguments) in [
        // Another package has a program `openapi`, too.
        ("../openapi-typescript-codegen/bin/index.js", &["--output", "codegen", "--input"][..]),
        ("openapi-ts", &["--output", "hey-api", "--input"]),
        ("orval", &["--client", "fetch", "--output", "orval/norma.ts", "--input"]),
        ("swagger-typescript-api", &["generate", "--output", "swagger", "--name", "norma.ts", "--path"]),
    ] {
        succeed(
            Command::new(modules.join(".bin").join(program))
                .args(arguments)
                .arg(openapi().canonicalize().unwrap())
                .current_dir(&folder),
        );
    }
    let written = ["codegen/index.ts", "hey-api/index.ts", "orval/norma.ts", "swagger/norma.ts"];
    succeed(
        Command::new(modules.join(".bin/tsc"))
            .args(["--strict", "--noEmit", "--skipLibCheck", "--target", "es2022"])
            .args(["--lib", "es2022,dom,dom.iterable"])
            .args(["--module", "esnext", "--moduleResolution", "bundler"])
            .args(written)
            .current_dir(&folder),
    );
}

/// PyLD, rdflib and pySHACL on the graph of every sample, each part of which is counted against the standard.
#[tokio::test(flavor = "multi_thread")]
async fn the_knowledge_graph_of_every_standard_holds_all_its_parts_and_is_valid() {
    let Some(venv) = installed("NORMA_VENV") else { return };
    let demo = Demo::start(&[]).await;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // The demonstration hides one sample from its caller and shows another only in the list; here it reads
    // them all.
    let hidden = "urn:nsb:std:nsb:ts:4250:ed-1:en";
    demo.norma(&["grant", "add", demo.ready["tenantId"].as_str().unwrap(), "--urn", "urn:nsb:std:*"]);
    let caller = demo.caller().await;
    caller.until("/api/content/v1/standards/", hidden, 200).await;
    let list = caller.json("/standards?access=read").await;
    let standards = list["items"].as_array().unwrap();
    let samples = std::fs::read_dir(root.join("samples")).unwrap().map(|entry| entry.unwrap().path());
    let samples = samples.filter(|sample| sample.join("document.xml").exists()).count();
    assert_eq!(standards.len(), samples, "{list}");
    succeed(
        Command::new(venv.join("bin/python"))
            .arg(script("linked_data.py"))
            .arg(demo.ready["baseUrl"].as_str().unwrap())
            .args(["shapes.ttl", "vocabulary.ttl"].map(|name| root.join("docs/knowledge-graph").join(name)))
            .args(standards.iter().map(|standard| standard["urn"].as_str().unwrap()))
            .env("PYTHONPATH", root.join("crates/render/tests"))
            .env("NORMA_TOKEN", caller.token()),
    );
}

/// The traces of a run of the program, decoded by OpenTelemetry's own package: a request that its caller
/// records, and one without a token.
#[tokio::test(flavor = "multi_thread")]
async fn traces_are_decoded_by_the_protobuf_package_of_their_makers() {
    let Some(venv) = installed("NORMA_VENV") else { return };
    let (trace, parent) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
    let mut collector = Command::new(venv.join("bin/python"))
        .arg(script("trace_collector.py"))
        .args([trace, parent, STANDARD])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut endpoint = String::new();
    BufReader::new(collector.stdout.as_mut().unwrap()).read_line(&mut endpoint).unwrap();
    let demo = Demo::start(&["--traces-endpoint", endpoint.trim(), "--traces-sample-ratio", "1"]).await;
    let url = format!(
        "{}/api/content/v1/standards/{}",
        demo.ready["baseUrl"].as_str().unwrap(),
        STANDARD.replace(':', "%3A")
    );
    let token = demo.caller().await.token().to_owned();
    let request =
        demo.http.get(&url).bearer_auth(token).header("traceparent", format!("00-{trace}-{parent}-01"));
    assert_eq!(request.send().await.unwrap().status(), 200);
    assert_eq!(demo.http.get(&url).send().await.unwrap().status(), 401);
    let log = demo.stop().await;
    assert!(!log.contains("spans of traces are lost"), "{log}");
    drop(collector.stdin.take());
    assert!(collector.wait().unwrap().success());
}

/// An SVG picture whose script, event or link would change its title if it ran.
const SCRIPTED: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="document.documentElement.id='ran'">
  <title>still</title>
  <script>document.documentElement.id = 'ran';</script>
  <image href="https://elsewhere.invalid/x.png" width="1" height="1" onerror="document.documentElement.id='ran'"/>
  <rect width="9" height="9"/>
</svg>
"##;

/// A real browser opens a scripted SVG by its signed URL, and the documentation page, which loads nothing
/// from other hosts.
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_runs_no_script_of_an_asset_and_shows_the_documentation_offline() {
    let (Some(browser), Some(modules)) = (installed("NORMA_BROWSER"), installed("NORMA_NODE_MODULES")) else {
        return;
    };
    let package = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/bicycle-anchors-ed1");
    std::fs::create_dir(package.path().join("media")).unwrap();
    let source = std::fs::read_to_string(sample.join("document.xml")).unwrap();
    let own = source.replace("4210", "4999");
    std::fs::write(package.path().join("document.xml"), own).unwrap();
    std::fs::write(package.path().join("media/fig_1.svg"), SCRIPTED).unwrap();
    let demo = Demo::start(&["--ingest", package.path().to_str().unwrap()]).await;
    let caller = demo.caller().await;
    let list = caller.json("/standards?number=4999").await;
    let urn = list["items"][0]["urn"].as_str().unwrap_or_else(|| panic!("{list}"));
    let picture: Value = caller.resolve(urn, "fig_1.svg").await;
    succeed(
        Command::new("node")
            .arg(script("browser.cjs"))
            .arg(browser)
            .arg(demo.folder().join("profile"))
            .args([picture["url"].as_str().unwrap(), demo.ready["baseUrl"].as_str().unwrap()])
            .env("NODE_PATH", modules),
    );
}

/// The sample request of each operation in the documentation page, pasted into a shell with a valid token.
#[tokio::test(flavor = "multi_thread")]
async fn each_sample_request_of_the_documentation_works_as_it_is_pasted() {
    let (Some(browser), Some(modules)) = (installed("NORMA_BROWSER"), installed("NORMA_NODE_MODULES")) else {
        return;
    };
    let demo = Demo::start(&[]).await;
    let operations = norma_api::Operation::ALL.len();
    let mut reader = Command::new("node");
    reader.arg(script("samples.cjs")).arg(browser).arg(demo.ready["baseUrl"].as_str().unwrap());
    let read = succeed(reader.arg(operations.to_string()).env("NODE_PATH", modules));
    let samples: Vec<String> = serde_json::from_slice(&read.stdout).unwrap();
    assert_eq!(samples.len(), operations, "{samples:?}");
    let token = demo.caller().await.token().to_owned();
    let mut pasted = 0;
    for sample in &samples {
        // The address of a picture is what another operation answers; a made-up one is refused.
        if sample.contains("/api/content/v1/assets/") {
            continue;
        }
        let command = sample.replace("YOUR_SECRET_TOKEN", &token);
        let command = format!("{command} --silent --output /dev/null --write-out '%{{http_code}}'");
        let said = succeed(Command::new("sh").args(["-c", &command]));
        assert_eq!(String::from_utf8(said.stdout).unwrap(), "200", "{sample}");
        pasted += 1;
    }
    assert_eq!(pasted, operations - 1);
}

/// An edition of 200 clauses with 50 requirements each. In the second edition, 3 in 100 have another value
/// and 1 in 100 are new.
fn large_edition(folder: &Path, edition: usize) -> PathBuf {
    let sections: String = (0..200)
        .map(|section| {
            let rule = |rule: usize| {
                let number = section * 50 + rule;
                let load = 20 + number % 977 + usize::from(edition == 2 && number % 100 < 3);
                let added = format!("<p>The roof of hall {number} shall be painted in each summer.</p>");
                format!(
                    "<p>Pillar {number} of the yard shall carry a load of at least {load} kg.</p>{}",
                    if edition == 2 && number % 100 == 7 { &added } else { "" }
                )
            };
            let rules: String = (0..50).map(rule).collect();
            format!(
                "<sec id=\"sec_{section}\"><label>{}</label><title>Topic {section}</title>{rules}</sec>",
                section + 4
            )
        })
        .collect();
    let width = 40 + 15 * (edition - 1);
    let document = format!(
        "<standard><front><std-meta><title-wrap xml:lang=\"en\"><full>Yard</full></title-wrap><std-ident><originator>NSB</originator>\
         <doc-type>is</doc-type><doc-number>4711</doc-number><edition>{edition}</edition></std-ident><content-language>en</content-language>\
         <std-ref type=\"dated\">NSB 4711:202{edition}</std-ref></std-meta></front><body>{sections}<sec id=\"sec_900\"><label>900</label>\
         <title>Sizes</title><p>Gates shall conform to <xref rid=\"tab_1\">Table 1</xref>.</p><table-wrap id=\"tab_1\"><label>Table 1</label>\
         <caption><title>Widths</title></caption><table><thead><tr><th>Gate</th><th>Width mm</th></tr></thead><tbody><tr><th>north</th>\
         <td>{width}</td></tr></tbody></table></table-wrap></sec></body></standard>"
    );
    let path = folder.join(format!("{edition}.xml"));
    std::fs::write(&path, document).unwrap();
    path
}

/// Filters, search, steps and state of the page with 10,000 pairs; the findings of an accessibility checker
/// in a smaller one; both without script.
#[test]
fn a_browser_filters_searches_and_steps_through_ten_thousand_pairs() {
    let (Some(browser), Some(modules)) = (installed("NORMA_BROWSER"), installed("NORMA_NODE_MODULES")) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = |name: &str, editions: [&Path; 2]| {
        let page = folder.path().join(name);
        let mut compare = Command::new(env!("CARGO_BIN_EXE_norma"));
        succeed(compare.arg("compare").args(editions).arg("--output").arg(&page).args(["--format", "html"]));
        page
    };
    let large = [1, 2].map(|edition| large_edition(folder.path(), edition));
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let small = ["bicycle-anchors-ed1", "bicycle-anchors-ed2-en"].map(|name| samples.join(name));
    let output = succeed(
        Command::new("node")
            .arg(script("comparison.cjs"))
            .arg(browser)
            .arg(page("large.html", large.each_ref().map(|path| &**path)))
            .arg(page("small.html", small.each_ref().map(|path| &**path)))
            .env("NODE_PATH", modules),
    );
    println!("{}", String::from_utf8_lossy(&output.stdout));
}

/// The pages of the explorer: one click to a standard, keys, tables, reading without script, and the findings
/// of an accessibility checker.
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_reads_the_pages_of_the_explorer() {
    let (Some(browser), Some(modules)) = (installed("NORMA_BROWSER"), installed("NORMA_NODE_MODULES")) else {
        return;
    };
    let demo = Demo::start(&[]).await;
    let output = succeed(
        Command::new("node")
            .arg(script("explorer.cjs"))
            .arg(browser)
            .arg(demo.ready["explorerUrl"].as_str().unwrap())
            .env("NODE_PATH", modules),
    );
    println!("{}", String::from_utf8_lossy(&output.stdout));
}
