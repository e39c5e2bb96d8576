//! Measures that the reader of quantities does not list, because they have no number or no value: `twice`,
//! `every week`, `1:12`. A comparison reads them, so that a change of one is a change of quantity.

use norma_model::{Passage, Quantity};

use crate::difference::{TextSpan, TextToken, tokens};
use crate::passages::overlaps;
use crate::units::ComparisonUnit;
use crate::vocabulary::{MeasureWords, measure_words};

/// Whether the words are the first ones here.
fn begin(words: &MeasureWords, lower: &[String]) -> bool {
    let last = words.words.len() - 1;
    lower.len() > last
        && words.words.iter().zip(lower).enumerate().all(|(index, (word, found))| {
            found == word || index == last && words.is_beginning && found.starts_with(word)
        })
}

/// The quantities of a unit with those of such words, in order.
pub(crate) fn quantities_with_words(unit: &ComparisonUnit) -> Vec<Quantity> {
    let mut quantities = unit.quantities.clone();
    for in_lead_in in [true, false] {
        let tokens = tokens(unit.part(in_lead_in));
        let lower: Vec<String> = tokens.iter().map(|token| token.text.to_lowercase()).collect();
        let mut index = 0;
        while index < tokens.len() {
            let found = ratio(&tokens[index..]).or_else(|| phrase(&lower[index..]));
            let Some((length, mut quantity)) = found else {
                index += 1;
                continue;
            };
            let span = TextSpan { start: tokens[index].span.start, end: tokens[index + length - 1].span.end };
            quantity.passage = Passage { in_lead_in, start: span.start as u32, end: span.end as u32 };
            let is_listed = unit.quantities.iter().any(|listed| overlaps(&listed.passage, in_lead_in, span));
            if !is_listed {
                quantities.push(quantity);
            }
            index += length;
        }
    }
    quantities
}

/// A ratio such as `1:12`, and its number of tokens. The second number is the unit: the first one is the
/// value only together with it.
fn ratio(tokens: &[TextToken<'_>]) -> Option<(usize, Quantity)> {
    let [first, colon, second, ..] = tokens else { return None };
    let is_number = |token: &TextToken<'_>| token.text.chars().all(|c| c.is_ascii_digit());
    let is_ratio = is_number(first) && colon.text == ":" && is_number(second);
    // “ISO 9001:2015” is a designation, “10:30” a time.
    let has_year = second.text.len() > 3 || second.text.starts_with('0');
    if !is_ratio || !colon.glued || !second.glued || has_year || first.glued {
        return None;
    }
    let unit = format!(":{}", second.text);
    Some((3, quantity(first.text, Some((None, &unit)))))
}

/// A phrase of the list, and its number of tokens.
fn phrase(lower: &[String]) -> Option<(usize, Quantity)> {
    let found = measure_words().iter().find(|one| begin(one, lower))?;
    let length = found.words.len();
    let next = lower.get(length).map(String::as_str);
    let is_count = found.unit.is_none();
    // “once the lid is shut”, “une fois que …”: a point in time. “every day 5 …” is a measure all the same.
    let is_time = is_count && matches!(next, Some("the" | "a" | "an" | "que" | "it" | "this"));
    if is_time {
        return None;
    }
    let unit = found.unit.as_ref().map(|(code, name)| (Some(&**code), &**name));
    Some((length, quantity(&found.value, unit)))
}

/// A quantity whose comparator is not stated.
fn quantity(value: &str, unit: Option<(Option<&str>, &str)>) -> Quantity {
    Quantity {
        comparator: None,
        value: value.into(),
        upper: None,
        tolerance: None,
        unit: unit.map(|(_, name)| name.into()),
        ucum: unit.and_then(|(code, _)| code).map(Into::into),
        passage: Passage::default(),
    }
}
