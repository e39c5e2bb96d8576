//! Stage and status of a document.

use norma_model::Status;
use norma_model::urn::UrnParts;

use super::super::fields::value;
use super::Identity;
use super::designation::custom;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

impl Identity {
    pub(super) fn read_stage(&mut self, block: XmlNode<'_>, parts: &UrnParts) {
        let custom = |wanted: &'static str| -> Vec<String> { custom(block, wanted).collect() };
        let code = |wanted| {
            custom(wanted).into_iter().find(|w| w.len() == 2 && w.bytes().all(|b| b.is_ascii_digit()))
        };
        let stage = code("stage").map(|stage| (stage, code("substage").unwrap_or_else(|| "00".to_owned())));
        let release = value(block, Name::ReleaseVersion);
        let words = || custom("stage").into_iter().next();
        match &stage {
            Some((stage, substage)) => {
                self.stage = Some(format!("{stage}.{substage}"));
                if stage.as_str() < "60" {
                    self.draft = Some(format!("stage-{stage}.{substage}"));
                }
                self.withdrawn = stage == "95" && substage == "99";
            }
            None => {
                self.stage = release.clone().or_else(words);
                if self.stage.as_deref().is_some_and(is_draft) {
                    self.draft = Some("draft".to_owned());
                }
            }
        }
        // IEEE says it on the root element.
        let root = block.ancestors().find(|n| n.name() == Name::StandardsDocument);
        let said = root.and_then(|n| n.attr("std-status")).unwrap_or_default().to_ascii_lowercase();
        self.withdrawn |= said.contains("withdrawn");
        if stage.is_none() && self.draft.is_none() && (parts.stage.is_some() || said.ends_with("draft")) {
            self.draft = Some("draft".to_owned());
        }
    }

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

fn is_draft(stage: &str) -> bool {
    let stage = stage.trim().to_ascii_lowercase();
    let words = [
        "wd", "cd", "cdv", "dis", "fdis", "draft", "pwi", "np", "awi", "dts", "dtr", "dpas", "fdts", "fdtr",
        "fdpas", "fdguide", "prf", "pren", "fpren",
    ];
    words.contains(&stage.as_str()) || stage.contains("draft")
}
