//! Properties of URNs of any text and any parts.

use proptest::prelude::*;

use super::*;

fn any_parts() -> impl Strategy<Value = UrnParts> {
    let kind = prop::sample::select(vec![
        SupplementKind::Amendment,
        SupplementKind::Corrigendum,
        SupplementKind::Addendum,
    ]);
    let lang =
        prop::sample::select(vec!["en", "fr", "zh-hant", "deu"]).prop_map(|l| l.parse::<Lang>().unwrap());
    (
        "[a-z][a-z0-9-]{0,5}[a-z0-9]",
        prop::option::of(("[a-z][a-z0-9.-]{0,8}", prop::option::of("[a-z][a-z-]{0,5}"))),
        "[a-z0-9][a-z0-9.,-]{0,8}",
        prop::option::of("[a-z0-9][a-z0-9-]{0,4}"),
        prop::option::of("draft|stage-[0-9]{2}\\.[0-9]{2}(\\.v[0-9])?"),
        prop::collection::vec((kind, "[0-9]{1,4}"), 0..3),
        prop::option::of(("[0-9][0-9.-]{0,7}", prop::collection::vec(lang, 0..3))),
    )
        .prop_map(|(publisher, bodies, number, part, stage, supplements, edition)| {
            let (originator, doc_type) = bodies.map_or((None, None), |(o, t)| (Some(o), t));
            let (edition, languages) = edition.map_or((None, Vec::new()), |(e, l)| (Some(e), l));
            UrnParts { publisher, originator, doc_type, number, part, stage, supplements, edition, languages }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn parts_read_back_from_the_urn_that_they_make(mut parts in any_parts()) {
        if let Ok(urn) = PartialUrn::new(parts.clone()) {
            parts.languages.sort();
            parts.languages.dedup();
            prop_assert_eq!(urn.parts(), parts);
            let again: PartialUrn = urn.as_str().to_uppercase().parse().unwrap();
            prop_assert_eq!(&again, &urn);
            prop_assert!(urn.as_str().starts_with(urn.without_language()));
            prop_assert!(urn.without_language().starts_with(urn.document_urn()));
            prop_assert_eq!(urn.complete().is_some(), !urn.languages().is_empty());
            let pattern: UrnPattern = urn.as_str().parse().unwrap();
            let edition = urn.with_edition(urn.edition().unwrap_or("1"), &[Lang::en()]).unwrap();
            prop_assert_eq!(pattern.matches(&edition), urn.languages().is_empty() || edition.as_partial() == &urn);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}|(urn:)?[a-z]{0,3}:std(:[a-z0-9.,+_|-]{0,6}){0,8}:*") {
        if let Ok(urn) = text.parse::<PartialUrn>() {
            prop_assert_eq!(urn.as_str().parse(), Ok(urn));
        }
        if let Ok(pattern) = text.parse::<UrnPattern>() {
            prop_assert_eq!(pattern.as_str().parse(), Ok(pattern));
        }
        if let Ok(identifier) = Identifier::parse(&text) {
            let _ = identifier.to_urn();
            let form = match &identifier {
                Identifier::Urn(urn) => urn.to_string(),
                Identifier::Partial(urn) => urn.to_string(),
                Identifier::Alias(alias) => alias.clone(),
            };
            prop_assert_eq!(Identifier::parse(&form), Ok(identifier));
        }
        let _ = PartialUrn::from_reference(&text);
        prop_assert_eq!(reference_key(&reference_key(&text)), reference_key(&text));
        prop_assert_eq!(segment(&segment(&text)), segment(&text));
    }

    #[test]
    fn any_designation_is_read_or_left(
        text in "(\\[|pr|E )?(ISO|IEC|EN|DIN|OGC|ITU-T|NSB|IEEE)([ /](TR|CD|FDIS|Guide|EN|ISO)){0,2} [A-Z0-9.-]{1,8}[:( ]{0,2}[0-9—-]{0,8}[)]?[/, ](D?Amd|Cor|A|AC)[ .]?[0-9]{0,3}(:[0-9]{0,5})?"
    ) {
        if let Some(citation) = PartialUrn::from_reference(&text) {
            prop_assert_eq!(citation.urn.edition(), None);
            prop_assert!(citation.dated || citation.year.is_none());
        }
    }
}

/// Each part of a URN begins and ends with a letter or digit, and no body is there twice.
fn is_odd(urn: &PartialUrn) -> Option<&'static str> {
    let parts = urn.parts();
    let odd = |part: &str| {
        let ends = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        !part.starts_with(ends)
            || !part.ends_with(ends)
            || part.contains("--")
            || part.contains(",-")
            || part.contains("-,")
    };
    if [&parts.number].into_iter().chain(&parts.part).chain(&parts.doc_type).any(|part| odd(part)) {
        return Some("a part");
    }
    let bodies: Vec<&str> = parts.originator.as_deref().unwrap_or_default().split('-').collect();
    let doubled = bodies.windows(2).any(|two| two[0] == two[1]);
    doubled.then_some("a body twice")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_designation_gives_an_odd_urn(
        body in "(ISO|ISO/IEC|IEC|IEEE Std|IEEE Std IEEE Std|ITU-T|ITU-R|OIML|IHO|JCGM|BIPM|CGPM RES|OGC|UN/CEFACT|IETF|RFC|BCP|W3C|ETSI TS|EN|DIN EN ISO|NF|ASTM|NIST SP|M3AAWG|CC/DIR|NSB|ECMA|TRBS|Guide ISO|Resolution|Recommendation ITU-T)",
        number in "[ -]?([A-Z]{0,2}[ .-]?)?[0-9]{1,5}([.,-]{0,2}[0-9A-Za-z]{0,4}){0,3}[ ,.:-]{0,2}([0-9]{4})?[-(), ]{0,3}\\PC{0,8}"
    ) {
        let text = format!("{body} {number}");
        if let Some(citation) = PartialUrn::from_reference(&text) {
            prop_assert_eq!(is_odd(&citation.urn), None, "{}: {}", text, citation.urn);
            // A name in its normal form is left as it is, and the designation alone says as much as the text.
            prop_assert_eq!(citation.urn.normalized(), Ok(citation.urn.clone()), "{}", text);
            let again = PartialUrn::from_reference(&citation.text);
            prop_assert_eq!(again.map(|again| again.urn), Some(citation.urn), "{}", text);
        }
    }
}
