//! Groups of operations in the OpenAPI document that several files have rows of.

pub(super) const STANDARDS: &str = "Standards";
pub(super) const CHANGES: &str = "Changes between editions";
