//! Caches that are bounded by bytes.

use std::hash::Hash;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

/// A cache with this size in bytes, for values of about `small` bytes for small ones and at most `large`.
///
/// It remembers the keys of values that it gave up, half as many as small values would fit: one of these that
/// is asked for again is kept, so that small values supersede large ones that nobody asks for any more
/// (measured in `docs/decisions/0005-pieces-and-checksums.md`). A shard has room for four of the largest
/// values.
pub fn cache_of_bytes<K, V, W>(bytes: u64, small: u64, large: u64, weighter: W) -> Cache<K, V, W>
where
    K: Eq + Hash,
    V: Clone,
    W: Weighter<K, V> + Clone,
{
    let number = |of: u64| usize::try_from(bytes / of).unwrap_or(usize::MAX);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let options = OptionsBuilder::new()
        .weight_capacity(bytes)
        .estimated_items_capacity(number(small))
        .shards(number(4 * large).clamp(1, 4 * cores))
        .build()
        .expect("capacity and estimate are set");
    Cache::with_options(options, weighter, DefaultHashBuilder::default(), DefaultLifecycle::default())
}
