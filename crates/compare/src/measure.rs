//! Values of quantities, converted to one unit for each dimension, so that `1 000 mm` and `1 m` are equal.

use norma_model::Quantity;

/// Exponents of metre, gram, second, kelvin, ampere, mole, candela, radian, percent and bit.
type Dimension = [i8; 10];

/// A unit: its dimension, its size in the units of [`Dimension`], and the offset that is added to a value in
/// it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measure {
    dimension: Dimension,
    factor: f64,
    offset: f64,
}

/// Codes of UCUM (<https://ucum.org/ucum>) that no prefix may precede, with their exponents and sizes.
const PLAIN: [(&str, Dimension, f64); 25] = [
    ("min", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 60.0),
    ("h", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 3600.0),
    ("d", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 86_400.0),
    ("wk", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 604_800.0),
    ("mo", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 2_629_800.0),
    ("a", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 31_557_600.0),
    ("Cel", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0], 1.0),
    ("[degF]", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0], 5.0 / 9.0),
    ("%", [0, 0, 0, 0, 0, 0, 0, 0, 1, 0], 1.0),
    ("[ppth]", [0, 0, 0, 0, 0, 0, 0, 0, 1, 0], 0.1),
    ("[ppm]", [0, 0, 0, 0, 0, 0, 0, 0, 1, 0], 1e-4),
    ("[ppb]", [0, 0, 0, 0, 0, 0, 0, 0, 1, 0], 1e-7),
    ("deg", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0], std::f64::consts::PI / 180.0),
    ("'", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0], std::f64::consts::PI / 10_800.0),
    ("''", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0], std::f64::consts::PI / 648_000.0),
    ("[in_i]", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.0254),
    ("[ft_i]", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.3048),
    ("[yd_i]", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.9144),
    ("[mi_i]", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1609.344),
    ("[nmi_i]", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1852.0),
    ("[lb_av]", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 453.592_37),
    ("[oz_av]", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 28.349_523_125),
    ("har", [2, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1e4),
    ("ha", [2, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1e4),
    ("By", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 8.0),
];

/// Codes that prefixes may precede.
const METRIC: [(&str, Dimension, f64); 28] = [
    ("m", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1.0),
    ("g", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 1.0),
    ("t", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 1e6),
    ("s", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 1.0),
    ("K", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0], 1.0),
    ("A", [0, 0, 0, 0, 1, 0, 0, 0, 0, 0], 1.0),
    ("mol", [0, 0, 0, 0, 0, 1, 0, 0, 0, 0], 1.0),
    ("cd", [0, 0, 0, 0, 0, 0, 1, 0, 0, 0], 1.0),
    ("lm", [0, 0, 0, 0, 0, 0, 1, 0, 0, 0], 1.0),
    ("lx", [-2, 0, 0, 0, 0, 0, 1, 0, 0, 0], 1.0),
    ("rad", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0], 1.0),
    ("bit", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 1.0),
    ("l", [3, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1e-3),
    ("L", [3, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1e-3),
    ("Hz", [0, 0, -1, 0, 0, 0, 0, 0, 0, 0], 1.0),
    ("Bq", [0, 0, -1, 0, 0, 0, 0, 0, 0, 0], 1.0),
    ("N", [1, 1, -2, 0, 0, 0, 0, 0, 0, 0], 1e3),
    ("Pa", [-1, 1, -2, 0, 0, 0, 0, 0, 0, 0], 1e3),
    ("bar", [-1, 1, -2, 0, 0, 0, 0, 0, 0, 0], 1e8),
    ("J", [2, 1, -2, 0, 0, 0, 0, 0, 0, 0], 1e3),
    ("W", [2, 1, -3, 0, 0, 0, 0, 0, 0, 0], 1e3),
    ("V", [2, 1, -3, 0, -1, 0, 0, 0, 0, 0], 1e3),
    ("Ohm", [2, 1, -3, 0, -2, 0, 0, 0, 0, 0], 1e3),
    ("C", [0, 0, 1, 0, 1, 0, 0, 0, 0, 0], 1.0),
    ("F", [-2, -1, 4, 0, 2, 0, 0, 0, 0, 0], 1e-3),
    ("H", [2, 1, -2, 0, -2, 0, 0, 0, 0, 0], 1e3),
    ("T", [0, 1, -2, 0, -1, 0, 0, 0, 0, 0], 1e3),
    ("Sv", [2, 0, -2, 0, 0, 0, 0, 0, 0, 0], 1.0),
];

const PREFIXES: [(&str, f64); 14] = [
    ("p", 1e-12),
    ("n", 1e-9),
    ("u", 1e-6),
    ("m", 1e-3),
    ("c", 1e-2),
    ("d", 1e-1),
    ("da", 1e1),
    ("h", 1e2),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("Ki", 1024.0),
    ("Mi", 1_048_576.0),
];

/// Most levels of brackets in a code.
const DEPTH: usize = 4;

/// The unit of a code; `None` if it is not in the tables above.
fn measure(code: &str) -> Option<Measure> {
    let offset = match code {
        "Cel" => 273.15,
        "[degF]" => 459.67 * 5.0 / 9.0,
        _ => 0.0,
    };
    let (dimension, factor) = product(code, DEPTH)?;
    Some(Measure { dimension, factor, offset })
}

/// A product such as `kg/(m2.h)`: each `/` divides by the one factor after it.
fn product(code: &str, depth: usize) -> Option<(Dimension, f64)> {
    let (mut dimension, mut factor) = (Dimension::default(), 1.0);
    let (mut rest, mut divides) = (code, false);
    loop {
        let (own, size, after) = match rest.strip_prefix('(') {
            Some(inner) => {
                let end = inner.rfind(')')?;
                let (own, size) = product(&inner[..end], depth.checked_sub(1)?)?;
                (own, size, &inner[end + 1..])
            }
            None => {
                let end = rest.find(['.', '/']).unwrap_or(rest.len());
                let (own, size) = power(&rest[..end])?;
                (own, size, &rest[end..])
            }
        };
        for (sum, exponent) in dimension.iter_mut().zip(own) {
            *sum = if divides { sum.checked_sub(exponent)? } else { sum.checked_add(exponent)? };
        }
        factor = if divides { factor / size } else { factor * size };
        let Some(sign) = after.chars().next() else { return Some((dimension, factor)) };
        divides = sign == '/';
        rest = after.strip_prefix(['.', '/'])?;
    }
}

/// A number, or an atom with an exponent: `100`, `m2`, `s-1`.
fn power(code: &str) -> Option<(Dimension, f64)> {
    if let Ok(number) = code.parse::<f64>() {
        return Some((Dimension::default(), number));
    }
    let end = code.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let end = if end < code.len() { code[..end].trim_end_matches('-').len() } else { end };
    let (symbol, exponent) = code.split_at(end);
    let exponent: i8 = if exponent.is_empty() { 1 } else { exponent.parse().ok()? };
    let (mut dimension, factor) = atom(symbol)?;
    for own in &mut dimension {
        *own = own.checked_mul(exponent)?;
    }
    Some((dimension, factor.powi(exponent.into())))
}

/// A code without number and exponent, perhaps with a prefix: `m`, `min`, `kPa`. A code that is listed as a
/// whole is not read as one with a prefix: `cd` is the candela and not a hundredth of a day.
fn atom(symbol: &str) -> Option<(Dimension, f64)> {
    if let Some(found) = listed(&PLAIN, symbol).or_else(|| listed(&METRIC, symbol)) {
        return Some(found);
    }
    for (prefix, size) in PREFIXES {
        let Some(code) = symbol.strip_prefix(prefix) else { continue };
        if let Some((dimension, factor)) = listed(&METRIC, code) {
            return Some((dimension, factor * size));
        }
    }
    None
}

fn listed(list: &[(&str, Dimension, f64)], symbol: &str) -> Option<(Dimension, f64)> {
    for (code, dimension, factor) in list {
        if *code == symbol {
            return Some((*dimension, *factor));
        }
    }
    None
}

/// The unit of the values of a quantity: a dimension, or the text of a unit that cannot be converted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MeasureKind {
    Dimension(Dimension),
    Printed(String),
}

/// The parts of a quantity's value, converted.
#[derive(Clone, Debug)]
pub(crate) struct MeasureValue {
    pub(crate) kind: MeasureKind,
    /// Lower end, upper end, tolerance.
    numbers: [Option<f64>; 3],
    /// The same as written, for those that are not a number.
    texts: [Option<Box<str>>; 3],
}

impl MeasureValue {
    pub(crate) fn new(quantity: &Quantity) -> Self {
        let Quantity { value, upper, tolerance, unit, ucum, .. } = quantity;
        let texts = [Some(value.clone()), upper.clone(), tolerance.clone()];
        let measure = match (unit, ucum) {
            (None, _) => measure("1"),
            (Some(_), code) => code.as_deref().and_then(measure),
        };
        let kind = match measure {
            Some(measure) => MeasureKind::Dimension(measure.dimension),
            None => MeasureKind::Printed(unit.iter().flat_map(|unit| unit.split_whitespace()).collect()),
        };
        let Measure { factor, offset, .. } =
            measure.unwrap_or(Measure { dimension: Dimension::default(), factor: 1.0, offset: 0.0 });
        let [lower, upper, tolerance] = texts.each_ref().map(|text| text.as_ref()?.parse::<f64>().ok());
        // A tolerance is a difference of two values, so no offset is added to it.
        let numbers = [
            lower.map(|number| number * factor + offset),
            upper.map(|number| number * factor + offset),
            tolerance.map(|number| number * factor),
        ];
        Self { kind, numbers, texts }
    }

    /// Two quantities say the same if they have the same value, range and tolerance.
    pub(crate) fn says(&self, other: &Self) -> bool {
        if self.kind != other.kind {
            return false;
        }
        for index in 0..self.numbers.len() {
            let is_equal = match (self.numbers[index], other.numbers[index]) {
                (Some(x), Some(y)) => (x - y).abs() <= 1e-9 * x.abs().max(y.abs()),
                (None, None) => self.texts[index] == other.texts[index],
                _ => false,
            };
            if !is_equal {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use norma_model::{Comparator, Passage};

    use super::*;

    fn value(value: &str, ucum: &str) -> MeasureValue {
        MeasureValue::new(&Quantity {
            comparator: Some(Comparator::Equal),
            value: value.into(),
            upper: None,
            tolerance: None,
            unit: (!ucum.is_empty()).then(|| ucum.into()),
            ucum: (!ucum.is_empty()).then(|| ucum.into()),
            passage: Passage::default(),
        })
    }

    #[test]
    fn values_are_converted_before_they_are_compared() {
        for (a, b, c, d) in [
            ("1000", "mm", "1", "m"),
            ("90", "s", "1.5", "min"),
            ("12", "mo", "1", "a"),
            ("0.4", "W/(m.K)", "0.004", "W/(cm.K)"),
            ("32", "[degF]", "0", "Cel"),
            ("60", "l/min", "1", "dm3/s"),
            ("5", "kg/(100.g)", "0.05", "kg/g"),
            ("1", "N.m", "1", "J"),
        ] {
            assert!(value(a, b).says(&value(c, d)), "{a} {b} is {c} {d}");
        }
        for (a, b, c, d) in [
            ("120", "Cel", "120", "[degF]"),
            ("30", "N.m", "30", "N.cm"),
            ("5", "kg/(m2.h)", "5", "kg/(m2.d)"),
            ("-18", "Cel", "18", "Cel"),
            ("5", "", "5", "m"),
            ("5", "crates", "5", "sacks"),
        ] {
            assert!(!value(a, b).says(&value(c, d)), "{a} {b} is not {c} {d}");
        }
    }
}
