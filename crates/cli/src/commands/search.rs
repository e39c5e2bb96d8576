//! `norma search`: what is found in all stored standards, and the index itself.

use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use norma_api::Operation;
use norma_api::query::{Parameters, QueryLimits, SearchQuery};
use norma_editions::search::{OperatorAnswer, OperatorHit, index_folder, rebuild_index, search_as_operator};
use norma_settings::Layers;
use serde_json::json;

use super::caller::query;
use crate::args::Printed;
use crate::print;
use crate::settings::with_store;

/// Parameters of the API's search that only `norma get search` has: they are about the form of its answer.
const OF_THE_ANSWER: [&str; 4] = ["q", "cursor", "facets", "group"];

/// Options of `norma search`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(crate) struct SearchArguments {
    #[command(subcommand)]
    command: Option<SearchCommand>,
    /// Words, and filters as `norma get search` has them: pull-out force type=requirement limit=5. Words that
    /// begin with `-` follow `--`.
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
    #[command(flatten)]
    printed: Printed,
}

#[derive(Debug, Subcommand)]
enum SearchCommand {
    /// Throw the search index away and build it again, while no service uses it.
    Rebuild,
}

pub(crate) async fn run(layers: &Layers, options: SearchArguments) -> anyhow::Result<ExitCode> {
    match options.command {
        Some(SearchCommand::Rebuild) => rebuild(layers).await,
        None => find(layers, &options.words, options.printed).await,
    }
}

async fn find(layers: &Layers, words: &[String], printed: Printed) -> anyhow::Result<ExitCode> {
    let asked = asked(words)?;
    let (settings, store) = with_store(layers).await?;
    let OperatorAnswer { total, indexed, titles_only, selected, relaxed, hits } =
        search_as_operator(&store, &settings, &asked).await?;
    let shown = hits.len();
    let mut table = print::table(&["reference", "kind", "label", "type", "text", "URN", "id"]);
    for OperatorHit { urn, reference, kind, provision, label, id, text } in hits {
        if printed.is_json() {
            print::line(json!({
                "reference": reference, "kind": kind, "label": label, "type": provision, "text": text,
                "urn": urn.to_string(), "id": id,
            }));
            continue;
        }
        let (kind, provision) = (kind.as_str(), provision.map_or("", |kind| kind.as_str()));
        let (label, id) = (label.unwrap_or_default(), id.unwrap_or_default());
        table.add_row([&reference, kind, &label, provision, &text, urn.as_str(), &id]);
    }
    if !printed.is_json() {
        table.print();
    }
    if relaxed {
        print::note(format!("no text has all words; these {shown} have most of them"));
    } else {
        print::note(format!("{shown} of {} hits", print::number(total)));
    }
    if indexed < selected {
        print::note(format!(
            "incomplete: {indexed} of {selected} standards were searched; a running `norma serve` indexes the others, \
             or `norma search rebuild`"
        ));
    }
    if titles_only > 0 {
        print::note(format!(
            "incomplete: of {titles_only} standards only the titles were searched, since their texts cannot be read; \
             `norma rebuild` renews what an earlier version wrote, `norma store verify` names what is damaged"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// The words, and the arguments that are filters.
fn asked(words: &[String]) -> anyhow::Result<SearchQuery> {
    let known = Operation::Search.query_parameters();
    let mut parameters = Vec::new();
    let mut searched = Vec::new();
    for word in words {
        match word.split_once('=') {
            Some((name, _)) if known.contains(&name) => {
                if OF_THE_ANSWER.contains(&name) {
                    bail!("`{name}=` is not a filter here; `norma get search` has it, as a caller");
                }
                parameters.push(word.clone());
            }
            _ => searched.push(word.as_str()),
        }
    }
    parameters.insert(0, format!("q={}", searched.join(" ")));
    let query = query(&parameters)?;
    let parameters = Parameters::parse(Operation::Search, &query, QueryLimits::default())?;
    Ok(SearchQuery::from_parameters(&parameters)?)
}

async fn rebuild(layers: &Layers) -> anyhow::Result<ExitCode> {
    let (settings, store) = with_store(layers).await?;
    let bar = print::progress();
    let state = rebuild_index(store, &settings, |indexed, missing| {
        bar.set_length((indexed + missing) as u64);
        bar.set_position(indexed as u64);
    })
    .await
    .context("stop `norma serve`, run `norma search rebuild`, and start it again")?;
    bar.finish_and_clear();
    let folder = index_folder(&settings.search, &settings.store);
    let (editions, bytes) = (state.indexed, print::number(state.bytes));
    print::line(format!("{editions} standards are indexed in {}, {bytes} bytes", folder.display()));
    if state.titles_only > 0 {
        print::note(format!("of {} of them only the title: their texts cannot be read", state.titles_only));
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query_of(words: &[&str]) -> anyhow::Result<SearchQuery> {
        asked(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_with_the_name_of_a_parameter_are_filters_and_all_others_are_words() {
        let query = query_of(&["pull-out", "limit=5", "a=b", "force"]).unwrap();
        assert_eq!(query.q, "pull-out a=b force");
    }

    #[test]
    fn a_parameter_of_the_answer_is_refused_by_its_name() {
        let refused = query_of(&["force", "group=standard", "facets=type"]).unwrap_err().to_string();
        assert!(refused.starts_with("`group=` is not a filter here"), "{refused}");
    }
}
