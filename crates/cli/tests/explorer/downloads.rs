//! Many downloads at once: other pages do not wait for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::support::Demo;
use super::support::wait::{DEADLINE, eventually};
use super::{ANCHORS, OLDER_ANCHORS, explore, page};

/// Exports that a person starts at once.
const EXPORTS: usize = 16;

/// A service before another one, which holds its answers to requests of comparisons.
struct HoldingService {
    url: String,
    /// Comparisons that were asked for.
    asked: Arc<AtomicUsize>,
    released: watch::Sender<bool>,
}

impl HoldingService {
    async fn before(service: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (released, _) = watch::channel(false);
        let asked = Arc::new(AtomicUsize::new(0));
        let (service, gate, count) = (service.to_owned(), released.clone(), Arc::clone(&asked));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (service, gate, count) = (service.clone(), gate.subscribe(), Arc::clone(&count));
                tokio::spawn(async move { answer(stream, &service, gate, &count).await });
            }
        });
        Self { url, asked, released }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// Answers the one request of a connection as the service does.
async fn answer(
    mut stream: TcpStream,
    service: &str,
    mut released: watch::Receiver<bool>,
    asked: &AtomicUsize,
) {
    let mut lines = BufReader::new(&mut stream).lines();
    let mut head = Vec::new();
    while let Ok(Some(line)) = lines.next_line().await {
        if line.is_empty() {
            break;
        }
        head.push(line);
    }
    let Some(target) = head.first().and_then(|line| line.split(' ').nth(1)) else { return };
    if target.contains("/comparison?") {
        asked.fetch_add(1, Ordering::SeqCst);
        released.wait_for(|is_released| *is_released).await.unwrap();
    }
    let token = head.iter().find_map(|line| line.strip_prefix("authorization: ")).unwrap_or_default();
    let request = reqwest::Client::new().get(format!("{service}{target}")).header(AUTHORIZATION, token);
    let answer = request.send().await.unwrap();
    let (status, media) = (answer.status(), answer.headers()[CONTENT_TYPE].to_str().unwrap().to_owned());
    let body = answer.bytes().await.unwrap();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {media}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_exports_of_a_comparison_do_not_delay_the_list() {
    let demo = Demo::start(&[]).await;
    let service = HoldingService::before(demo.ready["baseUrl"].as_str().unwrap()).await;
    let explorer = explore(&demo, &service.url);
    let export = format!("{}en/c/{OLDER_ANCHORS}/{ANCHORS}/csv", explorer.url);
    let mut exports = JoinSet::new();
    for _ in 0..EXPORTS {
        let answer = demo.http.get(&export).send();
        exports.spawn(async move { answer.await.unwrap().status().as_u16() });
    }
    eventually(DEADLINE, async || match service.asked() {
        0 | 1 => Err("no comparison is asked for".to_owned()),
        _ => Ok(()),
    })
    .await;
    // No comparison is answered, and the list is.
    let list = tokio::time::timeout(DEADLINE, page(&demo, &explorer.url)).await;
    let (status, text) = list.expect("the list waits for the exports");
    assert!(status.is_success() && text.contains("NSB 4210:2025"), "{text}");
    assert!(exports.try_join_next().is_none() && service.asked() < 4, "{} calls are taken", service.asked());
    service.released.send_replace(true);
    assert_eq!(exports.join_all().await, [200; EXPORTS]);
}
