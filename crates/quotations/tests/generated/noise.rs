//! Typographic noise: what print, copying and typing do to a text without a change of its words.

use unicode_normalization::UnicodeNormalization;

use crate::random::Random;

/// One of some texts.
pub(crate) fn pick<'v>(random: &mut Random, texts: &[&'v str]) -> &'v str {
    random.one::<&'v str>(texts)
}

/// The text with some noise.
pub(crate) fn noisy(random: &mut Random, text: &str, language: &str) -> String {
    let mut text = marks(random, text);
    if random.percent(25) {
        text = signs(random, &text, language);
    }
    if random.percent(15) {
        text = text.replace("fi", "ﬁ").replace("fl", "ﬂ").replace("ff", "ﬀ");
    }
    if random.percent(10) {
        text = text.nfd().collect();
    }
    text = white_space(random, &text);
    if random.percent(30) {
        text = hyphenated(random, &text);
    }
    if random.percent(10) {
        text = text.trim_end_matches(['.', ';', ':', ',']).to_owned();
    }
    if random.percent(25) {
        let labels = ["a) ", "4.2 ", "NOTE 1 ", "(b) ", "2) ", "4.2.1\t", "• ", "– ", "iii) ", "A.3 "];
        text = format!("{}{text}", pick(random, &labels));
    }
    if random.percent(20) {
        let (open, close) = random.one(&[("“", "”"), ("\"", "\""), ("„", "“"), ("« ", " »"), ("‘", "’")]);
        text = format!("{open}{text}{close}");
    }
    text
}

/// Marks of the plain text as print has them.
fn marks(random: &mut Random, text: &str) -> String {
    let footnote = pick(random, &["", "¹", "1)", " 1)", "^1", "1"]);
    let lowered = pick(random, &["d", "_d", " d"]);
    let carbon = pick(random, &["CO2", "CO₂", "CO_2"]);
    let mut text = text.replace("release^1", &format!("release{footnote}"));
    text = text.replace("MTTF_d", &format!("MTTF{lowered}")).replace("CO_2", carbon);
    if random.percent(60) {
        let raised = random.percent(50);
        text = text.replace("m^2", if raised { "m²" } else { "m2" });
        text = text.replace("m^3", if raised { "m³" } else { "m3" });
        text = text.replace("10^(-3)", if raised { "10⁻³" } else { "10^-3" });
    }
    text
}

/// Other signs for the same.
fn signs(random: &mut Random, text: &str, language: &str) -> String {
    let mut text = text.replace('−', pick(random, &["-", "–", "−"])).replace('’', pick(random, &["'", "’"]));
    let (open, close) = random.one(&[("\"", "\""), ("‘", "’"), ("„", "”"), ("«\u{202f}", "\u{202f}»")]);
    text = text.replace("« ", open).replace(" »", close);
    text = text.replace('“', open).replace('”', close).replace('„', open);
    text = text.replace(" – ", pick(random, &[" — ", " - ", "—"]));
    if language == "fr" {
        text = text.replace(" ;", ";").replace(':', "\u{a0}:");
    }
    text
}

fn white_space(random: &mut Random, text: &str) -> String {
    let plain = random.percent(50);
    let mut out = String::new();
    for c in text.chars() {
        if c == ' ' && !plain {
            out.push_str(pick(
                random,
                &[" ", " ", " ", "  ", "\n", "\u{a0}", "\u{202f}", "\r\n", "\t", "\u{2009}"],
            ));
        } else {
            out.push(c);
        }
    }
    out
}

/// A text with a long word divided at the end of a line, or by a soft hyphen.
fn hyphenated(random: &mut Random, text: &str) -> String {
    let mut out = String::new();
    let mut last = ' ';
    let mut letters = 0;
    for c in text.chars() {
        let divides = letters > 3 && c.is_lowercase() && "aeiou".contains(last) && random.percent(15);
        if divides {
            out.push_str(pick(random, &["-\n", "-\r\n", "\u{ad}", "\u{ad}\n", "\u{2010}\n  "]));
            letters = 0;
        }
        letters = if c.is_alphabetic() { letters + 1 } else { 0 };
        out.push(c);
        last = c;
    }
    out
}
