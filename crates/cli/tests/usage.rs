//! `norma usage` on audit files written for it: each count is the one that a person gets by counting the
//! lines below.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use norma_api::Operation;
use serde_json::{Value, json};

const A: &str = "7c0ffee0-1111-4222-8333-444455556666";
const B: &str = "b-tenant \"with\" quotes, and a comma";
const X: &str = "urn:iso:std:iso:4210:ed-1:en";
const Y: &str = "urn:iso:std:iso:4210:ed-2:en";

/// A line as the service writes it.
#[derive(Clone)]
struct Line<'l> {
    time: &'l str,
    tenant: &'l str,
    client: &'l str,
    standard: &'l str,
    /// Further members, such as `"access":"discover",`.
    more: &'l str,
    method: &'l str,
    operation: Operation,
    status: u16,
}

impl std::fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { time, tenant, client, standard, more, method, operation, status } = self;
        let (tenant, part) = (json!(tenant), operation.path());
        writeln!(
            f,
            r#"{{"timestamp":"{time}","level":"INFO","target":"norma::audit","message":"read","request":"r","tenant":{tenant},"client":"{client}","standard":"{standard}","method":"{method}","part":"{part}","path":"/x?include=text&a=\"b\"",{more}"status":{status},"bytes":7}}"#
        )
    }
}

/// A read that was answered.
fn read<'l>(
    time: &'l str,
    tenant: &'l str,
    client: &'l str,
    standard: &'l str,
    operation: Operation,
) -> Line<'l> {
    Line { time, tenant, client, standard, more: "", method: "GET", operation, status: 200 }
}

const DISCOVER: &str = r#""access":"discover","#;
const LOG: &str = "{\"timestamp\":\"2026-10-07T09:00:00Z\",\"level\":\"INFO\",\"target\":\"norma_service\",\"message\":\"x\",\"status\":\"y\"}\n";

/// A day of tenant A: the counts are in `day_of_a`.
fn lines_of_a() -> Vec<String> {
    use Operation::{Asset, Comparison, Content, Provisions, Sections, Standards};
    let refused = |time| Line { status: 403, more: DISCOVER, ..read(time, A, "a1", Y, Content) };
    let compared = Line {
        more: r#""with":"urn:iso:std:iso:4210:ed-2:en","withAccess":"discover","#,
        ..read("2026-10-07T12:00:00Z", A, "a1", X, Comparison)
    };
    let discovered = Line { more: DISCOVER, ..read("2026-10-07T11:02:00Z", A, "a1", Y, Sections) };
    let not_modified = Line { status: 304, ..read("2026-10-07T10:00:00Z", A, "a1", X, Provisions) };
    let head = Line { method: "HEAD", ..read("2026-10-07T10:20:00Z", A, "a1", X, Content) };
    let failed = |time, status| Line { status, ..read(time, A, "a1", X, Content) };
    [
        // Requests of X: 1 at 9:00:30, since the one before is a double click; 1 at 31 s after it.
        read("2026-10-07T09:00:00Z", A, "a1", X, Content),
        read("2026-10-07T09:00:30Z", A, "a1", X, Content),
        // Another client: 1.
        read("2026-10-07T09:00:35Z", A, "a2", X, Content),
        read("2026-10-07T09:01:01Z", A, "a1", X, Content),
        // An investigation of X: 1, in the same session as the requests.
        read("2026-10-07T09:01:02Z", A, "a1", X, Sections),
        // A request in the next session: 1.
        not_modified,
        // Nothing.
        head,
        failed("2026-10-07T10:30:00Z", 404),
        failed("2026-10-07T10:30:40Z", 503),
        failed("2026-10-07T10:31:20Z", 410),
        read("2026-10-07T10:40:00Z", A, "a1", "", Standards),
        Line { status: 403, ..read("2026-10-07T10:41:00Z", A, "a1", X, Asset) },
        // A part of a picture, in the session of 10 o'clock: 1.
        Line { status: 206, ..read("2026-10-07T10:50:00.123456789Z", A, "a1", X, Asset) },
        // Refusals of Y: 2, one of them a double click of two.
        refused("2026-10-07T11:00:00Z"),
        refused("2026-10-07T11:00:10Z"),
        refused("2026-10-07T11:01:00Z"),
        // An investigation of Y: 1.
        discovered,
        // A request of X, with texts: 1, in a new session; an investigation of Y: 1, in a new session.
        compared,
    ]
    .iter()
    .map(Line::to_string)
    .collect()
}

/// The counts of tenant A by hand.
fn counts_of_a() -> [(&'static str, Value); 2] {
    [
        (
            X,
            json!({
                "Total_Item_Investigations": 7, "Total_Item_Requests": 6,
                "Unique_Item_Investigations": 4, "Unique_Item_Requests": 4,
            }),
        ),
        (Y, json!({ "Total_Item_Investigations": 2, "Unique_Item_Investigations": 2, "No_License": 2 })),
    ]
}

/// Reads of tenant B around midnight: 1 at the first moment of October, and none at its end, where the last
/// of two clicks is in November.
fn lines_of_b() -> (Vec<String>, Vec<String>) {
    let at = |time| read(time, B, "b", X, Operation::Standard).to_string();
    let begin = ["2026-09-30T23:00:00Z", "2026-09-30T23:59:59.999999999Z", "2026-10-01T00:00:30.5Z"];
    let end = ["2026-10-31T23:59:50Z", "2026-11-01T00:00:15Z", "2026-11-03T00:00:00Z"];
    (begin.map(at).to_vec(), end.map(at).to_vec())
}

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn usage(arguments: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norma"));
    let output = command.arg("usage").args(arguments).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The reports that are printed.
fn reports(arguments: &[&str]) -> Vec<Value> {
    let said = usage(arguments);
    assert_eq!(said.code, Some(0), "{}", said.err);
    said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// URN and counts of each standard in a report of October.
fn counts(report: &Value) -> Vec<(&str, Value)> {
    let Some(parents) = report["Report_Items"].as_array().filter(|parents| !parents.is_empty()) else {
        return Vec::new();
    };
    let items = parents[0]["Items"].as_array().unwrap();
    items
        .iter()
        .map(|item| {
            let performance = &item["Attribute_Performance"][0];
            assert_eq!(
                (&item["Item_ID"]["URI"], &performance["Data_Type"]),
                (&item["Item"], &json!("Standard"))
            );
            let of_october = |(metric, months): (&String, &Value)| {
                assert_eq!(months.as_object().unwrap().len(), 1);
                (metric.clone(), months["2026-10"].clone())
            };
            (
                item["Item"].as_str().unwrap(),
                performance["Performance"].as_object().unwrap().iter().map(of_october).collect(),
            )
        })
        .collect()
}

fn path(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

fn gzip(path: &Path) {
    assert!(Command::new("gzip").arg(path).status().unwrap().success());
}

/// The two tenants in four files: two compressed ones, a plain one and the present one, with lines of the log
/// and an incomplete last line.
fn scripted() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let (a, (begin, end)) = (lines_of_a(), lines_of_b());
    let files = [
        ("audit.jsonl.20260930T235959.999999999Z", begin[..2].concat()),
        (
            "audit.jsonl.20261007T090032.000000000Z",
            [&begin[2..], &a[..2], &[LOG.to_owned()]].concat().concat(),
        ),
        ("audit.jsonl.20261007T103000.500000000Z", a[2..8].concat()),
        (
            "audit.jsonl",
            [&a[8..], &end, &["\n2026-11-03T00:00:00Z  INFO text\n{\"timestamp\":\"2026-1".to_owned()]]
                .concat()
                .concat(),
        ),
        ("audit.jsonl.bak", a.concat()),
        ("audit.jsonl.20261007T090032.000000000Z.partial", a.concat()),
    ];
    for (name, lines) in &files {
        std::fs::write(path(&folder, name), lines).unwrap();
    }
    gzip(&path(&folder, files[0].0));
    gzip(&path(&folder, files[1].0));
    let present = path(&folder, "audit.jsonl").display().to_string();
    (folder, present)
}

#[test]
fn the_counts_of_a_scripted_day_are_those_of_a_person_who_counts_the_lines() {
    let (_folder, file) = scripted();
    let reports = reports(&["--month", "2026-10", "--audit-file", &file]);
    assert_eq!(reports.len(), 2, "{reports:?}");
    assert_eq!(counts(&reports[0]), counts_of_a());
    let once = json!({
        "Total_Item_Investigations": 1, "Total_Item_Requests": 1,
        "Unique_Item_Investigations": 1, "Unique_Item_Requests": 1,
    });
    assert_eq!(counts(&reports[1]), [(X, once)]);
    let header = &reports[1]["Report_Header"];
    assert_eq!((&header["Report_ID"], &header["Release"]), (&json!("IR"), &json!("5.1")));
    assert_eq!(header["Institution_ID"]["Proprietary"][0], format!("norma:{B}"));
    let filters = json!({ "Begin_Date": "2026-10-01", "End_Date": "2026-10-31", "Data_Type": "Standard" });
    assert_eq!(header["Report_Filters"], filters);
    assert_eq!(header["Exceptions"][0], json!({ "Code": 0, "Message": "COUNTER-shaped, not audited" }));

    let of_b = usage(&["--month", "2026-10", "--audit-file", &file, "--tenant", B]);
    assert_eq!(of_b.out.lines().count(), 1);
    assert_eq!(counts(&serde_json::from_str(&of_b.out).unwrap()), counts(&reports[1]));
    assert!(of_b.err.contains("not audited"), "{}", of_b.err);
}

#[test]
fn each_month_has_what_was_last_clicked_in_it() {
    let (_folder, file) = scripted();
    for (month, requests) in
        [("2026-09", Some(2)), ("2026-11", Some(2)), ("2026-08", None), ("2026-12", None)]
    {
        let reports = reports(&["--month", month, "--audit-file", &file, "--tenant", B]);
        let performance =
            &reports[0]["Report_Items"][0]["Items"][0]["Attribute_Performance"][0]["Performance"];
        assert_eq!(performance["Total_Item_Requests"][month].as_u64(), requests, "{month}");
        let codes: Vec<_> = reports[0]["Report_Header"]["Exceptions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| e["Code"].as_u64())
            .collect();
        assert_eq!(codes.contains(&Some(3030)), requests.is_none(), "{month}: {codes:?}");
    }
}

#[test]
fn a_table_has_the_same_counts_below_the_header_rows_of_counter() {
    let (_folder, file) = scripted();
    let said = usage(&["--month", "2026-10", "--audit-file", &file, "--format", "csv"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let (of_a, of_b) = said.out.split_at(said.out.rfind("Report_Name").unwrap());
    let rows: Vec<&str> = of_a.lines().collect();
    assert_eq!(rows[..3], ["Report_Name,Item Report", "Report_ID,IR", "Release,5.1"]);
    assert_eq!(rows[9], "Reporting_Period,Begin_Date=2026-10-01; End_Date=2026-10-31");
    assert!(rows[8].starts_with("Exceptions,\"0: COUNTER-shaped, not audited"), "{}", rows[8]);
    let columns = "Item,Publisher,Publisher_ID,Platform,DOI,Proprietary_ID,ISBN,Print_ISSN,Online_ISSN,URI,Data_Type,Metric_Type,Reporting_Period_Total,Oct-2026";
    assert_eq!(rows[13..15], [",", columns]);
    let mut expected = String::new();
    for (urn, counts) in counts_of_a() {
        for metric in [
            "Total_Item_Investigations",
            "Total_Item_Requests",
            "Unique_Item_Investigations",
            "Unique_Item_Requests",
            "No_License",
        ] {
            if let Some(count) = counts[metric].as_u64() {
                writeln!(expected, "{urn},,,Norma,,,,,,{urn},Standard,{metric},{count},{count}").unwrap();
            }
        }
    }
    assert_eq!(rows[15..].join("\n"), expected.trim_end());
    assert!(of_b.contains("Institution_Name,\"b-tenant \"\"with\"\" quotes, and a comma\""), "{of_b}");
}

/// Searches of tenant A, with hits and without, and reads of what they show.
fn searches() -> String {
    use Operation::{Content, Search, Standards};
    let search = |time, path: &str, more, method, status| {
        let line = Line { more, method, status, ..read(time, A, "a1", "", Search) }.to_string();
        line.replace(r#""standard":"","#, "").replace(r#"/x?include=text&a=\"b\""#, path)
    };
    let shown = r#""read":["urn:iso:std:iso:4210:ed-1:en"],"discovered":["urn:iso:std:iso:4210:ed-2:en"],"#;
    [
        // Three searches, the same one twice within a second; a request of X and an investigation of Y, each
        // with a double click.
        search("2026-10-07T09:00:00Z", "/search?q=a", shown, "GET", 200),
        search("2026-10-07T09:00:01Z", "/search?q=a", shown, "GET", 304),
        search("2026-10-07T09:00:02Z", "/search?q=nothing", "", "GET", 200),
        // A further page, which shows X again, after more than a double click.
        search("2026-10-07T09:01:00Z", "/search?q=a&cursor=x", shown, "GET", 200),
        // Nothing.
        search("2026-10-07T09:02:00Z", "/search?q=a", shown, "HEAD", 200),
        read("2026-10-07T09:03:00Z", A, "a1", "", Standards).to_string(),
        // A request of X.
        read("2026-10-07T10:00:00Z", A, "a1", X, Content).to_string(),
        // Another tenant, who only searched.
        search("2026-10-07T09:00:00Z", "/search?q=b", "", "GET", 200).replace(A, "tenant-c"),
    ]
    .concat()
}

#[test]
fn searches_are_counted_in_a_platform_report_and_what_they_show_in_both() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "audit.jsonl");
    std::fs::write(&file, searches()).unwrap();
    let file = file.to_str().unwrap();
    let of_items = reports(&["--month", "2026-10", file]);
    assert_eq!(of_items.len(), 1, "the tenant who only searched has no report of items");
    let of_x = json!({
        "Total_Item_Investigations": 3, "Total_Item_Requests": 3,
        "Unique_Item_Investigations": 2, "Unique_Item_Requests": 2,
    });
    let of_y = json!({ "Total_Item_Investigations": 2, "Unique_Item_Investigations": 1 });
    assert_eq!(counts(&of_items[0]), [(X, of_x), (Y, of_y)]);

    let of_platform = reports(&["--month", "2026-10", "--report", "platform", file]);
    let head = |report: &Value| {
        ["Report_ID", "Report_Name", "Institution_Name"].map(|name| report["Report_Header"][name].clone())
    };
    assert_eq!(head(&of_platform[0]), [json!("PR"), json!("Platform Report"), json!(A)]);
    assert_eq!(head(&of_platform[1])[2], "tenant-c");
    assert!(of_platform[0]["Report_Header"]["Report_Filters"]["Data_Type"].is_null());
    let month = |count: u32| json!({ "2026-10": count });
    let expected = json!([{
        "Platform": "Norma",
        "Attribute_Performance": [
            { "Data_Type": "Platform", "Performance": { "Searches_Platform": month(3) } },
            { "Data_Type": "Standard", "Performance": {
                "Total_Item_Investigations": month(5), "Total_Item_Requests": month(3),
                "Unique_Item_Investigations": month(3), "Unique_Item_Requests": month(2),
            } },
        ],
    }]);
    assert_eq!(of_platform[0]["Report_Items"], expected);
    let of_c = &of_platform[1]["Report_Items"][0]["Attribute_Performance"];
    assert_eq!(*of_c, json!([{ "Data_Type": "Platform", "Performance": { "Searches_Platform": month(1) } }]));

    let table =
        usage(&["--month", "2026-10", "--report", "platform", "--tenant", A, "--format", "csv", file]).out;
    let rows: Vec<&str> = table.lines().collect();
    let metrics = "Metric_Types,Searches_Platform; Total_Item_Investigations; Total_Item_Requests; \
                   Unique_Item_Investigations; Unique_Item_Requests";
    assert_eq!(rows[..2], ["Report_Name,Platform Report", "Report_ID,PR"]);
    assert_eq!(rows[5..7], [metrics, "Report_Filters,"]);
    let expected = [
        "Platform,Data_Type,Metric_Type,Reporting_Period_Total,Oct-2026",
        "Norma,Platform,Searches_Platform,3,3",
        "Norma,Standard,Total_Item_Investigations,5,5",
        "Norma,Standard,Total_Item_Requests,3,3",
        "Norma,Standard,Unique_Item_Investigations,3,3",
        "Norma,Standard,Unique_Item_Requests,2,2",
    ];
    assert_eq!(rows[14..], expected);
    let said = usage(&["--month", "2026-09", "--report", "platform", file]);
    assert!(
        said.out.is_empty() && said.err.contains("Nothing was read or searched for in 2026-09."),
        "{}",
        said.err
    );
    let said = usage(&["--month", "2026-09", file]);
    assert!(said.out.is_empty() && said.err.contains("No standard was read in 2026-09."), "{}", said.err);
}

#[test]
fn the_files_of_several_instances_count_as_one_in_the_order_of_time() {
    let folder = tempfile::tempdir().unwrap();
    let lines = lines_of_a();
    // Every other line went to another instance: both halves of a double click are in different files.
    for (name, first) in [("one", 0), ("two", 1)] {
        std::fs::write(path(&folder, name), lines.iter().skip(first).step_by(2).cloned().collect::<String>())
            .unwrap();
    }
    let (one, two) = (path(&folder, "one").display().to_string(), path(&folder, "two").display().to_string());
    let reports = reports(&["--month", "2026-10", &two, &one]);
    assert_eq!(counts(&reports[0]), counts_of_a());
}

#[test]
fn a_report_says_which_lines_it_could_not_read_and_where_the_audit_begins() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "audit.jsonl");
    let long = format!("{{\"x\":\"{}\"}}\n", "y".repeat(3 << 20));
    let lines = lines_of_a();
    let damaged = [&lines[..2].concat(), "{\"timestamp\":\"2026\n", &long, &lines[2..].concat()].concat();
    std::fs::write(&file, damaged).unwrap();
    let said = usage(&["--month", "2026-10", file.to_str().unwrap()]);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(counts(&report), counts_of_a());
    let exceptions = report["Report_Header"]["Exceptions"].to_string();
    for words in
        ["2 lines could not be read, the first is line 3 of", "begins at 2026-10-07T09:00:00Z", "3040"]
    {
        assert!(exceptions.contains(words), "{exceptions}");
    }
    assert!(said.err.contains("incomplete: ") && said.err.contains("line 3 of"), "{}", said.err);

    // A month that is over before the audit begins.
    let said = usage(&["--month", "2026-09", "--tenant", A, file.to_str().unwrap()]);
    assert!(said.out.contains("\"Code\":3030") && !said.out.contains("Items\":[{"), "{}", said.out);
}

#[test]
fn what_keeps_a_report_from_being_made_is_said_with_the_way_out() {
    let said = usage(&["--month", "2026-10"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    for words in [
        "no audit file is configured",
        "`audit-file`",
        "[log]",
        "NORMA_AUDIT_FILE",
        "norma usage --month 2026-10 FILE",
    ] {
        assert!(said.err.contains(words), "{}", said.err);
    }
    let said = usage(&["--month", "2026-10", "--audit-file", "/nowhere/audit.jsonl"]);
    assert!(
        said.code == Some(2) && said.err.contains("there is no audit file /nowhere/audit.jsonl"),
        "{}",
        said.err
    );
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "audit.jsonl");
    std::fs::write(&file, lines_of_a().concat()).unwrap();
    gzip(&file);
    let cut = std::fs::read(path(&folder, "audit.jsonl.gz")).unwrap();
    std::fs::write(&file, &cut[..cut.len() / 2]).unwrap();
    let said = usage(&["--month", "2026-10", "--audit-file", file.to_str().unwrap()]);
    assert!(said.code == Some(2) && said.err.contains("cannot read the audit file"), "{}", said.err);
    let said = usage(&["--month", "2026-13"]);
    assert!(said.code == Some(2) && said.err.contains("write YYYY-MM"), "{}", said.err);
}
