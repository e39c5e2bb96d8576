//! Claims of the wrong type or value.

use super::*;

pub(super) fn rows() -> Vec<Wrong> {
    let mut rows: Vec<Wrong> = Vec::new();
    for name in ["tid", "aud", "exp"] {
        let rule = match name {
            "tid" => "Tenant",
            "aud" => "AudienceType",
            _ => "Date",
        };
        rows.push((format!("no {name}"), with_claims(&claims().without(name).to_string()), rule));
    }
    let upper = format!("\"{}\"", TENANT_A.to_uppercase());
    let listed = format!("[\"{TENANT_A}\"]");
    let braced = format!("\"{{{TENANT_A}}}\"");
    let spaced = format!("\"{TENANT_A} \"");
    let other = format!("\"{TENANT_B}\"");
    let aud = |text: &str| format!("\"{text}\"");
    let (past, future) = ((NOW - 60).to_string(), (NOW + 61).to_string());
    let (fraction, milliseconds) = (format!("{}.999", NOW - 61), format!("{}000", NOW + 60));
    let in_text = format!("\"{}\"", NOW + 3600);
    let in_array = format!("[{}]", NOW + 3600);
    let table: Vec<(&str, String, &'static str)> = vec![
        ("tid", "null".into(), "Tenant"),
        ("tid", "1".into(), "Tenant"),
        ("tid", "\"\"".into(), "Tenant"),
        ("tid", upper, "Tenant"),
        ("tid", listed, "Tenant"),
        ("tid", braced, "Tenant"),
        ("tid", spaced, "Tenant"),
        ("tid", other, "Tenant"),
        ("aud", "null".into(), "AudienceType"),
        ("aud", "1".into(), "AudienceType"),
        ("aud", "true".into(), "AudienceType"),
        ("aud", format!("{{\"aud\":\"{AUDIENCE}\"}}"), "AudienceType"),
        ("aud", format!("[\"{AUDIENCE}\",1]"), "AudienceType"),
        ("aud", format!("[\"{AUDIENCE}\",null]"), "AudienceType"),
        ("aud", format!("[[\"{AUDIENCE}\"]]"), "AudienceType"),
        ("aud", "[]".into(), "Audience"),
        ("aud", aud(""), "Audience"),
        ("aud", "[\"\"]".into(), "Audience"),
        ("aud", aud("*"), "Audience"),
        ("aud", aud("api://other.test"), "Audience"),
        ("aud", aud(CLIENT), "Audience"),
        ("aud", aud(&AUDIENCE.to_uppercase()), "Audience"),
        ("aud", aud(&AUDIENCE[1..]), "Audience"),
        ("aud", aud(&format!("{AUDIENCE} ")), "Audience"),
        ("aud", aud(&format!("{AUDIENCE},{AUDIENCE_URI}")), "Audience"),
        ("aud", aud(&format!("{AUDIENCE_URI}/")), "Audience"),
        ("aud", aud(&format!("{AUDIENCE_URI}/.default")), "Audience"),
        ("aud", aud("00000003-0000-0000-c000-000000000000"), "Audience"),
        ("exp", "null".into(), "Date"),
        ("exp", in_text.clone(), "Date"),
        ("exp", in_array.clone(), "Date"),
        ("exp", "true".into(), "Date"),
        ("exp", "{}".into(), "Date"),
        ("exp", "-1".into(), "Date"),
        ("exp", "1e300".into(), "Date"),
        ("exp", "18446744073709551615".into(), "Date"),
        ("exp", milliseconds.clone(), "Date"),
        ("exp", "\"2099-01-01T00:00:00Z\"".into(), "Date"),
        ("exp", "0".into(), "Expired"),
        ("exp", "-0".into(), "Expired"),
        ("exp", "1".into(), "Expired"),
        ("exp", past, "Expired"),
        ("exp", fraction, "Expired"),
        ("nbf", future, "NotYet"),
        ("nbf", format!("{}.001", NOW + 60), "NotYet"),
        ("nbf", "null".into(), "Date"),
        ("nbf", in_text.clone(), "Date"),
        ("nbf", in_array, "Date"),
        ("nbf", "-1".into(), "Date"),
        ("nbf", milliseconds, "Date"),
        ("iat", "null".into(), "Date"),
        ("iat", in_text, "Date"),
        ("iat", "-1".into(), "Date"),
        ("scp", "\"Content.Read\"".into(), "Delegated"),
        ("scp", "\"\"".into(), "Delegated"),
        ("scp", "null".into(), "Delegated"),
        ("idtyp", "\"user\"".into(), "Delegated"),
        ("idtyp", "null".into(), "Delegated"),
        ("roles", "null".into(), "RoleType"),
        ("roles", format!("\"{ROLE}\""), "RoleType"),
        ("roles", format!("\"x {ROLE} y\""), "RoleType"),
        ("roles", "1".into(), "RoleType"),
        ("roles", format!("{{\"{ROLE}\":true}}"), "RoleType"),
        ("roles", format!("[\"{ROLE}\",1]"), "RoleType"),
        ("roles", format!("[[\"{ROLE}\"]]"), "RoleType"),
        ("roles", "[]".into(), "RoleMissing"),
        ("roles", "[\"\"]".into(), "RoleMissing"),
        ("roles", "[\"Content.Read\"]".into(), "RoleMissing"),
        ("roles", format!("[\"{ROLE}.More\"]"), "RoleMissing"),
        ("roles", format!("[\"{}\"]", ROLE.to_lowercase()), "RoleMissing"),
        ("roles", format!("[\"{ROLE} \"]"), "RoleMissing"),
        ("roles", "[\"Content.Re\u{430}d.All\"]".into(), "RoleMissing"),
        ("roles", "[\"*\"]".into(), "RoleMissing"),
        ("azp", "null".into(), "Client"),
        ("azp", "1".into(), "Client"),
        ("azp", "\"\"".into(), "Client"),
        ("azp", "\" \"".into(), "Client"),
        ("azp", format!("[\"{CLIENT}\"]"), "Client"),
    ];
    rows.extend(table.into_iter().map(|(name, json, rule)| {
        (format!("{name} {json}"), with_claims(&claims().set(name, &json).to_string()), rule)
    }));
    let missing = |name| with_claims(&claims().without(name).to_string());
    rows.push(("no roles".into(), missing("roles"), "RoleMissing"));
    rows.push(("no client".into(), missing("azp"), "Client"));
    rows.push((
        "only the wrong client claim".into(),
        with_claims(&claims().without("azp").text("appid", CLIENT).to_string()),
        "Client",
    ));
    rows
}
