//! `norma man` and `norma completions`: manual pages and completions of shells, written from the definition
//! of the commands, so that packages match the program.

use std::process::ExitCode;

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use norma_settings::keys;

use super::write_shared;
use crate::{args, clock, print};

/// Title of the collection that the pages belong to.
const MANUAL: &str = "Norma";

/// Writes a page of section 1 for each command, and `norma.toml(5)` for the settings, in folders as man(1)
/// reads them.
pub(crate) fn man(options: &args::Man) -> anyhow::Result<ExitCode> {
    let time = match options.epoch {
        Some(seconds) => Timestamp::from_second(seconds)
            .context("--epoch (or SOURCE_DATE_EPOCH) is not a time: write seconds since 1970")?,
        None => clock::now().try_into()?,
    };
    let date = time.to_zoned(TimeZone::UTC).date().to_string();
    let mut command = args::documented().disable_help_subcommand(true);
    command.build();
    let mut pages = vec![("man5/norma.toml.5".to_owned(), settings_page(&date))];
    add_pages(&command, &date, &mut pages)?;
    let folder = &options.folder;
    for section in ["man1", "man5"].map(|section| folder.join(section)) {
        std::fs::create_dir_all(&section)
            .with_context(|| format!("cannot make the folder {}", section.display()))?;
    }
    for (name, page) in &pages {
        let path = folder.join(name);
        write_shared(&path, page)?;
    }
    print::line(format!("{} pages in {}", pages.len(), folder.display()));
    Ok(ExitCode::SUCCESS)
}

/// Prints the completions for a shell.
pub(crate) fn completions(options: &args::Completions) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut args::documented(), "norma", &mut script);
    print::bytes(&script);
    Ok(ExitCode::SUCCESS)
}

/// Adds the pages of a command and of its subcommands.
fn add_pages(command: &Command, date: &str, pages: &mut Vec<(String, String)>) -> anyhow::Result<()> {
    let man = Man::new(command.clone()).date(date).source(source()).manual(MANUAL);
    let name = man.get_filename();
    let mut page = Vec::new();
    man.render(&mut page)?;
    let mut see = Roff::new();
    see.control("SH", ["SEE ALSO"]);
    let first = if name == "norma.1" { vec![] } else { vec![bold("norma"), roman("(1), ")] };
    see.text([first, vec![bold("norma.toml"), roman("(5)")]].concat());
    // clap_mangen ends a line on both sides of the empty one before possible values, which mandoc warns of.
    let page = String::from_utf8(page)?.replace("\n.br\n\n.br\n", "\n.sp\n");
    pages.push((format!("man1/{name}"), page + &see.to_roff()));
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        add_pages(command, date, pages)?;
    }
    Ok(())
}

/// The page of all settings.
fn settings_page(date: &str) -> String {
    let mut page = Roff::new();
    page.control("TH", ["norma.toml", "5", date, &source(), MANUAL]);
    page.control("SH", ["NAME"]);
    page.text([roman("norma.toml - settings of norma")]);
    page.control("SH", ["DESCRIPTION"]);
    page.text([roman(args::ABOUT_SETTINGS)]);
    let mut section = String::new();
    for key in keys() {
        if key.section != section {
            page.control("SH", [format!("[{}]", key.section).as_str()]);
            section = key.section;
        }
        page.control("TP", []);
        page.text(vec![bold(key.name), roman(format!(" (default {})", key.default))] as Vec<Inline>);
        page.text([roman(key.doc)]);
    }
    page.control("SH", ["SEE ALSO"]);
    page.text([bold("norma"), roman("(1), "), bold("norma-config"), roman("(1)")]);
    page.render()
}

/// The name of the program in the pages, with its version.
fn source() -> String {
    concat!("norma ", env!("CARGO_PKG_VERSION")).to_owned()
}
