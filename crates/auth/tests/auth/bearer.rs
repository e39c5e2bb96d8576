//! Tests of the `Authorization` header's grammar.

use norma_auth::{Reject, bearer};

#[test]
fn a_bearer_token_is_found_in_each_legal_spelling() {
    for (value, token) in [
        ("Bearer a.b.c", "a.b.c"),
        ("bearer a.b.c", "a.b.c"),
        ("BEARER a.b.c", "a.b.c"),
        ("Bearer   a.b.c", "a.b.c"),
        ("Bearer azAZ09-._~+/==", "azAZ09-._~+/=="),
        ("Bearer .", "."),
    ] {
        assert_eq!(bearer([value.as_bytes()]), Ok(token), "{value}");
    }
}

#[test]
fn without_a_header_or_with_another_scheme_the_token_is_missing() {
    assert_eq!(bearer([]), Err(Reject::Missing));
    for value in [
        "Basic dTpw",
        "Basic",
        "DPoP a.b.c",
        "BearerToken a.b.c",
        "Bearers a.b.c",
        "Negotiate abc==",
        "token",
    ] {
        assert_eq!(bearer([value.as_bytes()]), Err(Reject::Missing), "{value}");
    }
}

#[test]
fn everything_else_is_malformed() {
    let values: [&[u8]; 22] = [
        b"",
        b" ",
        b" Bearer a.b.c",
        b"Bearer",
        b"Bearer ",
        b"Bearer =",
        b"Bearer a.b.c ",
        b"Bearer a.b.c d",
        b"Bearer a=b",
        b"Bearer\ta.b.c",
        b"Bearer \ta.b.c",
        b"Bearer a.b.c\n",
        b"Bearer a.b.c\0",
        b"Bearer: a.b.c",
        b"Bearer, a.b.c",
        b"Bearer \"a.b.c\"",
        b"Bearer a.b.c, Bearer d.e.f",
        b"Bearer token=a.b.c",
        b"Bearer a%2Eb",
        "Bearer \u{e9}".as_bytes(),
        "B\u{e9}arer a.b.c".as_bytes(),
        b"Bearer \xff",
    ];
    for value in values {
        assert_eq!(bearer([value]), Err(Reject::Malformed), "{}", String::from_utf8_lossy(value));
    }
}

#[test]
fn several_headers_are_malformed_whatever_they_say() {
    for values in
        [["Bearer a.b.c", "Bearer a.b.c"], ["Basic dTpw", "Bearer a.b.c"], ["Basic dTpw", "Basic dTpw"]]
    {
        assert_eq!(bearer(values.map(str::as_bytes)), Err(Reject::Malformed), "{values:?}");
    }
}
