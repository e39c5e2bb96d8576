//! Scopes: the blocks of the amended edition that the parts named so far leave.

use std::ops::Range;

use norma_model::label::number_of;
use norma_model::{InstructionPart, InstructionPartKind, KnownSection, TextBlockKind, WhichPart};

use crate::edition::{AmendedBlock, AmendedCell, AmendedEdition};
use crate::resolve::{TouchedParts, UnresolvedReason, sentence_of};
use crate::text_words::{contains, contains_all, sentences};

/// What is meant so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AmendedScope {
    /// The clause as a whole, with its subclauses; empty where parts of it are meant.
    pub(crate) whole: Range<usize>,
    /// The section of the parts; `None` for the whole document.
    pub(crate) section: Option<usize>,
    /// Blocks by section and index.
    pub(crate) blocks: Vec<(usize, usize)>,
    /// The table that is meant.
    pub(crate) table: Option<usize>,
    /// The provisions of the rows that are meant; `None` for the whole table.
    pub(crate) row_provisions: Option<Vec<u32>>,
    /// The figure that is meant.
    pub(crate) figure: Option<usize>,
    /// Bytes of the one block.
    pub(crate) sentence: Option<Range<usize>>,
    /// Set where something without provisions is meant, such as a title or an entry of references.
    pub(crate) is_apart: bool,
}

impl AmendedScope {
    pub(crate) fn of_clause(edition: &AmendedEdition, section: usize) -> Self {
        let whole = section..edition.sections[section].end;
        let blocks = own_blocks(edition, section);
        Self { whole, section: Some(section), blocks, ..Self::default() }
    }

    pub(crate) fn of_document(edition: &AmendedEdition) -> Self {
        Self { whole: 0..edition.sections.len(), ..Self::default() }
    }

    pub(crate) fn of_block(section: usize, block: usize) -> Self {
        Self { section: Some(section), blocks: vec![(section, block)], ..Self::default() }
    }

    /// The part of the scope that is named.
    pub(crate) fn narrowed(
        &self,
        edition: &AmendedEdition,
        part: &InstructionPart,
    ) -> Result<Self, UnresolvedReason> {
        use InstructionPartKind as Kind;
        match part.kind {
            Kind::Page | Kind::Line => Err(UnresolvedReason::PageOrLine),
            Kind::Table => self.table_named(edition, part),
            Kind::Figure => self.figure_named(edition, part),
            Kind::Formula => Err(UnresolvedReason::PartMissing),
            Kind::Title => Ok(Self { is_apart: true, blocks: Vec::new(), ..self.clone() }),
            Kind::Reference => Ok(self.reference(edition)),
            Kind::Term => Ok(self.clone()),
            Kind::Definition => self.counted(edition, part, is_definition),
            Kind::Paragraph => self.counted(edition, part, is_paragraph),
            Kind::Note => self.labelled(edition, part, is_note),
            Kind::Example => self.labelled(edition, part, is_example),
            Kind::Footnote => self.labelled(edition, part, is_footnote),
            Kind::List => self.list(edition),
            Kind::Item => self.labelled(edition, part, is_item),
            Kind::Row => self.row(edition, part),
            Kind::Column if self.table.is_some() => Ok(self.clone()),
            Kind::Column => Err(UnresolvedReason::PartMissing),
            Kind::Sentence => self.sentence_named(edition, part),
        }
    }

    fn block<'e>(&self, edition: &'e AmendedEdition, at: (usize, usize)) -> &'e AmendedBlock {
        &edition.sections[at.0].blocks[at.1]
    }

    /// The scope of these blocks alone.
    fn with_blocks(&self, blocks: Vec<(usize, usize)>) -> Self {
        Self { whole: 0..0, blocks, ..self.clone() }
    }

    fn blocks_that(
        &self,
        edition: &AmendedEdition,
        is_meant: fn(&AmendedBlock) -> bool,
    ) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for &at in &self.blocks {
            if is_meant(self.block(edition, at)) {
                found.push(at);
            }
        }
        found
    }

    /// One block or several by their order.
    fn counted(
        &self,
        edition: &AmendedEdition,
        part: &InstructionPart,
        is_meant: fn(&AmendedBlock) -> bool,
    ) -> Result<Self, UnresolvedReason> {
        let all = self.blocks_that(edition, is_meant);
        let chosen = chosen(&all, &part.which)?;
        Ok(self.with_blocks(with_continuations(edition, chosen)))
    }

    /// One block by its label, or by its order where it has none.
    fn labelled(
        &self,
        edition: &AmendedEdition,
        part: &InstructionPart,
        is_meant: fn(&AmendedBlock) -> bool,
    ) -> Result<Self, UnresolvedReason> {
        // The items of a lead-in, and the notes of a paragraph, are blocks after it.
        let around = match self.section {
            Some(section) => Self { blocks: own_blocks(edition, section), ..self.clone() },
            None => self.clone(),
        };
        let all = around.blocks_that(edition, is_meant);
        let WhichPart::Number(number) = &part.which else {
            return Ok(self.with_blocks(chosen(&all, &part.which)?));
        };
        let mut found = Vec::new();
        for at in all {
            let block = self.block(edition, at);
            if label_number(block).as_deref() == Some(&**number) {
                found.push(at);
            }
        }
        match found.len() {
            0 => Err(UnresolvedReason::PartMissing),
            1 => Ok(self.with_blocks(with_continuations(edition, found))),
            _ => Err(UnresolvedReason::PartAmbiguous),
        }
    }

    /// The items of the only list.
    fn list(&self, edition: &AmendedEdition) -> Result<Self, UnresolvedReason> {
        let Some(section) = self.section else { return Err(UnresolvedReason::NothingNamed) };
        let mut items = Vec::new();
        let mut lists = 0;
        let mut is_in_list = false;
        for at in own_blocks(edition, section) {
            let is_item = is_item(self.block(edition, at));
            if is_item && !is_in_list {
                lists += 1;
            }
            is_in_list = is_item;
            if is_item {
                items.push(at);
            }
        }
        let is_references = edition.sections[section].named.is_some();
        match lists {
            // Entries of references are a list in print.
            0 if is_references => Ok(Self { is_apart: true, ..self.clone() }),
            0 => Err(UnresolvedReason::PartMissing),
            1 => Ok(self.with_blocks(items)),
            _ => Err(UnresolvedReason::PartAmbiguous),
        }
    }

    /// An entry of a list of references, which has no provisions; elsewhere the quoted words decide.
    fn reference(&self, edition: &AmendedEdition) -> Self {
        let named = self.section.and_then(|section| edition.sections[section].named);
        let is_list = matches!(named, Some(KnownSection::NormativeReferences | KnownSection::Bibliography));
        Self { is_apart: self.is_apart || is_list, ..self.clone() }
    }

    fn table_named(
        &self,
        edition: &AmendedEdition,
        part: &InstructionPart,
    ) -> Result<Self, UnresolvedReason> {
        let mut found = Vec::new();
        for (index, table) in edition.tables.iter().enumerate() {
            let is_within = self.whole.contains(&table.section) || self.section == Some(table.section);
            let is_meant = match &part.which {
                WhichPart::Number(number) => table.number.as_deref() == Some(&**number),
                _ => true,
            };
            if is_within && is_meant {
                found.push(index);
            }
        }
        let table = one_of(&found)?;
        let section = edition.tables[table].section;
        let mut blocks = own_blocks(edition, section);
        blocks.retain(|&at| self.block(edition, at).table == Some(table));
        Ok(Self { section: Some(section), table: Some(table), blocks, ..Self::default() })
    }

    fn figure_named(
        &self,
        edition: &AmendedEdition,
        part: &InstructionPart,
    ) -> Result<Self, UnresolvedReason> {
        let mut found = Vec::new();
        for (index, figure) in edition.figures.iter().enumerate() {
            let is_within = figure.section.is_some_and(|section| self.whole.contains(&section));
            let is_meant = match &part.which {
                WhichPart::Number(number) => figure.number.as_deref() == Some(&**number),
                _ => true,
            };
            if is_within && is_meant {
                found.push(index);
            }
        }
        let figure = one_of(&found)?;
        let section = edition.figures[figure].section;
        Ok(Self { section, figure: Some(figure), is_apart: true, ..Self::default() })
    }

    fn row(&self, edition: &AmendedEdition, part: &InstructionPart) -> Result<Self, UnresolvedReason> {
        let Some(table) = self.table else { return Err(UnresolvedReason::PartMissing) };
        let rows: Vec<usize> = (0..edition.tables[table].rows.len()).collect();
        let mut provisions = Vec::new();
        for row in chosen(&rows, &part.which)? {
            provisions.extend(row_provisions(edition, table, row));
        }
        Ok(Self { row_provisions: Some(provisions), ..self.clone() })
    }

    fn sentence_named(
        &self,
        edition: &AmendedEdition,
        part: &InstructionPart,
    ) -> Result<Self, UnresolvedReason> {
        // Of several blocks the only paragraph is meant.
        let own = match self.blocks[..] {
            [one] => one,
            _ => one_of(&self.blocks_that(edition, is_paragraph))?,
        };
        let sentence = sentence_of(self.block(edition, own), &part.which);
        let sentence = sentence.ok_or(UnresolvedReason::PartMissing)?;
        Ok(Self { sentence: Some(sentence), ..self.with_blocks(vec![own]) })
    }

    /// The one block of the kind of a part that has the quoted words: the instruction does not say which.
    pub(crate) fn with_words(
        &self,
        edition: &AmendedEdition,
        part: &InstructionPart,
        old_words: &[Box<str>],
    ) -> Result<Self, UnresolvedReason> {
        let is_meant = match part.kind {
            InstructionPartKind::Paragraph | InstructionPartKind::Sentence => is_paragraph,
            InstructionPartKind::Item => is_item,
            InstructionPartKind::Note => is_note,
            _ => return Err(UnresolvedReason::PartAmbiguous),
        };
        if old_words.is_empty() || part.which != WhichPart::Unstated {
            return Err(UnresolvedReason::PartAmbiguous);
        }
        let mut found = self.blocks_that(edition, is_meant);
        found.retain(|&at| contains_all(&self.block(edition, at).text, old_words));
        match found.len() {
            0 => Err(UnresolvedReason::WordsMissing),
            1 => Ok(self.with_blocks(found)),
            _ => Err(UnresolvedReason::PartAmbiguous),
        }
    }

    /// The same scope, narrowed to what has the quoted words.
    pub(crate) fn with_all_words(
        self,
        edition: &AmendedEdition,
        old_words: &[Box<str>],
    ) -> Result<Self, UnresolvedReason> {
        if old_words.is_empty() {
            return Ok(self);
        }
        if self.table.is_some() {
            return self.rows_with_words(edition, old_words);
        }
        if self.is_apart {
            return Ok(self);
        }
        let mut all = self.blocks.clone();
        if !self.whole.is_empty() {
            all.clear();
            for section in self.whole.clone() {
                all.extend(own_blocks(edition, section));
            }
        }
        let mut found = Vec::new();
        for at in all {
            let block = self.block(edition, at);
            let text = match &self.sentence {
                Some(range) => &block.text[range.clone()],
                None => &block.text,
            };
            if contains_all(text, old_words) {
                found.push(at);
            }
        }
        if found.is_empty() {
            return Err(UnresolvedReason::WordsMissing);
        }
        Ok(self.with_blocks(found))
    }

    /// The rows of the table that have the quoted words, with those in the heads of columns.
    fn rows_with_words(
        self,
        edition: &AmendedEdition,
        old_words: &[Box<str>],
    ) -> Result<Self, UnresolvedReason> {
        let Some(index) = self.table else { return Err(UnresolvedReason::PartMissing) };
        let table = &edition.tables[index];
        let mut in_cells: Vec<&str> = Vec::new();
        for words in old_words {
            if !table.heads.iter().any(|head| contains(head, words)) {
                in_cells.push(words);
            }
        }
        if in_cells.is_empty() {
            return Ok(self);
        }
        let mut rows = Vec::new();
        for (row, cells) in table.rows.iter().enumerate() {
            if cells_contain_all(cells, &in_cells) {
                rows.push(row);
            }
        }
        match rows.len() {
            0 => Err(UnresolvedReason::WordsMissing),
            1 => {
                let provisions = row_provisions(edition, index, rows[0]);
                Ok(Self { row_provisions: Some(provisions), ..self })
            }
            _ => Err(UnresolvedReason::PartAmbiguous),
        }
    }

    /// All that is in the scope.
    pub(crate) fn touched(&self, edition: &AmendedEdition) -> TouchedParts {
        if self.is_apart {
            return self.touched_around();
        }
        if !self.whole.is_empty() && self.section.is_some() {
            return edition.whole(self.whole.clone());
        }
        let mut touched = self.touched_around();
        if let Some(rows) = &self.row_provisions {
            touched.provisions.extend(rows);
            return touched;
        }
        for &at in &self.blocks {
            touched.sections.insert(at.0);
            for (provision, range) in &self.block(edition, at).provisions {
                let is_in = match &self.sentence {
                    Some(sentence) => range.start < sentence.end && sentence.start < range.end,
                    None => true,
                };
                if is_in {
                    touched.provisions.insert(*provision);
                }
            }
            if is_definition(self.block(edition, at)) {
                for (index, term) in edition.terms.iter().enumerate() {
                    if term.section == at.0 {
                        touched.terms.insert(index);
                    }
                }
            }
        }
        touched
    }

    /// What is around the scope: its section, table and figure.
    pub(crate) fn touched_around(&self) -> TouchedParts {
        let mut touched = TouchedParts::default();
        touched.sections.extend(self.section);
        touched.tables.extend(self.table);
        touched.figures.extend(self.figure);
        touched
    }
}

fn own_blocks(edition: &AmendedEdition, section: usize) -> Vec<(usize, usize)> {
    (0..edition.sections[section].blocks.len()).map(|block| (section, block)).collect()
}

/// Blocks with those after each that go on with it: a paragraph after its list, the second paragraph of an
/// item.
fn with_continuations(edition: &AmendedEdition, blocks: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    for (section, block) in blocks {
        all.push((section, block));
        let after = edition.sections[section].blocks.iter().enumerate().skip(block + 1);
        for (index, next) in after {
            if next.kind != TextBlockKind::Continuation {
                break;
            }
            all.push((section, index));
        }
    }
    all
}

fn row_provisions(edition: &AmendedEdition, table: usize, row: usize) -> Vec<u32> {
    let mut provisions = Vec::new();
    for cell in &edition.tables[table].rows[row] {
        provisions.extend(&cell.provisions);
    }
    provisions
}

/// Cells contain words if each of the words is in one of the cells.
fn cells_contain_all(cells: &[AmendedCell], words: &[&str]) -> bool {
    for words in words {
        if !cells.iter().any(|cell| contains(&cell.text, words)) {
            return false;
        }
    }
    true
}

fn one_of<T: Copy>(found: &[T]) -> Result<T, UnresolvedReason> {
    match *found {
        [one] => Ok(one),
        [] => Err(UnresolvedReason::PartMissing),
        _ => Err(UnresolvedReason::PartAmbiguous),
    }
}

/// Those that are meant by their order.
fn chosen<T: Copy>(all: &[T], which: &WhichPart) -> Result<Vec<T>, UnresolvedReason> {
    match which {
        // Ordinals are counted from 1.
        WhichPart::Ordinals(first, last) if *first >= 1 => {
            match all.get(*first as usize - 1..*last as usize) {
                Some(chosen) => Ok(chosen.to_vec()),
                None => Err(UnresolvedReason::PartMissing),
            }
        }
        WhichPart::Last => match all {
            [.., last] => Ok(vec![*last]),
            [] => Err(UnresolvedReason::PartMissing),
        },
        WhichPart::Unstated => Ok(vec![one_of(all)?]),
        WhichPart::Ordinals(..) | WhichPart::Number(_) => Err(UnresolvedReason::PartMissing),
    }
}

/// The number in the label of a block, or in the word that it begins with: `NOTE 1`.
fn label_number(block: &AmendedBlock) -> Option<String> {
    if !block.label.is_empty() {
        return number_of(&block.label);
    }
    let second = block.text.split_whitespace().nth(1)?;
    let number = number_of(second)?;
    let is_number = number.bytes().all(|b| b.is_ascii_digit());
    if is_number { Some(number) } else { None }
}

fn is_paragraph(block: &AmendedBlock) -> bool {
    block.kind == TextBlockKind::Paragraph && block.table.is_none()
}

fn is_item(block: &AmendedBlock) -> bool {
    matches!(block.kind, TextBlockKind::Item(_))
}

fn is_note(block: &AmendedBlock) -> bool {
    block.kind == TextBlockKind::Note
}

fn is_example(block: &AmendedBlock) -> bool {
    block.kind == TextBlockKind::Example
}

fn is_footnote(block: &AmendedBlock) -> bool {
    block.kind == TextBlockKind::Footnote
}

fn is_definition(block: &AmendedBlock) -> bool {
    block.kind == TextBlockKind::Definition
}

/// The bytes of a sentence of a text, by its order.
pub(crate) fn sentence(text: &str, which: &WhichPart) -> Option<Range<usize>> {
    let sentences = sentences(text);
    let indices: Vec<usize> = (0..sentences.len()).collect();
    let chosen = chosen(&indices, which).ok()?;
    let (first, last) = (*chosen.first()?, *chosen.last()?);
    Some(sentences[first].start..sentences[last].end)
}
