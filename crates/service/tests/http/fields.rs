//! Members of composed views that `fields` selects, compared with the whole views.

use indexmap::IndexMap;
use norma_api::Operation;
use norma_api::media::View;
use reqwest::header;
use serde_json::{Map, Value};

use crate::answers::ask;
use crate::world::{self, World};

const ALWAYS: [&str; 3] = ["status", "urn", "revision"];

#[tokio::test(flavor = "multi_thread")]
async fn every_choice_of_members_gives_the_same_members_as_the_whole_view_in_its_order() {
    let world = World::new().await;
    for (operation, view) in [(Operation::Standard, View::Complete), (Operation::Metadata, View::Metadata)] {
        let path = operation.path_with(&[world::READ]);
        let whole: Map<String, Value> = ask(&world, &path, &[]).await.json().await.unwrap();
        let optional: Vec<&str> =
            view.members().iter().copied().filter(|name| !ALWAYS.contains(name)).collect();
        for choice in 1..1_u32 << optional.len() {
            // Asked for in another order than they are sent.
            let chosen = (0..optional.len()).rev().filter(|bit| choice & (1 << bit) != 0);
            let fields: Vec<&str> = chosen.map(|bit| optional[bit]).collect();
            let path = format!("{path}?fields={}", fields.join(","));
            let text = ask(&world, &path, &[]).await.text().await.unwrap();
            let picked: Map<String, Value> = serde_json::from_str(&text).unwrap();
            let expected = whole
                .iter()
                .filter(|(name, _)| ALWAYS.contains(&name.as_str()) || fields.contains(&name.as_str()));
            let expected: Map<_, _> = expected.map(|(name, value)| (name.clone(), value.clone())).collect();
            assert_eq!(picked, expected, "{path}");
            let order: IndexMap<String, Value> = serde_json::from_str(&text).unwrap();
            let members = view.members().iter().filter(|&&name| expected.contains_key(name));
            assert!(order.keys().eq(members), "{path}");
        }
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn picked_members_have_a_tag_of_their_own_in_each_coding() {
    let world = World::new().await;
    let path = |fields: &str| format!("{}?fields={fields}", Operation::Metadata.path_with(&[world::READ]));
    let mut tags = Vec::new();
    for fields in ["metadata,ics,relations", "relations,ics,metadata", "provisions", "status"] {
        for coding in ["gzip", "identity"] {
            let sent = [(header::ACCEPT_ENCODING, coding)];
            let answer = ask(&world, &path(fields), &sent).await;
            assert_eq!(answer.status(), 200, "{fields} {coding}");
            let tag = answer.headers()[header::ETAG].to_str().unwrap().to_owned();
            let conditions = [(header::ACCEPT_ENCODING, coding), (header::IF_NONE_MATCH, tag.as_str())];
            assert_eq!(ask(&world, &path(fields), &conditions).await.status(), 304, "{fields} {coding}");
            tags.push(tag);
        }
    }
    assert_eq!(tags[..2], tags[2..4], "the order of the names changes nothing");
    tags.drain(2..4);
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 6);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_member_is_refused_with_those_that_are_and_other_operations_have_no_fields() {
    let world = World::new().await;
    let problem = async |path: String| -> Value {
        let answer = ask(&world, &path, &[]).await;
        assert_eq!(answer.status(), 400, "{path}");
        answer.json().await.unwrap()
    };
    let metadata = Operation::Metadata.path_with(&[world::READ]);
    for (fields, parameter) in
        [("metadta", "metadata"), ("", ""), ("ics,", ""), ("sections", "relations"), (" ics", "ics")]
    {
        let problem = problem(format!("{metadata}?fields={fields}")).await;
        let error = &problem["errors"][0];
        assert_eq!(
            (&problem["code"], &error["parameter"]),
            (&"invalid-parameter".into(), &"fields".into()),
            "{fields}"
        );
        if !parameter.is_empty() {
            assert_eq!(error["suggestion"], parameter, "{error}");
        }
    }
    problem(format!("{metadata}?fields=ics&fields=metadata")).await;
    for operation in [Operation::Sections, Operation::Content, Operation::Provisions, Operation::Terms] {
        let problem = problem(format!("{}?fields=urn", operation.path_with(&[world::READ]))).await;
        assert_eq!(problem["code"], "unknown-parameter", "{operation:?}");
    }
    world.stop().await;
}
