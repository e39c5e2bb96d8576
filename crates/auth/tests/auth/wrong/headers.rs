//! The JOSE header: its JSON, and each member that matters.

use aws_lc_rs::hmac;

use super::*;

pub(super) fn rows() -> Vec<Wrong> {
    let mut rows: Vec<Wrong> = Vec::new();
    let texts = [
        ("no JSON", "alg=RS256"),
        ("array", r#"["RS256"]"#),
        ("string", r#""RS256""#),
        ("null", "null"),
        ("number", "256"),
        ("two objects", r#"{"alg":"RS256","kid":"k1","typ":"JWT"}{}"#),
        ("comma at the end", r#"{"alg":"RS256","kid":"k1","typ":"JWT",}"#),
        ("single quotes", "{'alg':'RS256','kid':'k1','typ':'JWT'}"),
        ("comment", r#"{"alg":"RS256",/**/"kid":"k1","typ":"JWT"}"#),
        ("byte order mark", "\u{feff}{\"alg\":\"RS256\",\"kid\":\"k1\",\"typ\":\"JWT\"}"),
        ("lone surrogate", r#"{"alg":"RS256","kid":"k1","typ":"JWT","x":"\ud800"}"#),
        ("raw control character", "{\"alg\":\"RS256\",\"kid\":\"k1\",\"typ\":\"JWT\",\"x\":\"\u{1}\"}"),
        ("nested too deep", r#"{"alg":"RS256","kid":"k1","typ":"JWT","x":[[[[[[[[]]]]]]]]}"#),
        ("repeated nested member", r#"{"alg":"RS256","kid":"k1","typ":"JWT","x":[{"y":1,"y":1}]}"#),
    ];
    rows.extend(texts.map(|(what, text)| (format!("header: {what}"), with_header(text), "Header")));
    for (name, json) in [
        ("alg", r#""none""#),
        ("alg", r#""RS256""#),
        ("\\u0061lg", r#""RS256""#),
        ("kid", r#""k1""#),
        ("x\",\"x", "1,\"x\":1"),
    ] {
        let text = header().also(name, json).to_string();
        rows.push((format!("header: repeated {name}"), with_header(&text), "Header"));
    }
    let signed = format!(
        "{}.{}",
        b64([&b"{\"alg\":\"RS256\",\"kid\":\"\xff\""[..], b",\"typ\":\"JWT\"}"].concat()),
        b64(claims().to_string())
    );
    rows.push(("header: invalid UTF-8".into(), format!("{signed}.{}", K1.sign(&signed)), "Header"));

    rows.push(("no alg".into(), with_header(&header().without("alg").to_string()), "Algorithm"));
    let algorithms = [
        "null",
        "256",
        "[\"RS256\"]",
        "{\"RS256\":1}",
        "true",
        "\"\"",
        "\"none\"",
        "\"None\"",
        "\"NONE\"",
        "\"nOnE\"",
        "\"rs256\"",
        "\"RS256 \"",
        "\" RS256\"",
        "\"RS256\\u0000\"",
        "\"RS256,none\"",
        "\"HS256\"",
        "\"HS384\"",
        "\"HS512\"",
        "\"RS1\"",
        "\"RS384\"",
        "\"RS512\"",
        "\"PS256\"",
        "\"PS384\"",
        "\"ES256\"",
        "\"ES256K\"",
        "\"EdDSA\"",
        "\"RSA-OAEP\"",
        "\"dir\"",
        "\"R\\u017f256\"",
    ];
    rows.extend(algorithms.map(|json| {
        (format!("alg {json}"), with_header(&header().set("alg", json).to_string()), "Algorithm")
    }));
    for secret in K1.public_forms().into_iter().chain([Vec::new(), b"secret".to_vec()]) {
        let signed =
            format!("{}.{}", b64(header().text("alg", "HS256").to_string()), b64(claims().to_string()));
        let mac = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &secret), signed.as_bytes());
        rows.push((
            format!("HMAC with the public key ({} bytes)", secret.len()),
            format!("{signed}.{}", b64(mac)),
            "Algorithm",
        ));
    }
    let unsecured = header().text("alg", "none").to_string();
    rows.push(("unsecured".into(), format!("{}.{}.", b64(unsecured), b64(claims().to_string())), "Parts"));

    rows.push(("no typ".into(), with_header(&header().without("typ").to_string()), "Type"));
    let types = [
        "null",
        "1",
        "[\"JWT\"]",
        "\"\"",
        "\"JOSE\"",
        "\"JWT \"",
        "\"id+jwt\"",
        "\"dpop+jwt\"",
        "\"logout+jwt\"",
        "\"text/JWT\"",
        "\"application/\"",
    ];
    rows.extend(
        types
            .map(|json| (format!("typ {json}"), with_header(&header().set("typ", json).to_string()), "Type")),
    );

    for (name, json) in
        [("crit", "[]"), ("crit", "[\"exp\"]"), ("crit", "null"), ("b64", "true"), ("b64", "false")]
    {
        rows.push((format!("{name} {json}"), with_header(&header().set(name, json).to_string()), "Critical"));
    }
    let crit = header().set("crit", "[\"b64\"]").set("b64", "false").to_string();
    rows.push(("RFC 7797".into(), with_header(&crit), "Critical"));
    let own = K2.jwk("k1").to_string();
    for (name, json) in [
        ("jwk", own.as_str()),
        ("jku", "\"https://evil.test/keys\""),
        ("x5u", "\"https://evil.test/c\""),
        ("x5c", "[\"MII=\"]"),
    ] {
        let text = header().set(name, json).to_string();
        rows.push((
            format!("{name}, signed with the key it brings"),
            K2.token(&text, &claims().to_string()),
            "EmbeddedKey",
        ));
        rows.push((format!("{name}, signed well"), with_header(&text), "EmbeddedKey"));
    }
    for (name, json) in [("enc", "\"A256GCM\""), ("zip", "\"DEF\"")] {
        rows.push((
            format!("{name} in a header"),
            with_header(&header().set(name, json).to_string()),
            "Encrypted",
        ));
    }

    rows.push(("no kid".into(), with_header(&header().without("kid").to_string()), "KeyId"));
    let long = format!("\"{}\"", "k".repeat(257));
    for json in ["null", "1", "[\"k1\"]", "{}", "\"\"", long.as_str()] {
        rows.push((format!("kid {json}"), with_header(&header().set("kid", json).to_string()), "KeyId"));
    }
    let kids =
        ["k9", "K1", "k1 ", "k1\\u0000", "../../../../dev/null", "' OR 1=1 --", "kb", "kv1", "k\\u0131"];
    rows.extend(kids.map(|kid| {
        (format!("kid {kid}"), with_header(&header().text("kid", kid).to_string()), "KeyUnknown")
    }));
    rows
}
