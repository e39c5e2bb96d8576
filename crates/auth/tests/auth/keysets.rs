//! Tests of key sets, valid and invalid: only an invalid key is skipped.

use std::sync::Arc;

use data_encoding::BASE64;

use crate::forge::*;
use norma_auth::{Algorithm, Examination, Profile, Rules, examine};

async fn look(document: &str, rules: &Rules) -> Examination {
    let provider = Arc::new(Provider::default());
    provider.publish(&keys_url(TENANT_A), document);
    let id = tenant_id(TENANT_A);
    examine(&id, &Profile::v2(HOST, &id).unwrap(), rules, &Shared(provider)).await
}

/// The reason why a key is skipped while the valid one next to it is used.
async fn skipped(key: &str, rules: &Rules) -> String {
    let document = format!("{{\"keys\":[{key},{}]}}", K1.jwk("good"));
    let examination = look(&document, rules).await;
    assert_eq!(examination.keys, ["good"], "{key}");
    assert_eq!(examination.error, None, "{key}");
    assert_eq!((examination.skipped.len(), examination.skipped[0].index), (1, 0), "{key}");
    examination.skipped[0].reason.to_owned()
}

#[tokio::test]
async fn each_bad_key_is_left_out_alone_with_its_reason() {
    let rules = rules();
    let key = K2.jwk("bad");
    let (n, e) = K2.components();
    let number = |bytes: &[u8]| b64(bytes);
    let mut even = n.clone();
    *even.last_mut().unwrap() ^= 1;
    let rows = [
        (key.clone().without("kid").to_string(), "kid"),
        (key.clone().set("kid", "\"\"").to_string(), "kid"),
        (key.clone().set("kid", "7").to_string(), "kid"),
        (key.clone().text("kid", &"k".repeat(257)).to_string(), "kid"),
        (key.clone().text("use", "enc").to_string(), "use"),
        (key.clone().set("use", "null").to_string(), "use"),
        (key.clone().set("key_ops", r#"["encrypt"]"#).to_string(), "key_ops"),
        (key.clone().set("key_ops", r#""verify""#).to_string(), "key_ops"),
        (key.clone().text("d", "AQAB").to_string(), "private"),
        (key.clone().without("kty").to_string(), "kty"),
        (key.clone().text("kty", "rsa").to_string(), "kty"),
        (key.clone().text("kty", "oct").text("k", "AAAA").to_string(), "kty"),
        (key.clone().text("kty", "OKP").text("crv", "Ed25519").to_string(), "kty"),
        (key.clone().text("kty", "EC").text("crv", "P-384").to_string(), "crv"),
        (EC.jwk("bad").to_string(), "algorithm"),
        (key.clone().text("alg", "RS512").to_string(), "algorithm"),
        (key.clone().text("alg", "PS256").to_string(), "algorithm"),
        (key.clone().text("alg", "HS256").to_string(), "algorithm"),
        (key.clone().set("alg", "null").to_string(), "algorithm"),
        (key.clone().without("n").to_string(), "`n`"),
        (key.clone().set("n", "5").to_string(), "`n`"),
        (key.clone().text("n", &format!("{}=", number(&n))).to_string(), "`n`"),
        (key.clone().text("n", &number(&n[..128])).to_string(), "2048"),
        (key.clone().text("n", &number(&n[1..])).to_string(), "2048"),
        (key.clone().text("n", "").to_string(), "2048"),
        (key.clone().text("n", &number(&[1; 1025])).to_string(), "8192"),
        (key.clone().text("n", &number(&even)).to_string(), "unsafe"),
        (key.clone().without("e").to_string(), "`e`"),
        (key.clone().text("e", "").to_string(), "unsafe"),
        (key.clone().text("e", "AQ").to_string(), "unsafe"),
        (key.clone().text("e", "Aw").to_string(), "unsafe"),
        (key.clone().text("e", &number(&[1, 0, 0])).to_string(), "unsafe"),
        (key.clone().text("e", &number(&[1; 9])).to_string(), "unsafe"),
        (key.clone().text("issuer", &issuer(TENANT_B)).to_string(), "issuer"),
        (key.clone().text("issuer", "https://login.test/{tenantid}/v1.0").to_string(), "issuer"),
        (key.clone().set("issuer", "[]").to_string(), "issuer"),
        (key.clone().also("n", &format!("\"{}\"", number(&n))).to_string(), "kid"),
        ("null".into(), "kid"),
        ("[]".into(), "kid"),
        ("\"key\"".into(), "kid"),
        ("{}".into(), "kid"),
    ];
    for (key, expected) in rows {
        let reason = skipped(&key, &rules).await;
        assert!(reason.contains(expected), "{key}: {reason}");
    }
    assert_eq!(e, [1, 0, 1], "the good key has the usual exponent");
}

#[tokio::test]
async fn a_point_that_is_not_on_the_curve_is_left_out() {
    let mut rules = rules();
    rules.algorithms.push(Algorithm::Es256);
    let short = EC.jwk("bad").text("x", "AAAA");
    let off = EC.jwk("bad").text("x", &b64([1; 32])).text("y", &b64([1; 32]));
    let half = EC.jwk("bad").without("y");
    for key in [short, off, half] {
        assert!(skipped(&key.to_string(), &rules).await.contains("P-256"));
    }
    let examination = look(&key_set(&[EC.jwk("ec"), K1.jwk("rsa")]), &rules).await;
    assert_eq!((examination.keys, examination.skipped), (vec!["ec".to_owned(), "rsa".into()], vec![]));
}

#[tokio::test]
async fn keys_as_real_providers_write_them_are_used() {
    let (n, _) = K1.components();
    let keys = [
        K1.jwk("plain"),
        K1.jwk("with certificate").text("x5t", "abc").set("x5c", r#"["MIIC"]"#),
        K1.jwk("own issuer").text("issuer", &issuer(TENANT_A)),
        K1.jwk("template").text("issuer", "https://login.test/{tenantid}/v2.0"),
        K1.jwk("no use").without("use"),
        K1.jwk("alg").text("alg", "RS256"),
        K1.jwk("ops").set("key_ops", r#"["verify"]"#),
        K1.jwk("zeros in front").text("n", &b64([&[0], &n[..]].concat())),
    ];
    let examination = look(&key_set(&keys), &rules()).await;
    assert_eq!(examination.skipped, []);
    assert_eq!(examination.keys.len(), keys.len());
    assert_eq!(examination.problems(), Vec::<String>::new());
    let certificate = BASE64.decode(b"MIIC").unwrap();
    assert_eq!(examination.certificates, [("with certificate".to_owned(), certificate)]);
}

#[tokio::test]
async fn a_kid_names_one_key_or_none() {
    let twice = look(&key_set(&[K1.jwk("a"), K1.jwk("a"), K2.jwk("b")]), &rules()).await;
    assert_eq!(
        (twice.keys, twice.skipped),
        (vec!["a".to_owned(), "b".into()], vec![]),
        "the same key twice is accepted"
    );
    let two = look(&key_set(&[K1.jwk("a"), K2.jwk("a"), K1.jwk("a"), K3.jwk("b")]), &rules()).await;
    assert_eq!(two.keys, ["b"]);
    assert!(two.skipped[0].reason.contains("another key"), "{:?}", two.skipped);
    let mixed = look(&key_set(&[K2.jwk("a").text("use", "enc"), K1.jwk("a")]), &rules()).await;
    assert_eq!(mixed.keys, ["a"], "a key that is not for signatures is ignored");
}

#[tokio::test]
async fn a_key_set_is_read_whole_however_many_keys_it_has() {
    let keys: Vec<Members> = (0..450).map(|number| K1.jwk(&format!("k{number}"))).collect();
    let examination = look(&key_set(&keys), &rules()).await;
    assert_eq!((examination.keys.len(), examination.skipped), (450, vec![]));
}

#[tokio::test]
async fn what_is_no_key_set_is_a_fault_that_names_the_url() {
    for document in
        ["", "<html>", "[]", "null", "{}", r#"{"keys":null}"#, r#"{"keys":[],"keys":[]}"#, r#"{"keys":[]}{}"#]
    {
        let examination = look(document, &rules()).await;
        let problems = examination.problems();
        assert!(problems.len() == 1 && problems[0].contains(&keys_url(TENANT_A)), "{document}: {problems:?}");
    }
}

#[tokio::test]
async fn problems_name_skipped_keys_an_empty_set_and_a_wrong_clock() {
    let mut examination = look(&key_set(&[K1.jwk("bad").text("use", "enc")]), &rules()).await;
    examination.date = Some(at(-300));
    let problems = examination.problems();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].contains("no usable key"));
    assert!(problems[1].contains("`bad`") && problems[1].contains("use"));
    assert!(examination.clock_problem(at(0)).unwrap().contains("by 300 s"));
    assert_eq!(examination.clock_problem(at(-300)), None);
}

#[tokio::test]
async fn a_discovery_document_is_believed_only_about_its_own_issuer() {
    let id = tenant_id(TENANT_A);
    let ours = issuer(TENANT_A);
    let url = format!("{ours}/.well-known/openid-configuration");
    let profile = Profile::other(&ours, None).unwrap();
    let rows = [
        (format!(r#"{{"issuer":"{ours}","jwks_uri":"https://keys.test/a","x":1}}"#), None),
        (r#"{"issuer":"https://login.test/{tenantid}/v2.0","jwks_uri":"https://keys.test/a"}"#.into(), None),
        (r#"{"issuer":"https://evil.test","jwks_uri":"https://keys.test/a"}"#.into(), Some("evil.test")),
        (format!(r#"{{"issuer":"{ours}"}}"#), Some("jwks_uri")),
        (format!(r#"{{"issuer":"{ours}","jwks_uri":"http://keys.test/a"}}"#), Some("https")),
        (format!(r#"{{"issuer":"{ours}","jwks_uri":"http://127.0.0.1/a"}}"#), Some("this machine")),
        (format!(r#"{{"issuer":"{ours}","jwks_uri":"file:///etc/passwd"}}"#), Some("https")),
        ("{".into(), Some("not a discovery document")),
    ];
    for (document, error) in rows {
        let provider = Arc::new(Provider::default());
        provider.publish(&url, document.clone());
        provider.publish("https://keys.test/a", key_set(&[K1.jwk("k1")]));
        let examination = examine(&id, &profile, &rules(), &Shared(provider)).await;
        match error {
            None => {
                assert_eq!((examination.keys, examination.error), (vec!["k1".to_owned()], None), "{document}")
            }
            Some(part) => {
                assert!(
                    examination.error.as_ref().unwrap().to_string().contains(part),
                    "{document}: {examination:?}"
                )
            }
        }
    }
}

#[tokio::test]
async fn a_profile_may_narrow_the_algorithms_but_not_widen_them() {
    let mut rules = rules();
    rules.algorithms = vec![Algorithm::Rs256, Algorithm::Ps256];
    let (verifier, _) = stage(rules);
    let mut narrow = tenant(TENANT_A);
    narrow.profiles[0].algorithms = Some(vec![Algorithm::Ps256, Algorithm::Es256]);
    verifier.replace_tenants(norma_auth::Tenants::new([narrow]).unwrap());
    let signed =
        |alg: &str| format!("{}.{}", b64(header().text("alg", alg).to_string()), b64(claims().to_string()));
    let (rs, ps, es) = (signed("RS256"), signed("PS256"), signed("ES256"));
    let rows = [
        (format!("{rs}.{}", K1.sign(&rs)), "Algorithm"),
        (format!("{ps}.{}", K1.sign_pss(&ps)), "VerifiedToken"),
        (format!("{es}.{}", EC.sign(&es)), "Algorithm"),
    ];
    for (token, expected) in rows {
        assert_eq!(name(&verifier.verify(&token, at(0)).await), expected);
    }
}
