//! Limits of a service that no setting changes, each with its reason.

use std::time::Duration;

use norma_auth::KeyRules;
use norma_reads::ReadLimits;
use norma_traces::TraceLimits;

/// Largest fields of a request, in bytes; beyond it 431. Proxies in front of a service allow less: nginx
/// 32 KiB, Envoy 60 KiB.
pub(crate) const MAX_HEADER_SIZE: usize = 64 << 10;

/// Longest path and query, in bytes; beyond it 414. RFC 9110, section 4.1, asks for 8,000 at least.
pub(crate) const MAX_URI_SIZE: usize = 8 << 10;

/// Largest request body, in bytes; beyond it 413. Requests have lists of ids, labels or references and no
/// documents.
pub(crate) const MAX_BODY_SIZE: usize = 64 << 10;

/// Largest body of a request to verify quotations, in bytes: 100 of 2,000 characters, with their citations.
pub(crate) const MAX_QUOTATIONS_BODY_SIZE: usize = 256 << 10;

/// Lines of the log on refused tokens per minute: a stranger who sends tokens cannot fill a disk with
/// them. The other refusals are counted.
pub(crate) const REFUSED_LINES_PER_MINUTE: u32 = 60;

/// Age of the key that signs asset URLs, beyond which `norma doctor operator` asks for a new one: a year,
/// and a month to do it.
pub(crate) const MAX_SIGNING_KEY_AGE: Duration = Duration::from_secs(400 * 24 * 3600);

/// Limits of a running service that no setting changes. The defaults are those of every service; a test gives
/// others to reach a limit soon.
#[derive(Clone, Debug, Default)]
pub struct FixedLimits {
    /// Limits of the listeners and their connections.
    pub listeners: ListenerLimits,
    /// Times and sizes for the keys of issuers.
    pub keys: KeyRules,
    /// Limits of what reads may take.
    pub reads: ReadLimits,
    /// Limits of the spans that wait for a collector.
    pub traces: TraceLimits,
}

/// Limits of the listeners and their connections.
#[derive(Clone, Debug)]
pub struct ListenerLimits {
    /// Interval between checks of the certificate's files for changes. Default: 10 s, soon enough for a
    /// certificate that is renewed days before its end.
    pub tls_interval: Duration,
    /// Time for which the rest of a request's body, up to the largest body, is read before an answer that
    /// does not need it. What has not come by then makes the answer one with `Connection: close`. Default:
    /// 5 ms, enough for what is sent along with the head and too short to hold an answer up.
    pub unread_body_time: Duration,
    /// Time for which bytes after such an answer are read and discarded, so that a reset does not take the
    /// answer from its client (RFC 9112, section 9.6). Default: 2 s.
    pub lingering_time: Duration,
    /// Bytes that are discarded at most. Default: 16 MiB, what arrives in that time at 64 Mbit/s.
    pub lingering_size: u64,
    /// Connections that linger at once; further ones are closed with their answer. Default: 256.
    pub max_lingering: usize,
    /// Connections of one IPv4 address or IPv6 /64 that linger at once, trusted proxies excepted. Default:
    /// 16.
    pub max_lingering_per_address: usize,
    /// Connections to the operator's listener, which are counted separately: probes and scrapes need a
    /// few, and still get them where callers use up their own. Default: 64.
    pub max_ops_connections: usize,
    /// Requests that one HTTP/2 connection has at once. Default: 100, what RFC 9113, section 6.5.2,
    /// advises as the least.
    pub max_streams: u32,
}

impl Default for ListenerLimits {
    fn default() -> Self {
        Self {
            tls_interval: Duration::from_secs(10),
            unread_body_time: Duration::from_millis(5),
            lingering_time: Duration::from_secs(2),
            lingering_size: 16 << 20,
            max_lingering: 256,
            max_lingering_per_address: 16,
            max_ops_connections: 64,
            max_streams: 100,
        }
    }
}
