//! Generator of random standards: trees of every construct of the tag sets, with unique words.
//!
//! `¤` is replaced by the next word and `¢` by the next number; [`document`] puts them in, each once.

use proptest::collection::vec;
use proptest::prelude::*;

fn join(parts: impl Strategy<Value = Vec<String>>) -> impl Strategy<Value = String> {
    parts.prop_map(|parts| parts.concat())
}

/// Zero or one of something.
fn maybe(text: &'static str) -> impl Strategy<Value = String> {
    prop::bool::ANY.prop_map(move |there| if there { text.to_owned() } else { String::new() })
}

fn one(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(texts).prop_map(str::to_owned)
}

/// Inline content.
fn inline() -> impl Strategy<Value = String> {
    one(&[
        "¤",
        "¤ ",
        " ¤",
        "\n",
        "¤&mdash;¤",
        "¤&own;¤",
        "<bold>¤</bold>",
        "<italic>¤ <sc>¤</sc></italic>",
        "<![CDATA[¤ & <¤>]]>",
        "<!-- not text -->¤",
        "¤<?pi data?>¤",
        "¤<sup>2</sup>",
        "x<sub>¤</sub>",
        "<xref ref-type='sec' rid='nowhere'>¤</xref>",
        "<ext-link xlink:href='http://example.org/'>¤</ext-link>",
        "<std><std-ref>¤</std-ref></std>",
        "<styled-content style='x'>¤</styled-content>",
        "<named-content content-type='term' xlink:href='#t'>¤</named-content>",
        "<inline-formula><mml:math><mml:msub><mml:mi>¤</mml:mi><mml:mn>2</mml:mn></mml:msub></mml:math></inline-formula>",
        "<inline-formula><tex-math>¤</tex-math></inline-formula>",
        "<inline-graphic xlink:href='a.png'/>",
        "<inline-graphic xlink:href='data:image/png;base64,aGk='/>",
        "<fn><p>¤ ¤</p></fn>",
        "<fn><label>*</label><p>¤</p></fn>",
        "¤<break/>¤",
        "<monospace>¤</monospace>",
        "<odd>¤</odd>",
    ])
}

fn line() -> impl Strategy<Value = String> {
    join(vec(inline(), 0..5))
}

fn cell() -> impl Strategy<Value = String> {
    (one(&["td", "th"]), prop_oneof![line(), line().prop_map(|l| format!("<p>{l}</p><p>¤</p>{l}"))])
        .prop_map(|(tag, inner)| format!("<{tag}>{inner}</{tag}>"))
}

fn rows() -> impl Strategy<Value = String> {
    join(vec(join(vec(cell(), 0..4)).prop_map(|cells| format!("<tr>{cells}</tr>")), 0..4))
}

/// Blocks of running text, nested as they are in real files.
fn block() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => line().prop_map(|l| format!("<p>{l}</p>")),
        1 => one(&[
            "<p/>",
            "<disp-formula><mml:math><mml:mfrac><mml:mi>¤</mml:mi><mml:mi>¤</mml:mi></mml:mfrac></mml:math><label>(1)</label></disp-formula>",
            "<disp-formula><tex-math>¤</tex-math></disp-formula>",
            "<preformat>¤\n  ¤</preformat>",
            "<graphic xlink:href='fig_1'><alt-text>a</alt-text></graphic>",
            "<def-list><def-item><term>¤</term><def><p>¤</p><p>¤</p></def></def-item><def-item><term>¤</term><def/></def-item></def-list>",
            "<oasis:table><oasis:tgroup cols='2'><oasis:tbody><oasis:row><oasis:entry>¤</oasis:entry><oasis:entry>¤</oasis:entry>\
             </oasis:row></oasis:tbody></oasis:tgroup></oasis:table>",
        ]),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let inner = join(vec(inner, 0..4)).boxed();
        let around = |before: &'static str, after: &'static str| {
            inner.clone().prop_map(move |inner| format!("{before}{inner}{after}")).boxed()
        };
        prop_oneof![
            (one(&["bullet", "dash", "order", "alpha-lower", "simple"]), vec(inner.clone(), 0..4)).prop_map(
                |(kind, items)| {
                    let items: String = items.iter().map(|i| format!("<list-item>{i}</list-item>")).collect();
                    format!("<list list-type='{kind}'>{items}</list>")
                }
            ),
            around("<p>¤<list><list-item><label>a)</label>", "</list-item></list>¤</p>"),
            around("<non-normative-note><label>NOTE 1</label>", "</non-normative-note>"),
            around("<non-normative-note content-type='warning'>", "</non-normative-note>"),
            around("<non-normative-example>", "</non-normative-example>"),
            around("<disp-quote>", "</disp-quote>"),
            around("<boxed-text><label>¤</label>", "</boxed-text>"),
            around("<editing-instruction>", "</editing-instruction>"),
            around("<p>¤", "¤</p>"),
            (
                maybe("<label>Table 1</label>"),
                maybe("<caption><title>¤</title></caption>"),
                rows(),
                maybe("<table-wrap-foot><fn><label>a</label><p>¤</p></fn><p>¤</p></table-wrap-foot>")
            )
                .prop_map(|(label, caption, rows, foot)| {
                    format!(
                        "<table-wrap>{label}{caption}<table><tbody>{rows}</tbody></table>{foot}</table-wrap>"
                    )
                }),
            (
                maybe("<label>Figure 1</label>"),
                maybe("<caption><title>¤</title><p>¤</p></caption>"),
                inner.clone()
            )
                .prop_map(|(label, caption, key)| {
                    format!("<fig>{label}{caption}<graphic xlink:href='f.svg'/><graphic/>{key}</fig>")
                }),
        ]
    })
}

fn entry() -> impl Strategy<Value = String> {
    let set = (
        one(&["en", "fr", "de"]),
        maybe("<tbx:definition>¤ <tbx:entailedTerm target='t'>¤</tbx:entailedTerm></tbx:definition>"),
        vec(one(&["preferredTerm", "admittedTerm", "deprecatedTerm"]), 0..3),
        maybe("<tbx:note>¤</tbx:note><tbx:note>¤ ¤</tbx:note>"),
        maybe("<tbx:example>¤</tbx:example>"),
        maybe("<tbx:source>¤</tbx:source>"),
        maybe("<tbx:subjectField>¤</tbx:subjectField>"),
    )
        .prop_map(|(language, definition, tigs, notes, example, source, field)| {
            let tigs: String = tigs
                .iter()
                .map(|status| {
                    format!("<tbx:tig><tbx:term>¤</tbx:term><tbx:normativeAuthorization value='{status}'/></tbx:tig>")
                })
                .collect();
            format!(
                "<tbx:langSet xml:lang='{language}'>{definition}{notes}{example}{source}{field}{tigs}</tbx:langSet>"
            )
        });
    join(vec(set, 0..4)).prop_map(|sets| format!("<tbx:termEntry>{sets}</tbx:termEntry>"))
}

const REFERENCES: &str = "<ref-list><title>¤</title><ref><label>[1]</label><std><std-ref>ISO ¢</std-ref>, <title>¤</title></std></ref>\
    <ref><mixed-citation>ISO ¢</mixed-citation></ref></ref-list>";

/// Sections in sections, with and without label, title and id, and content between them.
fn sections() -> impl Strategy<Value = String> {
    let content = join(vec(block(), 0..4));
    let leaf = prop_oneof![
        4 => (one(&["sec", "app"]), one(&["", " id='same'", " id='ns1'", " sec-type='scope'"]), content)
            .prop_map(|(tag, attributes, content)| format!("<{tag}{attributes}>{content}</{tag}>")),
        1 => entry().prop_map(|e| format!("<sec sec-type='terms'><label>3</label><term-sec><label>3.1</label>{e}</term-sec></sec>")),
        1 => entry(),
        1 => Just(REFERENCES.to_owned()),
        1 => Just(format!("<sec sec-type='norm-refs'><p>¤</p>{REFERENCES}</sec>")),
        1 => Just("<fn-group><fn><label>1)</label><p>¤</p></fn><fn><p>¤</p></fn></fn-group>".to_owned()),
        1 => Just("<index><index-entry>¤</index-entry></index>".to_owned()),
        1 => block(),
        1 => Just("<!-- between -->¤<?pi?>¤".to_owned()),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        (
            maybe("<label>4.¢</label>"),
            maybe("<title>¤ <bold>¤</bold></title>"),
            vec(inner, 0..4),
            join(vec(block(), 0..3)),
        )
            .prop_map(|(label, title, nested, content)| {
                format!("<sec>{label}{title}{content}{}</sec>", nested.concat())
            })
    })
}

fn meta(reference: &str) -> String {
    format!(
        "<std-meta><title-wrap xml:lang='en'><full>Boxes</full></title-wrap><content-language>en</content-language>\
         <std-ref>{reference}</std-ref><std-xref type='replaces'><std-ref>ISO ¢</std-ref></std-xref><permissions>\
         <copyright-statement><inline-graphic xlink:href='logo'/>words that are no content</copyright-statement></permissions></std-meta>"
    )
}

/// A whole document, of one publisher or adopted once or twice, perhaps with the parts of a collection.
pub(crate) fn document() -> impl Strategy<Value = String> {
    let many = || join(vec(sections(), 0..5));
    (many(), many(), many(), 0..3usize, prop::bool::ANY).prop_map(|(front, body, back, adoptions, parts)| {
        let body = match parts {
            true => format!("<sub-part><label>1</label>{}<title>¤</title><body>{body}</body></sub-part>", meta("ISO 8:2000")),
            false => body,
        };
        let layers = ["ISO 9999:2006", "EN ISO 9999:2007", "DIN EN ISO 9999:2008"];
        let root = if adoptions == 0 { "standard" } else { "inner" };
        let mut all = format!(
            "<{root}><front>{}{front}</front><body>{body}</body><back><app-group>{back}</app-group></back></{root}>",
            meta(layers[0])
        );
        for layer in &layers[1..=adoptions] {
            let front = format!("<adoption-front>{}<sec><p>¤</p></sec></adoption-front>", meta(layer));
            all = format!("<adoption>{front}{all}<back><app><label>Annex ZA</label><p>¤</p></app></back></adoption>");
        }
        numbered(&declared(&all.replace("<inner>", "<standard>").replace("</inner>", "</standard>")))
    })
}

fn declared(document: &str) -> String {
    let at = document.find('>').unwrap_or_default();
    format!(
        "<!DOCTYPE x [<!ENTITY own '+'>]>\n{} xmlns:mml='http://www.w3.org/1998/Math/MathML' xmlns:xlink='http://www.w3.org/1999/xlink' \
         xmlns:tbx='urn:iso:std:iso:30042:ed-1' xmlns:oasis='http://www.niso.org/standards/z39-96/ns/oasis-exchange/table'{}",
        &document[..at],
        &document[at..]
    )
}

/// Puts words and numbers in: none is a part of another, of a label or of a phrase.
fn numbered(document: &str) -> String {
    let mut numbered = String::with_capacity(document.len() * 2);
    let (mut words, mut numbers) = (0, 0);
    for c in document.chars() {
        match c {
            '¤' => {
                numbered.push_str(&format!("q{words}z"));
                words += 1;
            }
            '¢' => {
                numbered.push_str(&(70_000 + numbers).to_string());
                numbers += 1;
            }
            c => numbered.push(c),
        }
    }
    numbered
}
