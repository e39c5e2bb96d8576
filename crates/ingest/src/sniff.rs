//! Kind and size of a picture, from its bytes, without decoding it.

/// Names of the kinds of pictures that are served, for messages.
pub(crate) const KINDS: &str = "PNG, JPEG, GIF, WebP, BMP, TIFF, SVG, EPS, EMF or WMF";

/// The media type (RFC 6838) of a picture that is served; `None` for everything else. A name tells nothing:
/// what a document names may be any file of its folder.
pub(crate) fn picture(bytes: &[u8]) -> Option<&'static str> {
    for (magic, media_type) in MAGICS {
        if bytes.starts_with(magic) {
            return Some(media_type);
        }
    }
    // These begin like other files, so that bytes behind decide too.
    let has = |offset: usize, magic: &[u8]| bytes.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    if has(0, b"RIFF") && has(8, b"WEBP") {
        return Some("image/webp");
    }
    if has(0, b"BM") && BMP_HEADERS.iter().any(|size| has(14, &[*size, 0, 0, 0])) {
        return Some("image/bmp");
    }
    if has(0, b"\x01\0\0\0") && has(40, b" EMF") {
        return Some("image/emf");
    }
    if is_encapsulated_postscript(bytes) {
        return Some("application/postscript");
    }
    svg_root(bytes)?;
    Some("image/svg+xml")
}

/// First bytes of files that decide their kind, with its media type.
const MAGICS: [(&[u8], &str); 12] = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"II+\0", "image/tiff"),
    (b"MM\0+", "image/tiff"),
    (b"\xd7\xcd\xc6\x9a", "image/wmf"),
    (b"\x01\0\x09\0\0\x03", "image/wmf"),
    (b"\x02\0\x09\0\0\x03", "image/wmf"),
    // With a preview of another kind before the program.
    (b"\xc5\xd0\xd3\xc6", "application/postscript"),
];

/// Sizes in bytes of the headers that follow a BMP's file header, from OS/2 1.x to BITMAPV5HEADER. Checking
/// the two letters alone would accept text.
const BMP_HEADERS: [u8; 7] = [12, 16, 40, 52, 56, 108, 124];

/// True if the first line is that of an EPS file: `%!PS-Adobe-3.0 EPSF-3.0` (Adobe technical note 5002).
fn is_encapsulated_postscript(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(64)];
    let end = start.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(start.len());
    let line = &start[..end];
    line.starts_with(b"%!PS-Adobe-") && line.windows(6).any(|window| window == b" EPSF-")
}

/// The media type that a name promises.
pub(crate) fn by_extension(name: &str) -> Option<&'static str> {
    let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
    Some(match extension.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "svg" => "image/svg+xml",
        "webp" => "image/webp",
        "bmp" => "image/bmp",
        "tif" | "tiff" => "image/tiff",
        "eps" | "ps" => "application/postscript",
        "emf" => "image/emf",
        "wmf" => "image/wmf",
        _ => return None,
    })
}

/// Width and height in pixels, or in user units for SVG.
pub(crate) fn dimensions(bytes: &[u8]) -> Option<(u32, u32)> {
    match svg_root(bytes) {
        Some(root) => svg_dimensions(root),
        None => {
            let size = imagesize::blob_size(bytes).ok()?;
            Some((u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?))
        }
    }
}

/// Bytes at the start of a file in which its root element is searched.
pub(crate) const HEAD: usize = 16 * 1024;

/// The start tag of an SVG picture's root, without `<svg`.
fn svg_root(bytes: &[u8]) -> Option<&str> {
    let (name, attributes) = start_tag(bytes)?;
    (name == "svg").then_some(attributes)
}

/// Name of an XML document's root element, without prefix.
pub(crate) fn root(bytes: &[u8]) -> Option<&str> {
    Some(start_tag(bytes)?.0)
}

/// Name without prefix, and attributes, of the first start tag.
fn start_tag(bytes: &[u8]) -> Option<(&str, &str)> {
    let head = &bytes[..bytes.len().min(HEAD)];
    // The head may end within a character.
    let valid = head.utf8_chunks().next()?.valid();
    let mut rest = valid.trim_start_matches('\u{feff}').trim_start();
    // Prolog: declaration, comments, document type.
    while let Some(markup) = rest.strip_prefix("<?").or_else(|| rest.strip_prefix("<!")) {
        rest = markup[end_of_markup(markup)?..].trim_start();
    }
    let root = rest.strip_prefix('<')?;
    let (tag, rest) = root.split_once(|c: char| c.is_whitespace() || c == '>')?;
    let name = tag.rsplit(':').next().unwrap_or(tag).trim_end_matches('/');
    // A tag that ends behind its name has no attributes: what follows is not its own.
    if root[tag.len()..].starts_with('>') {
        return Some((name, ""));
    }
    let attributes = rest.split('>').next().unwrap_or_default();
    Some((name, attributes))
}

/// Where a part of the prolog ends, which is without its first two characters.
fn end_of_markup(markup: &str) -> Option<usize> {
    if markup.starts_with("--") {
        return Some(markup.find("-->")? + 3);
    }
    let close = markup.find('>')?;
    let opens_subset = markup.starts_with("DOCTYPE") && markup[..close].contains('[');
    if !opens_subset {
        return Some(close + 1);
    }
    // The declarations of an internal subset have their own `>`.
    let subset = markup.find(']')?;
    Some(subset + markup[subset..].find('>')? + 1)
}

/// The size that the attributes of the root state, or else that of the view box (SVG 1.1, 7.7).
fn svg_dimensions(root: &str) -> Option<(u32, u32)> {
    let width = attribute(root, "width").and_then(pixels);
    let height = attribute(root, "height").and_then(pixels);
    if let (Some(width), Some(height)) = (width, height) {
        return Some((width, height));
    }
    let fields: Vec<&str> =
        attribute(root, "viewBox")?.split([' ', ',']).filter(|field| !field.is_empty()).collect();
    let [_, _, width, height] = fields[..] else { return None };
    Some((pixels(width)?, pixels(height)?))
}

/// The value of an attribute in a start tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    // `width` is also the end of `stroke-width`.
    let begins_name = |at: usize| at == 0 || tag[..at].ends_with(char::is_whitespace);
    let (at, _) = tag.match_indices(name).find(|(at, _)| begins_name(*at))?;
    let value = tag[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next()?;
    if quote != '"' && quote != '\'' {
        return None;
    }
    value[1..].split(quote).next()
}

/// A length in pixels; `None` for another unit, such as `100%`.
fn pixels(text: &str) -> Option<u32> {
    let number: f64 = text.trim().trim_end_matches("px").parse().ok()?;
    let is_length = number.is_finite() && number > 0.0 && number < f64::from(u32::MAX);
    if is_length { Some(number.round() as u32) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_svg_is_known_by_its_root_and_measured_by_its_size_or_view_box() {
        let prolog = "<?xml version=\"1.0\"?>\n<!-- drawn > here -->\n<!DOCTYPE svg [<!ENTITY a \"b\">]>\n";
        for (svg, size) in [
            ("<svg xmlns='http://www.w3.org/2000/svg' width=\"120px\" height='80'/>", Some((120, 80))),
            ("<svg:svg viewBox=\"0 0 30.4 20\"></svg:svg>", Some((30, 20))),
            ("<svg width='100%' height='100%' viewBox='0,0,3,4'>", Some((3, 4))),
            ("<svg stroke-width='2' >", None),
        ] {
            let file = format!("{prolog}{svg}");
            assert_eq!(picture(file.as_bytes()), Some("image/svg+xml"), "{svg}");
            assert_eq!(dimensions(file.as_bytes()), size, "{svg}");
        }
    }

    #[test]
    fn a_picture_is_known_by_its_bytes() {
        let emf = [b"\x01\0\0\0".as_slice(), &[0; 36], b" EMF"].concat();
        let bmp = [b"BM".as_slice(), &[0; 12], &[40, 0, 0, 0]].concat();
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0".as_slice();
        assert_eq!(dimensions(png), Some((3, 2)));
        for (bytes, kind) in [
            (png, "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (b"GIF89a\x01\0", "image/gif"),
            (b"RIFF\x08\0\0\0WEBPVP8 ", "image/webp"),
            (&bmp, "image/bmp"),
            (b"II*\0\x08\0\0\0", "image/tiff"),
            (b"MM\0*\0\0\0\x08", "image/tiff"),
            (&emf, "image/emf"),
            (b"\xd7\xcd\xc6\x9a\0\0", "image/wmf"),
            (b"\x01\0\x09\0\0\x03\0\0", "image/wmf"),
            (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n", "application/postscript"),
            (b"\xc5\xd0\xd3\xc6\x20\0", "application/postscript"),
        ] {
            assert_eq!(picture(bytes), Some(kind));
        }
    }

    #[test]
    fn everything_else_is_no_picture() {
        for bytes in [
            b"".as_slice(),
            b"-----BEGIN OPENSSH PRIVATE KEY-----\n",
            b"BMW_SECRET=a-long-secret-of-many-letters",
            b"GIFT=1",
            b"[server]\nlisten = \"127.0.0.1:80\"",
            b"<html><svg/></html>",
            b"<!DOCTYPE html><body/>",
            b"<?xml version='1.0'?><standard/>",
            b"%PDF-1.7",
            b"%!PS-Adobe-3.0\n(EPSF-3.0) show",
            b"#!/bin/sh\n# <svg>",
            b"// <svg>\nalert(1)",
            b"PK\x03\x04",
            b"\x7fELF\x02\x01\x01",
            b"SQLite format 3\0",
        ] {
            assert_eq!(picture(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
