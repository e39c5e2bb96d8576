//! Signatures by the wrong key, of the wrong text, in the wrong form.

use aws_lc_rs::signature::{RSA_PKCS1_SHA384, RSA_PSS_SHA256};

use super::*;

pub(super) fn rows() -> Vec<Wrong> {
    let good_claims = claims().to_string();
    let signed = format!("{}.{}", b64(header().to_string()), b64(&good_claims));
    let over = |signature: &[u8]| format!("{signed}.{}", b64(signature));
    let raw = K1.sign_as(&aws_lc_rs::signature::RSA_PKCS1_SHA256, &signed);
    let flipped = |at: usize| {
        let mut raw = raw.clone();
        raw[at] ^= 1;
        over(&raw)
    };
    let mut rows = vec![
        ("another key", K2.token(&header().to_string(), &good_claims)),
        ("another tenant's key", K3.token(&header().to_string(), &good_claims)),
        (
            "another tenant's key under a shared kid",
            K3.token(&header().text("kid", "both").to_string(), &good_claims),
        ),
        (
            "the signature of other claims",
            over(&K1.sign_as(&aws_lc_rs::signature::RSA_PKCS1_SHA256, "other")),
        ),
        ("PSS under RS256", over(&K1.sign_as(&RSA_PSS_SHA256, &signed))),
        ("SHA-384 under RS256", over(&K1.sign_as(&RSA_PKCS1_SHA384, &signed))),
        ("ECDSA under RS256", EC.token(&header().to_string(), &good_claims)),
        ("zeros", over(&[0; 256])),
        ("ones", over(&[0xff; 256])),
        ("one byte", over(&[1])),
        ("a zero in front", over(&[&[0], &raw[..]].concat())),
        ("a zero behind", over(&[&raw[..], &[0]].concat())),
        ("its first byte gone", over(&raw[1..])),
        ("twice", over(&[&raw[..], &raw].concat())),
        ("backwards", over(&raw.iter().rev().copied().collect::<Vec<_>>())),
        ("first bit", flipped(0)),
        ("last bit", flipped(255)),
        (
            "over claims that were changed",
            altered(1, |_| b64(claims().set("roles", "[\"Content.Read.All\",\"Admin\"]").to_string())),
        ),
        ("over a header that was changed", altered(0, |_| b64(header().text("kid", "both").to_string()))),
        ("over claims with white space more", altered(1, |_| b64(format!("{} ", claims())))),
    ];
    let signed_only_claims = format!("{}.{}", b64(header().to_string()), b64(&good_claims));
    rows.push(("over the claims alone", format!("{signed_only_claims}.{}", K1.sign(&b64(&good_claims)))));
    rows.into_iter().map(|(what, token)| (format!("signature: {what}"), token, "Signature")).collect()
}
