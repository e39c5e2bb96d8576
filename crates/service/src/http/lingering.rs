//! Bodies of requests that are answered before they are read. Bytes that have arrived are read, and the
//! connection lingers after the answer. So a client or proxy that is still sending gets its answer, not a
//! reset (RFC 9112, sections 9.3 and 9.6).

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::HttpBody;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::admission::Admission;
use crate::fixed_limits::ListenerLimits;

/// The body of a request over HTTP/1.1; if its reader drops it before its end, [`UnreadBody`] has it.
pub(crate) struct RequestBody {
    /// Present until this is dropped.
    body: Option<Incoming>,
    has_ended: bool,
    unread_body: UnreadBody,
}

/// The rest of the body of a request.
#[derive(Clone, Default)]
pub(super) struct UnreadBody(Arc<Mutex<Option<Incoming>>>);

impl RequestBody {
    pub(super) fn new(body: Incoming, unread_body: UnreadBody) -> Self {
        Self { has_ended: body.is_end_stream(), body: Some(body), unread_body }
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if !self.has_ended {
            *self.unread_body.lock() = self.body.take();
        }
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(body).poll_frame(cx));
        // After an error nothing more can be read of the connection.
        self.has_ended = !matches!(&frame, Some(Ok(_)));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.has_ended
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl UnreadBody {
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Incoming>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what arrives within `time`, up to `most` bytes, and says whether some of the body remains. Of a
    /// client that waits for `100 Continue` nothing is: reading would ask it to send the body.
    pub(super) async fn remains(self, expects: bool, time: Duration, most: usize) -> bool {
        let Some(mut body) = self.lock().take() else { return false };
        if expects {
            return true;
        }
        let read = async {
            let mut bytes = 0;
            while let Some(frame) = body.frame().await {
                let Ok(frame) = frame else { return true };
                bytes += frame.data_ref().map_or(0, Bytes::len);
                if bytes > most {
                    return true;
                }
            }
            false
        };
        tokio::time::timeout(time, read).await.unwrap_or(true)
    }
}

/// Connections that linger after their answer, with their longest time.
pub(super) struct Lingering {
    admission: Arc<Admission>,
    time: Duration,
    most: u64,
}

impl Lingering {
    pub(super) fn new(limits: &ListenerLimits, trusted_proxies: Vec<ipnet::IpNet>) -> Self {
        Self {
            admission: Admission::new(
                limits.max_lingering,
                Some(limits.max_lingering_per_address),
                trusted_proxies,
            ),
            time: limits.lingering_time,
            most: limits.lingering_size,
        }
    }

    /// Ends sending and discards received bytes until the client closes or the bounds are reached. If no
    /// further connection may linger, it is closed at once.
    pub(super) async fn linger(&self, mut stream: TcpStream, address: IpAddr) {
        let Ok(_slot) = self.admission.admit(address) else { return };
        let discard = async {
            stream.shutdown().await?;
            tokio::io::copy(&mut (&mut stream).take(self.most), &mut tokio::io::sink()).await
        };
        // Either way the connection is closed now.
        drop(tokio::time::timeout(self.time, discard).await);
    }
}
