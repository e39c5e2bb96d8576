//! Derivation of an edition from the tree of its document: metadata, sections with their texts, languages,
//! instructions and provisions, in this order.

use std::time::Instant;

use norma_model::{
    Edition, EditionContexts, EditionParts, Formula, Graphic, Inconsistency, Interruption, Lang, Metadata,
    Provision, Relation, Section, SectionKind, Table, Term,
};
use norma_provisions::blocks::Numbered;
use norma_provisions::{FoundProvisions, Input, SearchLimits};

use crate::diagnostic::{Diagnostic, Diagnostics, RawDiagnostic, located};
use crate::document::index::DocumentIndex;
use crate::document::instructions::{AmendmentText, FoundInstructions};
use crate::document::structure::{SectionPlan, Structure};
use crate::document::text_languages::TextLanguages;
use crate::document::{
    graphics, instructions, language, markup, relations, structure_diagnostics, tables, text_blocks,
};
use crate::front::{self, Front};
use crate::text::{self, BlockList, terms};
use crate::xml::names::Name;
use crate::xml::repair::Repaired;
use crate::xml::tree::{Tree, XmlNode};
use crate::{Extraction, ExtractionError, ExtractionLimits, ExtractionOptions};

/// Derives the edition of a parsed document.
pub(crate) fn derive<'t>(
    tree: &'t Tree<'t>,
    repaired: &Repaired<'_>,
    options: &ExtractionOptions,
    charset: &'static str,
) -> Result<Extraction, ExtractionError> {
    let most_parts = options.limits.parts_of(tree.text().len());
    let too_many_parts = || too_many_parts(tree, repaired, most_parts);
    let structure = Structure::new(tree, most_parts);
    let most_provisions = most_parts.checked_sub(structure.parts()).ok_or_else(too_many_parts)?;
    let mut diagnostics = Diagnostics::new(options.limits.diagnostics);
    let detected = language::detect_document_languages(texts_of_paragraphs(tree));
    let given_urn = options.urn.as_ref();
    let mut front = front::read(tree.root(), &structure.metadata, given_urn, &detected, &mut diagnostics)
        .map_err(|RawDiagnostic { code, at, message }| repaired.refusal(code, at, message))?;
    if structure.sections.is_empty() {
        let message = "the document has no section and no text outside its metadata";
        diagnostics.add("no-content", tree.root().range().start, message);
    }
    let metadata_at = structure.metadata.first().map_or(0, |block| block.range().start);
    let mut written = WrittenDocument::write(tree, structure, &mut front, &options.limits, &mut diagnostics);

    // The text's own languages choose the rules, also when the given URN names another.
    let languages = if detected.is_empty() { front.metadata.languages.clone() } else { detected };
    check_rules(&languages, metadata_at, &mut front.metadata, &mut diagnostics);
    let mut languages = TextLanguages::of_sections(languages, &mut written.sections);
    languages.read_blocks(&mut written.block_list, &written.sections);
    tables::read_quantities(&mut written.tables, &written.block_list, &written.sections);
    let instructions = written.find_instructions(&languages, &front.metadata);
    let started = Instant::now();
    let mut found =
        written.find_provisions(&languages, &front, options, most_provisions).ok_or_else(too_many_parts)?;
    let provisions_took = started.elapsed();
    written.assign_provisions(&mut found.provisions);
    front.metadata.duties_without_verbal_form = found.duties_without_verbal_form;

    let block_offsets = &written.block_list.offsets;
    let diagnostics = located_diagnostics(repaired, diagnostics, found.diagnostics, block_offsets);
    let graphic_positions = written.graphic_offsets.iter().map(|&at| repaired.position(at)).collect();
    let edition = written
        .into_edition(front, instructions, found.provisions, found.contexts)
        .map_err(|contradiction| repaired.refusal("inconsistent", 0, contradiction.to_string()))?;
    let former_ids = found.former_ids;
    Ok(Extraction { edition, former_ids, diagnostics, charset, graphic_positions, provisions_took })
}

fn too_many_parts<'t>(tree: &'t Tree<'t>, repaired: &Repaired<'_>, most: usize) -> ExtractionError {
    let message = format!(
        "the document has more than {most} sections, provisions, terms, graphics, tables and footnotes"
    );
    repaired.refusal("too-many-parts", tree.root().range().start, message)
}

/// The texts of paragraphs, by which the languages of a document are detected: titles and tables have too few
/// words in a row.
fn texts_of_paragraphs<'t>(tree: &'t Tree<'t>) -> impl Iterator<Item = &'t str> + Clone {
    tree.root().descendants().filter(|node| is_in_paragraph(*node)).map(XmlNode::characters)
}

fn is_in_paragraph(node: XmlNode<'_>) -> bool {
    node.name() == Name::Text && node.parent().is_some_and(|parent| parent.name() == Name::P)
}

/// Reports languages without rules, and states for which languages provisions are derived then.
fn check_rules(languages: &[Lang], at: usize, metadata: &mut Metadata, diagnostics: &mut Diagnostics) {
    for language in languages {
        if norma_provisions::has_rules(language) {
            continue;
        }
        if metadata.provision_languages.is_empty() {
            let with_rules = norma_provisions::languages().filter_map(|code| code.parse().ok());
            metadata.provision_languages = with_rules.collect();
        }
        let with_rules = norma_provisions::languages().collect::<Vec<_>>().join(", ");
        let message = format!(
            "the text is in `{language}`, for which there are no rules for provisions; provisions are derived for {with_rules}"
        );
        diagnostics.add("no-rules-for-language", at, message);
    }
}

/// The diagnostics of all steps, by their positions in the source. Those of provisions are by block.
fn located_diagnostics(
    repaired: &Repaired<'_>,
    of_document: Diagnostics,
    of_provisions: Diagnostics,
    block_offsets: &[usize],
) -> Vec<Diagnostic> {
    let position_of_block = |block: usize| {
        let offset = block_offsets.get(block).copied().unwrap_or_default();
        repaired.position(offset)
    };
    let mut diagnostics = Vec::new();
    diagnostics.extend(located(repaired.diagnostics.clone(), |at| repaired.source_position(at)));
    diagnostics.extend(located(of_document, |at| repaired.position(at)));
    diagnostics.extend(located(of_provisions, position_of_block));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
    diagnostics
}

/// The parts of a document whose text is written.
struct WrittenDocument<'t> {
    sections: Vec<Section>,
    interruptions: Vec<Interruption>,
    block_list: BlockList<'t>,
    terms: Vec<Term>,
    graphics: Vec<Graphic>,
    /// First byte of each graphic in the repaired text.
    graphic_offsets: Vec<usize>,
    tables: Vec<Table>,
    relations: Vec<Relation>,
    numbered: Vec<Numbered>,
    formulae: Vec<Formula>,
}

impl<'t> WrittenDocument<'t> {
    /// Writes the text of the sections and reads all other parts, which refer to each other by the index of
    /// the document. It takes the relations that the metadata states.
    fn write(
        tree: &'t Tree<'t>,
        structure: Structure<'t>,
        front: &mut Front,
        limits: &ExtractionLimits,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let language = front.metadata.language().clone();
        let table_ids = graphics::assign_ids(tree, structure.tables.iter().map(|(node, _)| *node), "table");
        let graphic_ids =
            graphics::assign_ids(tree, structure.graphics.iter().map(|(node, _)| *node), "graphic");
        let mut document = DocumentIndex::new(tree, structure, language, &table_ids, &graphic_ids);
        document.amends |= front.metadata.supplement.is_some();

        let mut block_list = BlockList::with_node_count(tree.nodes.len());
        let (sections, interruptions) =
            sections(&document, limits.interrupted_bytes, &mut block_list, diagnostics);
        let terms = terms::terms(&document);
        let (graphics, undecodable) = graphics::graphics(&document, &graphic_ids);
        let graphic_offsets =
            document.structure.graphics.iter().map(|(node, _)| node.range().start).collect();
        let tables = tables::tables(&document, table_ids, &block_list, &sections, limits.table_bytes);
        let relations = relations::relations(&document, std::mem::take(&mut front.relations));
        structure_diagnostics::check(&document, &undecodable, &tables, diagnostics);
        Self {
            sections,
            interruptions,
            block_list,
            terms,
            graphics,
            graphic_offsets,
            tables,
            relations,
            numbered: document.numbered(),
            formulae: document.formulae(),
        }
    }

    /// Finds the instructions of an amendment; another document has none.
    fn find_instructions(&mut self, languages: &TextLanguages, metadata: &Metadata) -> FoundInstructions {
        if !instructions::is_amendment(metadata, &self.relations) {
            return FoundInstructions::default();
        }
        let amendment = AmendmentText {
            sections: &self.sections,
            languages: &languages.languages,
            language_of: &languages.of_sections,
        };
        amendment.instructions(&mut self.block_list.blocks)
    }

    /// `None` where there are more provisions than `most`.
    fn find_provisions(
        &self,
        languages: &TextLanguages,
        front: &Front,
        options: &ExtractionOptions,
        most: usize,
    ) -> Option<FoundProvisions> {
        norma_provisions::find(&Input {
            urn: &front.urn,
            former_urn: options.former_urn.as_ref().filter(|former| **former != front.urn),
            languages: &languages.languages,
            language_of: &languages.of_sections,
            sections: &self.sections,
            blocks: &self.block_list.blocks,
            terms: &self.terms,
            tables: &self.tables,
            graphics: &self.graphics,
            numbered: &self.numbered,
            reference: &front.metadata.reference,
            limits: &SearchLimits {
                sentence_bytes: options.limits.sentence_bytes,
                diagnostics: options.limits.diagnostics,
                provisions: most,
            },
        })
    }

    /// Assigns provisions to the cells of tables, and declares the namespaces of their markup.
    fn assign_provisions(&mut self, provisions: &mut [Provision]) {
        tables::assign_provisions(&mut self.tables, &self.block_list, &self.sections, provisions);
        for provision in provisions {
            if let Some(element) = provision.xml.take() {
                let section = &self.sections[provision.section].xml;
                provision.xml = Some(markup::standalone(&element, section).into());
            }
        }
    }

    fn into_edition(
        mut self,
        front: Front,
        instructions: FoundInstructions,
        mut provisions: Vec<Provision>,
        contexts: EditionContexts,
    ) -> Result<Edition, Inconsistency> {
        let instructions = instructions.finish(&self.sections, &mut provisions);
        name_term_sections(&mut self.sections, &self.terms);
        Edition::new(EditionParts {
            urn: front.urn,
            metadata: front.metadata,
            status: front.status,
            ics: front.ics,
            relations: self.relations,
            sections: self.sections,
            interruptions: self.interruptions,
            provisions,
            terms: self.terms,
            graphics: self.graphics,
            tables: self.tables,
            formulae: self.formulae,
            blocks: text_blocks::text_blocks(&self.block_list.blocks),
            instructions,
            contexts,
        })
    }
}

/// Gives the section of a term its designation as title, where the source has none. Ids of provisions come
/// from the source's titles alone.
fn name_term_sections(sections: &mut [Section], terms: &[Term]) {
    for term in terms {
        let section = &mut sections[term.section];
        if section.kind == SectionKind::Term && section.title.is_none() {
            section.title = term.designation_in(&section.language).map(|one| one.text.as_str().into());
        }
    }
}

/// Writes each section's text and markup, and locates its blocks in the markup. Also gives the sections that
/// interrupt a text, as long as the texts that they interrupt have at most `most_interrupted` bytes together.
fn sections<'t>(
    document: &DocumentIndex<'t>,
    most_interrupted: usize,
    block_list: &mut BlockList<'t>,
    diagnostics: &mut Diagnostics,
) -> (Vec<Section>, Vec<Interruption>) {
    let mut bytes_left = most_interrupted;
    let mut sections = Vec::with_capacity(document.structure.sections.len());
    let mut interruptions = Vec::new();
    for (index, plan) in document.structure.sections.iter().enumerate() {
        let markup = markup::section_markup(document.tree, &plan.extent, &plan.excluded, &plan.struck_after);
        let before = interruptions.len();
        let text = text::section(document, index, &markup, block_list, &mut interruptions);
        // A text is read once from its start for each section that interrupts it.
        let read_bytes = text.len().saturating_mul(interruptions.len() - before);
        match bytes_left.checked_sub(read_bytes) {
            Some(rest) => bytes_left = rest,
            None => {
                interruptions.truncate(before);
                let message = format!("the text of section `{}` stays together", plan.id);
                diagnostics.add("interrupted-text", plan.extent.range().start, message);
            }
        }
        sections.push(section(document, plan, markup.xml, text));
    }
    interruptions.sort_by_key(|interruption| interruption.section);
    (sections, interruptions)
}

fn section<'t>(document: &DocumentIndex<'t>, plan: &SectionPlan<'t>, xml: String, text: String) -> Section {
    Section {
        id: plan.id.clone(),
        source_id: plan.source_id.as_deref().map(Into::into),
        label: plan.label.as_deref().map(Into::into),
        number: plan.number.as_deref().map(Into::into),
        title: plan.title.and_then(|title| text::line(Some(document), title)).map(Into::into),
        kind: plan.kind,
        language: document.language.clone(),
        normative: plan.normative,
        level: plan.level,
        parent: plan.parent,
        layer: plan.layer,
        xml,
        text,
    }
}
