//! Check of the settings of the store and of the search in it.

use norma_settings::{SearchSettings, SettingFindings, StoreSettings};

/// Least memory of the thread that writes the search index: the engine takes no less than 15 MB.
const LEAST_SEARCH_MEMORY: u64 = 16 << 20;

/// Most memory of that thread: the engine takes less than 4 GiB.
const MOST_SEARCH_MEMORY: u64 = 4_095 << 20;

/// Notes settings of the store and of the search that cannot work.
pub fn check_settings(store: &StoreSettings, search: &SearchSettings, findings: &mut SettingFindings) {
    findings.expect_more_than_zero("store-connections", store.store_connections == 0);
    findings.expect_more_than_zero("store-timeout", store.store_timeout.is_zero());
    findings.expect_more_than_zero("object-timeout", store.object_timeout.is_zero());
    findings.expect_more_than_zero("poll-interval", store.poll_interval.is_zero());
    findings.expect(
        "max-staleness",
        store.poll_interval < store.max_staleness,
        "must be longer than poll-interval, or what is known is stale before it is asked for again",
    );
    findings.expect(
        "search-memory",
        (LEAST_SEARCH_MEMORY..=MOST_SEARCH_MEMORY).contains(&search.search_memory.bytes()),
        "write 16MiB to 4095MiB",
    );
}
