//! TCP socket that records when bytes arrive, and since when the client receives none of those sent.

use std::io::{IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::connection::Activity;

/// Fewest bytes that count as progress: a client that receives fewer within `write-timeout` counts as
/// stalled.
pub(super) const PROGRESS: usize = 16 * 1024;

/// Most unsent bytes in the kernel for one connection; further bytes wait, and so does their memory.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 256 * 1024;

/// The socket of one connection, below TLS.
pub(super) struct Socket {
    /// Present until this is dropped.
    stream: Option<TcpStream>,
    activity: Arc<Activity>,
    /// Bytes taken since the last progress.
    taken: usize,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        // Both only make it better: a connection that is gone already fails at its first read.
        drop(stream.set_nodelay(true));
        #[cfg(target_os = "linux")]
        drop(socket2::SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT));
        Self { stream: Some(stream), activity, taken: 0 }
    }

    fn stream(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.stream.as_mut().expect("a socket has its stream until it is dropped"))
    }

    /// Records the result of a write.
    fn wrote(&mut self, result: Poll<Result<usize>>) -> Poll<Result<usize>> {
        match &result {
            Poll::Pending => self.activity.blocked(),
            Poll::Ready(Ok(bytes)) => {
                self.taken += bytes;
                if self.taken >= PROGRESS {
                    self.taken = 0;
                    self.activity.unblocked();
                }
            }
            Poll::Ready(Err(_)) => {}
        }
        result
    }
}

impl Drop for Socket {
    /// Discards the unsent bytes of a cut connection in the kernel: the client has shown that it receives
    /// none. One whose client may still be sending goes back to who serves it.
    fn drop(&mut self) {
        match self.stream.take() {
            Some(stream) if self.activity.is_cut() => drop(stream.set_zero_linger()),
            Some(stream) => self.activity.leave(stream),
            None => {}
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let before = buffer.filled().len();
        let result = self.stream().poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.activity.received();
        }
        result
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let result = self.stream().poll_write(cx, bytes);
        self.wrote(result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let result = self.stream().poll_write_vectored(cx, slices);
        self.wrote(result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }

    /// Called when everything was written.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        self.taken = 0;
        self.activity.unblocked();
        self.stream().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        self.stream().poll_shutdown(cx)
    }
}
