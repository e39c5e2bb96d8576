//! Language tags of the texts in a graph.

/// A language tag that every RDF processor takes (BCP 47: language, script, region); any other is cut down to
/// its language.
pub(super) fn well_formed(tag: &str) -> &str {
    let mut subtags = tag.split('-');
    let language = subtags.next().unwrap_or(tag);
    let rest: Vec<&str> = subtags.collect();
    let script = |s: &str| s.len() == 4 && s.bytes().all(|b| b.is_ascii_alphabetic());
    let region = |s: &str| match s.len() {
        2 => s.bytes().all(|b| b.is_ascii_alphabetic()),
        3 => s.bytes().all(|b| b.is_ascii_digit()),
        _ => false,
    };
    let is_well_formed = match rest.as_slice() {
        [] => true,
        [one] => script(one) || region(one),
        [first, second] => script(first) && region(second),
        _ => false,
    };
    if is_well_formed { tag } else { language }
}

#[cfg(test)]
mod tests {
    use super::well_formed;

    #[test]
    fn a_language_tag_that_a_processor_might_refuse_is_cut_down_to_its_language() {
        for (tag, expected) in
            [("en", "en"), ("zh-hant", "zh-hant"), ("zh-hant-tw", "zh-hant-tw"), ("es-419", "es-419")]
        {
            assert_eq!(well_formed(tag), expected);
        }
        for (tag, expected) in [("en-a", "en"), ("en-abcd-efgh", "en"), ("fr-x-old", "fr"), ("en-12", "en")] {
            assert_eq!(well_formed(tag), expected);
        }
    }
}
