//! Answers to browsers: cross-origin reading, content types and policies, and the page at the root.

use norma_api::Operation;
use reqwest::StatusCode;
use reqwest::header;
use serde_json::Value;

use crate::answers::readable;
use crate::world::{self, World};

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_read_only_where_the_operator_names_the_origin() {
    let world = World::new().await;
    let open = world.start_with(&[("cors-origins", "https://app.example")]).await;
    for (base, origin, allowed) in [
        (&world.running.public_url, "https://app.example", None),
        (&open.public_url, "https://app.example", Some("https://app.example")),
        (&open.public_url, "https://evil.example", None),
    ] {
        let url = format!("{base}/api/content/v1/standards");
        let request = world.http.request(reqwest::Method::OPTIONS, &url).header("origin", origin);
        let request = request.header("access-control-request-method", "GET");
        let request = request.header("access-control-request-headers", "authorization, if-none-match");
        let preflight = request.send().await.unwrap();
        let found = preflight.headers().get("access-control-allow-origin").map(|v| v.to_str().unwrap());
        assert_eq!(found, allowed, "{base} {origin}");
        if allowed.is_some() {
            let permitted = preflight.headers()["access-control-allow-headers"].to_str().unwrap();
            for name in ["authorization", "if-none-match", "traceparent", "tracestate", "baggage"] {
                assert!(permitted.split(',').any(|one| one == name), "{name} is not in {permitted}");
            }
        }
        let answer =
            world.http.get(&url).bearer_auth(world.reader()).header("origin", origin).send().await.unwrap();
        let found = answer.headers().get("access-control-allow-origin").map(|v| v.to_str().unwrap());
        assert_eq!((answer.status(), found), (StatusCode::OK, allowed), "{base} {origin}");
        if allowed.is_some() {
            let exposed = answer.headers()["access-control-expose-headers"].to_str().unwrap();
            for name in
                ["etag", "link", "x-request-id", "retry-after", "www-authenticate", "content-location"]
            {
                assert!(exposed.split(',').any(|e| e == name), "{exposed}");
            }
        }
    }
    open.stop().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_leaves_a_browser_to_guess_a_type_and_every_page_says_what_it_may_load_and_who_may_frame_it()
 {
    let world = World::new().await;
    let (api, ops) = (&world.running.public_url, format!("http://{}", world.running.ops_address));
    let mut addresses: Vec<(String, &str)> =
        readable(&world).await.into_iter().map(|(_, path)| (format!("{api}{path}"), "*/*")).collect();
    // Pages, other forms of content, the script, problems, what is not there, and the operator's listener.
    let content = Operation::Content.path_with(&[world::READ]);
    addresses.extend(["text/plain", "application/xml"].map(|media| (format!("{api}{content}"), media)));
    addresses
        .extend(norma_api::problem::Code::ALL.iter().map(|code| (format!("{api}{}", code.path()), "*/*")));
    addresses.extend(
        ["", "/", norma_api::openapi::DOCS_SCRIPT_PATH, "/nowhere", "/api/content/v1/standards/x"]
            .map(|path| (format!("{api}{path}"), "text/html,*/*;q=0.8")),
    );
    addresses
        .extend(["/livez", "/readyz", "/metrics", "/nowhere"].map(|path| (format!("{ops}{path}"), "*/*")));
    let mut pages = 0;
    for (address, accept) in &addresses {
        for method in [reqwest::Method::GET, reqwest::Method::HEAD, reqwest::Method::DELETE] {
            let request = world.http.request(method.clone(), address).bearer_auth(world.reader());
            let answer = request.header(header::ACCEPT, *accept).send().await.unwrap();
            let headers = answer.headers();
            let kind = headers.get(header::CONTENT_TYPE).map_or("", |kind| kind.to_str().unwrap());
            let guess =
                headers.get(header::X_CONTENT_TYPE_OPTIONS).map_or("", |value| value.to_str().unwrap());
            assert_eq!(guess, if kind.is_empty() { "" } else { "nosniff" }, "{method} {address}");
            if kind.starts_with("text/html") {
                let policy = headers.get(header::CONTENT_SECURITY_POLICY).unwrap().to_str().unwrap();
                assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{method} {address}");
                assert!(policy.contains("frame-ancestors 'none'"), "{method} {address}");
                pages += usize::from(method == reqwest::Method::GET);
            }
        }
    }
    assert_eq!(
        pages,
        norma_api::problem::Code::ALL.len() + 6,
        "problems, the root twice, the reader, a guide, the list of problems and one problem's page"
    );
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_finds_a_page_at_the_root_that_leads_to_the_documentation_and_a_program_a_problem() {
    let world = World::new().await;
    let root = async |accept: Option<&str>| {
        let mut request = world.http.get(format!("{}/", world.running.public_url));
        if let Some(accept) = accept {
            request = request.header(header::ACCEPT, accept);
        }
        request.send().await.unwrap()
    };
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
    for accept in [browser, "text/html"] {
        let page = root(Some(accept)).await;
        assert_eq!(
            (page.status().as_u16(), &page.headers()[header::VARY]),
            (200, &"Accept, Accept-Encoding".parse().unwrap())
        );
        let text = page.text().await.unwrap();
        assert!(text.contains("<a href=\"/docs\">") && text.len() < 5000, "{text}");
    }
    for accept in [None, Some("*/*"), Some("application/json"), Some("text/html;q=0, */*")] {
        let problem = root(accept).await;
        assert_eq!(problem.status(), 404, "{accept:?}");
        assert_eq!(problem.json::<Value>().await.unwrap()["code"], "not-found", "{accept:?}");
    }
    world.stop().await;
}

/// The addresses of the links of a page, relative ones resolved.
fn links(address: &str, page: &str) -> Vec<reqwest::Url> {
    let base: reqwest::Url = address.parse().unwrap();
    let found = page.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    found.map(|link| base.join(link).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_page_has_a_main_part_and_leads_to_guides_documentation_and_problems() {
    let world = World::new().await;
    let base = &world.running.public_url;
    let mut waiting: Vec<reqwest::Url> = vec![format!("{base}/").parse().unwrap()];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(mut url) = waiting.pop() {
        url.set_fragment(None);
        if !url.as_str().starts_with(base.as_str()) || !seen.insert(url.path().to_owned()) {
            continue;
        }
        let answer = world.http.get(url.clone()).header(header::ACCEPT, "text/html").send().await.unwrap();
        assert_eq!(answer.status(), 200, "{url}");
        if ["/docs", "/openapi.json"].contains(&url.path()) {
            continue;
        }
        let page = answer.text().await.unwrap();
        assert_eq!((page.matches("<main>").count(), page.matches("</main>").count()), (1, 1), "{url}");
        let found = links(url.as_str(), &page);
        for path in ["/docs", "/problems", "/guides/using-the-api"] {
            assert!(found.iter().any(|link| link.path() == path), "{url} does not lead to {path}: {page}");
        }
        waiting.extend(found);
    }
    let shown = norma_api::problem::Code::ALL.len() + norma_api::guides::Guide::ALL.len() + 4;
    assert_eq!(
        seen.len(),
        shown,
        "each problem and guide, the root, the list, the reader and OpenAPI: {seen:?}"
    );
    let unknown = world.http.get(format!("{base}/guides/nothing")).send().await.unwrap();
    assert_eq!(unknown.status(), 404);
    world.stop().await;
}
