//! `norma token` and `norma get`: calls of a caller, from the command line.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_api::query::{ChangesQuery, ComparisonQuery, ContentQuery, MigrateQuery};
use norma_api::shapes::{MigrateRequest, ResolveItem, SentQuotation};
use norma_api::{Media, Operation};
use norma_client::{Client, ClientBuilder, Credential};
use norma_model::lineage::Asked;
use serde_json::Value;

use super::quoted::{cite, verify};
use super::{content_html, tables, write_shared};
use crate::args::{self, ContentForm, GetCommand, GetFormat, SECRET};
use crate::print;

pub(crate) async fn token(options: args::CallerArguments) -> anyhow::Result<ExitCode> {
    // No call is made to the service, so its address does not matter.
    print::line(client(options, "http://127.0.0.1")?.token().await?);
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn get(options: args::Get) -> anyhow::Result<ExitCode> {
    check_format(&options)?;
    let format = options.format;
    let client = client(options.caller, &options.base_url)?;
    let request = match options.resource {
        GetCommand::Asset { urn, references, output } => {
            return asset(&client, &urn, &references, output.as_deref(), format).await;
        }
        GetCommand::Cite { citations, urn, at } => return cite(&client, citations, (urn, at), format).await,
        GetCommand::Verify { quotations, urn, citation, id, at } => {
            let source = SentQuotation { urn, citation, id, ..SentQuotation::default() };
            return verify(&client, quotations, (source, at), format).await;
        }
        GetCommand::Migrate { urn, ids, from, from_revision, text } => {
            let query = MigrateQuery { from, from_revision, text };
            return migrate(&client, &urn, ids, &query, format).await;
        }
        GetCommand::Comparison { urn, with, with_revision, mut filter } => {
            filter.extend(with_revision.map(|revision| format!("withRevision={revision}")));
            let answer = comparison(&client, &urn, &with, filter).await?;
            return show(Operation::Comparison, &answer, format);
        }
        GetCommand::Content { urn, section, .. } if format == GetFormat::Html => {
            print::bytes(content_html::page(&client, &urn, section.as_deref()).await?.as_bytes());
            return Ok(ExitCode::SUCCESS);
        }
        GetCommand::Content { urn, section, form } => {
            let query = ContentQuery { section }.query_string();
            CallerRequest { media: media_of(form), query, ..CallerRequest::new(Operation::Content, [urn]) }
        }
        GetCommand::Standards { parameters } => CallerRequest::with(Operation::Standards, [], &parameters)?,
        GetCommand::Changes { since, limit } => {
            let query = ChangesQuery { since, limit }.query_string();
            CallerRequest { query, ..CallerRequest::new(Operation::Changes, []) }
        }
        GetCommand::Search { words, mut parameters } => {
            parameters.insert(0, format!("q={words}"));
            CallerRequest::with(Operation::Search, [], &parameters)?
        }
        GetCommand::Standard { urn, fields } => CallerRequest::of_fields(Operation::Standard, urn, fields)?,
        GetCommand::Metadata { urn, fields } => CallerRequest::of_fields(Operation::Metadata, urn, fields)?,
        GetCommand::Sections { urn } => CallerRequest::new(Operation::Sections, [urn]),
        GetCommand::Provisions { urn, selection: None, filter } => {
            CallerRequest::with(Operation::Provisions, [urn], &filter)?
        }
        GetCommand::Provisions { urn, selection: Some(selection), filter } => {
            CallerRequest::with(Operation::Selection, [urn, selection], &filter)?
        }
        GetCommand::Provision { id } => CallerRequest::new(Operation::Provision, [id]),
        GetCommand::Terms { urn } => CallerRequest::new(Operation::Terms, [urn]),
        GetCommand::Tables { urn, table: None } => CallerRequest::new(Operation::Tables, [urn]),
        GetCommand::Tables { urn, table: Some(table) } => one_table(urn, table, format),
        GetCommand::Graphics { urn } => CallerRequest::new(Operation::Graphics, [urn]),
        GetCommand::Instructions { urn } => CallerRequest::new(Operation::Instructions, [urn]),
        GetCommand::Limits => CallerRequest::new(Operation::Limits, []),
        GetCommand::Graph { urn, turtle } => graph(urn, turtle),
    };
    request.print(&client, format).await
}

/// Refuses formats that the resource does not have.
fn check_format(options: &args::Get) -> anyhow::Result<()> {
    let is_one_table = matches!(options.resource, GetCommand::Tables { table: Some(_), .. });
    if options.format == GetFormat::Csv && !is_one_table {
        bail!("`--format csv` is for one table: `norma get tables URN TABLE --format csv`");
    }
    let of_content = matches!(options.resource, GetCommand::Content { form: None, .. });
    if options.format == GetFormat::Html && !of_content {
        bail!("`--format html` is for content: `norma get content URN --format html`");
    }
    Ok(())
}

/// One request of the service, whose answer is printed.
struct CallerRequest {
    operation: Operation,
    /// Values of the parts of the path that are in braces.
    arguments: Vec<String>,
    /// The query without its question mark.
    query: String,
    media: Media,
}

impl CallerRequest {
    /// A request for JSON without a query.
    fn new<const N: usize>(operation: Operation, arguments: [String; N]) -> Self {
        Self { operation, arguments: arguments.into(), query: String::new(), media: Media::Json }
    }

    /// A request for JSON with parameters, each as `name=value`.
    fn with<const N: usize>(
        operation: Operation,
        arguments: [String; N],
        parameters: &[String],
    ) -> anyhow::Result<Self> {
        Ok(Self { query: query(parameters)?, ..Self::new(operation, arguments) })
    }

    /// A request for the fields of a standard that are named; for all of them if none is.
    fn of_fields(operation: Operation, urn: String, fields: Option<String>) -> anyhow::Result<Self> {
        match fields {
            Some(fields) => Self::with(operation, [urn], &[format!("fields={fields}")]),
            None => Ok(Self::new(operation, [urn])),
        }
    }

    async fn print(self, client: &Client, format: GetFormat) -> anyhow::Result<ExitCode> {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let fetched = client.fetch(self.operation, &arguments, &self.query, self.media).await?;
        match serde_json::from_slice(&fetched.body) {
            Ok(value) if self.media != Media::Csv => show(self.operation, &value, format),
            // Text, XML and CSV are bytes of their own.
            _ => {
                print::bytes(&fetched.body);
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

fn media_of(form: Option<ContentForm>) -> Media {
    match form {
        None => Media::Json,
        Some(ContentForm::Text) => Media::Text,
        Some(ContentForm::Xml) => Media::Xml,
    }
}

fn one_table(urn: String, table: String, format: GetFormat) -> CallerRequest {
    let media = if format == GetFormat::Csv { Media::Csv } else { Media::Json };
    CallerRequest { media, ..CallerRequest::new(Operation::Table, [urn, table]) }
}

fn graph(urn: String, turtle: bool) -> CallerRequest {
    let media = if turtle { Media::Turtle } else { Media::JsonLd };
    CallerRequest { media, ..CallerRequest::new(Operation::KnowledgeGraph, [urn]) }
}

/// Asks what became of provisions. With an edition that they are of, they may be named by their labels.
async fn migrate(
    client: &Client,
    urn: &str,
    ids: Vec<String>,
    query: &MigrateQuery,
    format: GetFormat,
) -> anyhow::Result<ExitCode> {
    let has_no_edition = query.from.is_none() && query.from_revision.is_none();
    let has_ids = has_no_edition || ids.iter().all(|id| id.parse::<Asked>().is_ok());
    let request = if has_ids { MigrateRequest::Ids { ids } } else { MigrateRequest::Labels { labels: ids } };
    let answer = client.migrate(urn, &request, query).await?;
    show(Operation::Migrate, &serde_json::to_value(&answer)?, format)
}

/// A comparison with the items of all its pages.
async fn comparison(client: &Client, urn: &str, with: &str, filter: Vec<String>) -> anyhow::Result<Value> {
    let page = async |query: String| {
        let page = client.fetch(Operation::Comparison, &[urn], &query, Media::Json).await?;
        Ok::<Value, anyhow::Error>(serde_json::from_slice(&page.body)?)
    };
    let mut whole = page(query(&[vec![format!("with={with}")], filter].concat())?).await?;
    while let Some(cursor) = whole["next"].as_str() {
        let mut next = page(ComparisonQuery::with(with).next(cursor)).await?;
        if let (Some(items), Some(more)) = (whole["items"].as_array_mut(), next["items"].as_array_mut()) {
            items.append(more);
        }
        match next["next"].take() {
            Value::Null => {
                if let Some(members) = whole.as_object_mut() {
                    members.remove("next");
                }
            }
            cursor => whole["next"] = cursor,
        }
    }
    Ok(whole)
}

/// Resolves references, or fetches the bytes of one. Fails when any of them cannot be resolved.
async fn asset(
    client: &Client,
    urn: &str,
    references: &[String],
    output: Option<&Path>,
    format: GetFormat,
) -> anyhow::Result<ExitCode> {
    let Some(file) = output else {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let answer = client.resolve_all(urn, &references).await?;
        show(Operation::ResolveAssets, &serde_json::to_value(&answer)?, format)?;
        let failed = answer.items.iter().any(|item| matches!(item, ResolveItem::Unresolved(_)));
        return Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    };
    let [reference] = references else {
        bail!("expected one reference with `--output`, found {}", references.len())
    };
    let asset = client.resolve(urn, reference).await?;
    let bytes = client.asset(&asset).await?;
    write_shared(file, &bytes)?;
    print::line(format!("{}: {} bytes of {}", file.display(), bytes.len(), asset.media_type));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn client(options: args::CallerArguments, base_url: &str) -> anyhow::Result<Client> {
    Ok(builder(options, base_url)?.build()?)
}

/// A client builder from the options of the command line.
#[allow(clippy::disallowed_methods, reason = "a secret is never an argument")]
pub(super) fn builder(options: args::CallerArguments, base_url: &str) -> anyhow::Result<ClientBuilder> {
    let args::CallerArguments { authority, tenant, client_id, secret_file, certificate, scope, ca_file } =
        options;
    let credential =
        match (certificate, secret_file) {
            (Some(file), _) => Credential::certificate_files(&file, &file),
            (None, Some(file)) => Credential::secret_file(file),
            (None, None) => {
                let secret = std::env::var(SECRET).ok();
                Credential::secret(secret.with_context(|| {
                    format!("give `--secret-file`, `--certificate` or the variable {SECRET}")
                })?)
            }
        };
    let mut builder = Client::builder(base_url, credential)
        .authority(authority)
        .tenant(tenant)
        .client_id(client_id)
        .scope(scope);
    if let Some(file) = ca_file {
        let roots = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        builder = builder.extra_roots(roots);
    }
    Ok(builder)
}

/// Prints JSON indented for people; the values are the same.
pub(super) fn show(operation: Operation, value: &Value, format: GetFormat) -> anyhow::Result<ExitCode> {
    match format {
        GetFormat::Json | GetFormat::Csv | GetFormat::Html => {
            print::lines(serde_json::to_string_pretty(value)?)
        }
        GetFormat::Table => tables::of(operation, value).print(),
    }
    Ok(ExitCode::SUCCESS)
}

/// `name=value` arguments as a query string.
pub(super) fn query(parameters: &[String]) -> anyhow::Result<String> {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for parameter in parameters {
        let (name, value) =
            parameter.split_once('=').with_context(|| format!("`{parameter}` is not `name=value`"))?;
        query.append_pair(name, value);
    }
    Ok(query.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_a_query_and_an_argument_without_a_name_is_refused() {
        let parameters = ["type=requirement", "q=a & b=c"].map(str::to_owned);
        assert_eq!(query(&parameters).unwrap(), "type=requirement&q=a+%26+b%3Dc");
        let refused = query(&["requirement".to_owned()]).unwrap_err().to_string();
        assert_eq!(refused, "`requirement` is not `name=value`");
    }

    #[test]
    fn a_table_and_a_graph_are_requested_in_the_form_that_was_asked_for() {
        let table = |format| one_table("urn:x".to_owned(), "1".to_owned(), format).media;
        assert_eq!([table(GetFormat::Csv), table(GetFormat::Json)], [Media::Csv, Media::Json]);
        let graph = |turtle| graph("urn:x".to_owned(), turtle).media;
        assert_eq!([graph(true), graph(false)], [Media::Turtle, Media::JsonLd]);
    }
}
