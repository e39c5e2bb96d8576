//! Comparison of the reader with another parser: both accept the same texts and build the same tree.

use proptest::prelude::*;

use super::*;

/// Each node with its bytes, its characters, its attributes and the namespaces around it.
fn ours(text: &str) -> Option<Vec<String>> {
    let tree = read(text, &ExtractionLimits::default()).ok()?;
    let root = tree.root();
    let node = |n: crate::xml::tree::XmlNode<'_>| {
        let attributes: Vec<(&str, &str)> = match &tree.nodes[n.id()].content {
            Content::Element(attributes) => tree.attributes
                [attributes.start as usize..attributes.end as usize]
                .iter()
                .map(|a| (a.local, a.value.as_ref()))
                .collect(),
            _ => Vec::new(),
        };
        let around = (
            n.parent().map(crate::xml::tree::XmlNode::range),
            n.next().map(crate::xml::tree::XmlNode::range),
            n.is_first(),
        );
        format!("{:?} {:?} {attributes:?} {:?} {around:?}", n.range(), n.characters(), n.namespaces())
    };
    Some(root.descendants().map(node).collect())
}

fn theirs(text: &str) -> Option<Vec<String>> {
    let document = roxmltree::Document::parse(text).ok()?;
    let root = document.root_element();
    let node = |n: roxmltree::Node<'_, '_>| {
        let attributes: Vec<(&str, &str)> = n.attributes().map(|a| (a.name(), a.value())).collect();
        let namespaces: Vec<(Option<&str>, &str)> = n.namespaces().map(|n| (n.name(), n.uri())).collect();
        let characters = if n.is_text() { n.text().unwrap_or_default() } else { "" };
        let next = n.next_sibling().filter(|_| n != root).map(|n| n.range());
        let first = n.prev_sibling().is_none();
        let around = (n.parent_element().map(|n| n.range()), next, first);
        format!("{:?} {characters:?} {attributes:?} {namespaces:?} {around:?}", n.range())
    };
    Some(root.descendants().map(node).collect())
}

/// Content that is well-formed anywhere.
const SOUND: &[&str] = &[
    "text",
    " ",
    "\n  ",
    "é—𝒜",
    "a > b",
    "&amp;",
    "&lt;&quot;&apos;&gt;",
    "&#233;&#x20AC;&#xD800;",
    "x\r\ny\rz",
    "]]",
    "<a/>",
    "<b x='1' id=\"i\" y = \"2\"\n/>",
    "<c x=\"a\tb\r\nc\nd\re\" y='&#10;&amp;\"'/>",
    "<p:d xmlns:p='urn:p' p:x='1' x='2'/>",
    "<d xmlns='urn:d' xmlns:q='urn:q'><q:e/></d>",
    "<f xml:lang='en' xml:id='i'/>",
    "<é·/>",
    "<g></g >",
    "<!--c - d-->",
    "<!---->",
    "<?pi some > ?>",
    "<?pi?>",
    "<![CDATA[ <&]] ]]>",
    "<![CDATA[]]>",
    "<![CDATA[a\r\nb]]>",
    "<d xmlns=''/>",
];

/// Content that is never well-formed, or only inside other markup.
const UNSOUND: &[&str] = &[
    "<",
    ">",
    "&",
    "]]>",
    "&nope;",
    "&#0;",
    "&#;",
    "&#x;",
    "&#xFFFE;",
    "&amp",
    "\u{1}",
    "\u{fffe}",
    "\u{ffff}",
    "<!-- a--b -->",
    "<!--a--->",
    "<!-->",
    "<!DOCTYPE a>",
    "<![CDATA[",
    "<?xml version='1.0'?>",
    "<?1?>",
    "<?",
    "<a",
    "</a",
    "<a>",
    "</a>",
    "</r>",
    "<a x='1' x='2'/>",
    "<a x='<'/>",
    "<a x=1/>",
    "<a x/>",
    "<a x='1'y='2'/>",
    "<a / >",
    "<a x='&nope;'/>",
    "<a x='\u{2}'/>",
    "< a/>",
    "<-a/>",
    "<1/>",
    "<·/>",
    "<a:b:c/>",
    "<p:/>",
    "<p:1 xmlns:p='urn:p'/>",
    "<z:a/>",
    "<a z:x='1'/>",
    "<xml:a/>",
    "<xmlns:a/>",
    "<a xmlns:p='urn:p' xmlns:p='urn:q'/>",
    "<a xmlns:p='urn:p' xmlns:q='urn:p' p:x='1' q:x='2'/>",
    "<a xmlns:xml='urn:x'/>",
    "<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>",
    "<a xmlns='http://www.w3.org/2000/xmlns/'/>",
    "<a x='1",
];

fn content() -> impl Strategy<Value = String> {
    let sound = prop::sample::select(SOUND);
    let piece = prop_oneof![200 => sound, 1 => prop::sample::select(UNSOUND)].prop_map(str::to_owned);
    piece.prop_recursive(5, 60, 6, |inner| {
        let tag = prop::sample::select(vec!["a", "é", "p:a xmlns:p='urn:r'", "b xmlns='urn:e' x='1'"]);
        (tag, prop::collection::vec(inner, 0..6)).prop_map(|(tag, content)| {
            let name = tag.split(' ').next().unwrap_or_default();
            format!("<{tag}>{}</{name}>", content.concat())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn what_is_taken_is_what_another_parser_takes(
        before in prop::sample::select(vec![
            "", " \n", "\u{feff}", "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding='UTF-8' standalone='no' ?>\n<!--x-->",
            "<?xml encoding='UTF-8'?>", "<?xml version='1.0'encoding='UTF-8'?>", "<?xml version='1.0'>", "<?a?>", "x",
        ]),
        content in prop::collection::vec(content(), 0..4),
        after in prop::sample::select(vec!["", "", "\n", "<!--x-->", "<?a b?> ", "x", "<a/>", "</r>", "&amp;"]),
    ) {
        let text = format!("{before}<r xmlns:s='urn:s'>{}</r>{after}", content.concat());
        prop_assert_eq!(ours(&text), theirs(&text), "{}", text);
    }

    #[test]
    fn what_a_damaged_text_still_gives_is_what_another_parser_sees(
        content in prop::collection::vec(content(), 1..4),
        range in any::<prop::sample::Index>(),
        length in 0usize..4,
        with in prop::sample::select(vec!["", "<", ">", "/", "&", "'", "\"", "a", "=", "-", "]", "\u{0}"]),
    ) {
        let mut text = format!("<r>{}</r>", content.concat());
        let start = text.floor_char_boundary(range.index(text.len()));
        let end = text.ceil_char_boundary((start + length).min(text.len()));
        text.replace_range(start..end, with);
        if let Some(tree) = ours(&text) {
            prop_assert_eq!(Some(tree), theirs(&text), "{}", text);
        }
    }
}

#[test]
fn sound_pieces_are_taken_and_unsound_ones_refused() {
    for piece in SOUND {
        let text = format!("<r>{piece}</r>");
        assert!(ours(&text).is_some() && ours(&text) == theirs(&text), "{text}");
    }
    for piece in UNSOUND.iter().filter(|piece| **piece != ">") {
        let text = format!("<r>{piece}</r>");
        assert_eq!((ours(&text), theirs(&text)), (None, None), "{text}");
    }
}

#[test]
fn names_that_namespaces_do_not_allow_are_refused() {
    for text in ["<:a/>", "<a :x='1'/>", "<a xmlns='urn:a' xmlns='urn:b'/>", "<a xmlns:xmlns='urn:a'/>"] {
        assert_eq!(ours(text), None, "{text}");
    }
}

#[test]
fn what_a_text_may_cost_is_bounded() {
    let error = |text: &str, limits: ExtractionLimits| read(text, &limits).err();
    let limits = ExtractionLimits::default;
    assert_eq!(error("<a><b>x</b></a>", ExtractionLimits { depth: 3, ..limits() }), None);
    assert_eq!(
        error("<a><b>x</b></a>", ExtractionLimits { depth: 2, ..limits() }),
        Some(ReadError::Depth(6))
    );
    assert_eq!(
        error("<a>x<b y='123'/></a>", ExtractionLimits { attribute_bytes: 2, ..limits() }),
        Some(ReadError::Attribute(4))
    );
    assert_eq!(error("<a>x<b/></a>", ExtractionLimits { nodes: 3, ..limits() }), Some(ReadError::Markup(4)));
    // Many attributes are not compared each with each.
    let many: String = (0..200_000).map(|n| format!(" a{n}='' xmlns:n{n}='urn:n'")).collect();
    let all = || ExtractionLimits { prefixes: 200_000, ..limits() };
    assert_eq!(error(&format!("<a{many}/>"), all()), None);
    assert_eq!(error(&format!("<a{many} a7=''/>"), all()), Some(ReadError::Markup(0)));
    assert!(matches!(error(&format!("<a{many}/>"), limits()), Some(ReadError::Prefixes(_))));
    // One prefix may be declared as often as there are elements.
    assert_eq!(error(&format!("<a>{}</a>", "<p:b xmlns:p='urn:p'/>".repeat(300)), limits()), None);
}

#[test]
fn a_child_is_found_among_thousands_and_looked_for_once() {
    let entries = "<p>x</p>".repeat(5000);
    for (text, labels) in [
        (format!("<sec>{entries}<label>1</label><label>2</label></sec>"), Some("1")),
        (format!("<sec><label>1</label>{entries}</sec>"), Some("1")),
        (format!("<sec>{entries}<title>Title</title></sec>"), None),
    ] {
        let tree = read(&text, &ExtractionLimits::default()).ok().unwrap();
        for _ in 0..3 {
            let label = tree.root().child(Name::Label).and_then(crate::xml::tree::XmlNode::normalized_text);
            assert_eq!(label.as_deref(), labels);
        }
        assert!(tree.cached_children() <= 1, "{}", tree.cached_children());
    }
}
