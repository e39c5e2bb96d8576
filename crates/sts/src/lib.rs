//! Reader of NISO STS, ISOSTS and TBX: bytes in, an [`Edition`] and [`Diagnostic`]s out.
//!
//! [`extract`] is a pure function: it opens no file and fetches nothing. Missing metadata is derived from the
//! rest of the document where that is reliable, and every such step is a diagnostic.

mod diagnostic;
mod document;
mod error;
mod front;
pub mod html;
mod languages;
mod limits;
mod text;
mod xml;

use std::time::{Duration, Instant};

use foldhash::HashSet;
use norma_model::{
    Edition, EditionParts, Interruption, Lang, Metadata, ProvisionId, Section, SectionKind, TableContent,
    Term, Urn,
};

pub use diagnostic::{Diagnostic, DiagnosticKind, Severity, diagnostic_kinds};
pub use error::ExtractionError;
pub use limits::ExtractionLimits;

use diagnostic::{Diagnostics, RawDiagnostic, located};
use document::index::DocumentIndex;
use document::structure::Structure;
use document::{graphics, language, markup, relations, section_kind, tables};
use text::terms;
use xml::decode;
use xml::names::Name;
use xml::parse_error::ParseError;
use xml::repair::Repaired;
use xml::tree::{Tree, XmlNode};

/// Version of the extraction rules. It changes whenever the same source may give another edition; stored
/// editions of an older version are stale.
pub const DERIVER_VERSION: u32 = 19;

/// Settings of one extraction.
#[derive(Clone, Debug, Default)]
pub struct ExtractionOptions {
    /// The URN of the edition, when the source states none or a wrong one.
    pub urn: Option<Urn>,
    /// The earlier URN of the edition: its provisions then come with the ids that they have under it.
    pub former_urn: Option<Urn>,
    /// Bounds on the size of the source.
    pub limits: ExtractionLimits,
}

/// Result of an extraction.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The edition.
    pub edition: Edition,
    /// The ids of its provisions under the former URN, in document order; empty if the URN is the same.
    pub former_ids: Vec<ProvisionId>,
    /// The diagnostics, ordered by position in the source.
    pub diagnostics: Vec<Diagnostic>,
    /// Name of the encoding of the source (WHATWG Encoding Standard): `UTF-8`.
    pub charset: &'static str,
    /// Line and column of the element of each graphic, parallel to the edition's graphics.
    pub graphic_positions: Vec<(u32, u32)>,
    /// Wall-clock time of the search for provisions, for benches: the only member that differs between two
    /// extractions of one source.
    pub provisions_took: Duration,
}

/// Names of the root elements of documents (NISO STS, ISOSTS).
pub const ROOT_ELEMENTS: [&str; 3] = ["standard", "standards-document", "adoption"];

/// Extracts an edition from the bytes of one document.
///
/// `source` is the XML in any encoding that it declares; `options` may name the edition and bounds the work.
///
/// # Errors
/// [`ExtractionError`] with code and position when the source is not well-formed XML, exceeds a limit, or
/// does not identify its standard. Every other problem is a [`Diagnostic`].
///
/// ```
/// use norma_sts::{ExtractionOptions, extract};
///
/// let source = br#"<standard><front><std-meta>
///   <std-ident><originator>ISO</originator><doc-number>9999</doc-number><edition>2</edition></std-ident>
///   <content-language>en</content-language><std-ref type="dated">ISO 9999:2024</std-ref>
/// </std-meta></front><body><sec id="sec_4"><label>4</label><title>Lid</title>
///   <p>The lid shall be closed.</p>
/// </sec></body></standard>"#;
/// let extraction = extract(source, &ExtractionOptions::default())?;
/// assert_eq!(extraction.edition.urn.as_str(), "urn:iso:std:iso:9999:ed-2:en");
/// assert_eq!(&*extraction.edition.provisions[0].text, "The lid shall be closed.");
/// # Ok::<(), norma_sts::ExtractionError>(())
/// ```
pub fn extract(source: &[u8], options: &ExtractionOptions) -> Result<Extraction, ExtractionError> {
    let decoded = decode::decode(source, &options.limits)?;
    let mut repaired = Repaired::new(&decoded.text, &options.limits)?;
    let mut declared = 0;
    loop {
        let prefix = match Tree::parse(&repaired, &options.limits) {
            Ok(tree) => return derive(&tree, &repaired, options, decoded.charset),
            Err(ParseError::Refused(error)) => return Err(error),
            Err(ParseError::Prefix(prefix)) => prefix,
        };
        declared += 1;
        if declared > options.limits.undeclared_prefixes {
            let message = format!("the prefix `{prefix}` and many others are not declared");
            return Err(repaired.refusal("undeclared-prefixes", 0, message));
        }
        repaired.declare(&prefix);
    }
}

fn derive<'t>(
    tree: &'t Tree<'t>,
    repaired: &Repaired<'_>,
    options: &ExtractionOptions,
    charset: &'static str,
) -> Result<Extraction, ExtractionError> {
    let most = options.limits.parts_of(tree.text().len());
    let too_many = || {
        let message = format!(
            "the document has more than {most} sections, provisions, terms, graphics, tables and footnotes"
        );
        repaired.refusal("too-many-parts", tree.root().range().start, message)
    };
    let structure = Structure::new(tree, most);
    let left = most.checked_sub(structure.parts()).ok_or_else(too_many)?;
    let mut diagnostics = Diagnostics::new(options.limits.diagnostics);
    let detected = language::detect_document_languages(
        tree.root().descendants().filter(|n| in_text(*n)).map(XmlNode::characters),
    );
    let mut front =
        front::read(tree.root(), &structure.metadata, options.urn.as_ref(), &detected, &mut diagnostics)
            .map_err(|RawDiagnostic { code, at, message }| repaired.refusal(code, at, message))?;
    if structure.sections.is_empty() {
        let message = "the document has no section and no text outside its metadata";
        diagnostics.add("no-content", tree.root().range().start, message);
    }
    let language = front.metadata.language().clone();
    let table_ids = graphics::assign_ids(tree, structure.tables.iter().map(|(node, _)| *node), "table");
    let graphic_ids = graphics::assign_ids(tree, structure.graphics.iter().map(|(node, _)| *node), "graphic");
    let document = DocumentIndex::new(tree, structure, language, &table_ids, &graphic_ids);

    let mut block_list = text::BlockList::with_node_count(tree.nodes.len());
    let most_interrupted = options.limits.interrupted_bytes;
    let (mut sections, interruptions) =
        sections(&document, most_interrupted, &mut block_list, &mut diagnostics);
    let terms = terms::terms(&document);
    let (graphics, undecodable) = graphics::graphics(&document, &graphic_ids);
    let graphic_positions =
        document.structure.graphics.iter().map(|(node, _)| repaired.position(node.range().start)).collect();
    let mut tables = tables::tables(&document, table_ids, &block_list, &sections, options.limits.table_bytes);
    let relations = relations::relations(&document, front.relations);

    structure_diagnostics(&document, &undecodable, &mut diagnostics);
    for ((node, _), table) in document.structure.tables.iter().zip(&tables) {
        if let TableContent::Omitted { cells, .. } = table.content {
            let message = format!("table `{}` is listed without its {cells} cells", table.id);
            diagnostics.add("large-table", node.range().start, message);
        }
    }
    let metadata_at = document.structure.metadata.first().map_or(0, |m| m.range().start);
    let numbered = document.numbered();
    let formulae = document.formulae();
    // From here on only sections and blocks are needed.
    drop(document);
    // The text's own languages choose the rules, also when the given URN names another.
    let languages = if detected.is_empty() { front.metadata.languages.clone() } else { detected };
    let language_of = section_languages(&sections, &languages);
    for (section, &language) in sections.iter_mut().zip(&language_of) {
        section.language = languages[language].clone();
    }
    let has_rules = |language: &Lang| norma_provisions::has_rules(language);
    if !languages.iter().all(has_rules) {
        let derived = norma_provisions::languages().filter_map(|code| code.parse().ok());
        front.metadata.provision_languages = derived.collect();
    }
    for language in languages.iter().filter(|language| !has_rules(language)) {
        let message = format!(
            "the text is in `{language}`, for which there are no rules for provisions; provisions are derived for {}",
            norma_provisions::languages().collect::<Vec<_>>().join(", ")
        );
        diagnostics.add("no-rules-for-language", metadata_at, message);
    }

    // Parts in other languages are read by their rules too.
    let mut languages = languages;
    languages_of_blocks(&mut block_list, &sections, &language_of, &mut languages);

    tables::read_quantities(&mut tables, &block_list, &sections);

    let started = Instant::now();
    let found = norma_provisions::find(&norma_provisions::Input {
        urn: &front.urn,
        former_urn: options.former_urn.as_ref().filter(|former| **former != front.urn),
        languages: &languages,
        language_of: &language_of,
        sections: &sections,
        blocks: &block_list.blocks,
        terms: &terms,
        tables: &tables,
        graphics: &graphics,
        numbered: &numbered,
        reference: &front.metadata.reference,
        limits: &norma_provisions::SearchLimits {
            sentence_bytes: options.limits.sentence_bytes,
            diagnostics: options.limits.diagnostics,
            provisions: left,
        },
    })
    .ok_or_else(too_many)?;
    let provisions_took = started.elapsed();
    let mut provisions = found.provisions;
    tables::assign_provisions(&mut tables, &block_list, &sections, &provisions);
    for provision in &mut provisions {
        let section = &sections[provision.section].xml;
        provision.xml = provision.xml.take().map(|element| markup::standalone(&element, section).into());
    }
    let block = |block: usize| repaired.position(block_list.offsets.get(block).copied().unwrap_or_default());
    let mut diagnostics: Vec<Diagnostic> =
        located(repaired.diagnostics.clone(), |at| repaired.source_position(at))
            .chain(located(diagnostics, |at| repaired.position(at)))
            .chain(located(found.diagnostics, block))
            .collect();
    diagnostics.sort_by_key(|d| (d.line, d.column));

    name_term_sections(&mut sections, &terms);
    let duties_without_verbal_form = found.duties_without_verbal_form;
    let edition = Edition::new(EditionParts {
        urn: front.urn,
        metadata: Metadata { duties_without_verbal_form, ..front.metadata },
        status: front.status,
        ics: front.ics,
        relations,
        sections,
        interruptions,
        provisions,
        terms,
        graphics,
        tables,
        formulae,
    })
    .map_err(|e| repaired.refusal("inconsistent", 0, e.to_string()))?;
    Ok(Extraction {
        edition,
        former_ids: found.former_ids,
        diagnostics,
        charset,
        graphic_positions,
        provisions_took,
    })
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

fn in_text(node: XmlNode<'_>) -> bool {
    node.name() == Name::Text && node.parent().is_some_and(|p| p.name() == Name::P)
}

/// The language of each section, as an index of the document's languages.
fn section_languages(sections: &[Section], languages: &[Lang]) -> Vec<usize> {
    if languages.len() < 2 {
        return vec![0; sections.len()];
    }
    let mut found: Vec<usize> = Vec::with_capacity(sections.len());
    for section in sections {
        let own = language::detect_section_language(&section.text, languages);
        found.push(own.or_else(|| section.parent.map(|parent| found[parent])).unwrap_or_default());
    }
    found
}

/// Gives each block for which the source states another language than that of its section its language,
/// unless its words are in that of the section: editors set the attribute without looking.
fn languages_of_blocks(
    block_list: &mut text::BlockList<'_>,
    sections: &[Section],
    language_of: &[usize],
    languages: &mut Vec<Lang>,
) {
    for (block, stated) in std::mem::take(&mut block_list.stated_languages) {
        let Ok(stated) = Lang::of_source(stated) else { continue };
        let block = &mut block_list.blocks[block];
        let of_section = &languages[language_of[block.section]];
        if stated.primary() == of_section.primary() {
            continue;
        }
        let text = &sections[block.section].text[block.range.clone()];
        let both = [of_section.clone(), stated.clone()];
        if language::detect_section_language(text, &both) == Some(0) {
            continue;
        }
        let known = languages.iter().position(|known| known.primary() == stated.primary());
        let index = known.unwrap_or_else(|| {
            languages.push(stated);
            languages.len() - 1
        });
        block.language = u8::try_from(index).ok();
    }
}

/// Writes each section's text and markup, and places its blocks in the markup. Also gives the sections that
/// interrupt a text.
fn sections<'t>(
    document: &DocumentIndex<'t>,
    most_interrupted: usize,
    block_list: &mut text::BlockList<'t>,
    diagnostics: &mut Diagnostics,
) -> (Vec<Section>, Vec<Interruption>) {
    let mut left = most_interrupted;
    let mut sections = Vec::with_capacity(document.structure.sections.len());
    let mut interruptions = Vec::new();
    for (index, section_plan) in document.structure.sections.iter().enumerate() {
        let markup = markup::section_markup(
            document.tree,
            &section_plan.extent,
            &section_plan.excluded,
            &section_plan.struck_after,
        );
        let before = interruptions.len();
        let text = text::section(document, index, &markup, block_list, &mut interruptions);
        match left.checked_sub(text.len().saturating_mul(interruptions.len() - before)) {
            Some(rest) => left = rest,
            None => {
                interruptions.truncate(before);
                let message = format!("the text of section `{}` stays together", section_plan.id);
                diagnostics.add("interrupted-text", section_plan.extent.range().start, message);
            }
        }
        sections.push(Section {
            id: section_plan.id.clone(),
            source_id: section_plan.source_id.as_deref().map(Into::into),
            label: section_plan.label.as_deref().map(Into::into),
            number: section_plan.number.as_deref().map(Into::into),
            title: section_plan.title.and_then(|t| text::line(Some(document), t)).map(Into::into),
            kind: section_plan.kind,
            language: document.language.clone(),
            normative: section_plan.normative,
            level: section_plan.level,
            parent: section_plan.parent,
            layer: section_plan.layer,
            xml: markup.xml,
            text,
        });
    }
    interruptions.sort_by_key(|interruption| interruption.section);
    (sections, interruptions)
}

/// Diagnostics that need the whole document.
fn structure_diagnostics(
    document: &DocumentIndex<'_>,
    undecodable: &[XmlNode<'_>],
    diagnostics: &mut Diagnostics,
) {
    let mut annexes: Vec<(&str, usize)> = Vec::new();
    for section in &document.structure.sections {
        let at = section.extent.range().start;
        let Some(element) = section.extent.element() else { continue };
        if element.name() == Name::App
            && section.kind == norma_model::SectionKind::Annex
            && section_kind::annex_type(element).is_none()
        {
            annexes.push((section.id.as_str(), at));
        }
        if let Some(id) = section.source_id.as_deref().filter(|id| !document.tree.is_unique(id)) {
            let message =
                format!("several elements have the id `{id}`; the section's id is `{}`", section.id);
            diagnostics.add("duplicate-id", at, message);
        }
    }
    if let Some((_, at)) = annexes.first() {
        let ids: Vec<&str> = annexes.iter().map(|(id, _)| *id).collect();
        let message = format!(
            "annexes that say in no known word whether they are normative are read as normative: {}",
            ids.join(", ")
        );
        diagnostics.add("annex-without-type", *at, message);
    }
    for (node, _) in &document.structure.graphics {
        if node.attr("href").is_none() {
            diagnostics.add("graphic-without-href", node.range().start, "a graphic names no file");
        }
    }
    for node in undecodable {
        let message = "the `data:` URI of a graphic cannot be decoded";
        diagnostics.add("unreadable-data-uri", node.range().start, message);
    }
    for (node, _) in &document.structure.terms {
        if node.all(Name::Term).all(XmlNode::is_blank) {
            diagnostics.add("empty-term", node.range().start, "an entry of terms has no designation");
        }
    }
    let changes = &document.tree.changes;
    let struck: HashSet<&str> =
        changes.struck.iter().flat_map(|part| &part.ids).map(String::as_str).collect();
    for node in document.tree.root().all(Name::Xref) {
        let missing =
            node.attr("rid").and_then(|r| r.split_whitespace().find(|rid| !document.tree.has_id(rid)));
        let Some(rid) = missing else { continue };
        let message = match struck.contains(rid) {
            true => format!("the element with the id `{rid}` is struck out"),
            false => format!("no element has the id `{rid}`"),
        };
        diagnostics.add("dangling-reference", node.range().start, message);
    }
    for node in document.tree.root().all(Name::Include) {
        let file = node.attr("href").unwrap_or_default();
        let message = format!("the document includes `{file}`, which is not read");
        diagnostics.add("include-not-resolved", node.range().start, message);
    }
    if let Some(at) = changes.first {
        let message = format!(
            "the document has change marks: insertions {}, deletions {}; the text is that after the changes",
            changes.insertions, changes.deletions
        );
        diagnostics.add("change-marks", at, message);
    }
}
