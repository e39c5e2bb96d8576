//! Reverse proxies from Debian packages, each with the same service as two instances, so that it can try the
//! other one.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};

use crate::support::wait::eventually;
use crate::support::{DEADLINE, free_port};

/// Requests with bodies that the service does not read, of 1 KB to 5 MB.
pub(crate) const REQUESTS: usize = 50;

/// A proxy that runs until this is dropped.
pub(crate) struct Proxy {
    pub(crate) url: String,
    children: Vec<Child>,
    _folder: tempfile::TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        for child in &mut self.children {
            // Programs with processes of their own end these when they are asked to end.
            drop(Command::new("kill").arg(child.id().to_string()).status());
            drop(child.wait());
        }
    }
}

/// The arrangement in front of and behind a proxy. Its configuration has lines that begin with the words of a
/// case, as in `#tls listen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// The service twice.
    Plain,
    /// The same with TLS on both sides of the proxy, if it speaks TLS to a service.
    Tls,
    /// As `Plain`, with the setting by which the proxy accepts large heads.
    Large,
    /// An instance that breaks requests off, and the service.
    Breaking(SocketAddr),
    /// The same, with the setting by which the proxy sends such a request to the other instance.
    Retrying(SocketAddr),
}

impl Case {
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Plain => &["plain", "whole"],
            Self::Tls => &["tls", "whole"],
            Self::Large => &["plain", "whole", "large"],
            Self::Breaking(_) => &["plain", "breaking"],
            Self::Retrying(_) => &["plain", "breaking", "retrying"],
        }
    }

    /// A line of configuration without the word in front; `None` if it is for other cases.
    fn line(self, line: &str) -> Option<&str> {
        let word = line.trim_start().strip_prefix('#').and_then(|rest| rest.split_once(' '));
        match word {
            Some((word, rest)) if !word.is_empty() => self.words().contains(&word).then_some(rest),
            _ => Some(line),
        }
    }
}

/// A proxy's program, its arguments and its configuration.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    path: &'static str,
    arguments: &'static str,
    configuration: &'static str,
    /// Whether it speaks TLS to the service if its callers use TLS.
    pub(crate) reaches_tls: bool,
    /// Most early answers to [`REQUESTS`] that may be lost between proxy and caller. Caddy closes connections
    /// whose body it does not read to its end, and half of these bodies are large.
    pub(crate) may_lose: usize,
}

/// All that are tested. `script/test` installs the first three, `script/test-deploy` the others.
pub(crate) const PROGRAMS: [Program; 6] = [
    Program {
        name: "nginx",
        path: "/usr/sbin/nginx",
        arguments: "-p . -e error.log -c FILE",
        configuration: include_str!("nginx.conf"),
        reaches_tls: true,
        may_lose: 0,
    },
    Program {
        name: "haproxy",
        path: "/usr/sbin/haproxy",
        arguments: "-db -f FILE",
        configuration: include_str!("haproxy.conf"),
        reaches_tls: true,
        may_lose: 0,
    },
    Program {
        name: "apache2",
        path: "/usr/sbin/apache2",
        arguments: "-D FOREGROUND -d . -f FILE",
        configuration: include_str!("apache2.conf"),
        reaches_tls: true,
        may_lose: 0,
    },
    Program {
        name: "caddy",
        path: "/usr/bin/caddy",
        arguments: "run --adapter caddyfile --config FILE",
        configuration: include_str!("caddy.conf"),
        reaches_tls: true,
        may_lose: REQUESTS / 2,
    },
    Program {
        name: "lighttpd",
        path: "/usr/sbin/lighttpd",
        arguments: "-D -f FILE",
        configuration: include_str!("lighttpd.conf"),
        reaches_tls: false,
        may_lose: 0,
    },
    Program {
        name: "varnish",
        path: "/usr/sbin/varnishd",
        arguments: "-F -n FILE.work -s malloc,32m -a 127.0.0.1:INNER -f FILE",
        configuration: include_str!("varnishd.conf"),
        reaches_tls: false,
        may_lose: 0,
    },
];

/// The TLS terminator that Varnish needs.
const HITCH: Program = Program {
    name: "hitch",
    path: "/usr/sbin/hitch",
    arguments: "--frontend=[127.0.0.1]:PORT --backend=[127.0.0.1]:INNER --user=nobody both.pem",
    configuration: "",
    reaches_tls: false,
    may_lose: 0,
};

/// The service's addresses, and the certificate and key of it and of the proxies, in one PEM file.
pub(crate) struct Service {
    pub(crate) plain: SocketAddr,
    pub(crate) secure: SocketAddr,
    pub(crate) pem: String,
}

impl Program {
    fn is_here(&self) -> bool {
        let is_here = Path::new(self.path).exists();
        if !is_here {
            eprintln!("{} is absent: nothing is proved about it", self.name);
        }
        is_here
    }

    /// Starts it before the service. `None` where it is not installed.
    pub(crate) async fn start(&self, service: &Service, case: Case) -> Option<Proxy> {
        let tls = case == Case::Tls;
        let has_own_tls = self.name != "varnish";
        if !self.is_here() || (tls && !has_own_tls && !HITCH.is_here()) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        // Proxies that are started as root give up their rights, and still read what is here.
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        let port = free_port();
        let inner = if tls { free_port() } else { port };
        let file = folder.path().join("proxy.conf");
        let address = if tls { service.secure } else { service.plain };
        let breaking = match case {
            Case::Breaking(address) | Case::Retrying(address) => address,
            _ => address,
        };
        let filled = |text: &str| {
            text.replace("BREAKING", &breaking.to_string())
                .replace("SERVICE", &address.to_string())
                .replace("PLAIN", &service.plain.port().to_string())
                .replace("SECURE", &service.secure.port().to_string())
                .replace("PORT", &port.to_string())
                .replace("INNER", &inner.to_string())
                .replace("FILE", &file.display().to_string())
        };
        let line = |line| case.line(line).map(|line| filled(line) + "\n");
        std::fs::write(&file, self.configuration.lines().filter_map(line).collect::<String>()).unwrap();
        std::fs::write(folder.path().join("both.pem"), &service.pem).unwrap();
        let start = |program: &Program| {
            let log = std::fs::File::create(folder.path().join(format!("{}.log", program.name))).unwrap();
            Command::new(program.path)
                .args(filled(program.arguments).split(' '))
                .current_dir(&folder)
                .env("HOME", folder.path())
                .stdout(log.try_clone().unwrap())
                .stderr(log)
                .spawn()
                .unwrap()
        };
        let mut children = vec![start(self)];
        if tls && !has_own_tls {
            children.push(start(&HITCH));
        }
        let scheme = if tls { "https" } else { "http" };
        let proxy = Proxy { url: format!("{scheme}://127.0.0.1:{port}"), children, _folder: folder };
        let docs = format!("{}/docs", proxy.url);
        eventually(DEADLINE, async || match client().get(&docs).send().await {
            Ok(answer) if answer.status() == 200 => Ok(()),
            other => Err(format!("{}: {other:?}", self.name)),
        })
        .await;
        Some(proxy)
    }
}

/// A client that trusts the certificate of the test, with connections of its own.
pub(crate) fn client() -> reqwest::Client {
    reqwest::Client::builder().danger_accept_invalid_certs(true).build().unwrap()
}
