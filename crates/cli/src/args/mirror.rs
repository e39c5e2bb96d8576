//! Options of `norma mirror` and `norma watch`.

use std::path::PathBuf;

use clap::Args;

use super::CallerArguments;

/// Variable that holds the secret of a webhook where no file is named.
pub(crate) const WEBHOOK_SECRET: &str = "NORMA_WEBHOOK_SECRET";

#[derive(Debug, Args)]
#[command(after_help = "\
Each edition has a folder in DIR/standards, named by its URN with `_` for each colon: standard.json,
provisions.json, tables.json, graphics.json, content.txt, content.html, tables/ID.csv and pictures/REFERENCE.
standard.json has no `relatedEditions`: they change with other editions. Other files in DIR/standards are
removed, except those whose names begin with a dot.

Run it again, by a timer, to bring the copies to the present state. Use a client of its own for it: its requests
count in the rate and in the usage of the client that makes them; `norma get limits` prints the limits.

A run reads an edition again whose folder is missing. It does not look into files: what --check says `differs`
after a run was changed in DIR. Then remove DIR/mirror.json and run it again, which reads everything.

Exit codes: 0 the copies are current; 1 --check found differences; 2 an error, the next run goes on.

Examples:
  norma mirror copies
  norma mirror copies --check")]
pub(crate) struct MirrorArguments {
    #[command(flatten)]
    pub caller: CallerArguments,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// Folder of the copies; it is made where it is missing, for its owner alone.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Read everything again, compare it with the copies, and change none. DIR must be there.
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("delivery").required(true).args(["exec", "post"]))]
#[command(after_help = "\
The first call only notes where changes begin. Each later one hands on what changed since the call before, at
most 50 changes at a time, and notes its place after each delivery. What was not delivered comes again next
time: under the same id where nothing else changed meanwhile, otherwise under another id, with the items
of both. One call at a time may use a state: a second one ends with an error.

What is delivered is JSON: {\"type\": \"norma.changes\", \"timestamp\": …, \"data\": {\"items\": […]}}, with the items
of GET /api/content/v1/changes. A post has the headers of Standard Webhooks: webhook-id, webhook-timestamp and,
with a secret, webhook-signature.

Examples:
  norma watch --state watch.json --exec 'jq -r \".data.items[] | [.type, .urn] | @tsv\" | mail -s Standards me'
  norma watch --state watch.json --post https://hooks.example/norma --webhook-secret-file secret")]
pub(crate) struct WatchArguments {
    #[command(flatten)]
    pub caller: CallerArguments,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// File that keeps where changes go on. FILE.lock next to it is locked while a call runs.
    #[arg(long, value_name = "FILE")]
    pub state: PathBuf,
    /// Command of the shell that gets the changes on its standard input.
    #[arg(long, value_name = "CMD")]
    pub exec: Option<String>,
    /// Address that the changes are posted to: https, or http on this machine.
    #[arg(long, value_name = "URL")]
    pub post: Option<String>,
    /// File with the secret that posts are signed with (`whsec_…`); without it the variable
    /// NORMA_WEBHOOK_SECRET is read, and without both posts are not signed.
    #[arg(long, env = "NORMA_WEBHOOK_SECRET_FILE", value_name = "FILE", conflicts_with = "exec")]
    pub webhook_secret_file: Option<PathBuf>,
}
