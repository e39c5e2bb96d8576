//! Checks of settings: a value that cannot work is an error before anything starts.

use norma_store::{MAX_ASSET_URL_LIFETIME, MAX_PAGE_ROWS};

use crate::Settings;

/// Largest head of a request: the limits that use it have 32 bits, and each connection may hold one.
const LARGEST_HEAD: u64 = 16 << 20;

/// Fewest bytes in flight: a client may have a quarter of them, enough for one piece of a blob.
const LEAST_IN_FLIGHT: u64 = 4 * norma_store::BlobReader::PIECE;

/// Most values of a query: each adds up to four levels to its SQL, and each word one; SQLite allows 1,000.
const MOST_VALUES: usize = 200;

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("`{setting}`: {why}")]
pub struct UnusableSetting {
    /// The setting.
    pub setting: &'static str,
    /// The error, with what to do.
    pub why: String,
}

/// Least memory of a thread that writes the search index: the engine takes no less than 15 MB.
const LEAST_SEARCH_MEMORY: u64 = 16 << 20;

/// Most memory of such a thread: the engine takes less than 4 GiB.
const MOST_SEARCH_MEMORY: u64 = 4_095 << 20;

/// Finds the first setting that cannot work.
pub(super) fn check(settings: &Settings) -> Result<(), UnusableSetting> {
    zeros(settings)?;
    let Settings { http, store, search, identity, limits, ingest, log: _, traces, doctor: _ } = settings;
    let asset_url = limits.asset_url_lifetime.std();
    let rules = [
        (
            "tls-key",
            http.tls_cert.is_empty() == http.tls_key.is_empty(),
            "set tls-cert and tls-key both, or none",
        ),
        ("max-header-size", http.max_header_size.bytes() <= LARGEST_HEAD, "at most 16MiB"),
        ("max-uri-size", http.max_uri_size.bytes() <= LARGEST_HEAD, "at most 16MiB"),
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
            "key-lifetime",
            identity.key_refresh <= identity.key_lifetime,
            "must be at least key-refresh, or keys are dropped before they are fetched again",
        ),
        (
            "rate-burst",
            limits.rate_limit == 0 || limits.rate_limit <= limits.rate_burst,
            "must be at least rate-limit: so many requests come back in a second",
        ),
        ("max-page-size", (1..=MAX_PAGE_ROWS).contains(&limits.max_page_size), "write 1 to 500"),
        ("page-size", limits.page_size <= limits.max_page_size, "must be at most max-page-size"),
        ("max-query-values", (1..=MOST_VALUES).contains(&limits.max_query_values), "write 1 to 200"),
        ("max-query-words", (1..=MOST_VALUES).contains(&limits.max_query_words), "write 1 to 200"),
        (
            "asset-url-lifetime",
            (asset_url.subsec_nanos(), asset_url.is_zero()) == (0, false)
                && asset_url <= MAX_ASSET_URL_LIFETIME,
            "write whole seconds, 1s to 15m",
        ),
        (
            "max-bytes-in-flight",
            limits.max_bytes_in_flight.bytes() >= LEAST_IN_FLIGHT,
            "write 1MiB or more: a quarter of it holds one piece of a stored file",
        ),
        ("search-threads", (1..=8).contains(&search.search_threads), "write 1 to 8"),
        (
            "search-memory",
            (LEAST_SEARCH_MEMORY..=MOST_SEARCH_MEMORY)
                .contains(&(search.search_memory.bytes() / (search.search_threads as u64).max(1))),
            "write 16MiB to 4095MiB for each of search-threads",
        ),
        ("gzip-level", ingest.gzip_level <= 9, "write 0 to 9"),
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
    let Settings { http, store, search, identity, limits, ingest, log, traces, doctor } = settings;
    let times = [
        ("tls-interval", http.tls_interval),
        ("header-timeout", http.header_timeout),
        ("idle-timeout", http.idle_timeout),
        ("write-timeout", http.write_timeout),
        ("request-timeout", http.request_timeout),
        ("store-timeout", store.store_timeout),
        ("statement-timeout", store.statement_timeout),
        ("object-timeout", store.object_timeout),
        ("comparison-timeout", limits.comparison_timeout),
        ("poll-interval", store.poll_interval),
        ("key-refresh", identity.key_refresh),
        ("key-fetch-timeout", identity.key_fetch_timeout),
        ("audit-keep", log.audit_keep),
        ("traces-timeout", traces.traces_timeout),
        ("max-backup-age", doctor.max_backup_age),
        ("max-signing-key-age", doctor.max_signing_key_age),
    ];
    let sizes = [
        ("max-header-size", http.max_header_size),
        ("max-uri-size", http.max_uri_size),
        ("max-body-size", http.max_body_size),
        ("comparison-memory", limits.comparison_memory),
        ("max-token-size", identity.max_token_size),
        ("key-set-size", identity.key_set_size),
        ("max-document-size", ingest.max_document_size),
        ("max-file-size", ingest.max_file_size),
        ("max-package-size", ingest.max_package_size),
        ("batch-size", ingest.batch_size),
        ("audit-file-size", log.audit_file_size),
    ];
    let counts = [
        ("max-connections", http.max_connections as u64),
        ("max-connections-per-address", http.max_connections_per_address as u64),
        ("max-ops-connections", http.max_ops_connections as u64),
        ("max-streams", http.max_streams.into()),
        ("store-connections", store.store_connections.into()),
        ("max-requests-per-client", limits.max_requests_per_client.into()),
        ("page-size", limits.page_size.into()),
        ("max-migrated-ids", limits.max_migrated_ids as u64),
        ("max-compared-provisions", limits.max_compared_provisions as u64),
        ("max-comparisons", limits.max_comparisons as u64),
        ("max-asset-references", limits.max_asset_references as u64),
        ("max-package-files", ingest.max_package_files as u64),
        ("max-depth", ingest.max_depth.into()),
        ("max-nodes", ingest.max_nodes.into()),
        ("batch-documents", ingest.batch_documents as u64),
        ("search-matches", search.search_matches),
        ("traces-queue", traces.traces_queue as u64),
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
            ("max-body-size", "0B"),
            ("max-streams", "4294967296"),
            ("max-connections", "-1"),
            ("max-connections", "99999999999999999999"),
            ("max-body-size", "16777216TiB"),
            ("max-body-size", "1.5KiB"),
            ("max-header-size", "1GiB"),
            ("idle-timeout", "9999999999h"),
            ("asset-url-lifetime", "16m"),
            ("asset-url-lifetime", "0s"),
            ("asset-url-lifetime", "1500ms"),
            ("rate-burst", "199"),
            ("max-query-values", "201"),
            ("max-query-words", "0"),
            ("page-size", "501"),
            ("max-page-size", "501"),
            ("max-page-size", "0"),
            ("max-bytes-in-flight", "1023KiB"),
            ("search-threads", "0"),
            ("search-threads", "9"),
            ("search-threads", "18446744073709551615"),
            ("search-memory", "0B"),
            ("search-memory", "15MiB"),
            ("search-memory", "4GiB"),
            ("search-matches", "0"),
            ("gzip-level", "10"),
            ("max-staleness", "250ms"),
            ("key-lifetime", "30m"),
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
            ("traces-queue", "0"),
            ("traces-timeout", "0s"),
        ] {
            let text = refusal(&[(key, value)]);
            assert!(text.starts_with(&format!("command line: `{key}`: ")), "{value}: {text}");
            assert!(!text.contains("hush"), "{text}");
        }
    }
}
