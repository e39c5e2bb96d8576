//! NISO STS, ISOSTS and TBX bytes in; an [`Edition`] and [`Diagnostic`]s out.
//!
//! [`extract`] is a pure function: it opens no file and fetches nothing. What a document lacks is worked out
//! where that can be done honestly, and every such step is a diagnostic.

mod diagnostic;
mod document;
mod error;
mod front;
mod limits;
mod text;
mod xml;

use std::time::{Duration, Instant};

use norma_model::{Edition, EditionParts, Lang, Section, Table, TableId, Urn};
use norma_provisions::label::number_of;

pub use diagnostic::{Diagnostic, Entry, Severity, catalogue};
pub use error::Error;
pub use limits::Limits;

use diagnostic::{Flaw, Flaws, diagnostics};
use document::body::Plan;
use document::book::Book;
use document::{graphics, language, markup, relations, section_kind};
use text::terms;
use xml::decode;
use xml::names::Name;
use xml::repair::Repaired;
use xml::tree::{Node, Tree, Unread};

/// Changes whenever the same source may give another edition: stored editions of an older one are stale.
pub const DERIVER_VERSION: u32 = 9;

/// What a caller decides.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The name of the edition, where the source does not tell it or tells it wrong.
    pub urn: Option<Urn>,
    /// What the source may cost.
    pub limits: Limits,
}

/// What a source gave.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The edition.
    pub edition: Edition,
    /// The source's flaws, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// Name of the encoding of the source (WHATWG Encoding Standard): `UTF-8`.
    pub charset: &'static str,
    /// Line and column of the element of each graphic, parallel to the edition's graphics.
    pub graphic_positions: Vec<(u32, u32)>,
    /// How long the search for provisions took, by the wall clock: for benches, and the only member that two
    /// readings of one source do not share.
    pub provisions_took: Duration,
}

/// Names of the elements that are the root of a document (NISO STS, ISOSTS).
pub const ROOTS: [&str; 3] = ["standard", "standards-document", "adoption"];

/// Reads one source.
///
/// # Errors
/// Refuses what is no XML, goes beyond a limit, or does not tell which standard it is.
pub fn extract(source: &[u8], options: &Options) -> Result<Extraction, Error> {
    let decoded = decode::decode(source, &options.limits)?;
    let mut repaired = Repaired::of(&decoded.text, &options.limits)?;
    let mut declared = 0;
    loop {
        let prefix = match Tree::parse(&repaired, &options.limits) {
            Ok(tree) => return derive(&tree, &repaired, options, decoded.charset),
            Err(Unread::Refused(error)) => return Err(error),
            Err(Unread::Prefix(prefix)) => prefix,
        };
        declared += 1;
        if declared > options.limits.undeclared_prefixes {
            let message = format!("the prefix `{prefix}` and many others are not declared");
            return Err(refusal(&repaired, Flaw { code: "undeclared-prefixes", at: 0, message }));
        }
        repaired.declare(&prefix);
    }
}

fn derive<'t>(
    tree: &'t Tree<'t>,
    repaired: &Repaired<'_>,
    options: &Options,
    charset: &'static str,
) -> Result<Extraction, Error> {
    let most = options.limits.parts_of(tree.text().len());
    let too_many = || {
        let message = format!(
            "the document is cut into more than {most} sections, provisions, terms, graphics, tables and footnotes"
        );
        refusal(repaired, Flaw { code: "too-many-parts", at: tree.root().range().start, message })
    };
    let plan = Plan::of(tree, most);
    let left = most.checked_sub(plan.parts()).ok_or_else(too_many)?;
    let mut flaws = Flaws::new(options.limits.flaws);
    let detected =
        language::of_document(tree.root().descendants().filter(|n| in_text(*n)).map(Node::characters));
    let front = front::read(tree.root(), &plan.metadata, options.urn.as_ref(), &detected, &mut flaws)
        .map_err(|flaw| refusal(repaired, flaw))?;
    if plan.sections.is_empty() {
        let message = "the document holds no section and no text outside its metadata".to_owned();
        flaws.push(Flaw { code: "no-content", at: tree.root().range().start, message });
    }
    let language = front.metadata.language().clone();
    let table_ids = graphics::ids(tree, plan.tables.iter().map(|(node, _)| *node), "table");
    let graphic_ids = graphics::ids(tree, plan.graphics.iter().map(|(node, _)| *node), "graphic");
    let book = Book::of(tree, plan, language, &table_ids, &graphic_ids);

    let mut ledger = text::Ledger::of(tree.nodes.len());
    let mut sections = sections(&book, &mut ledger);
    let terms = terms::terms(&book);
    let (graphics, unread) = graphics::graphics(&book.plan, &graphic_ids);
    let graphic_positions =
        book.plan.graphics.iter().map(|(node, _)| repaired.place(node.range().start)).collect();
    let tables = tables(&book, table_ids);
    let relations = relations::relations(&book, front.relations);

    structure_flaws(&book, &unread, &mut flaws);
    let metadata_at = book.plan.metadata.first().map_or(0, |m| m.range().start);
    let formulas = book.formulas();
    // From here on sections and blocks say all that is needed.
    drop(book);
    // The words tell which rules hold, also where a given URN says another language.
    let languages = if detected.is_empty() { front.metadata.languages.clone() } else { detected };
    let language_of = section_languages(&sections, &languages);
    for (section, &language) in sections.iter_mut().zip(&language_of) {
        section.language = languages[language].clone();
    }
    for language in languages.iter().filter(|language| !norma_provisions::has_rules(language)) {
        let message = format!("the text is in `{language}`, for which there are no rules for provisions");
        flaws.push(Flaw { code: "no-rules-for-language", at: metadata_at, message });
    }

    let started = Instant::now();
    let found = norma_provisions::find(&norma_provisions::Input {
        urn: &front.urn,
        languages: &languages,
        language_of: &language_of,
        sections: &sections,
        blocks: &ledger.blocks,
        terms: &terms,
        tables: &tables,
        graphics: &graphics,
        formulas: &formulas,
        reference: &front.metadata.reference,
        limits: &norma_provisions::Limits {
            sentence_bytes: options.limits.sentence_bytes,
            diagnostics: options.limits.flaws,
            provisions: left,
        },
    })
    .ok_or_else(too_many)?;
    let provisions_took = started.elapsed();
    let mut provisions = found.provisions;
    for provision in &mut provisions {
        let section = &sections[provision.section].xml;
        provision.xml = provision.xml.take().map(|element| markup::standalone(&element, section).into());
    }
    let block = |block: usize| repaired.place(ledger.places.get(block).copied().unwrap_or_default());
    let mut diagnostics: Vec<Diagnostic> =
        diagnostics(repaired.flaws.clone(), |at| repaired.source_place(at))
            .chain(diagnostics(flaws, |at| repaired.place(at)))
            .chain(diagnostics(found.diagnostics, block))
            .collect();
    diagnostics.sort_by_key(|d| (d.line, d.column));

    let edition = Edition::new(EditionParts {
        urn: front.urn,
        metadata: front.metadata,
        status: front.status,
        ics: front.ics,
        relations,
        sections,
        provisions,
        terms,
        graphics,
        tables,
    })
    .map_err(|e| refusal(repaired, Flaw { code: "inconsistent", at: 0, message: e.to_string() }))?;
    Ok(Extraction { edition, diagnostics, charset, graphic_positions, provisions_took })
}

fn in_text(node: Node<'_>) -> bool {
    node.name() == Name::Text && node.parent().is_some_and(|p| p.name() == Name::P)
}

/// The language of each section, as an index of the document's languages.
fn section_languages(sections: &[Section], languages: &[Lang]) -> Vec<usize> {
    if languages.len() < 2 {
        return vec![0; sections.len()];
    }
    let mut found: Vec<usize> = Vec::with_capacity(sections.len());
    for section in sections {
        let own = language::of_section(&section.text, languages);
        found.push(own.or_else(|| section.parent.map(|parent| found[parent])).unwrap_or_default());
    }
    found
}

/// Writes each section's text and markup, and places its blocks in the markup.
fn sections<'t>(book: &Book<'t>, ledger: &mut text::Ledger<'t>) -> Vec<Section> {
    let mut sections = Vec::with_capacity(book.plan.sections.len());
    for (index, planned) in book.plan.sections.iter().enumerate() {
        let markup = markup::of_section(book.tree, planned);
        let text = text::section(book, index, &markup, ledger);
        sections.push(Section {
            id: planned.id.clone(),
            source_id: planned.source_id.as_deref().map(Into::into),
            label: planned.label.as_deref().map(Into::into),
            number: planned.number.as_deref().map(Into::into),
            title: planned
                .title
                .map(|t| text::line(book, index, t))
                .filter(|t| !t.is_empty())
                .map(Into::into),
            kind: planned.kind,
            language: book.language.clone(),
            normative: planned.normative,
            level: planned.level,
            parent: planned.parent,
            xml: markup.xml,
            text,
        });
    }
    sections
}

fn tables(book: &Book<'_>, ids: Vec<String>) -> Vec<Table> {
    let tables = book.plan.tables.iter().zip(ids);
    tables
        .map(|(&(node, section), id)| {
            let caption = node.child(Name::Caption);
            let title =
                caption.and_then(|c| c.child(Name::Title)).or(caption).or_else(|| node.child(Name::Title));
            Table {
                id: TableId::new(id),
                number: node.child(Name::Label).and_then(Node::words).and_then(|l| number_of(&l)),
                caption: title.map(|t| text::line(book, section, t)).filter(|t| !t.is_empty()),
                section,
            }
        })
        .collect()
}

/// Flaws of the text that are seen once all is known.
fn structure_flaws(book: &Book<'_>, unread: &[Node<'_>], flaws: &mut Flaws) {
    let mut note = |code, at, message| flaws.push(Flaw { code, at, message });
    for section in &book.plan.sections {
        let at = section.extent.range().start;
        let Some(element) = section.extent.element() else { continue };
        if element.name() == Name::App
            && section.kind == norma_model::SectionKind::Annex
            && section_kind::annex_type(element).is_none()
        {
            note(
                "annex-without-type",
                at,
                format!("annex {} is called neither normative nor informative", section.id),
            );
        }
        if let Some(id) = section.source_id.as_deref().filter(|id| !book.tree.is_unique(id)) {
            note(
                "duplicate-id",
                at,
                format!("several elements bear the id `{id}`; the section is `{}`", section.id),
            );
        }
    }
    for (node, _) in &book.plan.graphics {
        if node.attr("href").is_none() {
            note("graphic-without-href", node.range().start, "a graphic names no file".to_owned());
        }
    }
    for node in unread {
        note(
            "unreadable-data-uri",
            node.range().start,
            "the `data:` URI of a graphic cannot be decoded".to_owned(),
        );
    }
    for (node, _) in &book.plan.terms {
        if node.all(Name::Term).all(Node::is_blank) {
            note("empty-term", node.range().start, "an entry of terms has no designation".to_owned());
        }
    }
    for node in book.tree.root().all(Name::Xref) {
        let missing = node.attr("rid").and_then(|r| r.split_whitespace().find(|rid| !book.tree.knows(rid)));
        if let Some(rid) = missing {
            note("dangling-reference", node.range().start, format!("`{rid}` is the id of no element"));
        }
    }
}

fn refusal(repaired: &Repaired<'_>, flaw: Flaw) -> Error {
    Error::of(flaw.code, repaired.place(flaw.at), flaw.message)
}
