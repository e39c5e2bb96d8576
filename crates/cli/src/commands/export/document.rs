//! A standard with all that formats of requirements write of it.

use std::collections::{HashMap, HashSet};

use norma_api::Code;
use norma_api::query::ProvisionsQuery;
use norma_api::shapes::{BibliographicData, Graphic, SectionNode};
use norma_client::Client;
use norma_explorer::{html_standard, picture_without_address, provision_marks, section_input};
use norma_export::{ExportedDocument, ExportedSection, ExportedStandard, RequirementFormat};
use norma_model::Urn;
use norma_sts::html::{self, SectionInput};

use super::{check_revisions, provisions, warn_of_duties};

/// What is asked for of each standard.
pub(super) struct DocumentRequest<'a> {
    pub(super) client: &'a Client,
    pub(super) selection: Option<&'a str>,
    pub(super) filters: &'a ProvisionsQuery,
    /// True if the headings of a standard are enough where the caller may not read it.
    pub(super) headings: bool,
    pub(super) format: RequirementFormat,
}

impl DocumentRequest<'_> {
    /// The standard; where the caller may not read it and that is enough, its headings.
    pub(super) async fn document(&self, urn: &str) -> anyhow::Result<ExportedDocument<'static>> {
        let bibliographic = self.client.bibliographic_data(urn).await?;
        // A shorter URN names the newest edition: from here on, the one that was found.
        let urn = bibliographic.urn.clone().into_owned();
        let outline = self.client.sections(&urn).await?;
        let all = ProvisionsQuery { lineage: true, ..ProvisionsQuery::default() };
        let read = match self.client.provisions(&urn, &all).await {
            Ok(read) => read,
            Err(error) if self.headings && error.code() == Some(Code::ContentNotLicensed) => {
                check_revisions(&[outline.revision.into_owned()], &bibliographic)?;
                return headings(bibliographic, outline.sections);
            }
            Err(error) => return Err(error.into()),
        };
        warn_of_duties(&bibliographic);
        let content = self.client.content(&urn, None).await?;
        let terms = self.client.terms(&urn).await?;
        let tables = self.client.tables(&urn).await?;
        let graphics = self.client.graphics(&urn).await?;
        let mut revisions = vec![read.revision.into_owned(), content.revision.clone().into_owned()];
        revisions.extend([&outline.revision, &terms.revision].map(|revision| revision.to_string()));
        revisions.extend([&tables.revision, &graphics.revision].map(|revision| revision.to_string()));
        let mut chosen = None;
        if self.selection.is_some() || !self.filters.types.is_empty() {
            let (provisions, revision) = provisions(self.client, &urn, self.selection, self.filters).await?;
            revisions.push(revision);
            chosen = Some(provisions.iter().map(|one| one.id.to_string()).collect::<HashSet<_>>());
        }
        check_revisions(&revisions, &bibliographic)?;

        let mut standard = html_standard(&urn, &bibliographic.metadata.language, &outline.sections);
        for term in &terms.items {
            standard.add_term(&term.id, &term.section.id);
        }
        let mut marks = provision_marks(&read.items);
        let mut sections = Vec::with_capacity(content.sections.len());
        for section in &content.sections {
            let pictures = section.graphics.iter().map(picture_without_address).collect();
            let tables = tables.items.iter().filter(|table| table.section.id == section.head.id);
            let input = SectionInput {
                tables: tables.map(|table| &*table.id).collect(),
                ..section_input(section, &mut marks, pictures)
            };
            sections.push(ExportedSection {
                head: section.head.clone(),
                parent_id: section.parent_id.as_deref().map(str::to_owned),
                html: Some(html::section(&standard, &input).html),
            });
        }
        let mut pictures = HashMap::new();
        if self.format.has_pictures() {
            pictures = self.pictures(&urn, &graphics.items).await?;
        }
        Ok(ExportedDocument {
            document_urn: document_urn(&urn)?,
            standard: ExportedStandard {
                provisions: read.items,
                terms: terms.items,
                tables: tables.items,
                outline: outline.sections,
                bibliographic,
            },
            sections,
            graphics: graphics.items,
            pictures,
            chosen,
        })
    }

    /// The files of graphics, each read once.
    async fn pictures(
        &self,
        urn: &str,
        graphics: &[Graphic<'_>],
    ) -> anyhow::Result<HashMap<String, Vec<u8>>> {
        let mut pictures: HashMap<String, Vec<u8>> = HashMap::new();
        let mut by_digest: HashMap<&str, String> = HashMap::new();
        for graphic in graphics {
            let Some(digest) = graphic.digest.as_deref() else { continue };
            let same = by_digest.get(digest).and_then(|id| pictures.get(id)).cloned();
            let bytes = match same {
                Some(bytes) => bytes,
                None => {
                    let asset = self.client.resolve(urn, &graphic.id).await?;
                    self.client.asset(&asset).await?.to_vec()
                }
            };
            by_digest.insert(digest, graphic.id.to_string());
            pictures.insert(graphic.id.to_string(), bytes);
        }
        Ok(pictures)
    }
}

/// A standard of which the caller may read the headings alone.
fn headings(
    bibliographic: BibliographicData<'static>,
    outline: Vec<SectionNode<'static>>,
) -> anyhow::Result<ExportedDocument<'static>> {
    let mut sections = Vec::new();
    add_headings(&outline, None, &mut sections);
    Ok(ExportedDocument {
        document_urn: document_urn(&bibliographic.urn)?,
        standard: ExportedStandard {
            provisions: Vec::new(),
            terms: Vec::new(),
            tables: Vec::new(),
            outline,
            bibliographic,
        },
        sections,
        graphics: Vec::new(),
        pictures: HashMap::new(),
        chosen: None,
    })
}

fn add_headings(
    outline: &[SectionNode<'static>],
    parent: Option<&str>,
    sections: &mut Vec<ExportedSection<'static>>,
) {
    for section in outline {
        let head = section.head.clone();
        sections.push(ExportedSection { head, parent_id: parent.map(str::to_owned), html: None });
        add_headings(&section.children, Some(&section.head.id), sections);
    }
}

fn document_urn(urn: &str) -> anyhow::Result<String> {
    Ok(urn.parse::<Urn>()?.document_urn().to_owned())
}
