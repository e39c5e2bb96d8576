//! Activity and timeouts of one connection, and when the service closes it.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::BoxError;
use axum::body::HttpBody;
use axum::http::{Request, Response, Version};
use bytes::Bytes;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::rt::TokioIo;
use hyper_util::server::conn::auto::Builder;
use norma_settings::HttpSettings;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior};

use super::streams::Streams;
use crate::requests::RequestSlot;

/// The phase of a listener between its start and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// The connection serves requests.
    Serving,
    /// It still accepts connections and requests, and asks clients to use another instance.
    Draining,
    /// It accepts no new connection; idle ones are closed.
    Closing,
    /// All remaining connections are cut.
    Ended,
}

/// Longest times that a connection waits for its client.
#[derive(Clone, Copy)]
pub(super) struct Timeouts {
    /// For the first request, and for the rest of a head that has begun.
    pub(super) header: Duration,
    /// For the next request.
    pub(super) idle: Duration,
    /// For the client to receive some of the bytes that are sent.
    pub(super) write: Duration,
}

impl Timeouts {
    pub(super) fn new(settings: &HttpSettings) -> Self {
        Self {
            header: settings.header_timeout.std(),
            idle: settings.idle_timeout.std(),
            write: settings.write_timeout.std(),
        }
    }

    /// Interval between checks of a connection: a timeout is found at most a quarter of its length late.
    fn check_interval(&self) -> Duration {
        (self.header.min(self.idle).min(self.write) / 4)
            .clamp(Duration::from_millis(5), Duration::from_secs(15))
    }
}

/// Time for a connection whose first request is arriving when its listener closes.
const FIRST_REQUEST_GRACE: Duration = Duration::from_secs(1);

/// Time to wait for a client that does not answer GOAWAY and its PING, after its requests are answered.
const GOAWAY_TIMEOUT: Duration = Duration::from_secs(2);

/// Interval between checks of a connection once its listener stops.
const STOPPING_TICK: Duration = Duration::from_millis(50);

/// Milliseconds since the first call; never 0, which means "unset".
pub(super) fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(START.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1)
}

fn since(moment: u64) -> Duration {
    Duration::from_millis(now().saturating_sub(moment))
}

/// The activity of a connection, as its socket and its requests record it. Moments are those of [`now`].
pub(super) struct Activity {
    in_flight: AtomicUsize,
    has_requested: AtomicBool,
    http_2: AtomicBool,
    /// The time when it began to wait for a request: at its start, or after the last one.
    idle_since: AtomicU64,
    /// The time when the first bytes after that arrived; 0: none.
    received_at: AtomicU64,
    /// The time since when the client receives nothing of the bytes sent; 0: it received all.
    blocked_since: AtomicU64,
    stopping: AtomicBool,
    cut: AtomicBool,
    /// The client may still be sending a request that was answered.
    is_sending: AtomicBool,
    /// The socket after its end, where the client may still be sending.
    left: Mutex<Option<TcpStream>>,
}

/// A request in progress, from its head to the last byte of its answer.
pub(super) struct RequestGuard {
    connection: Arc<Activity>,
    /// The slot among the requests of its client, once that is known.
    slot: OnceLock<RequestSlot>,
}

impl RequestGuard {
    /// Holds a slot among the requests of a client until this request has ended.
    pub(super) fn hold(&self, slot: RequestSlot) {
        // The slot of a request is set once.
        drop(self.slot.set(slot));
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.connection.mark_idle();
        self.connection.in_flight.fetch_sub(1, Relaxed);
    }
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            in_flight: AtomicUsize::new(0),
            has_requested: AtomicBool::new(false),
            http_2: AtomicBool::new(false),
            idle_since: AtomicU64::new(now()),
            received_at: AtomicU64::new(0),
            blocked_since: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
            cut: AtomicBool::new(false),
            is_sending: AtomicBool::new(false),
            left: Mutex::default(),
        })
    }

    /// Notes that a request was answered while the client may still be sending it.
    pub(super) fn answered_early(&self) {
        self.is_sending.store(true, Relaxed);
    }

    /// Keeps the socket of an ended connection if it is to linger.
    pub(super) fn leave(&self, stream: TcpStream) {
        if self.is_sending.load(Relaxed) {
            *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
        }
    }

    /// The socket that is to linger.
    pub(super) fn left(&self) -> Option<TcpStream> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// A request has come.
    pub(super) fn start_request(self: &Arc<Self>, version: Version) -> RequestGuard {
        self.in_flight.fetch_add(1, Relaxed);
        self.received_at.store(0, Relaxed);
        if !self.has_requested.swap(true, Relaxed) {
            self.http_2.store(version == Version::HTTP_2, Relaxed);
        }
        RequestGuard { connection: self.clone(), slot: OnceLock::new() }
    }

    /// From now on it waits for a request.
    pub(super) fn mark_idle(&self) {
        self.idle_since.store(now(), Relaxed);
        self.received_at.store(0, Relaxed);
    }

    pub(super) fn received(&self) {
        if self.received_at.load(Relaxed) == 0 {
            self.received_at.store(now(), Relaxed);
        }
    }

    pub(super) fn blocked(&self) {
        if self.blocked_since.load(Relaxed) == 0 {
            self.blocked_since.store(now(), Relaxed);
        }
    }

    pub(super) fn unblocked(&self) {
        if self.blocked_since.load(Relaxed) != 0 {
            self.blocked_since.store(0, Relaxed);
            self.idle_since.store(now(), Relaxed);
        }
    }

    /// True once the client is to be asked to use another instance.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Relaxed)
    }

    /// True once the service has given this connection up.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }

    /// The next action for the connection.
    fn verdict(&self, timeouts: &Timeouts, phase: Phase) -> ConnectionVerdict {
        let http_2 = self.http_2.load(Relaxed);
        let blocked = self.blocked_since.load(Relaxed);
        if phase == Phase::Ended {
            return ConnectionVerdict::Cut("the service stops");
        }
        if blocked != 0 && since(blocked) > timeouts.write {
            return ConnectionVerdict::Cut("nothing of the answer was taken within write-timeout");
        }
        if self.in_flight.load(Relaxed) > 0 {
            return if http_2 && phase > Phase::Serving {
                ConnectionVerdict::Finish
            } else {
                ConnectionVerdict::Keep
            };
        }
        let idle = since(self.idle_since.load(Relaxed));
        if !self.has_requested.load(Relaxed) {
            let late = idle > timeouts.header || phase == Phase::Closing && idle > FIRST_REQUEST_GRACE;
            return if late {
                ConnectionVerdict::Cut("no request came within header-timeout")
            } else {
                ConnectionVerdict::Keep
            };
        }
        if blocked != 0 {
            return ConnectionVerdict::Keep;
        }
        let received = self.received_at.load(Relaxed);
        if !http_2 && received != 0 {
            let late = since(received) > timeouts.header;
            return if late {
                ConnectionVerdict::Cut("a head did not end within header-timeout")
            } else {
                ConnectionVerdict::Keep
            };
        }
        let over = idle > timeouts.idle || phase == Phase::Closing || http_2 && phase == Phase::Draining;
        if over { ConnectionVerdict::Finish } else { ConnectionVerdict::Keep }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum ConnectionVerdict {
    Keep,
    /// Close it by the protocol: HTTP/2 by GOAWAY, HTTP/1.1 between two requests.
    Finish,
    /// Break it off, and why.
    Cut(&'static str),
}

/// Serves one connection until either side ends it.
pub(super) async fn serve<I, S, B>(
    io: I,
    builder: &Builder<Streams>,
    service: S,
    activity: &Activity,
    timeouts: &Timeouts,
    mut phase: watch::Receiver<Phase>,
) where
    I: AsyncRead + AsyncWrite + Unpin + 'static,
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible, Future: Send + 'static>,
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    let mut connection = pin!(builder.serve_connection(TokioIo::new(io), service));
    let mut current = *phase.borrow_and_update();
    let mut ticks = ticker(timeouts, current);
    let mut finishing = None;
    loop {
        activity.stopping.store(current > Phase::Serving, Relaxed);
        tokio::select! {
            biased;
            ended = connection.as_mut() => {
                // The library answers what it cannot parse by itself, and reads no further.
                let error = ended.err().and_then(|error| error.downcast::<hyper::Error>().ok());
                if error.is_some_and(|error| error.is_parse()) {
                    activity.answered_early();
                }
                return;
            }
            _ = ticks.tick() => {}
            Ok(()) = phase.changed() => {
                current = *phase.borrow_and_update();
                ticks = ticker(timeouts, current);
            }
        }
        match activity.verdict(timeouts, current) {
            ConnectionVerdict::Keep => {}
            ConnectionVerdict::Finish => {
                let began = *finishing.get_or_insert_with(|| {
                    connection.as_mut().graceful_shutdown();
                    now()
                });
                if since(began) > GOAWAY_TIMEOUT && activity.in_flight.load(Relaxed) == 0 {
                    return cut(activity, "the client did not close");
                }
            }
            ConnectionVerdict::Cut(why) => return cut(activity, why),
        }
    }
}

/// Records that a connection is cut; dropping it does the rest.
pub(super) fn cut(activity: &Activity, why: &'static str) {
    activity.cut.store(true, Relaxed);
    tracing::debug!(why, "a connection was cut");
    metrics::counter!("norma_connections_cut_total").increment(1);
}

fn ticker(timeouts: &Timeouts, phase: Phase) -> Interval {
    let period = timeouts.check_interval();
    let period = if phase == Phase::Serving { period } else { period.min(STOPPING_TICK) };
    let mut ticks = tokio::time::interval_at(tokio::time::Instant::now() + period, period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
