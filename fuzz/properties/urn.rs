//! Canonical forms: a URN, reference, pattern or selection is written in one form, which reads as the same
//! again.

use norma_model::urn::{reference_key, segment};
use norma_model::{Identifier, Lang, PartialDate, PartialUrn, Selection, Urn, UrnPattern};

/// Holds for any bytes.
pub(crate) fn holds(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(urn) = text.parse::<PartialUrn>() {
        assert_eq!(urn.as_str().parse::<PartialUrn>().as_ref(), Ok(&urn));
        assert_eq!(PartialUrn::new(urn.parts()).as_ref(), Ok(&urn));
        assert!(urn.as_str().starts_with(urn.document_urn()));
        assert_eq!(text.parse::<Urn>().ok(), urn.complete());
    }
    if let Some(urn) = Identifier::parse(&text).ok().and_then(|identifier| identifier.to_urn()) {
        assert_eq!(urn.as_str().parse().as_ref(), Ok(&urn));
    }
    if let Some(citation) = PartialUrn::from_reference(&text) {
        assert_eq!(citation.urn.as_str().parse().as_ref(), Ok(&citation.urn));
    }
    if let Ok(pattern) = text.parse::<UrnPattern>() {
        assert_eq!(
            pattern.as_str().parse::<UrnPattern>().map(|p| p.as_str().to_owned()),
            Ok(pattern.as_str().to_owned())
        );
    }
    if let Ok(selection) = text.parse::<Selection>() {
        let again = selection.as_str().parse::<Selection>();
        assert_eq!(again.as_ref().map(Selection::as_str), Ok(selection.as_str()));
    }
    if let Ok(language) = text.parse::<Lang>() {
        assert_eq!(language.as_str().parse().as_ref(), Ok(&language));
    }
    if let Ok(date) = text.parse::<PartialDate>() {
        assert_eq!(date.to_string().parse(), Ok(date));
    }
    assert_eq!(reference_key(&reference_key(&text)), reference_key(&text));
    assert_eq!(segment(&segment(&text)), segment(&text));
}
