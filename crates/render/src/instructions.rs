//! The stored instructions of an amendment, and what a stored edition gives for resolving those of its
//! amendments.

use std::borrow::Cow;

use foldhash::HashMap;
use norma_amendments::{
    AmendedBlock, AmendedCell, AmendedEdition, AmendedFigure, AmendedSection, AmendedTable, AmendedTerm,
    TouchedParts,
};
use norma_api::shapes::{Cell, SectionType, Table};
use norma_model::label::number_of;
use norma_model::{EditionParts, Instruction, KnownSection, Lang, TextBlock};
use serde::{Deserialize, Serialize};

use crate::PackPart;

/// The parts of a pack that [`amended_edition`] reads, in the order of its argument.
pub const PARTS_OF_AMENDED: [PackPart; 3] = [PackPart::Blocks, PackPart::Content, PackPart::Tables];

/// An instruction with the names that its answer shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredInstruction {
    /// What the amendment changes, with indices into it.
    pub instruction: Instruction,
    /// Id of its section in the amendment.
    pub section_id: Box<str>,
    /// Number of that section.
    pub section_number: Option<Box<str>>,
    /// Title of that section.
    pub section_title: Option<Box<str>>,
    /// Ids of the provisions in the new text of the instruction.
    pub provision_ids: Vec<Box<str>>,
}

/// The part [`Instructions`](PackPart::Instructions) of an edition, in postcard.
pub(crate) fn instructions_to_bytes(edition: &EditionParts) -> Vec<u8> {
    let mut stored = Vec::with_capacity(edition.instructions.len());
    for instruction in &edition.instructions {
        let section = &edition.sections[instruction.section as usize];
        let mut provision_ids = Vec::with_capacity(instruction.provisions.len());
        for &provision in &instruction.provisions {
            provision_ids.push(edition.provisions[provision as usize].id.to_string().into());
        }
        stored.push(StoredInstruction {
            instruction: instruction.clone(),
            section_id: section.id.as_str().into(),
            section_number: section.number.clone(),
            section_title: section.title.clone(),
            provision_ids,
        });
    }
    postcard::to_stdvec(&stored).expect("instructions hold text and numbers only")
}

/// Reads the part [`Instructions`](PackPart::Instructions); `None` when another version of Norma wrote it.
pub fn instructions(part: &[u8]) -> Option<Vec<StoredInstruction>> {
    postcard::from_bytes(part).ok()
}

/// The part [`Blocks`](PackPart::Blocks): where the paragraphs, items and provisions of the texts are.
#[derive(Serialize, Deserialize)]
struct PackedBlocks {
    languages: Vec<Lang>,
    blocks: Vec<TextBlock>,
    /// The bytes of each provision in the text of its section.
    provisions: Vec<(u32, u32)>,
}

/// The part [`Blocks`](PackPart::Blocks) of an edition, in postcard.
pub(crate) fn blocks_to_bytes(edition: &EditionParts) -> Vec<u8> {
    let mut provisions = Vec::with_capacity(edition.provisions.len());
    let mut offsets = ByteOffsets::default();
    for provision in &edition.provisions {
        let text = &edition.sections[provision.section].text;
        let start = offsets.byte(provision.section, text, provision.anchor.start);
        let words = &text[start..];
        let length = provision.anchor.end - provision.anchor.start;
        let end = words.char_indices().nth(length).map_or(text.len(), |(byte, _)| start + byte);
        provisions.push((start as u32, end as u32));
    }
    let (languages, blocks) = (edition.metadata.languages.clone(), edition.blocks.clone());
    let packed = PackedBlocks { languages, blocks, provisions };
    postcard::to_stdvec(&packed).expect("blocks hold numbers only")
}

/// Bytes of scalars in a text, counted on from the last one: provisions come in document order.
#[derive(Default)]
struct ByteOffsets {
    section: Option<usize>,
    scalar: usize,
    byte: usize,
}

impl ByteOffsets {
    fn byte(&mut self, section: usize, text: &str, scalar: usize) -> usize {
        if self.section != Some(section) || scalar < self.scalar {
            *self = Self { section: Some(section), scalar: 0, byte: 0 };
        }
        let rest = &text[self.byte..];
        let ahead = scalar - self.scalar;
        let byte = rest.char_indices().nth(ahead).map_or(rest.len(), |(byte, _)| byte);
        *self = Self { section: Some(section), scalar, byte: self.byte + byte };
        self.byte
    }
}

/// An edition that amendments change, with the ids of its parts.
#[derive(Clone, Debug, Default)]
pub struct AmendedParts {
    /// What resolving an instruction reads of the edition, without ids.
    pub edition: AmendedEdition,
    section_ids: Vec<String>,
    provision_ids: Vec<String>,
    table_ids: Vec<String>,
    figure_ids: Vec<String>,
    term_ids: Vec<String>,
}

impl AmendedParts {
    /// The ids of parts: sections, provisions, tables, figures and terms, in this order.
    pub fn ids(&self, touched: &TouchedParts) -> Vec<String> {
        let mut ids = Vec::new();
        ids.extend(touched.sections.iter().map(|&index| self.section_ids[index].clone()));
        ids.extend(touched.provisions.iter().map(|&index| self.provision_ids[index as usize].clone()));
        ids.extend(touched.tables.iter().map(|&index| self.table_ids[index].clone()));
        ids.extend(touched.figures.iter().map(|&index| self.figure_ids[index].clone()));
        ids.extend(touched.terms.iter().map(|&index| self.term_ids[index].clone()));
        ids
    }
}

#[derive(Deserialize)]
struct ContentOf<'a> {
    #[serde(borrow)]
    sections: Vec<SectionOf<'a>>,
}

/// The members of a section of the content that resolving needs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SectionOf<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    number: Option<String>,
    title: Option<String>,
    #[serde(rename = "type")]
    kind: SectionType,
    level: u16,
    text: String,
    graphics: Vec<GraphicOf>,
    terms: Vec<TermOf>,
    provision_ids: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GraphicOf {
    id: String,
    figure_id: Option<String>,
    label: Option<String>,
}

#[derive(Deserialize)]
struct TermOf {
    id: String,
}

#[derive(Deserialize)]
struct TablesOf<'a> {
    #[serde(borrow)]
    items: Vec<Table<'a>>,
}

/// Reads an amended edition from the identity bytes of [`PARTS_OF_AMENDED`]; `None` when another version of
/// Norma wrote them.
pub fn amended_edition(blocks: &[u8], content: &[u8], tables: &[u8]) -> Option<AmendedParts> {
    let packed: PackedBlocks = postcard::from_bytes(blocks).ok()?;
    let content: ContentOf<'_> = serde_json::from_slice(content).ok()?;
    let tables: TablesOf<'_> = serde_json::from_slice(tables).ok()?;
    let mut parts = AmendedParts::default();
    for language in &packed.languages {
        parts.edition.languages.push(language.primary().to_owned());
    }
    let mut levels = Vec::with_capacity(content.sections.len());
    let mut first_provisions = Vec::with_capacity(content.sections.len());
    let mut texts = Vec::with_capacity(content.sections.len());
    for (index, section) in content.sections.into_iter().enumerate() {
        levels.push(section.level);
        first_provisions.push(parts.provision_ids.len());
        texts.push(parts.add_section(index, section));
    }
    parts.close_sections(&levels);
    first_provisions.push(parts.provision_ids.len());
    if parts.provision_ids.len() != packed.provisions.len() {
        return None;
    }
    for block in &packed.blocks {
        let section = block.section as usize;
        let own = *first_provisions.get(section)?..*first_provisions.get(section + 1)?;
        let read = read_block(block, texts.get(section)?, &packed.provisions, own)?;
        parts.edition.sections[section].blocks.push(read);
    }
    parts.add_tables(&tables.items)?;
    Some(parts)
}

impl AmendedParts {
    /// Adds a section without its blocks; gives its text.
    fn add_section(&mut self, index: usize, section: SectionOf<'_>) -> String {
        for graphic in section.graphics {
            let id = graphic.figure_id.unwrap_or(graphic.id);
            if self.figure_ids.last() != Some(&id) {
                let number = graphic.label.as_deref().and_then(number_of);
                self.edition.figures.push(AmendedFigure { number, section: Some(index) });
                self.figure_ids.push(id);
            }
        }
        for term in section.terms {
            self.edition.terms.push(AmendedTerm { section: index });
            self.term_ids.push(term.id);
        }
        self.provision_ids.extend(section.provision_ids);
        self.section_ids.push(section.id.into_owned());
        self.edition.sections.push(AmendedSection {
            number: section.number,
            title: section.title,
            named: named(section.kind),
            end: index + 1,
            blocks: Vec::new(),
        });
        section.text
    }

    /// Ends each section with the last one within it.
    fn close_sections(&mut self, levels: &[u16]) {
        for index in 0..levels.len() {
            let within = levels[index + 1..].iter().take_while(|level| **level > levels[index]).count();
            self.edition.sections[index].end = index + 1 + within;
        }
    }

    fn add_tables(&mut self, tables: &[Table<'_>]) -> Option<()> {
        let section_of: HashMap<&str, usize> =
            self.section_ids.iter().enumerate().map(|(index, id)| (id.as_str(), index)).collect();
        let provision_of: HashMap<&str, u32> =
            self.provision_ids.iter().zip(0..).map(|(id, index)| (id.as_str(), index)).collect();
        for table in tables {
            let mut rows = Vec::with_capacity(table.rows.len());
            for row in &table.rows {
                rows.push(row.cells.iter().map(|cell| amended_cell(cell, &provision_of)).collect());
            }
            let heads = table.columns.iter().flat_map(|column| &column.heads);
            self.edition.tables.push(AmendedTable {
                number: table.number.as_ref().map(ToString::to_string),
                section: *section_of.get(&*table.section.id)?,
                heads: heads.map(ToString::to_string).collect(),
                rows,
            });
            self.table_ids.push(table.id.to_string());
        }
        Some(())
    }
}

fn amended_cell(cell: &Cell<'_>, provision_of: &HashMap<&str, u32>) -> AmendedCell {
    let mut provisions = Vec::new();
    for id in &cell.provision_ids {
        provisions.extend(provision_of.get(&**id));
    }
    AmendedCell { text: cell.text.to_string(), provisions }
}

/// A block with its text and the provisions in it, which are among `own`.
fn read_block(
    block: &TextBlock,
    text: &str,
    ranges: &[(u32, u32)],
    own: std::ops::Range<usize>,
) -> Option<AmendedBlock> {
    let (start, end) = (block.start as usize, block.end as usize);
    let words = text.get(start..end)?;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let mut provisions = Vec::new();
    for index in own {
        let (first, last) = *ranges.get(index)?;
        if first < block.end && block.start < last {
            let range = (first as usize).max(start) - start..(last as usize).min(end) - start;
            provisions.push((index as u32, range));
        }
    }
    Some(AmendedBlock {
        kind: block.kind,
        label: text[line..start].trim().to_owned(),
        text: words.to_owned(),
        table: block.table.map(|table| table as usize),
        provisions,
    })
}

fn named(kind: SectionType) -> Option<KnownSection> {
    match kind {
        SectionType::Foreword => Some(KnownSection::Foreword),
        SectionType::Introduction => Some(KnownSection::Introduction),
        SectionType::Scope => Some(KnownSection::Scope),
        SectionType::NormativeReferences => Some(KnownSection::NormativeReferences),
        SectionType::Terms => Some(KnownSection::Terms),
        SectionType::Bibliography => Some(KnownSection::Bibliography),
        _ => None,
    }
}
