//! Open files: their limit, raised to what the system allows, and the share of it that connections may use.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the number of files that this process may open to what the system allows it (`RLIMIT_NOFILE`, its
/// soft limit to the hard one), and gives that number; `None` where the system has no such limit.
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

/// How many connections may be open of `wanted`: at most half of the files, so that the other half is there
/// for the store, the operator and the log.
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
