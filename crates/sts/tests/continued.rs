//! Provisions that run into a list, a table or the like, which one edition changes or leaves alone. The right
//! answer follows from how a pair of editions is made.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use norma_compare::{Comparison, DependencyKind, UnitRelation, Units, compare};
use norma_sts::{ExtractionOptions, extract};

/// What may follow a provision; `[V]` is what an edition changes.
const CONTINUATIONS: [&str; 6] = [
    "<list list-type='bullet'><list-item><p>steel of [V] mm;</p></list-item><list-item><p>brass.</p></list-item></list>",
    "<table-wrap><table><thead><tr><th>Size</th><th>mm</th></tr></thead><tbody><tr><td>A</td><td>[V]</td></tr></tbody></table></table-wrap>",
    "<def-list><def-item><term>F</term><def><p>is the force in [V] newtons</p></def></def-item></def-list>",
    "<disp-quote><p>Size [V]</p></disp-quote>",
    "<preformat>size = [V]</preformat>",
    "<code>size = [V]</code>",
];

/// Sentences in three languages, with the words of a paragraph that parts them from what follows.
const SENTENCES: [(&str, &str, &str); 5] = [
    ("en", "The sizes of the valves shall be as follows:", "Other matters are local."),
    ("en", "Each valve shall be one of these.", "Other matters are local."),
    ("en", "The marking should be legible. The valve shall be:", "Other matters are local."),
    ("de", "Die Ventile müssen folgende Größen haben:", "Anderes ist örtlich geregelt."),
    ("fr", "Les dimensions des robinets doivent être les suivantes:", "Le reste est local."),
];

fn units(language: &str, edition: usize, content: &str) -> Units {
    let source = format!(
        "<standard xml:lang='{language}'><front><std-meta><title-wrap xml:lang='{language}'><main>Valves</main>\
         </title-wrap><std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>77</doc-number>\
         <edition>{edition}</edition></std-ident><content-language>{language}</content-language><std-ref \
         type='dated'>NSB 77:{}</std-ref></std-meta></front><body><sec id='s'><label>4</label><title>Valves</title>\
         {content}</sec></body></standard>",
        2000 + edition
    );
    let extraction = extract(source.as_bytes(), &ExtractionOptions::default()).unwrap();
    Units::from(&*extraction.edition).in_language(&language.parse().unwrap())
}

/// True where the pair of the sentence with a colon or at the end of its paragraph says that what follows
/// changed.
fn says_changed(found: &Comparison, older: &Units, words: &str) -> bool {
    let link = found.links.iter().find(|link| older.units[link.older].text.contains(words));
    let link = link.unwrap_or_else(|| panic!("`{words}` has no counterpart"));
    let is_sentence = |dependency: &norma_compare::Dependency| dependency.kind == DependencyKind::Sentence;
    link.relation != UnitRelation::Same || link.facets.depends_on.iter().any(is_sentence)
}

#[test]
fn a_change_in_what_a_provision_runs_into_is_said_and_one_behind_a_paragraph_is_not() {
    for (language, sentence, between) in SENTENCES {
        let words = sentence.rsplit(". ").next().unwrap().trim_end_matches([':', '.']);
        for continuation in CONTINUATIONS {
            for is_changed in [false, true] {
                for is_parted in [false, true] {
                    let content = |value: &str| {
                        let part = if is_parted { format!("<p>{between}</p>") } else { String::new() };
                        format!("<p>{sentence}</p>{part}{}", continuation.replace("[V]", value))
                    };
                    let older = units(language, 1, &content("5"));
                    let newer = units(language, 2, &content(if is_changed { "9" } else { "5" }));
                    if !older.units.iter().any(|unit| unit.text.contains(words)) {
                        // The items complete the sentence: it is their lead-in, and no unit of its own.
                        continue;
                    }
                    let said = says_changed(&compare(&older, &newer), &older, words);
                    assert_eq!(
                        said,
                        is_changed && !is_parted,
                        "{sentence} {continuation} parted: {is_parted}"
                    );
                }
            }
        }
    }
}
