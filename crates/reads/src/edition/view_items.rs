//! Items of a view that an answer is made of.

use norma_api::media::View;
use norma_model::LineageId;

use super::amended_by::{AmendedBy, AmendedItem, member};

/// Items of a view, and what each begins with.
#[derive(Default)]
pub(crate) struct ViewItems {
    /// The indexes of the items in document order, ascending.
    pub indexes: Vec<u32>,
    /// The lineages of all provisions of the edition, where provisions begin with theirs.
    pub lineages: Option<Vec<LineageId>>,
    /// The changes by amendments: a provision or section that one touches begins with it.
    pub amended: AmendedBy,
}

impl ViewItems {
    /// The members that an item of a view begins with, before those that are stored, each with its comma.
    pub(super) fn first_members(&self, view: View, index: u32) -> Option<String> {
        let item = match view {
            View::Provisions => AmendedItem::Provision(index),
            _ => AmendedItem::Section(index as usize),
        };
        let mut members = member(&self.amended.of(item));
        if let Some(lineages) = &self.lineages
            && let Some(id) = lineages.get(index as usize)
        {
            members += &format!("\"lineage\":{{\"id\":\"{id}\"}},");
        }
        if members.is_empty() { None } else { Some(members) }
    }
}

#[cfg(test)]
mod tests {
    use norma_amendments::TouchedParts;
    use norma_api::shapes::Amendment;

    use super::*;

    #[test]
    fn an_item_begins_with_its_amendments_and_then_with_its_lineage() {
        let lineages = vec![LineageId::from_bytes([0; 16]), LineageId::from_bytes([1; 16])];
        let touched =
            TouchedParts { provisions: [1].into(), sections: [0].into(), ..TouchedParts::default() };
        let named = Amendment::named("urn:1".into(), "A".into(), None);
        let amended = AmendedBy { changes: vec![(named, touched)] };
        let amended_by = r#""amendedBy":[{"urn":"urn:1","reference":"A"}],"#;
        let lineage = |byte: u8| format!(r#""lineage":{{"id":"{}"}},"#, LineageId::from_bytes([byte; 16]));

        let items = ViewItems { indexes: vec![0, 1], lineages: Some(lineages), amended };
        assert_eq!(items.first_members(View::Provisions, 0), Some(lineage(0)));
        assert_eq!(items.first_members(View::Provisions, 1), Some(format!("{amended_by}{}", lineage(1))));
        let items = ViewItems { lineages: None, ..items };
        assert_eq!(items.first_members(View::Content, 0), Some(amended_by.to_owned()));
        assert_eq!(items.first_members(View::Content, 1), None);
    }
}
