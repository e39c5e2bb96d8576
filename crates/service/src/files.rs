//! Open files: their limit, raised to the system's, and the share of it for connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the number of files that this process may open to the hard limit of the system (`RLIMIT_NOFILE`),
/// and returns it. `None` where the system has no such limit.
fn raise() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => maximum,
        Err(error) => {
            tracing::warn!(%error, ?current, "the limit of open files could not be raised");
            current
        }
    }
}

/// Number of connections that may be open, at most `wanted` and at most half of the files: the store, the
/// operator and the log use the other half.
pub(crate) fn connections(wanted: usize) -> usize {
    let most = raise().map_or(usize::MAX, |files| usize::try_from(files / 2).unwrap_or(usize::MAX));
    if most < wanted {
        tracing::warn!(
            most,
            wanted,
            "fewer connections are taken than max-connections: they are at most half of the files that this process may \
             open; raise its hard limit (ulimit -Hn, LimitNOFILE=)"
        );
    }
    wanted.min(most)
}
