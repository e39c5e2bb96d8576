//! Other editions that have a relation to one, as its viewer may use them.

use crate::Result;
use crate::entry::RelatedKind;
use crate::view::{GrantedEdition, Lookup};

impl GrantedEdition {
    /// The editions with this relation to it that the viewer may see, in the order of their URNs. One that
    /// was recalled or removed meanwhile is left out.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn related_editions(&self, kind: RelatedKind) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        let mut visible = None;
        for related in self.related() {
            if related.kind != kind {
                continue;
            }
            if visible.is_none() {
                visible = Some(self.visible().await?);
            }
            let Some(visible) = &visible else { continue };
            if let Some(Lookup::Edition(granted)) = visible.granted(related.urn.as_str()).await? {
                found.push(granted);
            }
        }
        Ok(found)
    }

    /// True if an edition with this relation to it is one that the viewer may see.
    pub fn has_related(&self, kind: RelatedKind) -> bool {
        self.related().iter().any(|related| related.kind == kind)
    }
}
