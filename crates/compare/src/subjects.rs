//! Changes of who or what a provision is about: its subject, or the agent of a passive sentence.

use norma_model::Passage;

use crate::agents::agent;
use crate::comparison::Change;
use crate::conditions::are_words_of;
use crate::passages::PassageWords;
use crate::units::ComparisonUnit;
use crate::vocabulary::{lower_words, named};

/// The subjects, if they name different things. A sentence that was turned around, so that each subject is in
/// the other text, has the same. With the very same words, subject and object are exchanged.
pub(crate) fn changed_subject(a: &ComparisonUnit, b: &ComparisonUnit) -> Option<Change<PassageWords>> {
    let (x, y) = (a.words(a.subject?), b.words(b.subject?));
    let (older, newer) = (named_by(a, x.passage), named_by(b, y.passage));
    if older.is_empty() || newer.is_empty() || have_same_words(&older, &newer) {
        return None;
    }
    let is_turned = are_words_of(&older, b) && are_words_of(&newer, a);
    if is_turned && !have_same_words(&all_words(a), &all_words(b)) {
        return None;
    }
    Some(Change { older: x, newer: y })
}

/// Who acts in a passive sentence, if the two name different persons: “by the user”, “by trained persons”.
pub(crate) fn changed_agent(a: &ComparisonUnit, b: &ComparisonUnit) -> Option<Change<PassageWords>> {
    let (x, y) = (a.words(agent(a)?), b.words(agent(b)?));
    if have_same_words(&named_by(a, x.passage), &named_by(b, y.passage)) {
        return None;
    }
    Some(Change { older: x, newer: y })
}

/// What a subject or agent names, without its numbers.
fn named_by(unit: &ComparisonUnit, passage: Passage) -> Vec<String> {
    let counts: Vec<Passage> = unit.quantities.iter().map(|quantity| quantity.passage).collect();
    named(&unit.words_without(passage, &counts))
}

fn all_words(unit: &ComparisonUnit) -> Vec<String> {
    let mut words = lower_words(unit.part(true));
    words.extend(lower_words(unit.part(false)));
    words
}

/// Two lists have the same words, each as often, in whatever order.
fn have_same_words(a: &[String], b: &[String]) -> bool {
    sorted(a) == sorted(b)
}

fn sorted(words: &[String]) -> Vec<&str> {
    let mut sorted: Vec<&str> = words.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    sorted
}
