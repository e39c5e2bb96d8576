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
    /// Code in UCUM.
    pub(super) ucum: Option<String>,
}

/// The unit that begins at this byte, by symbol or by one of the names of a language.
pub(super) fn unit_at(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<ParsedUnit> {
    // Turns have no symbol of their own.
    let turns = TURNS.iter().find(|turns| text[at..].starts_with(**turns));
    if let Some(end) = turns.map(|turns| at + turns.len()) {
        let whole = !text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        return whole.then(|| ParsedUnit { range: at..end, ucum: Some("1/min".to_owned()) });
    }
    let (mut end, mut ucum) = power(text, atom(text, at, names)?)?;
    while let Some((sign, length)) = joint(&text[end..]) {
        if sign == '/'
            && let Some((after, code)) = group(text, end + 1, names).or_else(|| amount(text, end + 1, names))
        {
            ucum = ucum.zip(code).map(|(ucum, code)| [ucum, code].join("/"));
            end = after;
            continue;
        }
        let next =
            atom(text, end + length, names).filter(|(range, _)| symbol(&text[range.clone()]).is_some());
        let Some((after, code)) = next.and_then(|next| power(text, next)) else { break };
        // “90 km h^−1”; but “5 m A” is not a product.
        let is_power = text[..after].ends_with(|c: char| c.is_ascii_digit() || "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c));
        let multiplied = FACTORS.contains(&&text[at..end]) && TIMES.contains(&&text[end + length..after]);
        if !matches!(sign, '/' | '·') && !is_power && !multiplied {
            break;
        }
        ucum = ucum
            .zip(code)
            .map(|(ucum, code)| [ucum, if sign == '/' { "/" } else { "." }.to_owned(), code].concat());
        end = after;
    }
    // “dB(A)”, “bar(g)”: no code of UCUM has them.
    let bracket = text[end..].find(')').map_or("", |close| &text[end..=end + close]);
    let is_qualifier = |word: &str| matches!(word, "A" | "B" | "C" | "Z" | "a" | "g" | "abs" | "rms" | "eff");
    let qualifier = bracket.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    // “dB(µV/m)” says what the ratio refers to.
    let refers = &text[at..end] == "dB" && qualifier.is_some_and(|q| !q.is_empty() && !q.contains(' '));
    if refers || QUALIFIED.contains(&&text[at..end]) && qualifier.is_some_and(is_qualifier) {
        (end, ucum) = (end + bracket.len(), None);
    }
    let whole = !text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    whole.then_some(ParsedUnit { range: at..end, ucum })
}

/// The sign between two units, and its length: a sign of multiplication may have blanks around it.
fn joint(rest: &str) -> Option<(char, usize)> {
    let first = rest.chars().next().filter(|c| *c == '/' || is_dot(*c) || is_blank(*c))?;
    let dot = rest.trim_start_matches(is_blank).strip_prefix(is_dot);
    let after = dot.map(|after| after.trim_start_matches(is_blank));
    Some(after.map_or((first, first.len_utf8()), |after| ('·', rest.len() - after.len())))
}

fn is_dot(c: char) -> bool {
    matches!(c, '·' | '⋅')
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}')
}

/// The code of the unit that is the whole text, if it is one. A blank between symbols multiplies: `kg m^2`.
pub(super) fn whole_unit(text: &str, names: &BTreeMap<String, String>) -> Option<Option<String>> {
    let whole = |text: &str| unit_at(text, 0, names).filter(|unit| unit.range.end == text.len());
    let product = || {
        let factors: Vec<&str> = text.split(is_blank).collect();
        (factors.len() > 1 && factors.iter().all(|factor| is_symbol(factor))).then(|| factors.join("·"))
    };
    whole(text).or_else(|| whole(&product()?)).map(|unit| unit.ucum)
}

/// Whether a text is a symbol or several combined ones, not a name.
pub(super) fn is_symbol(text: &str) -> bool {
    let unit = unit_at(text, 0, &BTreeMap::new());
    unit.is_some_and(|unit| unit.range.end == text.len())
}

/// The code of a symbol, with or without prefix; empty where it has none.
fn symbol(word: &str) -> Option<String> {
    if let Some((code, _)) = ATOMS.get(word) {
        return Some(code.clone());
    }
    for (prefix, code) in PREFIXES {
        let Some((atom, allowed)) = word.strip_prefix(prefix).and_then(|atom| ATOMS.get(atom)) else {
            continue;
        };
        // Two signs are in use for micro.
        let sign = if code == "u" { "µ" } else { prefix };
        if allowed.split(' ').any(|allowed| allowed == sign) {
            return Some(if atom.is_empty() { String::new() } else { [code, atom].concat() });
        }
    }
    None
}

/// A product in brackets as a denominator: `(m·K)`, `(kg K)`; its code, and the end of the bracket.
fn group(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<(usize, Option<String>)> {
    let mut at = text[at..].starts_with('(').then_some(at + 1)?;
    let mut codes = Some(String::new());
    loop {
        let (end, code) = power(text, atom(text, at, names)?)?;
        codes = codes.zip(code).map(|(codes, code)| match codes.is_empty() {
            true => code,
            false => [codes, code].join("."),
        });
        match text[end..].chars().next()? {
            ')' => return Some((end + 1, codes.map(|codes| format!("({codes})")))),
            c @ ('·' | '⋅' | '.' | '×' | ' ' | '\u{a0}') => at = end + c.len_utf8(),
            _ => return None,
        }
    }
}

/// The divisor of a unit that is an amount of another: `100 g` in `g/100 g`.
fn amount(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<(usize, Option<String>)> {
    let rest = text[at..].trim_start();
    let number = ["1000", "100", "10"].into_iter().find(|number| rest.starts_with(number))?;
    let unit = rest[number.len()..].strip_prefix([' ', '\u{a0}', '\u{202f}'])?;
    let (end, code) = power(text, atom(text, text.len() - unit.len(), names)?)?;
    Some((end, code.map(|code| format!("({number}.{code})"))))
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
    let prefixed = |(prefix, size): &(&str, f64)| {
        ucum.strip_prefix(prefix).filter(|base| BASES.contains(base)).map(|base| (base, *size))
    };
    PREFIXES.iter().find_map(prefixed)
}

/// One symbol or name, and its code.
fn atom(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<(Range<usize>, Option<String>)> {
    let rest = &text[at..];
    let length = rest.find(|c: char| !(c.is_alphabetic() || "%‰°º′″℃".contains(c))).unwrap_or(rest.len());
    let known = |word: &str| {
        let code = symbol(word).or_else(|| named(&word.to_lowercase(), names))?;
        Some((at..at + word.len(), Some(code).filter(|code| !code.is_empty())))
    };
    // Names may have several words or a hyphen: “degrees Celsius”, “pour-cent”.
    let mut longest = None;
    let mut ends = rest[length..].char_indices().map(|(offset, c)| (length + offset, c)).take(24).peekable();
    while let Some((end, c)) = ends.next() {
        let joins = matches!(c, ' ' | '\u{a0}' | '-');
        if !(c.is_alphabetic() || joins) {
            break;
        }
        let word_ends = ends.peek().is_none_or(|(_, next)| !next.is_alphabetic());
        if !joins && word_ends {
            longest = known(&rest[..end + c.len_utf8()]).or(longest);
        }
    }
    longest.or_else(|| known(&rest[..length]).filter(|_| length > 0))
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
    names.get(name).cloned().or_else(|| {
        let (prefix, base) = WORDS.iter().find_map(|(word, code)| Some((code, name.strip_prefix(word)?)))?;
        names
            .get(base)
            .filter(|code| BASES.contains(&code.as_str()))
            .map(|code| [prefix, code.as_str()].concat())
    })
}

/// A symbol with the power after it: `m²`, `s^−1`. `None` where the power is not a number.
fn power(text: &str, (range, ucum): (Range<usize>, Option<String>)) -> Option<(usize, Option<String>)> {
    let rest = &text[range.end..];
    let after = rest.strip_prefix('^').unwrap_or(rest);
    let minus =
        after.starts_with(['−', '-', '⁻', '–']) && (after.len() < rest.len() || after.starts_with('⁻'));
    let digits = if minus { &after[after.chars().next().map_or(0, char::len_utf8)..] } else { after };
    let value = |c: char| {
        "⁰¹²³⁴⁵⁶⁷⁸⁹"
            .chars()
            .position(|s| s == c)
            .or(c.to_digit(10).map(|d| d as usize).filter(|_| after.len() < rest.len()))
    };
    let plain = symbol(&text[range.clone()])
        .filter(|_| rest.starts_with(['2', '3']))
        .and_then(|_| rest.chars().next()?.to_digit(10));
    let Some((digit, length)) = digits.chars().next().and_then(|c| Some((value(c)?, c.len_utf8()))) else {
        let Some(digit) = plain else { return (after.len() == rest.len()).then_some((range.end, ucum)) };
        return Some((range.end + 1, ucum.map(|code| format!("{code}{digit}"))));
    };
    let end = text.len() - digits.len() + length;
    let sign = if minus { "-" } else { "" };
    Some((end, ucum.map(|code| format!("{code}{sign}{digit}"))))
}
