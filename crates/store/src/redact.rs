//! Addresses of stores and blobs in the form in which they may be printed. What is known to be harmless is
//! shown and all else is left out, so that a secret under a new name is left out too.

/// Parameters whose values are shown.
const HARMLESS: [&str; 16] = [
    "account_name",
    "allow_http",
    "application_name",
    "aws_endpoint",
    "aws_region",
    "connect_timeout",
    "dbname",
    "endpoint",
    "host",
    "hostaddr",
    "port",
    "region",
    "sslmode",
    "sslrootcert",
    "target_session_attrs",
    "virtual_hosted_style_request",
];

/// Replacement for omitted parts.
const LEFT_OUT: &str = "…";

/// An address without user, password and the values of parameters that may be secret. A path stays as it is.
pub fn redacted(address: &str) -> String {
    let (head, query) = match address.split_once('?') {
        Some((head, query)) => (head, Some(query)),
        None => (address, None),
    };
    let (scheme, rest) = match head.find("://") {
        Some(end) => head.split_at(end + 3),
        None => ("", head),
    };
    let mut shown = format!("{scheme}{}", without_user(scheme, rest, query));
    if let Some(query) = query {
        let parameters: Vec<String> = query.split('&').map(parameter).collect();
        shown += &format!("?{}", parameters.join("&"));
    }
    shown
}

/// The part of an address between scheme and parameters, without user and password.
fn without_user(scheme: &str, rest: &str, query: Option<&str>) -> String {
    // A `?` before an `@` may be part of a password that was not encoded: then nothing before it is known to
    // be harmless.
    if query.is_some_and(|query| query.contains('@')) {
        return LEFT_OUT.to_owned();
    }
    match rest.rfind('@') {
        // Without a scheme and a colon before the `@`, this is a path.
        Some(at) if !scheme.is_empty() || rest[..at].contains(':') => format!("{LEFT_OUT}{}", &rest[at..]),
        _ => rest.to_owned(),
    }
}

/// A text with redacted addresses, such as errors of libraries.
pub(crate) fn redacted_text(text: &str) -> String {
    let ends = |character: char| character.is_whitespace() || "\"'`<>".contains(character);
    let mut shown = String::with_capacity(text.len());
    for piece in text.split_inclusive(ends) {
        let (address, end) = piece.split_at(piece.trim_end_matches(ends).len());
        if address.contains("://") {
            shown += &redacted(address);
            shown += end;
        } else {
            shown += piece;
        }
    }
    shown
}

/// The name of a parameter, unless it may be a secret.
pub(crate) fn parameter_name(parameter: &str) -> &str {
    match parameter.split_once('=') {
        Some((name, _)) if (1..=40).contains(&name.len()) && has_only(name, b"_-") => name,
        _ => LEFT_OUT,
    }
}

fn parameter(parameter: &str) -> String {
    let name = parameter_name(parameter);
    let value = parameter.split_once('=').map_or("", |(_, value)| value);
    if HARMLESS.contains(&name.to_ascii_lowercase().as_str()) && has_only(value, b"._-:/") {
        format!("{name}={value}")
    } else if name == LEFT_OUT {
        LEFT_OUT.to_owned()
    } else {
        format!("{name}={LEFT_OUT}")
    }
}

/// True if a text has ASCII letters, digits and these characters only.
fn has_only(text: &str, others: &[u8]) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_shows_what_is_harmless_and_leaves_out_all_else() {
        for (address, shown) in [
            ("norma.db", "norma.db"),
            ("sqlite:/srv/norma@2/norma.db", "…@2/norma.db"),
            ("/srv/norma@2/norma.db", "/srv/norma@2/norma.db"),
            ("postgres://db/norma", "postgres://db/norma"),
            (
                "postgres://norma@db1,db2:5433/norma?sslmode=require",
                "postgres://…@db1,db2:5433/norma?sslmode=require",
            ),
            ("postgres://norma:hush@db/norma", "postgres://…@db/norma"),
            ("postgres://norma:hu@sh@db/norma", "postgres://…@db/norma"),
            ("postgres://norma:hu/sh@db/norma", "postgres://…@db/norma"),
            ("postgres://norma:hu#sh@db/norma", "postgres://…@db/norma"),
            ("postgres://norma:hush?hush@db/norma", "postgres://…?…"),
            ("postgres://norma:hush?hush=1&sslmode=hush@db/norma", "postgres://…?hush=…&sslmode=…"),
            ("postgres:/norma:hush@db/norma", "…@db/norma"),
            ("norma:hush@db/norma", "…@db/norma"),
            (
                "postgres://db/n?password=hush&SSLPASSWORD=hush&port=5433",
                "postgres://db/n?password=…&SSLPASSWORD=…&port=5433",
            ),
            ("postgres://db/n?options=-c%20x%3Dhush&hush&=hush&hu%73h=1", "postgres://db/n?options=…&…&…&…"),
            (
                "s3://content/norma?secret_access_key=hush&region=eu-north-1",
                "s3://content/norma?secret_access_key=…&region=eu-north-1",
            ),
            (
                "s3://hush:hush@content/norma?endpoint=http://127.0.0.1:9000",
                "s3://…@content/norma?endpoint=http://127.0.0.1:9000",
            ),
            ("az://content?endpoint=http://hush:hush%40db&token=hush", "az://content?endpoint=…&token=…"),
            (
                "az://content?sv=2024&sig=hush%3D&account_name=norma&account_key=hush",
                "az://content?sv=…&sig=…&account_name=norma&account_key=…",
            ),
        ] {
            assert_eq!(redacted(address), shown, "{address}");
        }
    }

    #[test]
    fn an_address_within_a_text_is_found() {
        assert_eq!(
            redacted_text("cannot reach \"https://u:hush@db/x?sig=hush\": no answer from db (5433)"),
            "cannot reach \"https://…@db/x?sig=…\": no answer from db (5433)"
        );
    }
}
