//! Reverse proxies before the service: requests with bodies that it does not read take no instance out of service, and the answers
//! of the service arrive. `script/test` installs the proxies; one that is not there is named, and nothing is proved of it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use support::wait::eventually;
use support::{DEADLINE, Demo};

/// A proxy that runs until this is dropped.
struct Proxy {
    name: &'static str,
    url: String,
    child: Child,
    _folder: tempfile::TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Each proxy in front of the same service twice, so that it has another instance to try, with bodies of up to 10 MB.
const CONFIGURATIONS: [(&str, &str, &[&str], &str); 3] = [
    (
        "nginx",
        "/usr/sbin/nginx",
        &["-p", ".", "-e", "error.log", "-g", "daemon off; master_process off;", "-c"],
        "pid nginx.pid; error_log error.log; events {}
        http {
            access_log off;
            client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;
            upstream norma { server SERVICE; server SERVICE; keepalive 16; }
            server {
                listen 127.0.0.1:PORT;
                client_max_body_size 10m;
                location / {
                    proxy_pass http://norma;
                    proxy_http_version 1.1;
                    proxy_set_header Connection \"\";
                    proxy_set_header Host $http_host;
                }
            }
        }",
    ),
    (
        "haproxy",
        "/usr/sbin/haproxy",
        &["-db", "-f"],
        "defaults
            mode http
            timeout connect 2s
            timeout client 60s
            timeout server 60s
        frontend callers
            bind 127.0.0.1:PORT
            default_backend norma
        backend norma
            server one SERVICE
            server two SERVICE\n",
    ),
    (
        "apache2",
        "/usr/sbin/apache2",
        &["-D", "FOREGROUND", "-d", ".", "-f"],
        "ServerName localhost
        Listen 127.0.0.1:PORT
        PidFile apache.pid
        ErrorLog error.log
        LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
        LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
        LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
        LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
        ProxyPass / http://SERVICE/ retry=0
        ProxyPreserveHost on\n",
    ),
];

async fn start(
    (name, program, arguments, configuration): (&'static str, &str, &[&str], &str),
    service: &str,
) -> Option<Proxy> {
    if !Path::new(program).exists() {
        eprintln!("{name} is absent: nothing is proved of it");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    // Proxies that are started as root give up their rights, and still read what is here.
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let text = configuration.replace("SERVICE", service).replace("PORT", &port.to_string());
    let file = folder.path().join("proxy.conf");
    std::fs::write(&file, text).unwrap();
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    let child = Command::new(program)
        .args(arguments)
        .arg(&file)
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap();
    let proxy = Proxy { name, url: format!("http://127.0.0.1:{port}"), child, _folder: folder };
    let http = reqwest::Client::new();
    let docs = format!("{}/docs", proxy.url);
    eventually(DEADLINE, async || match http.get(&docs).send().await {
        Ok(answer) if answer.status() == 200 => Ok(()),
        other => Err(format!("{name}: {other:?}")),
    })
    .await;
    Some(proxy)
}

/// Sends `count` requests with bodies of 1 KB to 5 MB and no token; gives how many of the answers were not the service's 401.
async fn flood(url: &str, count: usize) -> usize {
    let sizes = [1_000, 60_000, 900_000, 5_000_000];
    let mut lost = 0;
    for number in 0..count {
        // A client of its own each: a connection that was closed causes no second try.
        let http = reqwest::Client::new();
        let body = vec![b'x'; sizes[number % sizes.len()]];
        let path = ["/api/content/v1/standards", "/api/content/v1/limits"][number % 2];
        let answer = http.get(format!("{url}{path}")).body(body).send().await;
        let is_right = answer.as_ref().is_ok_and(|answer| answer.status() == 401);
        if !is_right {
            eprintln!("request {number}: {answer:?}");
            lost += 1;
        }
    }
    lost
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_nobody_reads_take_the_service_from_nobody_behind_a_proxy() {
    // All requests come from one address: the proxies' and the test's.
    let demo = Demo::start(&["--refused-limit", "10000"]).await;
    let service = demo.ready["baseUrl"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
    let caller = demo.caller().await;
    for configuration in CONFIGURATIONS {
        let Some(proxy) = start(configuration, &service).await else { continue };
        let flooding = tokio::spawn({
            let url = proxy.url.clone();
            async move { flood(&url, 48).await }
        });
        let (mut reads, mut failed) = (0, Vec::new());
        while !flooding.is_finished() || reads < 50 {
            let read =
                demo.http.get(format!("{}/api/content/v1/limits", proxy.url)).bearer_auth(caller.token());
            match read.send().await {
                Ok(answer) if answer.status() == 200 => {}
                other => failed.push(format!("{other:?}")),
            }
            reads += 1;
        }
        assert!(failed.is_empty(), "{}: {} of {reads} reads failed: {failed:?}", proxy.name, failed.len());
        let lost = flooding.await.unwrap();
        eprintln!("{}: 0 of {reads} reads failed, {lost} of 48 early answers were lost", proxy.name);
        assert_eq!(lost, 0, "{}", proxy.name);
    }
}
