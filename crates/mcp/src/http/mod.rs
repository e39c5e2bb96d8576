//! The protocol over streamable HTTP: on this machine by a key in the address, or for users with tokens of
//! their organisation's provider.
//!
//! Requests are stateless, so that no session can be stolen or left behind. The token of a user says who
//! calls; it is never sent to the service.

mod guard;
mod metadata;
mod options;
mod tls;
mod user_limit;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::TokioTimer;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::task::JoinHandle;

use crate::server::Server;
use guard::{Entrance, Guard, guard};
pub use options::{HttpServerError, HttpServerOptions, UserAccess};
use user_limit::UserLimit;

/// Largest body of a request: a call with 100 quotations has some 200 KB.
const MAX_BODY_BYTES: usize = 1 << 20;

/// Time for a client to send the head of its request, and to finish a TLS handshake.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How often keys of the provider that are due are fetched again, and idle users are forgotten.
const TICK: Duration = Duration::from_secs(1);

/// A running server. It ends when it is dropped.
#[derive(Debug)]
pub struct HttpServer {
    url: String,
    tasks: Vec<JoinHandle<()>>,
}

impl HttpServer {
    /// Listens on the address of the options.
    ///
    /// # Errors
    /// See [`HttpServerError`].
    pub fn start(server: Server, options: HttpServerOptions) -> Result<Self, HttpServerError> {
        options.check()?;
        let tls = match &options.tls {
            Some(files) => Some(tls::config(files)?),
            None => None,
        };
        let scheme = if tls.is_some() { "https" } else { "http" };
        let (listener, address) = bind(options.listen)?;
        let origin = options.public_origin()?.unwrap_or_else(|| format!("{scheme}://{address}"));
        let (guard, tasks) = guard_of(options, &origin)?;
        let url = guard.url.clone();
        let app = router(server, Arc::new(guard));
        let mut running = Self { url, tasks };
        running.tasks.push(serve(listener, tls, app)?);
        Ok(running)
    }

    /// The address that hosts are given.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), HttpServerError> {
    let failed = |cause| HttpServerError::Listen { address, cause };
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    Ok((listener, bound))
}

/// The guard of all requests, and the task that refreshes the keys of the provider.
fn guard_of(
    options: HttpServerOptions,
    origin: &str,
) -> Result<(Guard, Vec<JoinHandle<()>>), HttpServerError> {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host).to_owned();
    let proxies = options.proxies()?;
    let clock = options.clock;
    let Some(users) = options.users else {
        let key = guard::key();
        let url = format!("{origin}/{key}/mcp");
        let guard =
            Guard { url, host, origin: origin.to_owned(), proxies, entrance: Entrance::Key(key), clock };
        return Ok((guard, Vec::new()));
    };
    let verifier = Arc::new(users.verifier()?);
    let limit = Arc::new(UserLimit::new(users.calls_per_second, users.burst));
    let task = tokio::spawn(refresh(Arc::clone(&verifier), Arc::clone(&limit), clock));
    let guard = Guard {
        url: format!("{origin}/mcp"),
        host,
        origin: origin.to_owned(),
        proxies,
        entrance: Entrance::Users { verifier, limit, issuer: users.issuer },
        clock,
    };
    Ok((guard, vec![task]))
}

async fn refresh(verifier: Arc<norma_auth::Verifier>, limit: Arc<UserLimit>, clock: fn() -> SystemTime) {
    let mut ticks = tokio::time::interval(TICK);
    loop {
        ticks.tick().await;
        verifier.refresh_due(guard::timestamp(clock)).await;
        limit.forget_idle();
    }
}

fn router(server: Server, guard: Arc<Guard>) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_max_request_body_bytes(MAX_BODY_BYTES)
        // The guard compares both with the one host and origin of this server.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let mut router = Router::new();
    router = match &guard.entrance {
        Entrance::Key(key) => router.route_service(&format!("/{key}/mcp"), service),
        Entrance::Users { .. } => router
            .route_service("/mcp", service)
            .route(metadata::PATH, get(metadata::show))
            .route(&format!("{}/mcp", metadata::PATH), get(metadata::show)),
    };
    router
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn_with_state(Arc::clone(&guard), self::guard))
        .with_state(guard)
}

fn serve(
    listener: TcpListener,
    tls: Option<Arc<rustls::ServerConfig>>,
    app: Router,
) -> Result<JoinHandle<()>, HttpServerError> {
    let mut server = axum_server::from_tcp(listener).map_err(|cause| HttpServerError::Serve { cause })?;
    server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let app = app.into_make_service_with_connect_info::<SocketAddr>();
    // It serves until the task is aborted; an error of one connection does not end it.
    Ok(match tls {
        None => tokio::spawn(async move { server.serve(app).await.unwrap_or_default() }),
        Some(config) => {
            let acceptor =
                RustlsAcceptor::new(RustlsConfig::from_config(config)).handshake_timeout(HEAD_TIMEOUT);
            tokio::spawn(async move { server.acceptor(acceptor).serve(app).await.unwrap_or_default() })
        }
    })
}
