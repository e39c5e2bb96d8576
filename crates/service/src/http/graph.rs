//! The preview: a standard as a knowledge graph, in JSON-LD or Turtle.

use norma_api::Operation;
use norma_api::media::{Media, View};
use norma_store::Level;

use super::access::Caller;
use super::deliver::{Answer, Ask, media, no_parameters};
use super::path::StandardId;

/// The knowledge graph.
pub(super) async fn read(caller: Caller, StandardId(id): StandardId, Ask(request): Ask) -> Answer {
    no_parameters(&request)?;
    let view = match media(&request, Operation::KnowledgeGraph)? {
        Media::Turtle => View::GraphTurtle,
        _ => View::Graph,
    };
    let edition = caller.edition(&id, Level::Read, &request).await?;
    edition.send(view, Operation::KnowledgeGraph, &request).await
}
