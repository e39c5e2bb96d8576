//! Options of the commands that call a service, and of `norma doctor`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use norma_api::query::AskedRevision;

use super::printed::Printed;

/// Variable that holds the secret where no file is named; a secret is never an argument.
pub(crate) const SECRET: &str = "NORMA_CLIENT_SECRET";

/// Identity and credential of the caller. A secret is never an argument: it comes from a file or the
/// environment.
#[derive(Debug, Args)]
pub(crate) struct CallerArguments {
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
    pub caller: CallerArguments,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// How answers are printed.
    #[arg(long, global = true, value_enum, default_value_t = GetFormat::Json)]
    pub format: GetFormat,
    #[command(subcommand)]
    pub resource: GetCommand,
}

#[derive(Debug, Args)]
pub(crate) struct Explore {
    #[command(flatten)]
    pub caller: CallerArguments,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// Where colleagues open pages of an explorer. Links that are copied begin with it.
    #[arg(long, env = "NORMA_LINK_BASE", value_name = "URL")]
    pub link_base: Option<String>,
    /// Open the first page in the browser.
    #[arg(long)]
    pub open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GetFormat {
    /// Indented JSON.
    Json,
    /// Tables of the main members.
    Table,
    /// One table of a standard as CSV.
    Csv,
    /// The content of a standard as one HTML file.
    Html,
}

/// Formats of content other than JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentForm {
    /// Plain text.
    Text,
    /// The source document as it was ingested.
    Xml,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Doctor {
    /// Test a caller's client id, tenant, scope, credential and URLs against provider and service.
    Caller(Box<DoctorCaller>),
    /// Check an installation: settings, certificates, files, disk, audit, backup, store, tenants, grants,
    /// keys and clock.
    Operator(Printed),
}

#[derive(Debug, Args)]
pub(crate) struct DoctorCaller {
    #[command(flatten)]
    pub caller: CallerArguments,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// Client id of the service API, to check that it is not used as the caller's.
    #[arg(long, env = "NORMA_SERVICE_CLIENT_ID", value_name = "ID")]
    pub service_client_id: Option<String>,
    #[command(flatten)]
    pub printed: Printed,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GetCommand {
    /// Standards visible to the caller; parameters of the list as `name=value`.
    Standards {
        /// For example q=rice limit=10.
        #[arg(value_name = "NAME=VALUE")]
        parameters: Vec<String>,
    },
    /// What changed since a cursor; without one, the cursor to begin with.
    Changes {
        /// `next` of an answer before.
        since: Option<String>,
        /// Most changes of the answer.
        #[arg(long, value_name = "NUMBER")]
        limit: Option<u32>,
    },
    /// What a search finds in all texts that the caller may read.
    Search {
        /// Words, in any form; with `"a phrase"`, `-excluded` or `prefix*`, all as one argument.
        words: String,
        /// Parameters of the search, for example type=requirement limit=5.
        #[arg(value_name = "NAME=VALUE")]
        parameters: Vec<String>,
    },
    /// A complete standard.
    Standard {
        /// URN of the standard.
        urn: String,
        /// Only these members, for example metadata,sections.
        #[arg(long)]
        fields: Option<String>,
    },
    /// Metadata, provisions, terms and graphics.
    Metadata {
        /// URN of the standard.
        urn: String,
        /// Only these members, for example metadata,ics,relations.
        #[arg(long)]
        fields: Option<String>,
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
        form: Option<ContentForm>,
    },
    /// Provisions, all or a selection.
    Provisions {
        /// URN of the standard.
        urn: String,
        /// For example 4.2 or "table:2;term:3.1".
        selection: Option<String>,
        /// Filter, for example type=requirement or normative=true; may be given several times.
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
    /// Tables, all or one.
    Tables {
        /// URN of the standard.
        urn: String,
        /// Id or number of a table, for example 1 or A.2.
        table: Option<String>,
    },
    /// Graphics.
    Graphics {
        /// URN of the standard.
        urn: String,
    },
    /// What an amendment or corrigendum changes.
    Instructions {
        /// URN of the amendment.
        urn: String,
    },
    /// Comparison with another edition, older or newer.
    Comparison {
        /// URN of one edition.
        urn: String,
        /// URN of the other edition.
        #[arg(long, value_name = "URN")]
        with: String,
        /// Revision of the other edition, or a day, which means the first revision of that day; then it may
        /// be the same edition.
        #[arg(long, value_name = "REVISION")]
        with_revision: Option<AskedRevision>,
        /// Only what fits, for example relation=new or changed=strength, and include=text; may be given
        /// several times.
        #[arg(long, value_name = "NAME=VALUE")]
        filter: Vec<String>,
    },
    /// What became of provisions in an edition.
    Migrate {
        /// URN of the edition.
        urn: String,
        /// Ids of provisions or lineages; with --from also labels of that edition.
        #[arg(required = true)]
        ids: Vec<String>,
        /// URN of the edition that labels are of, or whose member of a lineage is compared.
        #[arg(long, value_name = "URN")]
        from: Option<String>,
        /// Revision of that edition, or else of this one, that ids and labels are of; or a day, which means
        /// the first revision of that day.
        #[arg(long, value_name = "REVISION")]
        from_revision: Option<AskedRevision>,
        /// With the texts of the provisions.
        #[arg(long)]
        text: bool,
    },
    /// Where printed citations lead. Ends with 1 when one of them is not resolved.
    Cite {
        /// Citations, for example "NSB 4210:2025, 4.2(1)"; without any, each line of standard input is one.
        citations: Vec<String>,
        /// URN of the standard that citations without a document are of.
        #[arg(long)]
        urn: Option<String>,
        /// Day whose editions count, for example 2024-06-30.
        #[arg(long, value_name = "DATE")]
        at: Option<String>,
    },
    /// Whether quotations are true. Ends with 1 when one of them is not.
    Verify {
        /// Quotations; without any, standard input is one.
        quotations: Vec<String>,
        /// URN of the standard that they are from.
        #[arg(long)]
        urn: Option<String>,
        /// Citation of where they are from, for example "NSB 4210:2025, 4.2(1)".
        #[arg(long, conflicts_with = "id")]
        citation: Option<String>,
        /// Id of the provision, section, table or term that they are from.
        #[arg(long)]
        id: Option<String>,
        /// Day whose editions count, for example 2024-06-30.
        #[arg(long, value_name = "DATE")]
        at: Option<String>,
    },
    /// Resolve asset references; with --output the bytes of the one reference are fetched into a file. Ends
    /// with 1 when a reference cannot be resolved.
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
