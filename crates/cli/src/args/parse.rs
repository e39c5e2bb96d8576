//! Parser of the command line, and the help pages that list settings.

use std::fmt::Write;

use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};
use norma_audit::terminal::escaped;
use norma_settings::{SettingKey, keys};

use super::{Cli, SECRET};
use crate::print;

/// Settings that the help of every command shows.
const SHOWN: [&str; 2] = ["store", "log-level"];

/// Explanation of settings in the help, by lines.
pub(crate) const ABOUT_SETTINGS: &str = "\
Settings of norma. Each is an option of every command (--NAME VALUE), a variable of the environment
(NORMA_NAME, with `_` for `-`; NORMA_NAME_FILE names a file with the value) and an entry of the file that
--config names. The command line takes precedence over the environment, the environment over the file.
`norma config defaults` prints a file to start from, `norma config dump` the values in force.";

/// Parses the command line into the command with its options, and the settings given as options, by name.
/// Each setting is an option of each command; only `norma help settings` lists all of them.
pub(crate) fn parse() -> (Cli, Vec<(String, String)>) {
    let command = command();
    let matches = command.clone().try_get_matches().unwrap_or_else(|error| {
        // The message quotes the command line in several lines: it is made again from arguments without line
        // ends.
        let harmless = std::env::args_os().map(|argument| escaped(&argument.to_string_lossy()).into_owned());
        stop(&command.try_get_matches_from(harmless).err().unwrap_or(error))
    });
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| stop(&error));
    (cli, overrides(&matches))
}

/// The commands with their options, for manual pages and completions. The settings of the help are options of
/// every command, the others of `serve` alone, so that completions have tens of kilobytes and not a megabyte.
pub(crate) fn documented() -> Command {
    let (others, shown): (Vec<Arg>, Vec<Arg>) = keys().iter().map(option).partition(Arg::is_hide_set);
    let hidden: Vec<Arg> = shown.iter().map(|option| option.clone().hide(true)).collect();
    without_settings(Cli::command().args(shown).mut_subcommand("serve", |serve| serve.args(others)), &hidden)
}

/// Variables that are read in addition to those of settings: those of options, and the secret of a caller.
pub(crate) fn variables() -> Vec<String> {
    fn add(command: &Command, names: &mut Vec<String>) {
        let of_options = command.get_arguments().filter_map(|argument| argument.get_env()?.to_str());
        names.extend(of_options.map(str::to_owned));
        command.get_subcommands().for_each(|command| add(command, names));
    }
    let mut names = vec![SECRET.to_owned()];
    add(&Cli::command(), &mut names);
    names
}

fn command() -> Command {
    let keys = keys();
    let settings = Command::new("settings")
        .about("All settings, grouped, each with its default")
        .override_help(settings_help(&keys))
        .hide(true);
    let hidden: Vec<Arg> = keys.iter().map(|key| option(key).hide(true)).collect();
    without_settings(Cli::command().subcommand(settings).args(keys.iter().map(option)), &hidden)
}

/// Leaves the settings out of the help of commands that use none.
fn without_settings(command: Command, settings: &[Arg]) -> Command {
    let config = command.get_arguments().find(|argument| argument.get_id() == "config").cloned();
    let mut hidden: Vec<Arg> = config.map(|config| config.hide(true)).into_iter().collect();
    hidden.extend_from_slice(settings);
    let hide = |command: Command| command.args(&hidden);
    let mut command = command;
    for name in ["get", "explore", "mcp", "export", "token", "dev-idp", "openapi", "man", "completions"] {
        command = command.mut_subcommand(name, hide);
    }
    command.mut_subcommand("doctor", |doctor| doctor.mut_subcommand("caller", hide))
}

/// The option of a setting, which every command has.
fn option(key: &SettingKey) -> Arg {
    Arg::new(key.name.clone())
        .long(key.name.clone())
        .value_name("VALUE")
        .help(first_sentence(&key.doc).to_owned())
        .hide(!SHOWN.contains(&key.name.as_str()))
        .global(true)
}

/// The page of `norma help settings`.
fn settings_help(keys: &[SettingKey]) -> String {
    let mut page = format!("{ABOUT_SETTINGS}\n");
    let mut section = "";
    for key in keys {
        if key.section != section {
            section = &key.section;
            write!(page, "\n[{section}]\n").expect("a string takes any text");
        }
        writeln!(page, "  --{} (default {})", key.name, key.default).expect("a string takes any text");
        for line in print::wrap(&key.doc, 100) {
            writeln!(page, "      {line}").expect("a string takes any text");
        }
    }
    page
}

fn first_sentence(doc: &str) -> &str {
    doc.find(". ").and_then(|end| doc.get(..=end)).unwrap_or(doc)
}

/// Ends the program with the requested help, or with the error of the command line, which may quote any text.
fn stop(error: &clap::Error) -> ! {
    if error.use_stderr() {
        print::notes(error.to_string().trim_end());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// The settings given on the command line, before or after the command.
fn overrides(matches: &ArgMatches) -> Vec<(String, String)> {
    let mut deepest = matches;
    while let Some((_, inner)) = deepest.subcommand() {
        deepest = inner;
    }
    let value = |key: &str| deepest.try_get_one::<String>(key).ok().flatten().cloned();
    keys().into_iter().filter_map(|key| value(&key.name).map(|value| (key.name, value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_fits_on_a_screen_and_names_every_command() {
        let mut command = command();
        let help = command.render_help().to_string();
        assert!(help.lines().count() <= 54, "{} lines:\n{help}", help.lines().count());
        for subcommand in command.get_subcommands().filter(|c| !c.is_hide_set()) {
            assert!(
                help.contains(&format!("  {} ", subcommand.get_name())),
                "{} is missing",
                subcommand.get_name()
            );
        }
        for name in SHOWN {
            assert!(help.contains(&format!("--{name} ")), "--{name} is missing");
        }
        assert!(!help.contains("--max-package-files") && help.contains("norma help settings"));
        let long = command.render_long_help().to_string();
        assert!(long.lines().count() <= 64, "{} lines:\n{long}", long.lines().count());
    }

    #[test]
    fn the_page_of_settings_lists_each_with_a_sentence_of_its_own() {
        let keys = keys();
        let page = settings_help(&keys);
        for (i, key) in keys.iter().enumerate() {
            assert!(page.contains(&format!("\n  --{} (default ", key.name)), "--{} is missing", key.name);
            let same = keys[..i].iter().find(|other| other.doc == key.doc);
            assert!(same.is_none(), "{} shares its text with {}", key.name, same.unwrap().name);
        }
        assert_eq!(page.matches("\n[").count(), 9);
        assert!(page.lines().all(|line| line.chars().count() <= 110));
    }
}
