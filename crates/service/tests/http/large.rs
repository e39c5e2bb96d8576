//! Composed views above 1 MiB: sent in gzip while they are made.

use std::io::Read;

use flate2::bufread::GzDecoder;
use futures::future::join_all;
use norma_api::Operation;
use reqwest::header;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::answers::ask;
use crate::memory::{LARGE, MEMORY, with_large_standard};
use crate::world::World;

/// The composed views, with their media types.
fn composed() -> [(String, &'static str); 4] {
    let path = |operation: Operation| operation.path_with(&[LARGE]);
    [
        (path(Operation::Standard), "application/json"),
        (path(Operation::Content), "text/plain"),
        (path(Operation::KnowledgeGraph), "application/ld+json"),
        (path(Operation::KnowledgeGraph), "text/turtle"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn large_composed_views_are_one_gzip_member_of_the_identity_bytes() {
    let world = with_large_standard(200, &[]).await;
    for (path, media) in composed() {
        let gzip = [(header::ACCEPT, media), (header::ACCEPT_ENCODING, "gzip")];
        let plain = ask(&world, &path, &gzip[..1]).await;
        let (plain_tag, plain) = (plain.headers()[header::ETAG].clone(), plain.bytes().await.unwrap());
        assert!(plain.len() > 1 << 20, "{path} {media}: {} bytes", plain.len());
        let answer = ask(&world, &path, &gzip).await;
        let headers = answer.headers().clone();
        assert_eq!(headers[header::CONTENT_ENCODING], "gzip", "{path} {media}");
        assert_eq!(headers.get(header::CONTENT_LENGTH), None);
        assert_ne!(headers[header::ETAG], plain_tag);
        let body = answer.bytes().await.unwrap();
        assert!(body.len() < plain.len() * 3 / 4, "{path} {media}: {} of {}", body.len(), plain.len());
        let (mut member, mut decoded) = (GzDecoder::new(&body[..]), Vec::new());
        member.read_to_end(&mut decoded).unwrap();
        assert!(decoded == plain && member.into_inner().is_empty(), "{path} {media}");
        // The same head for HEAD, and no body for a tag that is known.
        let url = format!("{}{path}", world.running.public_url);
        let head = world.http.head(&url).bearer_auth(world.reader());
        let head = gzip.iter().fold(head, |head, (name, value)| head.header(name, *value));
        let head = head.send().await.unwrap();
        for name in [header::ETAG, header::CONTENT_ENCODING, header::CONTENT_TYPE, header::VARY] {
            assert_eq!(head.headers().get(&name), headers.get(&name), "{path} {media}");
        }
        assert_eq!(head.headers().get(header::CONTENT_LENGTH), None);
        let tag = headers[header::ETAG].to_str().unwrap();
        let known = [gzip[0].clone(), gzip[1].clone(), (header::IF_NONE_MATCH, tag)];
        assert_eq!(ask(&world, &path, &known).await.status(), 304, "{path} {media}");
    }
    world.stop().await;
}

/// Requests a path in a coding and reads the first byte of the answer; the client's kernel holds a part of
/// it.
pub(crate) async fn begin(world: &World, path: &str, coding: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 << 10).unwrap();
    let mut stream = socket.connect(world.running.address).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: n\r\nAuthorization: Bearer {}\r\nAccept-Encoding: {coding}\r\nConnection: close\r\n\r\n",
        world.reader()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(stream.read_u8().await.unwrap(), b'H');
    stream
}

/// Reads the rest, and returns the number of bytes.
async fn finish(mut stream: TcpStream) -> usize {
    let (mut sum, mut buffer) = (0, [0; 16 << 10]);
    loop {
        match stream.read(&mut buffer).await.unwrap() {
            0 => return sum,
            read => sum += read,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_readers_of_large_views_in_gzip_hold_at_most_256_kib_each() {
    const READERS: usize = 40;
    let settings = [
        ("max-bytes-in-flight", "256MiB"),
        ("response-cache", "0B"),
        ("cache-size", "0B"),
        ("write-timeout", "60s"),
        ("store-timeout", "60s"),
        ("request-timeout", "60s"),
    ];
    let world = with_large_standard(120, &settings).await;
    let (path, _) = &composed()[0];
    let mut taken = Vec::new();
    for coding in ["gzip", "identity", "gzip"] {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let readers = join_all((0..READERS).map(|_| begin(&world, path, coding))).await;
        let sizes = join_all(readers.into_iter().map(finish)).await;
        assert!(sizes.iter().all(|&size| size > 1 << 19), "{sizes:?}");
        taken.push((MEMORY.peak_usage() - before) / READERS);
    }
    eprintln!("bytes of memory a reader: {taken:?}");
    assert!(taken[2] <= 256 << 10, "{taken:?}");
    world.stop().await;
}
