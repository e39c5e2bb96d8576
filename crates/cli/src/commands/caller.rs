//! `norma token` and `norma get`: what a caller does, from the command line.

use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_api::{Media, Operation};
use norma_client::{Client, Credential, Fetched};

use crate::args::{self, What};
use crate::print;

/// Variable that holds the secret where no file is named; a secret is never an argument.
const SECRET: &str = "NORMA_CLIENT_SECRET";

pub(crate) async fn token(typed: args::Caller) -> anyhow::Result<ExitCode> {
    // No call is made to the service, so its address does not matter.
    print::line(client(typed, "http://127.0.0.1")?.token().await?);
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn get(typed: args::Get) -> anyhow::Result<ExitCode> {
    let client = client(typed.caller, &typed.base_url)?;
    let json = async |operation: Operation, arguments: &[&str], query: &str| {
        let fetched = client.fetch(operation, arguments, query, Media::Json).await?;
        show(&fetched)
    };
    match typed.what {
        What::Standards { parameters } => json(Operation::Standards, &[], &query(&parameters)?).await?,
        What::Standard { urn } => json(Operation::Standard, &[&urn], "").await?,
        What::Metadata { urn } => json(Operation::Metadata, &[&urn], "").await?,
        What::Sections { urn } => json(Operation::Sections, &[&urn], "").await?,
        What::Content { urn, section } => {
            let parameters: Vec<String> = section.iter().map(|s| format!("section={s}")).collect();
            json(Operation::Content, &[&urn], &query(&parameters)?).await?;
        }
        What::Provisions { urn, selection: None } => json(Operation::Provisions, &[&urn], "").await?,
        What::Provisions { urn, selection: Some(selection) } => {
            json(Operation::Selection, &[&urn, &selection], "").await?;
        }
        What::Provision { id } => json(Operation::Provision, &[&id], "").await?,
        What::Terms { urn } => json(Operation::Terms, &[&urn], "").await?,
        What::Graphics { urn } => json(Operation::Graphics, &[&urn], "").await?,
        What::Limits => json(Operation::Limits, &[], "").await?,
        What::Graph { urn } => {
            show(&client.fetch(Operation::KnowledgeGraph, &[&urn], "", Media::JsonLd).await?)?;
        }
        What::Asset { urn, references, output: None } => {
            let references: Vec<&str> = references.iter().map(String::as_str).collect();
            let answer = client.resolve_all(&urn, &references).await?;
            print::line(serde_json::to_string_pretty(&answer)?);
        }
        What::Asset { urn, references, output: Some(file) } => {
            let [reference] = references.as_slice() else { bail!("`--output` takes one reference") };
            let asset = client.resolve(&urn, reference).await?;
            let bytes = client.asset(&asset).await?;
            std::fs::write(&file, &bytes).with_context(|| format!("cannot write {}", file.display()))?;
            print::line(format!("{}: {} bytes of {}", file.display(), bytes.len(), asset.media_type));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn client(typed: args::Caller, base_url: &str) -> anyhow::Result<Client> {
    let args::Caller { authority, tenant, client_id, secret_file, certificate, scope, ca_file } = typed;
    let credential = match (certificate, secret_file) {
        (Some(file), _) => Credential::certificate_files(&file, &file),
        (None, Some(file)) => Credential::secret_file(file),
        (None, None) => Credential::secret(
            std::env::var(SECRET)
                .with_context(|| format!("give `--secret-file`, `--certificate` or the variable {SECRET}"))?,
        ),
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
    Ok(builder.build()?)
}

/// JSON is printed for people to read; it is the same JSON.
fn show(fetched: &Fetched) -> anyhow::Result<()> {
    match serde_json::from_slice::<serde_json::Value>(&fetched.body) {
        Ok(value) => print::line(serde_json::to_string_pretty(&value)?),
        Err(_) => print::line(String::from_utf8_lossy(&fetched.body)),
    }
    Ok(())
}

/// `name=value` arguments as a query string.
fn query(parameters: &[String]) -> anyhow::Result<String> {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for parameter in parameters {
        let (name, value) =
            parameter.split_once('=').with_context(|| format!("`{parameter}` is not `name=value`"))?;
        query.append_pair(name, value);
    }
    Ok(query.finish())
}
