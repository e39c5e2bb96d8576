//! `norma token` and `norma get`: calls of a caller, from the command line.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_api::query::{ComparisonQuery, ContentQuery, MigrateQuery};
use norma_api::shapes::{MigrateRequest, ResolveItem};
use norma_api::{Media, Operation};
use norma_client::{Client, ClientBuilder, Credential};
use norma_model::lineage::Asked;
use serde_json::Value;

use super::{content_html, tables, write_shared};
use crate::args::{self, ContentForm, GetCommand, GetFormat, SECRET};
use crate::print;

pub(crate) async fn token(options: args::CallerArguments) -> anyhow::Result<ExitCode> {
    // No call is made to the service, so its address does not matter.
    print::line(client(options, "http://127.0.0.1")?.token().await?);
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn get(options: args::Get) -> anyhow::Result<ExitCode> {
    let is_one_table = matches!(options.resource, GetCommand::Tables { table: Some(_), .. });
    if options.format == GetFormat::Csv && !is_one_table {
        bail!("`--format csv` is for one table: `norma get tables URN TABLE --format csv`");
    }
    let of_content = matches!(options.resource, GetCommand::Content { form: None, .. });
    if options.format == GetFormat::Html && !of_content {
        bail!("`--format html` is for content: `norma get content URN --format html`");
    }
    let client = client(options.caller, &options.base_url)?;
    let (operation, arguments, query, media) = match options.resource {
        GetCommand::Asset { urn, references, output } => {
            return asset(&client, &urn, &references, output.as_deref(), options.format).await;
        }
        GetCommand::Migrate { urn, ids, from, text } => {
            let has_ids = from.is_none() || ids.iter().all(|id| id.parse::<Asked>().is_ok());
            let request = match has_ids {
                true => MigrateRequest::Ids { ids },
                false => MigrateRequest::Labels { labels: ids },
            };
            let answer = client.migrate(&urn, &request, &MigrateQuery { from, text }).await?;
            show(Operation::Migrate, &serde_json::to_value(&answer)?, options.format)?;
            return Ok(ExitCode::SUCCESS);
        }
        GetCommand::Comparison { urn, with, filter } => {
            let answer = comparison(&client, &urn, &with, filter).await?;
            show(Operation::Comparison, &answer, options.format)?;
            return Ok(ExitCode::SUCCESS);
        }
        GetCommand::Standards { parameters } => {
            (Operation::Standards, vec![], query(&parameters)?, Media::Json)
        }
        GetCommand::Search { words, mut parameters } => {
            parameters.insert(0, format!("q={words}"));
            (Operation::Search, vec![], query(&parameters)?, Media::Json)
        }
        GetCommand::Standard { urn, fields } => {
            (Operation::Standard, vec![urn], query(&fields_parameter(fields))?, Media::Json)
        }
        GetCommand::Metadata { urn, fields } => {
            (Operation::Metadata, vec![urn], query(&fields_parameter(fields))?, Media::Json)
        }
        GetCommand::Sections { urn } => (Operation::Sections, vec![urn], String::new(), Media::Json),
        GetCommand::Content { urn, section, .. } if options.format == GetFormat::Html => {
            print::bytes(content_html::page(&client, &urn, section.as_deref()).await?.as_bytes());
            return Ok(ExitCode::SUCCESS);
        }
        GetCommand::Content { urn, section, form } => {
            let media = match form {
                None => Media::Json,
                Some(ContentForm::Text) => Media::Text,
                Some(ContentForm::Xml) => Media::Xml,
            };
            (Operation::Content, vec![urn], ContentQuery { section }.query_string(), media)
        }
        GetCommand::Provisions { urn, selection: None, filter } => {
            (Operation::Provisions, vec![urn], query(&filter)?, Media::Json)
        }
        GetCommand::Provisions { urn, selection: Some(selection), filter } => {
            (Operation::Selection, vec![urn, selection], query(&filter)?, Media::Json)
        }
        GetCommand::Provision { id } => (Operation::Provision, vec![id], String::new(), Media::Json),
        GetCommand::Terms { urn } => (Operation::Terms, vec![urn], String::new(), Media::Json),
        GetCommand::Tables { urn, table: None } => (Operation::Tables, vec![urn], String::new(), Media::Json),
        GetCommand::Tables { urn, table: Some(table) } => {
            let media = if options.format == GetFormat::Csv { Media::Csv } else { Media::Json };
            (Operation::Table, vec![urn, table], String::new(), media)
        }
        GetCommand::Graphics { urn } => (Operation::Graphics, vec![urn], String::new(), Media::Json),
        GetCommand::Limits => (Operation::Limits, vec![], String::new(), Media::Json),
        GetCommand::Graph { urn, turtle } => {
            let media = if turtle { Media::Turtle } else { Media::JsonLd };
            (Operation::KnowledgeGraph, vec![urn], String::new(), media)
        }
    };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let fetched = client.fetch(operation, &arguments, &query, media).await?;
    match serde_json::from_slice(&fetched.body) {
        Ok(value) if media != Media::Csv => show(operation, &value, options.format)?,
        // Text, XML and CSV are bytes of their own.
        _ => print::bytes(&fetched.body),
    }
    Ok(ExitCode::SUCCESS)
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
            Value::Null => drop(whole.as_object_mut().and_then(|whole| whole.remove("next"))),
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
            (None, None) => Credential::secret(std::env::var(SECRET).ok().with_context(|| {
                format!("give `--secret-file`, `--certificate` or the variable {SECRET}")
            })?),
        };
    let mut builder = Client::builder(base_url, credential)
        .authority(authority)
        .tenant(tenant)
        .client_id(client_id)
        .scope(scope);
    if let Some(file) = ca_file {
        builder = builder
            .extra_roots(std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?);
    }
    Ok(builder)
}

/// Prints JSON indented for people; the values are the same.
fn show(operation: Operation, value: &Value, format: GetFormat) -> anyhow::Result<()> {
    match format {
        GetFormat::Json | GetFormat::Csv | GetFormat::Html => {
            print::lines(serde_json::to_string_pretty(value)?)
        }
        GetFormat::Table => tables::of(operation, value).print(),
    }
    Ok(())
}

fn fields_parameter(fields: Option<String>) -> Vec<String> {
    fields.map(|fields| format!("fields={fields}")).into_iter().collect()
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
