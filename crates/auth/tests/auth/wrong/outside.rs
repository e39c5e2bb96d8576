//! The token as a text: parts, alphabet, size.

use super::*;

pub(super) fn rows() -> Vec<Wrong> {
    let good = good();
    let parts: Vec<&str> = good.split('.').collect();
    let (h, c, s) = (parts[0], parts[1], parts[2]);
    // The last character of a 2-mod-3 part carries unused bits; setting them makes a second spelling of the
    // same bytes.
    let respelled = |part: &str| {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let last = alphabet.find(part.chars().last().unwrap()).unwrap();
        format!("{}{}", &part[..part.len() - 1], &alphabet[last + 1..last + 2])
    };
    let uneven = |text: String| if text.len().is_multiple_of(3) { format!("{text} ") } else { text };
    let (uneven_header, uneven_claims) = (uneven(header().to_string()), uneven(claims().to_string()));
    let long = with_claims(&claims().text("pad", &"x".repeat(16_384)).to_string());
    let row = |what: &str, token: String, rule| (what.to_owned(), token, rule);
    // The examples of the standards: well made, and none of them for us.
    let joe =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    let hs256 = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9";
    let rs256 = concat!(
        "eyJhbGciOiJSUzI1NiJ9.",
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
    );
    let es256 = concat!(
        "eyJhbGciOiJFUzI1NiJ9.",
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    );
    let general = format!(r#"{{"payload":"{c}","signatures":[{{"protected":"{h}","signature":"{s}"}}]}}"#);
    vec![
        row(
            "RFC 7515, A.1",
            format!("{hs256}.{joe}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "Algorithm",
        ),
        row("RFC 7515, A.2", rs256.into(), "KeyId"),
        row("RFC 7515, A.3", es256.into(), "Algorithm"),
        row("RFC 7519, 6.1", format!("eyJhbGciOiJub25lIn0.{joe}."), "Parts"),
        row("general JSON serialization", general, "Parts"),
        row("empty", String::new(), "Parts"),
        row("a dot", ".".into(), "Parts"),
        row("two dots", "..".into(), "Parts"),
        row("only dots", "....".into(), "Encrypted"),
        row("one part", h.into(), "Parts"),
        row("two parts", format!("{h}.{c}"), "Parts"),
        row("no header", format!(".{c}.{s}"), "Parts"),
        row("no claims, detached", format!("{h}..{s}"), "Parts"),
        row("no signature", format!("{h}.{c}."), "Parts"),
        row("a dot too many in front", format!(".{good}"), "Parts"),
        row("a dot too many at the end", format!("{good}."), "Parts"),
        row("four parts", format!("{good}.{s}"), "Parts"),
        row("six parts", format!("{good}.{good}"), "Parts"),
        row("JWE", format!("{}.a.b.c.d", b64(r#"{"alg":"RSA-OAEP","enc":"A256GCM"}"#)), "Encrypted"),
        row(
            "JSON serialization",
            format!(r#"{{"protected":"{h}","payload":"{c}","signature":"{s}"}}"#),
            "Parts",
        ),
        row("padded header", format!("{h}=.{c}.{s}"), "Base64"),
        row("padded claims", format!("{h}.{c}=.{s}"), "Base64"),
        row("padded signature", format!("{good}=="), "Base64"),
        row("standard alphabet", altered(2, |s| format!("+/{}", &s[2..])), "Base64"),
        row("space in front", format!(" {good}"), "Base64"),
        row("space at the end", format!("{good} "), "Base64"),
        row("line break at the end", format!("{good}\n"), "Base64"),
        row("line break within", altered(2, |s| format!("{}\r\n{}", &s[..64], &s[64..])), "Base64"),
        row("tab within", altered(1, |c| format!("{}\t{}", &c[..8], &c[8..])), "Base64"),
        row("NUL at the end", format!("{good}\0"), "Base64"),
        row("scheme inside", format!("Bearer {good}"), "Base64"),
        row("quoted", format!("\"{good}\""), "Base64"),
        row("zero-width space", altered(1, |c| format!("{c}\u{200b}")), "Base64"),
        row("full-width letter", altered(0, |h| h.replacen('e', "\u{ff45}", 1)), "Base64"),
        row("percent-encoded", altered(2, |s| format!("%41{}", &s[1..])), "Base64"),
        row(
            "one character too many",
            altered(1, |c| format!("{c}{}", &"AAAA"[..(5 - c.len() % 4) % 4])),
            "Base64",
        ),
        row(
            "respelled header",
            K1.token(&uneven_header, "{}").replace(&b64(&uneven_header), &respelled(&b64(&uneven_header))),
            "Base64",
        ),
        row(
            "respelled claims",
            with_claims(&uneven_claims).replace(&b64(&uneven_claims), &respelled(&b64(&uneven_claims))),
            "Base64",
        ),
        row("respelled signature", altered(2, respelled), "Base64"),
        row("longer than 16 KiB", long, "Length"),
        row("very large", "e".repeat(1 << 20), "Length"),
        row("signature cut by one", good[..good.len() - 1].into(), "Base64"),
        row("signature cut by five", good[..good.len() - 5].into(), "Base64"),
        row("signature cut by whole bytes", altered(2, |s| s[..s.len() - 6].into()), "Signature"),
        row("cut in the claims", good[..h.len() + c.len() / 2].into(), "Parts"),
        row("claims cut", altered(1, |c| c[..c.len() / 8 * 4].into()), "Claims"),
        row("header cut", altered(0, |h| h[..h.len() / 8 * 4].into()), "Header"),
    ]
}
