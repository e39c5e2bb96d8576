//! The `norma` command: parses the command line, calls the crates below, prints their results.

mod args;
mod clock;
mod commands;
mod print;
mod settings;

use std::process::ExitCode;

use args::Command;

/// The allocator: reading and rendering request many small pieces of memory. For that, jemalloc is faster
/// than the system's allocator, and it returns free memory to the system. How soon is set in
/// `.cargo/config.toml`.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let (cli, overrides) = args::parse();
    match run(cli, &overrides).await.and_then(|code| print::finish().map(|()| code)) {
        Ok(code) => code,
        Err(error) => {
            print::failure(&error);
            ExitCode::from(2)
        }
    }
}

async fn run(cli: args::Cli, overrides: &[(String, String)]) -> anyhow::Result<ExitCode> {
    let layers = settings::layers(cli.config.as_deref(), overrides)?;
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for (name, near) in layers.unknown_variables(set, &args::variables()) {
        let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        print::note(format!("norma: warning: the variable {name} means nothing to Norma{near}"));
    }
    match cli.command {
        Command::Serve(options) => commands::serve::run(layers, options).await,
        Command::Demo(options) => commands::demo::run(layers, options).await,
        Command::Ingest(options) => commands::ingest::run(layers, options).await,
        Command::Check(options) => commands::check::run(layers, options),
        Command::List(options) => commands::catalogue::list(layers, options).await,
        Command::Show(options) => commands::catalogue::show(layers, options).await,
        Command::Withdraw(options) => commands::catalogue::withdraw(layers, options).await,
        Command::Reinstate(options) => commands::catalogue::reinstate(layers, options).await,
        Command::Recall(options) => commands::catalogue::recall(layers, options).await,
        Command::Remove(options) => commands::catalogue::remove(layers, options).await,
        Command::Rebuild(options) => commands::rebuild::run(layers, options).await,
        Command::Gc => commands::store::gc(layers).await,
        Command::Tenant(options) => commands::access::tenant(layers, options).await,
        Command::Client(options) => commands::access::client(layers, options).await,
        Command::Grant(options) => commands::access::grant(layers, options).await,
        Command::Token(options) => commands::caller::token(options).await,
        Command::Get(options) => commands::caller::get(options).await,
        Command::Search(options) => commands::search::run(&layers, options).await,
        Command::Explore(options) => commands::explore::run(&layers, *options).await,
        Command::Mcp(options) => commands::mcp::run(&layers, *options).await,
        Command::Export(options) => commands::export::run(options).await,
        Command::Mirror(options) => commands::mirror::mirror(*options).await,
        Command::Watch(options) => commands::mirror::watch(*options).await,
        Command::Review(options) => commands::review::run(*options).await,
        Command::Doctor(options) => commands::doctor::run(layers, options).await,
        Command::Health(options) => commands::health::run(&layers, &options).await,
        Command::DevIdp(options) => commands::dev_idp::run(options).await,
        Command::Store(options) => commands::store::run(layers, options).await,
        Command::Config(options) => commands::config::run(&layers, options),
        Command::Openapi => commands::config::openapi(),
        Command::Man(options) => commands::packaging::man(&options),
        Command::Completions(options) => commands::packaging::completions(&options),
        Command::Lineage(options) => commands::lineage::run(layers, options).await,
        Command::Usage(options) => commands::usage::run(&layers, options).await,
        Command::Compare(options) => commands::compare::run(layers, options).await,
    }
}
