//! Typed calls of the operations.

use bytes::Bytes;
use norma_api::query::{ChangesQuery, ComparisonQuery, ContentQuery, MigrateQuery, ProvisionsQuery};
use norma_api::shapes::{
    BibliographicData, ChangeList, CitationsAnswer, CitationsRequest, ComparisonAnswer, ContentView,
    GraphicsView, InstructionsView, Limits, MetadataView, MigrateAnswer, MigrateRequest, ProvisionInContext,
    ProvisionsView, QuotationsAnswer, QuotationsRequest, ResolveAnswer, ResolveRequest, ResolvedAsset,
    SectionsView, SelectionView, Standard, TableView, TablesView, TermsView,
};
use norma_api::{Media, Operation};
use serde::de::DeserializeOwned;

use crate::Client;
use crate::error::ClientError;
use crate::pages::Cursors;
use crate::transport::RawResponse;

/// Serialisation of a knowledge graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// JSON-LD 1.1, media type `application/ld+json`.
    JsonLd,
    /// RDF 1.1 Turtle, media type `text/turtle`.
    Turtle,
}

impl Client {
    /// Requests an operation and returns the response unparsed. `arguments` are in the order of the
    /// operation's path and are encoded here; `query` is a query string without `?`.
    ///
    /// # Errors
    /// See [`ClientError`], as for every call.
    ///
    /// # Panics
    /// When there are not as many arguments as path parameters.
    pub async fn fetch(
        &self,
        operation: Operation,
        arguments: &[&str],
        query: &str,
        media: Media,
    ) -> Result<RawResponse, ClientError> {
        self.0.get(operation, arguments, query, media).await
    }

    /// True if the JSON of an operation still has this entity tag: for copies that outlive the client's
    /// cache.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    pub async fn is_unchanged(
        &self,
        operation: Operation,
        arguments: &[&str],
        query: &str,
        etag: &str,
    ) -> Result<bool, ClientError> {
        Ok(self.0.get_unless(operation, arguments, (query, Media::Json), etag).await?.is_none())
    }

    /// A complete standard. Here and below, a URN may omit language, or edition and language; the response's
    /// `urn` is that of the edition found.
    pub async fn standard(&self, urn: &str) -> Result<Standard<'static>, ClientError> {
        self.part(Operation::Standard, urn).await
    }

    /// A standard without section bodies.
    pub async fn metadata(&self, urn: &str) -> Result<MetadataView<'static>, ClientError> {
        self.part(Operation::Metadata, urn).await
    }

    /// Metadata, ICS codes and relations, for which a grant to discover the standard is enough.
    pub async fn bibliographic_data(&self, urn: &str) -> Result<BibliographicData<'static>, ClientError> {
        read(&self.fetch(Operation::Metadata, &[urn], "fields=metadata,ics,relations", Media::Json).await?)
    }

    /// The section hierarchy of a standard.
    pub async fn sections(&self, urn: &str) -> Result<SectionsView<'static>, ClientError> {
        self.part(Operation::Sections, urn).await
    }

    /// The ordered section content, of one section (by id or number) and those within it, or of all.
    pub async fn content(
        &self,
        urn: &str,
        section: Option<&str>,
    ) -> Result<ContentView<'static>, ClientError> {
        read(&self.content_as(urn, section, Media::Json).await?)
    }

    /// The ordered section content as plain text.
    pub async fn content_text(&self, urn: &str, section: Option<&str>) -> Result<String, ClientError> {
        text(&self.content_as(urn, section, Media::Text).await?)
    }

    /// The source document in XML, in the encoding that it declares.
    pub async fn source(&self, urn: &str) -> Result<Bytes, ClientError> {
        Ok(self.content_as(urn, None, Media::Xml).await?.body)
    }

    /// The provisions that match the filters.
    pub async fn provisions(
        &self,
        urn: &str,
        filters: &ProvisionsQuery,
    ) -> Result<ProvisionsView<'static>, ClientError> {
        read(&self.fetch(Operation::Provisions, &[urn], &filters.query_string(), Media::Json).await?)
    }

    /// The provisions that a selection names: `4.2(3)`, `5-7;table:2`, `id:…`.
    pub async fn selection(&self, urn: &str, selection: &str) -> Result<SelectionView<'static>, ClientError> {
        read(&self.fetch(Operation::Selection, &[urn, selection], "", Media::Json).await?)
    }

    /// The terms that a standard defines.
    pub async fn terms(&self, urn: &str) -> Result<TermsView<'static>, ClientError> {
        self.part(Operation::Terms, urn).await
    }

    /// The tables of a standard, with their cells.
    pub async fn tables(&self, urn: &str) -> Result<TablesView<'static>, ClientError> {
        self.part(Operation::Tables, urn).await
    }

    /// One table, by its id or number.
    pub async fn table(&self, urn: &str, table: &str) -> Result<TableView<'static>, ClientError> {
        read(&self.fetch(Operation::Table, &[urn, table], "", Media::Json).await?)
    }

    /// One table as CSV.
    pub async fn table_csv(&self, urn: &str, table: &str) -> Result<String, ClientError> {
        text(&self.fetch(Operation::Table, &[urn, table], "", Media::Csv).await?)
    }

    /// The graphics of a standard, without their files.
    pub async fn graphics(&self, urn: &str) -> Result<GraphicsView<'static>, ClientError> {
        self.part(Operation::Graphics, urn).await
    }

    /// What an amendment or corrigendum changes, and where in the editions that it amends.
    pub async fn instructions(&self, urn: &str) -> Result<InstructionsView<'static>, ClientError> {
        self.part(Operation::Instructions, urn).await
    }

    /// Resolves one reference to a URL that is valid for a short time.
    pub async fn resolve(&self, urn: &str, reference: &str) -> Result<ResolvedAsset<'static>, ClientError> {
        self.resolve_with(urn, &ResolveRequest::One { asset_reference: reference.to_owned() }).await
    }

    /// Resolves several references in one request, in their order.
    pub async fn resolve_all(
        &self,
        urn: &str,
        references: &[&str],
    ) -> Result<ResolveAnswer<'static>, ClientError> {
        let asset_references = references.iter().map(|&r| r.to_owned()).collect();
        self.resolve_with(urn, &ResolveRequest::Many { asset_references }).await
    }

    /// The bytes of a resolved asset.
    pub async fn asset(&self, asset: &ResolvedAsset<'_>) -> Result<Bytes, ClientError> {
        Ok(self.0.get_resolved(&asset.url).await?.body)
    }

    /// One provision with its standard, its section and its neighbours.
    pub async fn provision(&self, id: &str) -> Result<ProvisionInContext<'static>, ClientError> {
        self.part(Operation::Provision, id).await
    }

    /// What changed of the standards that the caller may see, after the `next` of an answer before; without
    /// one, the cursor to begin with. An answer without changes is a 304 from the second time on.
    pub async fn changes(&self, since: Option<&str>) -> Result<ChangeList<'static>, ClientError> {
        let query = ChangesQuery { since: since.map(str::to_owned), limit: None }.query_string();
        read(&self.fetch(Operation::Changes, &[], &query, Media::Json).await?)
    }

    /// The limits of the service for the caller.
    pub async fn limits(&self) -> Result<Limits, ClientError> {
        read(&self.fetch(Operation::Limits, &[], "", Media::Json).await?)
    }

    /// The knowledge graph of a standard; a preview, whose shape can change.
    pub async fn knowledge_graph(&self, urn: &str, form: GraphFormat) -> Result<String, ClientError> {
        let media = match form {
            GraphFormat::JsonLd => Media::JsonLd,
            GraphFormat::Turtle => Media::Turtle,
        };
        text(&self.fetch(Operation::KnowledgeGraph, &[urn], "", media).await?)
    }

    /// The comparison of an edition with another, whichever is older. Gets the items of all pages from the
    /// one that the query names, `limit` at a time. Counts alone to a caller who may read only one of the
    /// two.
    pub async fn comparison(
        &self,
        urn: &str,
        query: &ComparisonQuery,
    ) -> Result<ComparisonAnswer<'static>, ClientError> {
        let mut whole = match self.comparison_page(urn, query.query_string()).await? {
            ComparisonAnswer::Whole(first) => first,
            summary @ ComparisonAnswer::Summary(_) => return Ok(summary),
        };
        let mut cursors = Cursors::default();
        while let Some(cursor) = cursors.after(whole.next.take().as_deref())? {
            let ComparisonAnswer::Whole(page) = self.comparison_page(urn, query.next(&cursor)).await? else {
                return Err(unexpected(
                    "expected a page of the comparison, found its counts alone".to_owned(),
                ));
            };
            whole.items.extend(page.items);
            whole.next = page.next;
        }
        Ok(ComparisonAnswer::Whole(whole))
    }

    async fn comparison_page(
        &self,
        urn: &str,
        query: String,
    ) -> Result<ComparisonAnswer<'static>, ClientError> {
        read(&self.fetch(Operation::Comparison, &[urn], &query, Media::Json).await?)
    }

    /// Finds provisions and lineages by their ids, or provisions and sections by their labels, in an edition.
    pub async fn migrate(
        &self,
        urn: &str,
        request: &MigrateRequest,
        query: &MigrateQuery,
    ) -> Result<MigrateAnswer<'static>, ClientError> {
        let body = serde_json::to_vec(request).expect("texts always serialise");
        read(&self.0.post(Operation::Migrate, &[urn], &query.query_string(), body).await?)
    }

    /// Finds the editions and places that printed citations name.
    pub async fn resolve_citations(
        &self,
        request: &CitationsRequest,
    ) -> Result<CitationsAnswer<'static>, ClientError> {
        let body = serde_json::to_vec(request).expect("texts always serialise");
        read(&self.0.post(Operation::ResolveCitations, &[], "", body).await?)
    }

    /// Says for quotations whether they are true.
    pub async fn verify_quotations(
        &self,
        request: &QuotationsRequest,
    ) -> Result<QuotationsAnswer<'static>, ClientError> {
        let body = serde_json::to_vec(request).expect("texts always serialise");
        read(&self.0.post(Operation::VerifyQuotations, &[], "", body).await?)
    }

    async fn part<T: DeserializeOwned>(
        &self,
        operation: Operation,
        argument: &str,
    ) -> Result<T, ClientError> {
        read(&self.fetch(operation, &[argument], "", Media::Json).await?)
    }

    async fn content_as(
        &self,
        urn: &str,
        section: Option<&str>,
        media: Media,
    ) -> Result<RawResponse, ClientError> {
        let query = ContentQuery { section: section.map(str::to_owned) }.query_string();
        self.fetch(Operation::Content, &[urn], &query, media).await
    }

    async fn resolve_with<T: DeserializeOwned>(
        &self,
        urn: &str,
        request: &ResolveRequest,
    ) -> Result<T, ClientError> {
        let body = serde_json::to_vec(request).expect("texts always serialise");
        read(&self.0.post(Operation::ResolveAssets, &[urn], "", body).await?)
    }
}

/// Parses a response as its shape.
pub(crate) fn read<T: DeserializeOwned>(fetched: &RawResponse) -> Result<T, ClientError> {
    serde_json::from_slice(&fetched.body)
        .map_err(|error| unexpected(format!("expected JSON of the operation's shape: {error}")))
}

fn text(fetched: &RawResponse) -> Result<String, ClientError> {
    String::from_utf8(fetched.body.to_vec()).map_err(|_| unexpected("expected UTF-8 text".to_owned()))
}

pub(crate) fn unexpected(reason: String) -> ClientError {
    ClientError::Unexpected { url: "the service".to_owned(), status: 200, reason }
}
