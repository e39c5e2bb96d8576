//! Measures that the reader of quantities does not list, because they have no number or no value: `twice`,
//! `every week`, `1:12`. A comparison reads them, so that a change of one is a change of quantity.

use norma_model::{Passage, Quantity};

use crate::difference::{TextSpan, TextToken, lower_case, tokens};
use crate::passages::overlap;
use crate::units::ComparisonUnit;
use crate::vocabulary::{MeasureWords, measure_words};

/// The quantities of a unit with those of such words, in order.
pub(crate) fn quantities_with_words(unit: &ComparisonUnit) -> Vec<Quantity> {
    let mut quantities = unit.quantities.clone();
    for in_lead_in in [true, false] {
        let tokens = tokens(unit.part(in_lead_in));
        let lower = lower_case(&tokens);
        let mut index = 0;
        while index < tokens.len() {
            let found = ratio(&tokens[index..]).or_else(|| phrase(&lower[index..]));
            let Some((length, mut quantity)) = found else {
                index += 1;
                continue;
            };
            let span = TextSpan { start: tokens[index].span.start, end: tokens[index + length - 1].span.end };
            quantity.passage = span.passage(in_lead_in);
            let mut listed = unit.quantities.iter();
            if !listed.any(|listed| overlap(listed.passage, quantity.passage)) {
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
    if !is_number(first) || colon.text != ":" || !is_number(second) {
        return None;
    }
    // “a2:3” and “2: 3” are no ratios.
    if first.glued || !colon.glued || !second.glued {
        return None;
    }
    // “ISO 9001:2015” is a designation, “10:05” a time; “10:30” may be a time or a ratio.
    if second.text.len() > 3 || second.text.starts_with('0') {
        return None;
    }
    Some((3, quantity(first.text, None, Some(&format!(":{}", second.text)))))
}

fn is_number(token: &TextToken<'_>) -> bool {
    token.text.chars().all(|c| c.is_ascii_digit())
}

/// A phrase of the list, and its number of tokens.
fn phrase(lower: &[String]) -> Option<(usize, Quantity)> {
    let found = measure_words().iter().find(|words| begins_with(lower, words))?;
    let length = found.words.len();
    let Some((code, name)) = &found.unit else {
        // “once the lid is shut”, “une fois que …”: a point in time and not a count.
        let next = lower.get(length).map(String::as_str);
        if matches!(next, Some("the" | "a" | "an" | "que" | "it" | "this")) {
            return None;
        }
        return Some((length, quantity(&found.value, None, None)));
    };
    Some((length, quantity(&found.value, Some(code), Some(name))))
}

/// A text begins with these words if each is there, the last one perhaps with another ending.
fn begins_with(lower: &[String], words: &MeasureWords) -> bool {
    let last = words.words.len() - 1;
    if lower.len() <= last {
        return false;
    }
    for (index, word) in words.words.iter().enumerate() {
        let may_go_on = index == last && words.is_beginning;
        let is_found = lower[index] == *word || may_go_on && lower[index].starts_with(word);
        if !is_found {
            return false;
        }
    }
    true
}

/// A quantity whose comparator is not stated.
fn quantity(value: &str, ucum: Option<&str>, unit: Option<&str>) -> Quantity {
    Quantity {
        comparator: None,
        value: value.into(),
        upper: None,
        tolerance: None,
        unit: unit.map(Into::into),
        ucum: ucum.map(Into::into),
        passage: Passage::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_and_phrases_are_quantities_and_times_and_designations_are_none() {
        for (text, expected) in [
            ("The slope shall be 1:12.", vec!["1"]),
            ("The lid shall be closed at 10:05.", vec![]),
            ("The lid shall comply with ISO 9001:2015.", vec![]),
            ("The lid shall be oiled twice.", vec!["2"]),
            ("Once the lid is shut, the lamp shall be lit.", vec![]),
        ] {
            let unit = ComparisonUnit { text: text.into(), ..ComparisonUnit::default() };
            let found = quantities_with_words(&unit);
            let values: Vec<&str> = found.iter().map(|quantity| &*quantity.value).collect();
            assert_eq!(values, expected, "{text}");
        }
    }
}
