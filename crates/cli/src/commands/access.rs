//! `norma tenant`, `norma client` and `norma grant`: callers, and the standards that they may see.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_service::identity;
use norma_settings::{IdentitySettings, Layers, SettingOrigin};
use norma_store::{Day, GivenRights, Grant, GrantScope, Level, Policy, Store, Summary, Tenant, TokenShape};
use serde_json::json;

use super::editions::for_each_edition;
use crate::settings::{with_store, with_store_made};
use crate::{args, print};

pub(crate) async fn tenant(layers: Layers, options: args::TenantCommand) -> anyhow::Result<ExitCode> {
    // The first tenant may be registered before anything is ingested.
    let (settings, store) = match options {
        args::TenantCommand::Add { .. } => with_store_made(&layers).await?,
        _ => with_store(&layers).await?,
    };
    match options {
        args::TenantCommand::Add { tenant, name, issuer, jwks_uri } => {
            let id = canonical(&tenant)?;
            let policy = store.policy().await?;
            let suspended = policy.tenant(&id).is_some_and(|known| known.suspended);
            let name = name.unwrap_or_else(|| id.clone());
            let tokens = own_shape(&layers, &settings.identity);
            let tenant = Tenant { id, name, issuer, jwks_uri, tokens, suspended };
            identity::check(&settings.identity, &tenant, &policy)
                .with_context(|| format!("tenant {} is not registered", tenant.id))?;
            store.put_tenant(&tenant, crate::clock::now()).await?;
            print::line(format!("tenant {} is registered", tenant.id));
        }
        args::TenantCommand::List(printed) => tenants(&store, printed).await?,
        args::TenantCommand::Remove { tenant } => {
            let id = canonical(&tenant)?;
            if !store.remove_tenant(&id, crate::clock::now()).await? {
                bail!("there is no tenant {id}; `norma tenant list` shows those there are");
            }
            print::line(format!("tenant {id} and its grants are removed"));
        }
        args::TenantCommand::Suspend { tenant } => suspend(&store, &tenant, true).await?,
        args::TenantCommand::Resume { tenant } => suspend(&store, &tenant, false).await?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn client(layers: Layers, options: args::ClientCommand) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(&layers).await?;
    let (tenant, client, suspended) = match options {
        args::ClientCommand::Suspend { tenant, client } => (tenant, client, true),
        args::ClientCommand::Resume { tenant, client } => (tenant, client, false),
    };
    let tenant = canonical(&tenant)?;
    known(&*store.policy().await?, &tenant)?;
    store.suspend_client(&tenant, &client, suspended, crate::clock::now()).await?;
    print::line(format!("client {client} of {tenant} is {}", state(suspended)));
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn grant(layers: Layers, options: args::GrantCommand) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(&layers).await?;
    match options {
        args::GrantCommand::Add(options) => {
            for grant in grants(options)? {
                let id = store.add_grant(&grant, crate::clock::now()).await?;
                let id = id.with_context(|| {
                    format!("there is no tenant {}; add it by `norma tenant add` first", grant.tenant)
                })?;
                let clients = match &grant.client {
                    Some(client) => format!("client {client}"),
                    None => "all clients".to_owned(),
                };
                print::line(format!(
                    "grant {id}: {clients} of tenant {} may {} {}",
                    grant.tenant,
                    word(grant.level),
                    scope(&grant.scope)
                ));
            }
        }
        args::GrantCommand::List { tenant, printed } => {
            let only = tenant.as_deref().map(canonical).transpose()?;
            list_grants(&store, only.as_deref(), printed).await?;
        }
        args::GrantCommand::Remove { id } => {
            if !store.remove_grant(id, crate::clock::now()).await? {
                bail!("there is no grant {id}; `norma grant list` shows those there are");
            }
            print::line(format!("grant {id} is taken back"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The rights of today's grants to all clients of a tenant, or also to one of them.
pub(super) fn rights(policy: &Policy, tenant: &Tenant, client: Option<&str>) -> GivenRights {
    let today = Day::from_time(crate::clock::now());
    policy.given_by(|_, grant| {
        if grant.tenant != tenant.id || !grant.holds_on(&today) {
            return false;
        }
        match (&grant.client, client) {
            (None, _) => true,
            (Some(granted), Some(client)) => client.eq_ignore_ascii_case(granted),
            (Some(_), None) => false,
        }
    })
}

/// Tenants and single clients that may use an edition, each with its level.
pub(super) fn readers(policy: &Policy, summary: &Summary) -> Vec<(String, &'static str)> {
    let mut readers = Vec::new();
    for tenant in &policy.tenants {
        if tenant.suspended {
            continue;
        }
        let of_all = rights(policy, tenant, None).level(summary);
        if let Some(level) = of_all {
            readers.push((tenant.name.clone(), word(level)));
        }
        for client in granted_clients(policy, tenant) {
            let level = rights(policy, tenant, Some(client)).level(summary);
            // It is named only if it may do more than all clients.
            if let Some(level) = level
                && Some(level) > of_all
            {
                readers.push((format!("{}, client {client}", tenant.name), word(level)));
            }
        }
    }
    readers
}

/// The clients of a tenant that have a grant of their own, in alphabetical order.
fn granted_clients<'p>(policy: &'p Policy, tenant: &Tenant) -> BTreeSet<&'p str> {
    let mut clients = BTreeSet::new();
    for (_, grant) in &policy.grants {
        if grant.tenant == tenant.id {
            clients.extend(grant.client.as_deref());
        }
    }
    clients
}

async fn tenants(store: &Store, printed: args::Printed) -> anyhow::Result<()> {
    let policy = store.policy().await?;
    let given: Vec<GivenRights> = policy.tenants.iter().map(|tenant| rights(&policy, tenant, None)).collect();
    let mut counts = vec![[0u64; 2]; given.len()];
    for_each_edition(store, |edition| {
        for (rights, [reads, discovers]) in given.iter().zip(&mut counts) {
            match rights.level(&edition.summary) {
                Some(Level::Read) => *reads += 1,
                Some(Level::Discover) => *discovers += 1,
                None => {}
            }
        }
    })
    .await?;
    let columns =
        ["name", "state", "reads", "discovers", "suspended clients", "issuer", "token settings", "tenant"];
    let mut table = print::table(&columns);
    for (tenant, [reads, discovers]) in policy.tenants.iter().zip(counts) {
        let clients: Vec<&str> = policy.suspended_clients(&tenant.id).collect();
        let state = if tenant.suspended { "suspended" } else { "accepted" };
        let (issuer, shape) = (tenant.issuer.as_deref(), shape(&tenant.tokens));
        if printed.is_json() {
            print::line(json!({
                "tenant": tenant.id, "name": tenant.name, "state": state, "reads": reads, "discovers": discovers,
                "suspendedClients": clients, "issuer": issuer, "tokens": shape,
            }));
            continue;
        }
        let [reads, discovers] = [reads, discovers].map(print::number);
        let clients = clients.join(", ");
        table.add_row([
            &tenant.name,
            state,
            &reads,
            &discovers,
            &clients,
            issuer.unwrap_or_default(),
            &shape,
            &tenant.id,
        ]);
    }
    if !printed.is_json() {
        table.print();
    }
    Ok(())
}

async fn list_grants(store: &Store, only: Option<&str>, printed: args::Printed) -> anyhow::Result<()> {
    let policy = store.policy().await?;
    let today = Day::from_time(crate::clock::now());
    let mut shown = Vec::new();
    for (id, grant) in &policy.grants {
        if only.is_none_or(|only| only == grant.tenant) {
            let rights = policy.given_by(|other, _| other == *id);
            shown.push(ShownGrant { id: *id, grant, rights, count: 0 });
        }
    }
    for_each_edition(store, |edition| {
        for one in &mut shown {
            one.count += u64::from(one.rights.level(&edition.summary).is_some());
        }
    })
    .await?;
    let columns =
        ["grant", "name", "client", "level", "standards", "now", "state", "from", "until", "tenant"];
    let mut table = print::table(&columns);
    for ShownGrant { id, grant, count, .. } in shown {
        let name = policy.tenant(&grant.tenant).map(|tenant| tenant.name.as_str()).unwrap_or_default();
        let state = grant_state(grant, &today);
        let (from, until) = (grant.from.as_ref().map(Day::as_str), grant.until.as_ref().map(Day::as_str));
        let (level, scope) = (word(grant.level), scope(&grant.scope));
        if printed.is_json() {
            print::line(json!({
                "grant": id, "tenant": grant.tenant, "name": name, "client": grant.client, "level": level,
                "standards": scope, "count": count, "state": state, "from": from, "until": until,
            }));
            continue;
        }
        let (id, count) = (id.to_string(), print::number(count));
        let client = grant.client.as_deref().unwrap_or_default();
        let (from, until) = (from.unwrap_or_default(), until.unwrap_or_default());
        table.add_row([&id, name, client, level, &scope, &count, state, from, until, &grant.tenant]);
    }
    if !printed.is_json() {
        table.print();
    }
    Ok(())
}

/// A grant that is listed.
struct ShownGrant<'p> {
    id: i64,
    grant: &'p Grant,
    /// What this grant alone gives.
    rights: GivenRights,
    /// Number of stored editions that it is for.
    count: u64,
}

fn grant_state(grant: &Grant, today: &Day) -> &'static str {
    if grant.holds_on(today) {
        return "holds";
    }
    match &grant.until {
        Some(until) if until < today => "expired",
        _ => "to come",
    }
}

/// The token shape of a tenant: settings on the command line become its own, and the others stay those in
/// use.
fn own_shape(layers: &Layers, settings: &IdentitySettings) -> TokenShape {
    let from_flags = |key: &str| layers.origin(key) == Some(&SettingOrigin::Flag);
    let list = |key: &str, value: &[String]| from_flags(key).then(|| value.to_vec());
    let text = |key: &str, value: &str| from_flags(key).then(|| value.to_owned());
    TokenShape {
        types: list("token-types", &settings.token_types),
        type_optional: from_flags("token-type-optional").then_some(settings.token_type_optional),
        tenant_claim: text("tenant-claim", &settings.tenant_claim),
        client_claims: list("client-claims", &settings.client_claims),
        role_claim: text("role-claim", &settings.role_claim),
        role_form: text("role-form", &settings.role_form),
        app_only: text("app-only", &settings.app_only),
        audiences: list("audience", &settings.audience),
        algorithms: list("algorithms", &settings.algorithms),
    }
}

/// The tenant's own values of a token shape, by the names of the settings.
fn shape(tokens: &TokenShape) -> String {
    let list = |words: &Option<Vec<String>>| words.as_ref().map(|words| words.join(","));
    let own = [
        ("token-types", list(&tokens.types)),
        ("token-type-optional", tokens.type_optional.map(|optional| optional.to_string())),
        ("tenant-claim", tokens.tenant_claim.clone()),
        ("client-claims", list(&tokens.client_claims)),
        ("role-claim", tokens.role_claim.clone()),
        ("role-form", tokens.role_form.clone()),
        ("app-only", tokens.app_only.clone()),
        ("audience", list(&tokens.audiences)),
        ("algorithms", list(&tokens.algorithms)),
    ];
    let mut written = Vec::new();
    for (name, value) in own {
        if let Some(value) = value {
            written.push(format!("{name}={value}"));
        }
    }
    written.join(" ")
}

/// The grants for a list of patterns: one for each pattern, and one for all whole URNs.
fn grants(options: args::GrantAdd) -> anyhow::Result<Vec<Grant>> {
    let args::GrantAdd { tenant, client, urn, ics, level, from, until } = options;
    let day = |date: Option<jiff::civil::Date>| date.map(|date| date.to_string().parse::<Day>()).transpose();
    let mut scopes: Vec<GrantScope> = ics.into_iter().map(GrantScope::Ics).collect();
    for pattern in urn {
        let pattern = pattern.parse().with_context(|| {
            format!("`{pattern}` is not a URN or a pattern: write urn:iso:std:* for a prefix")
        })?;
        scopes.push(GrantScope::Urns(pattern));
    }
    let grant = Grant {
        tenant: canonical(&tenant)?,
        client,
        scope: GrantScope::Ics(String::new()),
        level: match level {
            args::LevelArgument::Discover => Level::Discover,
            args::LevelArgument::Read => Level::Read,
        },
        from: day(from)?,
        until: day(until)?,
    };
    Ok(scopes.into_iter().map(|scope| Grant { scope, ..grant.clone() }).collect())
}

async fn suspend(store: &Store, tenant: &str, suspended: bool) -> anyhow::Result<()> {
    let id = canonical(tenant)?;
    let tenant = Tenant { suspended, ..known(&*store.policy().await?, &id)?.clone() };
    store.put_tenant(&tenant, crate::clock::now()).await?;
    print::line(format!("tenant {id} is {}", state(suspended)));
    Ok(())
}

/// The tenant of this id.
pub(super) fn known<'p>(policy: &'p Policy, id: &str) -> anyhow::Result<&'p Tenant> {
    let id = canonical(id)?;
    policy
        .tenant(&id)
        .with_context(|| format!("there is no tenant {id}; `norma tenant list` shows those there are"))
}

/// A tenant's id as tokens name it.
fn canonical(tenant: &str) -> anyhow::Result<String> {
    Ok(tenant.parse::<norma_auth::TenantId>()?.to_string())
}

fn scope(scope: &GrantScope) -> String {
    match scope {
        GrantScope::Urns(pattern) => pattern.to_string(),
        GrantScope::Ics(code) => format!("ICS {code}"),
        GrantScope::List(urns) => format!("{} listed standards", urns.len()),
    }
}

pub(super) fn word(level: Level) -> &'static str {
    match level {
        Level::Discover => "discover",
        Level::Read => "read",
    }
}

fn state(suspended: bool) -> &'static str {
    if suspended { "suspended" } else { "served again" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_holds_from_its_first_day_to_its_last() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let grant = Grant {
            tenant: String::new(),
            client: None,
            scope: GrantScope::Ics("67".to_owned()),
            level: Level::Read,
            from: Some(day("2026-03-01")),
            until: Some(day("2026-03-31")),
        };
        for (today, state) in [
            ("2026-02-28", "to come"),
            ("2026-03-01", "holds"),
            ("2026-03-31", "holds"),
            ("2026-04-01", "expired"),
        ] {
            assert_eq!(grant_state(&grant, &day(today)), state, "{today}");
        }
    }

    #[test]
    fn only_the_settings_that_a_tenant_has_of_its_own_are_shown() {
        let tokens = TokenShape {
            types: Some(vec!["JWT".to_owned(), "at+jwt".to_owned()]),
            role_claim: Some("roles".to_owned()),
            ..TokenShape::default()
        };
        assert_eq!(shape(&tokens), "token-types=JWT,at+jwt role-claim=roles");
        assert_eq!(shape(&TokenShape::default()), "");
    }
}
