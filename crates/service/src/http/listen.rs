//! Listening: connections are accepted within their limits, served over HTTP/1.1 and HTTP/2, and ended.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderValue, Version, header};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioTimer;
use hyper_util::server::conn::auto::Builder;
use norma_auth::ConnectionToken;
use norma_settings::{HttpSettings, UnusableSetting};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::admission::{Admission, ConnectionSlot};
use super::connection::{self, Activity, Phase, Timeouts};
use super::lingering::{Lingering, RequestBody, UnreadBody};
use super::peer::Peer;
use super::routes::Routes;
use super::socket::Socket;
use super::streams::{CountedBody, Streams};
use super::tls::ServerCertificate;
use crate::error::StartError;
use crate::fixed_limits::{ListenerLimits, MAX_HEADER_SIZE, MAX_QUOTATIONS_BODY_SIZE, MAX_URI_SIZE};
use crate::telemetry::BoundedLines;

/// One address that is served.
pub(crate) struct Listener {
    phase: watch::Sender<Phase>,
    accepting: JoinHandle<()>,
    certificate_task: Option<JoinHandle<()>>,
}

/// Values for each connection of a listener.
struct ListenerContext {
    routes: Routes,
    builder: Builder<Streams>,
    timeouts: Timeouts,
    admission: Arc<Admission>,
    lingering: Lingering,
    /// Longest time and most bytes for reading the rest of a body before an answer that does not need it.
    unread_bounds: (Duration, usize),
    certificate: Option<ServerCertificate>,
}

/// Pause after an error of the listening socket itself, such as no free file descriptor.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Serves `routes`, over TLS if it is `public` and the settings name a certificate.
pub(crate) fn serve(
    listener: std::net::TcpListener,
    routes: Routes,
    (settings, limits): (&HttpSettings, &ListenerLimits),
    admission: Arc<Admission>,
    public: bool,
) -> Result<Listener, StartError> {
    let listener = TcpListener::from_std(listener).map_err(|error| UnusableSetting {
        setting: if public { "listen" } else { "ops-listen" },
        why: format!("the socket cannot be used: {error}"),
    })?;
    let certificate = if public { ServerCertificate::load(settings)? } else { None };
    let certificate_task = certificate
        .clone()
        .map(|certificate| tokio::spawn(certificate.follow(settings.clone(), limits.tls_interval)));
    let (phase, watched) = watch::channel(Phase::Serving);
    let timeouts = Timeouts::new(settings);
    let context = ListenerContext {
        routes,
        builder: builder(settings, limits),
        timeouts,
        lingering: Lingering::new(limits, admission.exempt().to_vec()),
        unread_bounds: (limits.unread_body_time, MAX_QUOTATIONS_BODY_SIZE),
        admission,
        certificate,
    };
    let accepting = tokio::spawn(accept(listener, Arc::new(context), watched));
    Ok(Listener { phase, accepting, certificate_task })
}

impl Listener {
    /// Accepts connections and requests for `drain` while asking clients to use another instance. Then closes
    /// idle connections, and cuts the others after `grace`.
    pub(crate) async fn stop(self, drain: Duration, grace: Duration) {
        let Self { phase, accepting, certificate_task } = self;
        phase.send_replace(Phase::Draining);
        tokio::time::sleep(drain).await;
        phase.send_replace(Phase::Closing);
        if let Err(error) = accepting.await {
            tracing::error!(%error, "a listener failed while stopping");
        }
        if tokio::time::timeout(grace, phase.closed()).await.is_err() {
            tracing::warn!(connections = phase.receiver_count(), "requests are cut: shutdown-grace is over");
            phase.send_replace(Phase::Ended);
            phase.closed().await;
        }
        if let Some(certificate_task) = certificate_task {
            certificate_task.abort();
        }
    }
}

/// The limits of the HTTP library, above our own ones, which answer with a problem: the library's are a
/// backstop.
fn builder(settings: &HttpSettings, limits: &ListenerLimits) -> Builder<Streams> {
    let head = MAX_HEADER_SIZE + MAX_URI_SIZE;
    let mut builder = Builder::new(Streams::new(settings.write_timeout.std()));
    builder
        .http1()
        // The time of a head is looked after by `connection`, which also knows of heads that have not begun.
        .header_read_timeout(None)
        .max_buf_size(2 * head);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(Duration::from_secs(20)))
        .max_concurrent_streams(limits.max_streams)
        .max_send_buf_size(64 * 1024)
        .max_header_list_size(2 * head as u32);
    builder
}

/// Takes connections until the listener closes.
async fn accept(listener: TcpListener, context: Arc<ListenerContext>, mut phase: watch::Receiver<Phase>) {
    let (failures, refusals) = (BoundedLines::one_per_second(), BoundedLines::one_per_second());
    let connections = phase.clone();
    let take = |stream: TcpStream, address: SocketAddr| match context.admission.admit(address.ip()) {
        Ok(slot) => {
            tokio::spawn(serve_connection(stream, address, context.clone(), connections.clone(), slot));
        }
        Err(limit) => {
            metrics::counter!("norma_connections_refused_total", "limit" => limit).increment(1);
            if let Some(more) = refusals.line() {
                tracing::warn!(limit, %address, more, "a connection was refused: the limit is reached");
            }
            drop(stream.set_zero_linger());
        }
    };
    loop {
        let accepted = tokio::select! {
            biased;
            _ = phase.wait_for(|phase| *phase >= Phase::Closing) => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, address)) => take(stream, address),
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                if let Some(more) = failures.line() {
                    tracing::error!(%error, more, "connections cannot be accepted; it is tried again");
                }
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
    // Connections that the kernel has accepted by now may have sent a request. One that it accepts after the
    // last of them is reset when the socket closes, microseconds later.
    let Ok(listener) = listener.into_std() else { return };
    while let Ok((stream, address)) = listener.accept() {
        if stream.set_nonblocking(true).is_ok()
            && let Ok(stream) = TcpStream::from_std(stream)
        {
            take(stream, address);
        }
    }
}

/// True for an error that a client caused by closing before it was accepted; the next one can be accepted.
fn is_connection_error(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Serves one connection from its first byte, or its handshake, to its end.
async fn serve_connection(
    stream: TcpStream,
    address: SocketAddr,
    context: Arc<ListenerContext>,
    phase: watch::Receiver<Phase>,
    slot: ConnectionSlot,
) {
    let activity = Activity::new();
    let mut end = phase.clone();
    serve_requests(stream, address, &context, phase, &activity).await;
    drop(slot);
    if let Some(stream) = activity.left() {
        tokio::select! {
            () = context.lingering.linger(stream, address.ip()) => {}
            _ = end.wait_for(|phase| *phase == Phase::Ended) => {}
        }
    }
}

/// The requests of one connection.
async fn serve_requests(
    stream: TcpStream,
    address: SocketAddr,
    context: &ListenerContext,
    phase: watch::Receiver<Phase>,
    activity: &Arc<Activity>,
) {
    let unread_bounds = context.unread_bounds;
    let (connection_token, routes) = (Arc::<ConnectionToken>::default(), context.routes.clone());
    let requests = activity.clone();
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        let version = request.version();
        let (activity, routes) = (requests.clone(), routes.clone());
        let guard = Arc::new(activity.start_request(version));
        request.extensions_mut().insert(Peer {
            address,
            connection_token: connection_token.clone(),
            request: guard.clone(),
        });
        async move {
            let unread_body = UnreadBody::default();
            let expects = request.headers().contains_key(header::EXPECT);
            let request = request.map(|body| RequestBody::new(body, unread_body.clone()));
            let mut answer = routes.answer(request).await;
            let is_early = version < Version::HTTP_2 && {
                let (time, most) = unread_bounds;
                unread_body.remains(expects, time, most).await
            };
            if is_early {
                activity.answered_early();
            }
            if is_early || version < Version::HTTP_2 && activity.is_stopping() {
                answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(answer.map(|body| CountedBody::new(body, guard)))
        }
    });
    let ListenerContext { builder, timeouts, certificate, .. } = context;
    let socket = Socket::new(stream, activity.clone());
    let Some(certificate) = certificate else {
        return connection::serve(socket, builder, service, activity, timeouts, phase).await;
    };
    let mut end = phase.clone();
    let handshake = tokio::select! {
        handshake = tokio::time::timeout(timeouts.header, certificate.acceptor().accept(socket)) => handshake,
        _ = end.wait_for(|phase| *phase == Phase::Ended) => return,
    };
    match handshake {
        Ok(Ok(secure)) => {
            activity.mark_idle();
            connection::serve(secure, builder, service, activity, timeouts, phase).await;
        }
        Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
        Err(_) => connection::cut(activity, "the TLS handshake did not end within header-timeout"),
    }
}
