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

#[cfg(test)]
mod tests {
    use norma_settings::{Layers, SettingOrigin};

    use super::*;

    fn refused(settings: &[(&'static str, &str)]) -> Vec<&'static str> {
        let mut layers = Layers::default();
        for (setting, value) in settings {
            layers = layers.set(setting, value, SettingOrigin::Flag).unwrap();
        }
        let settings = layers.settings().unwrap();
        let mut findings = SettingFindings::default();
        check_settings(&settings.store, &settings.search, &mut findings);
        findings.into_vec().into_iter().map(|unusable| unusable.setting).collect()
    }

    #[test]
    fn the_defaults_can_work() {
        assert!(refused(&[]).is_empty());
    }

    #[test]
    fn the_catalogue_is_asked_before_what_is_known_is_stale() {
        assert_eq!(refused(&[("poll-interval", "30s"), ("max-staleness", "30s")]), ["max-staleness"]);
        assert!(refused(&[("poll-interval", "29s"), ("max-staleness", "30s")]).is_empty());
    }

    #[test]
    fn memory_that_the_search_engine_does_not_take_is_refused() {
        for (memory, is_refused) in [("15MiB", true), ("16MiB", false), ("4095MiB", false), ("4096MiB", true)]
        {
            assert_eq!(!refused(&[("search-memory", memory)]).is_empty(), is_refused, "{memory}");
        }
    }
}
