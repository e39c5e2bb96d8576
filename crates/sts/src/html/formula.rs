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
    match node.name() {
        _ if !node.is_element() => {}
        Name::Annotation | Name::AnnotationXml | Name::Maligngroup | Name::Malignmark => {}
        Name::Semantics => {
            // The others are annotations of the first.
            if let Some(first) = node.elements().next() {
                self::node(html, first);
            }
        }
        Name::Maction => {
            if let Some(shown) = shown_of_action(node) {
                self::node(html, shown);
            }
        }
        Name::Menclose => enclosed(html, node),
        Name::Mstack | Name::Mlongdiv => column(html, node),
        Name::Mglyph => token(html, Tag::Mtext, &[], node.attr("alt").unwrap_or_default().trim()),
        Name::Mfenced => fenced(html, node),
        Name::Mmultiscripts => multiscripts(html, node),
        Name::Mtable => table(html, node),
        name => element(html, node, tag_of(name)),
    }
}

/// The element of MathML Core for one that it has too; a row for others.
fn tag_of(name: Name) -> Tag {
    match name {
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
    }
}

/// Writes an element with its attributes and as many children as it must have.
fn element(html: &mut Html, node: XmlNode<'_>, tag: Tag) {
    let attributes = attributes(node, tag);
    match tag {
        Tag::Mspace => token(html, tag, &attributes, ""),
        Tag::Mi | Tag::Mn | Tag::Mo | Tag::Mtext | Tag::Ms => token(html, tag, &attributes, &words(node)),
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

/// Attributes whose value has the form that MathML Core gives it.
fn attributes<'t>(node: XmlNode<'t>, tag: Tag) -> Vec<(Attribute, &'t str)> {
    let mut attributes: Vec<(Attribute, &str)> = Vec::new();
    for &attribute in known_attributes(tag) {
        let Some(value) = node.attr(attribute.name()) else { continue };
        let value = value.trim();
        let value = named_space(value).unwrap_or(value);
        if has_form(attribute, value) {
            attributes.push((attribute, value));
        }
    }
    // MathML Core has no variant of letters but for the token itself.
    if tag == Tag::Mi && attributes.is_empty() && is_single_letter(node) && is_upright(node) {
        attributes.push((Attribute::Mathvariant, "normal"));
    }
    attributes
}

/// The attributes of an element that are written, which have the same names in the source.
fn known_attributes(tag: Tag) -> &'static [Attribute] {
    match tag {
        Tag::Mi => &[Attribute::Mathvariant],
        Tag::Mo => &[Attribute::Stretchy, Attribute::Fence, Attribute::Lspace, Attribute::Rspace],
        Tag::Mspace => &[Attribute::Width],
        Tag::Mfrac => &[Attribute::Linethickness],
        Tag::Mstyle => &[Attribute::Displaystyle],
        Tag::Mover => &[Attribute::Accent],
        Tag::Munder => &[Attribute::Accentunder],
        _ => &[],
    }
}

/// True if a value has the form of its attribute: a truth value, or else a length.
fn has_form(attribute: Attribute, value: &str) -> bool {
    match attribute {
        Attribute::Mathvariant => value == "normal",
        Attribute::Stretchy
        | Attribute::Fence
        | Attribute::Displaystyle
        | Attribute::Accent
        | Attribute::Accentunder => matches!(value, "true" | "false"),
        _ => is_length(value),
    }
}

/// True if a value is a length with a unit of CSS, or nothing.
fn is_length(value: &str) -> bool {
    let number = value.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '%');
    let unit = &value[number.len()..];
    let is_unit = matches!(unit, "em" | "ex" | "px" | "pt" | "mm" | "cm" | "in" | "pc" | "%");
    number.parse::<f32>().is_ok_and(f32::is_finite) && (is_unit || number == "0")
}

fn is_single_letter(token: XmlNode<'_>) -> bool {
    token.normalized_text().is_some_and(|text| text.chars().count() == 1)
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
fn words(token: XmlNode<'_>) -> String {
    let mut words = match token.normalized_text() {
        Some(words) => words,
        None => token.children().map(XmlNode::characters).collect::<String>().trim().to_owned(),
    };
    for glyph in token.elements() {
        if glyph.name() == Name::Mglyph {
            words += glyph.attr("alt").unwrap_or_default();
        }
    }
    words
}

/// Writes what lines enclose: a root and bars as the elements for them, since browsers know no others.
fn enclosed(html: &mut Html, node: XmlNode<'_>) {
    let notation = node.attr("notation").unwrap_or("longdiv");
    let has = |name: &str| notation.split_whitespace().any(|one| one == name);
    let is_framed = has("left") && has("right") && has("top") && has("bottom");
    if has("radical") {
        html.begin(Tag::Msqrt, &[]);
        row(html, node);
        html.end(Tag::Msqrt);
    } else if has("top") && !is_framed {
        with_line(html, node, Tag::Mover, "¯");
    } else if has("bottom") && !is_framed {
        with_line(html, node, Tag::Munder, "_");
    } else {
        let has_bars = has("left") && has("right") && !is_framed;
        html.begin(Tag::Mrow, &[]);
        if has_bars {
            token(html, Tag::Mo, &[], "|");
        }
        row(html, node);
        if has_bars {
            token(html, Tag::Mo, &[], "|");
        }
        html.end(Tag::Mrow);
    }
}

/// Writes the children of a node as a row with a line over or under it.
fn with_line(html: &mut Html, node: XmlNode<'_>, tag: Tag, line: &str) {
    html.begin(tag, &[]);
    html.begin(Tag::Mrow, &[]);
    row(html, node);
    html.end(Tag::Mrow);
    token(html, Tag::Mo, &[], line);
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

/// Children that are shown: those that only align lines are not.
fn shown<'t>(node: XmlNode<'t>) -> Vec<XmlNode<'t>> {
    node.elements().filter(|n| !matches!(n.name(), Name::Maligngroup | Name::Malignmark)).collect()
}

/// Writes so many children: the last holds those beyond, and an empty row is for each that is missing.
fn exactly(html: &mut Html, node: XmlNode<'_>, tag: Tag, attributes: &[(Attribute, &str)], count: usize) {
    let children = shown(node);
    html.begin(tag, attributes);
    for index in 0..count {
        let is_last = index + 1 == count;
        match children.get(index..).unwrap_or_default() {
            [] => empty_row(html),
            [_, _, ..] if is_last => {
                html.begin(Tag::Mrow, &[]);
                for child in &children[index..] {
                    self::node(html, *child);
                }
                html.end(Tag::Mrow);
            }
            [child, ..] => operand(html, *child),
        }
    }
    html.end(tag);
}

/// Writes one child, an empty row where it writes nothing.
fn operand(html: &mut Html, child: XmlNode<'_>) {
    let before = html.out.len();
    node(html, child);
    if html.out.len() == before {
        empty_row(html);
    }
}

fn empty_row(html: &mut Html) {
    html.begin(Tag::Mrow, &[]);
    html.end(Tag::Mrow);
}

/// Writes brackets as operators around a row, with separators between the parts: the last one repeats.
fn fenced(html: &mut Html, node: XmlNode<'_>) {
    let separators = node.written_attr("separators").unwrap_or(",");
    let separators: Vec<char> = separators.chars().filter(|c| !c.is_whitespace()).collect();
    html.begin(Tag::Mrow, &[]);
    token(html, Tag::Mo, &[], node.written_attr("open").unwrap_or("(").trim());
    for (index, child) in node.elements().enumerate() {
        if index > 0
            && let Some(separator) = separators.get(index - 1).or(separators.last())
        {
            token(html, Tag::Mo, &[], separator.encode_utf8(&mut [0; 4]));
        }
        self::node(html, child);
    }
    token(html, Tag::Mo, &[], node.written_attr("close").unwrap_or(")").trim());
    html.end(Tag::Mrow);
}

/// Writes a base with pairs of scripts, after and before it. An empty row completes a pair.
fn multiscripts(html: &mut Html, node: XmlNode<'_>) {
    html.begin(Tag::Mmultiscripts, &[]);
    let children = shown(node);
    let mut parts = children.splitn(2, |child| child.name() == Name::Mprescripts);
    let base_and_scripts = parts.next().unwrap_or_default();
    for child in base_and_scripts {
        operand(html, *child);
    }
    // Without children the base is missing, with an even number the last script.
    if base_and_scripts.len() % 2 == 0 {
        empty_row(html);
    }
    if let Some(scripts_before) = parts.next() {
        html.begin(Tag::Mprescripts, &[]);
        html.end(Tag::Mprescripts);
        let mut count = 0;
        for script in scripts_before {
            if script.name() != Name::Mprescripts {
                operand(html, *script);
                count += 1;
            }
        }
        if count % 2 == 1 {
            empty_row(html);
        }
    }
    html.end(Tag::Mmultiscripts);
}

/// Writes a table; the label of a row is its last cell.
fn table(html: &mut Html, node: XmlNode<'_>) {
    let mut attributes = Vec::new();
    if let Some(align) = node.attr("columnalign")
        && align.split_whitespace().all(|word| matches!(word, "left" | "center" | "right"))
    {
        attributes.push((Attribute::Columnalign, align));
    }
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
