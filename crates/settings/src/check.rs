//! Checks of settings: a value that cannot work is an error before anything starts.

use crate::Settings;

/// Fewest bytes in flight: a client may have a quarter of them, enough for one piece of a blob.
const LEAST_IN_FLIGHT: u64 = 4 * norma_store::BlobReader::PIECE;

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("`{setting}`: {why}")]
pub struct UnusableSetting {
    /// The setting.
    pub setting: &'static str,
    /// The error, with what to do.
    pub why: String,
}

/// Least memory of the thread that writes the search index: the engine takes no less than 15 MB.
const LEAST_SEARCH_MEMORY: u64 = 16 << 20;

/// Most memory of that thread: the engine takes less than 4 GiB.
const MOST_SEARCH_MEMORY: u64 = 4_095 << 20;

/// Finds the first setting that cannot work.
pub(super) fn check(settings: &Settings) -> Result<(), UnusableSetting> {
    zeros(settings)?;
    let Settings { http, store, search, identity, limits, ingest: _, log: _, traces, doctor: _ } = settings;
    let rules = [
        (
            "tls-key",
            http.tls_cert.is_empty() == http.tls_key.is_empty(),
            "set tls-cert and tls-key both, or none",
        ),
        (
            "public-url",
            http.public_url.is_empty() || is_base(&http.public_url),
            "write http:// or https://, a host that callers can reach, and no query: https://norma.example",
        ),
        (
            "max-staleness",
            store.poll_interval < store.max_staleness,
            "must be longer than poll-interval, or what is known is stale before it is asked for again",
        ),
        (
            "auth-url",
            norma_auth::check_provider_url(&identity.auth_url).is_ok(),
            "write https:// and the provider's host, without user, password and fragment; http:// only for a provider on this \
             machine: who reads or changes its answers decides which tokens are accepted",
        ),
        (
            "rate-burst",
            limits.rate_limit == 0 || limits.rate_limit <= limits.rate_burst,
            "must be at least rate-limit: so many requests come back in a second",
        ),
        (
            "max-bytes-in-flight",
            limits.max_bytes_in_flight.bytes() >= LEAST_IN_FLIGHT,
            "write 1MiB or more: a quarter of it holds one piece of a stored file",
        ),
        (
            "search-memory",
            (LEAST_SEARCH_MEMORY..=MOST_SEARCH_MEMORY).contains(&search.search_memory.bytes()),
            "write 16MiB to 4095MiB",
        ),
        (
            "traces-endpoint",
            traces.traces_endpoint.is_empty() || is_collector(&traces.traces_endpoint),
            "write http:// or https://, a host and a path, without user and password (traces-headers has credentials): \
             http://127.0.0.1:4318/v1/traces",
        ),
        (
            "traces-headers",
            traces.headers().is_some(),
            "write the name and the value of a header field for each, as in Authorization=Bearer%20…",
        ),
        ("traces-sample-ratio", (0.0..=1.0).contains(&traces.traces_sample_ratio), "write 0 to 1"),
    ];
    match rules.into_iter().find(|(_, holds, _)| !holds) {
        Some((setting, _, why)) => Err(UnusableSetting { setting, why: why.to_owned() }),
        None => Ok(()),
    }
}

/// Settings for which 0 would mean that nothing is ever accepted, awaited or answered.
fn zeros(settings: &Settings) -> Result<(), UnusableSetting> {
    let Settings { http, store, search: _, identity: _, limits, ingest, log, traces: _, doctor } = settings;
    let times = [
        ("header-timeout", http.header_timeout),
        ("idle-timeout", http.idle_timeout),
        ("write-timeout", http.write_timeout),
        ("request-timeout", http.request_timeout),
        ("store-timeout", store.store_timeout),
        ("object-timeout", store.object_timeout),
        ("poll-interval", store.poll_interval),
        ("audit-keep", log.audit_keep),
        ("max-backup-age", doctor.max_backup_age),
    ];
    let sizes = [
        ("comparison-memory", limits.comparison_memory),
        ("max-document-size", ingest.max_document_size),
        ("max-file-size", ingest.max_file_size),
        ("max-package-size", ingest.max_package_size),
        ("audit-file-size", log.audit_file_size),
    ];
    let counts = [
        ("max-connections", http.max_connections as u64),
        ("max-connections-per-address", http.max_connections_per_address as u64),
        ("store-connections", store.store_connections.into()),
        ("max-requests-per-client", limits.max_requests_per_client.into()),
        ("max-compared-provisions", limits.max_compared_provisions as u64),
        ("max-package-files", ingest.max_package_files as u64),
    ];
    let times = times.into_iter().map(|(setting, time)| (setting, time.std().is_zero()));
    let sizes = sizes.into_iter().map(|(setting, size)| (setting, size.bytes() == 0));
    let counts = counts.into_iter().map(|(setting, count)| (setting, count == 0));
    match times.chain(sizes).chain(counts).find(|(_, zero)| *zero) {
        Some((setting, _)) => Err(UnusableSetting { setting, why: "must be more than 0".to_owned() }),
        None => Ok(()),
    }
}

/// Whether links can begin with this.
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

/// Whether spans can be sent to this.
fn is_collector(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
    })
}

#[cfg(test)]
mod tests {
    use crate::{Layers, SettingOrigin};

    /// The refusal of settings typed on the command line.
    fn refusal(typed: &[(&str, &str)]) -> String {
        let layers = typed
            .iter()
            .try_fold(Layers::default(), |layers, (key, value)| layers.set(key, value, SettingOrigin::Flag));
        layers.and_then(|layers| layers.settings()).map(|_| ()).map_err(|e| e.to_string()).unwrap_err()
    }

    #[test]
    fn what_cannot_work_or_would_be_cut_is_refused_by_its_name_and_origin() {
        for (key, value) in [
            ("header-timeout", "0s"),
            ("max-connections", "0"),
            ("max-connections", "-1"),
            ("max-connections", "99999999999999999999"),
            ("idle-timeout", "9999999999h"),
            ("rate-burst", "199"),
            ("max-bytes-in-flight", "1023KiB"),
            ("search-memory", "0B"),
            ("search-memory", "15MiB"),
            ("search-memory", "4GiB"),
            ("max-staleness", "250ms"),
            ("tls-key", "key.pem"),
            ("public-url", "norma.example"),
            ("public-url", "http://0.0.0.0:8480"),
            ("public-url", "https://norma.example/?a=b"),
            ("traces-endpoint", "127.0.0.1:4318"),
            ("traces-endpoint", "https://norma:hush@collector/v1/traces"),
            ("traces-headers", "hush"),
            ("traces-headers", "a=b,two words=hush"),
            ("traces-sample-ratio", "1.1"),
            ("traces-sample-ratio", "NaN"),
            ("traces-sample-ratio", "some"),
        ] {
            let text = refusal(&[(key, value)]);
            assert!(text.starts_with(&format!("command line: `{key}`: ")), "{value}: {text}");
            assert!(!text.contains("hush"), "{text}");
        }
    }
}
