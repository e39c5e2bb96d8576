//! URN of a document: the one that the source states, else built from the parts.

use norma_model::urn::{UrnParts, find_publisher, segment};
use norma_model::{Lang, PartialUrn, Urn};

use super::Identity;
use norma_provisions::blocks::Cited;

use crate::diagnostic::{Diagnostics, RawDiagnostic};
use crate::document::citation;
use crate::xml::tree::XmlNode;

impl Identity {
    /// The known parts, if they make a URN.
    pub(in super::super) fn partial(&self) -> Option<PartialUrn> {
        PartialUrn::new(UrnParts { languages: Vec::new(), ..self.parts().ok()? }).ok()
    }

    fn parts(&self) -> Result<UrnParts, &'static str> {
        let originator = self.originator.clone().filter(|o| !o.is_empty());
        let originator = originator.ok_or("no publisher (`std-ident/originator`)")?;
        // The series of OIML are kinds of documents.
        let series =
            || find_publisher(&originator).filter(|known| known.id == "oiml").and(self.type_label.as_deref());
        let mut parts = UrnParts {
            publisher: String::new(),
            doc_type: self.doc_type.clone().or_else(|| series().map(segment)),
            originator: Some(originator.clone()),
            number: segment(self.number.as_deref().ok_or("no number (`std-ident/doc-number`, `std-ref`)")?),
            part: self.part.as_deref().map(segment),
            stage: self.draft.clone(),
            supplements: self.supplements.iter().map(|(kind, number)| (*kind, segment(number))).collect(),
            edition: self.edition.as_deref().map(segment),
            languages: self.languages.clone(),
        }
        .normalized();
        if parts.is_updated()
            && let Some((edition, state)) =
                parts.edition.as_mut().zip(self.state_of_edition.as_deref().map(segment))
            && *edition != state
        {
            *edition = if self.edition_is_stated { format!("{edition}-{state}") } else { state };
        }
        Ok(parts)
    }

    /// The URN: the one that the source states, if that is a whole canonical one, else the one of its parts.
    pub(in super::super) fn urn(
        &self,
        block: XmlNode<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Urn, RawDiagnostic> {
        let at = block.range().start;
        let refuse = |code, message| RawDiagnostic { code, at, message };
        let stated = self.stated.iter().find_map(|text| text.parse::<Urn>().ok());
        let built = match self.parts() {
            Ok(parts) if parts.edition.is_none() => Err(refuse(
                "no-identity",
                "the metadata names no edition (`std-ident/edition`), date or version: give the URN by `--urn`".to_owned(),
            )),
            Ok(parts) => Urn::new(parts)
                .map_err(|e| refuse("invalid-identity", format!("the metadata makes no URN: {e}"))),
            Err(missing) => Err(refuse("no-identity", format!("the metadata names {missing}: give the URN by `--urn`"))),
        };
        // A stated URN may be of the edition that this one was translated from.
        let in_text_languages =
            |stated: Urn| stated.with_edition(stated.edition(), &self.languages).unwrap_or(stated);
        match (stated.map(in_text_languages), built) {
            (Some(stated), Ok(built)) => {
                if stated != built && stated.originator().is_some() {
                    let message = format!("the stated URN is {stated}, the other metadata makes {built}");
                    diagnostics.add("stated-urn-differs", at, message);
                }
                Ok(stated)
            }
            (Some(stated), Err(_)) => Ok(stated),
            (None, built) => built,
        }
    }

    /// Other names of the document: those the source states, and the one with its version (RFC 5141).
    pub(in super::super) fn identifiers(&self, urn: &Urn) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let version =
            self.version.as_deref().filter(|v| v.len() < 3 && v.bytes().all(|b| b.is_ascii_digit()));
        let versioned = version.map(|v| {
            let languages: Vec<String> = urn.languages().iter().map(Lang::to_string).collect();
            format!("{}:ed-{}:v{v}:{}", urn.document_urn(), urn.edition(), languages.join(","))
        });
        for name in self.stated.iter().cloned().chain(versioned) {
            if name != urn.as_str() && !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }

    /// The document that a supplement changes.
    pub(in super::super) fn amended(&self) -> Option<Cited> {
        if self.supplements.is_empty() {
            return None;
        }
        let base = self.reference.as_deref()?.split('/').collect::<Vec<_>>();
        let base = base[..base.len().saturating_sub(self.supplements.len()).max(1)].join("/");
        let parts = UrnParts { supplements: Vec::new(), stage: None, ..self.parts().ok()? };
        let urn = PartialUrn::new(UrnParts { edition: None, languages: Vec::new(), ..parts }).ok();
        let cited = citation::parse(base, None);
        Some(Cited { urn: cited.urn.clone().or(urn), ..cited })
    }
}
