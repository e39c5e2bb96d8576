//! Addresses of PostgreSQL: one host, or several with one primary.

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;

use crate::redact::{parameter_name, redacted_text};
use crate::{Result, StoreError, StoreOptions};

/// Time after which an idle transaction is ended, so that others do not wait for the locks of a stalled
/// instance.
const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(60);

/// The connection options for each host of `postgres://user:secret@host1,host2:5433/database?options`, in the
/// order written. `target_session_attrs` is taken for granted: only a primary is ever used.
pub(crate) fn candidates(address: &str, settings: &StoreOptions) -> Result<Vec<PgConnectOptions>> {
    let (scheme, rest) = address.split_once("://").ok_or_else(|| refuse("`://` is missing"))?;
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let (user, hosts) = match authority.rsplit_once('@') {
        Some((user, hosts)) => (format!("{user}@"), hosts),
        None => (String::new(), authority),
    };
    let (path, options) = tail.split_once('?').unwrap_or((tail, ""));
    let options: Vec<&str> = options.split('&').filter(|option| is_known(option)).collect();
    let options = options.join("&");
    let mut candidates = Vec::new();
    for host in hosts.split(',') {
        let address = format!("{scheme}://{user}{host}{path}?{options}");
        let candidate: PgConnectOptions =
            address.parse().map_err(|error: sqlx::Error| refuse(&redacted_text(&error.to_string())))?;
        candidates.push(candidate.application_name("norma").options([
            ("statement_timeout", millis(settings.statement_timeout)),
            ("lock_timeout", millis(settings.acquire_timeout)),
            ("idle_in_transaction_session_timeout", millis(IDLE_IN_TRANSACTION)),
        ]));
    }
    Ok(candidates)
}

fn millis(time: Duration) -> String {
    time.as_millis().to_string()
}

/// Parameters that the library reads. It writes others into the log with their values, which may be secrets.
const KNOWN: [&str; 18] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "ssl-ca",
    "ssl-cert",
    "ssl-key",
    "ssl-mode",
    "ssl-root-cert",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

fn is_known(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default();
    if KNOWN.contains(&name) || name.starts_with("options[") {
        return true;
    }
    if !["", "target_session_attrs"].contains(&name) {
        let parameter = parameter_name(parameter);
        tracing::warn!(
            parameter,
            "this parameter of the address of PostgreSQL is not known and has no effect"
        );
    }
    false
}

/// Refuses an address without quoting it, since it may have a password.
fn refuse(why: &str) -> StoreError {
    StoreError::Invalid(format!(
        "the address of PostgreSQL cannot be read: {why}; write postgres://user@host/database"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_of_an_address_becomes_a_candidate() {
        let address =
            "postgres://norma:s%40x@db1,db2:5433/content?sslmode=disable&target_session_attrs=read-write";
        let all = candidates(address, &StoreOptions::default()).unwrap();
        let hosts: Vec<_> = all.iter().map(|o| (o.get_host().to_owned(), o.get_port())).collect();
        assert_eq!(hosts, [("db1".to_owned(), 5432), ("db2".to_owned(), 5433)]);
        assert!(all.iter().all(|o| o.get_username() == "norma" && o.get_database() == Some("content")));
    }

    #[test]
    fn a_parameter_that_is_not_known_is_left_out() {
        let address = "postgres://norma@db/content?sslpassword=hush&port=5433&connect_timeout=5";
        let all = candidates(address, &StoreOptions::default()).unwrap();
        assert_eq!((all.len(), all[0].get_port()), (1, 5433));
        assert!(!is_known("sslpassword=hush") && is_known("sslmode=disable") && is_known("options[x]=y"));
    }

    #[test]
    fn a_refused_address_does_not_show_its_password() {
        let error = candidates("postgres://norma:secret@db:no-port/x", &StoreOptions::default()).unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
