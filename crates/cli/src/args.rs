//! What was typed: the commands and options of `norma`, before anything is made of them.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use norma_service::config::keys;
use norma_service::terminal::escaped;

use crate::print;

/// Norma: a content service for technical standards.
#[derive(Debug, Parser)]
#[command(name = "norma", version, propagate_version = true)]
pub(crate) struct Typed {
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
    /// Try Norma out: samples, a development identity provider and the service in one process.
    Demo(Demo),
    /// Take standards into the store: XML files, folders, zip packages, globs.
    Ingest(Ingest),
    /// Do all of ingest but store: report what is flawed, and where.
    Check(Check),
    /// List the standards in the store.
    List(List),
    /// Show what is stored of one standard.
    Show(One),
    /// Mark a standard as no longer in force; it is still served.
    Withdraw(One),
    /// Bring a withdrawn or recalled standard back.
    Reinstate(One),
    /// Stop serving a standard: callers with a grant are told that it was recalled.
    Recall(Recall),
    /// Take a standard out of the store.
    Remove(One),
    /// Derive stored standards again from their sources, after an upgrade.
    Rebuild(Rebuild),
    /// Delete blobs that nothing refers to and that nobody used for the time of --gc-grace-period.
    Gc,
    /// Tenants whose tokens are accepted.
    #[command(subcommand)]
    Tenant(Tenant),
    /// Clients of a tenant.
    #[command(subcommand)]
    Client(Client),
    /// Grants: which tenant or client sees and reads which standards.
    #[command(subcommand)]
    Grant(Grant),
    /// Ask the identity provider for a token, as a caller.
    Token(Caller),
    /// Call the API, as a caller.
    Get(Get),
    /// Find out what is wrong with a caller's configuration, or with an installation.
    #[command(subcommand)]
    Doctor(Doctor),
    /// Run the development identity provider alone.
    DevIdp(DevIdp),
    /// The store itself.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Settings: the values in force with their origins, and the commented defaults.
    #[command(subcommand)]
    Config(Config),
    /// Print the OpenAPI document.
    Openapi,
    /// Measure the provision rules against gold files, or the comparison of editions against known pairs.
    Eval(Eval),
    /// Compare two editions: which unit of the older one became which of the newer one.
    Compare(Compare),
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// File that receives the addresses as JSON once all listeners answer.
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Folder for the store and the keys of the demonstration.
    #[arg(long, value_name = "DIR", default_value = ".norma/demo")]
    pub data: PathBuf,
    /// Further STS documents, folders or packages to take in; may be given several times.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub ingest: Vec<PathBuf>,
    /// Address of the development identity provider.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8482")]
    pub idp_listen: std::net::SocketAddr,
    /// File that receives addresses, credentials and URNs as JSON once all listeners answer.
    #[arg(long, value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Ingest {
    /// XML files, folders, zip packages or globs.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// The URN, where the document cannot tell it; for one document only.
    #[arg(long, value_name = "URN")]
    pub urn: Option<norma_model::Urn>,
    /// Let a document take the place of another one with the same URN.
    #[arg(long)]
    pub replace: bool,
    /// Take documents in again that are there unchanged, and put back what the store lost of them.
    #[arg(long)]
    pub repair: bool,
    /// File that receives one JSON line for each document.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Print the report as JSON lines instead of a table.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// XML files, folders, zip packages or globs.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// The URN, where the document cannot tell it; for one document only.
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
    /// Print JSON lines.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct One {
    /// URN of the standard.
    pub urn: norma_model::Urn,
}

#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// URN of the standard.
    pub urn: norma_model::Urn,
    /// Why; kept for the operator's records.
    #[arg(long)]
    pub reason: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Rebuild {
    /// All standards, not only those derived by another version. Started again after a stop, it goes on.
    #[arg(long)]
    pub all: bool,
    /// Only these.
    #[arg(value_name = "URN", conflicts_with = "all")]
    pub urns: Vec<norma_model::Urn>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tenant {
    /// Accept tokens of a tenant of the identity provider, or of a provider of its own.
    ///
    /// What its tokens look like is as the settings say. Those given on this command line become its own:
    /// --token-types, --token-type-optional, --role-claim, --audience, --algorithms and, with an issuer,
    /// --tenant-claim and --client-claims.
    Add {
        /// Tenant id: a GUID at the identity provider, or with an issuer any name.
        tenant: String,
        /// What the operator calls it.
        #[arg(long)]
        name: Option<String>,
        /// Issuer of its tokens, where it is not the one made from `auth-url`.
        #[arg(long, value_name = "URL")]
        issuer: Option<String>,
        /// Where its keys are published; without it the issuer's discovery document is asked.
        #[arg(long, value_name = "URL", requires = "issuer")]
        jwks_uri: Option<String>,
    },
    /// List tenants.
    List,
    /// Forget a tenant, its grants and its suspended clients.
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
pub(crate) enum Client {
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
pub(crate) enum Grant {
    /// Give a tenant, or one client of it, standards.
    Add(GrantAdd),
    /// List grants.
    List {
        /// Only those of this tenant.
        #[arg(long)]
        tenant: Option<String>,
    },
    /// Take a grant back.
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
    /// What may be done.
    #[arg(long, value_enum, default_value_t = Level::Read)]
    pub level: Level,
    /// First day.
    #[arg(long, value_name = "DATE")]
    pub from: Option<jiff::civil::Date>,
    /// Last day.
    #[arg(long, value_name = "DATE")]
    pub until: Option<jiff::civil::Date>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// See it in the list, and its section hierarchy.
    Discover,
    /// Everything.
    Read,
}

/// Who calls, and whom. A secret is never an argument: it comes from a file or the environment.
#[derive(Debug, Args)]
pub(crate) struct Caller {
    /// Base URL of the identity provider.
    #[arg(long, env = "NORMA_AUTH_URL", value_name = "URL")]
    pub authority: String,
    /// The caller's own tenant.
    #[arg(long, env = "NORMA_TENANT_ID", value_name = "ID")]
    pub tenant: String,
    /// Client id of the caller's own app registration.
    #[arg(long, env = "NORMA_CLIENT_ID", value_name = "ID")]
    pub client_id: String,
    /// File with the client secret; without it the variable NORMA_CLIENT_SECRET is read.
    #[arg(long, env = "NORMA_CLIENT_SECRET_FILE", value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// PEM file with certificate and private key, instead of a secret.
    #[arg(long, env = "NORMA_CLIENT_CERTIFICATE", value_name = "FILE", conflicts_with = "secret_file")]
    pub certificate: Option<PathBuf>,
    /// Application ID URI of the service API, followed by /.default.
    #[arg(long, env = "NORMA_SCOPE", value_name = "SCOPE")]
    pub scope: String,
    /// PEM file with a further root certificate to trust.
    #[arg(long, env = "NORMA_CA_FILE", value_name = "FILE")]
    pub ca_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Get {
    #[command(flatten)]
    pub caller: Caller,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// How answers are printed.
    #[arg(long, global = true, value_enum, default_value_t = GetFormat::Json)]
    pub format: GetFormat,
    #[command(subcommand)]
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GetFormat {
    /// All of it, indented.
    Json,
    /// The main members, for people.
    Table,
}

/// Other forms than JSON in which content can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Plain text.
    Text,
    /// The source document as it came in.
    Xml,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Doctor {
    /// For a caller: try client id, tenant, scope, credential and URLs against provider and service.
    Caller(Box<DoctorCaller>),
    /// For an operator: look at settings, store, blobs, tenants, and the keys and clock of each provider.
    Operator {
        /// How findings are printed.
        #[arg(long, value_enum, default_value_t = DoctorFormat::Text)]
        format: DoctorFormat,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DoctorCaller {
    #[command(flatten)]
    pub caller: Caller,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// Client id of the service API, only to see that it is not used as the caller's.
    #[arg(long, env = "NORMA_SERVICE_CLIENT_ID", value_name = "ID")]
    pub service_client_id: Option<String>,
    /// How findings are printed.
    #[arg(long, value_enum, default_value_t = DoctorFormat::Text)]
    pub format: DoctorFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoctorFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum What {
    /// Standards that the caller sees; parameters of the list as `name=value`.
    Standards {
        /// For example q=rice limit=10.
        #[arg(value_name = "NAME=VALUE")]
        parameters: Vec<String>,
    },
    /// A complete standard.
    Standard {
        /// URN of the standard.
        urn: String,
    },
    /// Metadata, provisions, terms and graphics.
    Metadata {
        /// URN of the standard.
        urn: String,
    },
    /// The section hierarchy.
    Sections {
        /// URN of the standard.
        urn: String,
    },
    /// Section content in order.
    Content {
        /// URN of the standard.
        urn: String,
        /// Only this section and what is under it, by number or id.
        #[arg(long)]
        section: Option<String>,
        /// As plain text or as the source document instead of JSON.
        #[arg(long = "as", value_enum)]
        form: Option<Form>,
    },
    /// Provisions, all or a selection.
    Provisions {
        /// URN of the standard.
        urn: String,
        /// For example 4.2 or "table:2;term:3.1".
        selection: Option<String>,
        /// Only those that fit, for example type=requirement or normative=true; may be given several times.
        #[arg(long, value_name = "NAME=VALUE")]
        filter: Vec<String>,
    },
    /// One provision in context.
    Provision {
        /// Id of the provision.
        id: String,
    },
    /// Terms.
    Terms {
        /// URN of the standard.
        urn: String,
    },
    /// Graphics.
    Graphics {
        /// URN of the standard.
        urn: String,
    },
    /// Resolve asset references; with --output the bytes of the one reference are fetched into a file. Ends with 1 when
    /// a reference cannot be resolved.
    Asset {
        /// URN of the standard.
        urn: String,
        /// References to graphics.
        #[arg(required = true)]
        references: Vec<String>,
        /// File for the bytes; with one reference only.
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// The knowledge graph (preview), in JSON-LD.
    Graph {
        /// URN of the standard.
        urn: String,
        /// In Turtle instead.
        #[arg(long)]
        turtle: bool,
    },
    /// The limits in force.
    Limits,
}

#[derive(Debug, Args)]
pub(crate) struct DevIdp {
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

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Make the store's schema where there is none.
    Migrate,
    /// Sizes and counts.
    Stats,
    /// Copy everything into another store: editions, blobs, tenants, grants and signing keys. May be stopped and
    /// started again.
    Copy(Copy),
    /// Read every blob and compare it with its digest.
    Verify,
    /// Make a new key that signs asset URLs. Running services use it within a second; URLs signed before work until they
    /// expire, 15 minutes at most.
    RotateKey,
}

/// Two stores. Passwords are better left to PGPASSWORD and to the variables of the object stores.
#[derive(Debug, Args)]
pub(crate) struct Copy {
    /// The store to read: a file, or postgres://user@host/database.
    pub from: String,
    /// The store to write; it is made where it is missing.
    pub to: String,
    /// Where the blobs of FROM lie, when they lie apart from it.
    #[arg(long, value_name = "URL", default_value = "")]
    pub from_blobs: String,
    /// Where the blobs of TO shall lie, when not in it.
    #[arg(long, value_name = "URL", default_value = "")]
    pub to_blobs: String,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Config {
    /// Every setting with its value and where it comes from; secrets are left out.
    Dump,
    /// The commented defaults.
    Defaults,
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// Gold files (JSON Lines).
    #[arg(required_unless_present = "pairs", value_name = "GOLD")]
    pub files: Vec<PathBuf>,
    /// File of units with the true links between them; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub pairs: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// File with the units of both editions: `{"a": [unit], "b": [unit]}`; see docs/compare.md.
    #[arg(long, value_name = "FILE")]
    pub units: PathBuf,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = CompareFormat::Json)]
    pub format: CompareFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// One JSON object.
    Json,
}

/// Reads the command line. Each setting is an option of each command, made from the commented defaults.
pub(crate) fn read() -> (Typed, Vec<(String, String)>) {
    let mut command = Typed::command();
    for key in keys() {
        let argument = Arg::new(key.name.clone())
            .long(key.name.clone())
            .value_name("VALUE")
            .help(format!("{} [{}]", key.doc, key.variable()))
            .help_heading("Settings")
            .hide_short_help(true)
            .global(true);
        command = command.arg(argument);
    }
    let matches = command.clone().try_get_matches().unwrap_or_else(|error| {
        // The message quotes what was typed in several lines: it is made again from arguments without line ends.
        let harmless = std::env::args_os().map(|typed| escaped(&typed.to_string_lossy()).into_owned());
        stop(&command.try_get_matches_from(harmless).err().unwrap_or(error))
    });
    let typed = Typed::from_arg_matches(&matches).unwrap_or_else(|error| stop(&error));
    (typed, settings(&matches))
}

/// Ends with the help that was asked for, or with what was wrong with the command line, which may quote anything.
fn stop(error: &clap::Error) -> ! {
    if error.use_stderr() {
        print::notes(error.to_string().trim_end());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// The settings given on the command line, by key, wherever they stand in it.
fn settings(matches: &ArgMatches) -> Vec<(String, String)> {
    let mut deepest = matches;
    while let Some((_, inner)) = deepest.subcommand() {
        deepest = inner;
    }
    let given = |key: &str| deepest.try_get_one::<String>(key).ok().flatten().cloned();
    keys().into_iter().filter_map(|key| given(&key.name).map(|value| (key.name, value))).collect()
}
