//! Commands and options of `norma` as clap reads them. [`parse()`] adds an option for each setting.

mod caller;
mod export;
mod mcp;
mod mirror;
mod parse;
mod printed;
mod review;

pub(crate) use caller::{
    CallerArguments, ContentForm, Doctor, DoctorCaller, Explore, Get, GetCommand, GetFormat, SECRET,
};
pub(crate) use export::{Export, ExportIdentity};
pub(crate) use mcp::McpArguments;
pub(crate) use mirror::{MirrorArguments, WEBHOOK_SECRET, WatchArguments};
pub(crate) use parse::{ABOUT_SETTINGS, documented, parse, variables};
pub(crate) use printed::Printed;
pub(crate) use review::{ReviewArguments, ReviewFormat};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::lineage::LineageCommand;

/// Norma: a content service for technical standards.
#[derive(Debug, Parser)]
#[command(name = "norma", version, propagate_version = true)]
#[command(after_help = "Each setting is an option of every command: `norma help settings` lists them.")]
pub(crate) struct Cli {
    /// TOML file with settings; `norma config defaults` prints one to start from.
    #[arg(long, global = true, env = "NORMA_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the API.
    Serve(Serve),
    /// Try Norma out: samples, a development provider, the service and its explorer.
    Demo(Demo),
    /// Ingest standards into the store: XML files, folders, zip packages, globs.
    Ingest(Ingest),
    /// Ingest without storing: report the diagnostics of each document.
    Check(Check),
    /// List the standards in the store.
    List(List),
    /// Show what is stored of one standard.
    Show(ShowArguments),
    /// Mark a standard as no longer in force; it stays readable.
    Withdraw(Withdraw),
    /// Bring a withdrawn or recalled standard back.
    Reinstate(One),
    /// Stop serving a standard: callers with a grant get 410 recalled.
    Recall(Recall),
    /// Remove a standard from the store.
    Remove(One),
    /// Derive stored standards again from their sources, after an upgrade.
    Rebuild(Rebuild),
    /// Delete blobs that are no longer referenced.
    Gc,
    /// Tenants whose tokens are accepted.
    #[command(subcommand)]
    Tenant(TenantCommand),
    /// Clients of a tenant.
    #[command(subcommand)]
    Client(ClientCommand),
    /// Grants: which tenant or client may discover or read which standards.
    #[command(subcommand)]
    Grant(GrantCommand),
    /// Ask the identity provider for a token, as a caller.
    Token(CallerArguments),
    /// Call the API, as a caller.
    Get(Get),
    /// Find texts in all stored standards, as an operator; or build the search index again.
    Search(crate::commands::search::SearchArguments),
    /// Show what the API answers as pages on this machine, as a caller.
    ///
    /// `--listen ADDRESS` names another loopback address than 127.0.0.1:8485. With `--store` an operator
    /// also sees what ingests found.
    Explore(Box<Explore>),
    /// Let assistants read standards: a server of the Model Context Protocol, as a caller.
    Mcp(Box<McpArguments>),
    /// Write provisions and tables, or what changed, for spreadsheets and requirement tools.
    Export(Export),
    /// Copy all standards that a caller may read into a folder, and keep the copies in step.
    Mirror(Box<MirrorArguments>),
    /// Hand on what changed since the last call to a command or an address, once; for timers.
    Watch(Box<WatchArguments>),
    /// Review documents: whether what they cite and quote of standards is true, as a caller.
    Review(Box<ReviewArguments>),
    /// Check a caller's configuration, or an installation.
    #[command(subcommand)]
    Doctor(Doctor),
    /// Report what tenants read in a month, from the audit files.
    Usage(crate::commands::usage::UsageArguments),
    /// Ask the service on this machine whether it is ready. Ends with 1 where it is not.
    Health(Health),
    /// Run the development identity provider alone.
    DevIdp(DevIdpArguments),
    /// Store: schema, sizes, copy, verification, signing key.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Settings: the values in force with their origins, and the commented defaults.
    #[command(subcommand)]
    Config(Config),
    /// Print the OpenAPI document.
    Openapi,
    /// Write the manual pages of all commands and of the settings.
    Man(Man),
    /// Print completions for a shell.
    Completions(Completions),
    /// Compare two editions: which provision became which, and what changed.
    Compare(crate::commands::compare::Compare),
    /// Lineages: which provisions of the editions of a document are the same one.
    #[command(subcommand)]
    Lineage(LineageCommand),
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// File that receives the addresses as JSON once all listeners answer, and is removed at the end. A file
    /// of an earlier run is replaced; anything else at this path is refused.
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Folder for the store and the keys of the demonstration.
    #[arg(long, value_name = "DIR", default_value = ".norma/demo")]
    pub data: PathBuf,
    /// Further STS documents, folders or packages to ingest; may be given several times.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub ingest: Vec<PathBuf>,
    /// Address of the development identity provider.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8482")]
    pub idp_listen: std::net::SocketAddr,
    /// Address of the explorer.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8485")]
    pub explorer_listen: std::net::SocketAddr,
    /// File that receives addresses, credentials and URNs as JSON once all listeners answer, and is removed
    /// at the end. A file of an earlier run is replaced; anything else at this path is refused.
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Ingest {
    /// XML files, folders, zip packages or globs.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// The URN, where the document does not state it; for one document only.
    #[arg(long, value_name = "URN")]
    pub urn: Option<norma_model::Urn>,
    /// Replace a stored document that has the same URN.
    #[arg(long)]
    pub replace: bool,
    /// Ingest unchanged documents again, and put lost or damaged blobs back.
    #[arg(long)]
    pub repair: bool,
    /// Ingest a share of the documents, such as 2/4, while other machines ingest the other shares.
    #[arg(long, value_name = "NUMBER/OF", default_value_t = norma_ingest::IngestShare::ALL, hide_default_value = true)]
    pub share: norma_ingest::IngestShare,
    /// File that receives one JSON line for each document.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub printed: Printed,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// XML files, folders, zip packages or globs.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// The URN, where the document does not state it; for one document only.
    #[arg(long, value_name = "URN")]
    pub urn: Option<norma_model::Urn>,
    /// How diagnostics are printed.
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
    /// Annotations for GitHub's checks.
    Github,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only what this tenant may see, with how far.
    #[arg(long, value_name = "ID")]
    pub tenant: Option<String>,
    /// What this client of the tenant may see: grants to all clients, and its own.
    #[arg(long, value_name = "ID", requires = "tenant")]
    pub client: Option<String>,
    #[command(flatten)]
    pub printed: Printed,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// URN of the standard.
    pub urn: norma_model::Urn,
    /// Print its provisions as well.
    #[arg(long)]
    pub provisions: bool,
    #[command(flatten)]
    pub printed: Printed,
}

#[derive(Debug, Args)]
pub(crate) struct One {
    /// URN of the standard.
    pub urn: norma_model::Urn,
}

#[derive(Debug, Args)]
pub(crate) struct Withdraw {
    /// URN of the standard.
    pub urn: norma_model::Urn,
    /// Text for callers with a grant, in metadata and lists, with the day; at most 500 characters.
    #[arg(long, value_name = "TEXT", value_parser = notice)]
    pub notice: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// URN of the standard.
    pub urn: norma_model::Urn,
    /// Reason, for the operator's records.
    #[arg(long)]
    pub reason: Option<String>,
    /// Text for callers with a grant, in the answer 410, with the day; at most 500 characters.
    #[arg(long, value_name = "TEXT", value_parser = notice)]
    pub notice: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Rebuild {
    /// All standards, not only those derived by another version. Started again after an interruption, it
    /// continues.
    #[arg(long)]
    pub all: bool,
    /// Only these.
    #[arg(value_name = "URN", conflicts_with = "all")]
    pub urns: Vec<norma_model::Urn>,
    /// Rebuild a share of the standards, such as 2/4, while other machines rebuild the other shares.
    #[arg(long, value_name = "NUMBER/OF", default_value_t = norma_ingest::IngestShare::ALL, hide_default_value = true)]
    pub share: norma_ingest::IngestShare,
    #[command(flatten)]
    pub printed: Printed,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TenantCommand {
    /// Accept tokens of a tenant of the identity provider, or of a provider of its own.
    ///
    /// The shape of its tokens follows the settings. Those given on this command line become its own:
    /// --token-types, --token-type-optional, --role-claim, --role-form, --audience, --algorithms and, with an
    /// issuer, --tenant-claim, --client-claims and --app-only.
    Add {
        /// Tenant id: a GUID at the identity provider, or with an issuer any name.
        tenant: String,
        /// Name for the operator.
        #[arg(long)]
        name: Option<String>,
        /// Issuer of its tokens, where it is not the one made from `auth-url`.
        #[arg(long, value_name = "URL")]
        issuer: Option<String>,
        /// Where its keys are published; without it the issuer's discovery document is asked.
        #[arg(long, value_name = "URL", requires = "issuer")]
        jwks_uri: Option<String>,
    },
    /// List tenants, with how many standards each may use.
    List(Printed),
    /// Remove a tenant, its grants and its suspensions.
    Remove {
        /// Tenant id.
        tenant: String,
    },
    /// Refuse its tokens until it is resumed.
    Suspend {
        /// Tenant id.
        tenant: String,
    },
    /// Accept its tokens again.
    Resume {
        /// Tenant id.
        tenant: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClientCommand {
    /// Refuse the tokens of one client.
    Suspend {
        /// Tenant id.
        tenant: String,
        /// Client id.
        client: String,
    },
    /// Accept them again.
    Resume {
        /// Tenant id.
        tenant: String,
        /// Client id.
        client: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum GrantCommand {
    /// Grant standards to a tenant or to one client of it.
    Add(GrantAdd),
    /// List grants, with how many standards each is for now.
    List {
        /// Only those of this tenant.
        #[arg(long, value_name = "ID")]
        tenant: Option<String>,
        #[command(flatten)]
        printed: Printed,
    },
    /// Remove a grant.
    Remove {
        /// Number of the grant, as `grant list` shows it.
        id: i64,
    },
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["urn", "ics"]))]
pub(crate) struct GrantAdd {
    /// Tenant id.
    pub tenant: String,
    /// Only this client of the tenant.
    #[arg(long)]
    pub client: Option<String>,
    /// URNs, or patterns with `*` as the last segment (urn:iso:std:*); may be given several times.
    #[arg(long, num_args = 1..)]
    pub urn: Vec<String>,
    /// ICS code or a prefix of it: 67 is all of 67.
    #[arg(long)]
    pub ics: Option<String>,
    /// Level of access.
    #[arg(long, value_enum, default_value_t = LevelArgument::Read)]
    pub level: LevelArgument,
    /// First day.
    #[arg(long, value_name = "DATE")]
    pub from: Option<jiff::civil::Date>,
    /// Last day.
    #[arg(long, value_name = "DATE")]
    pub until: Option<jiff::civil::Date>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelArgument {
    /// See it in the list, and its section hierarchy.
    Discover,
    /// Everything.
    Read,
}

#[derive(Debug, Args)]
pub(crate) struct DevIdpArguments {
    /// TOML file with tenants, applications and credentials.
    #[arg(long, value_name = "FILE")]
    pub idp_config: Option<PathBuf>,
    /// Address; loopback only.
    #[arg(long, value_name = "ADDRESS")]
    pub idp_listen: Option<std::net::SocketAddr>,
    /// Serve HTTPS with a certificate made at start.
    #[arg(long)]
    pub tls: bool,
    /// Print a commented configuration file and stop.
    #[arg(long)]
    pub example: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Health {
    /// Ask only whether the process answers (/livez), not whether its store does (/readyz).
    #[arg(long)]
    pub live: bool,
    /// How long the answer may take.
    #[arg(long, value_name = "DURATION", default_value = "3s")]
    pub timeout: jiff::SignedDuration,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Folder of manuals, such as /usr/local/share/man; the pages go into man1 and man5 below it.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Time whose date the pages have, in seconds since 1970; without it the present.
    #[arg(long, env = "SOURCE_DATE_EPOCH", value_name = "SECONDS")]
    pub epoch: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Make the store's schema where there is none, or migrate an older one to the version of this program.
    Migrate,
    /// Print sizes and counts.
    Stats(Printed),
    /// Copy everything into another store: editions, blobs, tenants, grants and signing keys. May be stopped
    /// and started again.
    Copy(Copy),
    /// Read every blob and compare it with its digest.
    Verify(Printed),
    /// Make a new key that signs asset URLs. Running services use it within a second; URLs signed before work
    /// until they expire, 15 minutes at most.
    RotateKey,
}

/// Two stores. Passwords are better left to PGPASSWORD and to the variables of the object stores.
#[derive(Debug, Args)]
pub(crate) struct Copy {
    /// The store to read: a file, or postgres://user@host/database.
    pub from: String,
    /// The store to write; it is made where it is missing.
    pub to: String,
    /// Where the blobs of FROM are, if not in the store itself.
    #[arg(long, value_name = "URL", default_value = "")]
    pub from_blobs: String,
    /// Where the blobs of TO are to be, if not in the store itself.
    #[arg(long, value_name = "URL", default_value = "")]
    pub to_blobs: String,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Config {
    /// Every setting with its value and where it comes from; secrets are left out.
    Dump(Printed),
    /// The commented defaults of the settings that installations set.
    Defaults {
        /// All settings, also limits and times whose defaults seldom have to change.
        #[arg(long)]
        all: bool,
    },
}

/// Longest notice to callers, in characters: it is in each row of a list.
const MAX_NOTICE: usize = 500;

/// Reads a notice to callers: one line.
fn notice(text: &str) -> Result<String, String> {
    if text.chars().any(char::is_control) {
        return Err("found a control character; write one line of text".to_owned());
    }
    let length = text.chars().count();
    if length > MAX_NOTICE {
        return Err(format!("found {length} characters; write at most {MAX_NOTICE}"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_one_line_of_limited_length() {
        assert_eq!(notice("Table 1 is wrong."), Ok("Table 1 is wrong.".to_owned()));
        assert!(notice(&"é".repeat(MAX_NOTICE)).is_ok());
        assert!(notice(&"é".repeat(MAX_NOTICE + 1)).unwrap_err().contains("501"));
        assert!(notice("Table 1\nis wrong.").unwrap_err().contains("one line"));
    }
}
