//! `norma mcp`: a server of the Model Context Protocol, as a caller.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_mcp::{AuditSink, HttpServer, HttpServerOptions, Server, UserAccess, serve_stdio};
use norma_settings::{Layers, SettingOrigin, Settings};

use super::{StopSignal, caller};
use crate::args::McpArguments;
use crate::{clock, print};

/// Requests of a user in a second, in the long run, where the command line has no other number.
const CALLS_PER_SECOND: u32 = 5;

/// Requests of a user at once, likewise.
const BURST: u32 = 50;

pub(crate) async fn run(layers: &Layers, options: McpArguments) -> anyhow::Result<ExitCode> {
    let stop = StopSignal::new()?;
    let McpArguments { caller, base_url, issuer, jwks_uri } = options;
    let audit = if is_flag(layers, "audit-file") {
        let settings = crate::settings::checked(layers)?;
        AuditSink::file(Path::new(&settings.log.audit_file))?
    } else {
        AuditSink::standard_error()
    };
    let server = Server::new(caller::builder(caller, &base_url)?, audit, clock::now)?;
    if is_flag(layers, "listen") {
        let settings = crate::settings::checked(layers)?;
        let users = match issuer {
            Some(issuer) => Some(user_access(layers, &settings, issuer, jwks_uri)?),
            None => None,
        };
        return listen(server, http_options(layers, settings, users), stop).await;
    }
    if issuer.is_some() {
        bail!("`--issuer` is for users over HTTP: give `--listen ADDRESS` as well");
    }
    converse(server, stop).await
}

/// True for a setting of the command line. Settings of a service on the same machine do not count here.
fn is_flag(layers: &Layers, name: &str) -> bool {
    matches!(layers.origin(name), Some(SettingOrigin::Flag))
}

/// Answers the host that started the program, until it closes a pipe.
async fn converse(server: Server, mut stop: StopSignal) -> anyhow::Result<ExitCode> {
    tokio::select! {
        ended = serve_stdio(server) => {
            ended?;
            Ok(ExitCode::SUCCESS)
        }
        // A read of standard input that is not a pipe cannot be interrupted: the runtime would wait for it.
        () = stop.came() => std::process::exit(0),
    }
}

async fn listen(
    server: Server,
    options: HttpServerOptions,
    mut stop: StopSignal,
) -> anyhow::Result<ExitCode> {
    let running = HttpServer::start(server, options)?;
    print::line(format!("Connect: {}", running.url()));
    stop.came().await;
    Ok(ExitCode::SUCCESS)
}

fn http_options(layers: &Layers, settings: Settings, users: Option<UserAccess>) -> HttpServerOptions {
    let http = settings.http;
    let tls = if is_flag(layers, "tls-cert") || is_flag(layers, "tls-key") {
        Some((http.tls_cert.into(), http.tls_key.into()))
    } else {
        None
    };
    HttpServerOptions {
        listen: http.listen,
        users,
        tls,
        trusted_proxies: if is_flag(layers, "trusted-proxies") { http.trusted_proxies } else { Vec::new() },
        public_url: if is_flag(layers, "public-url") { Some(http.public_url) } else { None },
        clock: clock::now,
    }
}

/// Whose tokens are accepted. The form of tokens follows the settings of identity.
fn user_access(
    layers: &Layers,
    settings: &Settings,
    issuer: String,
    jwks_uri: Option<String>,
) -> anyhow::Result<UserAccess> {
    if !is_flag(layers, "audience") {
        bail!(
            "give `--audience` with `--issuer`: the audience of tokens for this server, which no other has"
        );
    }
    let identity = &settings.identity;
    let extra_root = match identity.auth_ca.as_str() {
        "" => None,
        path => Some(std::fs::read(path).with_context(|| format!("`--auth-ca`: cannot read {path}"))?),
    };
    let limits = &settings.limits;
    Ok(UserAccess {
        issuer,
        jwks_uri,
        audiences: identity.audience.clone(),
        algorithms: identity.algorithms.clone(),
        token_types: identity.token_types.clone(),
        client_claims: identity.client_claims.clone(),
        clock_skew: identity.clock_skew.std(),
        extra_root,
        calls_per_second: if is_flag(layers, "rate-limit") { limits.rate_limit } else { CALLS_PER_SECOND },
        burst: if is_flag(layers, "rate-burst") { limits.rate_burst } else { BURST },
    })
}
