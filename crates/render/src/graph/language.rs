//! Language tags of the texts in a graph.

/// A language tag that every RDF processor takes (BCP 47: language, script, region); any other is cut down to
/// its language.
pub(super) fn well_formed(tag: &str) -> &str {
    let mut subtags = tag.split('-');
    let language = subtags.next().unwrap_or(tag);
    let rest: Vec<&str> = subtags.collect();
    let is_well_formed = match rest.as_slice() {
        [] => true,
        [one] => is_script(one) || is_region(one),
        [first, second] => is_script(first) && is_region(second),
        _ => false,
    };
    if is_well_formed { tag } else { language }
}

fn is_script(subtag: &str) -> bool {
    subtag.len() == 4 && subtag.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// A country in two letters, or an area of UN M49 in three digits.
fn is_region(subtag: &str) -> bool {
    match subtag.len() {
        2 => subtag.bytes().all(|byte| byte.is_ascii_alphabetic()),
        3 => subtag.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
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
