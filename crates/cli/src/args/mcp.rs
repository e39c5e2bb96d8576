//! Options of `norma mcp`.

use clap::Args;

use super::CallerArguments;

#[derive(Debug, Args)]
#[command(after_help = "\
Over standard input and output, for a host on this machine:
  norma mcp

Over HTTP, on this machine by a key in the address, or for users of an organisation's own provider:
  norma mcp --listen 127.0.0.1:8487
  norma mcp --listen 0.0.0.0:8487 --issuer https://login.example/v2.0 --audience api://norma-mcp \\
    --public-url https://norma-mcp.example --tls-cert cert.pem --tls-key key.pem

Of the settings, --listen, --audience, --public-url, --tls-cert, --tls-key, --trusted-proxies, --rate-limit,
--rate-burst and --audit-file count where they are on the command line.")]
pub(crate) struct McpArguments {
    #[command(flatten)]
    pub caller: CallerArguments,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// Issuer of the access tokens of users, with --listen and --audience.
    #[arg(long, value_name = "URL")]
    pub issuer: Option<String>,
    /// Where the issuer's keys are published; without it, its discovery document is asked.
    #[arg(long, value_name = "URL", requires = "issuer")]
    pub jwks_uri: Option<String>,
}
