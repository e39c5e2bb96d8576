//! Building the objects of a standard from the answers of the API.

use std::collections::{HashMap, HashSet};

use norma_api::shapes::{Graphic, Provision, Table, Term};

use super::attributes::AttributeContext;
use super::blocks::{KnownIds, SectionPiece, graphics, heading, pieces, provision_contents};
use super::files::{files, words};
use super::{ExportedDocument, ExportedSection, ObjectKind, RequirementDocument, RequirementObject};
use crate::error::ExportError;
use crate::html::{self, HtmlElement, HtmlNode, text_of, without_blanks};
use crate::identity::PartIds;
use crate::sheet::whole;

/// The objects of a standard with these ids.
pub(crate) fn build<'a>(
    document: &'a ExportedDocument<'a>,
    ids: &'a PartIds,
) -> Result<RequirementDocument<'a>, ExportError> {
    let mut builder = ObjectBuilder::new(document, ids);
    for section in &document.sections {
        builder.section(section)?;
    }
    let mut objects = builder.objects;
    if let Some(chosen) = &document.chosen {
        objects = only(objects, chosen);
    }
    let has_provision = objects.iter().any(|object| object.kind == ObjectKind::Provision);
    if objects.is_empty() || document.chosen.is_some() && !has_provision {
        return Err(ExportError::NothingSelected);
    }
    let mut files = files(document);
    let mut shown: HashSet<&str> = HashSet::new();
    for object in &objects {
        shown.extend(object.graphic_ids.iter().map(String::as_str));
    }
    files.retain(|file| file.graphic_ids.iter().any(|id| shown.contains(id)));
    Ok(RequirementDocument { source: document, id: ids.document_id(), objects, files })
}

/// The provisions that are chosen, and what they are below.
fn only<'a>(objects: Vec<RequirementObject<'a>>, chosen: &HashSet<String>) -> Vec<RequirementObject<'a>> {
    let mut is_needed = vec![false; objects.len()];
    for (index, object) in objects.iter().enumerate() {
        let Some(provision) = object.provision else { continue };
        let mut next = if chosen.contains(&*provision.id) { Some(index) } else { None };
        while let Some(index) = next {
            is_needed[index] = true;
            next = objects[index].parent;
        }
    }
    // The new index of each object that is left.
    let mut new_index = vec![0; objects.len()];
    let mut left: Vec<RequirementObject<'a>> = Vec::new();
    for (index, mut object) in objects.into_iter().enumerate() {
        if is_needed[index] {
            new_index[index] = left.len();
            object.parent = object.parent.map(|parent| new_index[parent]);
            left.push(object);
        }
    }
    left
}

struct ObjectBuilder<'a> {
    document: &'a ExportedDocument<'a>,
    ids: &'a PartIds,
    objects: Vec<RequirementObject<'a>>,
    /// Index of the heading of each section.
    headings: HashMap<&'a str, usize>,
    provisions: HashMap<&'a str, &'a Provision<'a>>,
    terms: HashMap<&'a str, &'a Term<'a>>,
    tables: HashMap<&'a str, &'a Table<'a>>,
    graphics: HashMap<&'a str, &'a Graphic<'a>>,
    context: AttributeContext<'a>,
    /// How often a text of a kind occurred so far.
    twins: HashMap<(ObjectKind, String), usize>,
    /// Ids of the API that an object has already.
    written: HashSet<&'a str>,
}

impl<'a> ObjectBuilder<'a> {
    fn new(document: &'a ExportedDocument<'a>, ids: &'a PartIds) -> Self {
        let standard = &document.standard;
        Self {
            document,
            ids,
            objects: Vec::new(),
            headings: HashMap::new(),
            provisions: standard.provisions.iter().map(|one| (&*one.id, one)).collect(),
            terms: standard.terms.iter().map(|one| (&*one.id, one)).collect(),
            tables: standard.tables.iter().map(|one| (&*one.id, one)).collect(),
            graphics: document.graphics.iter().map(|one| (&*one.id, one)).collect(),
            context: AttributeContext::new(document),
            twins: HashMap::new(),
            written: HashSet::new(),
        }
    }

    fn section(&mut self, section: &'a ExportedSection<'a>) -> Result<(), ExportError> {
        let head = &section.head;
        let content = match &section.html {
            Some(html) => section_content(html::read(html)?),
            None => Vec::new(),
        };
        let parent = section.parent_id.as_deref().and_then(|id| self.headings.get(id).copied());
        let mut object = self.object(ObjectKind::Heading, Some(&head.id), heading(&content));
        object.id = self.ids.id(ObjectKind::Heading, &head.id);
        object.parent = parent;
        // `Annex A` rather than its number.
        object.label = head.label.as_deref().or(head.number.as_deref()).unwrap_or_default().to_owned();
        object.title = head.title.as_deref().map(str::to_owned);
        if object.content.is_empty() {
            let words = [object.label.as_str(), object.title.as_deref().unwrap_or_default()].join(" ");
            object.content = vec![paragraph(words.trim())];
        }
        let heading = self.push(object, head.normative);
        self.headings.insert(&head.id, heading);

        let mut contents = provision_contents(&content);
        let known = KnownIds {
            tables: self.tables.keys().copied().collect(),
            terms: self.terms.keys().copied().collect(),
        };
        for piece in pieces(&content, &known) {
            match piece {
                SectionPiece::Provision(id) => self.provision(&id, &mut contents, heading, head.normative)?,
                SectionPiece::Part { kind, id, nodes, provisions } => {
                    let part = self.part(kind, id.as_deref(), nodes, heading, head.normative);
                    for id in provisions {
                        self.provision(&id, &mut contents, part, head.normative)?;
                    }
                }
            }
        }
        // Provisions that are not marked in the text: with their words alone, after it.
        let document = self.document;
        for provision in &document.standard.provisions {
            if provision.section.id == head.id {
                self.provision(&provision.id, &mut contents, heading, head.normative)?;
            }
        }
        // Terms, tables and pictures that are not found in the text.
        for term in &document.standard.terms {
            if term.section.id == head.id && section.html.is_some() && !self.written.contains(&*term.id) {
                self.part(ObjectKind::Term, Some(&term.id), term_content(term), heading, head.normative);
            }
        }
        for table in &document.standard.tables {
            if table.section.id == head.id && section.html.is_some() && !self.written.contains(&*table.id) {
                self.part(ObjectKind::Table, Some(&table.id), table_content(table), heading, head.normative);
            }
        }
        Ok(())
    }

    /// Adds a part that is not a provision, and returns its index.
    fn part(
        &mut self,
        kind: ObjectKind,
        id: Option<&str>,
        nodes: Vec<HtmlNode>,
        parent: usize,
        normative: bool,
    ) -> usize {
        let local_id: Option<&'a str> = match (kind, id) {
            (ObjectKind::Term, Some(id)) => self.terms.get(id).map(|term| &*term.id),
            (ObjectKind::Table, Some(id)) => self.tables.get(id).map(|table| &*table.id),
            (ObjectKind::Picture, Some(id)) => self.graphics.get(id).map(|graphic| &*graphic.id),
            _ => None,
        };
        // A part that the text shows twice is an object with an id of the API once.
        let local_id = local_id.filter(|id| self.written.insert(id));
        let mut object = self.object(kind, local_id, nodes);
        object.parent = Some(parent);
        object.id = match local_id {
            Some(id) => self.ids.id(kind, id),
            None => {
                let twins = self.twins.entry((kind, without_blanks(&object.text))).or_default();
                *twins += 1;
                self.ids.text_id(kind, &object.text, *twins)
            }
        };
        self.name_part(&mut object);
        self.push(object, normative)
    }

    /// Sets label and title of a table, picture or term.
    fn name_part(&self, object: &mut RequirementObject<'a>) {
        let Some(id) = object.local_id else { return };
        match object.kind {
            ObjectKind::Table => {
                let Some(table) = self.tables.get(id) else { return };
                let group = table.group.as_ref().and_then(|group| group.label.as_deref()).unwrap_or_default();
                let label = table.label.as_deref().unwrap_or_default();
                object.label = format!("{group} {label}").trim().to_owned();
                object.title = table.caption.as_deref().map(str::to_owned);
            }
            ObjectKind::Picture => {
                let Some(graphic) = self.graphics.get(id) else { return };
                object.label = graphic.label.as_deref().unwrap_or_default().to_owned();
                object.title = Some(graphic.caption.as_deref().map_or_else(|| words(graphic), str::to_owned));
            }
            ObjectKind::Term => {
                let Some(&term) = self.terms.get(id) else { return };
                object.label = term.number.as_deref().unwrap_or_default().to_owned();
                object.title = term.designations.first().map(|designation| designation.text.to_string());
            }
            _ => {}
        }
    }

    /// Adds a provision, once.
    fn provision(
        &mut self,
        id: &str,
        contents: &mut HashMap<String, Vec<HtmlNode>>,
        parent: usize,
        normative: bool,
    ) -> Result<(), ExportError> {
        let Some(&provision) = self.provisions.get(id) else { return Ok(()) };
        if !self.written.insert(&provision.id) {
            return Ok(());
        }
        let mut content = Vec::new();
        if let Some(lead_in) = &provision.lead_in {
            content.push(paragraph(lead_in));
        }
        let own = contents.remove(id).unwrap_or_default();
        // What is written is what the API says: its words where the tree has others.
        if without_blanks(&text_of(&own)) == without_blanks(&provision.text) {
            content.push(HtmlNode::Element(HtmlElement::new("p", own)));
        } else {
            content.push(paragraph(&provision.text));
        }
        let mut object = self.object(ObjectKind::Provision, Some(&provision.id), content);
        object.id = self.ids.provision_id(provision)?;
        object.parent = Some(parent);
        object.label = provision.label.to_string();
        object.text = whole(provision.lead_in.as_deref(), &provision.text).into_owned();
        object.provision = Some(provision);
        self.push(object, normative);
        Ok(())
    }

    fn object(
        &self,
        kind: ObjectKind,
        local_id: Option<&'a str>,
        content: Vec<HtmlNode>,
    ) -> RequirementObject<'a> {
        let mut graphic_ids = graphics(&content);
        graphic_ids.reverse();
        RequirementObject {
            id: String::new(),
            kind,
            local_id,
            parent: None,
            label: String::new(),
            title: None,
            text: text_of(&content),
            content,
            provision: None,
            graphic_ids,
            attributes: Vec::new(),
        }
    }

    fn push(&mut self, mut object: RequirementObject<'a>, normative: bool) -> usize {
        object.attributes = self.context.values(&object, normative);
        self.objects.push(object);
        self.objects.len() - 1
    }
}

/// What is within the element of a section.
fn section_content(nodes: Vec<HtmlNode>) -> Vec<HtmlNode> {
    for node in nodes {
        if let HtmlNode::Element(element) = node
            && element.name == "section"
        {
            return element.children;
        }
    }
    Vec::new()
}

fn paragraph(text: &str) -> HtmlNode {
    HtmlNode::Element(HtmlElement::new("p", vec![HtmlNode::Text(text.to_owned())]))
}

/// The texts of a term, where its section does not show it.
fn term_content(term: &Term<'_>) -> Vec<HtmlNode> {
    let mut content = Vec::new();
    for designation in &term.designations {
        content.push(paragraph(&designation.text));
    }
    for definition in &term.definitions {
        content.push(paragraph(&definition.text));
    }
    for text in [&term.notes, &term.examples, &term.sources].into_iter().flatten() {
        content.push(paragraph(&text.text));
    }
    content
}

/// The cells of a table, where its section does not show it.
fn table_content(table: &Table<'_>) -> Vec<HtmlNode> {
    let mut content = Vec::new();
    if let Some(caption) = &table.caption {
        content.push(paragraph(caption));
    }
    let mut rows = Vec::new();
    for row in table.grid() {
        let mut cells = Vec::new();
        for cell in row {
            let text = cell.map_or("", |cell| &cell.text);
            let words = vec![HtmlNode::Text(text.to_owned())];
            cells.push(HtmlNode::Element(HtmlElement::new("td", words)));
        }
        rows.push(HtmlNode::Element(HtmlElement::new("tr", cells)));
    }
    if !rows.is_empty() {
        let body = HtmlNode::Element(HtmlElement::new("tbody", rows));
        content.push(HtmlNode::Element(HtmlElement::new("table", vec![body])));
    }
    content
}
