//! Tables over HTTP: one by its id and number, a group with its parts, CSV, and problems.

use std::fmt::Write;
use std::time::{Duration, Instant};

use norma_api::Operation;
use reqwest::header;
use serde_json::Value;

use crate::answers::ask;
use crate::world::{self, World};

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_had_by_id_and_by_number_and_as_csv() {
    let world = World::new().await;
    let get = async |table: &str, accept: &'static str| {
        let path = Operation::Table.path_with(&[world::READ, table]);
        let answer = ask(&world, &path, &[(header::ACCEPT, accept)]).await;
        assert_eq!(answer.status(), 200, "{table}");
        let media = answer.headers()[header::CONTENT_TYPE].to_str().unwrap().to_owned();
        (media, answer.text().await.unwrap())
    };
    let list = ask(&world, &Operation::Tables.path_with(&[world::READ]), &[]).await.text().await.unwrap();
    let list: Value = serde_json::from_str(&list).unwrap();
    let (media, by_number) = get("1", "*/*").await;
    assert_eq!(media, "application/json");
    let by_number: Value = serde_json::from_str(&by_number).unwrap();
    let table = &list["items"][0];
    assert_eq!((&by_number["urn"], &by_number["rows"]), (&list["urn"], &table["rows"]));
    let (_, by_id) = get(table["id"].as_str().unwrap(), "application/json").await;
    assert_eq!(serde_json::from_str::<Value>(&by_id).unwrap(), by_number);
    let (media, csv) = get("1", "text/csv").await;
    assert_eq!(media, "text/csv; charset=utf-8; header=present");
    let mut csv = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(csv.headers().unwrap().len(), table["columns"].as_array().unwrap().len());
    assert_eq!(csv.records().filter_map(Result::ok).count(), table["rows"].as_array().unwrap().len());
}

const LIDS: &str = "urn:nsb:std:nsb:9002:ed-1:en";

/// Cells that spreadsheet programs read as something else.
const CELLS: [&str; 7] = ["=1+1", "@sum", "a, \"b\"", "Öl – ∅ 5", "-18 °C", "−3", "0,5"];

/// A standard with a group of two tables, and two tables after it.
fn lids() -> String {
    let table = |id: &str, label: &str, cell: &str| {
        format!(
            "<table-wrap id='{id}'><label>{label}</label><table><tr><td>{cell}</td></tr></table></table-wrap>"
        )
    };
    format!(
        "<standard xml:lang='en'><front><std-meta><title-wrap xml:lang='en'><main>Lids</main></title-wrap><std-ident>\
         <originator>NSB</originator><doc-type>IS</doc-type><doc-number>9002</doc-number><edition>1</edition></std-ident>\
         <content-language>en</content-language><std-ref type='dated'>NSB 9002:2026</std-ref></std-meta></front><body>\
         <sec id='s'><label>4</label><title>Lids</title><p>Lids shall be as in <xref rid='g'>Table 2</xref>.</p>\
         <table-wrap-group id='g'><label>Table 2</label><caption><title>Kinds of lids</title></caption>{}{}</table-wrap-group>{}{}\
         </sec></body></standard>",
        table("g1", "a)", "The lid shall be flat."),
        table("g2", "b)", "deep"),
        table("t3", "Table 3", "cork"),
        table("t4", "Table 4", &CELLS.join("</td><td>")),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_of_tables_is_had_by_its_number_and_its_id_with_its_parts() {
    let world = World::new().await;
    world.add(&lids(), LIDS).await;
    let get = async |table: &str, accept: &'static str| {
        let path = Operation::Table.path_with(&[LIDS, table]);
        let answer = ask(&world, &path, &[(header::ACCEPT, accept)]).await;
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let json = async |table: &str| {
        let (status, body) = get(table, "application/json").await;
        assert_eq!(status, 200, "{table}: {body}");
        serde_json::from_str::<Value>(&body).unwrap()
    };
    let group = json("2").await;
    assert_eq!(
        (&group["id"], &group["label"], &group["number"]),
        (&"g".into(), &"Table 2".into(), &"2".into())
    );
    assert_eq!((&group["caption"], &group["section"]["number"]), (&"Kinds of lids".into(), &"4".into()));
    let parts: Vec<&str> =
        group["parts"].as_array().unwrap().iter().map(|part| part["number"].as_str().unwrap()).collect();
    assert_eq!(parts, ["2A", "2B"]);
    assert_eq!(group["citingProvisionIds"].as_array().unwrap().len(), 1);
    assert_eq!(group["provisionIds"], group["parts"][0]["provisionIds"]);
    assert_eq!(group["provisionIds"].as_array().unwrap().len(), 1);
    assert_eq!(json("g").await, group);
    for (name, id) in [("2a", "g1"), ("G2", "g2"), ("3", "t3")] {
        let one = json(name).await;
        assert_eq!((one["id"].as_str(), one.get("parts")), (Some(id), None));
    }
    let (status, problem) = get("2", "text/csv").await;
    assert!(status == 404 && problem.contains("2A"), "{problem}");
    let (status, problem) = get("9", "*/*").await;
    assert!(status == 404 && problem.contains("It has `2A`, `2B`, `3`, `4`."), "{problem}");
    let selection = Operation::Selection.path_with(&[LIDS, "table:2"]);
    let selection = ask(&world, &selection, &[]).await.json::<Value>().await.unwrap();
    assert_eq!(selection["items"][0]["id"], group["provisionIds"][0]);
    world.stop().await;
}

/// Set `NORMA_OFFICE` to LibreOffice's `soffice`.
#[tokio::test(flavor = "multi_thread")]
async fn libreoffice_opens_the_csv_of_a_table_and_calculates_nothing() {
    let Some(office) = std::env::var_os("NORMA_OFFICE") else {
        eprintln!("NORMA_OFFICE is not set; nothing is proved here");
        return;
    };
    let world = World::new().await;
    world.add(&lids(), LIDS).await;
    let answer =
        ask(&world, &Operation::Table.path_with(&[LIDS, "4"]), &[(header::ACCEPT, "text/csv")]).await;
    let folder = world.folder.path();
    std::fs::write(folder.join("table.csv"), answer.bytes().await.unwrap()).unwrap();
    // Comma, quotation mark, UTF-8 (token 76), cells as they are shown.
    let filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false";
    let opened = std::process::Command::new(office)
        .arg(format!("-env:UserInstallation=file://{}/office", folder.display()))
        .args(["--headless", "--infilter=CSV:44,34,76", "--convert-to", filter, "--outdir"])
        .args([folder.join("opened"), folder.join("table.csv")])
        .output()
        .unwrap();
    assert!(opened.status.success(), "{}", String::from_utf8_lossy(&opened.stderr));
    let mut rows = csv::Reader::from_path(folder.join("opened/table.csv")).unwrap();
    let cells = rows.records().next().unwrap().unwrap();
    let shown: Vec<&str> = cells.iter().map(|cell| cell.trim_start_matches('\'')).collect();
    assert_eq!(shown, CELLS);
    world.stop().await;
}

const FULL: &str = "urn:nsb:std:nsb:9003:ed-1:en";

/// A standard of 200 KB: tables of values, and terms of about as many bytes.
fn full() -> String {
    let (mut tables, mut terms) = (String::new(), String::new());
    for at in 0..55 {
        write!(tables, "<table-wrap id='t{at}'><label>Table {at}</label><table><thead><tr><th>Lid</th><th>Width mm</th></tr></thead><tbody>")
            .unwrap();
        (0..25).for_each(|row| write!(tables, "<tr><td>lid {row}</td><td>{row},5</td></tr>").unwrap());
        tables.push_str("</tbody></table></table-wrap>");
    }
    for at in 0..480 {
        write!(
            terms,
            "<term-sec id='e{at}'><label>3.{at}</label><tbx:termEntry><tbx:langSet xml:lang='en'><tbx:definition>lid of kind {at} \
             that closes a box of the same kind and keeps its content dry</tbx:definition><tbx:tig><tbx:term>lid {at}</tbx:term>\
             </tbx:tig></tbx:langSet></tbx:termEntry></term-sec>"
        )
        .unwrap();
    }
    format!(
        "<standard xml:lang='en' xmlns:tbx='urn:iso:std:iso:30042:ed-1'><front><std-meta><title-wrap xml:lang='en'><main>Lids</main>\
         </title-wrap><std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>9003</doc-number><edition>1</edition>\
         </std-ident><content-language>en</content-language><std-ref type='dated'>NSB 9003:2026</std-ref></std-meta></front><body>\
         <sec id='s3' sec-type='terms'><label>3</label><title>Terms and definitions</title>{terms}</sec>\
         <sec id='s4'><label>4</label><title>Lids</title>{tables}</sec></body></standard>"
    )
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement, for a machine that does nothing else"]
async fn all_tables_take_at_most_a_fifth_more_time_per_byte_than_all_terms() {
    let world = World::new().await;
    let document = full();
    world.add(&document, FULL).await;
    let [tables, terms] = [Operation::Tables, Operation::Terms].map(|operation| operation.path_with(&[FULL]));
    let read = async |path: &str| {
        let started = Instant::now();
        let answer = ask(&world, path, &[(header::ACCEPT_ENCODING, "identity")]).await;
        assert_eq!(answer.status(), 200);
        let size = answer.bytes().await.unwrap().len();
        (started.elapsed(), size)
    };
    let mut times: [Vec<Duration>; 2] = Default::default();
    let mut sizes = [0; 2];
    for _ in 0..300 {
        for (at, path) in [&tables, &terms].into_iter().enumerate() {
            let (time, size) = read(path).await;
            times[at].push(time);
            sizes[at] = size;
        }
    }
    let per_byte = |at: usize| {
        let least = times[at].iter().min().unwrap();
        least.as_secs_f64() / sizes[at] as f64
    };
    let ratio = per_byte(0) / per_byte(1);
    eprintln!(
        "{} bytes of source; {sizes:?} bytes of tables and terms; {ratio:.2} of the time per byte",
        document.len()
    );
    assert!(ratio <= 1.2, "{ratio}");
    world.stop().await;
}
