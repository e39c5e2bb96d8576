//! Documents of the list: the editions of each, and the languages of each edition.

use norma_api::Operation;
use norma_api::shapes::{AccessLevel, StandardList, StandardSummary, Status};

use crate::calls::Service;
use crate::failure::PageFailure;
use crate::frame::{encoded, language};
use crate::phrases::Words;

/// Standards of one call at most: the most that the service gives by default.
const CALL_SIZE: u32 = 500;

/// URNs of one call at most, so that its address is shorter than what servers and proxies read (8 KiB).
const NAMES_AT_ONCE: usize = 50;

/// A document with its editions, the newest first.
pub(crate) struct ListedDocument {
    /// URN without edition and language.
    pub(crate) urn: String,
    pub(crate) editions: Vec<ListedEdition>,
}

/// An edition of a document. Its texts are the same edition in several languages, at least one.
pub(crate) struct ListedEdition {
    pub(crate) texts: Vec<StandardSummary<'static>>,
}

/// An amendment of an edition, by name.
#[derive(PartialEq, Eq)]
pub(crate) struct ListedAmendment<'a> {
    pub(crate) urn: &'a str,
    pub(crate) reference: &'a str,
}

/// The URN of the document that an edition belongs to: edition and language are the last two segments of the
/// URN of an edition.
pub(crate) fn document_urn(urn: &str) -> &str {
    urn.rsplit_once(":ed-").map_or(urn, |(document, _)| document)
}

/// The URN without its language.
pub(crate) fn edition_urn(urn: &str) -> &str {
    urn.rsplit_once(':').map_or(urn, |(edition, _)| edition)
}

/// The URNs of the documents of some standards, in their order, each once.
pub(crate) fn document_urns<'a>(standards: &'a [StandardSummary<'_>]) -> Vec<&'a str> {
    let mut urns: Vec<&str> = Vec::new();
    for standard in standards {
        let urn = document_urn(&standard.urn);
        if !urns.contains(&urn) {
            urns.push(urn);
        }
    }
    urns
}

/// All standards with these URNs that a query of filters leaves, with the names of their amendments. The
/// service gives these only where a list names documents.
pub(crate) async fn standards_of(
    service: &Service,
    urns: &[&str],
    filters: &str,
) -> Result<Vec<StandardSummary<'static>>, PageFailure> {
    let mut standards = Vec::new();
    for some in urns.chunks(NAMES_AT_ONCE) {
        let mut query = format!("limit={CALL_SIZE}");
        if !filters.is_empty() {
            query.push_str(&format!("&{filters}"));
        }
        for urn in some {
            query.push_str(&format!("&urn={}", encoded(urn)));
        }
        let mut next = Some(query);
        while let Some(query) = next {
            let list: StandardList<'static> = service.json(Operation::Standards, &[], &query).await?;
            standards.extend(list.items);
            next = list.next.map(|cursor| format!("limit={CALL_SIZE}&cursor={}", encoded(&cursor)));
        }
    }
    Ok(standards)
}

/// Standards by document, in the order of the URNs.
pub(crate) fn documents(urns: &[&str], standards: Vec<StandardSummary<'static>>) -> Vec<ListedDocument> {
    let mut documents: Vec<ListedDocument> = Vec::with_capacity(urns.len());
    for urn in urns {
        documents.push(ListedDocument { urn: (*urn).to_owned(), editions: Vec::new() });
    }
    for standard in standards {
        let urn = document_urn(&standard.urn);
        // A document that came between the two calls is on the next visit of the page.
        if let Some(document) = documents.iter_mut().find(|document| document.urn == urn) {
            document.add(standard);
        }
    }
    for document in &mut documents {
        document.editions.sort_by(|a, b| b.order().cmp(&a.order()));
    }
    documents.retain(|document| !document.editions.is_empty());
    documents
}

impl ListedDocument {
    fn add(&mut self, standard: StandardSummary<'static>) {
        let own = edition_urn(&standard.urn);
        let edition = self.editions.iter_mut().find(|edition| edition_urn(&edition.texts[0].urn) == own);
        match edition {
            Some(edition) => edition.texts.push(standard),
            None => self.editions.push(ListedEdition { texts: vec![standard] }),
        }
    }

    /// The text by which the document is listed: of the newest edition that is not a draft, in the language
    /// of the interface if there is one.
    pub(crate) fn present(&self, words: &Words) -> &StandardSummary<'static> {
        let published = self.editions.iter().find(|edition| edition.texts[0].status != Status::Draft);
        let edition = published.unwrap_or(&self.editions[0]);
        edition.in_language(words.language)
    }

    fn texts(&self) -> impl Iterator<Item = &StandardSummary<'static>> {
        self.editions.iter().flat_map(|edition| &edition.texts)
    }

    /// The level of access to its texts; `None` where some may be read and others not.
    pub(crate) fn access(&self) -> Option<AccessLevel> {
        let first = self.editions[0].texts[0].access;
        let is_same = self.texts().all(|text| text.access == first);
        is_same.then_some(first)
    }

    /// The day on which the catalogue last changed one of its texts (ISO 8601).
    pub(crate) fn last_change(&self) -> &str {
        let latest = self.texts().map(|text| &*text.updated_at).max().unwrap_or_default();
        latest.split('T').next().unwrap_or_default()
    }
}

impl ListedEdition {
    /// The text in a language, else the first one.
    fn in_language(&self, wanted: &str) -> &StandardSummary<'static> {
        let own = self.texts.iter().find(|text| language(&text.urn) == Some(wanted));
        own.unwrap_or(&self.texts[0])
    }

    /// The amendments of the edition, each once whatever its languages.
    pub(crate) fn amendments(&self) -> Vec<ListedAmendment<'_>> {
        let mut amendments: Vec<ListedAmendment<'_>> = Vec::new();
        for amendment in self.texts.iter().flat_map(|text| &text.amended_by) {
            let own = ListedAmendment { urn: &amendment.urn, reference: &amendment.reference };
            let is_known = amendments.iter().any(|one| edition_urn(one.urn) == edition_urn(own.urn));
            if !is_known {
                amendments.push(own);
            }
        }
        amendments
    }

    /// By date of publication, then by URN, so that editions of one year have an order, too.
    fn order(&self) -> (&str, &str) {
        let first = &self.texts[0];
        (first.published_on.as_deref().unwrap_or_default(), &first.urn)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::phrases::words;

    pub(crate) fn standard(urn: &str, published_on: &str, others: Value) -> StandardSummary<'static> {
        let mut standard = json!({
            "urn": urn, "reference": format!("X {published_on}"), "title": "Lids", "publisher": "X",
            "number": "1", "edition": "1", "language": language(urn), "type": "standard", "status": "published",
            "publishedOn": published_on, "icsCodes": [], "revision": "1",
            "updatedAt": "2026-01-31T10:00:00Z", "access": "read",
        });
        for (name, value) in others.as_object().unwrap() {
            standard[name] = value.clone();
        }
        serde_json::from_value(standard).unwrap()
    }

    /// Two documents: the first has an older edition, a newer one in two languages, and a draft.
    pub(crate) fn listed() -> Vec<ListedDocument> {
        let amendment = |language: &str| json!({"urn": format!("urn:x:std:x:1:amd:1:ed-2:{language}"), "reference": "X 1/Amd 1"});
        let both = json!([amendment("de"), amendment("en")]);
        let standards = vec![
            standard("urn:x:std:x:1:ed-1:en", "2019", json!({"status": "superseded", "access": "discover"})),
            standard("urn:x:std:x:1:ed-2:de", "2025-03", json!({"amendedBy": both})),
            standard("urn:x:std:x:1:ed-2:en", "2025-03", json!({"updatedAt": "2026-02-01T00:00:00Z"})),
            standard("urn:x:std:x:1:ed-3:en", "2026", json!({"status": "draft"})),
            standard("urn:x:std:x:2:ed-1:fr", "2020", json!({})),
        ];
        let urns = document_urns(&standards).into_iter().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(urns, ["urn:x:std:x:1", "urn:x:std:x:2"]);
        let urns: Vec<&str> = urns.iter().map(String::as_str).collect();
        documents(&urns, standards)
    }

    #[test]
    fn a_document_has_its_editions_the_newest_first_and_each_edition_its_languages() {
        let listed = listed();
        let texts = |document: &ListedDocument| -> Vec<Vec<String>> {
            let urns = |edition: &ListedEdition| {
                edition.texts.iter().map(|text| text.urn[14..].to_owned()).collect()
            };
            document.editions.iter().map(urns).collect()
        };
        assert_eq!(texts(&listed[0]), [vec!["ed-3:en"], vec!["ed-2:de", "ed-2:en"], vec!["ed-1:en"]]);
        assert_eq!(texts(&listed[1]), [vec!["ed-1:fr"]]);
    }

    #[test]
    fn a_document_is_not_listed_by_a_draft_and_the_language_of_the_page_is_preferred() {
        let listed = listed();
        for (language, urn) in [("en", "ed-2:en"), ("de", "ed-2:de"), ("fr", "ed-2:de")] {
            assert!(listed[0].present(words(language).unwrap()).urn.ends_with(urn), "{language}");
        }
    }

    #[test]
    fn each_edition_knows_its_own_amendments_once_and_a_document_its_access_and_last_change() {
        let listed = listed();
        let references = |edition: &ListedEdition| -> Vec<String> {
            edition.amendments().iter().map(|one| one.reference.to_owned()).collect()
        };
        let of_editions: Vec<Vec<String>> = listed[0].editions.iter().map(references).collect();
        assert_eq!(of_editions, [vec![], vec!["X 1/Amd 1".to_owned()], vec![]]);
        assert_eq!((listed[0].access(), listed[0].last_change()), (None, "2026-02-01"));
        assert_eq!((listed[1].access(), listed[1].last_change()), (Some(AccessLevel::Read), "2026-01-31"));
    }
}
