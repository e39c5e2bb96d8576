//! Quantities: numbers in digits and in words, each with the unit after it.

use crate::difference::{Span, Token};

/// A number of a text with its unit.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Quantity {
    /// The number as a decimal string with `.`: `3`, `0.5`.
    pub value: String,
    /// The unit as written, where one of the common ones follows: `mm`, `%`.
    pub unit: Option<String>,
    /// Where it is, its unit included.
    pub span: Span,
}

/// Numbers in words in English, French and German; articles that are numbers too are left out.
const WORDS: [(&str, &str); 56] = [
    ("zero", "0"),
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("fifteen", "15"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("sixty", "60"),
    ("ninety", "90"),
    ("hundred", "100"),
    ("thousand", "1000"),
    ("half", "0.5"),
    ("once", "1"),
    ("twice", "2"),
    ("deux", "2"),
    ("trois", "3"),
    ("quatre", "4"),
    ("cinq", "5"),
    ("sept", "7"),
    ("huit", "8"),
    ("neuf", "9"),
    ("dix", "10"),
    ("onze", "11"),
    ("douze", "12"),
    ("quinze", "15"),
    ("vingt", "20"),
    ("trente", "30"),
    ("cinquante", "50"),
    ("cent", "100"),
    ("zwei", "2"),
    ("drei", "3"),
    ("vier", "4"),
    ("fünf", "5"),
    ("sechs", "6"),
    ("sieben", "7"),
    ("acht", "8"),
    ("neun", "9"),
    ("zehn", "10"),
    ("elf", "11"),
    ("zwölf", "12"),
    ("zwanzig", "20"),
    ("dreißig", "30"),
    ("fünfzig", "50"),
    ("hundert", "100"),
    ("tausend", "1000"),
];

/// Symbols and names of units that make a number a quantity of another kind when they change.
const UNITS: [&str; 60] = [
    "%", "‰", "°", "℃", "K", "m", "mm", "cm", "dm", "km", "µm", "μm", "nm", "g", "kg", "mg", "t", "s", "ms",
    "min", "h", "d", "l", "L", "ml", "mL", "A", "mA", "V", "mV", "kV", "W", "kW", "MW", "Hz", "kHz", "MHz",
    "GHz", "N", "kN", "Nm", "J", "kJ", "Pa", "kPa", "MPa", "bar", "mbar", "dB", "lx", "rad", "bit", "day",
    "days", "hour", "hours", "minutes", "seconds", "months", "years",
];

fn decimal(text: &str) -> String {
    let thousands = |rest: &str| rest.split(',').all(|group| group.len() == 3);
    match text.split_once(',') {
        Some((first, rest)) if first != "0" && !rest.contains('.') && thousands(rest) => {
            text.replace(',', "")
        }
        Some((_, rest)) if rest.contains('.') => text.replace(',', ""),
        _ => text.replace(',', "."),
    }
}

/// The value of a token that is a number by itself, not a part of a name or label such as `A4`, `4.2.1` or `9001:2015`.
fn value(token: &Token<'_>, before: Option<&Token<'_>>) -> Option<String> {
    let is_digits = token.text.starts_with(|c: char| c.is_ascii_digit());
    if !is_digits {
        let lower = token.text.to_lowercase();
        return WORDS.iter().find(|(word, _)| *word == lower).map(|(_, value)| (*value).to_owned());
    }
    let free = !token.glued
        || before.is_none_or(|b| {
            matches!(b.text, "(" | "[" | "±" | "<" | ">" | "≤" | "≥" | "=" | "–" | "-" | "−" | "/" | "×")
        });
    (free && token.text.matches('.').count() <= 1).then(|| decimal(token.text))
}

/// The quantities of a text, in order.
pub(crate) fn quantities(tokens: &[Token<'_>]) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let before = index.checked_sub(1).map(|before| &tokens[before]);
        index += 1;
        let Some(mut value) = value(token, before) else { continue };
        let mut span = token.span;
        // Thousands apart: `10 000`.
        while let Some(group) = tokens.get(index)
            && value.len() <= 9
            && value.bytes().all(|b| b.is_ascii_digit())
            && token.text.len() <= 3
            && token.text.starts_with(|c: char| c.is_ascii_digit())
            && group.text.len() == 3
            && group.text.bytes().all(|b| b.is_ascii_digit())
            && group.span.start == span.end + 1
        {
            value.push_str(group.text);
            span.end = group.span.end;
            index += 1;
        }
        let unit = tokens.get(index).filter(|unit| UNITS.contains(&unit.text));
        if let Some(unit) = unit {
            span.end = unit.span.end;
        }
        found.push(Quantity { value, unit: unit.map(|unit| unit.text.to_owned()), span });
    }
    found
}
