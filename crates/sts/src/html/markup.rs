//! Allow-list of HTML: the elements and attributes that can be written, and the escape of all values.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

macro_rules! allowed {
    ($(#[$doc:meta])* $list:ident: $($name:ident $text:literal)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $list { $($name),* }

        impl $list {
            /// Each name that can be written.
            pub(super) const NAMES: &[&str] = &[$($text),*];

            pub(super) fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }
    };
}

allowed! {
    /// An element of HTML or MathML.
    Tag:
    Article "article" Section "section" H2 "h2" H3 "h3" H4 "h4" H5 "h5" H6 "h6" P "p" Pre "pre" Div "div"
    Blockquote "blockquote" Ul "ul" Ol "ol" Li "li" Dl "dl" Dt "dt" Dd "dd" Figure "figure" Figcaption "figcaption"
    Table "table" Thead "thead" Tbody "tbody" Tr "tr" Th "th" Td "td"
    A "a" B "b" I "i" U "u" S "s" Em "em" Ins "ins" Del "del" Code "code" Sub "sub" Sup "sup" Span "span" Br "br" Img "img"
    Math "math" Mrow "mrow" Mi "mi" Mn "mn" Mo "mo" Mtext "mtext" Ms "ms" Mspace "mspace" Mfrac "mfrac" Msqrt "msqrt"
    Mroot "mroot" Msub "msub" Msup "msup" Msubsup "msubsup" Mover "mover" Munder "munder" Munderover "munderover"
    Mmultiscripts "mmultiscripts" Mprescripts "mprescripts" Mtable "mtable" Mtr "mtr" Mtd "mtd" Mstyle "mstyle"
    Mpadded "mpadded" Mphantom "mphantom" Merror "merror"
}

allowed! {
    /// An attribute. None runs a script, sets a style or loads anything, but for the address of a picture,
    /// which the caller gives.
    Attribute:
    Id "id" Lang "lang" Dir "dir" Urn "data-urn" Type "data-type" Acceptability "data-acceptability" Provision "data-provision" Label "data-label"
    Group "data-group" Verb "data-verb" Term "data-term" Graphic "data-graphic" Missing "data-missing" Hidden "hidden"
    Href "href" Src "src" Alt "alt" Role "role" AriaLabel "aria-label" Colspan "colspan" Rowspan "rowspan" Scope "scope"
    Alttext "alttext" Display "display" Mathvariant "mathvariant" Stretchy "stretchy" Fence "fence"
    Linethickness "linethickness" Displaystyle "displaystyle" Width "width" Columnalign "columnalign"
    Accent "accent" Accentunder "accentunder" Lspace "lspace" Rspace "rspace"
}

/// Characters of a fragment that are written as they are (RFC 3986, 3.5).
const FRAGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@')
    .remove(b'/');

/// HTML that is being written.
#[derive(Default)]
pub(super) struct Html {
    pub(super) out: String,
}

impl Html {
    /// Writes a start tag. An attribute without a value has no words of its own: `hidden`.
    pub(super) fn begin(&mut self, tag: Tag, attributes: &[(Attribute, &str)]) {
        self.out.push('<');
        self.out.push_str(tag.name());
        for (attribute, value) in attributes {
            self.out.push(' ');
            self.out.push_str(attribute.name());
            if value.is_empty() && *attribute != Attribute::Alt {
                continue;
            }
            self.out.push_str("=\"");
            match attribute {
                Attribute::Href => {
                    self.out.push('#');
                    let fragment = utf8_percent_encode(value, FRAGMENT).to_string();
                    self.text(&fragment);
                }
                _ => self.text(value),
            }
            self.out.push('"');
        }
        self.out.push('>');
    }

    pub(super) fn end(&mut self, tag: Tag) {
        self.out.push_str("</");
        self.out.push_str(tag.name());
        self.out.push('>');
    }

    /// Writes characters. Those that HTML does not have become U+FFFD (HTML, 13.2.3.5).
    pub(super) fn text(&mut self, text: &str) {
        // 0xc2 and 0xef are the first bytes of the controls and non-characters that XML has.
        let special = |b: &u8| matches!(b, b'&' | b'<' | b'>' | b'"' | 0xc2 | 0xef | 0x7f) || *b < b' ';
        let mut from = 0;
        while let Some(next) = text.as_bytes()[from..].iter().position(special) {
            let at = from + next;
            self.out.push_str(&text[from..at]);
            let Some(c) = text[at..].chars().next() else { return };
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\n' | '\t' => self.out.push(c),
                '\u{fdd0}'..='\u{fdef}' | '\u{fffe}'..='\u{ffff}' => self.out.push('\u{fffd}'),
                c if c.is_control() => self.out.push('\u{fffd}'),
                c => self.out.push(c),
            }
            from = at + c.len_utf8();
        }
        self.out.push_str(&text[from..]);
    }
}
