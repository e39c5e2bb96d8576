//! Server of the explorer: listener and routes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE};
use axum::middleware::from_fn_with_state;
use axum::response::Redirect;
use axum::routing::{MethodRouter, get};
use norma_client::ClientBuilder;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::calls::Service;
use crate::frame::no_page;
use crate::guard::{self, guard};
use crate::ingests::ReadIngestReport;
use crate::pages::{check, compare, download, figure, home, ingest, provision, relations, search, standard};
use crate::phrases::preferred;
use crate::print;
use crate::visit::{Site, Visit};

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
    /// Where colleagues open pages of an explorer, for links that are copied:
    /// `https://norma.example/explorer`.
    pub link_base: Option<String>,
    /// Reads reports on ingests from an operator's store; absent for other callers.
    pub read_ingest_report: Option<ReadIngestReport>,
    /// The time, of which the present day is needed.
    pub clock: fn() -> SystemTime,
}

/// Error of starting the explorer.
#[derive(Debug, thiserror::Error)]
pub enum ExplorerError {
    /// The address is not a loopback address.
    #[error("the explorer listens on loopback addresses only, found `{0}`: use 127.0.0.1 and a port")]
    NotLoopback(SocketAddr),
    /// The base of links is not an address that a browser opens.
    #[error("expected a base of links that begins with `http://` or `https://`, found `{0}`")]
    LinkBase(String),
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
    /// Listens on the address of the options and serves pages there.
    ///
    /// # Errors
    /// See [`ExplorerError`].
    pub async fn start(options: ExplorerOptions) -> Result<Self, ExplorerError> {
        let ExplorerOptions {
            listen,
            client,
            service,
            tenant,
            client_id,
            featured,
            link_base,
            read_ingest_report,
            clock,
        } = options;
        if !listen.ip().is_loopback() {
            return Err(ExplorerError::NotLoopback(listen));
        }
        if let Some(base) = &link_base
            && !["http://", "https://"].iter().any(|scheme| base.starts_with(scheme))
        {
            return Err(ExplorerError::LinkBase(base.clone()));
        }
        let service = Service::new(client, service)?;
        let listener =
            TcpListener::bind(listen).await.map_err(|error| ExplorerError::Listen(listen, error))?;
        let host = listener.local_addr().map_err(|error| ExplorerError::Listen(listen, error))?.to_string();
        let key = guard::key();
        let url = format!("http://{host}/{key}/");
        let link_base = link_base.map(|base| base.trim_end_matches('/').to_owned());
        let site =
            Site { host, key, service, tenant, client_id, featured, link_base, read_ingest_report, clock };
        let app = router(Arc::new(site));
        // It serves until the task is aborted; an error of one connection does not end it.
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap_or_default() });
        Ok(Self { url, task })
    }

    /// The address of the first page, with the key that each request has to name.
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
    Router::new()
        .route("/{key}", get(first))
        .route("/{key}/", get(first))
        .route("/{key}/explorer.css", file("text/css", style()))
        .route("/{key}/print.css", get(print::style))
        .route("/{key}/explorer.js", file("text/javascript", include_str!("explorer.js").to_owned()))
        .route("/{key}/comparison.js", file("text/javascript", crate::comparison::SCRIPT.to_owned()))
        .route("/{key}/icon.svg", file("image/svg+xml", include_str!("icon.svg").to_owned()))
        .route("/{key}/figure/{urn}/{id}", get(figure::show))
        .route("/{key}/{language}/", get(home::show))
        .route("/{key}/{language}/search", get(search::show))
        .route("/{key}/{language}/check", get(check::show).post(check::review))
        .route("/{key}/{language}/s/{urn}", get(standard::show))
        .route("/{key}/{language}/p/{id}", get(provision::show))
        .route("/{key}/{language}/c/{older}/{newer}", get(compare::show))
        .route("/{key}/{language}/c/{older}/{newer}/{format}", get(compare::spreadsheet))
        .route("/{key}/{language}/i/{urn}", get(ingest::show))
        .route("/{key}/{language}/r/{urn}", get(relations::show))
        .route("/{key}/{language}/d/{name}/{view}", get(download::show))
        .fallback(async |visit: Visit| no_page(&visit))
        .layer(from_fn_with_state(Arc::clone(&site), guard))
        .with_state(site)
}

/// The route of a text that is the same in all languages.
fn file(media: &'static str, text: String) -> MethodRouter<Arc<Site>> {
    get(move || async move { ([(CONTENT_TYPE, media)], text) })
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;
    use crate::visit::tests::{SERVICE, client};

    fn options(listen: &str) -> ExplorerOptions {
        ExplorerOptions {
            listen: listen.parse().unwrap(),
            client: client(),
            service: SERVICE.to_owned(),
            tenant: "tenant-1".to_owned(),
            client_id: "client-1".to_owned(),
            featured: None,
            link_base: None,
            read_ingest_report: None,
            clock: || SystemTime::UNIX_EPOCH,
        }
    }

    async fn start(listen: &str) -> Result<Explorer, ExplorerError> {
        Explorer::start(options(listen)).await
    }

    /// The whole answer for a path after the key, as it comes over the connection.
    async fn get(explorer: &Explorer, path: &str, languages: &str) -> String {
        let (host, key) = explorer.url().strip_prefix("http://").unwrap().split_once('/').unwrap();
        let head = format!("GET /{key}{path} HTTP/1.1\r\nHost: {host}\r\nAccept-Language: {languages}");
        let mut connection = TcpStream::connect(host).await.unwrap();
        connection.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn each_file_of_the_pages_has_its_media_type_and_the_headers_of_the_guard() {
        let explorer = start("127.0.0.1:0").await.unwrap();
        for (path, media) in [
            ("explorer.css", "text/css"),
            ("explorer.js", "text/javascript"),
            ("comparison.js", "text/javascript"),
            ("icon.svg", "image/svg+xml"),
            ("en/search", "text/html; charset=utf-8"),
        ] {
            let answer = get(&explorer, path, "en").await;
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{path}: {answer}");
            assert!(answer.contains(&format!("\r\ncontent-type: {media}\r\n")), "{path}: {answer}");
            assert!(answer.contains("\r\ncontent-security-policy: default-src 'none';"), "{path}: {answer}");
            assert!(answer.contains("\r\ncache-control: no-store\r\n"), "{path}: {answer}");
        }
    }

    #[tokio::test]
    async fn the_first_page_is_in_the_language_of_the_browser_and_other_paths_have_no_page() {
        let explorer = start("127.0.0.1:0").await.unwrap();
        let first = get(&explorer, "", "fr-CH, en;q=0.5").await;
        assert!(first.starts_with("HTTP/1.1 303 "), "{first}");
        let path = explorer.url().rsplit_once(':').unwrap().1.split_once('/').unwrap().1;
        assert!(first.contains(&format!("\r\nlocation: /{path}fr/\r\n")), "{first}");
        for path in ["en/nothing", "xx/", "explorer.html", "en/c/urn:x"] {
            let answer = get(&explorer, path, "en").await;
            assert!(answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
            assert!(answer.contains(crate::phrases::words("en").unwrap().no_page), "{path}: {answer}");
        }
        let german = get(&explorer, "xx/", "de").await;
        assert!(german.contains(crate::phrases::words("de").unwrap().no_page), "{german}");
    }

    #[tokio::test]
    async fn a_page_says_in_its_language_that_the_service_cannot_be_reached() {
        let explorer = start("127.0.0.1:0").await.unwrap();
        let answer = get(&explorer, "de/s/urn:nsb:std:nsb:4210:ed-2:en", "en").await;
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        let words = crate::phrases::words("de").unwrap();
        assert!(answer.contains(words.away) && answer.contains(words.retry), "{answer}");
        assert!(answer.contains("<code>tenant-1</code>"), "{answer}");
    }

    #[tokio::test]
    async fn a_base_of_links_that_a_browser_does_not_open_is_refused() {
        let refused = Explorer::start(ExplorerOptions {
            link_base: Some("javascript:alert(1)".to_owned()),
            ..options("127.0.0.1:0")
        });
        assert!(matches!(refused.await.unwrap_err(), ExplorerError::LinkBase(_)));
    }

    #[tokio::test]
    async fn an_address_that_other_machines_reach_is_refused() {
        for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.1:8000"] {
            let refused = start(listen).await.unwrap_err();
            assert!(matches!(refused, ExplorerError::NotLoopback(_)), "{listen}: {refused}");
        }
    }
}
