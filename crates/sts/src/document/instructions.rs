//! Instructions of an amendment or corrigendum: the blocks that give them, the text that they bring, and the
//! provisions in that text.

use std::ops::Range;

use foldhash::{HashMap, HashSet};
use norma_amendments::{AmendmentHeading, StatedChange, has_labels_of_its_own, is_instruction, read};
use norma_model::whitespace::collapse;
use norma_model::{
    Instruction, InstructionOperation, Lang, Metadata, Provision, Relation, RelationKind, Section,
    StandardType,
};
use norma_provisions::blocks::{Block, BlockKind};

use crate::xml::position::offset32;

/// A document changes another one if it is a supplement, or says that it amends.
pub(crate) fn is_amendment(metadata: &Metadata, relations: &[Relation]) -> bool {
    if matches!(metadata.standard_type, StandardType::Amendment | StandardType::Corrigendum) {
        return true;
    }
    metadata.supplement.is_some() || relations.iter().any(|relation| relation.kind == RelationKind::Amends)
}

/// Instructions with the text that each brings.
#[derive(Default)]
pub(crate) struct FoundInstructions {
    drafts: Vec<InstructionDraft>,
}

/// An instruction before its provisions are known.
struct InstructionDraft {
    section: usize,
    text: String,
    language: Lang,
    changes: Vec<StatedChange>,
    /// The paragraphs of the new text, each once.
    new_text: Vec<String>,
    /// Where new text is, repeats included: sections, each with bytes of its text.
    brings: Vec<(usize, Range<usize>)>,
    /// Id of the element of its last block.
    element: Option<String>,
}

/// The sections and languages of an amendment.
pub(crate) struct AmendmentText<'a> {
    pub(crate) sections: &'a [Section],
    pub(crate) languages: &'a [Lang],
    /// Index of the language of each section.
    pub(crate) language_of: &'a [usize],
}

impl AmendmentText<'_> {
    fn language(&self, block: &Block<'_>) -> &Lang {
        let index = block.language.map_or(self.language_of[block.section], usize::from);
        &self.languages[index]
    }

    fn text(&self, block: &Block<'_>) -> &str {
        &self.sections[block.section].text[block.range.clone()]
    }

    /// A block instructs if the source marks it so, or if it is a paragraph or title with such words.
    fn instructs(&self, block: &Block<'_>) -> bool {
        match block.kind {
            BlockKind::Instruction => true,
            BlockKind::Paragraph | BlockKind::Title => {
                is_instruction(self.text(block), self.language(block).primary())
            }
            _ => false,
        }
    }

    /// The headings around a section, the outermost first, with its own unless that is the instruction.
    fn headings(&self, section: usize, with_own: bool) -> Vec<AmendmentHeading<'_>> {
        let mut headings = Vec::new();
        let mut next = if with_own { Some(section) } else { self.sections[section].parent };
        while let Some(index) = next {
            headings.push(self.heading(index));
            next = self.sections[index].parent;
        }
        headings.reverse();
        headings
    }

    fn heading(&self, section: usize) -> AmendmentHeading<'_> {
        let section = &self.sections[section];
        AmendmentHeading { label: section.label.as_deref(), title: section.title.as_deref() }
    }

    /// The labels of the sections with instructions may number the amendment's own sections, not those of the
    /// changed document.
    fn has_labels_of_its_own(&self, blocks: &[Block<'_>]) -> bool {
        let mut sections = Vec::new();
        for block in blocks {
            if sections.last() != Some(&block.section) && self.instructs(block) {
                sections.push(block.section);
            }
        }
        let language = self.languages[0].primary();
        has_labels_of_its_own(sections.into_iter().map(|section| self.heading(section)), language)
    }

    /// Finds the instructions. Paragraphs that give one get the kind of the blocks that the source marks.
    pub(crate) fn instructions(&self, blocks: &mut [Block<'_>]) -> FoundInstructions {
        let ignores_labels = self.has_labels_of_its_own(blocks);
        let mut found = FoundInstructions::default();
        // The instruction that the text of a section belongs to.
        let mut open: HashMap<usize, usize> = HashMap::default();
        for block in blocks {
            let own = open.get(&block.section).copied();
            let inherited = match own {
                Some(_) => None,
                None => self.ancestors(block.section).find_map(|above| open.get(&above).copied()),
            };
            // In a section within that of an instruction, words like an instruction are new text.
            let is_new_text = inherited.is_some() && block.kind != BlockKind::Instruction;
            if !is_new_text && self.instructs(block) {
                if block.kind == BlockKind::Paragraph {
                    block.kind = BlockKind::Instruction;
                }
                let index = found.add(self, block, ignores_labels);
                open.insert(block.section, index);
            } else if let Some(index) = own.or(inherited) {
                found.drafts[index].bring(self, block);
            }
        }
        found
    }

    fn ancestors(&self, section: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.sections[section].parent, |&above| self.sections[above].parent)
    }
}

impl FoundInstructions {
    /// Adds the instruction of a block, or finds the one that it repeats or continues.
    fn add(&mut self, amendment: &AmendmentText<'_>, block: &Block<'_>, ignores_labels: bool) -> usize {
        let text = collapse(amendment.text(block));
        // A converter may write each instruction twice: as an element and as a paragraph.
        let is_repeated = |draft: &InstructionDraft| draft.section == block.section && draft.text == text;
        if let Some(index) = self.drafts.iter().position(is_repeated) {
            return index;
        }
        let with_own = block.kind != BlockKind::Title;
        let headings = amendment.headings(block.section, with_own);
        let language = amendment.language(block).clone();
        let count = self.drafts.len();
        if let Some(last) = self.drafts.last_mut()
            && last.section == block.section
            && last.continues(block)
        {
            last.text = [&last.text, " ", &text].concat();
            last.changes = read(&last.text, language.primary(), &headings, ignores_labels);
            return count - 1;
        }
        let changes = read(&text, language.primary(), &headings, ignores_labels);
        self.drafts.push(InstructionDraft {
            section: block.section,
            text,
            language,
            changes,
            new_text: Vec::new(),
            brings: Vec::new(),
            element: block.element.map(str::to_owned),
        });
        count
    }

    /// The instructions, with the provisions in their new text. These get labels as printed.
    pub(crate) fn finish(self, sections: &[Section], provisions: &mut [Provision]) -> Vec<Instruction> {
        if self.drafts.is_empty() {
            return Vec::new();
        }
        let starts = first_bytes(&self.drafts, sections, provisions);
        let mut instructions = Vec::new();
        for draft in self.drafts {
            let own: Vec<u32> = draft.provisions(&starts);
            draft.label(&own, sections, provisions);
            let bringing = draft.bringing_change();
            let new_text = draft.new_text.join("\n");
            for (index, change) in draft.changes.into_iter().enumerate() {
                let is_bringing = Some(index) == bringing;
                // Text in the words of the instruction counts before the blocks after it.
                let new_text = match change.new_text {
                    Some(inline) => Some(inline.into()),
                    None if is_bringing && !new_text.is_empty() => Some(new_text.as_str().into()),
                    None => None,
                };
                instructions.push(Instruction {
                    operation: change.operation,
                    printed: change.printed.into(),
                    text: draft.text.as_str().into(),
                    targets: change.targets,
                    old_words: change.old_words.into_iter().map(Into::into).collect(),
                    new_text,
                    language: draft.language.clone(),
                    section: offset32(draft.section),
                    provisions: if is_bringing { own.clone() } else { Vec::new() },
                });
            }
        }
        instructions
    }
}

impl InstructionDraft {
    /// A block goes on with the instruction if the source has both in one element, and the block alone asks
    /// for nothing.
    fn continues(&self, block: &Block<'_>) -> bool {
        let same_element = self.element.is_some() && self.element.as_deref() == block.element;
        let asks = self.changes.iter().any(|change| change.operation != InstructionOperation::Change);
        same_element && block.kind == BlockKind::Instruction && !asks
    }

    /// Adds a block to the new text.
    fn bring(&mut self, amendment: &AmendmentText<'_>, block: &Block<'_>) {
        let is_heading = block.kind == BlockKind::Title && block.section == self.section;
        if is_heading {
            return;
        }
        self.brings.push((block.section, block.range.clone()));
        let text = &amendment.sections[block.section].text;
        let mut printed = collapse(&text[block.range.clone()]);
        if block.item.is_some() {
            // The label of an item is before the block on its line.
            let line = text[..block.range.start].rfind('\n').map_or(0, |end| end + 1);
            let label = text[line..block.range.start].trim();
            if !label.is_empty() {
                printed = format!("{label} {printed}");
            }
        }
        if !self.new_text.contains(&printed) {
            self.new_text.push(printed);
        }
    }

    /// The change that brings the new text: the last one that can.
    fn bringing_change(&self) -> Option<usize> {
        self.changes.iter().rposition(|change| {
            !matches!(change.operation, InstructionOperation::Delete | InstructionOperation::Renumber)
        })
    }

    /// The provisions in the new text.
    fn provisions(&self, starts: &[Option<(usize, usize)>]) -> Vec<u32> {
        let mut own = Vec::new();
        for (index, start) in starts.iter().enumerate() {
            let Some((section, byte)) = start else { continue };
            if self.brings.iter().any(|(at, range)| at == section && range.contains(byte)) {
                own.push(offset32(index));
            }
        }
        own
    }

    /// Labels provisions by what is printed. A clause that the amendment brings has a number of its own.
    fn label(&self, own: &[u32], sections: &[Section], provisions: &mut [Provision]) {
        let Some(change) = self.bringing_change() else { return };
        let change = &self.changes[change];
        let title = sections[self.section].title.as_deref().unwrap_or_default();
        let printed = if change.printed.is_empty() { title } else { &change.printed };
        let mut labelled = Vec::new();
        for &index in own {
            let section = provisions[index as usize].section;
            let is_numbered = section != self.section && sections[section].number.is_some();
            if !is_numbered {
                labelled.push(index);
            }
        }
        if printed.is_empty() {
            return;
        }
        for (position, &index) in labelled.iter().enumerate() {
            let label = match labelled.len() {
                1 => printed.to_owned(),
                _ => format!("{printed} ({})", position + 1),
            };
            provisions[index as usize].label = label.into();
        }
    }
}

/// The section and first byte of each provision that is in a section with new text.
fn first_bytes(
    drafts: &[InstructionDraft],
    sections: &[Section],
    provisions: &[Provision],
) -> Vec<Option<(usize, usize)>> {
    let mut with_new_text: HashSet<usize> = HashSet::default();
    for draft in drafts {
        with_new_text.extend(draft.brings.iter().map(|(section, _)| *section));
    }
    let mut starts = Vec::with_capacity(provisions.len());
    for provision in provisions {
        if !with_new_text.contains(&provision.section) {
            starts.push(None);
            continue;
        }
        let text = &sections[provision.section].text;
        let byte = text.char_indices().nth(provision.anchor.start).map_or(text.len(), |(byte, _)| byte);
        starts.push(Some((provision.section, byte)));
    }
    starts
}
