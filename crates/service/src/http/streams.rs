//! Outgoing bodies and HTTP/2 streams: a stream is reset when its client stops its progress.
//!
//! What the socket shows is enough for HTTP/1.1. In HTTP/2 a client can read everything else and yet give one
//! stream no window (RFC 9113, section 5.2); the socket then looks well. So bodies go out in pieces, and that
//! the next is asked for is what progress means.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::HttpBody;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};

use super::connection::{RequestGuard, now};
use super::socket::PROGRESS;

tokio::task_local! {
    /// The stream that the running task is for.
    static STREAM: Arc<ClientTurn>;
}

/// The time since when a stream waits for its client; 0: it waits for the service.
#[derive(Default)]
pub(super) struct ClientTurn(AtomicU64);

impl ClientTurn {
    /// Returns when the stream has waited for its client for longer than `write_timeout`.
    async fn stalled(&self, write_timeout: Duration) {
        let mut ticks = tokio::time::interval(write_timeout / 4);
        loop {
            ticks.tick().await;
            let since = self.0.load(Relaxed);
            if since != 0 && Duration::from_millis(now().saturating_sub(since)) > write_timeout {
                return;
            }
        }
    }
}

/// Runs each HTTP/2 stream as a task that ends when its client stops it for too long; this resets the stream.
#[derive(Clone)]
pub(super) struct Streams {
    write_timeout: Duration,
}

impl Streams {
    pub(super) fn new(write_timeout: Duration) -> Self {
        Self { write_timeout }
    }
}

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Streams {
    fn execute(&self, stream: F) {
        let (write_timeout, turn) = (self.write_timeout, Arc::<ClientTurn>::default());
        tokio::spawn(async move {
            let watched = turn.clone();
            tokio::select! {
                biased;
                () = STREAM.scope(turn, stream) => {}
                () = watched.stalled(write_timeout) => {
                    tracing::debug!("a stream was reset: nothing of it was taken within write-timeout");
                    metrics::counter!("norma_streams_reset_total").increment(1);
                }
            }
        });
    }
}

/// The body of an answer. Its request is in flight until this is dropped.
pub(super) struct CountedBody<B> {
    body: B,
    /// The part of the body that is read and not yet sent.
    rest: Bytes,
    /// The turn of the stream's client; `None` in HTTP/1.1.
    turn: Option<Arc<ClientTurn>>,
    _request: Arc<RequestGuard>,
}

impl<B> CountedBody<B> {
    /// To be called in the task of the request.
    pub(super) fn new(body: B, request: Arc<RequestGuard>) -> Self {
        let turn = STREAM.try_with(Arc::clone).ok();
        let outgoing = Self { body, rest: Bytes::new(), turn, _request: request };
        outgoing.turn(now);
        outgoing
    }

    fn turn(&self, since: impl FnOnce() -> u64) {
        if let Some(turn) = &self.turn {
            turn.0.store(since(), Relaxed);
        }
    }
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for CountedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        if self.rest.is_empty() {
            self.turn(|| 0);
            match ready!(Pin::new(&mut self.body).poll_frame(cx)).map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(other))) => return Poll::Ready(Some(Ok(other))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let size = if self.turn.is_some() { self.rest.len().min(PROGRESS) } else { self.rest.len() };
        let piece = self.rest.split_to(size);
        self.turn(now);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, hint) = (self.rest.len() as u64, self.body.size_hint());
        let mut whole = SizeHint::new();
        if let Some(upper) = hint.upper() {
            whole.set_upper(upper.saturating_add(rest));
        }
        whole.set_lower(hint.lower().saturating_add(rest));
        whole
    }
}
