//! A stop: clients are asked to use another instance while they are still served, and no request is lost.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::world::{World, eventually};

/// Sends one request and reads one answer without a body: its head, in lower case.
async fn exchange(socket: &mut TcpStream) -> std::io::Result<String> {
    socket.write_all(b"HEAD /docs HTTP/1.1\r\nHost: n\r\n\r\n").await?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if socket.read_buf(&mut head).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(String::from_utf8_lossy(&head).to_lowercase())
}

/// Sends one request on a new HTTP/2 connection, and waits for the end of that connection.
async fn asked_over_http_2(
    address: SocketAddr,
) -> (u16, tokio::task::JoinHandle<Result<(), h2::Error>>, h2::client::SendRequest<bytes::Bytes>) {
    let socket = TcpStream::connect(address).await.unwrap();
    let (client, connection) = h2::client::handshake(socket).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut client = client.ready().await.unwrap();
    let request = axum::http::Request::head("http://n/docs").body(()).unwrap();
    let answer = client.send_request(request, true).unwrap().0.await.unwrap();
    (answer.status().as_u16(), connection, client)
}

#[tokio::test(flavor = "multi_thread")]
async fn while_it_drains_it_is_not_ready_and_answers_and_asks_clients_to_go() {
    let world = World::new().await;
    let service = world.start_with(&[("drain-time", "4s")]).await;
    let (address, ready) = (service.address, format!("http://{}/readyz", service.ops_address));
    assert_eq!(reqwest::get(&ready).await.unwrap().status(), 200);
    let mut idle = TcpStream::connect(address).await.unwrap();
    assert!(!exchange(&mut idle).await.unwrap().contains("connection: close"));
    let (status, ended, _client) = asked_over_http_2(address).await;
    assert_eq!(status, 200);

    let stopping = tokio::spawn(service.stop());
    eventually("it is not ready any more", async || {
        (reqwest::get(&ready).await.unwrap().status() == 503).then_some(())
    })
    .await;
    // The old connection of HTTP/2 is ended by GOAWAY, one that comes now after its first request.
    ended.await.unwrap().unwrap();
    let (status, ended, _client) = asked_over_http_2(address).await;
    assert_eq!(status, 200);
    ended.await.unwrap().unwrap();
    for mut socket in [idle, TcpStream::connect(address).await.unwrap()] {
        assert!(exchange(&mut socket).await.unwrap().contains("connection: close"));
        assert_eq!(socket.read(&mut [0; 16]).await.unwrap(), 0);
    }
    stopping.await.unwrap();
    assert_eq!(TcpStream::connect(address).await.unwrap_err().kind(), ErrorKind::ConnectionRefused);
    world.stop().await;
}

/// Repeats requests until a balancer has noticed that the service stops, each on a new connection, or on one
/// as long as the service keeps it open. Returns the number of answers; `lost` counts requests without one.
async fn ask_until_noticed(
    address: SocketAddr,
    keep: bool,
    noticed: Arc<AtomicBool>,
    lost: Arc<AtomicUsize>,
) -> usize {
    let mut answered = 0;
    while !noticed.load(Ordering::Relaxed) {
        let mut socket = TcpStream::connect(address).await.unwrap();
        loop {
            match exchange(&mut socket).await {
                Ok(head) => {
                    answered += 1;
                    if !keep || head.contains("connection: close") {
                        break;
                    }
                }
                Err(_) => {
                    lost.fetch_add(1, Ordering::Relaxed);
                    break;
                }
            }
        }
    }
    answered
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_is_lost_over_stops_under_load() {
    let world = World::new().await;
    for _ in 0..4 {
        let service = world.start_with(&[("drain-time", "2s")]).await;
        let (lost, noticed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let clients: Vec<_> = (0..12)
            .map(|n| {
                let (noticed, lost) = (noticed.clone(), lost.clone());
                tokio::spawn(ask_until_noticed(service.address, n % 2 == 0, noticed, lost))
            })
            .collect();
        let (base, is_noticed) = (service.public_url.clone(), noticed.clone());
        // This client tries again only what the service said it did not take (RFC 9113, section 6.8).
        let over_http_2 = tokio::spawn(async move {
            let client = reqwest::Client::builder().http2_prior_knowledge().build().unwrap();
            while !is_noticed.load(Ordering::Relaxed) {
                let answer = client.get(format!("{base}/docs")).send().await.unwrap();
                drop(answer.bytes().await.unwrap());
            }
        });
        let ready = format!("http://{}/readyz", service.ops_address);
        let stopping = tokio::spawn(service.stop());
        // As a balancer does, which gives a stopping instance no new connection.
        eventually("it is not ready any more", async || {
            (reqwest::get(&ready).await.unwrap().status() == 503).then_some(())
        })
        .await;
        noticed.store(true, Ordering::Relaxed);
        for client in clients {
            assert!(client.await.unwrap() > 0);
        }
        over_http_2.await.unwrap();
        stopping.await.unwrap();
        assert_eq!(lost.load(Ordering::Relaxed), 0, "requests were lost");
    }
    world.stop().await;
}
