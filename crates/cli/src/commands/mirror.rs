//! `norma mirror` and `norma watch`: copies that stay in step, and what changed, as a caller.

use std::process::ExitCode;

use anyhow::Context;
use jiff::Timestamp;
use norma_mirror::{Delivery, Mirror, MirrorEvent, Watch, Webhook, WebhookSecret};

use super::caller::client;
use crate::args::{MirrorArguments, WEBHOOK_SECRET, WatchArguments};
use crate::{clock, print};

/// What to do where a check found differences.
const REPAIR: &str = "\
norma: a run without --check reads what is missing or has changed, and removes what is not licensed.
What differs after it was changed here: remove mirror.json and run it again, which reads everything.";

pub(crate) async fn mirror(options: MirrorArguments) -> anyhow::Result<ExitCode> {
    let client = client(options.caller, &options.base_url)?;
    let mut mirror = if options.check {
        Mirror::open_existing(client, &options.base_url, &options.folder)?
    } else {
        Mirror::open(client, &options.base_url, &options.folder)?
    };
    let bar = print::progress();
    let mut on_event = |event: MirrorEvent<'_>| match event {
        MirrorEvent::Planned(count) => bar.inc_length(count),
        MirrorEvent::Read(urn) => {
            bar.suspend(|| print::note(format!("read {urn}")));
            bar.inc(1);
        }
        MirrorEvent::Removed(urn) => {
            bar.suspend(|| print::note(format!("removed {urn}")));
            bar.inc(1);
        }
        MirrorEvent::Unchanged(_) => bar.inc(1),
    };
    if options.check {
        let report = mirror.check(&mut on_event).await?;
        bar.finish_and_clear();
        for difference in &report.differences {
            print::line(difference);
        }
        print::line(format!("{} compared, {} differences", report.compared, report.differences.len()));
        if !report.differences.is_empty() {
            print::notes(REPAIR);
        }
        return Ok(ExitCode::from(u8::from(!report.differences.is_empty())));
    }
    let report = mirror.run(&mut on_event).await?;
    bar.finish_and_clear();
    let listed = if report.listed { ", all listed" } else { "" };
    print::line(format!(
        "{} copies, {} read, {} removed{listed}",
        report.copies, report.read, report.removed
    ));
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn watch(options: WatchArguments) -> anyhow::Result<ExitCode> {
    let delivery = match (&options.exec, &options.post) {
        (Some(command), _) => Delivery::Command(command.clone()),
        (None, Some(url)) => Delivery::Webhook(Box::new(Webhook::new(url, secret(&options)?)?)),
        (None, None) => anyhow::bail!("expected `--exec CMD` or `--post URL`"),
    };
    let client = client(options.caller, &options.base_url)?;
    let mut watch = Watch::open(client, &options.base_url, &options.state)?;
    let now = || Timestamp::try_from(clock::now()).unwrap_or(Timestamp::UNIX_EPOCH);
    let report = watch.call(&delivery, now).await?;
    if report.is_first {
        print::note("norma: noted where changes begin; the next call hands on what changed since now");
    } else {
        print::note(format!("norma: {} changes", report.changes));
    }
    Ok(ExitCode::SUCCESS)
}

/// The secret of posts, from a file or the environment.
#[allow(clippy::disallowed_methods, reason = "the service has no setting for the secret of posts")]
fn secret(options: &WatchArguments) -> anyhow::Result<Option<WebhookSecret>> {
    let text = match &options.webhook_secret_file {
        Some(path) => {
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?
        }
        None => match std::env::var(WEBHOOK_SECRET) {
            Ok(text) => text,
            Err(_) => return Ok(None),
        },
    };
    Ok(Some(WebhookSecret::parse(&text)?))
}
