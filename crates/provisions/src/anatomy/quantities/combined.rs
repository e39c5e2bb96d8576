//! Values of several numbers: products, ranges, tolerances, and limits that hold for all values of an
//! enumeration.

use norma_model::Comparator;

use super::comparison::ComparatorEvidence;
use super::comparison_table::has;
use super::{FoundQuantity, LIMITS, QuantityScan};
use crate::anatomy::numbers::{Number, number_at};
use crate::anatomy::units::{ParsedUnit, size};

impl QuantityScan<'_> {
    /// Lengths that share a unit: `18 × 4 × 2 mm`, `18 by 4 mm`; returns their end.
    pub(super) fn product(&self, first: &FoundQuantity, all: &mut Vec<FoundQuantity>) -> Option<usize> {
        let mut members = vec![(first.value.clone(), first.range.clone())];
        let mut end = first.unit.is_none().then_some(first.range.end)?;
        let unit = loop {
            let at = self.joint(end, &self.table.by)?;
            let next = number_at(self.text, at, self.digits())?;
            members.push((next.value?, next.range.clone()));
            end = next.range.end;
            if let Some(unit) = self.unit(end) {
                break unit;
            }
        };
        unit.ucum.as_deref().and_then(size).filter(|(base, _)| *base == "m")?;
        end = unit.range.end;
        let (comparator, joined) = match self.comparison(&(first.range.start..end)) {
            ComparatorEvidence::Stated(comparator) => (Some(comparator), false),
            ComparatorEvidence::Joined => (None, true),
            ComparatorEvidence::NotStated => (None, false),
        };
        let last = members.len() - 1;
        all.extend(members.into_iter().enumerate().map(|(index, (value, range))| FoundQuantity {
            comparator,
            joined,
            value,
            upper: None,
            unit: Some(unit.clone()),
            tolerance: None,
            range: range.start..if index == last { end } else { range.end },
        }));
        Some(end)
    }

    /// The byte after a sign of multiplication or after one of some words.
    fn joint(&self, end: usize, words: &[String]) -> Option<usize> {
        let rest = self.lower[end..].trim_start();
        let after = ["×", "x", "*"].into_iter().find_map(|sign| rest.strip_prefix(sign));
        let word = || words.iter().find_map(|word| rest.strip_prefix(word.as_str())?.strip_prefix(' '));
        Some(self.text.len() - after.or_else(word)?.trim_start().len())
    }

    /// The end of deviations, `+0.1/−0.2 mm`, `+1 mm −0 mm`, for which a quantity has no member.
    pub(super) fn deviations(&self, at: usize) -> Option<usize> {
        let (mut end, mut above) = (at, false);
        loop {
            let rest = self.text[end..].trim_start_matches([' ', '\u{a0}', '/', ',']);
            let sign = rest.chars().next().filter(|c| "+−-–".contains(*c));
            let Some(sign) =
                sign.filter(|sign| rest[sign.len_utf8()..].starts_with(|c: char| c.is_ascii_digit()))
            else {
                break;
            };
            above |= sign == '+';
            let start = self.text.len() - rest.len() + sign.len_utf8();
            let number = number_at(self.text, start, self.digits())?;
            end = self.unit(number.range.end).map_or(number.range.end, |unit| unit.range.end);
        }
        (end > at && above).then_some(end)
    }

    /// Limits with different units, `30 s to 5 min`, as one at each end; returns their end. Nothing is added
    /// where it is not certain that the first is the smaller one.
    pub(super) fn range_of_two_units(
        &self,
        first: &FoundQuantity,
        before: &str,
        all: &mut Vec<FoundQuantity>,
    ) -> Option<usize> {
        let unit = first.unit.as_ref()?;
        let opened = self.table.ranges.iter().find(|[opener, _]| Self::ends_with(before, opener));
        let joints = opened.map(|[_, joint]| joint).into_iter().chain(&self.table.to);
        let rest = self.lower[first.range.end..].trim_start();
        let mut after = joints.filter_map(|joint| rest.strip_prefix(joint.as_str()));
        let at = self.text.len() - after.next()?.trim_start().len();
        let second = number_at(self.text, at, self.notation())?;
        let upper = self.unit(second.range.end)?;
        if self.text[upper.range.clone()] == self.text[unit.range.clone()] {
            return None;
        }
        let size = |unit: &ParsedUnit, value: &str| {
            let (base, size) = size(unit.ucum.as_deref()?)?;
            Some((base.to_owned(), size * value.parse::<f64>().ok()?))
        };
        let sizes = size(unit, &first.value).zip(size(&upper, second.value.as_deref()?));
        let ascends = sizes.is_some_and(|(low, high)| low.0 == high.0 && low.1 < high.1);
        let range = second.range.start..upper.range.end;
        let end = range.end;
        let span = self.span(&(first.range.start..end));
        if ascends && self.grammar().is_plain_range(span) {
            all.push(FoundQuantity { comparator: Some(Comparator::AtLeast), ..first.clone() });
            all.push(FoundQuantity {
                comparator: Some(Comparator::AtMost),
                value: second.value?,
                unit: Some(upper),
                range,
                ..first.clone()
            });
        }
        (ascends || opened.is_some()).then_some(end)
    }

    /// Applies a limit to all values that are joined: `no greater than 3 mm or 25 %`, `5 mm × 5 mm or
    /// smaller`.
    pub(super) fn coordinate(&self, found: &mut [FoundQuantity], at: usize) {
        let (before, after) = found.split_at_mut(at);
        let (Some(previous), Some(next)) = (before.last_mut(), after.first_mut()) else { return };
        let between = self.lower[previous.range.end..next.range.start].trim();
        // “5 mm in width and 3 mm in height”, “5 m long and 3 mm thick”
        let words: Vec<&str> = between.trim_start_matches(',').split_whitespace().collect();
        // “at least 3, but not more than 5 minutes”
        let apart = between.starts_with(',') || words.first().is_some_and(|word| self.coordinators(word));
        let limits = |quantity: &FoundQuantity| quantity.comparator.is_some_and(|c| LIMITS.contains(&c));
        if previous.unit.is_none() && apart && words.len() <= 6 && limits(next) && limits(previous) {
            previous.unit = next.unit.clone();
        }
        // “mindestens 1 m, bei Treppen 1,10 m hoch sein”: the verb at the end has both values, and the limit
        // may hold for the second one, too.
        let shares_verb = self.table.comparison.verb_final
            && between.starts_with(',')
            && !words.iter().any(|word| has(&self.table.comparison.modals, word))
            && words.iter().all(|word| word.chars().all(char::is_alphabetic));
        if shares_verb && limits(previous) && next.comparator == Some(Comparator::Equal) && words.len() > 1 {
            next.comparator = None;
        }
        // “2 m long, 1 m wide”
        let adjective = between.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let is_adjective = self.table.comparison.adjective(adjective).is_some();
        let between = if is_adjective { between[adjective.len()..].trim() } else { between };
        let words: Vec<&str> = between.trim_start_matches(',').split_whitespace().collect();
        let word = match words[..] {
            [of, _, word] if self.table.adverbial.iter().any(|adverbial| adverbial == of) => word,
            [noun, word] if noun.chars().all(char::is_alphabetic) => word,
            [word] => word,
            _ => "",
        };
        // “shall exceed 3 m but not 5 m”
        if let [adversative, negation] = words[..]
            && next.comparator.is_none()
            && next.unit.is_some()
            && has(&self.table.comparison.adversatives, adversative)
            && has(&self.table.comparison.negations, negation)
        {
            next.comparator = previous.comparator.and_then(opposite);
            if previous.unit.is_none() {
                previous.unit = next.unit.clone();
            }
            return;
        }
        let joined = matches!(between, "," | "×" | "x")
            || self.coordinators(word)
            || self.table.by.iter().any(|by| by == word);
        // “not exceed 10 ft (3 m)” says one value in two units.
        let in_brackets = between == "(";
        if !(joined || in_brackets) || previous.unit.is_none() || next.unit.is_none() {
            return;
        }
        if (next.joined || in_brackets && next.comparator.is_none()) && next.tolerance.is_none() {
            // “shall not exceed 5 mm, and 3 l of oil shall be added”
            if self.grammar().is_in_subject(self.span(&next.range)) {
                return;
            }
            next.comparator =
                previous.comparator.filter(|comparator| limits(previous) || *comparator == Comparator::Equal);
            return;
        }
        // “5 mm × 5 mm or smaller”, “3 mm or 25 % at most”: the limit behind the last holds for both.
        let directly = matches!(between, "×" | "x") || words.len() == 1;
        let is_value = matches!(previous.comparator, None | Some(Comparator::Equal));
        if directly
            && is_value
            && previous.tolerance.is_none()
            && limits(next)
            && self.is_limited_behind(next)
        {
            previous.comparator = next.comparator;
        }
    }

    /// Whether the words behind a value make it a limit, and none before it.
    fn is_limited_behind(&self, quantity: &FoundQuantity) -> bool {
        self.grammar().is_limited_behind(self.span(&quantity.range))
    }

    /// Reads the rest of a range after its first number; returns whether there is one.
    pub(super) fn range(&self, found: &mut FoundQuantity, before: &str) -> bool {
        let opened = self.table.ranges.iter().find(|[opener, _]| Self::ends_with(before, opener));
        let rest = &self.lower[found.range.end..];
        let trimmed = rest.trim_start();
        let (joint, needs_unit) = match opened {
            Some([_, joint]) if trimmed.starts_with(joint.as_str()) => (joint.as_str(), false),
            _ => match self.table.to.iter().find(|to| trimmed.starts_with(to.as_str())) {
                Some(to) => (to.as_str(), true),
                None => return false,
            },
        };
        let start = self.text.len() - trimmed.len() + joint.len();
        let at = self.text.len() - self.text[start..].trim_start().len();
        let worded = joint.ends_with(char::is_alphabetic);
        if worded && at == start {
            return false;
        }
        let Some(second) = number_at(self.text, at, self.notation()) else {
            return false;
        };
        let unit = self.unit(second.range.end);
        if (needs_unit && unit.is_none()) || (unit.is_none() && self.is_glued(second.range.end)) {
            return false;
        }
        let lower = found.value.parse::<f64>().ok();
        let ascends = lower
            .zip(second.value.as_deref().and_then(|v| v.parse::<f64>().ok()))
            .is_some_and(|(a, b)| a < b);
        if !ascends || !self.may_share(found, unit.as_ref()) || unit.is_none() && found.unit.is_some() {
            return false;
        }
        found.comparator = Some(Comparator::Between);
        found.upper = second.value;
        found.range.end = unit.as_ref().map_or(second.range.end, |unit| unit.range.end);
        found.unit = unit;
        true
    }

    /// Whether the unit of a second number is written as that of the first, or one of them has none.
    fn may_share(&self, found: &FoundQuantity, unit: Option<&ParsedUnit>) -> bool {
        let units = found.unit.as_ref().zip(unit);
        units.is_none_or(|(a, b)| {
            let same_code = a.ucum.is_some() && a.ucum == b.ucum;
            same_code || self.text[a.range.clone()] == self.text[b.range.clone()]
        })
    }

    /// Reads a tolerance after the value: `20 °C ± 2 °C`, `(20 ± 2) °C`; returns whether there is one.
    pub(super) fn tolerance(&self, found: &mut FoundQuantity) -> bool {
        let rest = self.text[found.range.end..].trim_start();
        let Some(after) = ["±", "+/-", "+/−"].iter().find_map(|sign| rest.strip_prefix(sign)) else {
            return false;
        };
        let at = self.text.len() - after.trim_start().len();
        let Some(Number { range, value: Some(value), .. }) = number_at(self.text, at, self.digits()) else {
            return false;
        };
        let bracket = usize::from(self.text[range.end..].starts_with(')'));
        let unit = self.unit(range.end + bracket);
        if !self.may_share(found, unit.as_ref()) || unit.is_none() {
            return false;
        }
        found.range.end = unit.as_ref().map_or(range.end, |unit| unit.range.end);
        found.tolerance = Some(value);
        found.unit = unit;
        true
    }

    /// A value in two units, `5 ft 6 in`, `1 h 30 min`, in the smaller one; without value where it is not
    /// whole.
    pub(super) fn compound(&self, first: &FoundQuantity) -> Option<FoundQuantity> {
        let unit = first.unit.as_ref()?;
        let rest = self.text[unit.range.end..].strip_prefix([' ', '\u{a0}'])?;
        if !rest.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let at = self.text.len() - rest.len();
        let second = number_at(self.text, at, self.digits())?;
        let (smaller, ratio) = self.smaller_unit(unit, second.range.end)?;
        let whole = |value: &str| value.parse::<u64>().ok();
        let value = whole(&first.value).zip(second.value.as_deref().and_then(whole));
        let value = value.and_then(|(high, low)| high.checked_mul(ratio)?.checked_add(low));
        Some(FoundQuantity {
            value: value.map(|value| value.to_string()).unwrap_or_default(),
            range: first.range.start..smaller.range.end,
            unit: Some(smaller),
            ..first.clone()
        })
    }

    /// The unit at a byte, and how many of it make the larger unit of the same dimension.
    pub(super) fn smaller_unit(&self, larger: &ParsedUnit, at: usize) -> Option<(ParsedUnit, u64)> {
        const INCHES: u64 = 12;
        let larger = larger.ucum.as_deref()?;
        // “in” is a unit behind feet alone: elsewhere it is a word.
        let inch = self.text[at..].strip_prefix([' ', '\u{a0}']).and_then(|rest| rest.strip_prefix("in"));
        if larger == "[ft_i]"
            && let Some(rest) = inch.filter(|rest| !rest.starts_with(char::is_alphanumeric))
        {
            let end = self.text.len() - rest.len();
            return Some((ParsedUnit { range: end - 2..end, ucum: Some("[in_i]".to_owned()) }, INCHES));
        }
        let smaller = self.unit(at)?;
        let (base, size_of_larger) = size(larger)?;
        let (other, size_of_smaller) = size(smaller.ucum.as_deref()?)?;
        let ratio = (size_of_larger / size_of_smaller).round();
        (base == other && ratio > 1.0).then_some((smaller, ratio as u64))
    }
}

/// What a negation makes of a limit; of others it is not known.
fn opposite(comparator: Comparator) -> Option<Comparator> {
    match comparator {
        Comparator::MoreThan => Some(Comparator::AtMost),
        Comparator::LessThan => Some(Comparator::AtLeast),
        _ => None,
    }
}
