//! The amended standard of the labels, read from its file.

use norma_amendments::{
    AmendedBlock, AmendedCell, AmendedEdition, AmendedFigure, AmendedSection, AmendedTable, AmendedTerm,
};
use norma_model::{KnownSection, TextBlockKind};

const FILES: [(&str, &str); 3] = [
    ("en", include_str!("../labels/base-en.txt")),
    ("de", include_str!("../labels/base-de.txt")),
    ("fr", include_str!("../labels/base-fr.txt")),
];

/// An amended edition, and the names of its provisions: `4.1#3` is the third of 4.1.
pub(crate) struct Base {
    pub(crate) edition: AmendedEdition,
    pub(crate) provisions: Vec<String>,
    /// The name of each section: its number or kind.
    pub(crate) names: Vec<String>,
}

impl Base {
    pub(crate) fn of(language: &str) -> Self {
        let (_, text) = FILES.iter().find(|(code, _)| *code == language).expect("a known language");
        let edition = AmendedEdition { languages: vec![language.to_owned()], ..AmendedEdition::default() };
        let mut base = Self { edition, provisions: Vec::new(), names: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (mark, rest) = line.split_at(1);
            base.add(mark, rest.trim());
        }
        base.close();
        base
    }

    fn add(&mut self, mark: &str, rest: &str) {
        let columns: Vec<&str> = rest.split('|').map(str::trim).collect();
        match mark {
            "=" => self.add_section(&columns),
            "t" => {
                let section = self.edition.sections.len() - 1;
                let table =
                    AmendedTable { number: Some(columns[0].into()), section, ..AmendedTable::default() };
                self.edition.tables.push(table);
            }
            "h" => self.edition.tables.last_mut().unwrap().heads.push(columns[1].into()),
            "c" => self.add_cell(&columns),
            "g" => {
                let section = Some(self.edition.sections.len() - 1);
                self.edition.figures.push(AmendedFigure { number: Some(columns[0].into()), section });
            }
            "i" => self.add_block(TextBlockKind::Item(1), columns[0], columns[1]),
            "n" => {
                let words: Vec<&str> = rest.split_whitespace().take(2).collect();
                self.add_block(TextBlockKind::Note, &words.join(" "), rest);
            }
            "d" => {
                let section = self.edition.sections.len() - 1;
                self.edition.terms.push(AmendedTerm { section });
                self.add_block(TextBlockKind::Definition, "", rest);
            }
            "r" => self.add_block(TextBlockKind::Other, "", rest),
            _ => self.add_block(TextBlockKind::Paragraph, "", rest),
        }
    }

    fn add_section(&mut self, columns: &[&str]) {
        let number = Some(columns[0]).filter(|number| *number != "-").map(str::to_owned);
        let named = match columns[1] {
            "introduction" => Some(KnownSection::Introduction),
            "scope" => Some(KnownSection::Scope),
            "normative-references" => Some(KnownSection::NormativeReferences),
            "terms" => Some(KnownSection::Terms),
            "bibliography" => Some(KnownSection::Bibliography),
            _ => None,
        };
        self.names.push(number.clone().unwrap_or_else(|| columns[1].to_owned()));
        let title = Some(columns[2].to_owned());
        self.edition.sections.push(AmendedSection { number, title, named, end: 0, blocks: Vec::new() });
    }

    fn name_provision(&mut self) -> u32 {
        let section = self.names.last().unwrap();
        let before = self.provisions.iter().filter(|name| name.split('#').next() == Some(section)).count();
        self.provisions.push(format!("{section}#{}", before + 1));
        self.provisions.len() as u32 - 1
    }

    fn add_block(&mut self, kind: TextBlockKind, label: &str, text: &str) {
        let mut provisions = Vec::new();
        if kind != TextBlockKind::Note {
            provisions.push((self.name_provision(), 0..text.len()));
        }
        let section = self.edition.sections.last_mut().unwrap();
        section.blocks.push(AmendedBlock {
            kind,
            label: label.into(),
            text: text.into(),
            table: None,
            provisions,
        });
    }

    fn add_cell(&mut self, columns: &[&str]) {
        let provision = self.name_provision();
        let (table, section) = (self.edition.tables.len() - 1, self.edition.sections.last_mut().unwrap());
        let text = columns[1].to_owned();
        let cell = AmendedCell { text: text.clone(), provisions: vec![provision] };
        let provisions = vec![(provision, 0..text.len())];
        let block = AmendedBlock {
            kind: TextBlockKind::Cell,
            label: String::new(),
            text,
            table: Some(table),
            provisions,
        };
        section.blocks.push(block);
        let row: usize = columns[0].parse().unwrap();
        let rows = &mut self.edition.tables[table].rows;
        // The heads are row 1.
        rows.resize_with(rows.len().max(row - 1), Vec::new);
        rows[row - 2].push(cell);
    }

    /// Ends the subtrees: those of numbers that begin with the number.
    fn close(&mut self) {
        for index in 0..self.names.len() {
            let prefix = format!("{}.", self.names[index]);
            let within = self.names[index + 1..].iter().take_while(|name| name.starts_with(&prefix)).count();
            self.edition.sections[index].end = index + 1 + within;
        }
    }
}
