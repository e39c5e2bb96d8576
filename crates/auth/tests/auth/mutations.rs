//! Mutations: a valid token with any change, by any rule, is rejected.

use std::sync::LazyLock;

use crate::forge::*;
use norma_auth::{Rules, Verifier, bearer, inspect};
use proptest::{prelude::*, sample::Index};

static STAGE: LazyLock<(Verifier, String, tokio::runtime::Runtime, Rules)> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (verifier, _) = stage(rules());
    let good = good();
    runtime.block_on(verifier.refresh_due(at(0)));
    assert_eq!(name(&runtime.block_on(verifier.verify(&good, at(0)))), "VerifiedToken");
    (verifier, good, runtime, rules())
});

fn passes(token: &str) -> bool {
    STAGE.2.block_on(STAGE.0.verify(token, at(0))).is_ok()
}

#[derive(Debug, Clone)]
enum Change {
    Replace(Index, char),
    Insert(Index, char),
    Remove(Index),
    Swap(Index, Index),
    Cut(Index),
    Repeat(Index, Index),
}

fn change() -> impl Strategy<Value = Change> {
    let letter = || prop_oneof![4 => prop::char::range('-', 'z'), 1 => any::<char>()];
    prop_oneof![
        (any::<Index>(), letter()).prop_map(|(at, c)| Change::Replace(at, c)),
        (any::<Index>(), letter()).prop_map(|(at, c)| Change::Insert(at, c)),
        any::<Index>().prop_map(Change::Remove),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Change::Swap(a, b)),
        any::<Index>().prop_map(Change::Cut),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Change::Repeat(a, b)),
    ]
}

fn apply(token: &mut Vec<char>, change: &Change) {
    let length = token.len();
    if length == 0 {
        return;
    }
    match change {
        Change::Replace(at, letter) => token[at.index(length)] = *letter,
        Change::Insert(at, letter) => token.insert(at.index(length + 1), *letter),
        Change::Remove(at) => drop(token.remove(at.index(length))),
        Change::Swap(a, b) => token.swap(a.index(length), b.index(length)),
        Change::Cut(at) => token.truncate(at.index(length)),
        Change::Repeat(a, b) => {
            let (from, to) = (a.index(length).min(b.index(length)), a.index(length).max(b.index(length)));
            let piece = token[from..to].to_vec();
            token.splice(to..to, piece);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_token_never_passes(changes in prop::collection::vec(change(), 1..4)) {
        let mut letters: Vec<char> = STAGE.1.chars().collect();
        changes.iter().for_each(|change| apply(&mut letters, change));
        let token: String = letters.into_iter().collect();
        prop_assert_eq!(passes(&token), token == STAGE.1);
    }

    #[test]
    fn nothing_that_was_not_signed_passes_and_nothing_panics(text in "\\PC*", bytes in bytes()) {
        prop_assert!(!passes(&text));
        prop_assert!(inspect(&text, &STAGE.3).is_err());
        let _ = bearer([&bytes[..]]);
    }

    #[test]
    fn json_of_any_shape_is_read_or_refused(header in json(), claims in json(), signature in bytes()) {
        let token = format!("{}.{}.{}", b64(header), b64(claims), b64(signature));
        let _ = inspect(&token, &STAGE.3);
        prop_assert!(!passes(&token));
    }

    #[test]
    fn what_is_wrong_before_the_key_is_wrong_for_everyone(header in json(), claims in json()) {
        let token = K1.token(&header, &claims);
        if inspect(&token, &STAGE.3).is_err() {
            prop_assert!(!passes(&token));
        }
    }
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..300)
}

/// Objects made from the names and values with a meaning, in any combination.
fn json() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "alg",
        "kid",
        "typ",
        "crit",
        "iss",
        "aud",
        "exp",
        "nbf",
        "tid",
        "roles",
        "azp",
        "x",
        "\\u0061lg",
    ]);
    let value = prop_oneof![
        Just("null".to_owned()),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_map(|n| format!("{n:e}")),
        "[ -~]{0,8}".prop_map(|text| format!("{text:?}")),
        Just("\"RS256\"".to_owned()),
        Just("\"k1\"".to_owned()),
        Just("\"JWT\"".to_owned()),
        Just(format!("\"{}\"", issuer(TENANT_A))),
        Just(format!("[\"{ROLE}\"]")),
        Just("{\"a\":[{}]}".to_owned()),
    ];
    prop::collection::vec((name, value), 0..8).prop_map(|members| {
        let members: Vec<String> =
            members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    })
}
