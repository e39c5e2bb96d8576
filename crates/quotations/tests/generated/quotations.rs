//! Quotations of generated sentences, each with the verdict that is true of it by construction.

use norma_quotations::{CriticalChange, CriticalOmission};

use crate::document::Document;
use crate::noise::{noisy, pick};
use crate::random::Random;
use crate::template::{Part, PartKind, printed};

/// What is true of a quotation.
#[derive(Clone, Debug)]
pub(crate) enum Truth {
    /// It is in the unit.
    Whole { unit: usize },
    /// These words of the unit are others in it.
    Altered { unit: usize, printed: String, changed: String, critical: CriticalChange },
    /// It leaves something out of the unit, for which one of these is right; nothing critical where empty.
    Fragment { unit: usize, critical: &'static [CriticalOmission] },
    /// It joins words of two units.
    Joined,
    /// It is in no unit.
    Absent,
}

/// A quotation with its truth.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    pub(crate) text: String,
    pub(crate) truth: Truth,
    pub(crate) template: usize,
}

/// Ways to write an ellipsis.
const ELLIPSES: [&str; 7] = [" … ", " ... ", " […] ", " [...] ", " (...) ", " . . . ", " (…) "];

/// The whole text of a unit with what it completes, as print has it.
fn whole(random: &mut Random, document: &Document, unit: usize, text: &str) -> String {
    let Some(lead_in) = &document.units[unit].lead_in else { return text.to_owned() };
    let label = pick(random, &[" ", " a) ", "\n(b) ", "\n– ", "\n• ", " "]);
    format!("{lead_in}{label}{text}")
}

/// A true quotation of a unit.
pub(crate) fn true_quotation(random: &mut Random, document: &Document, unit: usize) -> Generated {
    let text = whole(random, document, unit, &document.units[unit].text);
    let text = noisy(random, &text, document.language.as_str());
    generated(document, unit, text, Truth::Whole { unit })
}

/// A quotation with one changed part; `None` where the unit has no part that can be changed.
pub(crate) fn altered_quotation(random: &mut Random, document: &Document, unit: usize) -> Option<Generated> {
    let parts = document.parts(unit);
    let changeable: Vec<usize> = (0..parts.len()).filter(|&at| !parts[at].changed.is_empty()).collect();
    if changeable.is_empty() {
        return None;
    }
    let at = *random.one(&changeable);
    let part = &parts[at];
    let critical = match part.kind {
        PartKind::Negation => CriticalChange::Negation,
        PartKind::Verb => CriticalChange::Verb,
        PartKind::Number => CriticalChange::Number,
        PartKind::Unit => CriticalChange::Unit,
        PartKind::Comparator => CriticalChange::Comparator,
        PartKind::Reference => CriticalChange::Reference,
        _ => return None,
    };
    let changed = random.one(&part.changed).clone();
    let text = replaced(parts, at, &changed);
    let text = whole(random, document, unit, &text);
    let text = noisy(random, &text, document.language.as_str());
    let truth = Truth::Altered { unit, printed: part.printed.clone(), changed, critical };
    Some(generated(document, unit, text, truth))
}

/// A quotation that leaves out one part; `None` where the unit has no such part.
pub(crate) fn fragment(random: &mut Random, document: &Document, unit: usize) -> Option<Generated> {
    let parts = document.parts(unit);
    let is_dropped = |part: &Part| match part.kind {
        PartKind::Condition | PartKind::Exception | PartKind::Optional => true,
        PartKind::Negation => part.changed.iter().any(String::is_empty),
        _ => false,
    };
    let mut choices: Vec<Option<usize>> =
        (0..parts.len()).filter(|&at| is_dropped(&parts[at])).map(Some).collect();
    if document.units[unit].lead_in.is_some() {
        choices.push(None);
    }
    if choices.is_empty() {
        return None;
    }
    let Some(at) = *random.one(&choices) else {
        let text = noisy(random, &document.units[unit].text, document.language.as_str());
        let truth = Truth::Fragment { unit, critical: &[CriticalOmission::LeadIn] };
        return Some(generated(document, unit, text, truth));
    };
    if parts[at].printed.is_empty() {
        return None;
    }
    let critical: &[CriticalOmission] = match parts[at].kind {
        PartKind::Condition => &[CriticalOmission::Condition],
        PartKind::Exception => &[CriticalOmission::Exception],
        PartKind::Negation => &[CriticalOmission::Negation],
        _ => &[],
    };
    let (before, after) = (printed(&parts[..at]), printed(&parts[at + 1..]));
    let is_last = after.trim().len() <= 1;
    let text = if before.is_empty() {
        after
    } else if is_last && random.percent(80) {
        let end = pick(random, &["", ".", " …", after.trim()]);
        format!("{}{end}", before.trim_end_matches([',', ' ']))
    } else {
        format!("{}{}{}", before.trim_end(), pick(random, &ELLIPSES), after.trim_start())
    };
    let text = if before.is_empty() { text } else { whole(random, document, unit, &text) };
    let text = light_noise(random, &text);
    Some(generated(document, unit, text, Truth::Fragment { unit, critical }))
}

/// The beginning of one unit and the end of another, with or without an ellipsis.
pub(crate) fn joined(random: &mut Random, document: &Document, unit: usize) -> Option<Generated> {
    let other = random.between(0, document.units.len() as u64 - 1) as usize;
    let (first, second) = (&document.units[unit].text, &document.units[other].text);
    let first: Vec<&str> = first.split(' ').collect();
    let second: Vec<&str> = second.split(' ').collect();
    let (start, end) = (&first[..first.len() / 2], &second[second.len() / 2..]);
    // Of the same template, the two may make a sentence that differs in one word.
    if document.origins[unit].0 == document.origins[other].0 || start.len() < 4 || end.len() < 4 {
        return None;
    }
    let is_said = |one: &norma_compare::ComparisonUnit| {
        one.text.contains(&start.join(" ")) && one.text.contains(&end.join(" "))
    };
    if document.units.iter().any(is_said) {
        return None;
    }
    let joint = if random.percent(50) { " " } else { pick(random, &ELLIPSES) };
    let text = format!("{}{joint}{}", start.join(" "), end.join(" "));
    Some(generated(document, unit, text, Truth::Joined))
}

/// A sentence of which no unit has half.
pub(crate) fn absent(random: &mut Random, document: &Document) -> Generated {
    let sentences: &[&str] = match document.language.as_str() {
        "fr" => &[
            "Les invités arrivent vers midi et personne n’a encore dressé la table du jardin.",
            "Chaque soir, trois violons accompagnent le chœur des bergers près du moulin.",
            "Notre voisine cultive des fraises que les merles mangent toujours avant elle.",
        ],
        "de" => &[
            "Gegen Mittag treffen die Gäste ein, doch niemand hat bisher den Tisch im Garten gedeckt.",
            "Jeden Abend begleiten drei Geigen den Chor der Hirten neben dem alten Wirtshaus.",
            "Unsere Nachbarin zieht Erdbeeren, welche die Amseln stets vor ihr essen.",
        ],
        _ => &[
            "Guests arrive around noon, yet nobody has laid that table in our garden so far.",
            "Every evening three violins accompany those singing shepherds near an old inn.",
            "Our neighbour grows strawberries which blackbirds always eat before she does.",
        ],
    };
    let sentence = *random.one(sentences);
    let text = light_noise(random, sentence);
    Generated { text, truth: Truth::Absent, template: usize::MAX }
}

fn light_noise(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    if random.percent(30) {
        text = text.replace(' ', pick(random, &["  ", "\n", "\u{a0}"]));
    }
    if random.percent(20) {
        text = format!("“{text}”");
    }
    text
}

fn replaced(parts: &[Part], at: usize, changed: &str) -> String {
    let texts = parts.iter().enumerate();
    texts.map(|(index, part)| if index == at { changed } else { part.printed.as_str() }).collect()
}

fn generated(document: &Document, unit: usize, text: String, truth: Truth) -> Generated {
    let template = document.sentences[document.origins[unit].0].template;
    Generated { text, truth, template }
}
