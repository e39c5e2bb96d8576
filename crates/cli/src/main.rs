//! The `norma` command: reads what was typed, calls the crates below, prints what they say.

mod args;
mod commands;
mod print;
mod settings;

use std::process::ExitCode;

use args::Command;

/// Reading and rendering ask for many small pieces of memory; this one gives them in less time than the system's, and gives
/// back to the system what is free. How soon stands in `.cargo/config.toml`.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let (typed, given) = args::read();
    match run(typed, &given).await {
        Ok(code) => code,
        Err(error) => {
            print::note(format!("norma: {error:#}"));
            ExitCode::from(2)
        }
    }
}

async fn run(typed: args::Typed, given: &[(String, String)]) -> anyhow::Result<ExitCode> {
    let layers = settings::layers(typed.config.as_deref(), given)?;
    match typed.command {
        Command::Serve(typed) => commands::serve::run(layers, typed).await,
        Command::Demo(typed) => commands::demo::run(layers, typed).await,
        Command::Ingest(typed) => commands::ingest::run(layers, typed).await,
        Command::Check(typed) => commands::check::run(layers, typed),
        Command::List(typed) => commands::catalogue::list(layers, typed).await,
        Command::Show(typed) => commands::catalogue::show(layers, typed).await,
        Command::Withdraw(typed) => commands::catalogue::withdraw(layers, typed).await,
        Command::Reinstate(typed) => commands::catalogue::reinstate(layers, typed).await,
        Command::Recall(typed) => commands::catalogue::recall(layers, typed).await,
        Command::Remove(typed) => commands::catalogue::remove(layers, typed).await,
        Command::Rebuild(typed) => commands::rebuild::run(layers, typed).await,
        Command::Gc => commands::store::gc(layers).await,
        Command::Tenant(typed) => commands::access::tenant(layers, typed).await,
        Command::Client(typed) => commands::access::client(layers, typed).await,
        Command::Grant(typed) => commands::access::grant(layers, typed).await,
        Command::Token(typed) => commands::caller::token(typed).await,
        Command::Get(typed) => commands::caller::get(typed).await,
        Command::Doctor(typed) => commands::doctor::run(layers, typed).await,
        Command::DevIdp(typed) => commands::dev_idp::run(typed).await,
        Command::Store(typed) => commands::store::run(layers, typed).await,
        Command::Config(typed) => commands::config::run(&layers, typed),
        Command::Openapi => commands::config::openapi(),
        Command::Eval(typed) => commands::eval::run(&typed),
        Command::Compare(typed) => commands::compare::run(&typed),
    }
}
