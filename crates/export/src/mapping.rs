//! The relationship of two provisions as sets of demands (NIST IR 8477, 4.3), as far as a comparison proves
//! it.

use norma_api::shapes::{
    Comparator, ComparedProvision, ComparisonRelation, ComparisonView, Difference, Facet, Facets,
    PartialChange, ProvisionChange, ProvisionType, Quantity, Slice, Unit,
};

/// The relationship of an older provision to a newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relationship {
    /// The same words, and nothing changed in what they say or refer to.
    EqualTo,
    /// The same, in a section that does not correspond.
    EquivalentTo,
    /// The newer one demands all that the older one does, and more.
    SubsetOf,
    /// The older one demands all that the newer one does, and more.
    SupersetOf,
    /// They have demands in common; nothing more is proved.
    IntersectsWith,
}

impl Relationship {
    /// The word of OSCAL's model of mappings.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::EqualTo => "equal-to",
            Self::EquivalentTo => "equivalent-to",
            Self::SubsetOf => "subset-of",
            Self::SupersetOf => "superset-of",
            Self::IntersectsWith => "intersects-with",
        }
    }

    /// The relationship in an item of a comparison; `None` where one side is absent. That two provisions have
    /// no relationship is never stated: no counterpart found does not prove it.
    pub(crate) fn of(change: &ProvisionChange<'_>) -> Option<Self> {
        let (Some(older), Some(newer)) = (&change.older, &change.newer) else { return None };
        Some(match (change.relation, &*change.changed) {
            (ComparisonRelation::Same, []) => Self::EqualTo,
            (ComparisonRelation::Same, [Facet::Moved]) => Self::EquivalentTo,
            (ComparisonRelation::Reworded, [Facet::Quantity]) => {
                stricter(change, older, newer).unwrap_or(Self::IntersectsWith)
            }
            _ => Self::IntersectsWith,
        })
    }
}

/// True where evidence for the older provision has to be looked at again.
pub(crate) fn is_suspect(change: &ProvisionChange<'_>) -> bool {
    change.older.is_some() && !(change.relation == ComparisonRelation::Same && change.changed.is_empty())
}

/// The items of a comparison whose older provision has to be looked at again, in its order.
pub(crate) fn suspects<'c, 'a>(comparison: &'c ComparisonView<'a>) -> Vec<&'c ProvisionChange<'a>> {
    comparison.items.iter().filter(|change| is_suspect(change)).collect()
}

/// The relationship of two requirements that differ in the value of one limit alone, and whose whole clause
/// behind `shall` is this limit: `The width shall be at least 40 mm.` In any other sentence a larger value
/// may as well be a weaker demand, such as in `shall warn at speeds of more than 5 m/s` or in `Only rings of
/// flint shall be at most 40 mm`.
fn stricter(
    change: &ProvisionChange<'_>,
    older: &ComparedProvision<'_>,
    newer: &ComparedProvision<'_>,
) -> Option<Relationship> {
    let are_requirements = [older, newer].iter().all(|one| one.kind == Some(ProvisionType::Requirement));
    let have_lead_in = older.lead_in.is_some() || newer.lead_in.is_some();
    if !are_requirements || have_lead_in {
        return None;
    }
    let facets = change.facets.as_ref()?;
    let [PartialChange { older: Some(before), newer: Some(after) }] = &*facets.quantity else { return None };
    if !is_alone(facets) || !differ_in_value(before, after) {
        return None;
    }
    let (before_text, after_text) = (older.text.as_deref()?, newer.text.as_deref()?);
    if !is_limit_alone(before_text, before) || !is_limit_alone(after_text, after) {
        return None;
    }
    if !is_within(change.difference.as_ref()?, before, after) {
        return None;
    }
    let old_value: f64 = before.value.parse().ok()?;
    let new_value: f64 = after.value.parse().ok()?;
    let is_larger = if new_value == old_value { return None } else { new_value > old_value };
    let is_stricter = match before.comparator? {
        Comparator::AtLeast | Comparator::MoreThan => is_larger,
        Comparator::AtMost | Comparator::LessThan => !is_larger,
        _ => return None,
    };
    Some(if is_stricter { Relationship::SubsetOf } else { Relationship::SupersetOf })
}

/// True if the quantity is the only change.
fn is_alone(facets: &Facets<'_>) -> bool {
    let Facets {
        strength,
        normative,
        negation,
        quantity: _,
        bound,
        condition,
        subject,
        references,
        terms,
        depends_on,
        moved,
    } = facets;
    let no_single = strength.is_none() && normative.is_none() && negation.is_none() && subject.is_none();
    let no_list = bound.is_empty() && condition.is_empty() && references.is_empty();
    no_single && no_list && terms.is_empty() && depends_on.is_empty() && moved.is_none()
}

/// True for two limits of the same kind and unit, of which only the value differs.
fn differ_in_value(before: &Quantity<'_>, after: &Quantity<'_>) -> bool {
    let is_plain = |one: &Quantity<'_>| one.upper.is_none() && one.tolerance.is_none();
    before.comparator == after.comparator
        && is_plain(before)
        && is_plain(after)
        && unit(before) == unit(after)
        && before.passage.part.is_none()
        && after.passage.part.is_none()
}

/// The code of a quantity's unit, else the unit as printed.
fn unit<'a>(quantity: &'a Quantity<'_>) -> Option<&'a str> {
    let Unit { text, ucum, .. } = quantity.unit.as_ref()?;
    Some(ucum.as_deref().unwrap_or(text))
}

/// True if all words behind `shall` are the limit, and no word before it restricts or inverts its subject.
fn is_limit_alone(text: &str, quantity: &Quantity<'_>) -> bool {
    const LINKS: [&str; 13] = [
        "be", "not", "no", "at", "least", "most", "less", "more", "greater", "fewer", "than", "exceed",
        "smaller",
    ];
    let chars: Vec<char> = text.chars().collect();
    let (start, end) = (quantity.passage.start as usize, quantity.passage.end as usize);
    let (Some(before), Some(after)) = (chars.get(..start), chars.get(end..)) else { return false };
    let (before, after): (String, String) = (before.iter().collect(), after.iter().collect());
    let Some((subject, links)) = before.rsplit_once(" shall ") else { return false };
    let is_limit = after.trim() == "." && links.split_whitespace().all(|word| LINKS.contains(&word));
    is_limit && !has_restriction(subject)
}

/// Words that restrict or invert what a sentence holds for, in English, German and French: a stricter limit
/// may then be a weaker demand. Some only narrow it; nothing is stated of these either.
const RESTRICTIONS: [&str; 3] = [
    "only solely exclusively merely just exactly precisely except excepted excepting excluding unless \
     than but save not cannot no non never none nothing nobody neither nor without few fewer less most \
     hardly scarcely seldom rarely if when whenever where wherever while until till once provided \
     providing",
    "nur allein ausschließlich ausschliesslich lediglich bloß genau außer ausser ausgenommen ohne \
     sofern soweit solange sobald wenn falls wo bis bevor ehe nicht nichts nie niemals niemand kein \
     keine keinem keinen keiner keines weder noch höchstens weniger als",
    "seul seule seuls seules seulement uniquement exclusivement exactement sauf excepté exceptée \
     exceptés exceptées hormis hors sans si lorsque quand où ne pas aucun aucune ni jamais personne \
     rien moins",
];

/// Several words that do the same.
const RESTRICTING_PHRASES: [&str; 4] = ["in case", "in the event", "im fall", "en cas"];

/// Beginnings of French words that do the same, in which a vowel is left out.
const ELIDED_RESTRICTIONS: [&str; 3] = ["n'", "s'il", "lorsqu'"];

/// True if a text has a word that restricts or inverts what it says.
fn has_restriction(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    let is_listed = |word: &str| RESTRICTIONS.iter().any(|list| list.split(' ').any(|one| one == word));
    let is_elided = |word: &str| ELIDED_RESTRICTIONS.iter().any(|start| word.starts_with(*start));
    let has_word = text.split(|c: char| c.is_whitespace() || c == '/').any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        is_listed(word) || is_elided(word) || word.ends_with("n't")
    });
    has_word || RESTRICTING_PHRASES.iter().any(|phrase| text.contains(*phrase))
}

/// True if the words that differ are within the two quantities.
fn is_within(difference: &Difference, before: &Quantity<'_>, after: &Quantity<'_>) -> bool {
    let contains = |quantity: &Quantity<'_>, slice: Slice| {
        quantity.passage.start as usize <= slice.start && slice.end <= quantity.passage.end as usize
    };
    let in_text =
        |edit: &norma_api::shapes::Edit| contains(before, edit.older) && contains(after, edit.newer);
    difference.lead_in_edits.is_empty() && difference.text_edits.iter().all(in_text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A pair that differs in one limit.
    fn pair(older: &str, newer: &str, comparator: &str, values: [&str; 2]) -> Value {
        let quantity = |text: &str, value: &str| {
            let words = format!("{value} mm");
            let start = text.find(&words).map(|byte| text[..byte].chars().count()).unwrap();
            json!({"comparator": comparator, "value": value, "unit": {"text": "mm", "ucum": "mm"}, "text": words,
                   "start": start, "end": start + words.chars().count()})
        };
        let (before, after) = (quantity(older, values[0]), quantity(newer, values[1]));
        let slice = |quantity: &Value| {
            let start = quantity["start"].as_u64().unwrap();
            json!({"start": start, "end": start + 3})
        };
        let edit = json!({"older": slice(&before), "newer": slice(&after)});
        json!({
            "relation": "reworded", "likelihood": "high", "changed": ["quantity"],
            "older": {"id": "prv_a", "type": "requirement", "text": older},
            "newer": {"id": "prv_b", "type": "requirement", "text": newer},
            "facets": {"quantity": [{"older": before, "newer": after}]},
            "difference": {"leadInEdits": [], "textEdits": [edit]},
        })
    }

    fn stated(change: &Value) -> &'static str {
        let change: ProvisionChange<'_> = serde_json::from_value(change.clone()).unwrap();
        Relationship::of(&change).unwrap().as_str()
    }

    #[test]
    fn a_limit_that_is_the_whole_demand_makes_a_subset_or_superset() {
        let cases = [
            (
                "The width shall be at least 300 mm.",
                "The width shall be at least 400 mm.",
                "atLeast",
                "subset-of",
            ),
            ("The gap shall not exceed 300 mm.", "The gap shall not exceed 400 mm.", "atMost", "superset-of"),
            (
                "The gap shall be less than 300 mm.",
                "The gap shall be less than 400 mm.",
                "lessThan",
                "superset-of",
            ),
            ("The gap shall be 300 mm.", "The gap shall be 400 mm.", "equal", "intersects-with"),
            (
                "It shall warn at gaps of more than 300 mm.",
                "It shall warn at gaps of more than 400 mm.",
                "moreThan",
                "intersects-with",
            ),
            (
                "The width shall be at least 300 mm in rain.",
                "The width shall be at least 400 mm in rain.",
                "atLeast",
                "intersects-with",
            ),
        ];
        for (older, newer, comparator, expected) in cases {
            assert_eq!(stated(&pair(older, newer, comparator, ["300", "400"])), expected, "{newer}");
        }
        let back = pair(
            "The width shall be at least 400 mm.",
            "The width shall be at least 300 mm.",
            "atLeast",
            ["400", "300"],
        );
        assert_eq!(stated(&back), "superset-of");
    }

    #[test]
    fn a_subject_that_a_word_restricts_or_inverts_leaves_an_intersection() {
        let relationship = |subject: &str| {
            let [older, newer] =
                ["300", "400"].map(|value| format!("{subject} shall be at most {value} mm."));
            stated(&pair(&older, &newer, "atMost", ["300", "400"]))
        };
        for subject in [
            "Only rings of flint",
            "Rings other than those of flint",
            "All rings except those of flint",
            "Unless they are wet, rings",
            "No ring",
            "A ring that is not wet",
            "A ring that isn’t wet",
            "If it rains, the gap",
            "The gap, where measured,",
            "In case of rain, the gap",
            "Dry and/or when cold, a ring",
            "Nur Ringe",
            "Außer bei Regen der Spalt",
            "Kein Ring",
            "Im Falle von Regen der Spalt",
            "Seuls les anneaux",
            "Sauf par temps de pluie, le jeu",
            "Lorsqu’il pleut, le jeu",
            "Un anneau qui n’est pas mouillé",
        ] {
            assert_eq!(relationship(subject), "intersects-with", "{subject}");
        }
        for subject in
            ["The gap", "The gap – of a case – or notch", "A ring of the topmost row of stainless steel"]
        {
            assert_eq!(relationship(subject), "superset-of", "{subject}");
        }
    }

    #[test]
    fn anything_else_that_changed_leaves_an_intersection() {
        let whole = pair(
            "The width shall be at least 300 mm.",
            "The width shall be at least 400 mm.",
            "atLeast",
            ["300", "400"],
        );
        let condition = json!([{"newer": {"text": "if wet", "start": 0, "end": 6}}]);
        let with = |pointer: &str, value: Value| {
            let mut changed = whole.clone();
            match pointer.rsplit_once('/') {
                Some((parent, name)) => changed.pointer_mut(parent).unwrap()[name] = value,
                None => panic!("{pointer}"),
            }
            changed
        };
        let added = json!([{"newer": whole["facets"]["quantity"][0]["newer"]}]);
        let elsewhere = json!([{"older": {"start": 0, "end": 3}, "newer": {"start": 0, "end": 3}}]);
        for change in [
            with("/facets/condition", condition),
            with("/changed", json!(["quantity", "condition"])),
            with("/newer/type", json!("recommendation")),
            with("/newer/leadIn", json!("Where it is wet:")),
            with("/facets/quantity", added),
            with("/difference/textEdits", elsewhere),
        ] {
            assert_eq!(stated(&change), "intersects-with", "{change}");
        }
    }

    #[test]
    fn the_same_words_are_equal_only_where_nothing_changed() {
        let same = |changed: Value| json!({"relation": "same", "likelihood": "certain", "changed": changed, "older": {"id": "a"}, "newer": {"id": "b"}});
        assert_eq!(stated(&same(json!([]))), "equal-to");
        assert_eq!(stated(&same(json!(["moved"]))), "equivalent-to");
        assert_eq!(stated(&same(json!(["dependsOn"]))), "intersects-with");
        assert_eq!(stated(&same(json!(["a word of a later version"]))), "intersects-with");
        let split =
            json!({"relation": "split", "likelihood": "likely", "older": {"id": "a"}, "newer": {"id": "b"}});
        assert_eq!(stated(&split), "intersects-with");
    }
}
