//! Units of measurement: symbols and what combines them, each with its code in UCUM (<https://ucum.org/ucum>), where it has one.

use std::collections::BTreeMap;
use std::ops::Range;

/// Symbols, as they are written, and their codes. Symbols that are also words (`in`, `a`) are left out.
const SYMBOLS: &[(&str, &str)] = &[
    ("%", "%"),
    ("‰", "[ppth]"),
    ("ppm", "[ppm]"),
    ("ppb", "[ppb]"),
    ("°", "deg"),
    ("′", "'"),
    ("″", "''"),
    ("°C", "Cel"),
    ("℃", "Cel"),
    ("ºC", "Cel"),
    ("°F", "[degF]"),
    ("K", "K"),
    ("mK", "mK"),
    ("m", "m"),
    ("km", "km"),
    ("dm", "dm"),
    ("cm", "cm"),
    ("mm", "mm"),
    ("µm", "um"),
    ("μm", "um"),
    ("nm", "nm"),
    ("pm", "pm"),
    ("g", "g"),
    ("kg", "kg"),
    ("mg", "mg"),
    ("µg", "ug"),
    ("μg", "ug"),
    ("ng", "ng"),
    ("t", "t"),
    ("l", "l"),
    ("L", "L"),
    ("hl", "hl"),
    ("dl", "dl"),
    ("cl", "cl"),
    ("ml", "ml"),
    ("mL", "mL"),
    ("µl", "ul"),
    ("μl", "ul"),
    ("µL", "uL"),
    ("s", "s"),
    ("ms", "ms"),
    ("µs", "us"),
    ("μs", "us"),
    ("ns", "ns"),
    ("min", "min"),
    ("h", "h"),
    ("d", "d"),
    ("N", "N"),
    ("kN", "kN"),
    ("mN", "mN"),
    ("MN", "MN"),
    ("Nm", "N.m"),
    ("Pa", "Pa"),
    ("hPa", "hPa"),
    ("kPa", "kPa"),
    ("MPa", "MPa"),
    ("GPa", "GPa"),
    ("bar", "bar"),
    ("mbar", "mbar"),
    ("J", "J"),
    ("kJ", "kJ"),
    ("MJ", "MJ"),
    ("W", "W"),
    ("mW", "mW"),
    ("kW", "kW"),
    ("MW", "MW"),
    ("kWh", "kW.h"),
    ("Wh", "W.h"),
    ("V", "V"),
    ("mV", "mV"),
    ("µV", "uV"),
    ("μV", "uV"),
    ("kV", "kV"),
    ("A", "A"),
    ("mA", "mA"),
    ("µA", "uA"),
    ("μA", "uA"),
    ("kA", "kA"),
    ("Ah", "A.h"),
    ("Ω", "Ohm"),
    ("kΩ", "kOhm"),
    ("MΩ", "MOhm"),
    ("F", "F"),
    ("µF", "uF"),
    ("μF", "uF"),
    ("nF", "nF"),
    ("pF", "pF"),
    ("H", "H"),
    ("mH", "mH"),
    ("T", "T"),
    ("mT", "mT"),
    ("Hz", "Hz"),
    ("kHz", "kHz"),
    ("MHz", "MHz"),
    ("GHz", "GHz"),
    ("dB", "dB"),
    ("dBA", ""),
    ("dpi", ""),
    ("rpm", ""),
    ("rad", "rad"),
    ("mrad", "mrad"),
    ("sr", "sr"),
    ("mol", "mol"),
    ("mmol", "mmol"),
    ("µmol", "umol"),
    ("cd", "cd"),
    ("lm", "lm"),
    ("lx", "lx"),
    ("Bq", "Bq"),
    ("kBq", "kBq"),
    ("Gy", "Gy"),
    ("mGy", "mGy"),
    ("Sv", "Sv"),
    ("mSv", "mSv"),
    ("eV", "eV"),
    ("keV", "keV"),
    ("bit", "bit"),
    ("kB", "kBy"),
    ("MB", "MBy"),
    ("GB", "GBy"),
    ("KiB", "KiBy"),
    ("MiB", "MiBy"),
    ("VA", "V.A"),
    ("kVA", "kV.A"),
    ("ha", "har"),
    ("mmHg", "mm[Hg]"),
    ("pH", ""),
];

/// A unit after a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    /// Code in UCUM.
    pub(super) ucum: Option<String>,
}

/// The unit that begins at this byte, by symbol or by one of the names of a language.
pub(super) fn unit_at(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<Unit> {
    let (mut end, mut ucum) = power(text, atom(text, at, names)?)?;
    loop {
        let rest = &text[end..];
        let Some(sign) =
            rest.chars().next().filter(|c| matches!(c, '/' | '·' | '⋅' | ' ' | '\u{a0}' | '\u{202f}'))
        else {
            break;
        };
        let next = atom(text, end + sign.len_utf8(), names)
            .filter(|(range, _)| symbol(&text[range.clone()]).is_some());
        let Some((after, code)) = next.and_then(|next| power(text, next)) else { break };
        // “90 km h^−1”; but “5 m A” is not a product.
        let is_power = text[..after].ends_with(|c: char| c.is_ascii_digit() || "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c));
        if !matches!(sign, '/' | '·' | '⋅') && !is_power {
            break;
        }
        ucum = ucum
            .zip(code)
            .map(|(ucum, code)| [ucum, if sign == '/' { "/" } else { "." }.to_owned(), code].concat());
        end = after;
    }
    let whole = !text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    whole.then_some(Unit { range: at..end, ucum })
}

fn symbol(word: &str) -> Option<&'static str> {
    SYMBOLS.iter().find(|(symbol, _)| *symbol == word).map(|(_, ucum)| *ucum)
}

/// One symbol or name, and its code.
fn atom(text: &str, at: usize, names: &BTreeMap<String, String>) -> Option<(Range<usize>, Option<String>)> {
    let rest = &text[at..];
    let length = rest.find(|c: char| !(c.is_alphabetic() || "%‰°º′″℃".contains(c))).unwrap_or(rest.len());
    let known = |word: &str| {
        let code = symbol(word).map(str::to_owned).or_else(|| names.get(&word.to_lowercase()).cloned())?;
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
