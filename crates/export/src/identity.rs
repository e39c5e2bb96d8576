//! Ids of objects: those of one edition, or those that survive new editions by the state next to an export.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use norma_api::shapes::{ComparedPart, ComparisonView, Provision, SectionRef};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::ExportError;
use crate::html::without_blanks;
use crate::objects::{ExportedDocument, ObjectKind};

/// Version of the form of the state.
const VERSION: u32 = 1;

/// What an exporter remembers of sections, terms, tables and pictures, so that they have the same ids in the
/// next edition. It has ids and digests, and no word of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IdentityState {
    version: u32,
    /// By the URN of the document and a language.
    documents: BTreeMap<String, DocumentState>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DocumentState {
    /// URN of the edition that was exported last.
    latest: String,
    editions: BTreeMap<String, EditionState>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EditionState {
    revision: String,
    /// By the kind and the id in the edition.
    parts: BTreeMap<String, PartState>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PartState {
    /// The id in exports.
    id: String,
    /// Id of the section of a term in the edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    /// Digest of the content of a table or picture, or of the first designation of a term.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

/// The edition that an export has to be compared with, so that its parts get their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviousEdition {
    /// URN of the edition, which may be the exported one.
    pub urn: String,
    /// Its revision, where another revision of the exported edition is meant.
    pub revision: Option<String>,
}

impl Default for IdentityState {
    fn default() -> Self {
        Self { version: VERSION, documents: BTreeMap::new() }
    }
}

impl IdentityState {
    /// Reads a state.
    ///
    /// # Errors
    /// It is not a state, or one of a later version of the program.
    pub fn parse(json: &str) -> Result<Self, ExportError> {
        let state: Self =
            serde_json::from_str(json).map_err(|error| ExportError::State(error.to_string()))?;
        if state.version == VERSION {
            Ok(state)
        } else {
            Err(ExportError::State(format!("expected version {VERSION}, found {}", state.version)))
        }
    }

    /// The state as JSON, the same for the same state.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("the state has text keys");
        json.push('\n');
        json
    }

    /// The edition to compare an exported one with; `None` where its ids are in the state, or no edition of
    /// its document is.
    pub fn previous(&self, document: &ExportedDocument<'_>) -> Option<PreviousEdition> {
        let bibliographic = &document.standard.bibliographic;
        let known = self.documents.get(&key(document))?;
        match known.editions.get(&*bibliographic.urn) {
            Some(edition) if edition.revision == *bibliographic.revision => None,
            Some(edition) => Some(PreviousEdition {
                urn: bibliographic.urn.to_string(),
                revision: Some(edition.revision.clone()),
            }),
            None => Some(PreviousEdition { urn: known.latest.clone(), revision: None }),
        }
    }

    /// The ids of an exported edition, which the state then knows as well. `comparison` is that of it with
    /// the edition of [`Self::previous`].
    pub fn assign(
        &mut self,
        document: &ExportedDocument<'_>,
        comparison: Option<&ComparisonView<'_>>,
    ) -> PartIds {
        let bibliographic = &document.standard.bibliographic;
        let previous = self.previous(document);
        let known = self.documents.entry(key(document)).or_default();
        let parts = parts(document);
        let stored = match (&previous, comparison) {
            // The ids of this edition are known.
            (None, _) => known.editions.get(&*bibliographic.urn).map(|edition| edition.parts.clone()),
            (Some(previous), Some(comparison)) => known.editions.get(&previous.urn).map(|edition| {
                let pairs = Pairs::new(comparison, &bibliographic.urn, &bibliographic.revision);
                inherited(&parts, &edition.parts, &pairs)
            }),
            (Some(_), None) => None,
        };
        let mut inherited = stored.unwrap_or_default();
        for part in parts {
            let fresh = [&*bibliographic.urn, &*bibliographic.revision, &*part.key];
            let mut state = part.state;
            state.id = match inherited.remove(&part.key) {
                Some(stored) => stored.id,
                None => digest_id(part.prefix, &fresh),
            };
            inherited.insert(part.key, state);
        }
        let ids = PartIds::new(document, Some(&inherited));
        let edition = EditionState { revision: bibliographic.revision.to_string(), parts: inherited };
        known.latest = bibliographic.urn.to_string();
        known.editions.insert(bibliographic.urn.to_string(), edition);
        ids
    }
}

/// The document and language of an edition: editions in other languages have no parts in common.
fn key(document: &ExportedDocument<'_>) -> String {
    format!("{} {}", document.document_urn, document.standard.bibliographic.metadata.language)
}

/// A part of an edition that has an id of its own in exports.
struct Part {
    /// Kind and id in the edition.
    key: String,
    prefix: &'static str,
    /// Its state, without the id.
    state: PartState,
}

impl Part {
    fn new(kind: ObjectKind, id: &str, section: Option<&str>, digest: Option<String>) -> Self {
        let state = PartState { id: String::new(), section: section.map(str::to_owned), digest };
        Self { key: part_key(kind, id), prefix: prefix(kind), state }
    }
}

fn parts(document: &ExportedDocument<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    for section in &document.sections {
        parts.push(Part::new(ObjectKind::Heading, &section.head.id, None, None));
    }
    for term in &document.standard.terms {
        let designation = term.designations.first().map(|first| digest(&[&first.text]));
        parts.push(Part::new(ObjectKind::Term, &term.id, Some(&term.section.id), designation));
    }
    for table in &document.standard.tables {
        let mut texts: Vec<&str> = vec![table.caption.as_deref().unwrap_or_default()];
        for column in &table.columns {
            texts.extend(column.heads.iter().map(|head| &**head));
        }
        for row in &table.rows {
            texts.extend(row.cells.iter().map(|cell| &*cell.text));
        }
        parts.push(Part::new(ObjectKind::Table, &table.id, None, Some(digest(&texts))));
    }
    for graphic in &document.graphics {
        let file = graphic.digest.as_deref().map(|file| {
            let caption = graphic.caption.as_deref().unwrap_or_default();
            digest(&[file, caption])
        });
        parts.push(Part::new(ObjectKind::Picture, &graphic.id, None, file));
    }
    parts
}

fn part_key(kind: ObjectKind, id: &str) -> String {
    format!("{} {id}", kind.as_str())
}

const fn prefix(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Heading => "sec",
        ObjectKind::Term => "trm",
        ObjectKind::Table => "tbl",
        ObjectKind::Picture => "pic",
        ObjectKind::Provision | ObjectKind::Note | ObjectKind::Text => "txt",
    }
}

/// Which part of the exported edition was which part of the previous one: its id there, by its id here.
#[derive(Default)]
struct Pairs {
    sections: HashMap<String, String>,
    tables: HashMap<String, String>,
    /// Ids of tables of the previous edition that are known to have another fate than being the same.
    changed_tables: BTreeSet<String>,
}

impl Pairs {
    fn new(comparison: &ComparisonView<'_>, urn: &str, revision: &str) -> Self {
        let newer = &comparison.newer;
        let is_newer = *newer.urn == *urn && *newer.revision == *revision;
        let mut pairs = Self::default();
        let mut used = BTreeSet::new();
        for change in &comparison.section_changes {
            if let (Some(older), Some(newer)) = (&change.older, &change.newer) {
                let id = |section: &SectionRef<'_>| section.id.to_string();
                let (here, there) = if is_newer { (id(newer), id(older)) } else { (id(older), id(newer)) };
                // One to one, whatever a service answers.
                if !pairs.sections.contains_key(&here) && used.insert(there.clone()) {
                    pairs.sections.insert(here, there);
                }
            }
        }
        for change in &comparison.table_changes {
            let id = |part: &ComparedPart<'_>| part.id.to_string();
            let (here, there) =
                if is_newer { (&change.newer, &change.older) } else { (&change.older, &change.newer) };
            if let Some(there) = there {
                pairs.changed_tables.insert(id(there));
            }
            if let (Some(here), Some(there)) = (here, there) {
                pairs.tables.entry(id(here)).or_insert_with(|| id(there));
            }
        }
        pairs
    }
}

/// The parts of an edition that were parts of the previous one, with the ids that they had there.
fn inherited(
    parts: &[Part],
    previous: &BTreeMap<String, PartState>,
    pairs: &Pairs,
) -> BTreeMap<String, PartState> {
    let mut inherited: BTreeMap<String, PartState> = BTreeMap::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for part in parts {
        let Some((kind, id)) = part.key.split_once(' ') else { continue };
        let found = match kind {
            "heading" => pairs.sections.get(id).map(|there| format!("heading {there}")),
            "term" => term_there(part, parts, previous, pairs),
            "table" => match pairs.tables.get(id) {
                Some(there) => Some(format!("table {there}")),
                None => same_content(part, parts, previous, kind).filter(|key| {
                    let there = key.split_once(' ').map_or("", |(_, id)| id);
                    !pairs.changed_tables.contains(there)
                }),
            },
            _ => same_content(part, parts, previous, kind),
        };
        let Some(key) = found else { continue };
        if let Some(state) = previous.get(&key)
            && used.insert(key)
        {
            inherited.insert(part.key.clone(), state.clone());
        }
    }
    inherited
}

/// The term of the previous edition that a term was: in the section that became its section, the only one or
/// the only one with its designation.
fn term_there(
    part: &Part,
    parts: &[Part],
    previous: &BTreeMap<String, PartState>,
    pairs: &Pairs,
) -> Option<String> {
    let here = part.state.section.as_ref()?;
    let there = pairs.sections.get(here)?;
    let is_alone_here = parts.iter().filter(|other| other.state.section.as_ref() == Some(here)).count() == 1;
    let mut in_section = Vec::new();
    for (key, state) in previous {
        if state.section.as_ref() == Some(there) {
            in_section.push((key, state));
        }
    }
    if let ([(key, _)], true) = (&*in_section, is_alone_here) {
        return Some((*key).clone());
    }
    in_section.retain(|(_, state)| state.digest.is_some() && state.digest == part.state.digest);
    match &*in_section {
        [(key, _)] => Some((*key).clone()),
        _ => None,
    }
}

/// The only part of the previous edition of this kind with the same content, if no other part here has it.
fn same_content(
    part: &Part,
    parts: &[Part],
    previous: &BTreeMap<String, PartState>,
    kind: &str,
) -> Option<String> {
    let digest = part.state.digest.as_ref()?;
    let is_of_kind = |key: &str| key.split_once(' ').is_some_and(|(found, _)| found == kind);
    let twins =
        parts.iter().filter(|other| is_of_kind(&other.key) && other.state.digest.as_ref() == Some(digest));
    if twins.count() > 1 {
        return None;
    }
    let mut found =
        previous.iter().filter(|(key, state)| is_of_kind(key) && state.digest.as_ref() == Some(digest));
    match (found.next(), found.next()) {
        (Some((key, _)), None) => Some(key.clone()),
        _ => None,
    }
}

/// The ids of the objects of one edition.
#[derive(Clone, Debug)]
pub struct PartIds {
    /// What ids of texts are digests of: the edition, or the document.
    scope: String,
    /// True where provisions have the ids of their lineages.
    by_lineage: bool,
    /// Ids by kind and id in the edition.
    ids: HashMap<String, String>,
}

impl PartIds {
    /// Ids that hold for one edition: those of its provisions, and digests of the ids of its other parts.
    pub fn of_edition(document: &ExportedDocument<'_>) -> Self {
        Self::new(document, None)
    }

    fn new(document: &ExportedDocument<'_>, stored: Option<&BTreeMap<String, PartState>>) -> Self {
        let urn = &*document.standard.bibliographic.urn;
        let mut ids = HashMap::new();
        match stored {
            Some(stored) => ids.extend(stored.iter().map(|(key, state)| (key.clone(), state.id.clone()))),
            None => {
                for part in parts(document) {
                    let id = digest_id(part.prefix, &[urn, &part.key]);
                    ids.insert(part.key, id);
                }
            }
        }
        let scope = if stored.is_some() { key(document) } else { urn.to_owned() };
        Self { scope, by_lineage: stored.is_some(), ids }
    }

    /// The id of a part that has one in the edition.
    pub(crate) fn id(&self, kind: ObjectKind, local_id: &str) -> String {
        let key = part_key(kind, local_id);
        match self.ids.get(&key) {
            Some(id) => id.clone(),
            None => digest_id(prefix(kind), &[&self.scope, &key]),
        }
    }

    /// The id of a text without one: a digest of its words, and of how often they occurred before it.
    pub(crate) fn text_id(&self, kind: ObjectKind, words: &str, number: usize) -> String {
        digest_id("txt", &[&self.scope, kind.as_str(), &without_blanks(words), &number.to_string()])
    }

    /// The id of a provision.
    pub(crate) fn provision_id(&self, provision: &Provision<'_>) -> Result<String, ExportError> {
        if !self.by_lineage {
            return Ok(provision.id.to_string());
        }
        match &provision.lineage {
            Some(lineage) => Ok(lineage.id.to_string()),
            None => Err(ExportError::NoLineage(provision.id.to_string())),
        }
    }

    /// The id of the document as a whole.
    pub(crate) fn document_id(&self) -> String {
        digest_id("doc", &[&self.scope])
    }
}

/// An id of a prefix, `_` and 128 bits of SHA-256 in base32.
pub(crate) fn digest_id(prefix: &str, parts: &[&str]) -> String {
    let digest = Sha256::digest(parts.join("\0"));
    let bits = data_encoding::BASE32_NOPAD.encode(&digest[..16]).to_ascii_lowercase();
    format!("{prefix}_{bits}")
}

fn digest(parts: &[&str]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(parts.join("\0"))[..16])
}

/// A UUID that follows from parts: the first 128 bits of their SHA-256, with the version of UUIDs that are
/// made of names (RFC 9562, 5.5), since formats allow versions 4 and 5 alone.
pub(crate) fn digest_uuid(parts: &[&str]) -> String {
    let digest = Sha256::digest(parts.join("\0"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_sha1_bytes(bytes).into_uuid().to_string()
}
