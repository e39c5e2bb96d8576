//! The verdict: the unit that a quotation is nearest to, and what it says of that unit.

use std::borrow::Borrow;
use std::ops::Range;

use norma_compare::words::{has_strength, is_filler};

use crate::alignment::{Alignment, StepKind, align};
use crate::changes::Changes;
use crate::omissions::UnitReading;
use crate::quotation::Quotation;
use crate::roles::roles_of;
use crate::target::{PreparedUnit, Target};
use crate::tokenizer::{PrintedWord, WordKind};
use crate::verdict::{Omission, QuotationVerdict};

/// Units that a quotation is aligned with: those with the most of its words.
const MOST_ALIGNED: usize = 8;
/// Share of the quotation's words, in percent, that a unit has at least.
const LEAST_SHARED: usize = 40;
/// Weight of a word that is in most sentences, and of any other.
const COMMON: usize = 1;
const OWN: usize = 4;
/// Most adjacent units that a quotation runs over.
const MOST_ADJACENT: usize = 12;
/// Words of a unit that are aligned with each word of a quotation, and in addition.
const WORDS_FOR_EACH: usize = 3;
const WORDS_MORE: usize = 120;
/// Most pairs of a word of the quotation and one of a unit that are looked at, about 40 ms: the units behind
/// are left out. A quotation of 300 characters has 50 words, and a provision as many.
const MOST_PAIRS: usize = 2_000_000;

/// The verdict on a quotation by the units that it may be from. The first of several equal units counts. The
/// same units may be of many quotations, each of which has some of them.
///
/// The work is bounded: by the number of words of the quotation times that of eight units and two groups, and
/// by a number of pairs of words.
pub fn verify<'t, U: Borrow<PreparedUnit<'t>>>(quotation: &Quotation, units: &[U]) -> QuotationVerdict {
    let units: Vec<&PreparedUnit<'t>> = units.iter().map(Borrow::borrow).collect();
    verdict_by(quotation, &units)
}

fn verdict_by(quotation: &Quotation, units: &[&PreparedUnit<'_>]) -> QuotationVerdict {
    let mut best: Option<Attempt> = None;
    let mut pairs = 0;
    for index in nearest(quotation, units) {
        let words = units[index].target.words.len().min(longest_window(quotation));
        pairs += words * quotation.words.len();
        if pairs > MOST_PAIRS && best.is_some() {
            break;
        }
        let target = Target::of_adjacent(&[(index, units[index])]);
        let target = Target { is_running_text: units[index].target.is_running_text, ..target };
        consider(&mut best, attempt(quotation, units, target));
        if best.as_ref().is_some_and(|best| best.alignment.cost == 0 && best.omitted == 0) {
            break;
        }
    }
    let is_found = best.as_ref().is_some_and(|best| best.alignment.cost == 0);
    if !is_found && !quotation.has_ellipsis {
        for group in adjacent(quotation, units) {
            let members: Vec<_> = group.into_iter().map(|index| (index, units[index])).collect();
            consider(&mut best, attempt(quotation, units, Target::of_adjacent(&members)));
        }
    }
    match best {
        Some(best) => best.verdict(quotation, units),
        None => QuotationVerdict::Absent,
    }
}

/// The units with the most words of the quotation, the nearest first. Of several the shortest omits the
/// least.
fn nearest(quotation: &Quotation, units: &[&PreparedUnit<'_>]) -> Vec<usize> {
    let total = quotation.keys().count().max(1);
    let mut ranked = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let shared = shared_words(quotation, unit);
        if shared * 100 >= total * LEAST_SHARED {
            ranked.push((total - shared, unit.target.words.len(), index));
        }
    }
    ranked.sort_unstable();
    ranked.truncate(MOST_ALIGNED);
    ranked.into_iter().map(|(_, _, index)| index).collect()
}

fn shared_words(quotation: &Quotation, unit: &PreparedUnit<'_>) -> usize {
    quotation.keys().filter(|&key| unit.keys.contains(key)).count()
}

/// The groups of adjacent provisions that have some words of the quotation each.
fn adjacent(quotation: &Quotation, units: &[&PreparedUnit<'_>]) -> Vec<Vec<usize>> {
    let mut positions = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let least = unit.keys.len().min(4);
        if let Some(position) = unit.unit.position
            && shared_words(quotation, unit) >= least
        {
            positions.push((position, index));
        }
    }
    positions.sort_unstable();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut last = None;
    for ((section, ordinal), index) in positions {
        match groups.last_mut() {
            Some(group) if last == Some((section, ordinal)) && group.len() < MOST_ADJACENT => {
                group.push(index)
            }
            _ => groups.push(vec![index]),
        }
        last = Some((section, ordinal + 1));
    }
    groups.retain(|group| group.len() > 1);
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups.truncate(2);
    groups
}

/// A target with the alignment of a quotation.
struct Attempt {
    target: Target,
    alignment: Alignment,
    /// The words of the target that the quotation has to have: in a running text those of the sentences that
    /// it touches.
    scope: Range<usize>,
    /// Words of these that it omits.
    omitted: usize,
    /// Words that differ and are in few sentences. Of two units with as many changed words, the one with the
    /// same subject and another number is nearer.
    own_changes: usize,
}

fn consider(best: &mut Option<Attempt>, attempt: Option<Attempt>) {
    let Some(attempt) = attempt else { return };
    let rank = |attempt: &Attempt| {
        let Attempt { alignment, omitted, own_changes, .. } = attempt;
        (alignment.cost, *own_changes, *omitted)
    };
    if best.as_ref().is_none_or(|best| rank(&attempt) < rank(best)) {
        *best = Some(attempt);
    }
}

fn attempt(quotation: &Quotation, units: &[&PreparedUnit<'_>], target: Target) -> Option<Attempt> {
    let window = window(quotation, &target);
    let is_label = labels(quotation, units, &target);
    let words = &target.words[window.clone()];
    let mut alignment = align(&quotation.words, &is_label, words, target.decimal);
    for step in &mut alignment.steps {
        step.actual.start += window.start;
        step.actual.end += window.start;
    }
    if target.is_running_text && joins_lines(&alignment, &target) {
        return None;
    }
    let scope = scope(&alignment, &target)?;
    let mut used = 0;
    for step in &alignment.steps {
        if !matches!(step.kind, StepKind::Omitted | StepKind::Dropped) {
            used += step.actual.len();
        }
    }
    let omitted = scope.len().saturating_sub(used);
    let own_changes = own_changes(quotation, &alignment);
    Some(Attempt { target, alignment, scope, omitted, own_changes })
}

/// The words of a quotation that are others in the unit and neither numbers nor common ones.
fn own_changes(quotation: &Quotation, alignment: &Alignment) -> usize {
    let mut count = 0;
    for step in &alignment.steps {
        if matches!(step.kind, StepKind::Replaced | StepKind::Added) {
            let words = &quotation.words[step.quoted.clone()];
            count += words.iter().filter(|word| weight(word) == OWN).count();
        }
    }
    count
}

/// The weight of a word in a quotation: numbers, verbal forms and articles are in many sentences.
fn weight(word: &PrintedWord) -> usize {
    let is_common = word.kind != WordKind::Letters || is_filler(&word.key) || has_strength(&word.key);
    if is_common { COMMON } else { OWN }
}

/// Most words of a text that a quotation is aligned with.
fn longest_window(quotation: &Quotation) -> usize {
    quotation.words.len() * WORDS_FOR_EACH + WORDS_MORE
}

/// The words of a long text among which the quotation is: those with the most of its words.
fn window(quotation: &Quotation, target: &Target) -> Range<usize> {
    let length = longest_window(quotation);
    let all = target.words.len();
    if all <= length {
        return 0..all;
    }
    let keys: foldhash::HashSet<&str> = quotation.keys().filter(|key| !is_filler(key)).collect();
    let is_shared = |index: usize| usize::from(keys.contains(target.words[index].word.key.as_str()));
    let mut shared: usize = (0..length).map(is_shared).sum();
    let (mut start, mut most) = (0, shared);
    for first in 1..=all - length {
        shared += is_shared(first + length - 1);
        shared -= is_shared(first - 1);
        if shared > most {
            (start, most) = (first, shared);
        }
    }
    // The first window with all of them has them at its end.
    let centred = start + length.div_ceil(3);
    let start = if start == 0 { 0 } else { centred.min(all - length) };
    start..start + length
}

/// Of each word of the quotation, whether it may belong to a label of the target.
fn labels(quotation: &Quotation, units: &[&PreparedUnit<'_>], target: &Target) -> Vec<bool> {
    let mut is_label: Vec<bool> = quotation.words.iter().map(|word| word.is_label).collect();
    let Some(piece) = target.pieces.first() else { return is_label };
    let mut at = 0;
    loop {
        let matching =
            units[piece.unit].labels.iter().find(|label| begins_with(&quotation.words[at..], label));
        let Some(label) = matching else { break };
        is_label[at..at + label.len()].fill(true);
        at += label.len();
    }
    is_label
}

fn begins_with(words: &[PrintedWord], label: &[String]) -> bool {
    words.len() > label.len() && words.iter().zip(label).all(|(word, key)| word.key == *key)
}

/// Whether an ellipsis joins words of two lines of a text.
fn joins_lines(alignment: &Alignment, target: &Target) -> bool {
    let mut after_omission = false;
    for step in &alignment.steps {
        let is_omitted = step.kind == StepKind::Omitted;
        if is_omitted || after_omission {
            let starts_line = |index: usize| target.words[index].word.starts_line;
            if step.actual.clone().any(starts_line) {
                return true;
            }
        }
        after_omission = is_omitted || after_omission && step.actual.is_empty();
    }
    false
}

/// The words of a target of which a quotation has to have each. `None` where it has no word.
fn scope(alignment: &Alignment, target: &Target) -> Option<Range<usize>> {
    let aligned = |kind| matches!(kind, StepKind::Same | StepKind::Replaced);
    let mut steps = alignment.steps.iter().filter(|step| aligned(step.kind));
    let first = steps.next()?;
    let last = steps.next_back().unwrap_or(first);
    let (mut start, mut end) = (first.actual.start, last.actual.end);
    if target.is_running_text {
        while start > 0 && !target.words[start].is_start {
            start -= 1;
        }
        while end < target.words.len() && !target.words[end].is_start {
            end += 1;
        }
        return Some(start..end);
    }
    // Of adjacent units those count of which the quotation has a word, and their lead-in.
    let first_piece = target.pieces[target.words[start].piece];
    let last_piece = target.words[end - 1].piece;
    while start > 0 && target.pieces[target.words[start - 1].piece].unit == first_piece.unit {
        start -= 1;
    }
    while end < target.words.len() && target.words[end].piece == last_piece {
        end += 1;
    }
    let is_last_lead_in = target.pieces[last_piece].in_lead_in;
    while is_last_lead_in
        && end < target.words.len()
        && target.pieces[target.words[end].piece].unit == target.pieces[last_piece].unit
    {
        end += 1;
    }
    Some(start..end)
}

impl Attempt {
    fn verdict(self, quotation: &Quotation, units: &[&PreparedUnit<'_>]) -> QuotationVerdict {
        let Self { target, alignment, scope, .. } = self;
        if alignment.cost > 0 && !is_near(quotation, &alignment) {
            return QuotationVerdict::Absent;
        }
        let mut touched = Vec::new();
        for step in &alignment.steps {
            if matches!(step.kind, StepKind::Same | StepKind::Replaced) {
                touched.push(target.pieces[target.words[step.actual.start].piece].unit);
            }
        }
        touched.dedup();
        let roles = roles_of(&target, scope.clone(), units);
        let reading = UnitReading { target: &target, roles, units };
        let omissions = omissions(&reading, &alignment, scope.clone());
        if alignment.cost > 0 {
            let changes = Changes::new(quotation, &reading).all(&alignment.steps);
            return QuotationVerdict::Altered { units: touched, changes, omissions };
        }
        if !omissions.is_empty() {
            return QuotationVerdict::Partial { units: touched, omissions };
        }
        if is_exact(quotation, &reading, scope) {
            QuotationVerdict::Exact { units: touched }
        } else {
            QuotationVerdict::Normalised { units: touched }
        }
    }
}

/// What a quotation leaves out before its first word, at an ellipsis, and after its last word.
fn omissions(reading: &UnitReading<'_, '_>, alignment: &Alignment, scope: Range<usize>) -> Vec<Omission> {
    let mut omissions = Vec::new();
    let mut next = scope.start;
    let mut omitted: Option<Range<usize>> = None;
    for step in &alignment.steps {
        if step.actual.is_empty() {
            continue;
        }
        if step.kind == StepKind::Omitted {
            let start = omitted.take().map_or(next.min(step.actual.start), |omitted| omitted.start);
            omitted = Some(start..step.actual.end);
        } else if step.kind != StepKind::Passed {
            let before = omitted.take().unwrap_or(next..step.actual.start);
            if before.start < before.end {
                omissions.extend(reading.omissions(before));
            }
        }
        next = next.max(step.actual.end);
    }
    if next < scope.end {
        omissions.extend(reading.omissions(next..scope.end));
    }
    omissions
}

/// Whether a unit has half of a quotation's words, of which those that are in most sentences count less.
fn is_near(quotation: &Quotation, alignment: &Alignment) -> bool {
    let (mut same, mut all) = (0, 0);
    for step in &alignment.steps {
        let words = &quotation.words[step.quoted.clone()];
        let weight: usize = words.iter().map(weight).sum();
        match step.kind {
            StepKind::Same => {
                same += weight;
                all += weight;
            }
            StepKind::Replaced | StepKind::Added => all += weight,
            StepKind::Dropped | StepKind::Passed | StepKind::Omitted => {}
        }
    }
    same * 2 >= all && same > 0
}

/// Whether a quotation is the text of the words of a scope, character by character.
fn is_exact(quotation: &Quotation, reading: &UnitReading<'_, '_>, scope: Range<usize>) -> bool {
    let mut text = String::new();
    let mut last = None;
    for index in scope.clone() {
        let piece = reading.target.words[index].piece;
        if last == Some(piece) {
            continue;
        }
        last = Some(piece);
        let of_piece = reading.unit_of(index).text_of(reading.target.pieces[piece]);
        if reading.target.is_running_text {
            return of_piece.contains(&quotation.text) && ends_as(quotation, reading, scope);
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(of_piece.trim());
    }
    text == quotation.text
}

/// Whether the quotation is not longer than the words of a running text with the marks around them.
fn ends_as(quotation: &Quotation, reading: &UnitReading<'_, '_>, scope: Range<usize>) -> bool {
    let length = reading.text_of(scope).chars().count();
    quotation.text.chars().count() >= length
}
