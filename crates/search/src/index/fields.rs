//! Fields of the engine's documents.

use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};

/// Fields of the engine's documents.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// Tokens of the title, with positions.
    pub(super) title: Field,
    /// Tokens of the text, with positions.
    pub(super) text: Field,
    /// Parts of words, by which compounds are found.
    pub(super) parts: Field,
    /// Words of what is around a unit, and their parts.
    pub(super) context: Field,
    /// Identifiers, references and labels; of the unit of a standard also its edition's name.
    pub(super) keys: Field,
    /// The document that a unit is of, and those that it belongs to.
    pub(super) document: Field,
    pub(super) slot: Field,
    pub(super) position: Field,
    pub(super) index: Field,
    pub(super) about: Field,
}

/// The schema of an index, and its fields.
pub(super) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let with_positions = token_options(IndexRecordOption::WithFreqsAndPositions);
    let basic = token_options(IndexRecordOption::Basic);
    let fields = Fields {
        title: schema.add_text_field("title", with_positions.clone()),
        text: schema.add_text_field("text", with_positions),
        parts: schema.add_text_field("parts", basic.clone()),
        context: schema.add_text_field("context", basic.clone()),
        keys: schema.add_text_field("keys", basic.clone()),
        document: schema.add_text_field("document", basic),
        slot: schema.add_u64_field("slot", FAST | INDEXED),
        position: schema.add_u64_field("position", FAST),
        index: schema.add_u64_field("index", FAST),
        about: schema.add_u64_field("about", FAST),
    };
    (schema.build(), fields)
}

/// Options of a field of tokens, whose lists record this of each unit. Norms of fields only serve scores.
fn token_options(record: IndexRecordOption) -> TextOptions {
    let indexing = TextFieldIndexing::default().set_index_option(record).set_fieldnorms(false);
    TextOptions::default().set_indexing_options(indexing)
}
