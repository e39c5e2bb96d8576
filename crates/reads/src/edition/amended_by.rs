//! Changes that amendments make in an edition, and the items that each touches.

use norma_amendments::TouchedParts;
use norma_api::shapes::Amendment;

use crate::as_of::AsOf;

/// What the visible amendments of an edition change in it.
#[derive(Default)]
pub(crate) struct AmendedBy {
    pub(super) changes: Vec<(Amendment<'static>, TouchedParts)>,
}

/// An item of an edition that amendments may touch, by its index in document order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AmendedItem {
    Section(usize),
    Provision(u32),
    Table(usize),
    Term(usize),
}

impl AmendedBy {
    /// The amendments that were published by a day.
    pub(crate) fn published_by(mut self, as_of: &AsOf) -> Self {
        self.changes.retain(|(amendment, _)| as_of.includes(amendment.published_on.as_deref()));
        self
    }

    /// The changes in the whole edition, in the order of the amendments and of their instructions.
    pub(crate) fn all(&self) -> Vec<Amendment<'static>> {
        self.changes.iter().map(|(amendment, _)| amendment.clone()).collect()
    }

    /// The amendments by name alone, each once. All changes of one follow each other.
    pub(crate) fn named(&self) -> Vec<Amendment<'static>> {
        let mut named: Vec<Amendment<'static>> = Vec::new();
        for (amendment, _) in &self.changes {
            if let Some(last) = named.last()
                && last.urn == amendment.urn
            {
                continue;
            }
            let Amendment { urn, reference, published_on, .. } = amendment.clone();
            named.push(Amendment::named(urn, reference, published_on));
        }
        named
    }

    /// The changes that touch an item.
    pub(crate) fn of(&self, item: AmendedItem) -> Vec<Amendment<'static>> {
        let mut found = Vec::new();
        for (amendment, touched) in &self.changes {
            let is_touched = match item {
                AmendedItem::Section(index) => touched.sections.contains(&index),
                AmendedItem::Provision(index) => touched.provisions.contains(&index),
                AmendedItem::Table(index) => touched.tables.contains(&index),
                AmendedItem::Term(index) => touched.terms.contains(&index),
            };
            if is_touched {
                found.push(amendment.clone());
            }
        }
        found
    }
}

/// The member `amendedBy` with its comma, as it is put in front of other members; empty without amendments.
pub(crate) fn member(amended_by: &[Amendment<'_>]) -> String {
    if amended_by.is_empty() {
        return String::new();
    }
    let list = serde_json::to_string(amended_by).expect("the shape has text keys");
    format!("\"amendedBy\":{list},")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of an amendment that touches a section.
    fn change(
        urn: &'static str,
        instruction: &'static str,
        section: usize,
    ) -> (Amendment<'static>, TouchedParts) {
        let named = Amendment::named(urn.into(), "NSB 1/Amd 1".into(), None);
        let shape = Amendment { instruction_id: Some(instruction.into()), ..named };
        (shape, TouchedParts { sections: [section].into(), ..TouchedParts::default() })
    }

    fn amended() -> AmendedBy {
        AmendedBy {
            changes: vec![change("urn:1", "i1", 0), change("urn:1", "i2", 3), change("urn:2", "i1", 3)],
        }
    }

    fn ids(changes: &[Amendment<'_>]) -> Vec<String> {
        changes
            .iter()
            .map(|one| format!("{} {}", one.urn, one.instruction_id.as_deref().unwrap_or("-")))
            .collect()
    }

    #[test]
    fn an_item_has_the_changes_that_touch_it_and_no_other_item_has_them() {
        let amended = amended();
        assert_eq!(ids(&amended.of(AmendedItem::Section(3))), ["urn:1 i2", "urn:2 i1"]);
        assert_eq!(ids(&amended.of(AmendedItem::Section(1))), Vec::<String>::new());
        // An index of another kind of item is not meant.
        assert_eq!(ids(&amended.of(AmendedItem::Provision(3))), Vec::<String>::new());
        assert_eq!(ids(&amended.of(AmendedItem::Table(3))), Vec::<String>::new());
        assert_eq!(ids(&amended.of(AmendedItem::Term(3))), Vec::<String>::new());
    }

    #[test]
    fn an_amendment_is_named_once_whatever_it_changes() {
        assert_eq!(ids(&amended().named()), ["urn:1 -", "urn:2 -"]);
        assert_eq!(amended().all().len(), 3);
    }

    #[test]
    fn the_member_ends_with_a_comma_and_is_empty_without_amendments() {
        assert_eq!(member(&[]), "");
        let named = Amendment::named("urn:1".into(), "NSB 1/Amd 1".into(), Some("2026".into()));
        let expected = r#""amendedBy":[{"urn":"urn:1","reference":"NSB 1/Amd 1","publishedOn":"2026"}],"#;
        assert_eq!(member(&[named]), expected);
    }
}
