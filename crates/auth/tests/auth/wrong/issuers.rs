//! Tokens of unregistered issuers, and of confused tenants.

use super::*;

pub(super) fn rows() -> Vec<Wrong> {
    let ours = issuer(TENANT_A);
    let row =
        |json: &str, rule| (format!("iss {json}"), with_claims(&claims().set("iss", json).to_string()), rule);
    let mut rows = vec![
        ("no iss".into(), with_claims(&claims().without("iss").to_string()), "IssuerType"),
        ("empty claims".into(), with_claims("{}"), "IssuerType"),
        row("null", "IssuerType"),
        row("1", "IssuerType"),
        row(&format!("[\"{ours}\"]"), "IssuerType"),
        row(&format!("{{\"iss\":\"{ours}\"}}"), "IssuerType"),
    ];
    let texts = [
        String::new(),
        format!("{ours}/"),
        format!(" {ours}"),
        format!("{ours} "),
        format!("{ours}\\u0000"),
        format!("{ours}?x"),
        format!("{ours}#x"),
        ours.to_uppercase(),
        ours.replace("v2.0", "v1.0"),
        ours.replace("https", "http"),
        ours.replace(".test", ".test:443"),
        ours.replace("login", "user@login"),
        ours.replace("login.test", "login.test.evil.test"),
        ours.replace("login", "l\u{43e}gin"),
        ours.replace("/v2.0", "/x/../v2.0"),
        ours.replace('1', "%31"),
        ours.replace(TENANT_A, "common"),
        ours.replace(TENANT_A, "{tenantid}"),
        ours.replace(TENANT_A, &TENANT_A.to_uppercase()),
        issuer(TENANT_X),
        "https://evil.test/keys".into(),
        "http://169.254.169.254/latest".into(),
        STS.replace("{tenantid}", TENANT_A).trim_end_matches('/').into(),
    ];
    rows.extend(texts.map(|text| row(&format!("\"{text}\""), "IssuerUnknown")));
    rows
}

pub(super) fn crossed() -> Vec<Wrong> {
    let b = claims().text("iss", &issuer(TENANT_B)).text("tid", TENANT_B).to_string();
    let v1 = claims_v1().to_string();
    let kv1 = header().text("kid", "kv1").to_string();
    let row = |what: &str, token: String, rule| (what.to_owned(), token, rule);
    vec![
        row("B's issuer, A's key", with_claims(&b), "KeyUnknown"),
        row(
            "B's issuer, A's key, shared kid",
            K1.token(&header().text("kid", "both").to_string(), &b),
            "Signature",
        ),
        row(
            "B's issuer and key, A's tid",
            K3.token(
                &header().text("kid", "kb").to_string(),
                &claims().text("iss", &issuer(TENANT_B)).to_string(),
            ),
            "Tenant",
        ),
        row("v1 issuer, v2 key", with_claims(&v1), "KeyUnknown"),
        row("v2 issuer, v1 key", K2.token(&kv1, &claims().to_string()), "KeyUnknown"),
        row(
            "v1 with v2's client claim",
            K2.token(&kv1, &claims_v1().without("appid").text("azp", CLIENT).to_string()),
            "Client",
        ),
        row(
            "v1 of another tenant",
            K2.token(&kv1, &claims_v1().text("iss", &STS.replace("{tenantid}", TENANT_X)).to_string()),
            "IssuerUnknown",
        ),
        row(
            "v1 for a longer audience",
            K2.token(&kv1, &claims_v1().text("aud", "api://norma.test//").to_string()),
            "Audience",
        ),
        row(
            "v1 for the client id and a slash",
            K2.token(&kv1, &claims_v1().text("aud", &format!("{AUDIENCE}/")).to_string()),
            "Audience",
        ),
    ]
}
