//! Tenants, grants, suspensions and signing keys: read as a whole, changed one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use norma_model::Urn;

use crate::access::{
    Day, Grant, GrantScope, Level, MAX_ASSET_URL_LIFETIME, Policy, ROTATION_TAKES, SigningKey, Tenant,
    TokenShape, canonical_client, check_client, check_ics,
};
use crate::catalogue::feed::{self, Subject};
use crate::catalogue::{micros, time};
use crate::engine::{Engine, ResultRow, Sql, SqlValue, Transaction};
use crate::{Result, StoreError, columns, random};

/// All that decides about access.
pub(crate) async fn policy(engine: &dyn Engine) -> Result<Policy> {
    let tenants = format!("SELECT {TENANT} FROM tenants ORDER BY id");
    let rows = engine.read(Sql::new(&tenants)).await?;
    let mut tenants: Vec<Tenant> = rows.iter().map(tenant).collect::<Result<_>>()?;
    // Engines may have another order of texts; `Policy::tenant` needs that of code points.
    tenants.sort_by(|a, b| a.id.cmp(&b.id));
    let mut suspended = BTreeSet::new();
    for row in engine.read(Sql::new("SELECT tenant, client FROM suspended_clients")).await? {
        suspended.insert((row.text("tenant")?.to_owned(), row.text("client")?.to_owned()));
    }
    let grants = grants(engine).await?;
    Ok(Policy { tenants, suspended, grants, signing_keys: signing_keys(engine).await? })
}

async fn signing_keys(engine: &dyn Engine) -> Result<Vec<SigningKey>> {
    let rows = engine.read(Sql::new("SELECT secret, made FROM signing_keys ORDER BY id DESC")).await?;
    let mut keys = Vec::with_capacity(rows.len());
    // The newest key comes first: each of the others was replaced when the one before it was made.
    let mut replaced = None;
    for row in &rows {
        let Ok(secret) = row.bytes("secret")?.as_ref().try_into() else {
            return Err(StoreError::corrupt("a signing key does not have 256 bits"));
        };
        let made = time(row.int("made")?);
        keys.push(SigningKey { secret, made, replaced });
        replaced = Some(made);
    }
    Ok(keys)
}

/// The columns of a tenant, in their order in queries.
const TENANT: &str = "id, name, issuer, jwks_uri, suspended, token_types, type_optional, tenant_claim, \
     client_claims, role_claim, role_form, app_only, audiences, algorithms";

fn maybe_owned(row: &ResultRow, column: &str) -> Result<Option<String>> {
    Ok(row.maybe_text(column)?.map(str::to_owned))
}

/// The words of a column that may be absent.
fn maybe_words(row: &ResultRow, column: &str) -> Result<Option<Vec<String>>> {
    let Some(words) = row.maybe_text(column)? else { return Ok(None) };
    Ok(Some(words.split_whitespace().map(str::to_owned).collect()))
}

fn tenant(row: &ResultRow) -> Result<Tenant> {
    Ok(Tenant {
        id: row.text("id")?.to_owned(),
        name: row.text("name")?.to_owned(),
        issuer: maybe_owned(row, "issuer")?,
        jwks_uri: maybe_owned(row, "jwks_uri")?,
        suspended: row.int("suspended")? == 1,
        tokens: TokenShape {
            types: maybe_words(row, "token_types")?,
            type_optional: row.maybe_int("type_optional")?.map(|optional| optional == 1),
            tenant_claim: maybe_owned(row, "tenant_claim")?,
            client_claims: maybe_words(row, "client_claims")?,
            role_claim: maybe_owned(row, "role_claim")?,
            role_form: maybe_owned(row, "role_form")?,
            app_only: maybe_owned(row, "app_only")?,
            audiences: maybe_words(row, "audiences")?,
            algorithms: maybe_words(row, "algorithms")?,
        },
    })
}

async fn grants(engine: &dyn Engine) -> Result<Vec<(i64, Grant)>> {
    let mut lists: BTreeMap<i64, BTreeSet<Urn>> = BTreeMap::new();
    for row in engine.read(Sql::new("SELECT grant_id, urn FROM grant_urns")).await? {
        lists.entry(row.int("grant_id")?).or_default().insert(columns::read_urn(row.text("urn")?)?);
    }
    let sql = "SELECT id, tenant, client, level, scope_kind, scope, valid_from, valid_until FROM grants ORDER BY id";
    let mut grants = Vec::new();
    for row in engine.read(Sql::new(sql)).await? {
        let id = row.int("id")?;
        let scope = match row.text("scope_kind")? {
            "urns" => GrantScope::Urns(row.text("scope")?.parse().map_err(StoreError::corrupt)?),
            "ics" => GrantScope::Ics(row.text("scope")?.to_owned()),
            _ => GrantScope::List(lists.remove(&id).unwrap_or_default()),
        };
        let day = |column| row.maybe_text(column)?.map(str::parse::<Day>).transpose();
        let grant = Grant {
            tenant: row.text("tenant")?.to_owned(),
            client: row.maybe_text("client")?.map(str::to_owned),
            scope,
            level: if row.int("level")? == 2 { Level::Read } else { Level::Discover },
            from: day("valid_from")?,
            until: day("valid_until")?,
        };
        grants.push((id, grant));
    }
    Ok(grants)
}

/// Adds a tenant, or changes the one with this id; refuses the issuer of another tenant.
pub(crate) async fn put_tenant(tx: &mut dyn Transaction, tenant: &Tenant, now: SystemTime) -> Result<()> {
    let Tenant { id, name, issuer, jwks_uri, suspended, tokens } = tenant;
    let same = Sql::new("SELECT id FROM tenants WHERE issuer = $1 AND id <> $2");
    let same = tx.read(same.bind(issuer.clone()).bind(id.as_str())).await?;
    if let (Some(issuer), Some(other)) = (issuer, same.first()) {
        let other = other.text("id")?;
        return Err(StoreError::Invalid(format!(
            "tenant {id} cannot have the issuer {issuer}: tenant {other} has it; one issuer, one tenant"
        )));
    }
    // No word contains a space: their makers ensure that.
    let words = |words: &Option<Vec<String>>| SqlValue::from(words.as_ref().map(|words| words.join(" ")));
    let row: [SqlValue; 14] = [
        id.as_str().into(),
        name.as_str().into(),
        issuer.clone().into(),
        jwks_uri.clone().into(),
        (*suspended).into(),
        words(&tokens.types),
        SqlValue::Int(tokens.type_optional.map(i64::from)),
        tokens.tenant_claim.clone().into(),
        words(&tokens.client_claims),
        tokens.role_claim.clone().into(),
        tokens.role_form.clone().into(),
        tokens.app_only.clone().into(),
        words(&tokens.audiences),
        words(&tokens.algorithms),
    ];
    let mut sql = Sql::new(&format!("INSERT INTO tenants ({TENANT}) VALUES "));
    sql.tuple(row).push(" ON CONFLICT (id) DO UPDATE SET ");
    let columns = TENANT.split(", ").skip(1).map(|column| format!("{column} = excluded.{column}"));
    sql.push(&columns.collect::<Vec<_>>().join(", "));
    tx.run(sql).await?;
    feed::record(tx, &[Subject::Tenant(tenant.id.clone())], now).await.map(drop)
}

/// Removes a tenant with its grants and suspensions; false when no tenant has this id.
pub(crate) async fn remove_tenant(tx: &mut dyn Transaction, id: &str, now: SystemTime) -> Result<bool> {
    let lists = "DELETE FROM grant_urns WHERE grant_id IN (SELECT id FROM grants WHERE tenant = $1)";
    tx.run(Sql::new(lists).bind(id)).await?;
    tx.run(Sql::new("DELETE FROM grants WHERE tenant = $1").bind(id)).await?;
    tx.run(Sql::new("DELETE FROM suspended_clients WHERE tenant = $1").bind(id)).await?;
    let was_there = tx.run(Sql::new("DELETE FROM tenants WHERE id = $1").bind(id)).await? > 0;
    feed::record(tx, &[Subject::Tenant(id.to_owned())], now).await?;
    Ok(was_there)
}

/// Suspends one client of a tenant, or ends its suspension.
pub(crate) async fn suspend_client(
    tx: &mut dyn Transaction,
    tenant: &str,
    client: &str,
    suspended: bool,
    now: SystemTime,
) -> Result<()> {
    check_client(client)?;
    let sql = if suspended {
        "INSERT INTO suspended_clients (tenant, client) VALUES ($1, $2) ON CONFLICT (tenant, client) DO NOTHING"
    } else {
        "DELETE FROM suspended_clients WHERE tenant = $1 AND client = $2"
    };
    tx.run(Sql::new(sql).bind(tenant).bind(canonical_client(client))).await?;
    feed::record(tx, &[Subject::Tenant(tenant.to_owned())], now).await.map(drop)
}

/// Adds a grant and gives its id; `None` when the tenant is unknown.
pub(crate) async fn add_grant(
    tx: &mut dyn Transaction,
    grant: &Grant,
    now: SystemTime,
) -> Result<Option<i64>> {
    if let Some(client) = &grant.client {
        check_client(client)?;
    }
    if let (Some(from), Some(until)) = (&grant.from, &grant.until)
        && from > until
    {
        return Err(StoreError::Invalid(format!("the grant ends on {until}, before its first day {from}")));
    }
    let (kind, scope) = match &grant.scope {
        GrantScope::Urns(pattern) => ("urns", pattern.to_string()),
        GrantScope::Ics(code) => {
            check_ics(code)?;
            ("ics", code.clone())
        }
        GrantScope::List(_) => ("list", String::new()),
    };
    let level = match grant.level {
        Level::Discover => 1i64,
        Level::Read => 2,
    };
    let sql = "INSERT INTO grants (tenant, client, level, scope_kind, scope, valid_from, valid_until) \
         SELECT id, $2, $3, $4, $5, $6, $7 FROM tenants WHERE id = $1 RETURNING id";
    let sql = Sql::new(sql)
        .bind(grant.tenant.as_str())
        .bind(grant.client.as_deref().map(canonical_client))
        .bind(level)
        .bind(kind)
        .bind(scope);
    let sql = sql.bind(grant.from.as_ref().map(Day::as_str)).bind(grant.until.as_ref().map(Day::as_str));
    let rows = tx.read(sql).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let id = row.int("id")?;
    if let GrantScope::List(urns) = &grant.scope {
        let rows = urns.iter().map(|urn| vec![id.into(), urn.as_str().into()]).collect();
        tx.insert("grant_urns", "grant_id, urn", rows, "").await?;
    }
    feed::record(tx, &[Subject::Tenant(grant.tenant.clone())], now).await?;
    Ok(Some(id))
}

/// Removes a grant; false when no grant has this id.
pub(crate) async fn remove_grant(tx: &mut dyn Transaction, id: i64, now: SystemTime) -> Result<bool> {
    tx.run(Sql::new("DELETE FROM grant_urns WHERE grant_id = $1").bind(id)).await?;
    let rows = tx.read(Sql::new("DELETE FROM grants WHERE id = $1 RETURNING tenant").bind(id)).await?;
    let Some(row) = rows.first() else { return Ok(false) };
    feed::record(tx, &[Subject::Tenant(row.text("tenant")?.to_owned())], now).await?;
    Ok(true)
}

/// Makes a new signing key, and deletes those that were replaced so long ago that none of their URLs is
/// valid.
pub(crate) async fn rotate_signing_key(tx: &mut dyn Transaction, now: SystemTime) -> Result<()> {
    let over = now.checked_sub(MAX_ASSET_URL_LIFETIME + ROTATION_TAKES).unwrap_or(SystemTime::UNIX_EPOCH);
    let old = "DELETE FROM signing_keys WHERE id < (SELECT MAX(id) FROM signing_keys WHERE made < $1)";
    tx.run(Sql::new(old).bind(micros(over))).await?;
    put_signing_key(tx, &random::secret(), now).await?;
    feed::record(tx, &[Subject::SigningKeys], now).await.map(drop)
}

async fn put_signing_key(tx: &mut dyn Transaction, secret: &[u8; 32], made: SystemTime) -> Result<()> {
    let secret = bytes::Bytes::copy_from_slice(secret);
    let sql = Sql::new("INSERT INTO signing_keys (secret, made) VALUES ($1, $2)");
    tx.run(sql.bind(secret).bind(micros(made))).await.map(drop)
}

/// Makes access what this policy says, and nothing else. Grants and keys get ids of their own.
pub(crate) async fn put_policy(tx: &mut dyn Transaction, policy: &Policy, now: SystemTime) -> Result<()> {
    for table in ["tenants", "suspended_clients", "grant_urns", "grants", "signing_keys"] {
        tx.run(Sql::new(&format!("DELETE FROM {table}"))).await?;
    }
    for tenant in &policy.tenants {
        put_tenant(tx, tenant, now).await?;
    }
    for (tenant, client) in &policy.suspended {
        suspend_client(tx, tenant, client, true, now).await?;
    }
    for (_, grant) in &policy.grants {
        add_grant(tx, grant, now).await?;
    }
    for key in policy.signing_keys.iter().rev() {
        put_signing_key(tx, &key.secret, key.made).await?;
    }
    feed::record(tx, &[Subject::SigningKeys], now).await.map(drop)
}
