//! Expiry of certificates of TLS, certificates of providers' keys, grants, and the key that signs asset URLs;
//! and whether the certificate of the API is for its address.

use std::path::Path;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use norma_auth::Examination;
use norma_settings::Settings;
use norma_store::{Day, Grant, Policy};
use rustls::client::verify_server_name;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::server::ParsedCertificate;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;

use super::{Finding, problem, well};
use crate::fixed_limits::MAX_SIGNING_KEY_AGE;
use crate::http;

/// Checks the certificate of the API, and the root certificates of `auth-ca`.
pub(super) fn certificates(settings: &Settings, now: Timestamp) -> Vec<Finding> {
    let notice = settings.doctor.expiry_notice.std();
    let mut findings = Vec::new();
    let (tls, ca) = (&settings.http.tls_cert, &settings.identity.auth_ca);
    // Files that cannot be read are findings of the check of settings.
    if Path::new(tls).is_file() && Path::new(&settings.http.tls_key).is_file() {
        if let Err(error) = http::check_certificate(&settings.http) {
            let fix = "let `tls-cert` name a PEM file with the certificate and those of its issuers, and `tls-key` one with the \
                       private key of the certificate";
            findings.push(problem("certificate", error, fix));
        }
        let fix = "renew it, and write it with the certificates of its issuers to the file: it is read again without a restart";
        findings.extend(in_file("tls-cert", tls, fix, (notice, now)));
        findings.extend(other_name(settings));
    }
    if Path::new(ca).is_file() {
        let fix = "add the root certificate that follows it to the file, and restart";
        findings.extend(in_file("auth-ca", ca, fix, (notice, now)));
    }
    if findings.is_empty() && [tls, ca].iter().all(|path| path.is_empty() || Path::new(path).is_file()) {
        let said = match (tls.is_empty(), ca.is_empty()) {
            (true, true) => "none are set: the API is plain HTTP",
            _ => "those of `tls-cert` and `auth-ca` are valid for longer than `expiry-notice`",
        };
        findings.push(well("certificate", said));
    }
    findings
}

/// The problem of a certificate of the API that callers refuse, since it is not for the host that they call.
/// Behind a proxy they see the proxy's.
fn other_name(settings: &Settings) -> Option<Finding> {
    let http = &settings.http;
    if !http.trusted_proxies.is_empty() {
        return None;
    }
    let url = url::Url::parse(&http.public_url).ok()?;
    let host = url.host_str()?.trim_matches(['[', ']']);
    // An unreadable file is another finding.
    let certificate = CertificateDer::pem_file_iter(&http.tls_cert).ok()?.next()?.ok()?;
    let certificate = ParsedCertificate::try_from(&certificate).ok()?;
    let error = verify_server_name(&certificate, &ServerName::try_from(host).ok()?).err()?;
    let said = format!("`tls-cert`: {}: callers of `public-url`, {url}, refuse it: {error}", http.tls_cert);
    let fix = format!(
        "let `tls-cert` name a certificate for {host}, or `public-url` a host that the certificate is for; where a proxy answers \
         callers with a certificate of its own, name the proxy in `trusted-proxies`"
    );
    Some(problem("certificate", said, fix))
}

/// The certificates of a PEM file that are not valid, or expire soon.
fn in_file(setting: &str, path: &str, fix: &str, when: (Duration, Timestamp)) -> Vec<Finding> {
    let whole = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let certificates = match whole {
        Ok(certificates) => certificates,
        Err(error) => {
            let said = format!("`{setting}`: {path} is not a PEM file of certificates: {error}");
            return vec![problem("certificate", said, "write the certificates in PEM")];
        }
    };
    let mut findings = Vec::new();
    for der in &certificates {
        if let Some(why) = invalidity(der, when) {
            findings.push(problem("certificate", format!("`{setting}`: {path}: {why}"), fix));
        }
    }
    findings
}

/// The reason why a certificate (DER) is not valid now, or not for the whole notice period.
fn invalidity(der: &[u8], (notice, now): (Duration, Timestamp)) -> Option<String> {
    let (_, certificate) = match X509Certificate::from_der(der) {
        Ok(parsed) => parsed,
        Err(error) => return Some(format!("a certificate cannot be parsed: {error}")),
    };
    let from = certificate.validity().not_before.timestamp();
    let until = certificate.validity().not_after.timestamp();
    let subject = certificate.subject();
    if now.as_second() < from {
        Some(format!("the certificate of {subject} is not valid before {}", day_of_seconds(from)))
    } else if now.as_second() > until {
        Some(format!("the certificate of {subject} expired on {}", day_of_seconds(until)))
    } else if until - now.as_second() < i64::try_from(notice.as_secs()).unwrap_or(i64::MAX) {
        Some(format!("the certificate of {subject} expires on {}", day_of_seconds(until)))
    } else {
        None
    }
}

/// The keys of a provider with certificates that expire. A token is verified by the key alone; the end says
/// when the provider will use another key.
pub(super) fn keys(settings: &Settings, examination: &Examination, now: Timestamp) -> Vec<Finding> {
    let when = (settings.doctor.expiry_notice.std(), now);
    let fix = "ask the provider's operator to publish the next key before: Norma fetches it by itself";
    let issuer = &examination.issuer;
    let mut findings = Vec::new();
    for (kid, der) in &examination.certificates {
        if let Some(why) = invalidity(der, when) {
            findings.push(problem("keys", format!("{issuer}: key `{kid}`: {why}"), fix));
        }
    }
    findings
}

/// Grants that end within the notice period without another one that continues them; and whether any is in
/// force.
pub(super) fn grants(settings: &Settings, policy: &Policy, now: Timestamp) -> Vec<Finding> {
    let today = day_of(now);
    let notice =
        i64::try_from(settings.doctor.expiry_notice.std().as_secs() / (24 * 3600)).unwrap_or(i64::MAX);
    let Ok(last) = today.checked_add(notice.days()) else { return Vec::new() };
    let mut findings = Vec::new();
    for (id, grant) in &policy.grants {
        let Some(until) = grant.until.as_ref().and_then(date) else { continue };
        if !(today..=last).contains(&until) {
            continue;
        }
        if policy.grants.iter().any(|(other, next)| other != id && continues(next, grant, until)) {
            continue;
        }
        let client = match &grant.client {
            Some(client) => format!(", client {client}"),
            None => String::new(),
        };
        let said = format!("grant {id} of tenant {}{client} ends on {until}", grant.tenant);
        let fix = format!(
            "extend it with `norma grant add {} … --until DATE` and the scope that `norma grant list` shows, or let it end",
            grant.tenant
        );
        findings.push(problem("grants", said, fix));
    }
    if !policy.grants.is_empty() && !policy.grants.iter().any(|(_, grant)| is_in_force(grant, today)) {
        let fix = "see `norma grant list`; give standards with `norma grant add`";
        findings.push(problem("grants", "no grant is in force today: nobody may read anything", fix));
    }
    findings
}

/// True for a grant that has begun and has not ended.
fn is_in_force(grant: &Grant, today: Date) -> bool {
    if let Some(from) = grant.from.as_ref().and_then(date)
        && from > today
    {
        return false;
    }
    match grant.until.as_ref().and_then(date) {
        Some(until) => until >= today,
        None => true,
    }
}

/// Checks whether the key that signs asset URLs is to be replaced.
pub(super) fn signing_key(policy: &Policy, now: Timestamp) -> Finding {
    let made = policy.signing_keys.first().and_then(|key| Timestamp::try_from(key.made).ok());
    let Some(made) = made else {
        return well("signing-key", "there is none: the first start of `norma serve` makes it");
    };
    let said = format!("the key of asset URLs was made on {}", day_of(made));
    if Duration::try_from(now.duration_since(made)).is_ok_and(|age| age > MAX_SIGNING_KEY_AGE) {
        let days = MAX_SIGNING_KEY_AGE.as_secs() / (24 * 3600);
        let said = format!("{said}, more than {days} days ago");
        return problem(
            "signing-key",
            said,
            "run `norma store rotate-key`: URLs that are in use work until they expire",
        );
    }
    well("signing-key", said)
}

/// True for a grant that gives at least the rights of another one, without a day between them.
fn continues(next: &Grant, grant: &Grant, until: Date) -> bool {
    if next.tenant != grant.tenant || next.scope != grant.scope || next.level < grant.level {
        return false;
    }
    // A grant without client is for all clients of the tenant.
    if next.client.is_some() && next.client != grant.client {
        return false;
    }
    if let Some(end) = next.until.as_ref().and_then(date)
        && end <= until
    {
        return false;
    }
    match next.from.as_ref().and_then(date) {
        Some(from) => from <= until.saturating_add(1.day()),
        None => true,
    }
}

fn date(day: &Day) -> Option<Date> {
    day.as_str().parse().ok()
}

/// The day of a time in seconds since 1970, or why there is none.
fn day_of_seconds(seconds: i64) -> String {
    match Timestamp::from_second(seconds) {
        Ok(time) => day_of(time).to_string(),
        Err(error) => error.to_string(),
    }
}

fn day_of(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::Router;
    use axum::routing::get;
    use data_encoding::{BASE64, BASE64URL_NOPAD};
    use norma_auth::{Algorithm, Https, Profile, Rules, examine};
    use norma_store::{GrantScope, Level, SigningKey};
    use rcgen::{CertificateParams, KeyPair};

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    /// A key as a provider publishes it, with a certificate that is valid for this number of days.
    fn published(kid: &str, days: u32) -> serde_json::Value {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::new(["id.test".to_owned()]).unwrap();
        parameters.not_after =
            (std::time::SystemTime::from(Timestamp::UNIX_EPOCH) + 40_000 * DAY + days * DAY).into();
        let certificate = parameters.self_signed(&key).unwrap();
        // An uncompressed point: 4, x, y (SEC 1, section 2.3.3).
        let (x, y) = key.public_key_raw()[1..].split_at(32);
        serde_json::json!({
            "kty": "EC", "crv": "P-256", "use": "sig", "kid": kid, "x": BASE64URL_NOPAD.encode(x),
            "y": BASE64URL_NOPAD.encode(y), "x5c": [BASE64.encode(certificate.der())],
        })
    }

    #[test]
    fn a_signing_key_is_reported_when_it_is_older_than_the_limit() {
        let made = Timestamp::UNIX_EPOCH + 40_000 * DAY;
        let key = |made: Timestamp| SigningKey { secret: [1; 32], made: made.into(), replaced: None };
        let of = |keys: Vec<SigningKey>, now| {
            signing_key(&Policy { signing_keys: keys, ..Policy::default() }, now)
        };
        assert_eq!(of(Vec::new(), made).fix, None);
        assert_eq!(of(vec![key(made)], made + 400 * DAY).fix, None);
        assert_eq!(of(vec![key(made)], made - 400 * DAY).fix, None, "another clock made it");
        // The current key comes first.
        assert_eq!(of(vec![key(made + DAY), key(made)], made + 401 * DAY).fix, None);
        let Finding { check, said, fix } = of(vec![key(made)], made + 400 * DAY + Duration::from_secs(1));
        assert_eq!(check, "signing-key");
        assert!(said.ends_with("made on 2079-07-08, more than 400 days ago"), "{said}");
        assert!(fix.unwrap().contains("norma store rotate-key"));
    }

    fn grant(from: &str, until: &str) -> Grant {
        let day = |text: &str| if text.is_empty() { None } else { Some(text.parse().unwrap()) };
        let scope = GrantScope::Urns("*".parse().unwrap());
        Grant {
            tenant: "t".into(),
            client: None,
            scope,
            level: Level::Read,
            from: day(from),
            until: day(until),
        }
    }

    /// What is said of these grants on 1 June 2026.
    fn said(grants: Vec<Grant>) -> Vec<String> {
        let policy = Policy { grants: (1..).zip(grants).collect(), ..Policy::default() };
        let now = "2026-06-01T12:00:00Z".parse().unwrap();
        let findings = super::grants(&Settings::defaults(), &policy, now);
        findings.into_iter().map(|finding| finding.said).collect()
    }

    #[test]
    fn a_grant_that_ends_soon_is_reported_unless_another_one_continues_it() {
        let ends = ["grant 1 of tenant t ends on 2026-06-20"];
        assert_eq!(said(vec![grant("", "2026-06-20")]), ends);
        assert_eq!(said(vec![grant("", "2026-06-20"), grant("2026-06-22", "")]), ends, "a day is between");
        assert_eq!(said(vec![grant("", "2026-06-20"), grant("2026-06-21", "")]), [""; 0]);
        let mut lower = grant("", "");
        lower.level = Level::Discover;
        assert_eq!(said(vec![grant("", "2026-06-20"), lower]), ends, "it gives less");
        let mut of_client = grant("", "");
        of_client.client = Some("c".into());
        assert_eq!(said(vec![grant("", "2026-06-20"), of_client]), ends, "it is for one client");
        assert_eq!(said(vec![grant("", "2026-07-20")]), [""; 0], "it ends after the notice period");
    }

    #[test]
    fn grants_of_which_none_is_in_force_are_reported() {
        let none = ["no grant is in force today: nobody may read anything"];
        assert_eq!(said(vec![grant("2026-06-02", "")]), none);
        assert_eq!(said(vec![grant("", "2026-05-31")]), none);
        assert_eq!(said(vec![grant("2026-06-01", "")]), [""; 0]);
        assert_eq!(said(Vec::new()), [""; 0]);
    }

    #[tokio::test]
    async fn keys_of_a_provider_are_reported_when_their_certificates_end_soon() {
        let set = serde_json::json!({ "keys": [published("soon", 29), published("later", 31)] }).to_string();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/keys", listener.local_addr().unwrap());
        let app = Router::new().route("/keys", get(async move || set));
        tokio::spawn(async move { axum::serve(listener, app).await });

        let mut rules = Rules::new(["api://norma"], "Content.Read");
        rules.algorithms = vec![Algorithm::Es256];
        let profile = Profile::other("https://id.test", Some(&url)).unwrap();
        let fetch = Arc::new(Https::new(&rules, None).unwrap());
        let examination = examine(&"acme".parse().unwrap(), &profile, &rules, &*fetch).await;
        assert_eq!((examination.keys.len(), &examination.error), (2, &None));
        let now = Timestamp::UNIX_EPOCH + 40_000 * DAY;
        let findings = keys(&Settings::defaults(), &examination, now);
        assert_eq!(findings.len(), 1, "{findings:?}");
        let Finding { check, said, fix } = &findings[0];
        assert_eq!(*check, "keys");
        assert!(said.starts_with("https://id.test: key `soon`: the certificate of CN="), "{said}");
        assert!(
            said.ends_with("expires on 2079-08-06") && fix.as_ref().unwrap().contains("next key"),
            "{said}"
        );
    }
}
