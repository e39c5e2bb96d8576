//! Drafts: provisions as ranges of blocks, before labels, ids and references are derived.

use std::ops::Range;

use norma_model::{Alternative, Container, Origin, ProvisionKind};

use super::classify::Hit;

/// A provision that was found.
#[derive(Clone, Debug)]
pub(super) struct ProvisionDraft {
    /// The block in which it begins.
    pub(super) block: usize,
    pub(super) section: usize,
    pub(super) names: DocumentNames,
    /// Bytes of the section's text, without white space around them.
    pub(super) range: Range<usize>,
    /// Block and range of each sentence that it completes, the outermost first.
    pub(super) lead: Vec<(usize, Range<usize>)>,
    pub(super) r#type: Type,
    pub(super) container: Container,
    pub(super) origin: Origin,
    pub(super) element: Option<Box<str>>,
    /// Bytes of the section's markup.
    pub(super) xml: Option<Range<u32>>,
    /// All blocks that it covers.
    pub(super) blocks: Vec<usize>,
    /// Blocks that name what the requirement depends on.
    pub(super) dependencies: Vec<usize>,
    /// The terms that it uses, where they are known already.
    pub(super) terms: Option<Vec<usize>>,
    /// True if an earlier provision was found in the same sentence.
    pub(super) further: bool,
}

/// The document's own names for a provision.
#[derive(Clone, Debug, Default)]
pub(super) struct DocumentNames {
    /// Identifier of the requirement: `Requirement 6-1`, `REQ-012`, `/req/core/x`.
    pub(super) identifier: Option<Box<str>>,
    /// Label of the item, numbered paragraph or part of a requirement.
    pub(super) item_label: Option<Box<str>>,
}

/// The type of a provision, with its reason.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) kind: ProvisionKind,
    pub(super) rule: &'static str,
    pub(super) verbal_form: String,
    /// Position of the verbal form, in bytes of the section's text.
    pub(super) form_range: Option<Range<usize>>,
    pub(super) negated: bool,
    pub(super) confidence: f32,
    pub(super) alternatives: &'static [Alternative],
}

impl From<&Hit> for Type {
    fn from(hit: &Hit) -> Self {
        Self {
            kind: hit.kind,
            rule: hit.reading,
            verbal_form: hit.verbal_form.clone(),
            form_range: Some(hit.form_range.clone()),
            negated: hit.negated,
            confidence: hit.confidence,
            alternatives: hit.alternatives,
        }
    }
}
