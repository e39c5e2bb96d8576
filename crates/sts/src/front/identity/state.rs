//! Stage and status of a document.

use norma_model::Status;
use norma_model::urn::UrnParts;

use super::super::fields::value;
use super::Identity;
use super::designation::custom;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

impl Identity {
    /// Reads the stage: a code of ISO with a sub-stage, else a word; and what the root element says.
    pub(super) fn read_stage(&mut self, block: XmlNode<'_>, parts: &UrnParts) {
        let code = stage_code(block, "stage");
        if let Some(stage) = &code {
            let substage = stage_code(block, "substage").unwrap_or_else(|| "00".to_owned());
            // Stage 60 is publication, 95.99 withdrawal (ISO Guide 69).
            if stage.as_str() < "60" {
                self.draft = Some(format!("stage-{stage}.{substage}"));
            }
            self.withdrawn = stage == "95" && substage == "99";
            self.stage = Some(format!("{stage}.{substage}"));
        } else {
            self.stage = value(block, Name::ReleaseVersion).or_else(|| custom(block, "stage").next());
            if self.stage.as_deref().is_some_and(is_draft) {
                self.draft = Some("draft".to_owned());
            }
        }
        let status = status_of_root(block);
        self.withdrawn |= status.contains("withdrawn");
        let is_draft = parts.stage.is_some() || status.ends_with("draft");
        // A code says more than these.
        if code.is_none() && self.draft.is_none() && is_draft {
            self.draft = Some("draft".to_owned());
        }
    }

    /// Status of the edition by its stage; a withdrawn draft is withdrawn.
    pub(in super::super) fn status(&self) -> Status {
        if self.withdrawn {
            Status::Withdrawn
        } else if self.draft.is_some() {
            Status::Draft
        } else {
            Status::Published
        }
    }
}

/// The first value of two digits of own metadata of that name.
fn stage_code(block: XmlNode<'_>, name: &'static str) -> Option<String> {
    custom(block, name).find(|code| code.len() == 2 && code.bytes().all(|b| b.is_ascii_digit()))
}

/// The status on the root element, where IEEE states it, in lower case; else empty.
fn status_of_root(block: XmlNode<'_>) -> String {
    let root = block.ancestors().find(|n| n.name() == Name::StandardsDocument);
    root.and_then(|root| root.attr("std-status")).unwrap_or_default().to_ascii_lowercase()
}

/// Stages of drafts, by the abbreviations of ISO, IEC and CEN.
fn is_draft(stage: &str) -> bool {
    let stage = stage.trim().to_ascii_lowercase();
    let words = [
        "wd", "cd", "cdv", "dis", "fdis", "draft", "pwi", "np", "awi", "dts", "dtr", "dpas", "fdts", "fdtr",
        "fdpas", "fdguide", "prf", "pren", "fpren",
    ];
    words.contains(&stage.as_str()) || stage.contains("draft")
}
