//! Diagnostics: what is flawed in a source, where, and how its publisher can mend it.

pub(crate) use norma_provisions::diagnostics::{Diagnostics, RawDiagnostic};

/// How much a flaw matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Note,
    /// Something was repaired, worked out or left open.
    Warning,
    /// The document is refused, or a part of it cannot be served.
    Error,
}

/// One flaw of a source. The codes are listed in docs/diagnostics.md and never change their meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code in kebab case: `missing-edition`.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// Line in the source, from 1.
    pub line: u32,
    /// Column in the source, from 1, in Unicode scalar values.
    pub column: u32,
    /// What is wrong, as a sentence.
    pub message: String,
    /// How to mend it.
    pub hint: &'static str,
}

/// What a diagnostic code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagnosticKind {
    /// The code.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it says, as a sentence.
    pub meaning: &'static str,
    /// How to mend it.
    pub hint: &'static str,
}

/// What is said of flaws, where `place` gives line and column.
pub(crate) fn located(
    diagnostics: Diagnostics,
    place: impl Fn(usize) -> (u32, u32),
) -> impl Iterator<Item = Diagnostic> {
    diagnostics.listed().map(move |RawDiagnostic { code, at, message }| {
        let (line, column) = place(at);
        let (severity, hint) = kind_of(code).map_or((Severity::Note, ""), |m| (m.severity, m.hint));
        Diagnostic { code, severity, line, column, message, hint }
    })
}

const fn kind(
    code: &'static str,
    severity: Severity,
    meaning: &'static str,
    hint: &'static str,
) -> DiagnosticKind {
    DiagnosticKind { code, severity, meaning, hint }
}

use Severity::{Error, Note, Warning};

/// Every code that this crate reports or refuses with, by theme.
const KINDS: &[DiagnosticKind] = &[
    // refusals
    kind(
        "source-too-large",
        Error,
        "The source has more bytes than the limit allows.",
        "raise `max-document-size`, or take embedded pictures out into files",
    ),
    kind(
        "wrong-encoding",
        Error,
        "The bytes are not in the declared encoding.",
        "declare the encoding that the file really has in its first line, or convert it to UTF-8",
    ),
    kind(
        "not-well-formed",
        Error,
        "The markup is no well-formed XML.",
        "mend the markup; `xmllint --noout FILE` shows the same place",
    ),
    kind(
        "too-deep",
        Error,
        "Elements are nested deeper than the limit allows.",
        "flatten the nesting, or raise `max-depth`",
    ),
    kind(
        "too-many-nodes",
        Error,
        "The document has more elements and texts than the limit allows.",
        "split the document, or raise `max-nodes`",
    ),
    kind(
        "attribute-too-large",
        Error,
        "An attribute has more bytes than the limit allows.",
        "keep large pictures in files, or raise `max-attribute-size`",
    ),
    kind(
        "entity-expansion",
        Error,
        "Entities of the document expand beyond the limit.",
        "write the text itself instead of nested entities, or raise `max-entity-expansion` or `max-entity-depth`",
    ),
    kind(
        "too-many-prefixes",
        Error,
        "The document declares more prefixes of namespaces than the limit allows.",
        "declare one prefix for each namespace, or raise `max-prefixes`",
    ),
    kind(
        "undeclared-prefixes",
        Error,
        "More prefixes lack a declaration than the limit allows.",
        "declare the namespaces on the root element, or raise `max-undeclared-prefixes`",
    ),
    kind(
        "too-many-parts",
        Error,
        "The document is cut into more sections, provisions, terms, graphics, tables and footnotes than the limits allow for its size.",
        "put what belongs together into one section, or raise `max-parts` or lower `min-part-size`",
    ),
    kind(
        "no-identity",
        Error,
        "The metadata does not tell which standard this is.",
        "add the missing element, or name the standard with `--urn` or in the manifest `norma-manifest.toml` (docs/packages.md)",
    ),
    kind(
        "invalid-identity",
        Error,
        "The metadata gives parts that cannot stand in a URN.",
        "correct the element, or name the standard with `--urn`",
    ),
    kind(
        "inconsistent",
        Error,
        "The parts of the edition disagree: a fault of this program.",
        "report the document to the makers of Norma",
    ),
    // repairs
    kind(
        "unknown-entity",
        Warning,
        "An entity is neither declared nor a known character name; its name is kept as text.",
        "write the character itself",
    ),
    kind(
        "external-entity",
        Warning,
        "An entity names a file elsewhere, which is never fetched; its name is kept as text.",
        "put the text into the document",
    ),
    kind(
        "undeclared-prefix",
        Note,
        "A namespace prefix is not declared; the usual namespace is taken.",
        "declare the prefix on the root element",
    ),
    kind(
        "relative-namespace",
        Note,
        "The name of a namespace is no absolute URI; the usual one is taken.",
        "use the namespace that the tag set defines",
    ),
    // identity
    kind(
        "originator-worked-out",
        Note,
        "The publisher is not stated; it is taken from the reference, the rights or an abbreviation that the document prints.",
        "fill `std-ident/originator`",
    ),
    kind(
        "number-worked-out",
        Note,
        "The number is not stated; it is taken from the reference.",
        "fill `std-ident/doc-number`",
    ),
    kind(
        "part-worked-out",
        Note,
        "The part is not stated; it is taken from the reference.",
        "fill `std-ident/part-number`",
    ),
    kind(
        "supplement-worked-out",
        Note,
        "The amendment or corrigendum is not stated as such; it is taken from the reference.",
        "fill `std-ident/suppl-type` and `suppl-number`",
    ),
    kind(
        "edition-worked-out",
        Warning,
        "The edition is not stated; a date stands in for it.",
        "fill `std-ident/edition`",
    ),
    kind(
        "language-worked-out",
        Warning,
        "The language is not stated; it is taken from an attribute or the text.",
        "fill `content-language`",
    ),
    kind(
        "stated-urn-differs",
        Note,
        "The stated URN and the other metadata name different documents; the stated one holds.",
        "make `doc-ident/urn` and `std-ident` agree",
    ),
    kind(
        "reference-missing",
        Note,
        "No reference is stated; one is made from publisher and number.",
        "add `std-ref`",
    ),
    kind("title-missing", Warning, "The standard has no title.", "add `title-wrap` with `full` or `main`"),
    kind(
        "invalid-date",
        Note,
        "A date is none in ISO 8601 form; it is left out.",
        "write YYYY, YYYY-MM or YYYY-MM-DD",
    ),
    kind(
        "invalid-language",
        Note,
        "A language is no tag of BCP 47; it is left out.",
        "write a code of ISO 639, such as `en`",
    ),
    kind(
        "language-mismatch",
        Warning,
        "The text is in another language than the metadata says; the URN has the language of the text.",
        "correct `content-language`",
    ),
    kind(
        "no-rules-for-language",
        Warning,
        "The text is in a language without rules for provisions; only those that the source marks are found.",
        "use the text as it is; rules exist for English, French and German",
    ),
    // structure
    kind(
        "no-content",
        Warning,
        "The document holds no section and no text outside its metadata.",
        "check that the file is the whole document",
    ),
    kind(
        "duplicate-id",
        Note,
        "Two elements bear one id; a generated id stands in for it.",
        "give each element an id of its own",
    ),
    kind("dangling-reference", Note, "A cross-reference points at nothing.", "correct `rid`"),
    kind(
        "annex-without-type",
        Note,
        "An annex is called neither normative nor informative; it is read as normative.",
        "add `annex-type`",
    ),
    kind("empty-term", Note, "An entry of terms has no designation.", "add the term, or remove the entry"),
    kind("graphic-without-href", Warning, "A graphic names no file.", "add `xlink:href`"),
    kind(
        "unreadable-data-uri",
        Warning,
        "The `data:` URI of a graphic cannot be decoded.",
        "encode the picture in base64, or name a file",
    ),
    // provisions
    kind(
        "provision-in-note",
        Note,
        "A requirement or recommendation stands in a note, which binds nobody.",
        "move it into the clause's text, or word it as a statement of fact",
    ),
    kind(
        "provision-in-example",
        Note,
        "A requirement or recommendation stands in an example, which binds nobody.",
        "move it into the clause's text, or word it as a statement of fact",
    ),
    kind(
        "provision-in-foreword",
        Note,
        "A requirement or recommendation stands in the foreword, which binds nobody.",
        "move it into a clause, or word it as a statement of fact",
    ),
    kind(
        "provision-in-introduction",
        Note,
        "A requirement or recommendation stands in the introduction, which binds nobody.",
        "move it into a clause, or word it as a statement of fact",
    ),
    kind(
        "provision-in-scope",
        Note,
        "A requirement or recommendation stands in the scope, which only delimits.",
        "move it into a clause, or word it as a statement of fact",
    ),
    kind(
        "no-provision",
        Note,
        "The text has a verbal form such as `shall`, and no provision was found.",
        "look whether the sentence is meant as a provision, and where it is",
    ),
    kind(
        "long-sentence",
        Warning,
        "A sentence is longer than the limit and is not looked into for provisions.",
        "divide it, or raise `max-sentence-size`",
    ),
    // what is left out
    kind(
        "further-flaws",
        Note,
        "More flaws of one kind were found than are listed.",
        "mend those that are listed, or raise `max-flaws`",
    ),
];

/// Every code that [`crate::extract`] reports or refuses with.
pub fn diagnostic_kinds() -> &'static [DiagnosticKind] {
    KINDS
}

/// What a code means.
pub(crate) fn kind_of(code: &str) -> Option<&'static DiagnosticKind> {
    KINDS.iter().find(|entry| entry.code == code)
}
