//! Units of measurement: symbols and their combinations, each with its code in UCUM
//! (<https://ucum.org/ucum>), if it has one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

/// Symbols of units without prefix: their code, and the prefixes that they may have, parted by blanks.
static ATOMS: LazyLock<BTreeMap<String, (String, String)>> =
    LazyLock::new(|| toml::from_str(include_str!("units.toml")).expect("a test reads the table"));

/// Prefixes as they are written, and their codes. Those of two letters come first.
const PREFIXES: [(&str, &str); 14] = [
    ("da", "da"),
    ("p", "p"),
    ("n", "n"),
    ("µ", "u"),
    ("μ", "u"),
    ("m", "m"),
    ("c", "c"),
    ("d", "d"),
    ("h", "h"),
    ("k", "k"),
    ("M", "M"),
    ("G", "G"),
    ("T", "T"),
    ("P", "P"),
];

/// Symbols that a bracket may qualify: `dB(A)`, `bar(g)`.
const QUALIFIED: [&str; 8] = ["dB", "bar", "mbar", "Pa", "hPa", "kPa", "MPa", "V"];
/// Symbols that a blank alone multiplies with a symbol of time or length: `N m`, `mPa s`.
const FACTORS: [&str; 14] = ["N", "mN", "kN", "MN", "Pa", "mPa", "kPa", "V", "A", "kA", "W", "kW", "T", "C"];
const TIMES: [&str; 6] = ["m", "mm", "cm", "km", "s", "h"];

/// Turns in a minute.
const TURNS: [&str; 4] = ["r/min", "rev/min", "tr/min", "U/min"];

/// A unit after a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParsedUnit {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    /// Code in UCUM; `None` where it has none.
    pub(super) ucum: Option<String>,
}

/// One symbol or name without its power.
struct UnitAtom {
    range: Range<usize>,
    /// Code in UCUM; `None` where it has none.
    ucum: Option<String>,
}

/// A part of a combined unit: a symbol or name with its power, or a divisor of several.
struct UnitFactor {
    /// One past its last byte.
    end: usize,
    /// Code in UCUM; `None` where it has none.
    ucum: Option<String>,
}

/// The sign between two units: `/`, `·` or a blank.
struct UnitJoint {
    sign: char,
    /// Bytes, with the blanks around a sign of multiplication.
    length: usize,
}

/// The unit that begins at this byte, by symbol or by one of the names of a language.
pub(super) fn unit_at(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<ParsedUnit> {
    // Turns have no symbol of their own.
    for turns in TURNS {
        if text[at..].starts_with(turns) {
            let end = at + turns.len();
            let unit = ParsedUnit { range: at..end, ucum: Some("1/min".to_owned()) };
            return ends_at(text, end).then_some(unit);
        }
    }
    let UnitFactor { mut end, mut ucum } = power(text, atom(text, at, names)?)?;
    while let Some(joint) = joint(&text[end..]) {
        let Some(next) = next_factor(text, at..end, &joint, names) else { break };
        let sign = if joint.sign == '/' { "/" } else { "." };
        ucum = match (ucum, next.ucum) {
            (Some(before), Some(code)) => Some([before.as_str(), sign, code.as_str()].concat()),
            _ => None,
        };
        end = next.end;
    }
    if let Some(length) = qualifier_length(text, at..end) {
        end += length;
        // No code of UCUM has a qualifier.
        ucum = None;
    }
    ends_at(text, end).then_some(ParsedUnit { range: at..end, ucum })
}

/// True if no letter, digit or index goes on at this byte.
fn ends_at(text: &str, end: usize) -> bool {
    !text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// The factor or divisor that a sign joins to the unit before it.
fn next_factor(
    text: &str,
    before: Range<usize>,
    joint: &UnitJoint,
    names: &BTreeMap<String, String>,
) -> Option<UnitFactor> {
    if joint.sign == '/' {
        let at = before.end + 1;
        let divisor = group(text, at, names).or_else(|| amount(text, at, names));
        if divisor.is_some() {
            return divisor;
        }
    }
    let start = before.end + joint.length;
    let next = atom(text, start, names)?;
    // Only symbols are combined; a name behind a unit is the next word of the sentence.
    symbol(&text[next.range.clone()])?;
    let next = power(text, next)?;
    if matches!(joint.sign, '/' | '·') {
        return Some(next);
    }
    // “90 km h^−1”; but “5 m A” is not a product.
    let has_power = text[..next.end].ends_with(|c: char| c.is_ascii_digit() || "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c));
    let is_product = FACTORS.contains(&&text[before]) && TIMES.contains(&&text[start..next.end]);
    (has_power || is_product).then_some(next)
}

/// The length of the bracket behind a symbol that says more of it: `dB(A)`, `bar(g)`.
fn qualifier_length(text: &str, symbol: Range<usize>) -> Option<usize> {
    let rest = &text[symbol.end..];
    let symbol = &text[symbol];
    if !QUALIFIED.contains(&symbol) {
        return None;
    }
    let (inner, _) = rest.strip_prefix('(')?.split_once(')')?;
    // “dB(µV/m)” says what the ratio refers to.
    let is_reference = symbol == "dB" && !inner.is_empty() && !inner.contains(' ');
    let is_known = matches!(inner, "A" | "B" | "C" | "Z" | "a" | "g" | "abs" | "rms" | "eff");
    if !is_reference && !is_known {
        return None;
    }
    Some("(".len() + inner.len() + ")".len())
}

/// The sign between two units; a sign of multiplication may have blanks around it.
fn joint(rest: &str) -> Option<UnitJoint> {
    let first = rest.chars().next()?;
    if first != '/' && !is_dot(first) && !is_blank(first) {
        return None;
    }
    if let Some(behind_dot) = rest.trim_start_matches(is_blank).strip_prefix(is_dot) {
        let next = behind_dot.trim_start_matches(is_blank);
        return Some(UnitJoint { sign: '·', length: rest.len() - next.len() });
    }
    Some(UnitJoint { sign: first, length: first.len_utf8() })
}

fn is_dot(c: char) -> bool {
    matches!(c, '·' | '⋅')
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}')
}

/// The code of the unit that is the whole text, if it is one. A blank between symbols multiplies: `kg m^2`.
pub(super) fn whole_unit(text: &str, names: &BTreeMap<String, String>) -> Option<Option<String>> {
    if let Some(unit) = unit_at(text, 0, names)
        && unit.range.end == text.len()
    {
        return Some(unit.ucum);
    }
    let factors: Vec<&str> = text.split(is_blank).collect();
    if factors.len() < 2 || !factors.iter().all(|factor| is_symbol(factor)) {
        return None;
    }
    let product = factors.join("·");
    let unit = unit_at(&product, 0, names)?;
    (unit.range.end == product.len()).then_some(unit.ucum)
}

/// True if a text is a symbol or several combined ones, not a name.
pub(super) fn is_symbol(text: &str) -> bool {
    let unit = unit_at(text, 0, &BTreeMap::new());
    unit.is_some_and(|unit| unit.range.end == text.len())
}

/// The code of a symbol, with or without prefix; empty where it has none.
fn symbol(word: &str) -> Option<String> {
    if let Some((code, _)) = ATOMS.get(word) {
        return Some(code.clone());
    }
    for (prefix, prefix_code) in PREFIXES {
        let Some(rest) = word.strip_prefix(prefix) else { continue };
        let Some((code, allowed)) = ATOMS.get(rest) else { continue };
        // Two signs are in use for micro.
        let sign = if prefix_code == "u" { "µ" } else { prefix };
        if !allowed.split(' ').any(|allowed| allowed == sign) {
            continue;
        }
        if code.is_empty() {
            return Some(String::new());
        }
        return Some([prefix_code, code].concat());
    }
    None
}

/// A product in brackets as a denominator: `(m·K)`, `(kg K)`. Its end is that of the bracket.
fn group(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<UnitFactor> {
    if !text[at..].starts_with('(') {
        return None;
    }
    let mut at = at + 1;
    let mut codes = Some(String::new());
    loop {
        let UnitFactor { end, ucum } = power(text, atom(text, at, names)?)?;
        codes = match (codes, ucum) {
            (Some(codes), Some(code)) if codes.is_empty() => Some(code),
            (Some(codes), Some(code)) => Some([codes, code].join(".")),
            _ => None,
        };
        match text[end..].chars().next()? {
            ')' => return Some(UnitFactor { end: end + 1, ucum: codes.map(|codes| format!("({codes})")) }),
            c @ ('·' | '⋅' | '.' | '×' | ' ' | '\u{a0}') => at = end + c.len_utf8(),
            _ => return None,
        }
    }
}

/// The divisor of a unit that is an amount of another: `100 g` in `g/100 g`.
fn amount(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<UnitFactor> {
    let rest = text[at..].trim_start();
    let number = ["1000", "100", "10"].into_iter().find(|number| rest.starts_with(number))?;
    let unit = rest[number.len()..].strip_prefix([' ', '\u{a0}', '\u{202f}'])?;
    let UnitFactor { end, ucum } = power(text, atom(text, text.len() - unit.len(), names)?)?;
    Some(UnitFactor { end, ucum: ucum.map(|code| format!("({number}.{code})")) })
}

/// The dimension of a code and its size in the unit of that dimension: for `cm` a length, and 0.01.
pub(super) fn size(ucum: &str) -> Option<(&str, f64)> {
    const TIMES: [(&str, f64); 7] = [
        ("s", 1.0),
        ("min", 60.0),
        ("h", 3600.0),
        ("d", 86_400.0),
        ("wk", 604_800.0),
        ("mo", 2_629_800.0),
        ("a", 31_557_600.0),
    ];
    const PREFIXES: [(&str, f64); 9] = [
        ("n", 1e-9),
        ("u", 1e-6),
        ("m", 1e-3),
        ("c", 1e-2),
        ("d", 1e-1),
        ("h", 1e2),
        ("k", 1e3),
        ("M", 1e6),
        ("G", 1e9),
    ];
    const BASES: [&str; 17] =
        ["m", "g", "l", "L", "N", "Pa", "J", "W", "V", "A", "Hz", "Ohm", "F", "Bq", "Sv", "bar", "s"];
    if let Some((_, size)) = TIMES.iter().find(|(time, _)| *time == ucum) {
        return Some(("s", *size));
    }
    if BASES.contains(&ucum) {
        return Some((ucum, 1.0));
    }
    for (prefix, size) in PREFIXES {
        if let Some(base) = ucum.strip_prefix(prefix)
            && BASES.contains(&base)
        {
            return Some((base, size));
        }
    }
    None
}

/// Most characters behind the first word of a name that are read for further words of it.
const LONGEST_REST_OF_NAME: usize = 24;

/// One symbol or name; of several that begin here, the longest.
fn atom(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<UnitAtom> {
    let rest = &text[at..];
    let length = rest.find(|c: char| !(c.is_alphabetic() || "%‰°º′″℃".contains(c))).unwrap_or(rest.len());
    // Names may have several words or a hyphen: “degrees Celsius”, “pour-cent”.
    let mut longest = None;
    let mut following = rest[length..].char_indices().take(LONGEST_REST_OF_NAME).peekable();
    while let Some((offset, c)) = following.next() {
        let joins = matches!(c, ' ' | '\u{a0}' | '-');
        if !c.is_alphabetic() && !joins {
            break;
        }
        let is_last_letter = !joins && following.peek().is_none_or(|(_, next)| !next.is_alphabetic());
        let end = length + offset + c.len_utf8();
        if is_last_letter && let Some(code) = code_of(&rest[..end], names) {
            longest = Some((end, code));
        }
    }
    if longest.is_none() && length > 0 {
        longest = code_of(&rest[..length], names).map(|code| (length, code));
    }
    let (length, code) = longest?;
    let ucum = if code.is_empty() { None } else { Some(code) };
    Some(UnitAtom { range: at..at + length, ucum })
}

/// The code of a symbol or name; empty where it has none.
fn code_of(word: &str, names: &BTreeMap<String, String>) -> Option<String> {
    symbol(word).or_else(|| named(&word.to_lowercase(), names))
}

/// The code of a unit by its name, which may have a prefix: `kilonewtons`.
fn named(name: &str, names: &BTreeMap<String, String>) -> Option<String> {
    const WORDS: [(&str, &str); 18] = [
        ("kilo", "k"),
        ("milli", "m"),
        ("piko", "p"),
        ("pico", "p"),
        ("dezi", "d"),
        ("deci", "d"),
        ("déci", "d"),
        ("méga", "M"),
        ("zenti", "c"),
        ("hekto", "h"),
        ("micro", "u"),
        ("mikro", "u"),
        ("mega", "M"),
        ("meg", "M"),
        ("giga", "G"),
        ("centi", "c"),
        ("hecto", "h"),
        ("nano", "n"),
    ];
    const BASES: [&str; 19] = [
        "m", "g", "l", "s", "N", "Pa", "V", "A", "W", "J", "Hz", "Ohm", "bar", "mol", "F", "H", "T", "By",
        "Sv",
    ];
    if let Some(code) = names.get(name) {
        return Some(code.clone());
    }
    for (word, prefix) in WORDS {
        let Some(base) = name.strip_prefix(word) else { continue };
        // No second prefix fits: the longer one of two is before the other.
        let code = names.get(base)?;
        let may_have_prefix = BASES.contains(&code.as_str());
        return may_have_prefix.then(|| [prefix, code.as_str()].concat());
    }
    None
}

/// A symbol or name with the power after it: `m²`, `s^−1`. `None` where the power is not a number.
fn power(text: &str, UnitAtom { range, ucum }: UnitAtom) -> Option<UnitFactor> {
    let rest = &text[range.end..];
    let raised = rest.strip_prefix('^');
    let after = raised.unwrap_or(rest);
    // Without a mark of a power, other signs than a raised one are those of a range: “5 mm–10 mm”.
    let has_minus = after.starts_with('⁻') || raised.is_some() && after.starts_with(['−', '-', '–']);
    let mut digits = after.chars();
    if has_minus {
        digits.next();
    }
    let digits = digits.as_str();
    if let Some(c) = digits.chars().next()
        && let Some(digit) = digit_of_power(c, raised.is_some())
    {
        let end = text.len() - digits.len() + c.len_utf8();
        let sign = if has_minus { "-" } else { "" };
        return Some(UnitFactor { end, ucum: ucum.map(|code| format!("{code}{sign}{digit}")) });
    }
    if raised.is_some() {
        return None;
    }
    // `m2`: a power that is not raised, which a symbol may have and a name may not.
    if rest.starts_with(['2', '3']) && symbol(&text[range.clone()]).is_some() {
        let digit = &rest[..1];
        return Some(UnitFactor { end: range.end + 1, ucum: ucum.map(|code| format!("{code}{digit}")) });
    }
    Some(UnitFactor { end: range.end, ucum })
}

/// The value of a digit of a power; one that is not raised counts only behind `^`.
fn digit_of_power(c: char, behind_caret: bool) -> Option<usize> {
    let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|raised| raised == c);
    if raised.is_some() || !behind_caret {
        return raised;
    }
    c.to_digit(10).map(|digit| digit as usize)
}
