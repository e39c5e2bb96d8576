//! Connections: those that send nothing, receive nothing or are too many are closed, and the others are not
//! affected.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use norma_api::Operation;
use norma_api::openapi::DOCS_SCRIPT_PATH;
use norma_service::server::RunningService;
use tokio::io::{AsyncReadExt, AsyncWriteExt, Interest};
use tokio::net::TcpStream;

use crate::sockets::{trusting_tls, write_certificate};
use crate::world::{self, World, eventually};

/// An HTTP/2 preface with an empty SETTINGS frame (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// A PING frame (section 6.7).
const PING: &[u8] = b"\0\0\x08\x06\0\0\0\0\0norma-01";
/// GET / on stream 1, with fields of HPACK's static table and `:authority: n` (RFC 7541, section 6).
const GET: &[u8] = b"\0\0\x06\x01\x05\0\0\0\x01\x82\x86\x84\x41\x01n";

/// Time for events that are quick on the slowest machine, and never happen if there is a defect.
const DEADLINE: Duration = Duration::from_secs(30);

/// Sends `first`, then `again` every few milliseconds, until the other side closes; returns all received
/// bytes.
async fn until_closed<S>(mut socket: S, first: &[u8], again: &[u8]) -> Vec<u8>
where
    S: AsyncReadExt + AsyncWriteExt + Unpin,
{
    let (began, mut said) = (Instant::now(), Vec::new());
    let mut ticks = tokio::time::interval(Duration::from_millis(20));
    drop(socket.write_all(first).await);
    loop {
        assert!(began.elapsed() < DEADLINE, "{first:?} is still connected; it received {said:?}");
        tokio::select! {
            read = socket.read_buf(&mut said) => if !matches!(read, Ok(1..)) { return said },
            _ = ticks.tick() => drop(socket.write_all(again).await),
        }
    }
}

fn http_1(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: n\r\n\r\n").into_bytes()
}

/// The sum of a metric, from the operator's listener.
async fn metric(service: &RunningService, name: &str) -> u64 {
    let text = reqwest::get(format!("http://{}/metrics", service.ops_address)).await.unwrap();
    let text = text.text().await.unwrap();
    let lines = text.lines().filter(|line| line.starts_with(name));
    lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_without_a_request_is_closed_whatever_it_began_with() {
    let world = World::with(&[("header-timeout", "300ms")]).await;
    let long: &[u8] = b"GET /docs HTTP/1.1\r\nHost: n\r\nX-";
    for (first, again) in [
        (&b""[..], &b""[..]),
        (b"P", b""),
        (b"PRI * HTT", b""),
        (PREFACE, b""),
        (PREFACE, PING),
        (b"GET ", b""),
        (long, b"a"),
    ] {
        let socket = TcpStream::connect(world.running.address).await.unwrap();
        let said = until_closed(socket, first, again).await;
        assert!(!said.starts_with(b"HTTP/1.1 2"), "{first:?}");
    }
    // A request that has an answer does not save a connection whose next head does not end.
    let socket = TcpStream::connect(world.running.address).await.unwrap();
    let said = until_closed(socket, &[&http_1("/docs")[..], long].concat(), b"a").await;
    assert!(said.starts_with(b"HTTP/1.1 200 "));
    let socket = TcpStream::connect(world.running.ops_address).await.unwrap();
    until_closed(socket, b"", b"").await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn over_tls_a_handshake_that_does_not_end_and_one_without_a_request_are_closed() {
    let world = World::new().await;
    write_certificate(world.folder.path());
    let file = |name: &str| world.folder.path().join(name).display().to_string();
    let own = [("tls-cert", &*file("cert.pem")), ("tls-key", &file("key.pem")), ("header-timeout", "300ms")];
    let service = world.start_with(&own).await;
    // The beginning of a ClientHello of 512 bytes (RFC 8446, section 5.1).
    for first in [&b""[..], b"\x16\x03\x01\x02\0"] {
        let socket = TcpStream::connect(service.address).await.unwrap();
        assert_eq!(until_closed(socket, first, b"").await, b"");
    }
    for (alpn, first, again) in [
        (&b"http/1.1"[..], &b""[..], &b""[..]),
        (b"h2", b"", b""),
        (b"h2", b"PRI * HTT", b""),
        (b"h2", PREFACE, PING),
    ] {
        let socket = TcpStream::connect(service.address).await.unwrap();
        let name = rustls::pki_types::ServerName::IpAddress(service.address.ip().into());
        let socket = trusting_tls(world.folder.path(), alpn).connect(name, socket).await.unwrap();
        until_closed(socket, first, again).await;
    }
    service.stop().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_idle_after_a_request_is_closed_though_pings_come() {
    let world = World::with(&[("idle-timeout", "300ms")]).await;
    let open = async || TcpStream::connect(world.running.address).await.unwrap();
    let said = until_closed(open().await, &http_1("/docs"), b"").await;
    assert!(said.starts_with(b"HTTP/1.1 200 "));
    let said = until_closed(open().await, &[PREFACE, GET].concat(), PING).await;
    // GOAWAY (RFC 9113, section 6.8): a frame of eight bytes or more, type 7, stream 0.
    assert!(said.windows(6).any(|w| w == [7, 0, 0, 0, 0, 0]), "{said:?}");
    world.stop().await;
}

/// Connects and asks once; whether there was an answer. The connection stays open with the socket.
async fn connect_and_ask(address: SocketAddr) -> Option<TcpStream> {
    let mut socket = TcpStream::connect(address).await.ok()?;
    socket.write_all(&http_1("/nothing")).await.ok()?;
    let mut answer = [0; 13];
    socket.read_exact(&mut answer).await.ok()?;
    assert_eq!(&answer, b"HTTP/1.1 404 ");
    Some(socket)
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_beyond_the_limits_are_closed_immediately_and_those_of_the_operator_stay() {
    let world = World::with(&[("max-connections-per-address", "2")]).await;
    let address = world.running.address;
    // If tests share a process, their services share counts.
    let before = metric(&world.running, "norma_connections_refused_total").await;
    let (one, two) = (connect_and_ask(address).await, connect_and_ask(address).await);
    assert!(one.is_some() && two.is_some());
    assert!(connect_and_ask(address).await.is_none(), "there is a third from one address");
    assert!(connect_and_ask(world.running.ops_address).await.is_some());
    assert_eq!(metric(&world.running, "norma_connections_refused_total").await, before + 1);
    drop(one);
    eventually("a connection is accepted again", async || connect_and_ask(address).await).await;

    // A trusted proxy has as many as there are.
    let own =
        [("max-connections", "3"), ("max-connections-per-address", "2"), ("trusted-proxies", "127.0.0.1")];
    let service = world.start_with(&own).await;
    let held = [
        connect_and_ask(service.address).await,
        connect_and_ask(service.address).await,
        connect_and_ask(service.address).await,
    ];
    assert!(held.iter().all(Option::is_some));
    assert!(connect_and_ask(service.address).await.is_none(), "there is a fourth connection");
    assert!(connect_and_ask(service.ops_address).await.is_some());
    drop(held);
    service.stop().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_has_so_many_requests_in_flight_and_other_clients_have_theirs() {
    let world = World::with(&[("max-requests-per-client", "1")]).await;
    let path = Operation::ResolveAssets.path_with(&[world::READ]);
    let body = br#"{"assetReference":"fig_1a"}"#;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: n\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
        world.reader(),
        body.len()
    );
    let mut socket = TcpStream::connect(world.running.address).await.unwrap();
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut waiting = [0; 25];
    socket.read_exact(&mut waiting).await.unwrap();
    let limits = Operation::Limits.path();
    let refused = world.get(limits).send().await.unwrap();
    assert_eq!((refused.status().as_u16(), &refused.headers()["retry-after"]), (429, &"1".parse().unwrap()));
    assert_eq!(world.ask(Operation::Limits, limits, Some(&world.stranger())).await.0, 200);
    socket.write_all(body).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    for _ in 0..20 {
        assert_eq!(world.get(limits).send().await.unwrap().status(), 200);
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_does_not_read_is_cut_off() {
    let world = World::with(&[("write-timeout", "300ms")]).await;
    let before = metric(&world.running, "norma_connections_cut_total").await;
    let mut socket = TcpStream::connect(world.running.address).await.unwrap();
    // More than what the kernels of both sides keep of one connection.
    let requests = http_1(DOCS_SCRIPT_PATH).repeat(40);
    socket.write_all(&requests).await.unwrap();
    // The count may be of another service's connection; the error is of this one.
    let closed = tokio::time::timeout(DEADLINE, socket.ready(Interest::ERROR)).await;
    closed.expect("the connection is closed although the client does not read").unwrap();
    eventually("the connection is counted", async || {
        (metric(&world.running, "norma_connections_cut_total").await > before).then_some(())
    })
    .await;
    let mut taken = Vec::new();
    assert!(socket.read_to_end(&mut taken).await.is_err(), "the connection ends as if all had been sent");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_gets_all_of_it() {
    let world = World::with(&[("write-timeout", "300ms"), ("idle-timeout", "300ms")]).await;
    let mut socket = TcpStream::connect(world.running.address).await.unwrap();
    let head = format!("GET {DOCS_SCRIPT_PATH} HTTP/1.1\r\nHost: n\r\nConnection: close\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    let (mut taken, mut pace) = (Vec::new(), tokio::time::interval(Duration::from_millis(20)));
    let mut piece = vec![0; 64 * 1024];
    loop {
        pace.tick().await;
        match socket.read(&mut piece).await.unwrap() {
            0 => break,
            size => taken.extend_from_slice(&piece[..size]),
        }
    }
    let whole = reqwest::get(format!("{}{DOCS_SCRIPT_PATH}", world.running.public_url)).await.unwrap();
    assert!(taken.ends_with(&whole.bytes().await.unwrap()));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_gets_no_window_is_reset_and_its_connection_goes_on() {
    let world = World::with(&[("write-timeout", "300ms")]).await;
    for window in [0, 1, 20_000] {
        let socket = TcpStream::connect(world.running.address).await.unwrap();
        let builder = h2::client::Builder::new().initial_window_size(window).clone();
        let (client, connection) = builder.handshake::<_, bytes::Bytes>(socket).await.unwrap();
        let connection = tokio::spawn(connection);
        let mut client = client.ready().await.unwrap();
        let ask = |client: &mut h2::client::SendRequest<bytes::Bytes>, path: &str| {
            let request = axum::http::Request::get(format!("http://n{path}")).body(()).unwrap();
            client.send_request(request, true).unwrap().0
        };
        let answer = ask(&mut client, DOCS_SCRIPT_PATH).await.unwrap();
        let mut body = answer.into_body();
        let mut taken = 0;
        let end = loop {
            match tokio::time::timeout(DEADLINE, body.data()).await.expect("the stream is kept") {
                // Received bytes do not extend the window.
                Some(Ok(data)) => taken += data.len(),
                Some(Err(error)) => break error,
                None => panic!("all of it came through a window of {window}"),
            }
        };
        assert!(end.is_reset() && taken == window as usize, "{end} after {taken}");
        assert_eq!(ask(&mut client, "/nothing").await.unwrap().status(), 404);
        assert_eq!(client.current_max_send_streams(), 100);
        drop((client, body));
        connection.await.unwrap().unwrap();
    }
    world.stop().await;
}
