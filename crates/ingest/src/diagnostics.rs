//! Diagnostics of packages, and the page that explains these and those of documents.

use std::fmt::Write;

use norma_editions::pack;
use norma_model::{Graphic, Urn};
use norma_render::PackPart;
use norma_store::{EditionHandle, StoreError};
use norma_sts::{Diagnostic, DiagnosticKind, Severity};

use crate::file_index::NotTaken;
use crate::sniff;

const MISSING_FILE: DiagnosticKind = DiagnosticKind {
    code: "missing-graphic-file",
    severity: Severity::Warning,
    meaning: "The file that a graphic names is not in the package; the graphic is served as not available.",
    hint: "put the file next to the document, under that name",
};
const OTHER_KIND: DiagnosticKind = DiagnosticKind {
    code: "graphic-of-other-kind",
    severity: Severity::Warning,
    meaning: "The bytes of a graphic's file are of another kind than its name says; they are served as what they are.",
    hint: "give the file the extension of what it is",
};
const REFUSED_FILE: DiagnosticKind = DiagnosticKind {
    code: "graphic-file-refused",
    severity: Severity::Warning,
    meaning: "The file that a graphic names is not taken, because it is not a picture, has a hidden name or belongs to another \
              document; the graphic is served as not available.",
    hint: "name a picture in the folder of the document or in a folder in that; see docs/packages.md",
};

const URN_TAKEN: DiagnosticKind = DiagnosticKind {
    code: "urn-taken",
    severity: Severity::Warning,
    meaning: "The document now gives another URN than the edition has, and another edition has that URN; the edition keeps its own.",
    hint: "remove one of the two editions, then rebuild the other one",
};

/// The diagnostic of an edition that keeps its URN, because another edition has the one that the document
/// gives now.
pub(crate) fn urn_taken(stored: &Urn, given: &Urn) -> Diagnostic {
    let message =
        format!("the document gives {given}, which another edition has; the edition keeps {stored}");
    diagnostic(URN_TAKEN, (1, 1), message)
}

/// The message of [`urn_taken`], if it is among these.
pub(crate) fn message_of_urn_taken(diagnostics: &[Diagnostic]) -> Option<&str> {
    diagnostics.iter().find(|diagnostic| diagnostic.code == URN_TAKEN.code).map(|found| &*found.message)
}

/// A graphic gets no file.
pub(crate) fn not_taken(graphic: &Graphic, position: (u32, u32), reason: &NotTaken) -> Diagnostic {
    let id = &graphic.id;
    let (entry, message) = match reason {
        NotTaken::Missing => {
            let href = &graphic.reference;
            (MISSING_FILE, format!("the file of graphic `{id}` (`{href}`) is not in the package"))
        }
        NotTaken::Hidden(name) => {
            let why = "the name of a file or folder that begins with a dot is hidden";
            (REFUSED_FILE, format!("the file `{name}` of graphic `{id}` is not taken: {why}"))
        }
        NotTaken::NotOwned(name) => {
            let why = "it is in the folder of another document, or of none";
            (REFUSED_FILE, format!("the file `{name}` of graphic `{id}` is not taken: {why}"))
        }
        NotTaken::NotAPicture(name) => {
            let file = if name.is_empty() { "`data:` URI".to_owned() } else { format!("file `{name}`") };
            let kinds = sniff::KINDS;
            let message =
                format!("the {file} of graphic `{id}` is not taken: expected {kinds}, found other content");
            (REFUSED_FILE, message)
        }
    };
    diagnostic(entry, position, message)
}

/// The diagnostic of a graphic whose file is of another kind than its name says.
pub(crate) fn other_kind(
    graphic: &Graphic,
    position: (u32, u32),
    name: &str,
    media_type: &str,
) -> Diagnostic {
    let message = format!("the file of graphic `{}` is called `{name}` and is {media_type}", graphic.id);
    diagnostic(OTHER_KIND, position, message)
}

fn diagnostic(
    DiagnosticKind { code, severity, meaning: _, hint }: DiagnosticKind,
    (line, column): (u32, u32),
    message: String,
) -> Diagnostic {
    Diagnostic { code, severity, line, column, message, hint }
}

/// The stored members of a diagnostic; its severity and hint follow from the code.
type StoredDiagnostic = (String, u32, u32, String);

/// The stored form of diagnostics (postcard).
pub(crate) fn to_bytes(diagnostics: &[Diagnostic]) -> Vec<u8> {
    let mut stored: Vec<StoredDiagnostic> = Vec::with_capacity(diagnostics.len());
    for Diagnostic { code, line, column, message, .. } in diagnostics {
        stored.push(((*code).to_owned(), *line, *column, message.clone()));
    }
    postcard::to_stdvec(&stored).expect("diagnostics hold text and numbers only")
}

/// The diagnostics that are stored with an edition, without codes that this version no longer knows.
///
/// # Errors
/// Those of the store.
pub async fn stored(edition: &EditionHandle) -> Result<Vec<Diagnostic>, StoreError> {
    let bytes = pack::part(edition, PackPart::Diagnostics).await?;
    Ok(bytes.map_or_else(Vec::new, |bytes| from_bytes(&bytes)))
}

fn from_bytes(bytes: &[u8]) -> Vec<Diagnostic> {
    let stored: Vec<StoredDiagnostic> = postcard::from_bytes(bytes).unwrap_or_default();
    let known = entries();
    let mut diagnostics = Vec::with_capacity(stored.len());
    for (code, line, column, message) in stored {
        if let Some(kind) = known.iter().find(|kind| kind.code == code) {
            diagnostics.push(diagnostic(*kind, (line, column), message));
        }
    }
    diagnostics
}

fn entries() -> Vec<DiagnosticKind> {
    let mut entries = norma_sts::diagnostic_kinds().to_vec();
    entries.extend([MISSING_FILE, OTHER_KIND, REFUSED_FILE, URN_TAKEN]);
    entries.sort_by_key(|entry| entry.code);
    entries
}

/// The page docs/diagnostics.md: every code with its severity, meaning and remedy.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Diagnostics\n\n\
         What ingest and `norma check` say of a document. A *note* is worth knowing, a *warning* tells that something was\n\
         repaired, derived or left open, an *error* that the document is refused. Codes keep their meaning for ever.\n\n\
         | code | severity | meaning | what to do |\n|---|---|---|---|\n",
    );
    for DiagnosticKind { code, severity, meaning, hint } in entries() {
        let severity = format!("{severity:?}").to_lowercase();
        writeln!(page, "| `{code}` | {severity} | {meaning} | {hint} |").expect("a string takes every text");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_read_back_without_codes_that_are_not_known() {
        let known = diagnostic(OTHER_KIND, (3, 7), "a picture".to_owned());
        let unknown = Diagnostic { code: "of-another-version", ..known.clone() };
        assert_eq!(from_bytes(&to_bytes(&[unknown, known.clone()])), [known]);
        assert!(from_bytes(b"\xff").is_empty());
    }
}
