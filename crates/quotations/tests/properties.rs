//! Properties of any input: no text breaks the reader, and a text is found in itself.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use norma_model::{Lang, Passage};
use norma_quotations::{CandidateUnit, PreparedUnit, Quotation, QuotationVerdict, verify};
use proptest::prelude::*;

/// Signs that the reader knows, among others.
const SIGNS: [&str; 34] = [
    "shall", "not", "unless", "5", "0,5", "1 500", "mm", "m^2", "_", "^", "(", ")", "[", "]", "…", "...",
    "-", "−", "\n", "\t", " ", " ", "a)", "4.2", "NOTE 1", "\u{ad}", "ﬁ", "e\u{301}", "²", "½", "%", "°",
    ".", "נכון",
];

fn text() -> impl Strategy<Value = String> {
    let of_signs =
        prop::collection::vec(prop::sample::select(&SIGNS[..]), 0..80).prop_map(|signs| signs.join(" "));
    let glued =
        prop::collection::vec(prop::sample::select(&SIGNS[..]), 0..80).prop_map(|signs| signs.concat());
    let bytes = prop::collection::vec(any::<u8>(), 0..200)
        .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    prop_oneof![of_signs, glued, bytes, any::<String>()]
}

proptest! {
    #[test]
    fn any_text_gets_a_verdict(
        quoted in text(),
        texts in prop::collection::vec((text(), prop::option::of(text()), any::<bool>()), 0..6),
        passage in (any::<bool>(), 0_u32..50, 0_u32..50),
    ) {
        let Ok(quotation) = Quotation::new(&quoted) else { return Ok(()) };
        let languages: [Lang; 3] = ["en", "fr", "de"].map(|code| code.parse().unwrap());
        let (in_lead_in, start, end) = passage;
        let passages = [Passage { in_lead_in, start, end }];
        let mut units = Vec::new();
        for (index, (text, lead_in, is_running_text)) in texts.iter().enumerate() {
            units.push(PreparedUnit::new(CandidateUnit {
                lead_in: lead_in.as_deref(),
                is_running_text: *is_running_text,
                conditions: &passages,
                verbal_form: Some(passages[0]),
                position: Some((0, index)),
                ..CandidateUnit::of_text(text, &languages[index % 3])
            }));
        }
        verify(&quotation, &units);
    }

    #[test]
    fn a_text_is_found_in_itself(quoted in text()) {
        let Ok(quotation) = Quotation::new(&quoted) else { return Ok(()) };
        let english = Lang::en();
        let units = [PreparedUnit::new(CandidateUnit {
            is_running_text: false,
            ..CandidateUnit::of_text(&quoted, &english)
        })];
        let verdict = verify(&quotation, &units);
        prop_assert!(
            matches!(verdict, QuotationVerdict::Exact { .. } | QuotationVerdict::Normalised { .. }),
            "{verdict:?}"
        );
    }
}
