//! Identifiers of standards that callers may write: the canonical URN, a partial one, or an alias.

use super::alias::AliasForm;
use super::{PartialUrn, Urn, UrnError, grammar};

/// Identifier of a standard as callers may write it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identifier {
    /// A canonical URN, with edition and language.
    Urn(Urn),
    /// A URN without language, or without edition and language.
    Partial(PartialUrn),
    /// Another form that publishers write (version, IEC's colon form, no `urn:`), case folded; an alias.
    /// `urn:` before it and colons after it are dropped. Only [`Identifier::parse`] should make one.
    Alias(String),
}

impl Identifier {
    /// Reads an identifier from a path (percent-decoded) or from a source, in any case.
    ///
    /// Aliases are
    /// - any form here or in [`super`]'s grammar without `urn:`;
    /// - RFC 5141 in its own order: version (`:v1`), supplement after edition or language, `cancelled`,
    ///   language without edition, part without hyphen;
    /// - Metanorma's and relaton's use of it: published stages, supplements by year (`amd:1998:v1`);
    /// - IEC's and NEN's fields: date, type, deliverable and languages, empty where unsaid, with adjuncts
    ///   (`||amd:1:2017-01`, `_amd:1:2016-07`, `+amd:1:2012-07`);
    /// - IETF's: `urn:ietf:rfc:8141` (RFC 2648).
    ///
    /// # Errors
    /// Names the part that none of these forms allows. A clause, table or term of a standard (`:clause:4`,
    /// `#sec-4`) is refused: it is asked for as a selection.
    pub fn parse(text: &str) -> Result<Self, UrnError> {
        let lower = grammar::fold(text.trim())?;
        let canonical_refusal = match PartialUrn::from_lower(&lower) {
            Ok(urn) if urn.has_language() => return Ok(Self::Urn(Urn(urn))),
            // A published stage identifies an edition only together with the source that states it.
            Ok(urn) if urn.has_edition() || !urn.stage().is_some_and(is_published) => {
                return Ok(Self::Partial(urn));
            }
            Ok(_) => None,
            Err(refusal) => Some(refusal),
        };
        let alias = lower.strip_prefix("urn:").unwrap_or(&lower).trim_end_matches(':');
        let Err(alias_refusal) = AliasForm::read(alias) else { return Ok(Self::Alias(alias.to_owned())) };
        // Both grammars refuse: the canonical one knows better what is wrong at the end, the other at the
        // head.
        if lower.starts_with("urn:")
            && alias_refusal.part == "segment"
            && let Some(refusal) = canonical_refusal
            && !matches!(refusal.part, "originator" | "type")
        {
            return Err(refusal);
        }
        Err(alias_refusal)
    }

    /// The canonical or partial URN of this identifier in the normal form of its publisher
    /// ([`super::UrnParts::normalized`]), or `None` when its text alone is not sufficient. Names that no
    /// source has stated resolve by it. A document version is dropped, a year is not taken for an edition,
    /// and a published stage is ignored next to an edition.
    pub fn to_urn(&self) -> Option<PartialUrn> {
        let urn = match self {
            Self::Urn(urn) => urn.as_partial().clone(),
            Self::Partial(urn) => urn.clone(),
            Self::Alias(alias) => AliasForm::read(alias).ok()?.into_urn()?,
        };
        Some(urn.normalized().unwrap_or(urn))
    }
}

/// True for the stage of a published document: 60 and above in ISO's harmonised stage codes.
pub(super) fn is_published(stage: &str) -> bool {
    stage.strip_prefix("stage-").is_some_and(|code| code >= "60")
}
