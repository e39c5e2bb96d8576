//! Facets: what changed in a pair of units, each kind of change by itself.

use crate::comparison::{Change, Facets, ReferenceChange, ReferenceChangeKind, Strength};
use crate::difference::{Edit, Span, Token, tokens};
use crate::quantities::{Quantity, quantities};
use crate::reference_names::{Edition, ReferenceNames};
use crate::sections::SectionLinks;
use crate::units::{Reference, Target, Unit, Units};

/// Words that negate a sentence in English, French and German.
const NEGATIONS: [&str; 20] = [
    "not", "no", "never", "neither", "nor", "none", "cannot", "without", "ne", "pas", "aucun", "aucune",
    "jamais", "sans", "nicht", "kein", "keine", "keinen", "nie", "ohne",
];

/// Both editions with what corresponds in them.
pub(crate) struct Context<'a> {
    pub(crate) older: &'a Units,
    pub(crate) newer: &'a Units,
    pub(crate) homes: [&'a [u32]; 2],
    pub(crate) links: &'a SectionLinks,
    pub(crate) reference_names: &'a ReferenceNames,
}

/// The tokens of lead-in and text of both units, and the edits between them.
pub(crate) struct Compared<'a> {
    pub(crate) older: &'a [Token<'a>],
    pub(crate) newer: &'a [Token<'a>],
    pub(crate) edits: &'a [Edit],
    /// References in both texts, whose numbers are no quantities.
    pub(crate) references: [Vec<Span>; 2],
}

impl Context<'_> {
    /// Facets that follow from what is known of two units besides their words.
    pub(crate) fn facets(&self, a: &Unit, b: &Unit) -> Facets {
        let (from, to) = (self.homes[0][a.section], self.homes[1][b.section]);
        let moved = (!self.links.linked(from, to)).then_some(Change { from: a.section, to: b.section });
        Facets {
            moved,
            strength: changed(strength(a), strength(b)),
            negation: None,
            quantities: Vec::new(),
            references: self.references(&a.references, &b.references),
            terms: self.terms(a, b),
        }
    }

    fn references(&self, a: &[Reference], b: &[Reference]) -> Vec<ReferenceChange> {
        let (mut left, mut right): (Vec<_>, Vec<_>) = (a.iter().collect(), b.iter().collect());
        let mut changes = Vec::new();
        let mut take = |kind: ReferenceChangeKind, alike: &dyn Fn(&Reference, &Reference) -> bool| {
            left.retain(|x| {
                let Some(index) = right.iter().position(|y| alike(x, y)) else { return true };
                let y = right.remove(index);
                if x.text != y.text || kind == ReferenceChangeKind::Edition {
                    changes.push(ReferenceChange {
                        from: Some(x.text.clone()),
                        to: Some(y.text.clone()),
                        kind,
                    });
                }
                false
            });
        };
        take(ReferenceChangeKind::Renumbered, &|x, y| match (&x.target, &y.target) {
            (Some(Target::Document { .. }), _) | (_, Some(Target::Document { .. })) | (None, None) => {
                x.text == y.text && x.target == y.target
            }
            (Some(s), Some(t)) => {
                self.reference_names.name(s, Edition::Older) == self.reference_names.name(t, Edition::Newer)
            }
            _ => false,
        });
        take(ReferenceChangeKind::Other, &|x, y| match (&x.target, &y.target) {
            (Some(s @ Target::Document { .. }), Some(t)) => s == t,
            _ => false,
        });
        take(ReferenceChangeKind::Edition, &|x, y| match (&x.target, &y.target) {
            (Some(Target::Document { document: s, .. }), Some(Target::Document { document: t, .. })) => {
                s == t
            }
            _ => false,
        });
        for index in 0..left.len().max(right.len()) {
            let text = |list: &[&Reference]| list.get(index).map(|reference| reference.text.clone());
            let (from, to) = (text(&left), text(&right));
            changes.push(ReferenceChange { from, to, kind: ReferenceChangeKind::Other });
        }
        changes
    }

    /// Terms that both units use and that another definition explains in the newer edition.
    fn terms(&self, a: &Unit, b: &Unit) -> Vec<Change<usize>> {
        let pairs = a.terms.iter().filter_map(|&from| {
            let older = &self.older.terms[from];
            let &to = b.terms.iter().find(|&&to| older.names_concept_of(&self.newer.terms[to]))?;
            older.redefined_in(&self.newer.terms[to]).then_some(Change { from, to })
        });
        pairs.collect()
    }
}

impl Compared<'_> {
    /// Quantities that an edit touches, in pairs.
    pub(crate) fn quantities(&self) -> Vec<Change<Option<Quantity>>> {
        let mut changes = Vec::new();
        let found = |tokens: &[Token<'_>], references: &[Span]| {
            let mut found = quantities(tokens);
            found.retain(|q| !references.iter().any(|r| r.start < q.span.end && q.span.start < r.end));
            found
        };
        let [older, newer] = &self.references;
        let (a, b) = (found(self.older, older), found(self.newer, newer));
        for edit in self.edits {
            let within = |list: &[Quantity], part: Span| -> Vec<Quantity> {
                let overlaps = |q: &&Quantity| q.span.start < part.end && part.start < q.span.end;
                list.iter().filter(overlaps).cloned().collect()
            };
            let (from, to) = (within(&a, edit.older), within(&b, edit.newer));
            let (mut from, mut to) = (from.into_iter(), to.into_iter());
            loop {
                let (from, to) = (from.next(), to.next());
                let key = |q: &Option<Quantity>| q.as_ref().map(|q| (q.value.clone(), q.unit.clone()));
                match (key(&from), key(&to)) {
                    (None, None) => break,
                    (x, y) if x == y => {}
                    _ => changes.push(Change { from, to }),
                }
            }
        }
        changes
    }
}

/// Where the references of a unit are in a text of it, in order.
pub(crate) fn reference_spans(text: &str, references: &[Reference]) -> Vec<Span> {
    let (mut spans, mut from, mut characters) = (Vec::new(), 0, 0);
    for reference in references.iter().filter(|reference| !reference.text.is_empty()) {
        let Some(at) = text[from..].find(&*reference.text) else { continue };
        let start = characters + text[from..from + at].chars().count();
        let end = start + reference.text.chars().count();
        spans.push(Span { start, end });
        (from, characters) = (from + at + reference.text.len(), end);
    }
    spans
}

pub(crate) fn changed<T: PartialEq>(from: T, to: T) -> Option<Change<T>> {
    (from != to).then_some(Change { from, to })
}

fn strength(unit: &Unit) -> Strength {
    Strength { kind: unit.kind, negated: unit.negated }
}

/// Number of negating words in lead-in and text; `n't` and `n’t` count.
pub(crate) fn negations(unit: &Unit) -> usize {
    let count = |text: &str| {
        let tokens = tokens(text);
        let words = tokens.iter().filter(|token| NEGATIONS.contains(&&*token.text.to_lowercase())).count();
        let contracted =
            |w: &&[Token<'_>]| w[0].text.ends_with('n') && matches!(w[1].text, "'" | "’") && w[2].text == "t";
        words + tokens.windows(3).filter(contracted).count()
    };
    count(&unit.text) + unit.lead_in.as_deref().map_or(0, count)
}
