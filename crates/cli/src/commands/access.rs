//! `norma tenant`, `norma client` and `norma grant`: who may call, and what they may see.

use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_service::config::{Identity, Layers, Origin};
use norma_service::identity;
use norma_store::{Day, Grant, Level, Scope, Store, Tenant, TokenShape};

use crate::settings::{with_store, with_store_made};
use crate::{args, print};

pub(crate) async fn tenant(layers: Layers, options: args::Tenant) -> anyhow::Result<ExitCode> {
    // The first tenant may be registered before anything is ingested.
    let (settings, store) = match options {
        args::Tenant::Add { .. } => with_store_made(&layers).await?,
        _ => with_store(&layers).await?,
    };
    match options {
        args::Tenant::Add { tenant, name, issuer, jwks_uri } => {
            let id = canonical(&tenant)?;
            let policy = store.policy().await?;
            let suspended = policy.tenant(&id).is_some_and(|known| known.suspended);
            let name = name.unwrap_or_else(|| id.clone());
            let tokens = own_shape(&layers, &settings.identity);
            let tenant = Tenant { id, name, issuer, jwks_uri, tokens, suspended };
            identity::check(&settings.identity, &tenant, &policy)?;
            store.put_tenant(&tenant, crate::clock::now()).await?;
            print::line(format!("tenant {} is registered", tenant.id));
        }
        args::Tenant::List => {
            let policy = store.policy().await?;
            let mut table =
                print::table(&["tenant", "name", "issuer", "tokens", "suspended", "suspended clients"]);
            for tenant in &policy.tenants {
                let clients = policy.suspended_clients(&tenant.id).collect::<Vec<_>>().join("\n");
                let issuer = tenant.issuer.as_deref().unwrap_or("as auth-url says");
                let shape = shape(&tenant.tokens);
                table.add_row([&tenant.id, &tenant.name, issuer, &shape, yes(tenant.suspended), &clients]);
            }
            print::lines(table);
        }
        args::Tenant::Remove { tenant } => {
            let id = canonical(&tenant)?;
            if !store.remove_tenant(&id, crate::clock::now()).await? {
                bail!("there is no tenant {id}; `norma tenant list` shows those there are");
            }
            print::line(format!("tenant {id} and its grants are removed"));
        }
        args::Tenant::Suspend { tenant } => suspend(&store, &tenant, true).await?,
        args::Tenant::Resume { tenant } => suspend(&store, &tenant, false).await?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn client(layers: Layers, options: args::Client) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(&layers).await?;
    let (tenant, client, suspended) = match options {
        args::Client::Suspend { tenant, client } => (tenant, client, true),
        args::Client::Resume { tenant, client } => (tenant, client, false),
    };
    let tenant = canonical(&tenant)?;
    known(&store, &tenant).await?;
    store.suspend_client(&tenant, &client, suspended, crate::clock::now()).await?;
    print::line(format!("client {client} of {tenant} is {}", state(suspended)));
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn grant(layers: Layers, options: args::Grant) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(&layers).await?;
    match options {
        args::Grant::Add(options) => {
            for grant in grants(options)? {
                let id = store.add_grant(&grant, crate::clock::now()).await?;
                let id = id.with_context(|| {
                    format!("there is no tenant {}; add it by `norma tenant add` first", grant.tenant)
                })?;
                let clients =
                    grant.client.as_ref().map_or("all clients".to_owned(), |c| format!("client {c}"));
                print::line(format!(
                    "grant {id}: {clients} of tenant {} may {} {}",
                    grant.tenant,
                    word(grant.level),
                    scope(&grant.scope)
                ));
            }
        }
        args::Grant::List { tenant } => {
            let only = tenant.as_deref().map(canonical).transpose()?;
            let mut table =
                print::table(&["grant", "tenant", "client", "level", "standards", "from", "until"]);
            for (id, grant) in &store.policy().await?.grants {
                if only.as_ref().is_some_and(|only| *only != grant.tenant) {
                    continue;
                }
                let day = |day: &Option<Day>| day.as_ref().map(ToString::to_string).unwrap_or_default();
                table.add_row([
                    id.to_string(),
                    grant.tenant.clone(),
                    grant.client.clone().unwrap_or_else(|| "all".to_owned()),
                    word(grant.level).to_owned(),
                    scope(&grant.scope),
                    day(&grant.from),
                    day(&grant.until),
                ]);
            }
            print::lines(table);
        }
        args::Grant::Remove { id } => {
            if !store.remove_grant(id, crate::clock::now()).await? {
                bail!("there is no grant {id}; `norma grant list` shows those there are");
            }
            print::line(format!("grant {id} is taken back"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The token shape of a tenant: settings given on the command line become its own, all others follow the settings in force.
fn own_shape(layers: &Layers, settings: &Identity) -> TokenShape {
    let from_flags = |key: &str| layers.origin(key) == Some(&Origin::Flag);
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

/// What is a tenant's own of it, by the names of the settings.
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
    let own = own.into_iter().filter_map(|(name, value)| value.map(|value| format!("{name}={value}")));
    own.collect::<Vec<_>>().join(" ")
}

/// One grant for each pattern; whole URNs together are one list.
fn grants(options: args::GrantAdd) -> anyhow::Result<Vec<Grant>> {
    let args::GrantAdd { tenant, client, urn, ics, level, from, until } = options;
    let day = |date: Option<jiff::civil::Date>| date.map(|d| d.to_string().parse::<Day>()).transpose();
    let mut scopes: Vec<Scope> = ics.into_iter().map(Scope::Ics).collect();
    for pattern in urn {
        let pattern = pattern.parse().with_context(|| {
            format!("`{pattern}` is not a URN or a pattern: write urn:iso:std:* for a prefix")
        })?;
        scopes.push(Scope::Urns(pattern));
    }
    let grant = Grant {
        tenant: canonical(&tenant)?,
        client,
        scope: Scope::Ics(String::new()),
        level: match level {
            args::Level::Discover => Level::Discover,
            args::Level::Read => Level::Read,
        },
        from: day(from)?,
        until: day(until)?,
    };
    Ok(scopes.into_iter().map(|scope| Grant { scope, ..grant.clone() }).collect())
}

async fn suspend(store: &Store, tenant: &str, suspended: bool) -> anyhow::Result<()> {
    let id = canonical(tenant)?;
    let tenant = Tenant { suspended, ..known(store, &id).await? };
    store.put_tenant(&tenant, crate::clock::now()).await?;
    print::line(format!("tenant {id} is {}", state(suspended)));
    Ok(())
}

async fn known(store: &Store, id: &str) -> anyhow::Result<Tenant> {
    store
        .policy()
        .await?
        .tenant(id)
        .cloned()
        .with_context(|| format!("there is no tenant {id}; `norma tenant list` shows those there are"))
}

/// A tenant's id as tokens name it.
fn canonical(tenant: &str) -> anyhow::Result<String> {
    Ok(tenant.parse::<norma_auth::TenantId>()?.to_string())
}

fn scope(scope: &Scope) -> String {
    match scope {
        Scope::Urns(pattern) => pattern.to_string(),
        Scope::Ics(code) => format!("ICS {code}"),
        Scope::List(urns) => format!("{} listed standards", urns.len()),
    }
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Discover => "discover",
        Level::Read => "read",
    }
}

fn state(suspended: bool) -> &'static str {
    if suspended { "suspended" } else { "served again" }
}

fn yes(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}
