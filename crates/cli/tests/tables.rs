//! Tables of every command in terminals of 80, 100 and 140 columns: they break no word, and no line is too
//! long.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::BTreeSet;
use std::process::Command;

use support::Demo;

const OLDER: &str = "urn:nsb:std:nsb:4210:ed-1:en";
const NEWER: &str = "urn:nsb:std:nsb:4210:ed-2:en";
const RICH: &str = "urn:nsb:std:nsb:4230:-1:ed-1:en";

/// Lines that a snapshot has of one command.
const SHOWN: usize = 16;

/// Commands of a caller, after `norma get --format table`.
const OF_CALLERS: [&[&str]; 14] = [
    &["standards"],
    &["standard", NEWER],
    &["metadata", NEWER],
    &["sections", NEWER],
    &["content", NEWER, "--section", "4"],
    &["provisions", NEWER],
    &["terms", RICH],
    &["tables", NEWER],
    &["tables", NEWER, "1"],
    &["graphics", NEWER],
    &["comparison", OLDER, "--with", NEWER, "--filter", "changed=strength", "--filter", "include=text"],
    &["migrate", NEWER, "--from", OLDER, "4.2(1)", "5.3(1)", "5.3(2)"],
    &["graph", NEWER],
    &["limits"],
];

/// Words that can be copied: ids, URNs, digests.
fn ids(text: &str) -> BTreeSet<&str> {
    let is_id = |word: &&str| word.len() > 19 && word.contains(|c: char| c.is_ascii_digit());
    text.split_whitespace().filter(is_id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_fit_the_terminal_and_break_no_id() {
    let demo = Demo::start(&[]).await;
    let member = |name: &str| demo.ready[name].as_str().unwrap();
    let tenant = member("tenantId");
    demo.norma(&[
        "tenant",
        "add",
        "zebra",
        "--name",
        "Acme Ltd",
        "--issuer",
        "https://acme.example",
        "--role-claim",
        "a.b",
    ]);
    demo.norma(&["client", "suspend", "zebra", "portal"]);
    demo.norma(&["grant", "add", "zebra", "--urn", "urn:nsb:*", "--until", "2020-12-31"]);
    demo.norma(&["grant", "add", "zebra", "--client", "reader", "--ics", "43.150"]);
    demo.norma(&["recall", "urn:nsb:std:nsb:4201:ed-1:en", "--reason", "Table 1 has an error"]);
    demo.norma(&["withdraw", OLDER]);
    let provisions = demo.norma(&["show", NEWER, "--provisions", "--format", "json"]);
    let provisions: serde_json::Value = serde_json::from_str(&provisions).unwrap();
    let provision = provisions["provisions"][0]["id"].as_str().unwrap();
    let of_operators: [&[&str]; 9] = [
        &["list"],
        &["list", "--tenant", tenant],
        &["show", NEWER],
        &["show", "urn:nsb:std:nsb:4201:ed-1:en", "--provisions"],
        &["tenant", "list"],
        &["grant", "list"],
        &["lineage", "show", provision],
        &["store", "stats"],
        &["config", "dump"],
    ];
    let lineage = demo.norma(&["lineage", "show", provision]);
    let lineage = lineage.split(',').next().unwrap();
    // Values that differ from run to run, by others of the same width.
    let fixed = |text: &str| {
        let mut text = text.replace(demo.folder().to_str().unwrap(), "/demo");
        for (value, sign) in [(tenant, "t"), (member("clientId"), "c"), (lineage, "l")] {
            text = text.replace(value, &sign.repeat(value.len()));
        }
        for member in ["baseUrl", "authUrl"] {
            text = text.replace(demo.ready[member].as_str().unwrap(), "http://127.0.0.1:port");
        }
        let is_variable =
            |line: &&str| !["changed ", "store.store "].iter().any(|start| line.starts_with(start));
        text.lines().filter(is_variable).take(SHOWN).map(|line| format!("{line}\n")).collect::<String>()
    };
    let run = |columns: Option<u16>, command: &[&str], is_of_caller: bool| -> String {
        if !is_of_caller {
            return demo.norma_in(columns, command);
        }
        let mut get = demo.get(&[&["--format", "table"], command].concat());
        let output = get.envs(columns.map(|columns| ("COLUMNS", columns.to_string()))).output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let commands = of_operators
        .iter()
        .map(|command| (command, false))
        .chain(OF_CALLERS.iter().map(|command| (command, true)));
    let commands: Vec<_> = commands.collect();
    for columns in [80, 100, 140] {
        let mut whole = String::new();
        for (command, is_of_caller) in &commands {
            let free = run(None, command, *is_of_caller);
            let fitted = run(Some(columns), command, *is_of_caller);
            let broken: Vec<_> = ids(&free).difference(&ids(&fitted)).map(|id| (*id).to_owned()).collect();
            assert!(broken.is_empty(), "{command:?} at {columns}: {broken:?}");
            for line in fitted.lines() {
                // A digest is longer than the width that is left.
                let has_digest = line.contains("sha256:");
                assert!(
                    line.chars().count() <= usize::from(columns) || has_digest,
                    "{command:?} at {columns}: {line}"
                );
            }
            let get = if *is_of_caller { "get " } else { "" };
            whole += &format!(
                "$ norma {get}{}\n{}\n",
                command.join(" ").replace(tenant, "TENANT"),
                fixed(&fitted)
            );
        }
        insta::assert_snapshot!(format!("columns_{columns}"), whole);
    }
}

#[test]
fn colours_are_for_terminals_that_have_them() {
    let list = |variables: &[(&str, &str)]| {
        let command = ["config", "dump"];
        let mut norma = Command::new(env!("CARGO_BIN_EXE_norma"));
        norma.args(command).env_remove("NO_COLOR").envs(variables.iter().copied());
        String::from_utf8(norma.output().unwrap().stdout).unwrap()
    };
    assert!(!list(&[]).contains('\u{1b}'), "a pipe has no colours");
    assert!(list(&[("CLICOLOR_FORCE", "1")]).starts_with("\u{1b}[1m"), "heads are bold");
    assert!(!list(&[("CLICOLOR_FORCE", "0"), ("NO_COLOR", "1")]).contains('\u{1b}'));
}
