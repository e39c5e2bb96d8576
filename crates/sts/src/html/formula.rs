//! Formulae: MathML without prefixes, `mfenced` as the elements that it abbreviates (MathML 3, 3.3.8), each
//! element with as many children as it must have.

use super::markup::{Attribute, Html, Tag};
use crate::text::math::{is_upright, shown_of_action};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Writes a formula with its line of text.
pub(super) fn write(html: &mut Html, math: XmlNode<'_>, line: &str) {
    let display = math.parent().is_some_and(|parent| parent.name() == Name::DispFormula);
    let mut attributes = vec![(Attribute::Alttext, line)];
    if display {
        attributes.push((Attribute::Display, "block"));
    }
    html.begin(Tag::Math, &attributes);
    row(html, math);
    html.end(Tag::Math);
}

fn row(html: &mut Html, node: XmlNode<'_>) {
    for child in node.children() {
        match child.characters().trim() {
            "" => self::node(html, child),
            words => token(html, Tag::Mtext, &[], words),
        }
    }
}

fn token(html: &mut Html, tag: Tag, attributes: &[(Attribute, &str)], words: &str) {
    html.begin(tag, attributes);
    html.text(words);
    html.end(tag);
}

fn node(html: &mut Html, node: XmlNode<'_>) {
    let tag = match node.name() {
        _ if !node.is_element() => return,
        Name::Annotation | Name::AnnotationXml | Name::Maligngroup | Name::Malignmark => return,
        Name::Semantics => return node.elements().take(1).for_each(|child| self::node(html, child)),
        Name::Maction => {
            return shown_of_action(node).into_iter().for_each(|child| self::node(html, child));
        }
        Name::Menclose => return enclosed(html, node),
        Name::Mstack | Name::Mlongdiv => return column(html, node),
        Name::Mglyph => return token(html, Tag::Mtext, &[], node.attr("alt").unwrap_or_default().trim()),
        Name::Mfenced => return fenced(html, node),
        Name::Mmultiscripts => return multiscripts(html, node),
        Name::Mtable => return table(html, node),
        Name::Mi => Tag::Mi,
        Name::Mn => Tag::Mn,
        Name::Mo => Tag::Mo,
        Name::Mtext => Tag::Mtext,
        Name::Ms => Tag::Ms,
        Name::Mspace => Tag::Mspace,
        Name::Mfrac => Tag::Mfrac,
        Name::Mroot => Tag::Mroot,
        Name::Msub => Tag::Msub,
        Name::Msup => Tag::Msup,
        Name::Msubsup => Tag::Msubsup,
        Name::Mover => Tag::Mover,
        Name::Munder => Tag::Munder,
        Name::Munderover => Tag::Munderover,
        Name::Msqrt => Tag::Msqrt,
        Name::Mstyle => Tag::Mstyle,
        Name::Mpadded => Tag::Mpadded,
        Name::Mphantom => Tag::Mphantom,
        Name::Merror => Tag::Merror,
        _ => Tag::Mrow,
    };
    let attributes = attributes(node, tag);
    match tag {
        Tag::Mi | Tag::Mn | Tag::Mo | Tag::Mtext | Tag::Ms | Tag::Mspace => {
            let words = words(node).filter(|_| tag != Tag::Mspace);
            token(html, tag, &attributes, words.as_deref().unwrap_or_default());
        }
        Tag::Mfrac | Tag::Mroot | Tag::Msub | Tag::Msup | Tag::Mover | Tag::Munder => {
            exactly(html, node, tag, &attributes, 2);
        }
        Tag::Msubsup | Tag::Munderover => exactly(html, node, tag, &attributes, 3),
        _ => {
            html.begin(tag, &attributes);
            row(html, node);
            html.end(tag);
        }
    }
}

/// An attribute that is kept: its name in the source, that in HTML, and whether a value has its form.
type KnownAttribute<'a> = (&'a str, Attribute, &'a dyn Fn(&str) -> bool);

/// Attributes whose value has the form that MathML Core gives it.
fn attributes<'t>(node: XmlNode<'t>, tag: Tag) -> Vec<(Attribute, &'t str)> {
    let truth = |value: &str| matches!(value, "true" | "false");
    let length = |value: &str| {
        let number = value.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '%');
        let unit = &value[number.len()..];
        number.parse::<f32>().is_ok_and(f32::is_finite)
            && (matches!(unit, "em" | "ex" | "px" | "pt" | "mm" | "cm" | "in" | "pc" | "%") || number == "0")
    };
    let known: &[KnownAttribute<'_>] = match tag {
        Tag::Mi => &[("mathvariant", Attribute::Mathvariant, &|value| value == "normal")],
        Tag::Mo => &[
            ("stretchy", Attribute::Stretchy, &truth),
            ("fence", Attribute::Fence, &truth),
            ("lspace", Attribute::Lspace, &length),
            ("rspace", Attribute::Rspace, &length),
        ],
        Tag::Mspace => &[("width", Attribute::Width, &length)],
        Tag::Mfrac => &[("linethickness", Attribute::Linethickness, &length)],
        Tag::Mstyle => &[("displaystyle", Attribute::Displaystyle, &truth)],
        Tag::Mover => &[("accent", Attribute::Accent, &truth)],
        Tag::Munder => &[("accentunder", Attribute::Accentunder, &truth)],
        _ => &[],
    };
    let value = |name: &str| node.attr(name).map(str::trim).map(|value| named_space(value).unwrap_or(value));
    let mut attributes: Vec<(Attribute, &str)> = known
        .iter()
        .filter_map(|(name, attribute, fits)| Some((*attribute, value(name).filter(|value| fits(value))?)))
        .collect();
    // MathML Core has no variant of letters but for the token itself.
    let single = || node.normalized_text().is_some_and(|text| text.chars().count() == 1);
    if tag == Tag::Mi && attributes.is_empty() && single() && is_upright(node) {
        attributes.push((Attribute::Mathvariant, "normal"));
    }
    attributes
}

/// The width of a space that has a name (MathML 3, 2.1.5.2); MathML Core knows lengths alone.
fn named_space(name: &str) -> Option<&'static str> {
    Some(match name {
        "veryverythinmathspace" => "0.0556em",
        "verythinmathspace" => "0.1111em",
        "thinmathspace" => "0.1667em",
        "mediummathspace" => "0.2222em",
        "thickmathspace" => "0.2778em",
        "verythickmathspace" => "0.3333em",
        "veryverythickmathspace" => "0.3889em",
        _ => return None,
    })
}

/// The words of a token, or its invisible operator; a picture among them says its alternative text.
fn words(token: XmlNode<'_>) -> Option<String> {
    let written = || token.children().map(XmlNode::characters).collect::<String>().trim().to_owned();
    let mut words = token.normalized_text().unwrap_or_else(written);
    for glyph in token.elements().filter(|n| n.name() == Name::Mglyph) {
        words += glyph.attr("alt").unwrap_or_default();
    }
    (!words.is_empty()).then_some(words)
}

/// Writes what lines enclose: a root and bars as the elements for them, since browsers know no others.
fn enclosed(html: &mut Html, node: XmlNode<'_>) {
    let notation = node.attr("notation").unwrap_or("longdiv");
    let has = |name: &str| notation.split_whitespace().any(|one| one == name);
    let framed = has("left") && has("right") && has("top") && has("bottom");
    let (tag, line) = match () {
        () if has("radical") => (Tag::Msqrt, None),
        () if has("top") && !framed => (Tag::Mover, Some("¯")),
        () if has("bottom") && !framed => (Tag::Munder, Some("_")),
        () => (Tag::Mrow, None),
    };
    let bars = tag == Tag::Mrow && has("left") && has("right") && !framed;
    html.begin(tag, &[]);
    if line.is_some() {
        html.begin(Tag::Mrow, &[]);
    }
    if bars {
        token(html, Tag::Mo, &[], "|");
    }
    row(html, node);
    if bars {
        token(html, Tag::Mo, &[], "|");
    }
    if let Some(line) = line {
        html.end(Tag::Mrow);
        token(html, Tag::Mo, &[], line);
    }
    html.end(tag);
}

/// Writes written arithmetic as a table with a row for each of its lines.
fn column(html: &mut Html, node: XmlNode<'_>) {
    html.begin(Tag::Mtable, &[(Attribute::Columnalign, "right")]);
    column_rows(html, node);
    html.end(Tag::Mtable);
}

fn column_rows(html: &mut Html, node: XmlNode<'_>) {
    for line in shown(node) {
        match line.name() {
            Name::Msgroup => column_rows(html, line),
            Name::Msline | Name::Mscarries => {}
            _ => {
                html.begin(Tag::Mtr, &[]);
                html.begin(Tag::Mtd, &[]);
                self::node(html, line);
                html.end(Tag::Mtd);
                html.end(Tag::Mtr);
            }
        }
    }
}

/// Children that are shown.
fn shown<'t>(node: XmlNode<'t>) -> Vec<XmlNode<'t>> {
    node.elements().filter(|n| !matches!(n.name(), Name::Maligngroup | Name::Malignmark)).collect()
}

/// Writes so many children: the last holds those beyond, and an empty row is for each that is missing.
fn exactly(html: &mut Html, node: XmlNode<'_>, tag: Tag, attributes: &[(Attribute, &str)], count: usize) {
    let children = shown(node);
    html.begin(tag, attributes);
    for index in 0..count {
        match children.get(index..).unwrap_or_default() {
            [only] if index + 1 == count => operand(html, *only),
            rest if index + 1 == count => {
                html.begin(Tag::Mrow, &[]);
                rest.iter().for_each(|child| self::node(html, *child));
                html.end(Tag::Mrow);
            }
            [first, ..] => operand(html, *first),
            [] => {
                html.begin(Tag::Mrow, &[]);
                html.end(Tag::Mrow);
            }
        }
    }
    html.end(tag);
}

/// Writes one child, an empty row where it writes nothing.
fn operand(html: &mut Html, child: XmlNode<'_>) {
    let before = html.out.len();
    node(html, child);
    if html.out.len() == before {
        html.begin(Tag::Mrow, &[]);
        html.end(Tag::Mrow);
    }
}

fn fenced(html: &mut Html, node: XmlNode<'_>) {
    let separators: Vec<char> =
        node.written_attr("separators").unwrap_or(",").chars().filter(|c| !c.is_whitespace()).collect();
    html.begin(Tag::Mrow, &[]);
    token(html, Tag::Mo, &[], node.written_attr("open").unwrap_or("(").trim());
    for (index, child) in node.elements().enumerate() {
        let separator = index.checked_sub(1).and_then(|i| separators.get(i).or(separators.last()));
        if let Some(separator) = separator {
            token(html, Tag::Mo, &[], separator.encode_utf8(&mut [0; 4]));
        }
        self::node(html, child);
    }
    token(html, Tag::Mo, &[], node.written_attr("close").unwrap_or(")").trim());
    html.end(Tag::Mrow);
}

/// Writes a base with pairs of scripts, after and before it.
fn multiscripts(html: &mut Html, node: XmlNode<'_>) {
    html.begin(Tag::Mmultiscripts, &[]);
    let children = shown(node);
    let mut parts = children.splitn(2, |child| child.name() == Name::Mprescripts);
    let empty = |html: &mut Html| {
        html.begin(Tag::Mrow, &[]);
        html.end(Tag::Mrow);
    };
    let after = parts.next().unwrap_or_default();
    if after.is_empty() {
        empty(html);
    }
    after.iter().for_each(|child| operand(html, *child));
    if !after.is_empty() && after.len() % 2 == 0 {
        empty(html);
    }
    if let Some(before) = parts.next() {
        html.begin(Tag::Mprescripts, &[]);
        html.end(Tag::Mprescripts);
        let before: Vec<XmlNode<'_>> =
            before.iter().copied().filter(|c| c.name() != Name::Mprescripts).collect();
        before.iter().for_each(|child| operand(html, *child));
        if before.len() % 2 == 1 {
            empty(html);
        }
    }
    html.end(Tag::Mmultiscripts);
}

/// Writes a table; the label of a row is its last cell.
fn table(html: &mut Html, node: XmlNode<'_>) {
    let align = node
        .attr("columnalign")
        .filter(|value| value.split_whitespace().all(|word| matches!(word, "left" | "center" | "right")));
    let attributes: Vec<_> = align.map(|value| (Attribute::Columnalign, value)).into_iter().collect();
    html.begin(Tag::Mtable, &attributes);
    for row in shown(node) {
        html.begin(Tag::Mtr, &[]);
        let mut cells = match row.name() {
            Name::Mtr | Name::Mlabeledtr => shown(row),
            _ => vec![row],
        };
        if row.name() == Name::Mlabeledtr && !cells.is_empty() {
            cells.rotate_left(1);
        }
        for cell in cells {
            html.begin(Tag::Mtd, &[]);
            match cell.name() {
                Name::Mtd => self::row(html, cell),
                _ => self::node(html, cell),
            }
            html.end(Tag::Mtd);
        }
        html.end(Tag::Mtr);
    }
    html.end(Tag::Mtable);
}
