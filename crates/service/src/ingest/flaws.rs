//! The flaws of packages, beside those of documents, and the page that explains both.

use std::fmt::Write;

use norma_sts::{Diagnostic, Entry, Severity};

const MISSING_FILE: Entry = Entry {
    code: "missing-graphic-file",
    severity: Severity::Warning,
    meaning: "The file that a graphic names is not in the package; the graphic is served as not available.",
    hint: "put the file beside the document, under that name",
};
const OTHER_KIND: Entry = Entry {
    code: "graphic-of-other-kind",
    severity: Severity::Warning,
    meaning: "The bytes of a graphic's file are of another kind than its name says; they are served as what they are.",
    hint: "give the file the extension of what it is",
};

/// The file of a graphic is not there.
pub(super) fn missing_file(graphic: &str, href: &str) -> Diagnostic {
    flaw(MISSING_FILE, format!("the file of graphic `{graphic}` (`{href}`) is not in the package"))
}

/// The file of a graphic is not what its name says.
pub(super) fn other_kind(graphic: &str, name: &str, media_type: &str) -> Diagnostic {
    flaw(OTHER_KIND, format!("the file of graphic `{graphic}` is called `{name}` and is {media_type}"))
}

/// A flaw of the package has no place in the document: it stands at its beginning.
fn flaw(Entry { code, severity, meaning: _, hint }: Entry, message: String) -> Diagnostic {
    Diagnostic { code, severity, line: 1, column: 1, message, hint }
}

/// Name under which the diagnostics of an edition are stored beside its views.
pub(super) const STORED: &str = "diagnostics";

/// What is stored of a diagnostic; its severity and hint follow from the code.
type Kept = (String, u32, u32, String);

/// The stored form of diagnostics (postcard).
pub(super) fn to_bytes(diagnostics: &[Diagnostic]) -> Vec<u8> {
    let kept: Vec<Kept> =
        diagnostics.iter().map(|d| (d.code.to_owned(), d.line, d.column, d.message.clone())).collect();
    postcard::to_stdvec(&kept).expect("diagnostics hold text and numbers only")
}

/// Reads the stored form; a code that this version does not know any more is left out.
pub(super) fn from_bytes(bytes: &[u8]) -> Vec<Diagnostic> {
    let kept: Vec<Kept> = postcard::from_bytes(bytes).unwrap_or_default();
    let known = entries();
    let read = |(code, line, column, message): Kept| {
        let entry = known.iter().find(|entry| entry.code == code)?;
        let Entry { code, severity, meaning: _, hint } = *entry;
        Some(Diagnostic { code, severity, line, column, message, hint })
    };
    kept.into_iter().filter_map(read).collect()
}

fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> =
        norma_sts::catalogue().iter().copied().chain([MISSING_FILE, OTHER_KIND]).collect();
    entries.sort_by_key(|entry| entry.code);
    entries
}

/// The page docs/diagnostics.md: every code with its severity, meaning and remedy.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Diagnostics\n\n\
         What ingest and `norma check` say of a document. A *note* is worth knowing, a *warning* tells that something was\n\
         repaired, worked out or left open, an *error* that the document is refused. Codes keep their meaning for ever.\n\n\
         | code | severity | meaning | how to mend it |\n|---|---|---|---|\n",
    );
    for Entry { code, severity, meaning, hint } in entries() {
        let severity = format!("{severity:?}").to_lowercase();
        writeln!(page, "| `{code}` | {severity} | {meaning} | {hint} |").expect("a string takes every text");
    }
    page
}
