//! Usage of a running service: reads of every kind over HTTP, then a stop, then counts by `norma usage`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::world::{STANDARD, World, norma};

const NEWER: &str = "urn:nsb:std:nsb:4210:ed-2:en";
const OLDER: &str = "urn:nsb:std:nsb:4210:ed-1:en";
const PICTURES: &str = "urn:nsb:std:nsb:4230:-1:ed-1:en";

/// The counts of each standard that a report has.
fn counts(report: &Value) -> Vec<(String, Value)> {
    let items = report["Report_Items"][0]["Items"].as_array().unwrap();
    let of_item = |item: &Value| {
        let metrics = item["Attribute_Performance"][0]["Performance"].as_object().unwrap();
        let sum =
            |months: &Value| months.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
        let metrics = metrics.iter().map(|(metric, months)| (metric.clone(), json!(sum(months)))).collect();
        (item["Item"].as_str().unwrap().to_owned(), metrics)
    };
    items.iter().map(of_item).collect()
}

/// Moves the lines of the audit in a folder to other times, a millisecond apart within one hour. The counts
/// must not depend on how long the reads took, or on their hour or month. Gives the lines.
fn moved(folder: &Path) -> Vec<Value> {
    let name =
        |number: usize| format!("audit.jsonl.20261007T0900{:02}.{:03}000000Z", number / 1000, number % 1000);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // The present file has the shortest name and comes last.
    files.sort_by_key(|path| (path.extension().unwrap() == "jsonl", path.clone()));
    let mut lines: Vec<Value> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let first = lines.len();
        for line in text.lines() {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let number = lines.len();
            let time = format!("2026-10-07T09:00:{:02}.{:03}Z", number / 1000, number % 1000);
            assert!(line["timestamp"].is_string(), "{line}");
            line["timestamp"] = time.into();
            lines.push(line);
        }
        let text: String = lines[first..].iter().map(|line| format!("{line}\n")).collect();
        let is_present = file.extension().unwrap() == "jsonl";
        let moved = if is_present { file.clone() } else { file.with_file_name(name(lines.len())) };
        std::fs::remove_file(&file).unwrap();
        std::fs::write(moved, text).unwrap();
    }
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_of_a_running_service_are_counted_by_their_kind() {
    let folder = tempfile::tempdir().unwrap();
    let audit = folder.path().join("audit.jsonl").display().to_string();
    // A small file, which is rotated between the reads.
    let mut world = World::start(&["--audit-file", &audit, "--audit-file-size", "1KiB"]).await;
    let (tenant, token) = (world.client.tenant.to_string(), world.token());
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/");
    let ingested = ["bicycle-anchors-ed1", "bicycle-anchors-ed2-en", "water-baths"]
        .map(|name| format!("{samples}{name}"));
    let ingested: Vec<&str> = ingested.iter().map(String::as_str).collect();
    let done = |arguments: &[&str]| {
        let said = world.operate(arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.err);
    };
    done(&[&["ingest"], &ingested[..]].concat());
    done(&["grant", "add", &tenant, "--urn", NEWER]);
    done(&["grant", "add", &tenant, "--urn", PICTURES]);
    done(&["grant", "add", &tenant, "--urn", OLDER, "--level", "discover"]);
    let ask = async |method: reqwest::Method, path: &str| {
        let url = format!("{}{path}", world.base_url);
        world.http.request(method, url).bearer_auth(&token).send().await.unwrap()
    };
    let get = async |path: &str| ask(reqwest::Method::GET, path).await.status().as_u16();
    let of = |urn: &str, part: &str| format!("/api/content/v1/standards/{urn}{part}");
    // The grants are seen within a second; what is not seen is 404 and counts nothing.
    let url = format!("{}{}", world.base_url, of(OLDER, "/sections"));
    crate::wait::eventually(crate::wait::DEADLINE, async || {
        let status = world.http.get(&url).bearer_auth(&token).send().await.unwrap().status().as_u16();
        (status == 200).then_some(()).ok_or_else(|| format!("{status}"))
    })
    .await;

    // Two requests, one of them a double click; an investigation; a HEAD, a failure and a list, which count
    // nothing.
    for path in [of(STANDARD, "/content"), of(STANDARD, "/metadata"), of(STANDARD, "/sections")] {
        assert_eq!(get(&path).await, 200, "{path}");
    }
    assert_eq!(ask(reqwest::Method::HEAD, &of(STANDARD, "/terms")).await.status(), 200);
    assert_eq!(get(&of(STANDARD, "/content?section=99")).await, 404);
    assert_eq!(get("/api/content/v1/standards").await, 200);
    // A refusal, which is a double click of one.
    for _ in 0..2 {
        assert_eq!(get(&of(OLDER, "/content")).await, 403);
    }
    // A comparison without texts: an investigation of both.
    assert_eq!(get(&format!("/api/content/v1/standards/{NEWER}/comparison?with={OLDER}")).await, 200);
    // A picture: resolved, and read.
    let resolve = format!("{}{}", world.base_url, of(PICTURES, "/assets/resolve"));
    let graphics = ask(reqwest::Method::GET, &of(PICTURES, "/graphics")).await.json::<Value>().await.unwrap();
    let graphic = graphics["items"].as_array().unwrap().iter().find(|graphic| graphic["available"] == true);
    let reference = graphic.unwrap_or_else(|| panic!("{graphics}"))["assetReference"].clone();
    let resolved = world.http.post(resolve).bearer_auth(&token).json(&json!({ "assetReference": reference }));
    let resolved: Value = resolved.send().await.unwrap().json().await.unwrap();
    let url = resolved["url"].as_str().unwrap_or_else(|| panic!("{resolved}"));
    assert_eq!(world.http.get(url).send().await.unwrap().status(), 200);
    world.stop().await;

    let lines = moved(folder.path());
    let said = norma(&["usage", "--month", "2026-10", "--tenant", &tenant, "--audit-file", &audit]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    let one_of_each = json!({
        "Total_Item_Investigations": 2, "Total_Item_Requests": 1,
        "Unique_Item_Investigations": 1, "Unique_Item_Requests": 1,
    });
    let expected = [
        // Sections while the grants were waited for and the comparison are one double click; the refusals as
        // well.
        (OLDER, json!({ "Total_Item_Investigations": 1, "Unique_Item_Investigations": 1, "No_License": 1 })),
        (NEWER, json!({ "Total_Item_Investigations": 1, "Unique_Item_Investigations": 1 })),
        (STANDARD, one_of_each.clone()),
        (PICTURES, one_of_each),
    ];
    let mut expected: Vec<_> = expected.map(|(urn, counts)| (urn.to_owned(), counts)).to_vec();
    expected.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(counts(&report), expected, "{lines:?}");

    // With the store, tenants and standards have their names.
    let named = world.operate(&["tenant", "add", &tenant, "--name", "Reader Ltd"]);
    assert_eq!(named.code, Some(0), "{}", named.err);
    let said = world.operate(&["usage", "--month", "2026-10", "--tenant", &tenant, "--audit-file", &audit]);
    let report: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
    assert_eq!(report["Report_Header"]["Institution_Name"], "Reader Ltd");
    let items = report["Report_Items"][0]["Items"].as_array().unwrap();
    let newer = items.iter().find(|item| item["Item_ID"]["URI"] == NEWER).unwrap();
    let title = "Bicycle parking — Ground anchors — Requirements and test methods";
    assert_eq!((&newer["Item"], &newer["Publisher"]), (&json!(title), &json!("NSB")));
}
