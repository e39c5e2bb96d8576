//! Options of `norma export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::CallerArguments;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  norma export urn:nsb:std:nsb:4210 --type requirement --output requirements.xlsx
  norma export urn:nsb:std:nsb:4210:ed-2:en '4.2;table:1' --format csv
  norma export --filter publisher=NSB --filter edition=latest --output all.xlsx
  norma export --compare urn:nsb:std:nsb:4210:ed-1:en urn:nsb:std:nsb:4210:ed-2:en --output changes.xlsx
  norma export urn:nsb:std:nsb:4210 --identity lineage --state 4210.state --output 4210.reqifz")]
pub(crate) struct Export {
    #[command(flatten)]
    pub caller: CallerArguments,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// URNs of standards, then perhaps a selection of each: 4.2 or "table:2;term:3.1".
    #[arg(value_name = "URN… [SELECTION]", required_unless_present_any = ["filter", "compare"])]
    pub names: Vec<String>,
    /// Without URNs: the standards that you may read and that the list finds, for example publisher=NSB
    /// edition=latest. With --compare: only what fits, for example changed=strength. May be given several
    /// times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub filter: Vec<String>,
    /// Only provisions of this type: requirement, recommendation, permission… Several with commas between
    /// them.
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',')]
    pub types: Vec<String>,
    /// What ids name: those of provisions and sections of one edition, or those that new editions keep.
    #[arg(long, value_enum, default_value_t = ExportIdentity::Provision)]
    pub identity: ExportIdentity,
    /// With --identity lineage and a format of requirements: file with the ids of sections, terms, tables and
    /// pictures, which is read, completed and written.
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// In a format of requirements, also standards that you may only discover: their headings, without text.
    #[arg(long)]
    pub headings: bool,
    /// What changed between two editions, a row for each item of their comparison; in oscal and reqif the
    /// mapping of the older provisions to the newer ones.
    #[arg(
        long,
        num_args = 2,
        value_names = ["OLDER", "NEWER"],
        conflicts_with_all = ["names", "types", "identity", "state", "headings"]
    )]
    pub compare: Option<Vec<String>>,
    /// csv, xlsx, reqif, reqifz, needs, doorstop, oscal or ciso [default: that of the extension of --output].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// File that receives the result, instead of standard output; it appears whole or not at all.
    /// A symbolic link is followed; a device, pipe or socket is written to.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportIdentity {
    /// The provision in its edition.
    Provision,
    /// The lineage, which is the same in all editions.
    Lineage,
}
