//! Bound of the memory of an instance, from its settings.

use norma_settings::Settings;

/// Bytes of memory that an instance uses beyond what settings bound: for the program, its connections and
/// each request while it is read, 8 MiB for verified tokens, and 160 MiB for merges of the search index
/// (`bench/run search`).
const UNBOUND_BY_SETTINGS: u64 = 288 << 20;

/// Most bytes of memory that an instance uses, with the parts of the sum.
pub fn memory_bound(settings: &Settings) -> (u64, String) {
    let bounds = [
        ("cache-size", settings.store.cache_size),
        ("response-cache", settings.store.response_cache),
        ("max-bytes-in-flight", settings.limits.max_bytes_in_flight),
        ("comparison-memory", settings.limits.comparison_memory),
        ("search-memory", settings.search.search_memory),
    ];
    let sum: u64 = bounds.iter().map(|(_, size)| size.bytes()).sum();
    let mib = |bytes: u64| bytes >> 20;
    let named = bounds.map(|(name, size)| format!("{name} {} MiB", mib(size.bytes()))).join(", ");
    let all = sum.saturating_add(UNBOUND_BY_SETTINGS);
    (
        all,
        format!(
            "{} MiB: {named}, and {} MiB more; it grows by 50 MB for each 100,000 editions, and by a sixth of \
             the search index",
            mib(all),
            mib(UNBOUND_BY_SETTINGS)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_of_memory_names_its_parts() {
        let (bytes, text) = memory_bound(&Settings::defaults());
        assert_eq!(bytes, (256 + 64 + 64 + 128 + 64 + 288) << 20);
        assert_eq!(
            text,
            "864 MiB: cache-size 256 MiB, response-cache 64 MiB, max-bytes-in-flight 64 MiB, comparison-memory \
             128 MiB, search-memory 64 MiB, and 288 MiB more; it grows by 50 MB for each 100,000 editions, and by \
             a sixth of the search index"
        );
    }
}
