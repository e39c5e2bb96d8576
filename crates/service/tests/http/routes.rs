//! One access test for each route, generated from the page of routes: without token 401, without role 403,
//! hidden 404, and at each level of grant the answer of the contract.

use norma_api::Operation;
use norma_api::paths::{Description, Method, Requirement, ValueFormat};

use crate::world::{self, World};

/// Arguments for the path of each operation, on a standard.
pub(crate) fn arguments<'a>(operation: Operation, urn: &'a str, provision: &'a str) -> Vec<&'a str> {
    let names = operation.path().split('/').filter(|segment| segment.starts_with('{'));
    names
        .map(|name| match name {
            "{id}" if operation == Operation::Provision => provision,
            "{id}" => urn,
            "{selection}" => "all",
            "{table}" => "1",
            other => panic!("what is {other} of {operation:?}?"),
        })
        .collect()
}

/// Path and query of an operation on a standard; the second edition of an operation on two is readable.
pub(crate) fn target(operation: Operation, urn: &str, provision: &str) -> String {
    let path = operation.path_with(&arguments(operation, urn, provision));
    match operation {
        Operation::Comparison => format!("{path}?with={}&differentDocuments=true", world::SIBLING),
        Operation::Search => format!("{path}?q=water"),
        _ => path,
    }
}

/// A body for an operation that accepts one.
pub(crate) fn body(operation: Operation) -> Option<serde_json::Value> {
    operation.describe().body.map(|shape| match shape {
        "CitationsRequest" => serde_json::json!({ "citations": ["NSB 4210:2019, 4.2"] }),
        "QuotationsRequest" => {
            serde_json::json!({ "quotations": [{ "text": "It shall hold.", "citation": "NSB 4210:2019" }] })
        }
        "MigrateRequest" => serde_json::json!({ "ids": ["prv_aaaaaaaaaaaaaaaaaaaaaaaaaa"] }),
        _ => serde_json::json!({ "assetReferences": ["fig_1"] }),
    })
}

fn with_token() -> impl Iterator<Item = Operation> {
    Operation::ALL.iter().copied().filter(|o| o.describe().requirement >= Requirement::Token)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_route_asks_for_token_role_and_grant() {
    let world = World::new().await;
    let unknown = "prv_aaaaaaaaaaaaaaaaaaaaaaaaaa";
    let (reader, stranger, roleless) = (world.reader(), world.stranger(), world.roleless());
    for operation in with_token() {
        let of = |urn: &'static str| target(operation, urn, unknown);
        let ask = async |path: &str, token: Option<&str>| world.ask(operation, path, token).await;

        let (status, code, challenge) = ask(&of(world::READ), None).await;
        assert_eq!((status, code.as_str()), (401, "token-missing"), "{operation:?}");
        assert!(challenge.starts_with("Bearer "), "{operation:?}: {challenge}");
        let (status, code, challenge) = ask(&of(world::READ), Some("not.a.token")).await;
        assert_eq!((status, code.as_str()), (401, "token-invalid"), "{operation:?}");
        assert!(challenge.contains("error=\"invalid_token\""), "{operation:?}: {challenge}");
        let (status, code, challenge) = ask(&of(world::READ), Some(&roleless)).await;
        assert_eq!((status, code.as_str()), (403, "role-missing"), "{operation:?}");
        assert!(challenge.contains("error=\"insufficient_scope\""), "{operation:?}: {challenge}");

        if operation == Operation::Provision {
            // A provision of a standard at each level, and one that is not there.
            let expected = [
                (world::READ, 200, ""),
                (world::DISCOVERED, 403, "content-not-licensed"),
                (world::HIDDEN, 404, "provision-not-found"),
            ];
            for (urn, status, code) in expected {
                let id = world.provision_of(urn).await;
                let (found, why, _) = ask(&operation.path_with(&[&id]), Some(&reader)).await;
                assert_eq!((found, why.as_str()), (status, code), "{urn}");
            }
            assert_eq!(ask(&of(world::READ), Some(&reader)).await.0, 404);
        } else if operation.path().contains("{id}") {
            let level = operation.describe().requirement;
            let discovered = match level {
                Requirement::Discover | Requirement::ReadEither => (200, ""),
                _ => (403, "content-not-licensed"),
            };
            for (urn, expected) in [
                (world::READ, (200, "")),
                (world::DISCOVERED, discovered),
                (world::HIDDEN, (404, "standard-not-found")),
                ("urn:nsb:std:nsb:9999:ed-1:en", (404, "standard-not-found")),
                ("urn:nsb:std", (400, "invalid-urn")),
            ] {
                let (status, code, _) = ask(&of(urn), Some(&reader)).await;
                assert_eq!((status, code.as_str()), expected, "{operation:?} {urn}");
            }
            assert_eq!(ask(&of(world::READ), Some(&stranger)).await.0, 404, "{operation:?}");
            // Members that `fields` picks need the level of the table, each alone and with another.
            let picks = operation.describe().parameters.iter().find_map(|parameter| match parameter.values {
                ValueFormat::ListOf(members) => Some(members),
                _ => None,
            });
            for &member in picks.unwrap_or_default() {
                let open = |member: &str| {
                    let Description { discoverable, .. } = operation.describe();
                    ["status", "urn", "revision"].contains(&member) || discoverable.contains(&member)
                };
                for fields in [member.to_owned(), format!("metadata,{member}")] {
                    let path = |urn| format!("{}?fields={fields}", of(urn));
                    assert_eq!(ask(&path(world::READ), Some(&reader)).await.0, 200, "{operation:?} {fields}");
                    assert_eq!(
                        ask(&path(world::HIDDEN), Some(&reader)).await.0,
                        404,
                        "{operation:?} {fields}"
                    );
                    let discovered = if fields.split(',').all(open) { 200 } else { 403 };
                    let found = ask(&path(world::DISCOVERED), Some(&reader)).await.0;
                    assert_eq!(found, discovered, "{operation:?} {fields}");
                }
            }
        } else {
            assert_eq!(ask(&of(world::READ), Some(&stranger)).await.0, 200, "{operation:?}");
        }
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn open_routes_answer_without_a_token_and_unknown_ones_with_a_problem() {
    let world = World::new().await;
    for operation in Operation::ALL.iter().copied().filter(|o| o.describe().requirement < Requirement::Token)
    {
        let path = match operation {
            Operation::ProblemPage => operation.path_with(&["token-missing"]),
            Operation::GuidePage => operation.path_with(&["using-the-api"]),
            Operation::Asset => operation.path_with(&["forged"]),
            _ => operation.path_with(&[]),
        };
        let (status, code, _) = world.ask(operation, &path, None).await;
        let expected = if operation == Operation::Asset { (403, "asset-url-invalid") } else { (200, "") };
        assert_eq!((status, code.as_str()), expected, "{operation:?}");
    }
    for (method, path, expected) in [
        (Method::Get, "/api/content/v1/nothing", (404, "not-found")),
        (Method::Get, "/api/content/v2/standards", (404, "not-found")),
        (Method::Post, "/api/content/v1/standards", (405, "method-not-allowed")),
    ] {
        let (status, code, _) = world.send(method, path, None).await;
        assert_eq!((status, code.as_str()), expected, "{path}");
    }
    world.stop().await;
}
