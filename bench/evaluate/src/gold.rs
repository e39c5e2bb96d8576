//! Gold files: their lines, and the expected provisions of each.

use std::rc::Rc;

use norma_model::table::Grid;
use norma_model::{
    Comparator, Edition, Lang, Provision, ProvisionKind, Quantity, Reference, ReferenceTarget, Section,
    SectionId, SectionKind, Table, TableContent, TableId, Urn,
};
use serde::Deserialize;

use norma_provisions::blocks::{Block, BlockKind, ListItem};
use norma_provisions::{Input, SearchLimits, find};

/// A line of a gold file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct GoldLine {
    #[serde(default)]
    pub(crate) sentence: String,
    #[serde(default)]
    r#type: Types,
    /// Id of the provision in its document, instead of a sentence.
    pub(crate) id: Option<String>,
    pub(crate) quantities: Option<Vec<String>>,
    pub(crate) references: Option<Vec<String>>,
    pub(crate) conditions: Option<Vec<String>>,
    /// Code of the first diagnostic; empty: there is none.
    pub(crate) diagnostic: Option<String>,
    /// Numbers of further parts of the document, which references may lead to.
    #[serde(default)]
    pub(crate) parts: Vec<String>,
    units: Option<Vec<String>>,
    pub(crate) identifier: Option<String>,
    pub(crate) item_label: Option<String>,
    pub(crate) document: Option<String>,
    section: Option<String>,
    container: Option<String>,
    lead_in: Option<String>,
    /// The paragraph before the sentence, or the cell before it in its row.
    before: Option<String>,
    #[serde(default)]
    items: Vec<String>,
    #[serde(default)]
    pub(crate) negated: bool,
    #[serde(default)]
    bcp14: bool,
    publisher: Option<String>,
    context: Option<String>,
    pub(crate) language: Option<String>,
    /// Class of difficulty, by which the report groups lines.
    pub(crate) class: Option<String>,
    #[serde(rename = "why")]
    _why: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Types {
    One(ProvisionKind),
    Several(Vec<ProvisionKind>),
    #[default]
    None,
}

/// The result for a document: the provisions, their sections, the language.
pub(crate) struct GoldDocument {
    provisions: Vec<Provision>,
    sections: Vec<Section>,
    pub(crate) language: String,
}

impl GoldLine {
    /// Whether the line expects parts of its first provision only, and not types.
    pub(crate) fn asks_for_parts(&self) -> bool {
        matches!(self.r#type, Types::None)
            && (self.quantities.is_some() || self.references.is_some() || self.conditions.is_some())
    }

    /// Text and type of each provision.
    pub(crate) fn wanted(&self) -> Vec<(&str, ProvisionKind)> {
        let kinds: &[ProvisionKind] = match &self.r#type {
            Types::None => &[],
            Types::One(kind) => std::slice::from_ref(kind),
            Types::Several(kinds) => kinds,
        };
        match &self.units {
            None => kinds.iter().map(|&kind| (self.sentence.as_str(), kind)).collect(),
            Some(units) => units.iter().map(String::as_str).zip(kinds.iter().copied().cycle()).collect(),
        }
    }
}

impl GoldDocument {
    pub(crate) fn of(edition: Edition) -> Self {
        let parts = edition.into_parts();
        let language =
            parts.urn.languages().first().map_or_else(|| "en".to_owned(), |l| l.primary().to_owned());
        Self { provisions: parts.provisions, sections: parts.sections, language }
    }

    /// The provisions that are or hold the line's sentence, in its section where it names one.
    pub(crate) fn provisions_of(&self, line: &GoldLine) -> Result<Vec<Provision>, String> {
        if let Some(id) = &line.id {
            let found = self.provisions.iter().find(|p| p.id.to_string() == *id);
            return found
                .map(|found| vec![found.clone()])
                .ok_or_else(|| format!("there is no provision `{id}`"));
        }
        let words = bare(&line.sentence);
        let wanted = |section: &Section| {
            line.section.as_deref().is_none_or(|wanted| {
                section.id.as_str() == wanted || section.number.as_deref() == Some(wanted)
            })
        };
        if !self.sections.iter().any(|s| wanted(s) && bare(&s.text).contains(&words)) {
            let location = line.section.as_deref().map_or_else(String::new, |s| format!(" in section {s}"));
            return Err(format!(
                "the sentence was not found{location} as it is written here: copy it from the text view"
            ));
        }
        let found = self.provisions.iter().filter(|p| wanted(&self.sections[p.section]));
        Ok(found.filter(|p| bare(&p.text).contains(&words)).cloned().collect())
    }
}

/// Written before a quantity whose comparator is not stated.
pub(crate) const NOT_STATED: &str = "? ";

/// A quantity as gold files write it: `<= 5 %`, `10 .. 20 mm`, `= 20 ± 2 °C`, `nearest 0.1 g`, `? 5 mm`.
pub(crate) fn written_quantity(quantity: &Quantity) -> String {
    let sign = match quantity.comparator {
        None => NOT_STATED,
        Some(Comparator::Equal) => "= ",
        Some(Comparator::LessThan) => "< ",
        Some(Comparator::AtMost) => "<= ",
        Some(Comparator::AtLeast) => ">= ",
        Some(Comparator::MoreThan) => "> ",
        Some(Comparator::Between) => "",
        Some(Comparator::About) => "~ ",
        Some(Comparator::Nearest) => "nearest ",
        Some(Comparator::PlusMinus) => "+- ",
    };
    let mut written = [sign, &quantity.value].concat();
    for (joint, part) in [(" .. ", &quantity.upper), (" ± ", &quantity.tolerance), (" ", &quantity.unit)] {
        part.iter().for_each(|part| written += &[joint, part].concat());
    }
    written
}

/// A reference as gold files write it: its words, after `#` the part of the other document, and after `->`
/// the part of this one if the line names `parts`.
pub(crate) fn written_reference(reference: &Reference, line: &GoldLine) -> String {
    let clause = reference.clause.iter().flat_map(|clause| ["#", clause]);
    let target = match &reference.target {
        Some(ReferenceTarget::Part(id)) if !line.parts.is_empty() => Some(id),
        _ => None,
    };
    let target = target.into_iter().flat_map(|id| [" -> ", id]);
    std::iter::once(reference.text.as_str()).chain(clause).chain(target).collect()
}

/// A condition as gold files write it: its words, or the first and the last alone.
pub(crate) fn written_condition(words: &str, shortened: bool) -> String {
    let ends = words.split_once(' ').zip(words.rsplit_once(' '));
    match ends.filter(|_| shortened) {
        Some(((first, _), (_, last))) => [first, " … ", last].concat(),
        None => words.to_owned(),
    }
}

/// Text without white space, to be compared.
pub(crate) fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The provisions of a line without a document and the code of its first diagnostic, found in blocks made
/// from it.
pub(crate) fn alone(line: &GoldLine, language: &str) -> Result<(Vec<Provision>, &'static str), String> {
    let lang: Lang = language.parse().map_err(|_| format!("`{language}` is not a language"))?;
    let publisher = line.publisher.as_deref().unwrap_or("iso");
    let urn: Urn = format!("urn:{publisher}:std:{publisher}:1:ed-1:{lang}")
        .parse()
        .map_err(|_| format!("`{publisher}` and `{lang}` fit no URN"))?;
    let mut texts: Vec<&str> = line.lead_in.as_deref().into_iter().collect();
    texts.push(&line.sentence);
    texts.extend(line.items.iter().map(String::as_str));
    let kind = block_kind(line.container.as_deref().unwrap_or("paragraph"))?;
    let mut section = section(line.section.as_deref().unwrap_or("clause"), language)?;
    let mut blocks = Vec::new();
    if let Some(before) = &line.before {
        blocks.push(block(0, &mut section, kind, before));
        if kind == BlockKind::TableCell {
            section.text.truncate(section.text.trim_end().len());
            section.text.push('\t');
        }
    }
    let first = blocks.len();
    for (index, text) in texts.iter().enumerate() {
        let leads = line.lead_in.is_some() || !line.items.is_empty();
        let is_lead = leads && index == 0;
        let item = (leads && !is_lead)
            .then(|| Rc::new(ListItem { list: 1, lead_in: Some(first), label: None, depth: 1 }));
        let kind = if is_lead { BlockKind::Paragraph } else { kind };
        blocks.push(Block { item, ..block(0, &mut section, kind, text) });
    }
    let mut sections = vec![section];
    let bcp14 = "The key words are to be interpreted as described in BCP 14 (RFC 2119, RFC 8174).";
    for (index, text) in line.context.as_deref().into_iter().chain(line.bcp14.then_some(bcp14)).enumerate() {
        let mut said = self::section("clause", language)?;
        said.id = SectionId::new(format!("sec_{}", index + 2));
        blocks.push(block(index + 1, &mut said, BlockKind::Paragraph, text));
        sections.push(said);
    }
    let (tables, numbers): (Vec<_>, Vec<_>) = line.parts.iter().partition(|part| part.starts_with("Table "));
    let table = |label: &String| Table {
        id: TableId::new(label.as_str()),
        label: Some(label.as_str().into()),
        number: Some(label["Table ".len()..].to_owned()),
        caption: None,
        section: 0,
        group: None,
        digest: None,
        content: TableContent::Grid(Grid::default()),
    };
    let tables: Vec<Table> = tables.into_iter().map(table).collect();
    for number in numbers {
        let is_annex = number.starts_with(|c: char| c.is_ascii_uppercase());
        let mut part = self::section(if is_annex { "annex" } else { "clause" }, language)?;
        part.id = SectionId::new(number.as_str());
        part.level += number.matches('.').count() as u16;
        part.number = Some(number.as_str().into());
        sections.push(part);
    }
    let found = find(&Input {
        urn: &urn,
        former_urn: None,
        languages: std::slice::from_ref(&lang),
        language_of: &vec![0; sections.len()],
        sections: &sections,
        blocks: &blocks,
        terms: &[],
        tables: &tables,
        graphics: &[],
        numbered: &[],
        reference: "",
        limits: &SearchLimits::default(),
    })
    .ok_or("it has more provisions than a document may have")?;
    let own = first + usize::from(line.lead_in.is_some());
    let range = blocks[own].range.clone();
    let scalar = |byte: usize| sections[0].text[..byte].chars().count();
    let (start, end) = (scalar(range.start), scalar(range.end));
    let is_own = |p: &Provision| p.section == 0 && (start..end).contains(&p.anchor.start);
    let diagnostic = found.diagnostics.listed().next().map_or("", |diagnostic| diagnostic.code);
    Ok((found.provisions.into_iter().filter(is_own).collect(), diagnostic))
}

/// Appends a text to that of a section, as a separate block.
fn block(index: usize, section: &mut Section, kind: BlockKind, text: &str) -> Block<'static> {
    let start = section.text.len();
    section.text.push_str(text);
    let range = start..section.text.len();
    section.text.push_str("\n\n");
    Block { section: index, kind, range, ..Block::default() }
}

fn block_kind(container: &str) -> Result<BlockKind, String> {
    Ok(match container {
        "paragraph" => BlockKind::Paragraph,
        "list-item" => BlockKind::ListItem,
        "table-cell" => BlockKind::TableCell,
        "table-header" => BlockKind::TableHeader,
        "table-footnote" => BlockKind::TableFootnote,
        "note" => BlockKind::Note,
        "example" => BlockKind::Example,
        "warning" => BlockKind::Warning,
        "footnote" => BlockKind::Footnote,
        "title" => BlockKind::Title,
        "definition" => BlockKind::Definition,
        "quote" => BlockKind::Quote,
        _ => {
            return Err(format!("`{container}` is not a container: write `paragraph`, `list-item`, `note`…"));
        }
    })
}

fn section(what: &str, language: &str) -> Result<Section, String> {
    let procedure = match language {
        "fr" => "Mode opératoire",
        "de" => "Durchführung",
        _ => "Procedure",
    };
    let (kind, title, normative) = match what {
        "clause" => (SectionKind::Clause, None, true),
        "procedure" => (SectionKind::Clause, Some(procedure), true),
        "annex" => (SectionKind::Annex, None, true),
        "informative-annex" => (SectionKind::Annex, None, false),
        "foreword" => (SectionKind::Foreword, None, false),
        "introduction" => (SectionKind::Introduction, None, false),
        "scope" => (SectionKind::Scope, None, true),
        "terms" => (SectionKind::Terms, None, true),
        _ => {
            return Err(format!("`{what}` is not a section: write `clause`, `procedure`, `annex`, `scope`…"));
        }
    };
    Ok(Section {
        id: SectionId::new("sec_1"),
        source_id: None,
        label: None,
        number: Some("1".into()),
        title: title.map(Into::into),
        kind,
        language: language.parse().map_err(|error: norma_model::lang::ParseLangError| error.to_string())?,
        normative,
        level: 1,
        parent: None,
        layer: 0,
        xml: String::new(),
        text: String::new(),
    })
}
