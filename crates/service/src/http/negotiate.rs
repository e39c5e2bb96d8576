//! Negotiation of coding and language (RFC 9110, section 12); media types are negotiated by `norma_api::media`.

use axum::http::{HeaderMap, HeaderName, header};
use norma_model::Lang;

/// A content coding that stored bytes come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Coding {
    Identity,
    Gzip,
    Brotli,
}

impl Coding {
    /// Its name in `Content-Encoding`; `identity` is not written there.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
            Self::Brotli => "br",
        }
    }
}

/// The best of the codings offered (best first) by `Accept-Encoding`; without the header, identity.
pub(super) fn coding(headers: &HeaderMap, offered: &[Coding]) -> Coding {
    let Some(ranges) = ranges(headers, &header::ACCEPT_ENCODING) else { return Coding::Identity };
    let quality = |coding: Coding| {
        let named = ranges.iter().find(|(name, _)| name.eq_ignore_ascii_case(coding.name()));
        let any = ranges.iter().find(|(name, _)| name == "*");
        match (named.or(any), coding) {
            (Some((_, quality)), _) => *quality,
            // Identity is acceptable unless it is refused (RFC 9110, section 12.5.3), but only as a last resort.
            (None, Coding::Identity) => 1,
            (None, _) => 0,
        }
    };
    let mut best = (0, Coding::Identity);
    for &coding in offered {
        let quality = quality(coding);
        if quality > best.0 {
            best = (quality, coding);
        }
    }
    best.1
}

/// The languages of `Accept-Language`, the most wanted first; refused ones and `*` are left out.
pub(super) fn languages(headers: &HeaderMap) -> Vec<Lang> {
    let mut ranges = ranges(headers, &header::ACCEPT_LANGUAGE).unwrap_or_default();
    ranges.retain(|(_, quality)| *quality > 0);
    ranges.sort_by_key(|(_, quality)| std::cmp::Reverse(*quality));
    ranges.iter().filter_map(|(range, _)| range.parse().ok()).collect()
}

/// The ranges of a header with their qualities in thousandths; media type parameters are dropped.
fn ranges(headers: &HeaderMap, name: &HeaderName) -> Option<Vec<(String, u16)>> {
    let mut values = headers.get_all(name).iter().filter_map(|v| v.to_str().ok()).peekable();
    values.peek()?;
    let ranges = values.flat_map(|value| value.split(',')).filter_map(|item| {
        let mut parts = item.split(';').map(str::trim);
        let range = parts.next().filter(|r| !r.is_empty())?;
        let quality = parts.find_map(|p| p.strip_prefix("q=").or_else(|| p.strip_prefix("Q=")));
        let quality =
            quality.map_or(Some(1.0), |q| q.parse::<f32>().ok().filter(|q| (0.0..=1.0).contains(q)))?;
        Some((range.to_owned(), (quality * 1000.0) as u16))
    });
    Some(ranges.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, value.parse().unwrap())])
    }

    #[test]
    fn a_coding_is_used_only_when_it_is_accepted() {
        let offered = [Coding::Brotli, Coding::Gzip, Coding::Identity];
        for (accept, best) in [
            ("gzip, br", Coding::Brotli),
            ("gzip", Coding::Gzip),
            ("br;q=0.5, gzip", Coding::Gzip),
            ("br;q=0, *", Coding::Gzip),
            ("deflate", Coding::Identity),
            ("*;q=0", Coding::Identity),
        ] {
            assert_eq!(coding(&headers(header::ACCEPT_ENCODING, accept), &offered), best, "{accept}");
        }
        assert_eq!(coding(&HeaderMap::new(), &offered), Coding::Identity);
    }

    #[test]
    fn languages_come_in_order_of_preference() {
        let found =
            languages(&headers(header::ACCEPT_LANGUAGE, "de;q=0.7, fr-CA, en;q=0.9, *;q=0.1, it;q=0"));
        assert_eq!(found.iter().map(|l| l.as_str()).collect::<Vec<_>>(), ["fr-ca", "en", "de"]);
    }
}
