//! The claims as JSON.

use super::*;

pub(super) fn rows() -> Vec<Wrong> {
    let row = |what: &str, text: &str| (format!("claims: {what}"), with_claims(text), "Claims");
    let repeat =
        |name: &str, json: &str| row(&format!("repeated {name}"), &claims().also(name, json).to_string());
    let mut rows = vec![
        row("no JSON", "iss=me"),
        row("array", &format!("[{}]", claims())),
        row("string", "\"claims\""),
        row("null", "null"),
        row("a token in the token", &good()),
        row("two objects", &format!("{0}{0}", claims())),
        row("garbage after", &format!("{}\0", claims())),
        row("byte order mark", &format!("\u{feff}{}", claims())),
        row("NaN", &claims().set("exp", "NaN").to_string()),
        row("Infinity", &claims().set("exp", "Infinity").to_string()),
        row("1e400", &claims().set("exp", "1e400").to_string()),
        row("hexadecimal", &claims().set("exp", "0x7fffffff").to_string()),
        row("leading zero", &claims().set("exp", "0123456789").to_string()),
        row("nested too deep", &claims().set("x", "[[[[[[[[1]]]]]]]]").to_string()),
        row("very deep", &claims().set("x", &"[".repeat(5000)).to_string()),
        row("repeated nested member", &claims().set("x", r#"{"a":{"b":1,"c":2,"\u0062":3}}"#).to_string()),
        repeat("iss", &format!("\"{}\"", issuer(TENANT_A))),
        repeat("iss", &format!("\"{}\"", issuer(TENANT_B))),
        repeat("\\u0069ss", &format!("\"{}\"", issuer(TENANT_A))),
        repeat("aud", &format!("\"{AUDIENCE}\"")),
        repeat("exp", "9999999999"),
        repeat("e\\u0078p", "9999999999"),
        repeat("roles", "[\"Admin\"]"),
        repeat("tid", &format!("\"{TENANT_B}\"")),
        repeat("uti", "1"),
    ];
    let signed = format!("{}.{}", b64(header().to_string()), b64(b"{\"iss\":\"\xc3\x28\"}"));
    rows.push(("claims: invalid UTF-8".into(), format!("{signed}.{}", K1.sign(&signed)), "Claims"));
    rows
}
