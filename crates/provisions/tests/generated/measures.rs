//! Numbers as digits and words, units, durations and temperatures.

use crate::random::Random;
use crate::sentence::Measure;

/// How a document writes its numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) language: &'static str,
    pub(crate) decimal: char,
    /// The sign between groups of three digits.
    pub(crate) group: Option<char>,
}

/// A measured property: its name, its units as printed with their code, its range, its decimals.
pub(crate) struct Property {
    pub(crate) name: &'static str,
    pub(crate) units: &'static [(&'static str, &'static str)],
    pub(crate) low: u64,
    pub(crate) high: u64,
    pub(crate) decimals: usize,
}

impl Style {
    /// The style of the document with this number.
    pub(crate) fn of(language: &'static str, document: u64) -> Self {
        let decimal = if language == "en" && document.is_multiple_of(2) { '.' } else { ',' };
        let sign = if decimal == '.' { ',' } else { '.' };
        let group = [None, Some('\u{a0}'), Some(' '), Some(sign)][document as usize / 2 % 4];
        Self { language, decimal, group }
    }

    /// A decimal value as it is printed.
    pub(crate) fn print(&self, value: &str) -> String {
        let (sign, digits) = match value.strip_prefix('-') {
            Some(digits) => ("−", digits),
            None => ("", value),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let mut printed = sign.to_owned();
        for (at, digit) in whole.chars().enumerate() {
            let left = whole.len() - at;
            if at > 0 && left.is_multiple_of(3) && whole.len() > 3 {
                printed.extend(self.group);
            }
            printed.push(digit);
        }
        if !part.is_empty() {
            printed.push(self.decimal);
            printed.push_str(part);
        }
        printed
    }

    pub(crate) fn blank(&self, random: &mut Random, unit: &str) -> &'static str {
        match unit {
            "°" | "" => "",
            _ if random.percent(50) => "\u{a0}",
            _ => " ",
        }
    }

    /// A measure with a value of so many units of the last decimal.
    fn measure(&self, random: &mut Random, scaled: u64, decimals: usize, unit: (&str, &str)) -> Measure {
        let value = decimal(scaled, decimals);
        let blank = self.blank(random, unit.0);
        Measure { text: [&self.print(&value), blank, unit.0].concat(), value, unit: unit.1.to_owned() }
    }

    /// A value of a property.
    pub(crate) fn value(&self, random: &mut Random, property: &Property) -> Measure {
        let unit = *random.one(property.units);
        let scale = 10_u64.pow(property.decimals as u32);
        let mut scaled = random.between(property.low * scale, property.high * scale).max(2);
        let mut decimals = property.decimals;
        if decimals == 0 && random.percent(15) {
            scaled *= 100;
        } else if decimals > 0 && random.percent(20) {
            (scaled, decimals) = (scaled / scale + 2, 0);
        }
        self.measure(random, scaled, decimals, unit)
    }

    /// The ends of a range, or a value and its tolerance, in one unit; the first may be without its unit.
    pub(crate) fn pair(&self, random: &mut Random, property: &Property, bare: bool) -> (Measure, Measure) {
        let unit = *random.one(property.units);
        let scale = 10_u64.pow(property.decimals as u32);
        let low = random.between(property.low * scale, property.high * scale).max(2);
        let high = low + random.between(1, property.high * scale);
        let mut first = self.measure(random, low, property.decimals, unit);
        if bare && random.percent(50) {
            first.text = self.print(&first.value);
        }
        (first, self.measure(random, high, property.decimals, unit))
    }

    /// A value and a tolerance smaller than it.
    pub(crate) fn tolerance(&self, random: &mut Random, property: &Property) -> (Measure, Measure) {
        let unit = *random.one(property.units);
        let scale = 10_u64.pow(property.decimals as u32);
        let value = random.between(property.low * scale, property.high * scale).max(12);
        let deviation = (value / 10).max(1);
        let mut value = self.measure(random, value, property.decimals, unit);
        if random.percent(50) {
            value.text = self.print(&value.value);
        }
        (value, self.measure(random, deviation, property.decimals, unit))
    }
}

/// A number of units of its last decimal as a decimal string.
fn decimal(scaled: u64, decimals: usize) -> String {
    let digits = format!("{scaled:0width$}", width = decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    let part = part.trim_end_matches('0');
    if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
}

/// A duration: its number, as digits or a word, and its unit of time.
pub(crate) fn duration(random: &mut Random, style: &Style, units: &[(&str, &str, u64)]) -> Measure {
    let (name, code, most) = *random.one(units);
    let number = random.between(2, most);
    let text = if random.percent(50) { number_word(style.language, number) } else { number.to_string() };
    Measure { text: format!("{text} {name}"), value: number.to_string(), unit: code.to_owned() }
}

/// A duration in two units: `2 h 30 min`.
pub(crate) fn hours_and_minutes(random: &mut Random) -> Measure {
    let (hours, minutes) = (random.between(1, 12), random.between(2, 59));
    let text = format!("{hours} h {minutes} min");
    Measure { text, value: (hours * 60 + minutes).to_string(), unit: "min".to_owned() }
}

/// A temperature, of which some are below zero.
pub(crate) fn temperature(random: &mut Random, minus: &str) -> Measure {
    let number = random.between(2, 60);
    let (sign, printed) = match random.between(1, 5) {
        1 => ("-", format!("−{number}")),
        2 => ("-", format!("{minus} {number}")),
        3 => ("-", format!("–{number}")),
        _ => ("", number.to_string()),
    };
    Measure { text: format!("{printed} °C"), value: format!("{sign}{number}"), unit: "Cel".to_owned() }
}

/// A plane angle.
pub(crate) fn angle(random: &mut Random) -> Measure {
    let number = random.between(10, 80);
    Measure { text: format!("{number}°"), value: number.to_string(), unit: "deg".to_owned() }
}

/// A count as digits or a word.
pub(crate) fn count(random: &mut Random, style: &Style) -> Measure {
    let number = match random.between(1, 4) {
        1 => random.between(100, 3000),
        2 => random.between(13, 99),
        _ => random.between(2, 12),
    };
    let text = if random.percent(60) {
        number_word(style.language, number)
    } else {
        style.print(&number.to_string())
    };
    Measure { text, value: number.to_string(), unit: String::new() }
}

/// A number below a million as words.
pub(crate) fn number_word(language: &str, number: u64) -> String {
    match language {
        "de" => german(number),
        "fr" => french(number),
        _ => english(number),
    }
}

fn english(number: u64) -> String {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 10] =
        ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    match number {
        0..20 => SMALL[number as usize].to_owned(),
        20..100 if number.is_multiple_of(10) => TENS[number as usize / 10].to_owned(),
        20..100 => format!("{}-{}", TENS[number as usize / 10], english(number % 10)),
        100..1000 if number.is_multiple_of(100) => format!("{} hundred", english(number / 100)),
        100..1000 => format!("{} hundred and {}", english(number / 100), english(number % 100)),
        _ if number.is_multiple_of(1000) => format!("{} thousand", english(number / 1000)),
        _ if number % 1000 < 100 => {
            format!("{} thousand and {}", english(number / 1000), english(number % 1000))
        }
        _ => format!("{} thousand {}", english(number / 1000), english(number % 1000)),
    }
}

fn german(number: u64) -> String {
    const SMALL: [&str; 20] = [
        "null",
        "eins",
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zwölf",
        "dreizehn",
        "vierzehn",
        "fünfzehn",
        "sechzehn",
        "siebzehn",
        "achtzehn",
        "neunzehn",
    ];
    const TENS: [&str; 10] =
        ["", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"];
    let before = |number: u64| if number == 1 { "ein".to_owned() } else { german(number) };
    match number {
        0..20 => SMALL[number as usize].to_owned(),
        20..100 if number.is_multiple_of(10) => TENS[number as usize / 10].to_owned(),
        20..100 => format!("{}und{}", before(number % 10), TENS[number as usize / 10]),
        100..1000 if number.is_multiple_of(100) => format!("{}hundert", before(number / 100)),
        100..1000 => format!("{}hundert{}", before(number / 100), german(number % 100)),
        _ if number.is_multiple_of(1000) => format!("{}tausend", before(number / 1000)),
        _ => format!("{}tausend{}", before(number / 1000), german(number % 1000)),
    }
}

fn french(number: u64) -> String {
    const SMALL: [&str; 17] = [
        "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze",
        "douze", "treize", "quatorze", "quinze", "seize",
    ];
    const TENS: [&str; 7] = ["", "", "vingt", "trente", "quarante", "cinquante", "soixante"];
    match number {
        0..17 => SMALL[number as usize].to_owned(),
        17..20 => format!("dix-{}", french(number - 10)),
        20..70 if number % 10 == 1 => format!("{} et un", TENS[number as usize / 10]),
        20..70 if number.is_multiple_of(10) => TENS[number as usize / 10].to_owned(),
        20..70 => format!("{}-{}", TENS[number as usize / 10], french(number % 10)),
        71 => "soixante et onze".to_owned(),
        70..80 => format!("soixante-{}", french(number - 60)),
        80 => "quatre-vingts".to_owned(),
        81..100 => format!("quatre-vingt-{}", french(number - 80)),
        100..200 if number == 100 => "cent".to_owned(),
        100..200 => format!("cent {}", french(number - 100)),
        200..1000 if number.is_multiple_of(100) => format!("{} cents", french(number / 100)),
        200..1000 => format!("{} cent {}", french(number / 100), french(number % 100)),
        1000..2000 if number == 1000 => "mille".to_owned(),
        1000..2000 => format!("mille {}", french(number - 1000)),
        _ if number.is_multiple_of(1000) => format!("{} mille", french(number / 1000)),
        _ => format!("{} mille {}", french(number / 1000), french(number % 1000)),
    }
}
