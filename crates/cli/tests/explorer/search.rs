//! The page of a search: hits and their links, filters in its address, its states, and what is escaped.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use super::support::Demo;
use super::{ANCHORS, explore, page};

/// Links of a page by what is before and after them, decoded.
fn links(text: &str, before: &str) -> Vec<String> {
    let links = text.split(before).skip(1).map(|rest| rest.split_once("href=\"").unwrap().1);
    links.map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_shows_each_hit_with_a_link_to_it_and_keeps_filters_in_its_address() {
    let demo = Demo::start(&[]).await;
    let start = demo.ready["explorerUrl"].as_str().unwrap();
    let origin = start.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    let caller = demo.caller().await;
    let search = async |query: &str| {
        let (status, text) = page(&demo, &format!("{start}{query}")).await;
        assert!(status.is_success(), "{query}: {status} {text}");
        let found = caller.json(&format!("/{}", query.split_once('/').unwrap().1)).await;
        (text, found["total"].as_u64().unwrap(), found)
    };
    let (proof, total, answer) = search("en/search?q=proof+load").await;
    assert!(proof.contains(&format!("<strong>{total} hits</strong>")), "{proof}");
    for part in [
        "<mark>proof</mark> <mark>load</mark> of 8 kN",
        "data-type=\"requirement\" title=\"requirement\">R</abbr>",
        ">NSB 4210:2025</a> <span lang=\"en\">Bicycle parking",
        ">6.1 Pull-out</a>",
        "/en/p/prv_",
        "name=\"q\" aria-label=\"Search\"",
    ] {
        assert!(proof.contains(part), "{part} in {proof}");
    }
    let hits = links(&proof, "<a data-hit");
    // Translations and adoptions are links of one hit; a term and its section are one.
    let items = answer["items"].as_array().unwrap();
    let others = |item: &serde_json::Value| item["alsoIn"].as_array().map_or(0, Vec::len);
    assert_eq!(hits.len(), items.iter().map(|item| 1 + others(item)).sum::<usize>());
    assert!(hits.len() > items.len() && hits.len() as u64 <= total);
    for hit in &hits {
        let (path, id) = hit.split_once('#').unwrap();
        let (_, text) = page(&demo, &format!("{origin}{path}")).await;
        assert!(text.contains(&format!(" id=\"{id}\"")), "{hit} is not there");
    }
    // A filter is added by a link, kept by the search box, and removed by a link.
    let filtered = links(&proof, "<li><a class=\"chip\"");
    assert!(filtered.iter().any(|link| link.ends_with("/en/search?q=proof+load&type=requirement")));
    let (required, fewer, _) = search("en/search?q=proof+load&type=requirement&edition=all").await;
    assert!(fewer > 0 && required.contains(&format!("<strong>{fewer} hits</strong>")), "{required}");
    assert!(required.contains("<input type=\"hidden\" name=\"type\" value=\"requirement\">"));
    assert!(required.contains("NSB 4210:2019") && required.contains("all editions"), "{required}");
    let removed = links(&required, "<li><a class=\"chip\"");
    for rest in ["?q=proof+load&edition=all", "?q=proof+load&type=requirement"] {
        assert!(removed.iter().any(|link| link.ends_with(rest)), "{rest} in {removed:?}");
    }
    // Pages by their links have each hit once.
    let (mut text, total, _) = search("en/search?q=anchor").await;
    let mut paged = Vec::new();
    loop {
        paged.extend(links(&text, "<a data-hit"));
        let Some(next) = links(&text, "rel=\"next\"").pop() else { break };
        text = page(&demo, &format!("{origin}{next}")).await.1;
    }
    // A term and its section are one.
    assert!(total > 40 && paged.len() as u64 > 9 * total / 10, "{} of {total}", paged.len());
    assert_eq!(paged.iter().collect::<BTreeSet<_>>().len(), paged.len());
    let (grouped, _, found) = search("en/search?q=anchor&group=standard").await;
    for standard in found["standards"].as_array().unwrap() {
        let link = format!("{} hits</a>", standard["hits"]);
        assert!(grouped.contains(standard["reference"].as_str().unwrap()) && grouped.contains(&link));
    }
    let (anker, total, _) = search("de/search?q=Anker").await;
    for words in [&*format!("{total} Treffer"), "<mark>Bodenanker</mark>", "Suche eingrenzen", "Festlegung"] {
        assert!(anker.contains(words), "{words} in {anker}");
    }
    let (_, text) = page(&demo, &format!("{start}fr/search?q=Tea&status=published&in=standard")).await;
    for words in [
        "1 résultat<",
        "plan seulement",
        "en vigueur",
        "data-hit href=\"",
        "/fr/s/urn:nsb:std:nsb:4220:ed-1:en\"",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_says_what_helps_where_it_finds_nothing_and_escapes_what_is_typed() {
    let demo = Demo::start(&[]).await;
    let start = demo.ready["explorerUrl"].as_str().unwrap();
    let (_, help) = page(&demo, &format!("{start}en/search")).await;
    let examples = links(&help, "<dt><a");
    assert_eq!(examples.len(), 8, "{help}");
    for example in examples {
        let (_, text) = page(&demo, &format!("{start}{}", example.splitn(3, '/').nth(2).unwrap())).await;
        assert!(text.contains("<mark>") || text.contains("data-hit"), "{example}: {text}");
    }
    let typed = "<script>\"'&ש\u{202e}";
    let encoded: String = typed.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let full = "x".repeat(1000);
    for (query, status, words) in [
        (format!("q={encoded}"), 200, &["Nothing is found", "words in this order"][..]),
        (
            format!("q={encoded}&type=permission&language={encoded}"),
            400,
            &["does not accept", "<code>language</code>"],
        ),
        ("q=zzz&type=permission".to_owned(), 200, &["Remove </span>", "?q=zzz\""]),
        (format!("q={full}"), 200, &["Nothing is found"]),
        (format!("q={full}x"), 400, &["does not accept", "1000", "words in this order"]),
        ("q=-anchor".to_owned(), 400, &["found only excluded words"]),
        ("q=%01".to_owned(), 400, &["control characters"]),
        ("q=%ED%A0%80".to_owned(), 400, &["invalid UTF-8"]),
        ("q=anchor&cursor=x".to_owned(), 400, &["<code>cursor</code> was altered"]),
        (format!("q={}", ANCHORS.to_uppercase()), 200, &["data-provision="]),
    ] {
        let (found, text) = page(&demo, &format!("{start}en/search?{query}")).await;
        assert_eq!(found.as_u16(), status, "{query}: {text}");
        assert!(!text.contains("<script>"), "{query}: {text}");
        for word in words {
            assert!(text.contains(word), "{query}: {word} in {text}");
        }
    }
    let demo = Demo::start(&["--search", "false"]).await;
    let start = demo.ready["explorerUrl"].as_str().unwrap();
    let found = page(&demo, &format!("{start}en/search?q=anchor")).await;
    assert!(found.0.as_u16() == 404 && found.1.contains("This service has no search"), "{found:?}");
}

/// The target of the one request that a service gets, which answers it with this JSON.
fn answering(json: serde_json::Value) -> (String, std::thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answered = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let head =
            BufReader::new(&stream).lines().map_while(|line| line.ok().filter(|line| !line.is_empty()));
        let head: Vec<String> = head.collect();
        let (json, type_of) = (json.to_string(), "content-type: application/json");
        let length = json.len();
        write!(stream, "HTTP/1.1 200 OK\r\n{type_of}\r\ncontent-length: {length}\r\n\r\n{json}").unwrap();
        head[0].clone()
    });
    (url, answered)
}

/// The address of a service that answers each request with 503 and this problem.
fn unavailable(problem: serde_json::Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            BufReader::new(&stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty()).count();
            let body = problem.to_string();
            let head = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\n\
                        retry-after: 60\r\nconnection: close";
            write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
    });
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_with_too_many_matches_shows_what_the_service_says() {
    let demo = Demo::start(&[]).await;
    let service = unavailable(serde_json::json!({
        "type": "/problems/unavailable", "title": "Unavailable", "status": 503, "code": "unavailable",
        "detail": "Too many texts match; write a rarer word.", "instance": "1",
    }));
    let explorer = explore(&demo, &service);
    let (status, text) = page(&demo, &format!("{}en/search?q=anchor", explorer.url)).await;
    assert!(status.as_u16() == 503 && text.contains("Too many texts match"), "{status} {text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_is_not_complete_says_so_and_slices_that_do_not_fit_are_left_out() {
    let demo = Demo::start(&[]).await;
    let (service, answered) = answering(serde_json::json!({
        "total": 1, "state": "building", "progress": { "searched": 3, "selected": 9 }, "standards": [],
        "items": [{
            "kind": "section", "id": "\"><i>", "label": "<b>", "urn": "urn:x:std:x:1:ed-1:en,fr",
            "reference": "X 1", "title": "<i>", "status": "withdrawn", "access": "read", "text": "𝄞<u> שלום & x",
            "highlights": [{ "start": 0, "end": 1 }, { "start": 5, "end": 9 }, { "start": 7, "end": 400 },
                { "start": 90, "end": 99 }],
        }],
    }));
    let explorer = explore(&demo, &service);
    let (status, text) = page(&demo, &format!("{}en/search?q=a%26b&in=section", explorer.url)).await;
    assert!(status.is_success(), "{text}");
    for part in [
        "has read 3 of 9 standards",
        "Try again",
        "<mark>𝄞</mark>&lt;u&gt; <mark>שלום</mark> &amp; x</p>",
        "dir=\"auto\"",
        "/en/s/urn:x:std:x:1:ed-1:en%2Cfr?at=%22%3E%3Ci%3E#%22%3E%3Ci%3E\">&lt;b&gt;</a>",
        "withdrawn",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("<i>") && !text.contains("lang=\"en,fr\"") && !text.contains("rel=\"next\""));
    let target = "GET /api/content/v1/search?q=a%26b&in=section&facets=type,kind,";
    let requested = answered.join().unwrap();
    assert!(requested.starts_with(target), "{requested}");

    // Texts that the service cannot read: to try again does not help.
    let (service, answered) = answering(serde_json::json!({
        "total": 0, "state": "partial", "progress": { "searched": 9, "titlesOnly": 2, "selected": 9 },
        "standards": [], "items": [],
    }));
    let explorer = explore(&demo, &service);
    let (_, text) = page(&demo, &format!("{}en/search?q=a&in=section", explorer.url)).await;
    answered.join().unwrap();
    assert!(text.contains("cannot read the texts of 2 of 9 standards"), "{text}");
    assert!(!text.contains("Try again") && !text.contains("so far"), "{text}");
}
