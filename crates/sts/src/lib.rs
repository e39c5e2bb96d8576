//! Reader of NISO STS, ISOSTS and TBX: bytes in, an [`Edition`] and [`Diagnostic`]s out.
//!
//! [`extract`] is a pure function: it opens no file and fetches nothing. Missing metadata is derived from the
//! rest of the document where that is reliable, and every such step is a diagnostic.

mod derivation;
mod diagnostic;
mod document;
mod error;
mod front;
pub mod html;
mod languages;
mod limits;
mod text;
mod xml;

use std::time::Duration;

use norma_model::{Edition, ProvisionId, Urn};

pub use diagnostic::{Diagnostic, DiagnosticKind, Severity, diagnostic_kinds};
pub use error::ExtractionError;
pub use limits::ExtractionLimits;

use derivation::derive;
use xml::decode;
use xml::parse_error::ParseError;
use xml::repair::Repaired;
use xml::tree::Tree;

/// Version of the extraction rules. It changes whenever the same source may give another edition; stored
/// editions of an older version are stale.
pub const DERIVER_VERSION: u32 = 21;

/// Settings of one extraction; those of the default suit any document that states its URN.
#[derive(Clone, Debug, Default)]
pub struct ExtractionOptions {
    /// The URN of the edition, when the source states none or a wrong one.
    pub urn: Option<Urn>,
    /// The earlier URN of the edition: its provisions then come with the ids that they have under it.
    pub former_urn: Option<Urn>,
    /// Bounds on the size of the source.
    pub limits: ExtractionLimits,
}

/// Result of an extraction: the edition, and what a publisher should know of its source.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The edition with all its parts, as far as they were found.
    pub edition: Edition,
    /// The ids of its provisions under the former URN, in document order; empty if the URN is the same.
    pub former_ids: Vec<ProvisionId>,
    /// The diagnostics, ordered by position in the source.
    pub diagnostics: Vec<Diagnostic>,
    /// Name of the encoding of the source (WHATWG Encoding Standard): `UTF-8`.
    pub charset: &'static str,
    /// Line and column of the element of each graphic, parallel to the edition's graphics.
    pub graphic_positions: Vec<(u32, u32)>,
    /// Wall-clock time of the search for provisions, for benches: the only member that differs between two
    /// extractions of one source.
    pub provisions_took: Duration,
}

/// Names of the root elements of documents (NISO STS, ISOSTS).
pub const ROOT_ELEMENTS: [&str; 3] = ["standard", "standards-document", "adoption"];

/// Extracts an edition from the bytes of one document.
///
/// `source` is the XML in any encoding that it declares; `options` may name the edition and bounds the work.
///
/// # Errors
/// [`ExtractionError`] with code and position when the source is not well-formed XML, exceeds a limit, or
/// does not identify its standard. Every other problem is a [`Diagnostic`].
///
/// ```
/// use norma_sts::{ExtractionOptions, extract};
///
/// let source = br#"<standard><front><std-meta>
///   <std-ident><originator>ISO</originator><doc-number>9999</doc-number><edition>2</edition></std-ident>
///   <content-language>en</content-language><std-ref type="dated">ISO 9999:2024</std-ref>
/// </std-meta></front><body><sec id="sec_4"><label>4</label><title>Lid</title>
///   <p>The lid shall be closed.</p>
/// </sec></body></standard>"#;
/// let extraction = extract(source, &ExtractionOptions::default())?;
/// assert_eq!(extraction.edition.urn.as_str(), "urn:iso:std:iso:9999:ed-2:en");
/// assert_eq!(&*extraction.edition.provisions[0].text, "The lid shall be closed.");
/// # Ok::<(), norma_sts::ExtractionError>(())
/// ```
pub fn extract(source: &[u8], options: &ExtractionOptions) -> Result<Extraction, ExtractionError> {
    let decoded = decode::decode(source, &options.limits)?;
    let mut repaired = Repaired::new(&decoded.text, &options.limits)?;
    // The parser reports one undeclared prefix at a time.
    let mut declared = 0;
    loop {
        let prefix = match Tree::parse(&repaired, &options.limits) {
            Ok(tree) => return derive(&tree, &repaired, options, decoded.charset),
            Err(ParseError::Refused(error)) => return Err(error),
            Err(ParseError::Prefix(prefix)) => prefix,
        };
        declared += 1;
        if declared > options.limits.undeclared_prefixes {
            let message = format!("the prefix `{prefix}` and many others are not declared");
            return Err(repaired.refusal("undeclared-prefixes", 0, message));
        }
        repaired.declare(&prefix);
    }
}
