//! Server of the explorer: listener and routes.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::Redirect;
use axum::routing::get;
use norma_client::ClientBuilder;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::calls::Service;
use crate::guard::{self, guard};
use crate::ingests::ReadIngestReport;
use crate::pages::{compare, download, figure, home, ingest, provision, relations, search, standard};
use crate::phrases::preferred;
use crate::visit::Site;

/// What the explorer needs.
pub struct ExplorerOptions {
    /// Loopback address to listen on.
    pub listen: SocketAddr,
    /// Builder of the client by which the service is called.
    pub client: ClientBuilder,
    /// URL of the service without `/api/…`, for addresses that are copied.
    pub service: String,
    /// The caller's tenant, for the footer.
    pub tenant: String,
    /// The caller's client id, for the footer.
    pub client_id: String,
    /// URN of the standard that the first page recommends.
    pub featured: Option<String>,
    /// Reads reports on ingests from an operator's store; absent for other callers.
    pub read_ingest_report: Option<ReadIngestReport>,
}

/// Error of starting the explorer.
#[derive(Debug, thiserror::Error)]
pub enum ExplorerError {
    /// The address is not a loopback address.
    #[error("the explorer listens on loopback addresses only, found `{0}`: use 127.0.0.1 and a port")]
    NotLoopback(SocketAddr),
    /// The address is in use, or not one of this machine.
    #[error("the explorer cannot listen on {0}: {1}; name another address")]
    Listen(SocketAddr, std::io::Error),
    /// The configuration of the client is not valid.
    #[error(transparent)]
    Client(#[from] norma_client::ClientError),
}

/// A running explorer. It ends when it is dropped.
#[derive(Debug)]
pub struct Explorer {
    url: String,
    task: JoinHandle<()>,
}

impl Explorer {
    /// Starts it.
    ///
    /// # Errors
    /// See [`ExplorerError`].
    pub async fn start(options: ExplorerOptions) -> Result<Self, ExplorerError> {
        let ExplorerOptions { listen, client, service, tenant, client_id, featured, read_ingest_report } =
            options;
        if !listen.ip().is_loopback() {
            return Err(ExplorerError::NotLoopback(listen));
        }
        let service = Service::new(client, service)?;
        let listener =
            TcpListener::bind(listen).await.map_err(|error| ExplorerError::Listen(listen, error))?;
        let host = listener.local_addr().map_err(|error| ExplorerError::Listen(listen, error))?.to_string();
        let key = guard::key();
        let url = format!("http://{host}/{key}/");
        let app =
            router(Arc::new(Site { host, key, service, tenant, client_id, featured, read_ingest_report }));
        // It serves until the task is aborted; an error of one connection does not end it.
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap_or_default() });
        Ok(Self { url, task })
    }

    /// The address of its first page, with its key.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Explorer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn router(site: Arc<Site>) -> Router {
    let file =
        |media: &'static str, text: String| get(move || async move { ([(CONTENT_TYPE, media)], text) });
    Router::new()
        .route("/{key}", get(first))
        .route("/{key}/", get(first))
        .route("/{key}/explorer.css", file("text/css", style()))
        .route("/{key}/explorer.js", file("text/javascript", include_str!("explorer.js").to_owned()))
        .route("/{key}/comparison.js", file("text/javascript", crate::comparison::SCRIPT.to_owned()))
        .route("/{key}/icon.svg", file("image/svg+xml", include_str!("icon.svg").to_owned()))
        .route("/{key}/figure/{urn}/{id}", get(figure::show))
        .route("/{key}/{language}/", get(home::show))
        .route("/{key}/{language}/search", get(search::show))
        .route("/{key}/{language}/s/{urn}", get(standard::show))
        .route("/{key}/{language}/p/{id}", get(provision::show))
        .route("/{key}/{language}/c/{older}/{newer}", get(compare::show))
        .route("/{key}/{language}/c/{older}/{newer}/{format}", get(compare::spreadsheet))
        .route("/{key}/{language}/i/{urn}", get(ingest::show))
        .route("/{key}/{language}/r/{urn}", get(relations::show))
        .route("/{key}/{language}/d/{name}/{view}", get(download::show))
        .fallback(async || (StatusCode::NOT_FOUND, "The explorer has no such page.\n"))
        .layer(from_fn_with_state(Arc::clone(&site), guard))
        .with_state(site)
}

/// The first page in the language that the browser prefers.
async fn first(State(site): State<Arc<Site>>, headers: HeaderMap) -> Redirect {
    let accept = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    Redirect::to(&format!("/{}/{}/", site.key, preferred(accept).language))
}

/// The style of all pages.
fn style() -> String {
    [norma_api::page::STYLE, include_str!("explorer.css"), crate::comparison::STYLE].concat()
}
