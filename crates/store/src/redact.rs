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
    let (head, query) = address.split_once('?').map_or((address, None), |(head, query)| (head, Some(query)));
    let (scheme, rest) = match head.find("://") {
        Some(end) => head.split_at(end + 3),
        None => ("", head),
    };
    // A `?` before an `@` may be part of a password that was not encoded: then nothing before it is known to
    // be harmless.
    let at = match query {
        Some(query) if query.contains('@') => Some(rest.len()),
        _ => rest.rfind('@').filter(|at| !scheme.is_empty() || rest[..*at].contains(':')),
    };
    let shown = at.map_or(rest.to_owned(), |at| format!("{LEFT_OUT}{}", &rest[at..]));
    let parameters = query.map(|query| query.split('&').map(parameter).collect::<Vec<_>>().join("&"));
    let parameters = parameters.map_or(String::new(), |parameters| format!("?{parameters}"));
    format!("{scheme}{shown}{parameters}")
}

/// A text with redacted addresses, such as errors of libraries.
pub(crate) fn redacted_text(text: &str) -> String {
    let ends = |character: char| character.is_whitespace() || "\"'`<>".contains(character);
    let piece = |piece: &str| {
        let (address, end) = piece.split_at(piece.trim_end_matches(ends).len());
        if address.contains("://") { redacted(address) + end } else { piece.to_owned() }
    };
    text.split_inclusive(ends).map(piece).collect()
}

/// The name of a parameter, unless it may be a secret.
pub(crate) fn parameter_name(parameter: &str) -> &str {
    let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    match parameter.split_once('=') {
        Some((name, _)) if (1..=40).contains(&name.len()) && plain(name) => name,
        _ => LEFT_OUT,
    }
}

fn parameter(parameter: &str) -> String {
    let name = parameter_name(parameter);
    let value = parameter.split_once('=').map_or("", |(_, value)| value);
    let plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-:/".contains(&byte));
    match HARMLESS.contains(&name.to_ascii_lowercase().as_str()) && plain {
        true => format!("{name}={value}"),
        false if name == LEFT_OUT => LEFT_OUT.to_owned(),
        false => format!("{name}={LEFT_OUT}"),
    }
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
