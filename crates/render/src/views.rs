//! The views of one edition, rendered in the order of their parts: each is written, compressed and dropped
//! before the next.

use std::ops::Range;
use std::sync::Arc;

use foldhash::HashMap;
use norma_api::shapes::{
    Graphic, Ics, Metadata, Provision, Relation, SectionCounts, SectionRef, SectionType, Table,
    TableProvisions, Term, ViewHead,
};
use norma_model::{Asset, Edition, EditionParts, ReferenceTarget};
use serde::Serialize;

use crate::graph::{ProvisionNodes, graph};
use crate::gzip::{Compression, Encoded, Encoder};
use crate::index::{Offsets, SectionOffsets, length};
use crate::instructions::{blocks_to_bytes, instructions_to_bytes};
use crate::json::{open_list, open_member, write, write_items};
use crate::text_pieces::text_pieces;
use crate::units::units_to_bytes;
use crate::{Pack, PackIndex};

/// Renders an edition into its pack. The bytes depend on the arguments only.
///
/// `assets` is parallel to the graphics of the edition: the file of each, where there is one. `revision`
/// names the state of source and derivation in every view. `source` and `diagnostics` are stored as they are,
/// compressed.
///
/// # Panics
/// When `assets` is not as long as the list of graphics.
///
/// ```
/// use norma_render::{Compression, PackDirectory, PackPart, render};
///
/// let source = br#"<standard><front><std-meta>
///   <std-ident><originator>ISO</originator><doc-number>9999</doc-number><edition>2</edition></std-ident>
///   <content-language>en</content-language><std-ref type="dated">ISO 9999:2024</std-ref>
/// </std-meta></front><body><sec><title>Lid</title><p>The lid shall be closed.</p></sec></body></standard>"#;
/// let edition = norma_sts::extract(source, &norma_sts::ExtractionOptions::default())?.edition;
/// let pack = render(&edition, &[], "0123456789abcdef", source, b"", Compression::with_level(6));
/// let directory = PackDirectory::parse(&pack.directory).expect("this version wrote it");
/// assert_eq!(directory.part(PackPart::Source).size, source.len() as u64);
/// assert_eq!(directory.pack_size(), pack.bytes.len() as u64);
/// # Ok::<(), norma_sts::ExtractionError>(())
/// ```
pub fn render(
    edition: &Edition,
    assets: &[Option<Asset>],
    revision: &str,
    source: &[u8],
    diagnostics: &[u8],
    compression: Compression,
) -> Pack {
    assert_eq!(assets.len(), edition.graphics.len(), "one asset, or none, for each graphic");
    let views = Views { edition, assets, revision };
    let mut encoder = Encoder::new(compression);
    let mut offsets = Offsets { head: views.head().len() as u32 - 1, ..Offsets::default() };
    let source = encoder.encode(source);
    let units = encoder.encode(&units_to_bytes(edition, assets));
    let blocks = encoder.encode(&blocks_to_bytes(edition));
    let (graph, rest_in_turtle) = graph(&views, &mut encoder);
    let content = views.write_content(&mut encoder, &mut offsets);
    let mut nodes = ProvisionNodes::new(edition, rest_in_turtle);
    let provisions = views.write_provisions(&mut encoder, &mut offsets, &mut nodes);
    offsets.provision_nodes = nodes.to_bytes();
    offsets.put_text_pieces(&text_pieces(edition));
    let mut table_offsets = Offsets { head: offsets.head, ..Offsets::default() };
    let tables = views.write_tables(&mut encoder, &mut table_offsets);
    let diagnostics = encoder.encode(diagnostics);
    let graphics = views.write_list(views.graphics(), &mut encoder);
    let terms = views.write_list(views.terms(), &mut encoder);
    let head = views.write_head(&mut encoder);
    let instructions = encoder.encode(&instructions_to_bytes(edition));
    let index = encoder.encode(&PackIndex::new(edition, assets).to_bytes());
    let sections = views.write_sections(&mut encoder, &mut offsets);
    let table_offsets = Encoded::plain(table_offsets.to_bytes());
    let stored_offsets = Encoded::plain(offsets.to_bytes());
    let offsets = Arc::new(offsets.with_offsets().expect("limits keep a view below 4 GiB"));
    let parts = [
        source,
        units,
        blocks,
        graph,
        content,
        provisions,
        tables,
        diagnostics,
        graphics,
        terms,
        head,
        instructions,
        index,
        table_offsets,
        sections,
        stored_offsets,
    ];
    Pack::new(parts, &offsets)
}

/// An edition with the values that its views share.
pub(crate) struct Views<'a> {
    pub edition: &'a EditionParts,
    pub assets: &'a [Option<Asset>],
    pub revision: &'a str,
}

/// The first members of a standard, complete or without section bodies.
#[derive(Serialize)]
struct StandardHead<'a> {
    urn: &'a str,
    revision: &'a str,
    metadata: Metadata<'a>,
    ics: Vec<Ics<'a>>,
    relations: Vec<Relation<'a>>,
}

/// The first members of a section in the hierarchy, the content and the complete standard, in the order in
/// which they are written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WrittenHead<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(rename = "type")]
    kind: SectionType,
    normative: bool,
    level: u16,
    order: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_id: Option<&'a str>,
}

/// The parts of a section itself: indices into the edition's lists.
#[derive(Clone, Default)]
struct Belongings {
    graphics: Vec<usize>,
    terms: Vec<usize>,
    provisions: Range<usize>,
}

/// Numbers of parts of a section.
struct CountsWithin {
    /// Those of the section itself.
    own: SectionCounts,
    /// Those of the section and its subsections.
    total: SectionCounts,
}

// Shapes are made where they are written, one at a time: those of a whole document take more room than its
// text.
impl<'a> Views<'a> {
    /// The shapes of the graphics.
    pub(crate) fn graphics(&self) -> impl Iterator<Item = Graphic<'a>> {
        (0..self.edition.graphics.len()).map(|index| self.graphic(index))
    }

    /// The shapes of the terms.
    pub(crate) fn terms(&self) -> impl Iterator<Item = Term<'a>> {
        self.edition.terms.iter().map(|term| Term::new(term, &self.edition.sections))
    }

    fn graphic(&self, index: usize) -> Graphic<'a> {
        let EditionParts { graphics, sections, .. } = self.edition;
        Graphic::new(&graphics[index], self.assets[index].as_ref(), sections)
    }

    /// The begin of every view: an object of two members.
    fn head(&self) -> Vec<u8> {
        let head = ViewHead { urn: self.edition.urn.as_str().into(), revision: self.revision.into() };
        crate::json::bytes(&head)
    }

    /// Begins a view that has one list after its head.
    fn begin(&self, list: &str, encoder: &mut Encoder) {
        let bytes = &mut encoder.pending;
        bytes.append(&mut self.head());
        bytes.pop();
        open_list(list, bytes);
    }

    fn write_list<T: Serialize>(&self, items: impl Iterator<Item = T>, encoder: &mut Encoder) -> Encoded {
        self.begin("items", encoder);
        for (index, item) in items.enumerate() {
            if index > 0 {
                encoder.pending.push(b',');
            }
            write(item, &mut encoder.pending);
            encoder.flush_full_batch();
        }
        encoder.pending.extend_from_slice(b"]}");
        encoder.finish()
    }

    fn write_head(&self, encoder: &mut Encoder) -> Encoded {
        let EditionParts { urn, metadata, ics, relations, sections, .. } = self.edition;
        let head = StandardHead {
            urn: urn.as_str(),
            revision: self.revision,
            metadata: metadata.into(),
            ics: ics.iter().map(Into::into).collect(),
            relations: relations.iter().map(|r| Relation::new(r, sections)).collect(),
        };
        write(head, &mut encoder.pending);
        encoder.finish()
    }

    fn write_provisions(
        &self,
        encoder: &mut Encoder,
        offsets: &mut Offsets,
        nodes: &mut ProvisionNodes,
    ) -> Encoded {
        let mut scratch = Vec::new();
        let provisions = self.edition.provisions.iter().enumerate();
        let provisions = provisions.map(|(index, provision)| {
            let provision = Provision::new(provision, self.edition);
            nodes.count(&provision, length(0, index + 1), &mut scratch);
            provision
        });
        self.write_fragments(provisions, encoder, offsets)
    }

    fn write_tables(&self, encoder: &mut Encoder, offsets: &mut Offsets) -> Encoded {
        let tables = self.edition.tables.iter().zip(self.table_provisions());
        let tables = tables.map(|(table, provisions)| Table::new(table, &provisions, self.edition));
        self.write_fragments(tables, encoder, offsets)
    }

    /// Writes a list of items that can be read separately, and records their offsets.
    fn write_fragments<T: Serialize>(
        &self,
        items: impl Iterator<Item = T>,
        encoder: &mut Encoder,
        offsets: &mut Offsets,
    ) -> Encoded {
        self.begin("items", encoder);
        for (index, item) in items.enumerate() {
            if index > 0 {
                encoder.pending.push(b',');
            }
            encoder.slice_boundary();
            let start = encoder.size();
            write(item, &mut encoder.pending);
            offsets.items.push(length(start, encoder.size()));
        }
        encoder.pending.extend_from_slice(b"]}");
        let mut list = encoder.finish();
        offsets.item_restarts = std::mem::take(&mut list.restarts);
        list
    }

    fn write_content(&self, encoder: &mut Encoder, offsets: &mut Offsets) -> Encoded {
        self.begin("sections", encoder);
        for (index, belongings) in self.belongings().into_iter().enumerate() {
            if index > 0 {
                encoder.pending.push(b',');
            }
            encoder.slice_boundary();
            offsets.sections.push(self.write_section(index, belongings, encoder));
        }
        encoder.pending.extend_from_slice(b"]}");
        let mut content = encoder.finish();
        offsets.content_restarts = std::mem::take(&mut content.restarts);
        content
    }

    fn write_section(
        &self,
        index: usize,
        Belongings { graphics, terms, provisions }: Belongings,
        encoder: &mut Encoder,
    ) -> SectionOffsets {
        let EditionParts { sections, terms: all_terms, .. } = self.edition;
        let section = &sections[index];
        let bytes = &mut encoder.pending;
        let start = bytes.len();
        let parent_id = section.parent.map(|parent| sections[parent].id.as_str());
        write(WrittenHead { parent_id, ..self.section_head(index) }, bytes);
        bytes.pop();
        let head_end = bytes.len();
        open_member("xml", bytes);
        write(&section.xml, bytes);
        open_member("text", bytes);
        let before_text = bytes.len() + 1;
        let text_end = write_text(&section.text, bytes);
        open_list("graphics", bytes);
        write_items(graphics.iter().map(|&graphic| self.graphic(graphic)), bytes);
        bytes.push(b']');
        open_list("terms", bytes);
        write_items(terms.iter().map(|&term| Term::new(&all_terms[term], sections)), bytes);
        bytes.push(b']');
        open_list("provisionIds", bytes);
        write_items(self.edition.provisions[provisions.clone()].iter().map(|p| p.id.to_string()), bytes);
        bytes.extend_from_slice(b"]}");
        SectionOffsets {
            level: section.level,
            head: length(start, head_end),
            before_text: length(head_end, before_text),
            text: length(before_text, text_end),
            after_text: length(text_end, bytes.len()),
            plain: length(0, section.text.trim_end().len()),
            provisions: length(provisions.start, provisions.end),
            ..SectionOffsets::default()
        }
    }

    /// Writes the hierarchy: the sections are in pre-order, and their levels show the nesting.
    fn write_sections(&self, encoder: &mut Encoder, offsets: &mut Offsets) -> Encoded {
        self.begin("sections", encoder);
        let counts = self.counts();
        let mut open: Vec<usize> = Vec::new();
        let mut end = 0;
        for (index, section) in self.edition.sections.iter().enumerate() {
            let mut comma = false;
            while open.pop_if(|last| self.edition.sections[*last].level >= section.level).is_some() {
                encoder.pending.extend_from_slice(b"]}");
                comma = true;
            }
            if comma {
                encoder.pending.push(b',');
            }
            encoder.flush_full_batch();
            if self.edition.sections.get(index + 1).is_some_and(|next| next.level > section.level) {
                let heading = String::from_utf8(crate::json::bytes(&SectionRef::from(section)));
                offsets.headings.push((length(0, index), heading.expect("JSON is UTF-8")));
            }
            let start = encoder.size();
            let source_id = section.source_id.as_deref();
            write(WrittenHead { source_id, ..self.section_head(index) }, &mut encoder.pending);
            encoder.pending.pop();
            offsets.sections[index].gap = length(end, start);
            end = encoder.size();
            offsets.sections[index].node = length(start, end);
            open_member("counts", &mut encoder.pending);
            write(counts[index].own, &mut encoder.pending);
            open_member("totalCounts", &mut encoder.pending);
            write(counts[index].total, &mut encoder.pending);
            open_list("children", &mut encoder.pending);
            open.push(index);
        }
        for _ in open {
            encoder.pending.extend_from_slice(b"]}");
        }
        encoder.pending.extend_from_slice(b"]}");
        encoder.finish()
    }

    /// The first members of a section, without those that some views do not have.
    fn section_head(&self, index: usize) -> WrittenHead<'a> {
        // Exhaustive on purpose: a new field must find its place here or be left out knowingly.
        let norma_model::Section {
            id,
            source_id: _,
            label,
            number,
            title,
            kind,
            language: _,
            normative,
            level,
            parent: _,
            layer: _,
            xml: _,
            text: _,
        } = &self.edition.sections[index];
        WrittenHead {
            id: id.as_str(),
            source_id: None,
            label: label.as_deref(),
            number: number.as_deref(),
            title: title.as_deref(),
            kind: (*kind).into(),
            normative: *normative,
            level: *level,
            order: length(0, index + 1),
            parent_id: None,
        }
    }

    /// The provisions in each table, and those that refer to it.
    pub(crate) fn table_provisions(&self) -> Vec<TableProvisions> {
        let EditionParts { provisions, tables, .. } = self.edition;
        let index_of: HashMap<&str, usize> =
            tables.iter().enumerate().map(|(index, table)| (table.id.as_str(), index)).collect();
        let mut found = vec![TableProvisions::default(); tables.len()];
        for (index, provision) in provisions.iter().enumerate() {
            if let Some(table) = provision.table {
                found[table].holds.push(index);
            }
            for reference in &provision.references {
                let Some(ReferenceTarget::Part(id)) = &reference.target else { continue };
                let Some(&table) = index_of.get(id.as_str()) else { continue };
                let cited_by = &mut found[table].cited_by;
                // A provision that refers to a table twice counts once.
                if cited_by.last() != Some(&index) {
                    cited_by.push(index);
                }
            }
        }
        found
    }

    /// Counts of the parts of each section, without and with its subsections.
    fn counts(&self) -> Vec<CountsWithin> {
        let mut counts = Vec::with_capacity(self.edition.sections.len());
        for Belongings { graphics, terms, provisions } in self.belongings() {
            let own = SectionCounts {
                provisions: length(0, provisions.len()),
                terms: length(0, terms.len()),
                graphics: length(0, graphics.len()),
            };
            counts.push(CountsWithin { own, total: own });
        }
        // A subsection comes after the section around it, so its own total is complete.
        for index in (0..counts.len()).rev() {
            if let Some(parent) = self.edition.sections[index].parent {
                let SectionCounts { provisions, terms, graphics } = counts[index].total;
                let total = &mut counts[parent].total;
                total.provisions += provisions;
                total.terms += terms;
                total.graphics += graphics;
            }
        }
        counts
    }

    fn belongings(&self) -> Vec<Belongings> {
        let EditionParts { sections, provisions, terms, graphics, .. } = self.edition;
        let mut belongings = vec![Belongings::default(); sections.len()];
        for (index, graphic) in graphics.iter().enumerate() {
            if let Some(section) = graphic.section {
                belongings[section].graphics.push(index);
            }
        }
        for (index, term) in terms.iter().enumerate() {
            belongings[term.section].terms.push(index);
        }
        // An edition has its provisions in the order of its sections.
        let mut start = 0;
        for own in provisions.chunk_by(|a, b| a.section == b.section) {
            let end = start + own.len();
            belongings[own[0].section].provisions = start..end;
            start = end;
        }
        belongings
    }
}

/// Writes a text as a JSON string. Returns the end of its last letter in `bytes`: white space and the
/// quotation mark follow.
fn write_text(text: &str, bytes: &mut Vec<u8>) -> usize {
    write(text, bytes);
    let end = bytes.len();
    // White space may be escaped, so it is written once more to find its length.
    write(&text[text.trim_end().len()..], bytes);
    let white_space = bytes.len() - end - 1;
    bytes.truncate(end);
    end - white_space
}
