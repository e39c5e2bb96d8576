//! Limits of one extraction, so that no document can exhaust the machine.

/// Bounds on one source. Real standards stay far below each default. Hints name them as docs/operations.md
/// does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractionLimits {
    /// Bytes of the source; never more than 4 GiB. Default: 256 MiB.
    pub source_bytes: usize,
    /// Nested elements; real documents go down to 25. Default: 256.
    pub depth: u32,
    /// Elements, text runs, comments and instructions together. Default: 20 million.
    pub nodes: u32,
    /// Bytes of one attribute; attributes may hold pictures as `data:` URIs. Default: 32 MiB.
    pub attribute_bytes: usize,
    /// Most bytes to which entities declared in the document expand. Default: 8 MiB.
    pub expansion_bytes: usize,
    /// Entities within entities. Default: 16.
    pub expansion_depth: usize,
    /// Most declared prefixes; real documents have up to 12. Default: 256.
    pub prefixes: usize,
    /// Prefixes that are used without a declaration. Default: 16.
    pub undeclared_prefixes: usize,
    /// Sections, provisions, terms, graphics, tables and footnotes together that are allowed for any source.
    /// Default: 12,500.
    pub parts: usize,
    /// Bytes of the source that allow one more of these; real documents have 190 and more for each. Default:
    /// 96.
    pub part_bytes: usize,
    /// Bytes of a sentence that is searched for provisions; longer ones are reported. Default: 64 KiB.
    pub sentence_bytes: usize,
    /// Most bytes of the cells of all tables as data, counting cells with spans repeatedly, and 128 for each
    /// cell. Tables beyond that are without cells. Default: 16 MiB.
    pub table_bytes: usize,
    /// Most bytes of texts that continue after sections within them, once for each of these: sending such a
    /// text in the order of its source reads each part from its start. Beyond that, the text of a section
    /// stays together. Default: 16 MiB.
    pub interrupted_bytes: usize,
    /// Most diagnostics of one code that are reported one by one. Default: 1000.
    pub diagnostics: usize,
}

impl ExtractionLimits {
    /// Number of parts that are allowed for a source of this many bytes.
    pub(crate) fn parts_of(&self, bytes: usize) -> usize {
        self.parts + bytes / self.part_bytes.max(1)
    }
}

impl Default for ExtractionLimits {
    fn default() -> Self {
        Self {
            source_bytes: 256 << 20,
            depth: 256,
            nodes: 20_000_000,
            attribute_bytes: 32 << 20,
            expansion_bytes: 8 << 20,
            expansion_depth: 16,
            prefixes: 256,
            undeclared_prefixes: 16,
            parts: 12_500,
            part_bytes: 96,
            sentence_bytes: 64 << 10,
            table_bytes: 16 << 20,
            interrupted_bytes: 16 << 20,
            diagnostics: 1000,
        }
    }
}
