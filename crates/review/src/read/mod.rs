//! Readers of documents: Markdown, HTML, DOCX and text into blocks.

mod block;
mod docx;
mod html;
mod markdown;
mod plain;

use std::borrow::Cow;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

pub use block::{DocumentBlock, DocumentPart, DocumentPosition};
pub use docx::{MAX_DOCX_ENTRIES, MAX_DOCX_PART_BYTES, MAX_DOCX_RATIO};

/// Largest document that is read, in bytes.
pub const MAX_DOCUMENT_BYTES: u64 = 50 * 1024 * 1024;

/// Format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// CommonMark with tables and footnotes.
    Markdown,
    /// HTML.
    Html,
    /// Office Open XML of word processors (ISO/IEC 29500).
    Docx,
    /// Text, also reStructuredText and AsciiDoc.
    Text,
}

/// A document that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// Its name says no format that is read.
    #[error(
        "`.{0}` is not a format that is read: expected .md, .html, .docx, .txt, .rst or .adoc; save the \
         document in one of them"
    )]
    UnknownFormat(String),
    /// It is too large.
    #[error("it has {0} bytes, and at most {MAX_DOCUMENT_BYTES} are read: divide it")]
    TooLarge(u64),
    /// Its bytes are not text.
    #[error("it is not text: a NUL character is at byte {0}")]
    NotText(usize),
    /// It is not a document of a word processor, or is damaged.
    #[error("it is not a DOCX document that can be read: {0}; open it in a word processor and save it again")]
    Docx(String),
    /// Its archive goes beyond a limit.
    #[error("its archive is refused: {0}")]
    DocxLimit(String),
}

impl DocumentFormat {
    /// The format of a file by its name. A name without extension is that of a text.
    ///
    /// # Errors
    /// The extension is of another format.
    pub fn of_name(name: &Path) -> Result<Self, DocumentError> {
        let Some(extension) = name.extension() else { return Ok(Self::Text) };
        let extension = extension.to_string_lossy().to_lowercase();
        match extension.as_str() {
            "md" | "markdown" | "mdown" | "mkd" => Ok(Self::Markdown),
            "html" | "htm" | "xhtml" => Ok(Self::Html),
            "docx" => Ok(Self::Docx),
            "txt" | "text" | "rst" | "rest" | "adoc" | "asciidoc" | "asc" => Ok(Self::Text),
            _ => Err(DocumentError::UnknownFormat(extension)),
        }
    }
}

/// The blocks of a document, in order.
///
/// # Errors
/// It is too large, damaged, or something else than the format.
pub fn read_document(format: DocumentFormat, bytes: &[u8]) -> Result<Vec<DocumentBlock>, DocumentError> {
    let size = bytes.len() as u64;
    if size > MAX_DOCUMENT_BYTES {
        return Err(DocumentError::TooLarge(size));
    }
    if format == DocumentFormat::Docx {
        return docx::read(bytes);
    }
    let text = text_of(bytes)?;
    Ok(match format {
        DocumentFormat::Markdown => markdown::read(&text),
        DocumentFormat::Html => html::read(&text, 1),
        DocumentFormat::Text | DocumentFormat::Docx => plain::read(&text),
    })
}

/// The text of bytes: in the encoding of their byte order mark, else UTF-8, else windows-1252, which older
/// editors write.
fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, DocumentError> {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let encoding = match marked {
        Some(encoding) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    let (text, _, _) = encoding.decode(bytes);
    match text.find('\0') {
        Some(at) => Err(DocumentError::NotText(at)),
        None => Ok(text),
    }
}
