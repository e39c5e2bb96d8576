//! Tests of sentence boundaries.

use super::*;
use norma_model::Lang;
use proptest::prelude::*;

fn split(code: &str, text: &str) -> Vec<String> {
    let language = Language::of(&code.parse::<Lang>().unwrap()).unwrap();
    sentences(text, 0..text.len(), &[], language).into_iter().map(|s| text[s].to_owned()).collect()
}

#[test]
fn a_sentence_does_not_end_at_an_abbreviation_number_or_reference() {
    for (code, text) in [
        ("en", "Dry it, e.g. in an oven, as in Fig. 3 or No. 7 of ISO 9001:2015. Then weigh it to 0.5 g."),
        (
            "en",
            "The size (see 4.2.1) shall be approx. 5 mm, i.e. small. It shall be measured by J. K. Miller.",
        ),
        ("en", "Use max. 3 ml, cf. Clause 5. No sample shall be wet."),
        ("en", "Wait for 30 min. Then weigh it."),
        ("en", "The angle is given in rad/s. Because of this it is recommended to name the unit."),
        ("en", "It is used for rice, wheat, etc. Other grain is not."),
        ("en", "The bath is of class B. Class A is finer."),
        ("en", "According to J. K. Brown and A. Smith it can vary. It is so."),
        ("en", "To open a locker, a guest shall use a berth ID. A guest shall keep the key."),
        ("fr", "La clé est le numéro ID. Elle doit être unique."),
        ("fr", "Une bande d'au moins 50 mm. Il convient de la voir."),
        ("fr", "Selon M. Dupont la masse varie. Elle est notée."),
        ("de", "Die Probe wird 5 min. Dann wird sie gewogen."),
        ("de", "Die Probe, z. B. Reis, muss ca. 5 g wiegen (vgl. Abb. 2). Sie darf nicht nass sein."),
        ("de", "Es gilt Nr. 3, d. h. Abs. 2. Bzgl. der Masse siehe Tab. 4."),
        ("fr", "La masse, p. ex. env. 5 g, doit être notée (cf. fig. 2). Elle ne doit pas varier."),
    ] {
        assert_eq!(split(code, text).len(), 2, "{text}: {:?}", split(code, text));
    }
}

#[test]
fn what_follows_a_full_stop_tells_whether_the_sentence_ends() {
    for (code, text, count) in [
        ("en", "It is kept in BACKUP.ZIP by Pump.Stop of CFG.NET.A.", 1),
        ("de", "Züge müssen halten. (2) Sie dürfen warten. (2a) Werden sie geteilt, ist zu warten.", 3),
        ("de", "Es gilt § 4 Abs. (2) Satz 1.", 1),
        ("en", "Lids shall close. (12) They may be red.", 2),
        ("en", "The lid is shut.The bag is open.", 2),
        ("en", "It ends at 5 p.m. Late bags stay in the U.S. Postal Office of the U.K. It is so.", 3),
        ("en", "It was made for Ann. A lid is red, as in Drg. A of the plan.", 2),
        ("en", "Wait for 30 min. Read the scale.", 2),
        ("de", "Der 2. Deckel und der 3. Sack kosten 4 Mio. Euro. Es sind 3. Das ist viel.", 3),
        ("de", "Nach Anh. II und Kap. B gilt ABl. L 157. Es sind 5 Mio. Das ist viel.", 3),
        ("fr", "L’art. L. 121-1 et l'art. R. 4 s'appliquent. Il en est ainsi.", 2),
    ] {
        assert_eq!(split(code, text).len(), count, "{text}: {:?}", split(code, text));
    }
}

#[test]
fn brackets_around_whole_sentences_are_no_part_of_them() {
    for (code, text, expected) in [
        ("en", "(The lid shall close. It shall be red.)", vec!["The lid shall close.", "It shall be red."]),
        (
            "en",
            "It is new. (The lid shall close. It may be red.) It shall fit.",
            vec!["It is new.", "The lid shall close.", "It may be red.", "It shall fit."],
        ),
        ("en", "[The lid shall close! Is it red?]", vec!["The lid shall close!", "Is it red?"]),
        ("en", "(It shall close.) It may be red.", vec!["It shall close.", "It may be red."]),
        (
            "en",
            "The lid (see 4.2. It is red.) shall close.",
            vec!["The lid (see 4.2. It is red.) shall close."],
        ),
        (
            "en",
            "It shall close (e.g. by hand). It may be red.",
            vec!["It shall close (e.g. by hand).", "It may be red."],
        ),
        (
            "fr",
            "(Le couvercle doit fermer. Il peut être rouge.)",
            vec!["Le couvercle doit fermer.", "Il peut être rouge."],
        ),
        (
            "de",
            "(Der Deckel muss schließen. Er darf rot sein.)",
            vec!["Der Deckel muss schließen.", "Er darf rot sein."],
        ),
        (
            "en",
            "It is new. (2) The lid shall close. (3) It may be red.",
            vec!["It is new.", "(2) The lid shall close.", "(3) It may be red."],
        ),
        ("en", "It is new. (b) The lid shall close.", vec!["It is new.", "(b) The lid shall close."]),
        ("en", "The lid (1) shall close. It may be red.", vec!["The lid (1) shall close.", "It may be red."]),
    ] {
        assert_eq!(split(code, text), expected, "{text}");
    }
}

proptest! {
    /// The short way of reading plain text must never lead elsewhere than the library's own.
    #[test]
    fn plain_text_breaks_where_the_library_breaks_it(
        text in "([A-Za-zéÀßœ]{1,6}|[a-z]’[A-Za-zé]|°C|±|etc|No|Fig|e[.]g|5 min|[A-Z]|[0-9]{1,3}([.][0-9])?|pH|Yahoo)(([.!?:;,/-]| [.]|[.] |[.] ?[.])?( {1,2}|,|\u{a0}|’)?([A-Za-zéÀßœ]{1,6}|²|vs|[A-Z]|[0-9]{1,2}|[ivx]+|[*+-]|Jan|[(]([A-Za-z]{1,5}|[0-9]|[.!])( [A-Za-z]{1,5}| [0-9]|[.])?[)])){0,8}[.!?]?( [(]a[)]|\u{a0}|\"|')?",
    ) {
        for language in Language::all() {
            let Some(plain) = plain_breaks(&text, language.splitter) else { continue };
            let whole = sentencex::get_sentence_boundaries(&language.code, &text);
            let mut whole: Vec<_> = whole.iter().map(|b| b.start_byte + b.text.trim_end().len()).collect();
            // The end of the text does not count.
            whole.retain(|&end| end < text.trim_end().len());
            let plain: Vec<_> = plain.into_iter().filter(|&end| end < text.trim_end().len()).collect();
            prop_assert_eq!(plain, whole, "{}", text);
        }
    }
}

#[test]
fn tokens_do_not_break_a_sentence_and_its_range_is_exact() {
    let text = "Compute\u{a0}w by \n\nx. = y.\n\n where x is small.1 Then see ISO 1. It ends.";
    let formula = text.find("x. =").unwrap();
    let mark = text.find("1 Then").unwrap();
    let cite = text.find("ISO 1.").unwrap();
    let spans = [
        TokenSpan { range: formula..formula + 7, kind: SpanKind::Formula },
        TokenSpan { range: mark..mark + 1, kind: SpanKind::FootnoteMark { footnotes: Box::default() } },
        TokenSpan { range: cite..cite + 6, kind: SpanKind::Citation { cited: Vec::new(), listed: false } },
    ];
    let language = Language::of(&Lang::en()).unwrap();
    let found: Vec<_> =
        sentences(text, 0..text.len(), &spans, language).into_iter().map(|s| &text[s]).collect();
    assert_eq!(
        found,
        ["Compute\u{a0}w by \n\nx. = y.\n\n where x is small.1", "Then see ISO 1.", "It ends."]
    );
}
