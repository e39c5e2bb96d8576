//! URN of a document: the one that the source states, else built from the parts.

use norma_model::urn::{UrnParts, find_publisher, segment};
use norma_model::{Lang, PartialUrn, Urn};
use norma_provisions::blocks::Cited;

use super::Identity;
use crate::diagnostic::{Diagnostics, RawDiagnostic};
use crate::document::citation;
use crate::xml::tree::XmlNode;

impl Identity {
    /// The known parts, if they make a URN.
    pub(in super::super) fn partial(&self) -> Option<PartialUrn> {
        PartialUrn::new(UrnParts { languages: Vec::new(), ..self.parts().ok()? }).ok()
    }

    /// The parts of the URN, or which required one is missing.
    fn parts(&self) -> Result<UrnParts, &'static str> {
        let Some(originator) = self.originator.clone().filter(|originator| !originator.is_empty()) else {
            return Err("no publisher (`std-ident/originator`)");
        };
        let Some(number) = &self.number else {
            return Err("no number (`std-ident/doc-number`, `std-ref`)");
        };
        let mut parts = UrnParts {
            publisher: String::new(),
            doc_type: self.doc_type.clone().or_else(|| self.series_of(&originator)),
            originator: Some(originator),
            number: segment(number),
            part: self.part.as_deref().map(segment),
            stage: self.draft.clone(),
            supplements: self.supplements.iter().map(|(kind, number)| (*kind, segment(number))).collect(),
            edition: self.edition.as_deref().map(segment),
            languages: self.languages.clone(),
        }
        .normalized();
        if parts.is_updated()
            && let Some(edition) = &mut parts.edition
            && let Some(state) = self.state_of_edition.as_deref().map(segment)
            && *edition != state
        {
            *edition = if self.edition_is_stated { format!("{edition}-{state}") } else { state };
        }
        Ok(parts)
    }

    /// The series of a publisher whose series are kinds of documents: those of OIML.
    fn series_of(&self, originator: &str) -> Option<String> {
        if find_publisher(originator)?.id != "oiml" {
            return None;
        }
        self.type_label.as_deref().map(segment)
    }

    /// The URN: the one that the source states, if that is a whole canonical one, else the one of its parts.
    pub(in super::super) fn urn(
        &self,
        block: XmlNode<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Urn, RawDiagnostic> {
        let at = block.range().start;
        let built = self.built_urn(at);
        let Some(stated) = self.stated_urn() else { return built };
        if let Ok(built) = built
            && stated != built
            && stated.originator().is_some()
        {
            let message = format!("the stated URN is {stated}, the other metadata makes {built}");
            diagnostics.add("stated-urn-differs", at, message);
        }
        Ok(stated)
    }

    /// The first stated URN, with the languages of the text: it may be of the edition that this one was
    /// translated from.
    fn stated_urn(&self) -> Option<Urn> {
        let stated: Urn = self.stated.iter().find_map(|text| text.parse().ok())?;
        Some(stated.with_edition(stated.edition(), &self.languages).unwrap_or(stated))
    }

    fn built_urn(&self, at: usize) -> Result<Urn, RawDiagnostic> {
        let refuse = |code, message| RawDiagnostic { code, at, message };
        let parts = match self.parts() {
            Ok(parts) => parts,
            Err(missing) => {
                let message = format!("the metadata names {missing}: give the URN by `--urn`");
                return Err(refuse("no-identity", message));
            }
        };
        if parts.edition.is_none() {
            let message = "the metadata names no edition (`std-ident/edition`), date or version: give the URN by `--urn`";
            return Err(refuse("no-identity", message.to_owned()));
        }
        Urn::new(parts).map_err(|e| refuse("invalid-identity", format!("the metadata makes no URN: {e}")))
    }

    /// Other names of the document: those the source states, and the one with its version (RFC 5141).
    pub(in super::super) fn identifiers(&self, urn: &Urn) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for name in self.stated.iter().cloned().chain(self.versioned_urn(urn)) {
            if name != urn.as_str() && !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }

    /// The URN with a version of one or two digits; other versions are dates or words.
    fn versioned_urn(&self, urn: &Urn) -> Option<String> {
        let version = self.version.as_deref()?;
        if version.len() > 2 || !version.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let languages: Vec<String> = urn.languages().iter().map(Lang::to_string).collect();
        let languages = languages.join(",");
        Some(format!("{}:ed-{}:v{version}:{languages}", urn.document_urn(), urn.edition()))
    }

    /// The document that a supplement changes.
    pub(in super::super) fn amended(&self) -> Option<Cited> {
        if self.supplements.is_empty() {
            return None;
        }
        // Each supplement is after a slash: `ISO 9999:2020/Amd 1`.
        let segments: Vec<&str> = self.reference.as_deref()?.split('/').collect();
        let base_segments = segments.len().saturating_sub(self.supplements.len()).max(1);
        let mut cited = citation::parse(segments[..base_segments].join("/"), None);
        let parts = UrnParts {
            supplements: Vec::new(),
            stage: None,
            edition: None,
            languages: Vec::new(),
            ..self.parts().ok()?
        };
        cited.urn = cited.urn.or_else(|| PartialUrn::new(parts).ok());
        Some(cited)
    }
}
