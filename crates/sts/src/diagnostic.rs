//! Diagnostics of a source: code, severity, position, message, and a hint for its publisher.

pub(crate) use norma_provisions::diagnostics::{Diagnostics, RawDiagnostic};

/// Severity of a diagnostic, by what is lost of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Information; nothing is lost.
    Note,
    /// Something was repaired, derived or left out.
    Warning,
    /// The document is refused, or a part of it cannot be served.
    Error,
}

/// A problem of a source. The codes are listed in docs/diagnostics.md and never change their meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code in kebab case: `missing-edition`.
    pub code: &'static str,
    /// How much of the document is affected.
    pub severity: Severity,
    /// Line in the source, from 1.
    pub line: u32,
    /// Column in the source, from 1, in Unicode scalar values.
    pub column: u32,
    /// A sentence about the flaw, with the words of this source.
    pub message: String,
    /// What the publisher can do about it.
    pub hint: &'static str,
}

/// A diagnostic code with its severity, meaning and hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagnosticKind {
    /// Stable code in kebab case, one for each kind.
    pub code: &'static str,
    /// How much of a document with such a flaw is affected.
    pub severity: Severity,
    /// A sentence about the flaw in general.
    pub meaning: &'static str,
    /// What a publisher can do about it.
    pub hint: &'static str,
}

/// Converts raw diagnostics; `position` gives line and column of an offset.
pub(crate) fn located(
    diagnostics: Diagnostics,
    position: impl Fn(usize) -> (u32, u32),
) -> impl Iterator<Item = Diagnostic> {
    diagnostics.listed().map(move |RawDiagnostic { code, at, message }| {
        let (line, column) = position(at);
        let (severity, hint) = match kind_of(code) {
            Some(kind) => (kind.severity, kind.hint),
            None => (Severity::Note, ""),
        };
        Diagnostic { code, severity, line, column, message, hint }
    })
}

/// A table of kinds: severity and code, the sentence, the remedy.
macro_rules! kinds {
    ($($severity:ident $code:literal: $meaning:literal => $hint:literal;)*) => {
        &[$(DiagnosticKind { code: $code, severity: Severity::$severity, meaning: $meaning, hint: $hint }),*]
    };
}

/// Every code that this crate reports or refuses with, by theme.
const KINDS: &[DiagnosticKind] = kinds! {
    // refusals
    Error "source-too-large": "The source has more bytes than the limit allows."
        => "raise `max-document-size`, or take embedded pictures out into files";
    Error "wrong-encoding": "The bytes are not in the declared encoding."
        => "declare the encoding that the file really has in its first line, or convert it to UTF-8";
    Error "not-well-formed": "The markup is not well-formed XML."
        => "correct the markup; `xmllint --noout FILE` reports the same position";
    Error "too-deep": "Elements are nested deeper than the limit allows."
        => "flatten the nesting (`max-depth`)";
    Error "too-many-nodes": "The document has more elements and texts than the limit allows."
        => "split the document (`max-nodes`)";
    Error "attribute-too-large": "An attribute has more bytes than the limit allows."
        => "keep large pictures in files (`max-attribute-size`)";
    Error "entity-expansion": "Entities of the document expand beyond the limit."
        => "write the text itself instead of nested entities (`max-entity-expansion`, `max-entity-depth`)";
    Error "too-many-prefixes": "The document declares more prefixes of namespaces than the limit allows."
        => "declare one prefix for each namespace (`max-prefixes`)";
    Error "undeclared-prefixes": "More prefixes are used without a declaration than the limit allows."
        => "declare the namespaces on the root element (`max-undeclared-prefixes`)";
    Error "too-many-parts":
        "The document has more sections, provisions, terms, graphics, tables and footnotes than the limits allow for its size."
        => "merge sections, or split the document (`max-parts`, `min-part-size`)";
    Error "no-identity": "The metadata does not identify the standard."
        => "add the missing element, or name the standard with `--urn` or in the manifest `norma-manifest.toml` (docs/packages.md)";
    Error "invalid-identity": "The metadata has values that are not valid in a URN."
        => "correct the element, or name the standard with `--urn`";
    Error "inconsistent": "The parts of the edition contradict each other, which is an error of Norma."
        => "report the document to the maintainers of Norma";
    // repairs
    Warning "unknown-entity": "An entity is neither declared nor a known character name; its name is kept as text."
        => "write the character itself";
    Warning "external-entity": "An entity refers to an external file, which is never fetched; its name is kept as text."
        => "put the text into the document";
    Note "undeclared-prefix": "A namespace prefix is not declared; the usual namespace is used."
        => "declare the prefix on the root element";
    Note "relative-namespace": "A namespace name is not an absolute URI; the usual one is used."
        => "use the namespace that the tag set defines";
    // identity
    Note "originator-worked-out":
        "The publisher is not stated; it is taken from the reference, the rights or an abbreviation in the text."
        => "fill `std-ident/originator`";
    Note "number-worked-out": "The number is not stated; it is taken from the reference."
        => "fill `std-ident/doc-number`";
    Note "part-worked-out": "The part is not stated; it is taken from the reference."
        => "fill `std-ident/part-number`";
    Note "supplement-worked-out": "The amendment or corrigendum is not stated as such; it is taken from the reference."
        => "fill `std-ident/suppl-type` and `suppl-number`";
    Warning "edition-worked-out": "The edition is not stated; a date is used instead."
        => "fill `std-ident/edition`";
    Warning "language-worked-out": "The language is not stated; it is taken from an attribute or the text."
        => "fill `content-language`";
    Note "stated-urn-differs": "The stated URN and the other metadata name different documents; the stated URN is used."
        => "make `doc-ident/urn` and `std-ident` agree";
    Note "reference-missing": "No reference is stated; one is made from publisher and number."
        => "add `std-ref`";
    Warning "reference-without-number": "The reference of the document does not name it."
        => "write the designation as it is printed into `std-ref`, such as `ISO 1234-1:2020`";
    Warning "title-missing": "The standard has no title."
        => "add `title-wrap` with `full` or `main`";
    Note "invalid-date": "A date is not in ISO 8601 form; it is left out."
        => "write YYYY, YYYY-MM or YYYY-MM-DD";
    Note "invalid-ics": "A class is not a code of the International Classification for Standards; it is left out."
        => "write a code such as `13.110`";
    Note "invalid-language": "A language is not a BCP 47 tag; it is left out."
        => "write a code of ISO 639, such as `en`";
    Warning "language-mismatch":
        "The language of the text differs from that of the metadata; the URN has the language of the text."
        => "correct `content-language`";
    Warning "no-rules-for-language":
        "The text is in a language without rules for provisions; only those that the source marks are found."
        => "use the text as it is; rules exist for English, French and German";
    // structure
    Warning "no-content": "The document has no section and no text outside its metadata."
        => "check that the file is the whole document";
    Note "duplicate-id": "Two elements have the same id; a generated id replaces it."
        => "give each element a unique id";
    Warning "change-marks":
        "The document has change marks: what is struck out is in the source only, and what is inserted is in the text."
        => "publish the state after the changes; docs/packages.md lists the marks that are read";
    Warning "include-not-resolved":
        "A part of the document is in another file, which the document includes; it is never fetched."
        => "put the part into the document";
    Note "dangling-reference": "A cross-reference has no target."
        => "set `rid` to the id of an element";
    Note "annex-without-type": "Annexes say in no known word whether they are normative; they are read as normative."
        => "add `annex-type`";
    Note "empty-term": "An entry of terms has no designation."
        => "add the term, or remove the entry";
    Warning "graphic-without-href": "A graphic names no file."
        => "add `xlink:href`";
    Warning "unreadable-data-uri": "The `data:` URI of a graphic cannot be decoded."
        => "encode the picture in base64, or name a file";
    // provisions
    Note "provision-in-note": "A requirement or recommendation is in a note, which is informative."
        => "move it into the clause's text, or word it as a statement of fact";
    Note "provision-in-example": "A requirement or recommendation is in an example, which is informative."
        => "move it into the clause's text, or word it as a statement of fact";
    Note "provision-in-foreword": "A requirement or recommendation is in the foreword, which is informative."
        => "move it into a clause, or word it as a statement of fact";
    Note "provision-in-introduction": "A requirement or recommendation is in the introduction, which is informative."
        => "move it into a clause, or word it as a statement of fact";
    Note "provision-in-scope": "A requirement or recommendation is in the scope, which only delimits the subject."
        => "move it into a clause, or word it as a statement of fact";
    Note "provision-in-footnote": "A requirement or recommendation is in a footnote, which cannot bind."
        => "move it into the clause's text, or word it as a statement of fact";
    Note "provision-in-caption": "A requirement or recommendation is in a caption or key, which cannot bind."
        => "move it into the clause's text, or word it as a statement of fact";
    Note "provision-in-heading": "A requirement or recommendation is in a title or the head of a table, which cannot bind."
        => "move it into the clause's text, or word it as a heading";
    Note "provision-in-definition": "A requirement or recommendation is in a definition, which cannot bind."
        => "move it into a clause, or word it as a property of the concept";
    Note "no-provision": "A sentence has a verb of duty such as `shall`, and is not a provision for the reason given."
        => "check whether the sentence is meant as a provision";
    Note "duties-in-present-tense": "The document is a law, which may state duties in the present tense, without a verbal form."
        => "read the document for such duties; provisions are found by verbal forms alone";
    Warning "long-sentence": "A sentence is longer than the limit and is not searched for provisions."
        => "split it (`max-sentence-size`)";
    Warning "large-table":
        "The tables of the document have more cells than are served as data; this one is listed without its cells."
        => "read the cells in the text of its section (`max-table-size`)";
    Note "interrupted-text": "The text of a section goes on after sections within it; it is longer than can be sent in that order."
        => "move the sections within to the end of their section (`max-interrupted-text`)";
    // lists that are cut off
    Note "further-flaws": "More diagnostics of one code were found than are listed."
        => "correct those that are listed (`max-diagnostics`)";
};

/// Every code that [`crate::extract`] reports or refuses with.
pub fn diagnostic_kinds() -> &'static [DiagnosticKind] {
    KINDS
}

/// The kind of a code; `None` for one that [`KINDS`] does not list.
pub(crate) fn kind_of(code: &str) -> Option<&'static DiagnosticKind> {
    KINDS.iter().find(|entry| entry.code == code)
}
