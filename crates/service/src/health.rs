//! Health request to a service on this machine: the client side of `/livez` and `/readyz`.
//!
//! A container without a shell has no other HTTP client. The request goes to an address and not to a URL, so
//! that no name is resolved and no proxy of the environment is used.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::client::conn::http1::handshake;
use hyper::header::HOST;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::sockets::reachable;

/// Most bytes of a refusal that an error quotes; a longer one is left out.
const MAX_QUOTED: usize = 4096;

/// The endpoint of a health request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// `/livez`: the process answers.
    Live,
    /// `/readyz`: its store also answers, and it is not stopping.
    Ready,
}

/// The reason why a service counts as unhealthy.
#[derive(Debug, thiserror::Error)]
pub enum HealthError {
    /// The setting does not say where the service listens.
    #[error(
        "`ops-listen` is {0}, where port 0 is any free one: give the address that the service logged at its start"
    )]
    NoPort(SocketAddr),
    /// Nothing answers there in HTTP.
    #[error("{address} does not answer ({source}): is the service running, and is this its `ops-listen`?")]
    Unreachable {
        /// The address that was asked.
        address: SocketAddr,
        /// The error of the connection.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The answer takes too long.
    #[error("{address} does not answer within {timeout:?}")]
    Timeout {
        /// The address that was asked.
        address: SocketAddr,
        /// The time that it had.
        timeout: Duration,
    },
    /// The service answers that it is not healthy.
    #[error("{status} {body}")]
    Refused {
        /// Status of the answer, 503 while the store does not answer or the service stops.
        status: StatusCode,
        /// The text of the answer.
        body: String,
    },
}

/// Asks the service with this value of `ops-listen`; an address of all interfaces is replaced by loopback.
///
/// # Errors
///
/// Where it is not healthy, or does not answer within `timeout`.
pub async fn ask(ops_listen: SocketAddr, probe: Probe, timeout: Duration) -> Result<(), HealthError> {
    if ops_listen.port() == 0 {
        return Err(HealthError::NoPort(ops_listen));
    }
    let address = reachable(ops_listen);
    let answer = tokio::time::timeout(timeout, request(address, probe)).await;
    let answer = answer.map_err(|_| HealthError::Timeout { address, timeout })?;
    let (status, body) = answer.map_err(|source| HealthError::Unreachable { address, source })?;
    if status.is_success() { Ok(()) } else { Err(HealthError::Refused { status, body }) }
}

async fn request(
    address: SocketAddr,
    probe: Probe,
) -> Result<(StatusCode, String), Box<dyn std::error::Error + Send + Sync>> {
    let path = match probe {
        Probe::Live => "/livez",
        Probe::Ready => "/readyz",
    };
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let request = Request::get(path).header(HOST, address.to_string()).body(Empty::<Bytes>::new())?;
    let response = sender.send_request(request).await?;
    let status = response.status();
    let body = Limited::new(response.into_body(), MAX_QUOTED).collect().await;
    connection.abort();
    let body = body.map(|body| String::from_utf8_lossy(&body.to_bytes()).into_owned());
    Ok((status, body.unwrap_or_default()))
}
