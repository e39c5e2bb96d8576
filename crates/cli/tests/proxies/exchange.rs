//! The same request with and without a proxy, and the parts of the two answers that must be equal.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use norma_api::Operation;
use reqwest::header::{self, HeaderMap, HeaderName};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::proxy::client;
use crate::support::Caller;

/// Two editions of one document.
const EDITIONS: [&str; 2] = ["urn:nsb:std:nsb:4210:ed-2:en", "urn:nsb:std:nsb:4210:ed-1:en"];

/// A request that every caller of the demonstration may make.
pub(crate) struct Request {
    operation: Operation,
    path: String,
    body: Option<Value>,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    /// Without its coding.
    body: Vec<u8>,
}

/// A request for each operation.
pub(crate) async fn requests(caller: &Caller<'_>, base: &str) -> Vec<Request> {
    let [urn, older] = EDITIONS;
    let provisions = caller.standard(older, "/provisions").await;
    let provision = provisions["items"][0]["id"].as_str().unwrap();
    let reference = caller.standard(urn, "/graphics").await["items"][0]["assetReference"].clone();
    let asset = caller.resolve(urn, reference.as_str().unwrap()).await["url"].as_str().unwrap().to_owned();
    let path = |operation: Operation| match operation {
        Operation::Asset => asset.strip_prefix(base).unwrap().to_owned(),
        Operation::Comparison => format!("{}?with={older}", operation.path_with(&[urn])),
        Operation::Provision => operation.path_with(&[provision]),
        Operation::Search => format!("{}?q=anchor", operation.path()),
        Operation::ProblemPage => operation.path_with(&["invalid-urn"]),
        Operation::GuidePage => operation.path_with(&["using-the-api"]),
        Operation::Selection => operation.path_with(&[urn, "all"]),
        Operation::Table => operation.path_with(&[urn, "1"]),
        _ if operation.path().contains("{id}") => operation.path_with(&[urn]),
        _ => operation.path_with(&[]),
    };
    let body = |operation: Operation| match operation {
        Operation::ResolveAssets => Some(json!({ "assetReference": reference })),
        Operation::ResolveCitations => Some(json!({ "citations": ["NSB 4210:2019, 4.2(1)"] })),
        Operation::VerifyQuotations => {
            let text = "The locking point shall be marked with the words";
            Some(json!({ "quotations": [{ "text": text, "citation": "NSB 4210:2019, 4.2(1)" }] }))
        }
        Operation::Migrate => Some(json!({ "ids": [provision] })),
        _ => None,
    };
    let request =
        |&operation: &Operation| Request { operation, path: path(operation), body: body(operation) };
    Operation::ALL.iter().map(request).collect()
}

/// Sends the request to both addresses, in all codings, methods and under all its conditions; returns the
/// number of requests.
pub(crate) async fn expect_equal(name: &str, request: &Request, token: &str, bases: [&str; 2]) -> usize {
    let methods = if request.body.is_some() { &[Method::POST][..] } else { &[Method::GET, Method::HEAD] };
    let mut exchanges = 0;
    for coding in ["gzip", "identity"] {
        let mut tags = Vec::new();
        for method in methods {
            let label = format!("{name} {method} {} {coding}", request.path);
            let ask = async |condition: [Option<(HeaderName, String)>; 2]| {
                let mut answers = Vec::new();
                for (base, condition) in bases.into_iter().zip(condition) {
                    answers.push(send(request, base, method, coding, token, condition).await);
                }
                compare(request, &label, &answers[0], &answers[1]);
                <[Answer; 2]>::try_from(answers).ok().unwrap()
            };
            let answers = ask([None, None]).await;
            assert_eq!(answers[0].status, 200, "{label}");
            exchanges += 1;
            if tags.is_empty() {
                tags.extend(answers.iter().filter_map(|answer| answer.text(&header::ETAG)));
            }
            let [own, proxied] = &tags[..] else { continue };
            let same =
                |name: HeaderName, value: &str| [(); 2].map(|()| Some((name.clone(), value.to_owned())));
            let known = [own, proxied].map(|tag| Some((header::IF_NONE_MATCH, tag.clone())));
            let conditions = [
                (known, 304),
                (same(header::IF_NONE_MATCH, "*"), 304),
                (same(header::IF_NONE_MATCH, "\"other\""), 200),
                (same(header::IF_MATCH, "\"other\""), 412),
            ];
            for (condition, status) in conditions {
                let label = format!("{label} {condition:?}");
                assert_eq!(ask(condition).await[0].status, status, "{label}");
                exchanges += 1;
            }
        }
    }
    exchanges
}

async fn send(
    request: &Request,
    base: &str,
    method: &Method,
    coding: &str,
    token: &str,
    condition: Option<(HeaderName, String)>,
) -> Answer {
    let mut sent = client().request(method.clone(), format!("{base}{}", request.path));
    sent = sent.bearer_auth(token).header(header::ACCEPT_ENCODING, coding);
    if let Some((name, value)) = condition {
        sent = sent.header(name, value);
    }
    if let Some(body) = &request.body {
        sent = sent.json(body);
    }
    let answer = sent.send().await.unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let coded = answer.bytes().await.unwrap();
    let mut body = Vec::new();
    match headers.get(header::CONTENT_ENCODING).map(|coding| coding.as_bytes()) {
        Some(b"gzip") => MultiGzDecoder::new(&coded[..]).read_to_end(&mut body).map(drop).unwrap(),
        Some(coding) => panic!("{base}: {coding:?}"),
        None => body.extend_from_slice(&coded),
    }
    Answer { status, headers, body }
}

impl Answer {
    fn text(&self, name: &HeaderName) -> Option<String> {
        self.headers.get(name).map(|value| value.to_str().unwrap().to_owned())
    }

    fn varies_by(&self) -> Vec<String> {
        let values = self.headers.get_all(header::VARY).iter().map(|value| value.to_str().unwrap());
        values.flat_map(|names| names.split(',')).map(|name| name.trim().to_ascii_lowercase()).collect()
    }
}

/// Fails if a proxy changed more than the coding of an answer.
fn compare(request: &Request, label: &str, straight: &Answer, proxied: &Answer) {
    assert_eq!(straight.status, proxied.status, "{label}");
    let copied = [
        header::CONTENT_TYPE,
        header::LAST_MODIFIED,
        header::CONTENT_LANGUAGE,
        header::CONTENT_DISPOSITION,
        header::CONTENT_LOCATION,
        header::LINK,
    ];
    for name in copied {
        assert_eq!(straight.text(&name), proxied.text(&name), "{label}: {name}");
    }
    // Signed URLs count the seconds that they are good for.
    let cache = |answer: &Answer| {
        let text = answer.text(&header::CACHE_CONTROL).unwrap_or_default();
        if request.operation == Operation::Asset {
            text.replace(|c: char| c.is_ascii_digit(), "")
        } else {
            text
        }
    };
    assert_eq!(cache(straight), cache(proxied), "{label}");
    let varies = proxied.varies_by();
    assert!(straight.varies_by().iter().all(|name| varies.contains(name)), "{label}: {varies:?}");
    // Each URL is sealed with a new nonce, and each problem names its request.
    let is_own = request.operation == Operation::ResolveAssets || straight.status.is_client_error();
    let body = |answer: &Answer| match serde_json::from_slice(&answer.body) {
        Ok(Value::Object(mut value)) if is_own => {
            value.retain(|name, _| !["url", "expiresAt", "instance"].contains(&name.as_str()));
            Value::Object(value).to_string().into_bytes()
        }
        _ => answer.body.clone(),
    };
    let bodies = [straight, proxied].map(|answer| String::from_utf8_lossy(&body(answer)).into_owned());
    if bodies[0] != bodies[1] {
        let common = std::iter::zip(bodies[0].chars(), bodies[1].chars()).take_while(|(a, b)| a == b).count();
        let rests =
            bodies.map(|body| body.chars().skip(common.saturating_sub(40)).take(120).collect::<String>());
        panic!("{label}: the bodies differ: {rests:?}");
    }
    let coding = |answer: &Answer| answer.text(&header::CONTENT_ENCODING);
    let tag = proxied.text(&header::ETAG);
    // A proxy that compresses weakens the tag or adds the coding to it, also where it answers HEAD without a
    // coding.
    let has_own_tag = tag.as_ref().is_some_and(|tag| tag.starts_with("W/") || tag.ends_with("-gzip\""));
    let is_changed = has_own_tag || coding(straight) != coding(proxied);
    if !is_changed && straight.status != 304 {
        assert_eq!(straight.text(&header::ETAG), tag, "{label}");
        let lengths = [straight, proxied].map(|answer| answer.text(&header::CONTENT_LENGTH));
        assert!(lengths[0] == lengths[1] || lengths.contains(&None), "{label}: {lengths:?}");
    }
}
