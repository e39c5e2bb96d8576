//! Texts of the hits of a search, which are read from the packs of their editions.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use bytes::Bytes;
use norma_api::shapes::{Amendment, SearchHit, SectionRef, Slice, Table, Term};
use norma_editions::search::{SectionText, search_kind};
use norma_model::Lang;
use norma_search::{Excerpt, LanguageText, QueriedWord, TextQuery, UnitHit, UnitKind, excerpt};
use serde::Deserialize;

use super::above::{self, AboveHit};
use crate::Failure;
use crate::edition::{AmendedBy, AmendedItem, AuthorizedEdition};

/// What the hits of a page are hits of.
pub(super) struct HitWords<'q> {
    /// What excerpts show.
    pub(super) query: &'q TextQuery,
    /// The words of the question, where hits have some of them.
    pub(super) asked: &'q [QueriedWord],
}

impl HitWords<'_> {
    /// The words of these bits, as typed.
    fn typed(&self, bits: u32) -> Vec<Cow<'static, str>> {
        let mut typed = Vec::new();
        for (index, word) in self.asked.iter().enumerate() {
            if bits >> index & 1 == 1 {
                typed.push(word.typed.clone().into());
            }
        }
        typed
    }
}

/// The hits of a page with their texts, by slot and position. One edition after the other is read, and one
/// table after the other, so that memory is reserved for one only.
pub(super) async fn with_texts(
    hits: impl Iterator<Item = &UnitHit>,
    editions: &HashMap<u32, Arc<AuthorizedEdition>>,
    words: &HitWords<'_>,
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
        let amended = edition.amended_by_if(edition.amendments().await?).await?;
        for hit in hits {
            let mut shape = shown(&edition, &texts, hit, words).await?;
            shape.amended_by = amended_by(&amended, hit);
            if let Some(found) = hit.words {
                shape.matched = words.typed(found.matched);
                shape.missing = words.typed(!found.matched);
                let above = AboveHit { bits: found.matched & !found.own, table: texts.table_of(hit) };
                shape.above = above::found(&edition, &shape, above, words.query).await?;
            }
            shapes.insert((slot, hit.position), shape);
        }
    }
    Ok(shapes)
}

/// The amendments that touch what was found; of a standard all, by name.
fn amended_by(amended: &AmendedBy, hit: &UnitHit) -> Vec<Amendment<'static>> {
    let index = hit.index as usize;
    match hit.kind {
        UnitKind::Standard => amended.named(),
        UnitKind::Section => amended.of(AmendedItem::Section(index)),
        UnitKind::Provision => amended.of(AmendedItem::Provision(hit.index)),
        UnitKind::Term => amended.of(AmendedItem::Term(index)),
        UnitKind::Table => amended.of(AmendedItem::Table(index)),
    }
}

/// A hit with the excerpt of its text that has the words of the query.
async fn shown(
    edition: &AuthorizedEdition,
    texts: &HitTexts,
    hit: &UnitHit,
    words: &HitWords<'_>,
) -> Result<SearchHit<'static>, Failure> {
    let language = hit.language.and_then(|code| code.parse().ok());
    let language = language.unwrap_or_else(Lang::undetermined);
    let HitParts { mut shape, parts, title } = match hit.kind {
        UnitKind::Standard => of_standard(edition, &language),
        UnitKind::Section => of_section(edition, hit, &language).await?,
        UnitKind::Provision => of_provision(edition, texts, hit, &language)?,
        UnitKind::Term => of_term(edition, texts, hit)?,
        UnitKind::Table => of_table(edition, hit, &language).await?,
    };
    shape.heading = heading(shape.label.as_deref(), title.as_deref(), &shape.reference).into();
    let query = match hit.words {
        Some(_) => &words.query.of_asked_words(u32::MAX),
        None => words.query,
    };
    let Excerpt { text, highlights } = excerpt(&parts, query);
    shape.text = text.into();
    for (start, end) in highlights {
        shape.highlights.push(Slice { start: start as usize, end: end as usize });
    }
    Ok(shape)
}

/// Label, title and designation: `5.2 Protection against corrosion · NSB 4210:2025`.
fn heading(label: Option<&str>, title: Option<&str>, reference: &str) -> String {
    let names: Vec<&str> = [label, title].into_iter().flatten().filter(|name| !name.is_empty()).collect();
    if names.is_empty() { reference.to_owned() } else { format!("{} · {reference}", names.join(" ")) }
}

/// A label as the sections of an edition have it: without the point that some publishers print after numbers.
fn plain_label(label: String) -> Cow<'static, str> {
    match label.strip_suffix('.') {
        Some(number) if number.ends_with(|c: char| c.is_alphanumeric()) => number.to_owned().into(),
        _ => label.into(),
    }
}

/// A hit without its excerpt, and the texts that the excerpt is cut from.
struct HitParts {
    shape: SearchHit<'static>,
    parts: Vec<LanguageText<'static>>,
    /// The title of the object, or that of its section.
    title: Option<String>,
}

/// A hit in an edition, which says of it what its summary says.
fn in_edition(edition: &AuthorizedEdition, kind: UnitKind) -> SearchHit<'static> {
    let summary = edition.summary();
    SearchHit {
        kind: search_kind(kind),
        id: None,
        label: None,
        urn: summary.urn.into_owned().into(),
        reference: summary.reference.into_owned().into(),
        title: summary.title.into_owned().into(),
        status: summary.status,
        access: summary.access,
        amended_by: Vec::new(),
        provision_type: None,
        normative: None,
        section: None,
        heading: "".into(),
        matched: Vec::new(),
        missing: Vec::new(),
        above: Vec::new(),
        also_in: Vec::new(),
        text: "".into(),
        highlights: Vec::new(),
    }
}

fn of_standard(edition: &AuthorizedEdition, language: &Lang) -> HitParts {
    let shape = in_edition(edition, UnitKind::Standard);
    let title = shape.title.clone().into_owned();
    HitParts { shape, parts: vec![LanguageText::new(title.clone(), language)], title: Some(title) }
}

async fn of_section(
    edition: &AuthorizedEdition,
    hit: &UnitHit,
    language: &Lang,
) -> Result<HitParts, Failure> {
    let index = hit.index as usize;
    let section: SectionText = parsed(edition, Some(&edition.section(index).await?))?;
    let own_text = if hit.shows_title_only() { None } else { Some(edition.own_text(&section, index).await?) };
    let SectionText { id, label, number, title, text: _ } = section;
    let mut shape = in_edition(edition, UnitKind::Section);
    shape.id = Some(id.clone().into());
    shape.label = label.map(plain_label);
    let heading = title.clone();
    if own_text.is_some() {
        // The excerpt leaves the title out, where the words are far behind it.
        let (number, title) = (number.map(Into::into), title.clone().map(Into::into));
        shape.section = Some(SectionRef { id: id.into(), number, title });
    }
    let title = LanguageText::new(title.unwrap_or_default(), language);
    let own_text = LanguageText::new(own_text.unwrap_or_default(), language);
    Ok(HitParts { shape, parts: LanguageText::titled(vec![title], vec![own_text]), title: heading })
}

fn of_provision(
    edition: &AuthorizedEdition,
    texts: &HitTexts,
    hit: &UnitHit,
    language: &Lang,
) -> Result<HitParts, Failure> {
    let FoundProvision { id, label, kind, normative, section, text, lead_in, table_id: _ } =
        parsed(edition, texts.provisions.get(&hit.index))?;
    let mut shape = in_edition(edition, UnitKind::Provision);
    shape.id = Some(id.into());
    shape.label = label.map(Into::into);
    shape.provision_type = Some(kind);
    shape.normative = Some(normative);
    let title = section.as_ref().and_then(|section| section.title.as_deref().map(str::to_owned));
    shape.section = section;
    let text = match lead_in {
        Some(lead_in) => format!("{lead_in} {text}"),
        None => text,
    };
    Ok(HitParts { shape, parts: vec![LanguageText::new(text, language)], title })
}

fn of_term(edition: &AuthorizedEdition, texts: &HitTexts, hit: &UnitHit) -> Result<HitParts, Failure> {
    let Some(term) = texts.terms.get(hit.index as usize).cloned() else {
        return Err(edition.unreadable("a term that was found"));
    };
    let parts = term_text(&term);
    let mut shape = in_edition(edition, UnitKind::Term);
    shape.id = Some(term.id);
    shape.label = term.number.map(|number| plain_label(number.into_owned()));
    shape.section = Some(term.section);
    let title = term.designations.first().map(|one| one.text.to_string());
    Ok(HitParts { shape, parts, title })
}

async fn of_table(edition: &AuthorizedEdition, hit: &UnitHit, language: &Lang) -> Result<HitParts, Failure> {
    let fragment = edition.table(hit.index as usize).await?;
    let table: Table<'static> = parsed(edition, Some(&fragment))?;
    let text = table_text(&table);
    let mut shape = in_edition(edition, UnitKind::Table);
    shape.id = Some(table.id);
    let title = table.caption.as_deref().map(str::to_owned);
    shape.label = table.label;
    shape.section = Some(table.section);
    Ok(HitParts { shape, parts: vec![LanguageText::new(text, language)], title })
}

/// Stored texts of one edition that several hits are taken from.
struct HitTexts {
    /// JSON of the provisions that are hits, by their index in document order.
    provisions: HashMap<u32, Bytes>,
    /// All terms of the edition, if one of them is a hit.
    terms: Vec<Term<'static>>,
}

impl HitTexts {
    async fn of(edition: &AuthorizedEdition, hits: &[&UnitHit]) -> Result<Self, Failure> {
        let mut indexes: Vec<u32> = Vec::new();
        let mut has_terms = false;
        for hit in hits {
            match hit.kind {
                UnitKind::Provision => indexes.push(hit.index),
                UnitKind::Term => has_terms = true,
                UnitKind::Standard | UnitKind::Section | UnitKind::Table => {}
            }
        }
        let mut texts = Self { provisions: HashMap::new(), terms: Vec::new() };
        if !indexes.is_empty() {
            // In document order, so that each segment of the pack is inflated once.
            indexes.sort_unstable();
            let fragments = edition.fragments(&indexes).await?;
            texts.provisions = indexes.into_iter().zip(fragments).collect();
        }
        if has_terms {
            let terms: Terms = parsed(edition, Some(&edition.terms().await?))?;
            texts.terms = terms.items;
        }
        Ok(texts)
    }

    /// The id of the table that a hit is in.
    fn table_of(&self, hit: &UnitHit) -> Option<String> {
        let provision = self.provisions.get(&hit.index).filter(|_| hit.kind == UnitKind::Provision)?;
        serde_json::from_slice::<FoundProvision>(provision).ok()?.table_id
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
    table_id: Option<String>,
}

/// The terms of an edition.
#[derive(Deserialize)]
pub(super) struct Terms {
    pub(super) items: Vec<Term<'static>>,
}

/// Reads a fragment of an edition.
pub(super) fn parsed<T: serde::de::DeserializeOwned>(
    edition: &AuthorizedEdition,
    fragment: Option<&Bytes>,
) -> Result<T, Failure> {
    let read = fragment.and_then(|fragment| serde_json::from_slice(fragment).ok());
    read.ok_or_else(|| edition.unreadable("a text that was found"))
}

/// The designations and definitions of a term, each in its language.
fn term_text(term: &Term<'_>) -> Vec<LanguageText<'static>> {
    let mut designations = Vec::with_capacity(term.designations.len());
    for one in &term.designations {
        designations.push(in_own_language(&one.text, &one.language));
    }
    let mut definitions = Vec::with_capacity(term.definitions.len());
    for one in &term.definitions {
        definitions.push(in_own_language(&one.text, &one.language));
    }
    LanguageText::titled(LanguageText::joined(designations), LanguageText::joined(definitions))
}

pub(super) fn in_own_language(text: &str, language: &str) -> LanguageText<'static> {
    let language = language.parse().unwrap_or_else(|_| Lang::undetermined());
    LanguageText::new(text.to_owned(), &language)
}

/// The text of a table as it is indexed, so that the excerpt has the words that were found.
fn table_text(table: &Table<'_>) -> String {
    let mut texts: Vec<&str> = Vec::new();
    texts.extend(table.caption.as_deref());
    for column in &table.columns {
        texts.extend(column.heads.iter().map(|head| &**head));
    }
    for row in &table.rows {
        texts.extend(row.cells.iter().map(|cell| &*cell.text));
    }
    texts.extend(table.annotations.iter().map(|note| &**note));
    texts.extend(table.footnotes.iter().map(|footnote| &*footnote.text));
    texts.retain(|text| !text.is_empty());
    texts.join(" ; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_table_is_its_caption_heads_cells_and_notes_in_this_order() {
        let table = r#"{"id": "t", "section": {"id": "s"}, "normative": true, "caption": "Sizes",
            "columns": [{"heads": ["Lid", ""]}], "rows": [{"cells": [{"text": "4"}, {"text": ""}]}],
            "annotations": ["In mm."], "footnotes": [{"text": "Measured dry."}], "provisionIds": [],
            "citingProvisionIds": []}"#;
        let table: Table<'_> = serde_json::from_str(table).unwrap();
        assert_eq!(table_text(&table), "Sizes ; Lid ; 4 ; In mm. ; Measured dry.");
    }
}
