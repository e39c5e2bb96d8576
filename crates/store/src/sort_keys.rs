//! Sort keys for the natural order of texts.

use unicode_normalization::UnicodeNormalization;

/// A text whose order by code points is the natural order: `ISO 9` before `ISO 10`, `ISO 9` before `ISO 9-1`.
pub(crate) fn natural(text: &str) -> String {
    let mut key = String::with_capacity(text.len() + 4);
    let mut digits = String::new();
    for c in text.nfkc().flat_map(char::to_lowercase).chain(std::iter::once(' ')) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if !digits.is_empty() {
            // A number is led by its length, so that longer ones come later.
            let number = digits.trim_start_matches('0');
            let length = u32::try_from(number.len()).unwrap_or(u32::MAX).min(60);
            key.push(char::from_u32(u32::from('0') + length).unwrap_or('o'));
            key.push_str(number);
            digits.clear();
        }
        match c {
            c if c.is_alphanumeric() || c == '-' || c == '/' => key.push(c),
            _ if key.ends_with(' ') => {}
            _ => key.push(' '),
        }
    }
    key.truncate(key.trim_end().len());
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_sort_as_people_count() {
        let ordered = [
            "ISO 9:2000",
            "ISO 9-1:1999",
            "ISO 10:1990",
            "ISO 17301-1:2016",
            "ISO 17301-2:2010",
            "ISO 17301-10:2001",
        ];
        let mut sorted = ordered;
        sorted.sort_by_key(|r| natural(r));
        assert_eq!(sorted, ordered);
    }
}
