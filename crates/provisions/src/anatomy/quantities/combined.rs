//! Values of several numbers: products, ranges, tolerances, and limits that hold for all values of an
//! enumeration.

use norma_model::Comparator;

use super::comparison::ComparatorEvidence;
use super::comparison_table::has;
use super::measures::behind_word;
use super::{FoundQuantity, LIMITS, QuantityScan};
use crate::anatomy::numbers::{Number, number_at};
use crate::anatomy::units::{ParsedUnit, size};

impl QuantityScan<'_> {
    /// Lengths that share a unit: `18 × 4 × 2 mm`, `18 by 4 mm`; returns their end.
    pub(super) fn product(&self, first: &FoundQuantity, all: &mut Vec<FoundQuantity>) -> Option<usize> {
        if first.unit.is_some() {
            return None;
        }
        let mut at = self.factor_after(first.range.end)?;
        let mut members = vec![first.clone()];
        let unit = loop {
            let next = number_at(self.text, at, self.digits())?;
            let end = next.range.end;
            members.push(FoundQuantity { value: next.value?, range: next.range, ..first.clone() });
            if let Some(unit) = self.unit(end) {
                break unit;
            }
            at = self.factor_after(end)?;
        };
        let (base, _) = size(unit.ucum.as_deref()?)?;
        if base != "m" {
            return None;
        }
        let end = unit.range.end;
        if let Some(last) = members.last_mut() {
            last.range.end = end;
        }
        let evidence = self.comparison(&(first.range.start..end));
        for mut member in members {
            member.comparator = evidence.comparator();
            member.joined = evidence == ComparatorEvidence::Joined;
            member.unit = Some(unit.clone());
            all.push(member);
        }
        Some(end)
    }

    /// The byte after a sign of multiplication or after a word for it.
    fn factor_after(&self, end: usize) -> Option<usize> {
        let rest = self.lower[end..].trim_start();
        let behind = match rest.strip_prefix(['×', 'x', '*']) {
            Some(behind_sign) => behind_sign,
            None => behind_word(rest, &self.table.by)?,
        };
        Some(self.text.len() - behind.trim_start().len())
    }

    /// The end of deviations, `+0.1/−0.2 mm`, `+1 mm −0 mm`, for which a quantity has no member.
    pub(super) fn deviations(&self, at: usize) -> Option<usize> {
        let (mut end, mut above) = (at, false);
        loop {
            let rest = self.text[end..].trim_start_matches([' ', '\u{a0}', '/', ',']);
            let Some(behind_sign) = rest.strip_prefix(['+', '−', '-', '–']) else { break };
            if !behind_sign.starts_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            above |= rest.starts_with('+');
            let start = self.text.len() - behind_sign.len();
            let number = number_at(self.text, start, self.digits())?;
            end = self.end_with_unit(number.range.end);
        }
        (end > at && above).then_some(end)
    }

    /// The end of the unit behind a number, or that of the number.
    fn end_with_unit(&self, end_of_number: usize) -> usize {
        match self.unit(end_of_number) {
            Some(unit) => unit.range.end,
            None => end_of_number,
        }
    }

    /// The text behind a word for “to” with which it begins.
    fn behind_to<'t>(&self, rest: &'t str) -> Option<&'t str> {
        self.table.to.iter().find_map(|to| rest.strip_prefix(to.as_str()))
    }

    /// The words that open a range before its first number, with the word between its ends.
    fn range_opener(&self, before: &str) -> Option<&[String; 2]> {
        self.table.ranges.iter().find(|[opener, _]| Self::ends_with(before, opener))
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
        let opener = self.range_opener(before);
        let rest = self.lower[first.range.end..].trim_start();
        let behind_joint = match opener {
            Some([_, joint]) if rest.starts_with(joint.as_str()) => &rest[joint.len()..],
            _ => self.behind_to(rest)?,
        };
        let at = self.text.len() - behind_joint.trim_start().len();
        let second = number_at(self.text, at, self.notation())?;
        let upper_unit = self.unit(second.range.end)?;
        if self.text[upper_unit.range.clone()] == self.text[unit.range.clone()] {
            return None;
        }
        let range = second.range.start..upper_unit.range.end;
        let end = range.end;
        let upper_value = second.value?;
        if !is_smaller(&first.value, unit, &upper_value, &upper_unit) {
            return opener.is_some().then_some(end);
        }
        let span = self.span(&(first.range.start..end));
        if self.grammar().is_plain_range(span) {
            all.push(FoundQuantity { comparator: Some(Comparator::AtLeast), ..first.clone() });
            all.push(FoundQuantity {
                comparator: Some(Comparator::AtMost),
                value: upper_value,
                unit: Some(upper_unit),
                range,
                ..first.clone()
            });
        }
        Some(end)
    }

    /// Shares the limit and the unit of two adjacent values, of which the second is at `at`, if they are
    /// joined: print states a limit once, in `no greater than 3 mm or 25 %` and `5 mm × 5 mm or smaller`. The
    /// caller does this for each pair, so that a limit reaches all values of a list.
    pub(super) fn coordinate(&self, found: &mut [FoundQuantity], at: usize) {
        let (before, after) = found.split_at_mut(at);
        let (Some(previous), Some(next)) = (before.last_mut(), after.first_mut()) else { return };
        let between = self.lower[previous.range.end..next.range.start].trim();
        self.share_unit(previous, next, between);
        self.leave_value_to_verb(previous, next, between);
        let between = self.without_adjective(between);
        let words: Vec<&str> = between.trim_start_matches(',').split_whitespace().collect();
        if self.is_adversative(&words) && next.comparator.is_none() && next.unit.is_some() {
            next.comparator = previous.comparator.and_then(opposite);
            if previous.unit.is_none() {
                previous.unit = next.unit.clone();
            }
            return;
        }
        // “not exceed 10 ft (3 m)” says one value in two units.
        let in_brackets = between == "(";
        if !in_brackets && !self.joins(between, &words) {
            return;
        }
        if previous.unit.is_none() || next.unit.is_none() {
            return;
        }
        let has_no_own_limit = next.joined || in_brackets && next.comparator.is_none();
        if has_no_own_limit && next.tolerance.is_none() {
            // “shall not exceed 5 mm, and 3 l of oil shall be added”
            if self.grammar().is_in_subject(self.span(&next.range)) {
                return;
            }
            let may_share = is_limit(previous) || previous.comparator == Some(Comparator::Equal);
            next.comparator = if may_share { previous.comparator } else { None };
            return;
        }
        // “5 mm × 5 mm or smaller”, “3 mm or 25 % at most”: the limit behind the last holds for both.
        let is_directly_joined = matches!(between, "×" | "x") || words.len() == 1;
        let is_plain = matches!(previous.comparator, None | Some(Comparator::Equal));
        if !is_directly_joined || !is_plain || previous.tolerance.is_some() {
            return;
        }
        if is_limit(next) && self.is_limited_behind(next) {
            previous.comparator = next.comparator;
        }
    }

    /// Gives a limit the unit of the other limit of its range: “at least 3, but not more than 5 minutes”.
    fn share_unit(&self, previous: &mut FoundQuantity, next: &FoundQuantity, between: &str) {
        const MOST_WORDS: usize = 6;
        if previous.unit.is_some() || !is_limit(next) || !is_limit(previous) {
            return;
        }
        let words: Vec<&str> =
            between.trim_start_matches(',').split_whitespace().take(MOST_WORDS + 1).collect();
        let is_coordinated = words.first().is_some_and(|word| self.coordinators(word));
        let is_apart = between.starts_with(',') || is_coordinated;
        if is_apart && words.len() <= MOST_WORDS {
            previous.unit = next.unit.clone();
        }
    }

    /// “mindestens 1 m, bei Treppen 1,10 m hoch sein”: the verb at the end has both values, and the limit may
    /// hold for the second one, too, so that this one is not stated.
    fn leave_value_to_verb(&self, previous: &FoundQuantity, next: &mut FoundQuantity, between: &str) {
        let table = &self.table.comparison;
        if !table.verb_final || !between.starts_with(',') {
            return;
        }
        if !is_limit(previous) || next.comparator != Some(Comparator::Equal) {
            return;
        }
        let mut words = 0;
        for word in between.trim_start_matches(',').split_whitespace() {
            if has(&table.modals, word) || !word.chars().all(char::is_alphabetic) {
                return;
            }
            words += 1;
        }
        if words > 1 {
            next.comparator = None;
        }
    }

    /// The text between two values without the adjective of the first: “2 m long, 1 m wide”.
    fn without_adjective<'t>(&self, between: &'t str) -> &'t str {
        let adjective = between.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        match self.table.comparison.adjective(adjective) {
            Some(_) => between[adjective.len()..].trim(),
            None => between,
        }
    }

    /// “shall exceed 3 m but not 5 m”
    fn is_adversative(&self, words: &[&str]) -> bool {
        let [adversative, negation] = *words else { return false };
        let table = &self.table.comparison;
        has(&table.adversatives, adversative) && has(&table.negations, negation)
    }

    /// True if the text between two values joins them: “5 mm in width and 3 mm in height”, “5 m long and 3 mm
    /// thick”.
    fn joins(&self, between: &str, words: &[&str]) -> bool {
        if matches!(between, "," | "×" | "x") {
            return true;
        }
        let joint = match *words {
            [of, _, word] if has(&self.table.adverbial, of) => word,
            [noun, word] if noun.chars().all(char::is_alphabetic) => word,
            [word] => word,
            _ => return false,
        };
        self.coordinators(joint) || has(&self.table.by, joint)
    }

    /// True if the words behind a value make it a limit, and none before it.
    fn is_limited_behind(&self, quantity: &FoundQuantity) -> bool {
        self.grammar().is_limited_behind(self.span(&quantity.range))
    }

    /// Reads the rest of a range after its first number; returns whether there is one.
    pub(super) fn range(&self, found: &mut FoundQuantity, before: &str) -> bool {
        let rest = self.lower[found.range.end..].trim_start();
        let (behind_joint, needs_unit) = match self.range_opener(before) {
            Some([_, joint]) if rest.starts_with(joint.as_str()) => (&rest[joint.len()..], false),
            _ => match self.behind_to(rest) {
                Some(behind_to) => (behind_to, true),
                None => return false,
            },
        };
        let joint = &rest[..rest.len() - behind_joint.len()];
        let upper = behind_joint.trim_start();
        // A word that goes on is not the joint: “total” does not begin with `to`.
        if joint.ends_with(char::is_alphabetic) && upper.len() == behind_joint.len() {
            return false;
        }
        let at = self.text.len() - upper.len();
        let Some(second) = number_at(self.text, at, self.notation()) else { return false };
        let unit = self.unit(second.range.end);
        if unit.is_none() && (needs_unit || found.unit.is_some() || self.is_glued(second.range.end)) {
            return false;
        }
        let Some(upper) = second.value else { return false };
        if !ascends(&found.value, &upper) || !self.may_share(found, unit.as_ref()) {
            return false;
        }
        found.comparator = Some(Comparator::Between);
        found.upper = Some(upper);
        found.range.end = unit.as_ref().map_or(second.range.end, |unit| unit.range.end);
        found.unit = unit;
        true
    }

    /// True if the unit of a second number is written as that of the first, or one of them has none.
    fn may_share(&self, found: &FoundQuantity, unit: Option<&ParsedUnit>) -> bool {
        let (Some(own), Some(other)) = (&found.unit, unit) else { return true };
        let same_code = own.ucum.is_some() && own.ucum == other.ucum;
        same_code || self.text[own.range.clone()] == self.text[other.range.clone()]
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
        let Some(unit) = self.unit(range.end + bracket) else { return false };
        if !self.may_share(found, Some(&unit)) {
            return false;
        }
        found.range.end = unit.range.end;
        found.tolerance = Some(value);
        found.unit = Some(unit);
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
        let value = sum_in_smaller_unit(&first.value, ratio, second.value.as_deref());
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
        if larger == "[ft_i]"
            && let Some(word) = self.text[at..].strip_prefix([' ', '\u{a0}'])
            && let Some(rest) = word.strip_prefix("in")
            && !rest.starts_with(char::is_alphanumeric)
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

/// True if a quantity has a comparator that sets a limit.
fn is_limit(quantity: &FoundQuantity) -> bool {
    quantity.comparator.is_some_and(|comparator| LIMITS.contains(&comparator))
}

/// True if both values are numbers and the first is smaller.
fn ascends(low: &str, high: &str) -> bool {
    match (low.parse::<f64>(), high.parse::<f64>()) {
        (Ok(low), Ok(high)) => low < high,
        _ => false,
    }
}

/// True if a value is known to be smaller than another one in another unit of the same dimension.
fn is_smaller(low: &str, low_unit: &ParsedUnit, high: &str, high_unit: &ParsedUnit) -> bool {
    let (Some(low_code), Some(high_code)) = (&low_unit.ucum, &high_unit.ucum) else { return false };
    let (Some((low_base, low_size)), Some((high_base, high_size))) = (size(low_code), size(high_code)) else {
        return false;
    };
    let (Ok(low), Ok(high)) = (low.parse::<f64>(), high.parse::<f64>()) else { return false };
    low_base == high_base && low * low_size < high * high_size
}

/// A value in two units as one in the smaller unit, of which `ratio` make the larger one; `None` where a part
/// is not a whole number or the sum is too large.
fn sum_in_smaller_unit(high: &str, ratio: u64, low: Option<&str>) -> Option<u64> {
    let high: u64 = high.parse().ok()?;
    let low: u64 = low?.parse().ok()?;
    high.checked_mul(ratio)?.checked_add(low)
}

/// What a negation makes of a limit; of others it is not known.
fn opposite(comparator: Comparator) -> Option<Comparator> {
    match comparator {
        Comparator::MoreThan => Some(Comparator::AtMost),
        Comparator::LessThan => Some(Comparator::AtLeast),
        _ => None,
    }
}
