//! Facets: the changes in a pair of units, each kind separately.

use norma_model::{Comparator, Passage, Quantity};

use crate::agents::agent;
use crate::comparison::{Amount, Bound, Change, Facets, Strength};
use crate::difference::{Edit, TextSpan, tokens};
use crate::measure::MeasureValue;
use crate::measure_words::quantities_with_words;
use crate::passages::{PassageWords, overlaps};
use crate::polarity::polarity;
use crate::reference_names::ReferenceNames;
use crate::sections::SectionLinks;
use crate::terms::{are_one_concept, is_redefined};
use crate::units::{ComparisonUnit, Units};
use crate::vocabulary::{
    are_opposite, condition, content, is_exception, is_restriction, join_otherwise, lower_words, named,
};

/// Both editions with what corresponds in them.
pub(crate) struct FacetContext<'a> {
    pub(crate) older: &'a Units,
    pub(crate) newer: &'a Units,
    pub(crate) homes: [&'a [u32]; 2],
    pub(crate) links: &'a SectionLinks,
    pub(crate) reference_names: &'a ReferenceNames,
}

impl FacetContext<'_> {
    /// The changes in a pair of units, without those in their dependencies. `edits` are those of the lead-in
    /// and of the text.
    pub(crate) fn facets(&self, a: &ComparisonUnit, b: &ComparisonUnit, edits: [&[Edit]; 2]) -> Facets {
        let (from, to) = (self.homes[0][a.section], self.homes[1][b.section]);
        let moved = (!self.links.linked(from, to)).then_some(Change { older: a.section, newer: b.section });
        let has_edits = edits.iter().any(|edits| !edits.is_empty());
        // Equal words measure the same, so only other ones are read again.
        let (quantities, mut bounds) = match has_edits {
            true => quantities(&quantities_with_words(a), &quantities_with_words(b), [a, b]),
            false => quantities(&a.quantities, &b.quantities, [a, b]),
        };
        if bounds.is_empty() {
            bounds = opposite_words([a, b], edits);
            bounds.extend(restricting_words([a, b], edits));
        }
        let strength = |unit: &ComparisonUnit| Strength {
            kind: unit.kind,
            form: unit.verbal_form.map(|form| unit.words(form)),
        };
        Facets {
            moved,
            strength: (a.kind != b.kind).then(|| Box::new(Change { older: strength(a), newer: strength(b) })),
            negation: polarity(a, b).map(Box::new),
            quantities,
            bounds,
            conditions: conditions(a, b, edits),
            subject: subject(a, b).or_else(|| has_edits.then(|| changed_agent(a, b))?).map(Box::new),
            references: self.references(a, b),
            terms: self.terms(a, b),
            depends_on: Vec::new(),
        }
    }

    /// Terms that both units use, with another definition in the newer edition.
    fn terms(&self, a: &ComparisonUnit, b: &ComparisonUnit) -> Vec<Change<usize>> {
        let pairs = a.terms.iter().filter_map(|&older| {
            let term = &self.older.terms[older];
            let &newer = b.terms.iter().find(|&&newer| are_one_concept(term, &self.newer.terms[newer]))?;
            is_redefined(term, &self.newer.terms[newer]).then_some(Change { older, newer })
        });
        pairs.collect()
    }
}

/// Indices of both lists in pairs: first those equal by `equal`, then by each of `kinds`; the remaining ones
/// are alone. Exchanging the lists exchanges the sides.
pub(crate) fn aligned(
    older: usize,
    newer: usize,
    rules: &[&dyn Fn(usize, usize) -> bool],
) -> Vec<(Option<usize>, Option<usize>)> {
    let (mut left, mut right): (Vec<usize>, Vec<usize>) = ((0..older).collect(), (0..newer).collect());
    let mut found = Vec::new();
    for (index, fits) in rules.iter().enumerate() {
        left.retain(|&x| {
            let Some(at) = right.iter().position(|&y| fits(x, y)) else { return true };
            let y = right.remove(at);
            // The first rule says that nothing changed.
            if index > 0 {
                found.push((Some(x), Some(y)));
            }
            false
        });
    }
    found.extend(left.into_iter().map(|x| (Some(x), None)));
    found.extend(right.into_iter().map(|y| (None, Some(y))));
    let key = |(x, y): &(Option<usize>, Option<usize>)| {
        let (x, y) = (x.unwrap_or(usize::MAX), y.unwrap_or(usize::MAX));
        (x.min(y), x.max(y))
    };
    found.sort_by_key(key);
    found
}

/// Changed quantities, and changed bounds.
fn quantities(
    older: &[Quantity],
    newer: &[Quantity],
    units: [&ComparisonUnit; 2],
) -> (Vec<Change<Option<Amount>>>, Vec<Change<Bound>>) {
    let values = |list: &[Quantity]| list.iter().map(MeasureValue::new).collect::<Vec<_>>();
    let (a, b) = (values(older), values(newer));
    let says = |x: usize, y: usize| a[x].says(&b[y]);
    let rules: [&dyn Fn(usize, usize) -> bool; 4] = [
        &|x, y| says(x, y) && older[x].comparator == newer[y].comparator,
        &says,
        &|x, y| a[x].kind == b[y].kind,
        &|_, _| true,
    ];
    let (mut changes, mut bounds) = (Vec::new(), Vec::new());
    for (x, y) in aligned(a.len(), b.len(), &rules) {
        // A comparator that is not stated is not known to differ.
        if let (Some(x), Some(y)) = (x, y)
            && let (Some(before), Some(after)) = (older[x].comparator, newer[y].comparator)
            && before != after
            && !is_range([before, after])
        {
            let bound = |quantity: &Quantity, unit: &ComparisonUnit| Bound {
                comparator: quantity.comparator,
                words: unit.words(quantity.passage),
            };
            bounds.push(Change { older: bound(&older[x], units[0]), newer: bound(&newer[y], units[1]) });
        }
        if !x.zip(y).is_some_and(|(x, y)| says(x, y)) {
            let amount = |quantity: &Quantity, unit: &ComparisonUnit| Amount {
                quantity: quantity.clone(),
                text: unit.words(quantity.passage).text,
            };
            changes.push(Change {
                older: x.map(|x| amount(&older[x], units[0])),
                newer: y.map(|y| amount(&newer[y], units[1])),
            });
        }
    }
    (changes, bounds)
}

/// Whether one of two comparators is that of a range, so that its second end counts as a change of the value.
fn is_range(comparators: [Comparator; 2]) -> bool {
    comparators.contains(&Comparator::Between) && comparators.contains(&Comparator::Equal)
}

/// The changes between two single quantities, such as those of cells: the value, and the comparator.
pub(crate) fn of_quantities(a: &Quantity, b: &Quantity) -> (bool, bool) {
    (!MeasureValue::new(a).says(&MeasureValue::new(b)), a.comparator != b.comparator)
}

/// Limiting words that became their opposite: `before` and `after`.
fn opposite_words(units: [&ComparisonUnit; 2], edits: [&[Edit]; 2]) -> Vec<Change<Bound>> {
    let mut found = Vec::new();
    for (edits, in_lead_in) in edits.into_iter().zip([true, false]) {
        for Edit { older, newer } in edits {
            let words = |unit: &ComparisonUnit, span: TextSpan| {
                let passage = Passage { in_lead_in, start: span.start as u32, end: span.end as u32 };
                let referred = unit.reference_passages().iter().any(|one| overlaps(one, in_lead_in, span));
                (!referred).then(|| unit.words(passage))
            };
            let (Some(x), Some(y)) = (words(units[0], *older), words(units[1], *newer)) else { continue };
            let ([a], [b]) = (&lower_words(&x.text)[..], &lower_words(&y.text)[..]) else { continue };
            // “if it is wet and cold” is another condition than “if it is wet or cold”.
            let in_condition =
                units[0].conditions.iter().any(|condition| overlaps(condition, in_lead_in, *older));
            if are_opposite(a, b) || join_otherwise(a, b) && !in_condition {
                let bound = |words: PassageWords| Bound { comparator: None, words };
                found.push(Change { older: bound(x), newer: bound(y) });
            }
        }
    }
    found
}

/// Words that restrict a provision, such as `only`, that were added or dropped. The side without it has no
/// words.
fn restricting_words(units: [&ComparisonUnit; 2], edits: [&[Edit]; 2]) -> Vec<Change<Bound>> {
    let count = |unit: &ComparisonUnit| {
        let words = [true, false].map(|in_lead_in| lower_words(unit.part(in_lead_in)));
        words.iter().flatten().filter(|word| is_restriction(word)).count()
    };
    if count(units[0]) == count(units[1]) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (edits, in_lead_in) in edits.into_iter().zip([true, false]) {
        for Edit { older, newer } in edits {
            let restriction = |unit: &ComparisonUnit, span: &TextSpan| {
                let part = unit.part(in_lead_in);
                let tokens = tokens(part);
                let within = tokens
                    .iter()
                    .filter(|token| span.start <= token.span.start && token.span.end <= span.end);
                let word = within.into_iter().find(|token| is_restriction(&token.text.to_lowercase()));
                // Without the word, the place where it would be.
                let span = word.map_or(TextSpan { start: span.start, end: span.start }, |word| word.span);
                (word.is_some(), Passage { in_lead_in, start: span.start as u32, end: span.end as u32 })
            };
            let (in_older, older) = restriction(units[0], older);
            let (in_newer, newer) = restriction(units[1], newer);
            if in_older != in_newer {
                let bound =
                    |unit: &ComparisonUnit, passage| Bound { comparator: None, words: unit.words(passage) };
                found.push(Change { older: bound(units[0], older), newer: bound(units[1], newer) });
            }
        }
    }
    found
}

/// Conditions that were added, dropped or reworded. A value or reference within one that changed is a change
/// of its own.
fn conditions(
    a: &ComparisonUnit,
    b: &ComparisonUnit,
    edits: [&[Edit]; 2],
) -> Vec<Change<Option<PassageWords>>> {
    let read = |unit: &ComparisonUnit| -> Vec<(u8, Vec<String>)> {
        let quantities = unit.quantities.iter().map(|quantity| quantity.passage);
        let masks: Vec<Passage> = quantities.chain(unit.reference_passages()).collect();
        unit.conditions.iter().map(|passage| condition(&masked(unit, *passage, &masks))).collect()
    };
    let (older, newer) = (read(a), read(b));
    let rules: [&dyn Fn(usize, usize) -> bool; 2] = [&|x, y| older[x] == newer[y], &|_, _| true];
    let passages = [&a.conditions, &b.conditions];
    let found = aligned(older.len(), newer.len(), &rules).into_iter().filter(|pair| match *pair {
        (Some(x), None) => !is_within(&older[x].1, b),
        (None, Some(y)) => !is_within(&newer[y].1, a),
        _ => true,
    });
    let words = |(x, y): (Option<usize>, Option<usize>)| Change {
        older: x.map(|x| a.words(passages[0][x])),
        newer: y.map(|y| b.words(passages[1][y])),
    };
    found.map(words).chain(exceptions([a, b], edits)).collect()
}

/// Added or dropped words that begin like an exception, which the reader does not list: “, except on
/// Sundays”.
fn exceptions<'a>(
    units: [&'a ComparisonUnit; 2],
    edits: [&'a [Edit]; 2],
) -> impl Iterator<Item = Change<Option<PassageWords>>> + 'a {
    let of_part = edits.into_iter().zip([true, false]);
    let all = of_part.flat_map(|(edits, in_lead_in)| edits.iter().map(move |edit| (edit, in_lead_in)));
    all.filter_map(move |(Edit { older, newer }, in_lead_in)| {
        let (side, span) = match (older.start < older.end, newer.start < newer.end) {
            (true, false) => (0, older),
            (false, true) => (1, newer),
            _ => return None,
        };
        let unit = units[side];
        let listed = unit.conditions.iter().any(|passage| overlaps(passage, in_lead_in, *span));
        let passage = Passage { in_lead_in, start: span.start as u32, end: span.end as u32 };
        let mut words = unit.words(passage);
        let bare = words.text.trim_start_matches([',', ' ']);
        if listed || !is_exception(bare) {
            return None;
        }
        words.passage.start += (words.text.chars().count() - bare.chars().count()) as u32;
        words.text = bare.into();
        let (older, newer) = if side == 0 { (Some(words), None) } else { (None, Some(words)) };
        Some(Change { older, newer })
    })
}

/// Whether the words of a condition are in the other unit, for which the reader was not certain.
fn is_within(condition: &[String], other: &ComparisonUnit) -> bool {
    let all = [other.lead_in.as_deref().unwrap_or_default(), &other.text].join(" ");
    let all = content(&all);
    !condition.is_empty() && condition.iter().all(|word| all.contains(word))
}

/// The words of a passage without those in the masks.
fn masked(unit: &ComparisonUnit, passage: Passage, masks: &[Passage]) -> String {
    let text = unit.part(passage.in_lead_in).chars().enumerate();
    let own = text.skip(passage.start as usize).take((passage.end - passage.start.min(passage.end)) as usize);
    let shown = own.map(|(at, c)| {
        let hides = |mask: &Passage| {
            mask.in_lead_in == passage.in_lead_in && (mask.start as usize..mask.end as usize).contains(&at)
        };
        if masks.iter().any(hides) { ' ' } else { c }
    });
    shown.collect()
}

/// The subjects, if they name different things. A sentence that was turned around, so that each subject is in
/// the other text, has the same. With the very same words, subject and object are exchanged.
fn subject(a: &ComparisonUnit, b: &ComparisonUnit) -> Option<Change<PassageWords>> {
    let (x, y) = (a.words(a.subject?), b.words(b.subject?));
    let (older, newer) = (named_by(a, &x), named_by(b, &y));
    if older.is_empty() || newer.is_empty() || sorted(older.clone()) == sorted(newer.clone()) {
        return None;
    }
    let is_turned = is_within(&older, b) && is_within(&newer, a);
    (!is_turned || has_same_words(a, b)).then_some(Change { older: x, newer: y })
}

/// What a subject or agent names, without its numbers.
fn named_by(unit: &ComparisonUnit, words: &PassageWords) -> Vec<String> {
    let counts: Vec<Passage> = unit.quantities.iter().map(|quantity| quantity.passage).collect();
    named(&masked(unit, words.passage, &counts))
}

/// Whether two units have the same words, in whatever order.
fn has_same_words(a: &ComparisonUnit, b: &ComparisonUnit) -> bool {
    let words = |unit: &ComparisonUnit| {
        let parts = [true, false].map(|in_lead_in| lower_words(unit.part(in_lead_in)));
        sorted(parts.concat())
    };
    words(a) == words(b)
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort_unstable();
    words
}

/// Who acts in a passive sentence, if the two name different persons: “by the user”, “by trained persons”.
fn changed_agent(a: &ComparisonUnit, b: &ComparisonUnit) -> Option<Change<PassageWords>> {
    let (x, y) = (a.words(agent(a)?), b.words(agent(b)?));
    let (older, newer) = (named_by(a, &x), named_by(b, &y));
    (sorted(older) != sorted(newer)).then_some(Change { older: x, newer: y })
}
