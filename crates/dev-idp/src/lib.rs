//! Identity provider for development and tests, with the endpoints and errors of the real one.
//!
//! It issues app-only access tokens (OAuth 2.0 client credentials) for one service API, to client apps of
//! several tenants, which its configuration lists. A person or a script consents, adds and grants the role,
//! and rotates keys. It authenticates no person, so it listens on loopback addresses only.
//!
//! | request | purpose |
//! |---|---|
//! | `POST /{tenant}/oauth2/v2.0/token` (and `/oauth2/token`) | access tokens by secret or client assertion |
//! | `GET /{tenant}/v2.0/.well-known/openid-configuration` (and without `v2.0`) | metadata; also for `common` |
//! | `GET /{tenant}/discovery/v2.0/keys` (and without `v2.0`) | key set |
//! | `GET /common/discovery/instance` | instance discovery |
//! | `GET`, `POST /{tenant}/adminconsent` | consent, as `client_id`, `redirect_uri`, `state`; scripts add `as_tenant`, `decision` |
//! | `POST /{tenant}/apps/{client}/role` | `action` is `add`, `grant` or `revoke` |
//! | `POST /keys` | `action` is `rotate` (with `overlap_seconds`) or `replace` |
//!
//! All but the consent page return JSON. The same steps are methods of [`DevIdp`].
//!
//! ```
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! use norma_dev_idp::{DevIdp, DevIdpSettings};
//!
//! let idp = DevIdp::start(DevIdpSettings::ephemeral()).await?;
//! let tenant = idp.add_tenant("Example Reader Ltd")?;
//! let client = idp.register_client(tenant, "Nightly reader")?;
//! idp.consent(tenant)?;
//! idp.grant_role(tenant, client.client_id)?;
//! println!("POST {}/{tenant}/oauth2/v2.0/token", idp.url());
//! idp.shutdown().await?;
//! # Ok::<(), norma_dev_idp::DevIdpError>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod admin;
mod certificate;
mod changes;
mod configured;
mod consent;
mod directory;
mod discovery;
mod encoding;
mod error;
mod guid;
mod http;
mod keys;
mod params;
mod problem;
mod provider;
mod provider_state;
mod refusal;
mod settings;
mod state_file;
mod token;
mod trace;

use std::{
    io,
    net::TcpListener,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum_server::{
    Handle,
    tls_rustls::{RustlsAcceptor, RustlsConfig},
};
use hyper_util::rt::TokioTimer;
use tokio::task::JoinHandle;

pub use admin::Registration;
pub use certificate::ClientCertificate;
pub use error::DevIdpError;
pub use guid::Guid;
pub use provider::DevIdp;
use provider::{Inner, TrustedCertificate};
use provider_state::ProviderState;
pub use settings::{
    ClientSettings, DevIdpSettings, RoleGrant, Secret, SecretSettings, ServiceApi, TenantSettings,
};

/// Time for a client to send its request head, and to finish a TLS handshake.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

impl DevIdp {
    /// Starts the provider. Keys are generated, unless a state file has them.
    ///
    /// # Errors
    /// [`DevIdpError::NotLoopback`] for an address that other machines can reach, [`DevIdpError::Listen`]
    /// when it cannot be bound, and others for a configuration, certificate or state file that cannot be
    /// used.
    pub async fn start(settings: DevIdpSettings) -> Result<DevIdp, DevIdpError> {
        let address = settings.listen;
        if !address.ip().is_loopback() {
            return Err(DevIdpError::NotLoopback { address });
        }
        let listen = |source| DevIdpError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let bound = listener.local_addr().map_err(listen)?;

        let (tls, certificate) = if settings.tls {
            let (config, pem) = certificate::make_tls()?;
            let certificate = TrustedCertificate::write(&pem, settings.certificate_file.as_deref())?;
            (Some(config), Some(certificate))
        } else {
            (None, None)
        };
        let scheme = if tls.is_some() { "https" } else { "http" };
        let idp = DevIdp(Arc::new(Inner {
            url: format!("{scheme}://{bound}"),
            certificate,
            shutdown_grace: Duration::from_secs(settings.shutdown_seconds.into()),
            // Generating RSA keys is slow.
            state: Mutex::new(blocking(|| ProviderState::open(settings)).await?),
            handle: Handle::new(),
            server: tokio::sync::Mutex::new(None),
        }));
        let server = idp.clone().serve(listener, tls).map_err(listen)?;
        *idp.0.server.lock().await = Some(server);
        tracing::warn!(
            url = idp.url(),
            "development identity provider: it issues tokens to anyone on this machine"
        );
        Ok(idp)
    }

    fn serve(
        self,
        listener: TcpListener,
        tls: Option<rustls::ServerConfig>,
    ) -> io::Result<JoinHandle<io::Result<()>>> {
        let mut server = axum_server::from_tcp(listener)?.handle(self.0.handle.clone());
        server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
        let app = http::router(self).into_make_service();
        Ok(match tls {
            None => tokio::spawn(server.serve(app)),
            Some(config) => {
                let acceptor = RustlsAcceptor::new(RustlsConfig::from_config(Arc::new(config)))
                    .handshake_timeout(HEAD_TIMEOUT);
                tokio::spawn(server.acceptor(acceptor).serve(app))
            }
        })
    }

    /// Stops accepting connections, waits for open requests up to the configured time, and ends. A second
    /// call does nothing.
    ///
    /// # Errors
    /// [`DevIdpError::Serve`] when the server had ended with an error.
    pub async fn shutdown(&self) -> Result<(), DevIdpError> {
        self.0.handle.graceful_shutdown(Some(self.0.shutdown_grace));
        // Held until the server has ended, so that a second call waits for that, too.
        let mut running = self.0.server.lock().await;
        let Some(server) = running.take() else { return Ok(()) };
        // The outer error is a panic of the task.
        let served = server.await.map_err(io::Error::other).flatten();
        served.map_err(DevIdpError::Serve)
    }
}

/// Runs blocking work on a thread that serves no requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, DevIdpError> + Send + 'static,
) -> Result<T, DevIdpError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| DevIdpError::Serve(io::Error::other(error)))?
}
