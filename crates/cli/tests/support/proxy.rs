//! A proxy between Norma and an engine, which makes connections fail like networks and servers do.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The fault of connections, also of open ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// Nothing.
    None,
    /// They are closed at once.
    Down,
    /// They are accepted, but not answered.
    Unanswered,
    /// Each answer begins this much later.
    Slow(Duration),
    /// Each request over HTTP is answered with status 500.
    Failing,
    /// They are cut after this many bytes of answers.
    Cut(usize),
}

/// It listens on a port of its own.
pub struct Proxy {
    pub port: u16,
    fault: watch::Sender<Fault>,
    taken: Arc<Mutex<u64>>,
}

impl Proxy {
    pub async fn to(host: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (fault, faults) = watch::channel(Fault::None);
        let (host, taken) = (host.to_owned(), Arc::new(Mutex::new(0)));
        let count = Arc::clone(&taken);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                *count.lock().unwrap() += 1;
                let (host, faults) = (host.clone(), faults.clone());
                tokio::spawn(async move { drop(serve(socket, &host, faults).await) });
            }
        });
        Self { port, fault, taken }
    }

    /// From now on.
    pub fn set(&self, fault: Fault) {
        self.fault.send_replace(fault);
    }

    /// Connections that were taken so far.
    pub fn taken(&self) -> u64 {
        *self.taken.lock().unwrap()
    }
}

/// Serves a connection with the present fault; it ends when the fault changes.
async fn serve(mut socket: TcpStream, host: &str, mut faults: watch::Receiver<Fault>) -> std::io::Result<()> {
    let fault = *faults.borrow_and_update();
    let served = async {
        match fault {
            Fault::Down => Ok(()),
            Fault::Unanswered => std::future::pending().await,
            Fault::Failing => {
                let mut head = [0; 4096];
                let _ = socket.read(&mut head).await?;
                let answer =
                    "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                socket.write_all(answer.as_bytes()).await
            }
            Fault::None => relay(&mut socket, host, Duration::ZERO, usize::MAX).await,
            Fault::Slow(wait) => relay(&mut socket, host, wait, usize::MAX).await,
            Fault::Cut(most) => relay(&mut socket, host, Duration::ZERO, most).await,
        }
    };
    tokio::select! {
        done = served => done,
        _ = faults.changed() => Ok(()),
    }
}

/// Relays both directions at once; answers wait, and end after `most` bytes.
async fn relay(socket: &mut TcpStream, host: &str, wait: Duration, most: usize) -> std::io::Result<()> {
    let mut server = TcpStream::connect(host).await?;
    let (mut from_client, mut to_client) = socket.split();
    let (mut from_server, mut to_server) = server.split();
    let requests = async {
        tokio::io::copy(&mut from_client, &mut to_server).await?;
        to_server.shutdown().await
    };
    let answers = async {
        let (mut sent, mut bytes) = (0, vec![0; 16 * 1024]);
        loop {
            let read = from_server.read(&mut bytes).await?;
            if read == 0 || sent >= most {
                return Ok(());
            }
            tokio::time::sleep(wait).await;
            let part = read.min(most - sent);
            to_client.write_all(&bytes[..part]).await?;
            sent += part;
        }
    };
    tokio::select! {
        done = answers => done,
        Err(error) = requests => Err(error),
    }
}
