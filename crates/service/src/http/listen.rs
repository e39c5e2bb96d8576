//! Listening: HTTP/1.1 and, over TLS, HTTP/2, with the time limits that keep slow clients from holding on.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::ServiceExt as _;
use axum::extract::connect_info::Connected;
use axum::extract::{ConnectInfo, Request};
use axum::http::Extensions;
use axum::response::Response;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use hyper::body::Incoming;
use norma_auth::Presented;
use tower::Service;

use crate::app::StartError;
use crate::config::Http;

/// The other end of a connection.
#[derive(Clone)]
pub(super) struct Peer {
    pub(super) address: SocketAddr,
    pub(super) presented: Arc<Presented>,
}

impl Peer {
    /// The one that sent a request; of a request that came through no listener, nobody.
    pub(super) fn of(extensions: &Extensions) -> Option<&Self> {
        extensions.get::<ConnectInfo<Self>>().map(|ConnectInfo(peer)| peer)
    }
}

impl Connected<SocketAddr> for Peer {
    fn connect_info(address: SocketAddr) -> Self {
        Self { address, presented: Arc::default() }
    }
}

/// One address that is served.
pub(crate) struct Listener {
    handle: Handle<SocketAddr>,
    task: tokio::task::JoinHandle<()>,
    reloading: Option<tokio::task::JoinHandle<()>>,
    grace: Duration,
}

/// Serves `routes`; over TLS where `public` and the settings name a certificate.
pub(crate) async fn serve<S>(
    listener: TcpListener,
    routes: S,
    settings: &Http,
    public: bool,
) -> Result<Listener, StartError>
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static,
{
    let handle = Handle::new();
    let service = routes.into_make_service_with_connect_info::<Peer>();
    let grace = settings.shutdown_grace.std();
    let mut reloading = None;
    let task = if public && !settings.tls_cert.is_empty() {
        let tls = RustlsConfig::from_pem_file(&settings.tls_cert, &settings.tls_key).await.map_err(|e| {
            StartError::Setting {
                setting: "tls-cert",
                why: format!("certificate or key cannot be used: {e}"),
            }
        })?;
        reloading = Some(tokio::spawn(reload(tls.clone(), settings.clone())));
        let mut server =
            axum_server::from_tcp_rustls(listener, tls).map_err(not_listening)?.handle(handle.clone());
        limit(server.http_builder(), settings);
        tokio::spawn(run(async move { server.serve(service).await }))
    } else {
        let mut server = axum_server::from_tcp(listener).map_err(not_listening)?.handle(handle.clone());
        limit(server.http_builder(), settings);
        tokio::spawn(run(async move { server.serve(service).await }))
    };
    Ok(Listener { handle, task, reloading, grace })
}

impl Listener {
    /// Takes no new connection and lets requests in flight finish within the grace.
    pub(crate) fn begin_stop(&self) {
        self.handle.graceful_shutdown(Some(self.grace));
    }

    /// Returns when all is done.
    pub(crate) async fn stopped(self) {
        if let Err(error) = self.task.await {
            tracing::error!(%error, "a listener failed while stopping");
        }
        if let Some(reloading) = self.reloading {
            reloading.abort();
        }
    }
}

fn not_listening(error: std::io::Error) -> StartError {
    StartError::Setting { setting: "listen", why: format!("the socket cannot be used: {error}") }
}

async fn run(server: impl Future<Output = std::io::Result<()>>) {
    if let Err(error) = server.await {
        tracing::error!(%error, "a listener failed");
    }
}

type Builder = hyper_util::server::conn::auto::Builder<hyper_util::rt::TokioExecutor>;

/// Our own limits come first and answer with a problem; the library's lie above them as a backstop.
fn limit(builder: &mut Builder, settings: &Http) {
    let head = settings.max_header_size.in_memory().saturating_add(settings.max_uri_size.in_memory());
    builder
        .http1()
        .timer(hyper_util::rt::TokioTimer::new())
        .header_read_timeout(settings.header_timeout.std())
        .max_buf_size(head.saturating_mul(2).max(64 * 1024));
    builder
        .http2()
        .timer(hyper_util::rt::TokioTimer::new())
        .keep_alive_interval(Some(Duration::from_secs(20)))
        .max_header_list_size(u32::try_from(head.saturating_mul(2)).unwrap_or(u32::MAX));
}

/// Reads the certificate again when its file has changed; a broken one leaves the old one in force.
async fn reload(tls: RustlsConfig, settings: Http) {
    let stamp = || {
        let of = |path: &str| std::fs::metadata(path).and_then(|m| m.modified()).ok();
        (of(&settings.tls_cert), of(&settings.tls_key))
    };
    let mut known = stamp();
    let mut ticks = tokio::time::interval(settings.tls_interval.std().max(Duration::from_millis(1)));
    loop {
        ticks.tick().await;
        let now = stamp();
        if now != known {
            known = now;
            match tls.reload_from_pem_file(&settings.tls_cert, &settings.tls_key).await {
                Ok(()) => tracing::info!("the TLS certificate was read again"),
                Err(error) => {
                    tracing::error!(%error, "the new TLS certificate cannot be used; the old one stays")
                }
            }
        }
    }
}
