//! Comparisons in pages: their cost, the content of their cursors, and the rows that they leave in the store.

use norma_store::Level;
use serde_json::{Value, json};

use crate::comparison::{NEWER, OLDER, answer, grant, items, target};
use crate::world::{self, World};

/// All pages of a comparison: each answer, and the items of all.
async fn pages(world: &World, id: &str, with: &str, more: &str) -> (Vec<Value>, Vec<Value>) {
    let (mut answers, mut all, mut cursor) = (Vec::new(), Vec::new(), String::new());
    loop {
        let (status, page) = answer(world, &target(id, with, &format!("{more}{cursor}"))).await;
        assert_eq!(status, 200, "{page}");
        all.extend(items(&page).iter().cloned());
        let next = page["next"].as_str().map(str::to_owned);
        answers.push(page);
        let Some(next) = next else { return (answers, all) };
        cursor = format!("&cursor={next}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_hold_each_item_of_the_whole_once_and_all_the_same_counts() {
    let world = World::new().await;
    grant(&world, NEWER, Some(Level::Read)).await;
    for filter in ["", "&include=text", "&relation=same&relation=new", "&type=requirement&include=text"] {
        let (_, whole) = answer(&world, &target(OLDER, NEWER, filter)).await;
        assert!(whole.get("next").is_none(), "{whole}");
        for limit in [1, 3, 5, items(&whole).len()] {
            let (answers, all) = pages(&world, OLDER, NEWER, &format!("{filter}&limit={limit}")).await;
            assert_eq!(&all, items(&whole), "{filter} {limit}");
            assert_eq!(answers.len(), all.len().div_ceil(limit), "{filter} {limit}");
            for page in &answers {
                assert_eq!((&page["counts"], &page["older"]), (&whole["counts"], &whole["older"]));
            }
        }
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_carries_the_filters_and_is_of_one_state_of_the_comparison() {
    let world = World::new().await;
    grant(&world, NEWER, Some(Level::Read)).await;
    let (_, first) = answer(&world, &target(OLDER, NEWER, "&relation=same&limit=2")).await;
    let next = format!("&limit=2&cursor={}", first["next"].as_str().unwrap());
    let (_, repeated) = answer(&world, &target(OLDER, NEWER, &format!("&relation=same{next}"))).await;
    let (_, bare) = answer(&world, &target(OLDER, NEWER, &next)).await;
    assert_eq!(bare, repeated);
    assert!(items(&bare).iter().all(|item| item["relation"] == "same"), "{bare}");
    for more in [format!("&relation=new{next}"), "&cursor=bm9uZQ".to_owned(), "&cursor=_".to_owned()] {
        let (status, body) = answer(&world, &target(OLDER, NEWER, &more)).await;
        assert_eq!((status, &body["code"]), (400, &json!("invalid-cursor")), "{more}");
    }
    for limit in ["0", "2001", "x", "-1"] {
        let (status, body) = answer(&world, &target(OLDER, NEWER, &format!("&limit={limit}"))).await;
        assert_eq!((status, &body["errors"][0]["parameter"]), (400, &json!("limit")), "{limit}");
    }
    // Its editions are those that it was given for, whichever of them the path names.
    let (_, turned) = answer(&world, &target(NEWER, OLDER, "&relation=same&limit=2")).await;
    assert_eq!(items(&turned), items(&first));
    let (status, body) =
        answer(&world, &target(OLDER, world::READ, &format!("&differentDocuments=true{next}"))).await;
    assert_eq!((status, &body["code"]), (400, &json!("invalid-cursor")));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_pages_cost_one_matching_and_head_and_304_none() {
    let world = World::new().await;
    let stored = world.store.stats().await.unwrap().comparisons;
    assert!(stored > 0, "neighbours are stored");
    let more = "&differentDocuments=true";
    let path = target(world::READ, OLDER, more);
    let head = world.http.head(format!("{}{path}", world.running.public_url)).bearer_auth(world.reader());
    let head = head.send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.headers().contains_key("content-length")), (200, false));
    let tag = head.headers()["etag"].to_str().unwrap();
    let known = world.get(&path).header("if-none-match", tag).send().await.unwrap();
    assert_eq!(known.status(), 304);
    assert_eq!(world.running.comparisons_made(), 0);
    let ask = || answer(&world, &path);
    let (first, second, third) = tokio::join!(ask(), ask(), ask());
    assert_eq!(first.0, 200, "{}", first.1);
    assert_eq!((&first, &first), (&second, &third));
    // The older one is the one that was published first.
    assert_eq!(first.1["older"]["urn"], OLDER);
    let limit = items(&first.1).len().div_ceil(10);
    let (answers, _) = pages(&world, world::READ, OLDER, &format!("{more}&limit={limit}")).await;
    assert!(answers.len() >= 8, "{}", answers.len());
    assert_eq!(world.running.comparisons_made(), 1);
    // Neighbours are stored when they are ingested.
    grant(&world, NEWER, Some(Level::Read)).await;
    assert_eq!(answer(&world, &target(OLDER, NEWER, "")).await.0, 200);
    assert_eq!(world.running.comparisons_made(), 1);
    assert_eq!(world.store.stats().await.unwrap().comparisons, stored, "reads store nothing");
    world.stop().await;
}
