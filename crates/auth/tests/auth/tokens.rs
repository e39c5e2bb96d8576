//! Tests of tokens: a valid one, and many with one error each, rejected for that error.

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use norma_auth::{Algorithm, Profile, Reject, Tenants, Verifier};

use crate::{
    forge::*,
    wrong::{all, with_claims, with_header},
};

#[tokio::test]
async fn every_wrong_token_is_refused_for_the_one_thing_that_is_wrong_with_it() {
    let (verifier, _) = stage(rules());
    verifier.refresh_due(at(0)).await;
    let rows = all();
    assert!(rows.len() >= 120, "{} rows", rows.len());
    let mut failures = Vec::new();
    // The second round meets whatever the first one left in caches; the good token between them shows that
    // all is set up well.
    for round in 1..=2 {
        assert_eq!(name(&verifier.verify(&good(), at(0)).await), "VerifiedToken");
        for (what, token, expected) in &rows {
            let verdict = name(&verifier.verify(token, at(0)).await);
            if verdict != *expected {
                failures.push(format!("round {round}, {what}: {verdict}, not {expected}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), rows.len(), failures.join("\n"));
}

#[test]
fn no_row_is_there_twice() {
    let mut tokens: Vec<_> = all().into_iter().map(|(_, token, _)| token).collect();
    tokens.sort();
    let before = tokens.len();
    tokens.dedup();
    assert_eq!(tokens.len(), before);
}

async fn passes(verifier: &Verifier, token: &str) {
    assert_eq!(name(&verifier.verify(token, at(0)).await), "VerifiedToken");
}

#[tokio::test]
async fn good_tokens_pass_in_each_shape_that_a_provider_may_choose() {
    let (verifier, _) = stage(rules());
    let kv1 = header().text("kid", "kv1").text("x5t", "kv1").to_string();
    let spaced =
        " { \"typ\" : \"JWT\",\n\t\"alg\":\"RS256\", \"kid\":\"k1\", \"nonce\": [1, {\"a\": null}] }\r\n";
    let deep = claims().set("xms_x", r#"{"a":[{"b":[1.5,-2,true,null]}],"a2":{}}"#).to_string();
    let tokens = [
        good(),
        with_header(&header().text("typ", "at+jwt").to_string()),
        with_header(&header().text("typ", "application/at+JWT").to_string()),
        with_header(&header().text("typ", "jwt").to_string()),
        with_header(&header().text("kid", "\\u006b1").to_string()),
        with_header(spaced),
        with_claims(&deep),
        with_claims(&claims().set("aud", &format!("[\"x\",\"{AUDIENCE}\"]")).to_string()),
        with_claims(&claims().text("aud", AUDIENCE_URI).to_string()),
        with_claims(&claims().without("nbf").without("iat").to_string()),
        with_claims(&claims().text("idtyp", "app").to_string()),
        with_claims(&claims().set("exp", &format!("{}.5", NOW + 10)).to_string()),
        with_claims(&claims().set("exp", "2.0e9").to_string()),
        with_claims(&claims().set("exp", &(NOW - 59).to_string()).to_string()),
        with_claims(&claims().set("exp", &format!("{}.001", NOW - 60)).to_string()),
        with_claims(&claims().set("nbf", &(NOW + 60).to_string()).to_string()),
        with_claims(&claims().set("roles", &format!("[\"Other\",\"{ROLE}\"]")).to_string()),
        K2.token(&kv1, &claims_v1().to_string()),
        K2.token(&kv1, &claims_v1().text("aud", &format!("{AUDIENCE_URI}/")).to_string()),
        K2.token(&kv1, &claims_v1().text("aud", AUDIENCE).to_string()),
    ];
    for token in tokens {
        passes(&verifier, &token).await;
    }
}

#[tokio::test]
async fn a_token_of_exactly_the_largest_size_passes() {
    let mut rules = rules();
    let token = good();
    rules.max_token = token.len();
    passes(&stage(rules.clone()).0, &token).await;
    rules.max_token -= 1;
    assert_eq!(name(&stage(rules).0.verify(&token, at(0)).await), "Length");
}

#[tokio::test]
async fn a_caller_is_what_the_token_says() {
    let (verifier, _) = stage(rules());
    let claims = claims().text("azp", &CLIENT.to_uppercase()).set("roles", &format!("[\"{ROLE}\",\"B\"]"));
    let caller = verifier.verify(&with_claims(&claims.to_string()), at(0)).await.unwrap();
    assert_eq!(caller.tenant, tenant_id(TENANT_A));
    assert_eq!(caller.client, CLIENT, "a GUID is one in any case");
    assert_eq!(caller.roles, [ROLE, "B"]);
    assert_eq!(caller.expires, at(3600));
}

#[tokio::test]
async fn ps256_and_es256_pass_where_they_are_configured_and_stay_bound_to_their_keys() {
    let mut rules = rules();
    rules.algorithms = vec![Algorithm::Rs256, Algorithm::Ps256, Algorithm::Es256];
    let (verifier, provider) = stage(rules);
    let bound = K2.jwk("only-ps").text("alg", "PS256");
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), EC.jwk("ec"), bound]));
    let signed = |alg: &str, kid: &str| {
        format!(
            "{}.{}",
            b64(header().text("alg", alg).text("kid", kid).to_string()),
            b64(claims().to_string())
        )
    };
    let rs = |key: &Rsa, text: String| format!("{text}.{}", key.sign(&text));
    let ps = |key: &Rsa, text: String| format!("{text}.{}", key.sign_pss(&text));
    let es = |text: String| format!("{text}.{}", EC.sign(&text));
    let rows = [
        (rs(&K1, signed("RS256", "k1")), "VerifiedToken"),
        (ps(&K1, signed("PS256", "k1")), "VerifiedToken"),
        (es(signed("ES256", "ec")), "VerifiedToken"),
        (ps(&K2, signed("PS256", "only-ps")), "VerifiedToken"),
        (rs(&K2, signed("RS256", "only-ps")), "KeyAlgorithm"),
        (rs(&K1, signed("PS256", "k1")), "Signature"),
        (ps(&K1, signed("RS256", "k1")), "Signature"),
        (es(signed("ES256", "k1")), "KeyAlgorithm"),
        (es(signed("RS256", "ec")), "KeyAlgorithm"),
        (rs(&K1, signed("ES256", "ec")), "Signature"),
        (format!("{}.{}", signed("ES256", "ec"), b64([0; 64])), "Signature"),
    ];
    for (at_row, (token, expected)) in rows.into_iter().enumerate() {
        assert_eq!(name(&verifier.verify(&token, at(0)).await), expected, "row {at_row}");
    }
}

#[tokio::test]
async fn an_ecdsa_signature_in_asn1_is_refused() {
    let mut rules = rules();
    rules.algorithms = vec![Algorithm::Es256];
    let (verifier, provider) = stage(rules);
    provider.publish(&keys_url(TENANT_A), key_set(&[EC.jwk("ec")]));
    let text = format!(
        "{}.{}",
        b64(header().text("alg", "ES256").text("kid", "ec").to_string()),
        b64(claims().to_string())
    );
    passes(&verifier, &format!("{text}.{}", EC.sign(&text))).await;
    let fixed = data_encoding::BASE64URL_NOPAD.decode(EC.sign(&text).as_bytes()).unwrap();
    let integer = |bytes: &[u8]| [&[2, 33, 0], bytes].concat();
    let asn1 = [&[0x30, 70][..], &integer(&fixed[..32]), &integer(&fixed[32..])].concat();
    assert_eq!(name(&verifier.verify(&format!("{text}.{}", b64(asn1)), at(0)).await), "Signature");
}

/// CVE-2022-21449: zeros, and numbers that are zero in the curve's group, satisfy the equation that is
/// checked.
#[tokio::test]
async fn an_ecdsa_signature_of_zeros_is_refused() {
    let mut rules = rules();
    rules.algorithms = vec![Algorithm::Es256];
    let (verifier, provider) = stage(rules);
    provider.publish(&keys_url(TENANT_A), key_set(&[EC.jwk("ec")]));
    let text = format!(
        "{}.{}",
        b64(header().text("alg", "ES256").text("kid", "ec").to_string()),
        b64(claims().to_string())
    );
    let order: Vec<u8> =
        [0xffff_ffff_0000_0000_u64, 0xffff_ffff_ffff_ffff, 0xbce6_faad_a717_9e84, 0xf3b9_cac2_fc63_2551]
            .iter()
            .flat_map(|word| word.to_be_bytes())
            .collect();
    let good = data_encoding::BASE64URL_NOPAD.decode(EC.sign(&text).as_bytes()).unwrap();
    let zero = vec![0; 32];
    for (r, s) in [
        (&zero, &zero),
        (&order, &zero),
        (&zero, &order),
        (&order, &order),
        (&good[..32].to_vec(), &zero),
        (&zero, &good[32..].to_vec()),
    ] {
        let token = format!("{text}.{}", b64([&r[..], s].concat()));
        assert_eq!(name(&verifier.verify(&token, at(0)).await), "Signature", "r {r:?}, s {s:?}");
    }
}

#[tokio::test]
async fn another_provider_may_differ_in_type_tenant_client_and_role_claims_where_its_profile_says_so() {
    let (verifier, provider) = stage(rules());
    let mut profile = Profile::other("https://op.test", Some("https://op.test/jwks")).unwrap();
    provider.publish("https://op.test/jwks", key_set(&[K1.jwk("op")]));
    let strict = profile.clone();
    profile.tenant_claim = None;
    profile.types = vec!["at+jwt".into()];
    profile.type_optional = true;
    profile.role_claim = "https://op.test/permissions".into();
    let header = header().text("kid", "op").text("typ", "at+jwt");
    let claims = claims()
        .text("iss", "https://op.test")
        .without("tid")
        .without("nbf")
        .without("azp")
        .text("client_id", "batch");
    let with_roles =
        claims.clone().without("roles").set("https://op.test/permissions", &format!("[\"{ROLE}\"]"));
    let token = K1.token(&header.to_string(), &with_roles.to_string());
    let register = |profile| {
        let mut tenant = tenant(TENANT_A);
        tenant.profiles = vec![profile];
        verifier.replace_tenants(Tenants::new([tenant]).unwrap());
    };
    register(strict);
    assert_eq!(name(&verifier.verify(&token, at(0)).await), "Tenant");
    register(profile);
    assert_eq!(verifier.verify(&token, at(0)).await.unwrap().client, "batch");
    passes(&verifier, &K1.token(&header.clone().without("typ").to_string(), &with_roles.to_string())).await;
    let rows = [
        (K1.token(&header.clone().text("typ", "JWT").to_string(), &with_roles.to_string()), "Type"),
        (K1.token(&header.to_string(), &claims.to_string()), "RoleMissing"),
        (K1.token(&header.to_string(), &with_roles.clone().without("client_id").to_string()), "Client"),
    ];
    for (token, expected) in rows {
        assert_eq!(name(&verifier.verify(&token, at(0)).await), expected);
    }
}

#[tokio::test]
async fn delegated_tokens_pass_only_where_that_is_configured() {
    let token = with_claims(&claims().text("scp", "Content.Read").to_string());
    let mut rules = rules();
    rules.app_only = None;
    passes(&stage(rules).0, &token).await;
}

#[tokio::test]
async fn a_remembered_token_expires_at_its_second() {
    let (verifier, _) = stage(rules());
    let token = with_claims(&claims().set("exp", &(NOW + 100).to_string()).to_string());
    for (second, expected) in [
        (0, "VerifiedToken"),
        (100, "VerifiedToken"),
        (159, "VerifiedToken"),
        (160, "Expired"),
        (100, "VerifiedToken"),
    ] {
        assert_eq!(name(&verifier.verify(&token, at(second)).await), expected, "at {second} s");
    }
    assert_eq!(name(&verifier.verify(&token, at(-71)).await), "NotYet", "nor is it good before its time");
}

#[tokio::test]
async fn remembered_tokens_stay_within_their_memory() {
    let mut rules = rules();
    rules.cache_bytes = 64 * 1024;
    let (verifier, _) = stage(rules);
    let mut callers = Vec::new();
    for number in 0..300 {
        let token = with_claims(&claims().text("uti", &number.to_string()).to_string());
        callers.push(caller_of(&verifier, &token, 0).await);
    }
    let count = callers.iter().filter(|caller| caller.upgrade().is_some()).count();
    assert!((1..=170).contains(&count), "{count}");
}

#[tokio::test]
async fn without_memory_each_token_is_verified_anew() {
    let mut rules = rules();
    rules.cache_bytes = 0;
    let (verifier, _) = stage(rules);
    for _ in 0..2 {
        assert!(caller_of(&verifier, &good(), 0).await.upgrade().is_none());
    }
}

/// Everything that is logged, as text.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn neither_the_log_nor_a_refusal_shows_any_part_of_a_token() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::TRACE);
    let subscriber = subscriber.with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (verifier, provider) = stage(rules());
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K1.jwk("enc").text("use", "enc")]));
    let mut said = Vec::new();
    for (_, token, _) in all().iter().filter(|(_, token, _)| token.len() > 100) {
        if let Err(reject) = verifier.verify(token, at(0)).await {
            said.push(format!(
                "{reject} {}",
                if matches!(reject, Reject::RoleMissing(_)) { String::new() } else { format!("{reject:?}") }
            ));
        }
    }
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("key skipped"), "the log is listened to");
    let said = said.join("\n") + &log;
    for (what, token, _) in all() {
        for part in token.split('.').filter(|part| part.len() >= 20) {
            assert!(!said.contains(&part[..20]), "{what}");
        }
    }
}
