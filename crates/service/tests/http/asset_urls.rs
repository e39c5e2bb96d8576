//! Asset URLs: ranges, signing keys, and the references that they are resolved from.

use std::time::{Duration, Instant, SystemTime};

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, Nonce, RandomizedNonceKey};
use norma_api::Operation;
use norma_service::server::FixedLimits;
use norma_store::SigningKey;
use reqwest::StatusCode;
use reqwest::header::{self, HeaderName};
use serde_json::Value;

use crate::answers::ask;
use crate::world::{self, World, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_served_by_its_url_whole_or_in_ranges_and_cannot_act() {
    let world = World::new().await;
    let asset = world.resolve(world::READ, "fig_1a").await;
    let url = asset["url"].as_str().unwrap();
    let get = |headers: &[(HeaderName, &str)]| {
        let request =
            headers.iter().fold(world.http.get(url), |request, (name, value)| request.header(name, *value));
        async { request.send().await.unwrap() }
    };
    let whole = get(&[]).await;
    let headers = whole.headers().clone();
    for (name, value) in [
        ("content-type", "image/svg+xml"),
        ("accept-ranges", "bytes"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(headers[name], value);
    }
    assert!(headers["content-security-policy"].to_str().unwrap().ends_with("; sandbox"));
    assert!(headers["content-disposition"].to_str().unwrap().starts_with("inline; filename=\""));
    let cache = headers["cache-control"].to_str().unwrap();
    let age: u32 = cache
        .strip_prefix("private, max-age=")
        .unwrap()
        .strip_suffix(", immutable")
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=900).contains(&age), "{cache}");
    let tag = headers[header::ETAG].to_str().unwrap();
    assert_eq!(format!("\"{}\"", asset["digest"].as_str().unwrap().trim_start_matches("sha256:")), tag);
    let bytes = whole.bytes().await.unwrap();
    let size = bytes.len();
    assert_eq!(asset["size"], size);

    let (last, beyond) = (size - 1, format!("bytes={size}-"));
    for (range, part, content_range) in [
        ("bytes=0-9", &bytes[..10], format!("bytes 0-9/{size}")),
        ("bytes=5-", &bytes[5..], format!("bytes 5-{last}/{size}")),
        ("bytes=-7", &bytes[size - 7..], format!("bytes {}-{last}/{size}", size - 7)),
        ("bytes=0-999999", &bytes[..], format!("bytes 0-{last}/{size}")),
    ] {
        for condition in [None, Some(tag)] {
            let headers = [Some((header::RANGE, range)), condition.map(|tag| (header::IF_RANGE, tag))];
            let headers: Vec<_> = headers.into_iter().flatten().collect();
            let answer = get(&headers).await;
            assert_eq!(answer.status(), 206, "{range}");
            assert_eq!(answer.headers()[header::CONTENT_RANGE], content_range);
            assert_eq!(answer.headers()[header::ETAG], tag);
            assert_eq!(answer.bytes().await.unwrap(), part, "{range}");
        }
    }
    for whole in [
        &[(header::RANGE, "bytes=0-1,4-5")][..],
        &[(header::RANGE, "lines=0-1")],
        &[(header::RANGE, "bytes=0-1"), (header::IF_RANGE, "\"other\"")],
        &[(header::RANGE, "bytes=0-1"), (header::IF_RANGE, "Sun, 01 Mar 2026 10:00:00 GMT")],
    ] {
        let answer = get(whole).await;
        assert_eq!(
            (answer.status(), answer.bytes().await.unwrap()),
            (StatusCode::OK, bytes.clone()),
            "{whole:?}"
        );
    }
    let nothing = get(&[(header::RANGE, &beyond)]).await;
    assert_eq!(
        (nothing.status().as_u16(), &nothing.headers()[header::CONTENT_RANGE]),
        (416, &format!("bytes */{size}").parse().unwrap())
    );
    assert_eq!(get(&[(header::RANGE, "bytes=0-1"), (header::IF_NONE_MATCH, tag)]).await.status(), 304);
    let head = world.http.head(url).header(header::RANGE, "bytes=0-1").send().await.unwrap();
    assert_eq!(
        (head.status(), head.headers()[header::CONTENT_LENGTH].to_str().unwrap()),
        (StatusCode::OK, &*size.to_string())
    );

    // One letter of the URL changed.
    let (stored, end) = url.split_at(url.len() - 1);
    let altered = format!("{stored}{}", if end == "A" { "B" } else { "A" });
    assert_eq!(world.http.get(altered).send().await.unwrap().status(), 403);
    world.stop().await;
}

/// Whether this key sealed the URL.
fn signed_by(url: &str, key: &SigningKey) -> bool {
    let ticket = data_encoding::BASE64URL_NOPAD.decode(url.rsplit('/').next().unwrap().as_bytes()).unwrap();
    let (nonce, sealed) = ticket.split_at(12);
    let key = RandomizedNonceKey::new(&AES_256_GCM_SIV, &key.secret).unwrap();
    let nonce = Nonce::try_assume_unique_for_key(nonce).unwrap();
    key.open_in_place(nonce, Aad::empty(), &mut sealed.to_vec()).is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_signing_key_signs_within_a_second_and_urls_of_the_old_one_work_until_they_expire() {
    let mut limits = FixedLimits::default();
    limits.reads.asset_url_lifetime = Duration::from_secs(5);
    let world = World::within(limits, &[]).await;
    let resolve = async || world.resolve(world::READ, "fig_1a").await["url"].as_str().unwrap().to_owned();
    let before = resolve().await;
    // As another process does it, of which the service learns from the store alone.
    let other = norma_editions::stores::open_store(&world.settings.store).await.unwrap();
    let rotated = Instant::now();
    other.rotate_signing_key(SystemTime::now()).await.unwrap();
    let new = other.policy_now().await.unwrap().signing_keys[0].clone();
    assert!(!signed_by(&before, &new));
    while !signed_by(&resolve().await, &new) {
        assert!(rotated.elapsed() < Duration::from_secs(1), "the service still signs with the old key");
    }
    assert_eq!(world.http.get(&before).send().await.unwrap().status(), 200, "not expired yet");
    let code = eventually("the URL expires", async || {
        let answer = world.http.get(&before).send().await.unwrap();
        if answer.status() == 200 {
            return None;
        }
        Some(answer.json::<Value>().await.unwrap()["code"].clone())
    })
    .await;
    assert_eq!(code, "asset-url-expired");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_form_of_reference_resolves_alone_and_in_a_batch() {
    let world = World::new().await;
    let graphics: Value =
        ask(&world, &Operation::Graphics.path_with(&[world::READ]), &[]).await.json().await.unwrap();
    let graphics = graphics["items"].as_array().unwrap();
    let mut references = Vec::new();
    for graphic in graphics.iter().filter(|graphic| graphic["available"] == true) {
        let (href, id) = (graphic["assetReference"].as_str().unwrap(), graphic["id"].as_str().unwrap());
        let mut forms = vec![href.to_owned(), id.to_owned()];
        if href != id {
            let name = href.rsplit('/').next().unwrap();
            forms.extend([name.to_owned(), format!("images/{name}")]);
            forms.extend([".svg", ".png"].iter().filter_map(|end| href.strip_suffix(end)).map(str::to_owned));
        }
        if let Some(figure) = graphic["figureId"].as_str() {
            forms.extend([figure.to_owned(), format!("#{figure}")]);
        }
        for form in forms {
            let resolved = world.resolve(world::READ, &form).await;
            assert_eq!(resolved["assetReference"], form);
            references.push((form, resolved["digest"].clone()));
        }
    }
    assert!(references.len() > 12, "{references:?}");
    let path = Operation::ResolveAssets.path_with(&[world::READ]);
    let mut forms: Vec<&str> = references.iter().map(|(form, _)| form.as_str()).collect();
    forms.push("nowhere.png");
    let request = world.http.post(format!("{}{path}", world.running.public_url)).bearer_auth(world.reader());
    let answer: Value = request
        .json(&serde_json::json!({ "assetReferences": forms }))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let items = answer["items"].as_array().unwrap();
    assert_eq!(items.len(), forms.len());
    for (item, (form, digest)) in items.iter().zip(&references) {
        assert_eq!((&item["assetReference"], &item["digest"]), (&form.as_str().into(), digest));
    }
    assert_eq!(items.last().unwrap()["problem"]["code"], "asset-not-found");
    world.stop().await;
}
