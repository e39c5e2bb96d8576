//! Texts of the hits of a search, which are read from the packs of their editions.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use norma_api::shapes::{SearchHit, SectionRef, Slice, Table, Term};
use norma_editions::search::{AnchoredProvision, SectionText, search_kind};
use norma_model::Lang;
use norma_search::{Excerpt, LanguageText, TextQuery, UnitHit, UnitKind, excerpt};
use serde::Deserialize;

use crate::Failure;
use crate::edition::AuthorizedEdition;

/// Most provisions that are taken out of the text of a section: 1 to 2 MB of JSON.
const MOST_PROVISIONS: u32 = 1_000;

/// The hits of a page with their texts, by slot and position. One edition after the other is read, and one
/// table after the other, so that memory is reserved for one only.
pub(super) async fn with_texts(
    hits: impl Iterator<Item = &UnitHit>,
    editions: &HashMap<u32, Arc<AuthorizedEdition>>,
    query: &TextQuery,
) -> Result<HashMap<(u32, u32), SearchHit<'static>>, Failure> {
    let mut read_together: BTreeMap<(u32, Option<u32>), Vec<&UnitHit>> = BTreeMap::new();
    for hit in hits {
        let table = (hit.kind == UnitKind::Table).then_some(hit.index);
        read_together.entry((hit.slot, table)).or_default().push(hit);
    }
    let mut shapes = HashMap::new();
    for ((slot, _), hits) in read_together {
        let Some(edition) = editions.get(&slot) else { continue };
        let edition = edition.for_part();
        let texts = HitTexts::of(&edition, &hits).await?;
        for hit in hits {
            shapes.insert((slot, hit.position), shown(&edition, &texts, hit, query).await?);
        }
    }
    Ok(shapes)
}

/// A hit with the excerpt of its text that has the words of the query.
async fn shown(
    edition: &AuthorizedEdition,
    texts: &HitTexts,
    hit: &UnitHit,
    query: &TextQuery,
) -> Result<SearchHit<'static>, Failure> {
    let summary = edition.summary();
    let mut shape = SearchHit {
        kind: search_kind(hit.kind),
        id: None,
        label: None,
        urn: summary.urn.clone().into_owned().into(),
        reference: summary.reference.clone().into_owned().into(),
        title: summary.title.clone().into_owned().into(),
        status: summary.status,
        access: summary.access,
        provision_type: None,
        normative: None,
        section: None,
        text: "".into(),
        highlights: Vec::new(),
    };
    let index = hit.index as usize;
    let language = hit.language.and_then(|code| code.parse().ok());
    let language = language.unwrap_or_else(Lang::undetermined);
    let in_one_language = |text: String| vec![LanguageText::new(text, &language)];
    let parts = match hit.kind {
        UnitKind::Standard => in_one_language(summary.title.into_owned()),
        UnitKind::Section => {
            let section: SectionText = parsed(edition, Some(&edition.section(index).await?))?;
            let own = match hit.shows_title_only() {
                true => None,
                false => Some(own_text(edition, &section, index).await?),
            };
            let SectionText { id, label, number, title, text: _ } = section;
            (shape.id, shape.label) = (Some(id.clone().into()), label.map(Into::into));
            // Its text is shown without its title, where the words are far behind.
            let (number, own_title) = (number.map(Into::into), title.clone().map(Into::into));
            shape.section = own.as_ref().map(|_| SectionRef { id: id.into(), number, title: own_title });
            let [title, own] = [title, own].map(|text| in_one_language(text.unwrap_or_default()));
            LanguageText::titled(title, own)
        }
        UnitKind::Provision => {
            let FoundProvision { id, label, kind, normative, section, text, lead_in } =
                parsed(edition, texts.provisions.get(&hit.index))?;
            (shape.id, shape.label) = (Some(id.into()), label.map(Into::into));
            (shape.provision_type, shape.normative, shape.section) = (Some(kind), Some(normative), section);
            in_one_language(match lead_in {
                Some(lead_in) => format!("{lead_in} {text}"),
                None => text,
            })
        }
        UnitKind::Term => {
            let term = texts.terms.get(index).cloned();
            let term = term.ok_or_else(|| edition.unreadable("a term that was found"))?;
            let parts = term_text(&term);
            (shape.id, shape.label, shape.section) = (Some(term.id), term.number, Some(term.section));
            parts
        }
        UnitKind::Table => {
            let fragment = edition.table(index).await?;
            let table: Table<'static> = parsed(edition, Some(&fragment))?;
            let text = table_text(&table);
            (shape.id, shape.label, shape.section) = (Some(table.id), table.label, Some(table.section));
            in_one_language(text)
        }
    };
    let Excerpt { text, highlights } = excerpt(&parts, query);
    shape.text = text.into();
    for (start, end) in highlights {
        shape.highlights.push(Slice { start: start as usize, end: end as usize });
    }
    Ok(shape)
}

/// Stored texts of one edition that several hits are taken from.
struct HitTexts {
    /// By index.
    provisions: HashMap<u32, Bytes>,
    /// All of the edition, if one of them is a hit.
    terms: Vec<Term<'static>>,
}

impl HitTexts {
    async fn of(edition: &AuthorizedEdition, hits: &[&UnitHit]) -> Result<Self, Failure> {
        let of_kind = |kind: UnitKind| hits.iter().filter(move |hit| hit.kind == kind);
        let mut indexes: Vec<u32> = of_kind(UnitKind::Provision).map(|hit| hit.index).collect();
        indexes.sort_unstable();
        let fragments = if indexes.is_empty() { Vec::new() } else { edition.fragments(&indexes).await? };
        let terms = match of_kind(UnitKind::Term).next() {
            Some(_) => parsed::<Terms>(edition, Some(&edition.terms().await?))?.items,
            None => Vec::new(),
        };
        Ok(Self { provisions: indexes.into_iter().zip(fragments).collect(), terms })
    }
}

/// The members of a stored provision that a hit shows.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FoundProvision {
    id: String,
    label: Option<String>,
    #[serde(rename = "type")]
    kind: norma_api::shapes::ProvisionType,
    normative: bool,
    section: Option<SectionRef<'static>>,
    text: String,
    lead_in: Option<String>,
}

/// The terms of an edition.
#[derive(Deserialize)]
struct Terms {
    items: Vec<Term<'static>>,
}

/// What a section has besides its provisions. Of one with very many the whole text, for they take memory.
async fn own_text(
    edition: &AuthorizedEdition,
    section: &SectionText,
    index: usize,
) -> Result<String, Failure> {
    let index_of_edition = edition.index().await?;
    let found = index_of_edition.outline.sections.get(index);
    let (first, end) = found.ok_or_else(|| edition.unreadable("a section"))?.provisions;
    if end - first > MOST_PROVISIONS {
        return Ok(section.text.clone());
    }
    let mut provisions = Vec::new();
    for fragment in edition.fragments(&(first..end).collect::<Vec<u32>>()).await? {
        provisions.push(parsed::<AnchoredProvision>(edition, Some(&fragment))?);
    }
    Ok(section.without(provisions, &HashSet::new()))
}

/// Reads a fragment of an edition.
fn parsed<T: serde::de::DeserializeOwned>(
    edition: &AuthorizedEdition,
    fragment: Option<&Bytes>,
) -> Result<T, Failure> {
    let read = fragment.and_then(|fragment| serde_json::from_slice(fragment).ok());
    read.ok_or_else(|| edition.unreadable("a text that was found"))
}

/// The designations and definitions of a term, each in its language.
fn term_text(term: &Term<'_>) -> Vec<LanguageText<'static>> {
    let part = |text: &str, language: &str| {
        LanguageText::new(text.to_owned(), &language.parse().unwrap_or_else(|_| Lang::undetermined()))
    };
    let designations = term.designations.iter().map(|one| part(&one.text, &one.language)).collect();
    let definitions = term.definitions.iter().map(|one| part(&one.text, &one.language)).collect();
    LanguageText::titled(LanguageText::joined(designations), LanguageText::joined(definitions))
}

/// The text of a table, as it is indexed.
fn table_text(table: &Table<'_>) -> String {
    let caption = table.caption.as_deref();
    let heads = table.columns.iter().flat_map(|column| &column.heads).map(|head| &**head);
    let cells = table.rows.iter().flat_map(|row| &row.cells).map(|cell| &*cell.text);
    let notes = table.annotations.iter().chain(table.footnotes.iter().map(|footnote| &footnote.text));
    let notes = notes.map(|note| &**note);
    let texts = caption.into_iter().chain(heads).chain(cells).chain(notes);
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ; ")
}
