//! Quality values: parser of the items of `Accept`, `Accept-Encoding` and `Accept-Language` with their
//! weights (RFC 9110, section 12.4.2).

/// One item of such a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QualityItem<'a> {
    /// A media type, a coding, a language, or a range of them.
    pub value: &'a str,
    /// The quality in thousandths, from 0 to 1000.
    pub quality: u16,
    parameters: &'a str,
}

impl<'a> QualityItem<'a> {
    /// The parameters other than `q`, with their values.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        parameters(self.parameters).flatten().filter(|(name, _)| !is_quality(name))
    }
}

/// The items of a header in their order. Malformed ones are skipped, which RFC 9110 permits.
pub fn parse_quality_list(header: &str) -> impl Iterator<Item = QualityItem<'_>> {
    header.split(',').filter_map(|item| {
        let (value, rest) = item.split_once(';').unwrap_or((item, ""));
        let mut quality = 1000;
        for parameter in parameters(rest) {
            if let (name, value) = parameter?
                && is_quality(name)
            {
                quality = thousandths(value)?;
            }
        }
        let value = value.trim();
        (!value.is_empty()).then_some(QualityItem { value, quality, parameters: rest })
    })
}

/// Names and values; `None` for malformed parameters.
fn parameters(text: &str) -> impl Iterator<Item = Option<(&str, &str)>> {
    text.split(';').map(str::trim).filter(|parameter| !parameter.is_empty()).map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        Some((name.trim(), value.trim().trim_matches('"')))
    })
}

fn is_quality(name: &str) -> bool {
    name.eq_ignore_ascii_case("q")
}

/// A quality value in thousandths.
fn thousandths(value: &str) -> Option<u16> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let fraction: u16 = format!("{fraction:0<3}").parse().ok()?;
    match whole {
        "0" => Some(fraction),
        "1" if fraction == 0 => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_their_quality_and_malformed_ones_are_passed_over() {
        let found: Vec<_> =
            parse_quality_list("gzip;q=0.5, br ; Q=0.001,;q=1, de;q=2, x;q=0.1234, y;z, identity;a=\"b\"")
                .map(|item| (item.value, item.quality, item.parameters().collect::<Vec<_>>()))
                .collect();
        assert_eq!(found, [("gzip", 500, vec![]), ("br", 1, vec![]), ("identity", 1000, vec![("a", "b")])]);
    }
}
