//! Check of the settings of a service: its own, and those of the crates below that it uses.

use norma_settings::{SettingFindings, Settings};

/// Notes settings of a service that cannot work.
pub fn check_settings(settings: &Settings, findings: &mut SettingFindings) {
    let Settings { http, store, search, identity, limits, ingest: _, log, traces, doctor } = settings;
    norma_editions::check_settings(store, search, findings);
    norma_reads::check_settings(limits, findings);
    norma_audit::check_settings(log, findings);
    norma_traces::check_settings(traces, findings);

    findings.expect_more_than_zero("header-timeout", http.header_timeout.is_zero());
    findings.expect_more_than_zero("idle-timeout", http.idle_timeout.is_zero());
    findings.expect_more_than_zero("write-timeout", http.write_timeout.is_zero());
    findings.expect_more_than_zero("request-timeout", http.request_timeout.is_zero());
    findings.expect_more_than_zero("max-connections", http.max_connections == 0);
    findings.expect_more_than_zero("max-connections-per-address", http.max_connections_per_address == 0);
    findings.expect_more_than_zero("max-requests-per-client", limits.max_requests_per_client == 0);
    findings.expect_more_than_zero("max-backup-age", doctor.max_backup_age.is_zero());
    findings.expect(
        "tls-key",
        http.tls_cert.is_empty() == http.tls_key.is_empty(),
        "set tls-cert and tls-key both, or none",
    );
    findings.expect(
        "public-url",
        http.public_url.is_empty() || is_base(&http.public_url),
        "write http:// or https://, a host that callers can reach, and no query: https://norma.example",
    );
    findings.expect(
        "auth-url",
        norma_auth::check_provider_url(&identity.auth_url).is_ok(),
        "write https:// and the provider's host, without user, password and fragment; http:// only for a provider on this \
         machine: who reads or changes its answers decides which tokens are accepted",
    );
    findings.expect(
        "rate-burst",
        limits.rate_limit == 0 || limits.rate_limit <= limits.rate_burst,
        "must be at least rate-limit: so many requests come back in a second",
    );
}

/// True for a URL that links can begin with.
fn is_base(text: &str) -> bool {
    let Ok(url) = url::Url::parse(text) else { return false };
    let reachable = match url.host() {
        Some(url::Host::Domain(_)) => true,
        Some(url::Host::Ipv4(address)) => !address.is_unspecified(),
        Some(url::Host::Ipv6(address)) => !address.is_unspecified(),
        None => false,
    };
    reachable && matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none()
}
