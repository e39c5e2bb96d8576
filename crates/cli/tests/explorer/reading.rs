//! Documents, amendments, citations, terms, history and languages as a reader sees them.

use reqwest::StatusCode;

use super::support::Demo;
use super::{ANCHORS, OLDER_ANCHORS, command, page, started};

const GERMAN_ANCHORS: &str = "urn:nsb:std:nsb:4210:ed-2:de";

fn start(demo: &Demo) -> &str {
    demo.ready["explorerUrl"].as_str().unwrap()
}

/// The part of a page between two texts, the first of which is there.
fn between<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = page.split_once(begin).unwrap_or_else(|| panic!("{begin} in {page}"));
    rest.split(end).next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_has_a_row_for_each_document_with_its_editions_languages_and_amendments() {
    let demo = Demo::start(&[]).await;
    let (_, list) = page(&demo, &format!("{}de/", start(&demo))).await;
    let rows: Vec<&str> = list.split("<tr>").skip(2).collect();
    let of_anchors: Vec<&&str> = rows.iter().filter(|row| row.contains(">NSB 4210:2025</a>")).collect();
    let [anchors] = of_anchors[..] else { panic!("one row of NSB 4210 in {list}") };
    // The row is of the German text, and has links to the others and to the older edition.
    assert!(
        anchors.starts_with(&format!("<th class=\"reference\" scope=\"row\"><a href=\"/{}", key(&demo))),
        "{anchors}"
    );
    for urn in [
        GERMAN_ANCHORS,
        ANCHORS,
        OLDER_ANCHORS,
        "urn:nsb:std:nsb:4210:ed-2:fr",
        "urn:nsb:std:nsb:4210:amd:1:ed-2:en",
    ] {
        assert!(anchors.contains(&format!("/de/s/{urn}\"")), "{urn} in {anchors}");
    }
    assert!(anchors.contains("NSB 4210:2025/Amd 1:2026") && anchors.contains("ersetzt"), "{anchors}");
    let tea = rows.iter().find(|row| row.contains("NSB 4220:2023")).unwrap();
    assert!(tea.contains("nur Gliederung"), "{tea}");
}

fn key(demo: &Demo) -> &str {
    start(demo).trim_end_matches('/').rsplit_once('/').unwrap().1
}

#[tokio::test(flavor = "multi_thread")]
async fn the_head_of_a_standard_says_what_it_replaces_what_adopts_it_and_each_amended_clause_shows_the_change()
 {
    let demo = Demo::start(&[]).await;
    let (_, anchors) = page(&demo, &format!("{}en/s/{ANCHORS}", start(&demo))).await;
    let facts = between(&anchors, "<dl class=\"facts\">", "</dl>");
    for part in
        ["Replaces", "NSB 4210:2019", "Adopted as", "XNB NSB 4210:2026-02", "Other languages", "full text"]
    {
        assert!(facts.contains(part), "{part} in {facts}");
    }
    let clause = between(&anchors, "<section id=\"sec_4.1\"", "</section>");
    let change = between(clause, "<aside class=\"amended\"", "</aside>");
    assert!(change.contains("<details><summary>") && change.contains("NSB 4210:2025/Amd 1:2026"), "{change}");
    assert!(change.contains("<blockquote"), "the new text is in {change}");
    assert!(anchors.contains("class=\"amended-mark\""), "{anchors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn citations_lead_to_what_is_held_and_designations_look_as_they_are_rated() {
    let demo = Demo::start(&[]).await;
    let (_, anchors) = page(&demo, &format!("{}en/s/{ANCHORS}", start(&demo))).await;
    let older = format!("/en/s/{OLDER_ANCHORS}\">NSB 4210:2019</a>");
    assert!(between(&anchors, "<article", "</article>").contains(&older), "{older}");
    assert!(
        anchors.contains("<span class=\"cited\" data-not-held=\"not held\">ISO 1461:2022</span>"),
        "{anchors}"
    );
    for acceptability in ["preferred", "admitted", "deprecated"] {
        assert!(anchors.contains(&format!("data-acceptability=\"{acceptability}\"")), "{acceptability}");
    }
    let (_, relations) = page(&demo, &format!("{}de/r/{ANCHORS}", start(&demo))).await;
    assert!(relations.contains("data-not-held=\"nicht vorhanden\">ISO 1461:2022</span>"), "{relations}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_citation_in_the_search_box_goes_to_its_part_or_says_what_is_nearest() {
    let demo = Demo::start(&[]).await;
    for citation in ["NSB+4210:2019,+4.2", "Table+1+of+NSB+4210:2019", "NSB+4210:2019,+4.1(1)"] {
        let answer = demo.http.get(format!("{}en/search?q={citation}", start(&demo))).send().await.unwrap();
        let path = answer.url().path().to_owned();
        assert!(path.ends_with(&format!("/en/s/{OLDER_ANCHORS}")), "{citation}: {path}");
        let id = answer.url().query().unwrap().strip_prefix("at=").unwrap().to_owned();
        let text = answer.text().await.unwrap();
        assert!(text.contains(&format!(" id=\"{id}\"")), "{citation}: no {id}");
    }
    let (status, text) = page(&demo, &format!("{}fr/search?q=NSB+4210:2019,+4.99", start(&demo))).await;
    assert!(
        status.is_success() && text.contains("n'a pas cet endroit")
            || text.contains("n&#39;a pas cet endroit"),
        "{text}"
    );
    // With a filter, it is a search.
    let (_, text) = page(&demo, &format!("{}en/search?q=NSB+4210:2019,+4.2&in=term", start(&demo))).await;
    assert!(text.contains("No text has all words"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provision_shows_its_history_with_the_words_that_differ() {
    let demo = Demo::start(&[]).await;
    let (_, anchors) = page(&demo, &format!("{}en/s/{ANCHORS}", start(&demo))).await;
    let marks: Vec<&str> = anchors.split("data-label=\"4.1(1)\" data-group=\"").skip(1).collect();
    let id = marks[0].split('"').next().unwrap();
    let (_, provision) = page(&demo, &format!("{}en/p/{id}", start(&demo))).await;
    let history = between(&provision, "<section id=\"history\">", "</section>");
    for part in ["NSB 4210:2025", "NSB 4210:2019", "superseded", "<blockquote"] {
        assert!(history.contains(part), "{part} in {history}");
    }
    assert!(!history.contains("urn:nsb:std:nsb:4210:ed-1:en, "), "{history}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_edition_is_shown_in_two_languages_and_a_comparison_says_first_what_matters() {
    let demo = Demo::start(&[]).await;
    let both = page(&demo, &format!("{}en/c/{ANCHORS}/{GERMAN_ANCHORS}", start(&demo))).await;
    assert!(both.0.is_success(), "{}", both.1);
    assert!(
        both.1.contains("lang=\"de\"") && both.1.contains("id=\"l-sec_4.1\"") && both.1.contains("id=\"r-"),
        "{}",
        both.1
    );
    let comparison = format!("c/{OLDER_ANCHORS}/{ANCHORS}");
    let (_, compared) = page(&demo, &format!("{}en/{comparison}", start(&demo))).await;
    let summary = between(&compared, "<section class=\"highlights\"", "</section>");
    for part in ["Stricter", "recommendation → requirement", "New requirements"] {
        assert!(summary.contains(part), "{part} in {summary}");
    }
    let (_, french) = page(&demo, &format!("{}fr/{comparison}", start(&demo))).await;
    assert!(french.contains(" inchangées") && !french.contains(" modifié<"), "{french}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_table_is_a_table_with_its_changed_cells_marked() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/minimal/document.xml");
    let sample = std::fs::read_to_string(sample).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (edition, year, rows) in [
        (1, 2020, "<tr><td>A</td><td>10 m</td></tr>"),
        (2, 2023, "<tr><td>A</td><td>12 m</td></tr><tr><td>B</td><td>20 m</td></tr>"),
    ] {
        let table = format!(
            "<table-wrap id=\"tab_1\"><label>Table 1</label><table><thead><tr><th>Class</th><th>Length</th></tr></thead>\
             <tbody>{rows}</tbody></table></table-wrap>"
        );
        let document = sample
            .replace("4201:2024", &format!("4711:{year}"))
            .replace("4201", "4711")
            .replace("2024-03-15", &format!("{year}-03-15"))
            .replace("<edition>1", &format!("<edition>{edition}"))
            .replace(
                "<p>The mass",
                &format!(
                    "<p>The length shall be as in <xref rid=\"tab_1\">Table 1</xref>.</p>{table}<p>The mass"
                ),
            );
        std::fs::write(folder.path().join(format!("{edition}.xml")), document).unwrap();
    }
    let demo = Demo::start(&["--ingest", folder.path().to_str().unwrap()]).await;
    let editions = "c/urn:nsb:std:nsb:4711:ed-1:en/urn:nsb:std:nsb:4711:ed-2:en";
    let (_, compared) = page(&demo, &format!("{}en/{editions}", start(&demo))).await;
    let table = between(&compared, "<table class=\"marked\">", "</table>");
    assert!(table.contains("<del>10 m</del> <ins>12 m</ins></td>"), "{table}");
    assert!(table.contains("<tr class=\"added\"><td class=\"added\"><ins>B</ins></td>"), "{table}");
    let summary = between(&compared, "<section class=\"highlights\"", "</section>");
    assert!(summary.contains("Changed tables") && summary.contains("Table 1"), "{summary}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spreadsheet_has_what_the_filters_leave_and_the_name_of_both_editions() {
    let demo = Demo::start(&[]).await;
    let csv = async |query: &str| {
        let address = format!("{}en/c/{OLDER_ANCHORS}/{ANCHORS}/csv{query}", start(&demo));
        let answer = demo.http.get(address).send().await.unwrap();
        let name = answer.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert_eq!(name, "attachment; filename=\"NSB-4210-2019-NSB-4210-2025.changes.csv\"");
        answer.text().await.unwrap().lines().count()
    };
    let (all, new) = (csv("").await, csv("?relation=new").await);
    assert!(new > 1 && new < all, "{new} of {all}");
    assert!(csv("?relation=new&type=requirement").await < new);
}

#[tokio::test(flavor = "multi_thread")]
async fn links_for_colleagues_have_the_base_that_was_set_and_other_languages_fold_what_is_english() {
    let demo = Demo::start(&[]).await;
    let service = demo.ready["baseUrl"].as_str().unwrap();
    let explorer =
        started(command(&demo, service, "127.0.0.1:0").args(["--link-base", "https://x.example/e/"]));
    let (_, anchors) = page(&demo, &format!("{}de/s/{ANCHORS}", explorer.url)).await;
    assert!(anchors.contains(&format!("https://x.example/e/de/s/{ANCHORS}")), "{anchors}");
    let (status, lost) = page(&demo, &format!("{}de/nothing", explorer.url)).await;
    assert!(status == StatusCode::NOT_FOUND && lost.contains("Diese Seite gibt es nicht"), "{lost}");
    let (_, absent) = page(&demo, &format!("{}de/s/urn:nsb:std:nsb:ts:4250:ed-1:en", explorer.url)).await;
    assert!(absent.contains("<details class=\"raw\"><summary>Was der Dienst sagt"), "{absent}");
    let refused = command(&demo, service, "127.0.0.1:0").args(["--link-base", "ftp://x"]).output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("`http://` or `https://`"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_text_is_checked_for_the_page_of_the_explorer_alone() {
    let demo = Demo::start(&[]).await;
    let url = format!("{}en/check", start(&demo));
    let origin = start(&demo).split_once(&format!("/{}", key(&demo))).unwrap().0;
    let text = "NSB 4210:2019, 6.1 says: \u{201c}the anchor shall withstand a proof load of 9 kN for 60 s without loosening\u{201d}.";
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let send = async |origin: Option<&str>| {
        let mut request = demo.http.post(&url).header("content-type", "application/x-www-form-urlencoded");
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let answer = request.body(format!("text={encoded}&format=text&at=")).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    };
    assert_eq!(send(None).await.0, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(send(Some("https://evil.example")).await.0, StatusCode::FORBIDDEN);
    let (status, checked) = send(Some(origin)).await;
    assert!(status.is_success() && checked.contains("<mark>"), "{checked}");
    let checked = checked.replace("<mark>", "").replace("</mark>", "");
    for part in [
        "Citations of standards: 1. Quotations: 1.",
        "newer edition has replaced",
        "Words of the quotation differ",
        "5 kN",
    ] {
        assert!(checked.contains(part), "{part} in {checked}");
    }
}
