//! What kind of file an asset is, from its bytes first and its name second; nothing is decoded.

/// The media type of a file (RFC 6838).
pub(crate) fn media_type(name: &str, bytes: &[u8]) -> String {
    if let Some(kind) = infer::get(bytes).filter(|kind| kind.mime_type() != "text/xml") {
        return kind.mime_type().to_owned();
    }
    if svg_root(bytes).is_some() {
        return "image/svg+xml".to_owned();
    }
    by_extension(name).unwrap_or("application/octet-stream").to_owned()
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
        "pdf" => "application/pdf",
        "mathml" | "mml" => "application/mathml+xml",
        "txt" => "text/plain",
        "csv" => "text/csv",
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

/// How far into a file its root element is looked for.
const HEAD: usize = 16 * 1024;

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
    let valid = head.utf8_chunks().next().map_or("", |chunk| chunk.valid()).trim_start_matches('\u{feff}');
    let mut rest = valid.trim_start();
    // Prolog: declaration, comments, document type.
    while let Some(markup) = rest.strip_prefix("<?").or_else(|| rest.strip_prefix("<!")) {
        let end = if markup.starts_with("--") {
            markup.find("-->")? + 3
        } else if markup.starts_with("DOCTYPE")
            && markup.find('[').is_some_and(|b| Some(b) < markup.find('>'))
        {
            let subset = markup.find(']')?;
            subset + markup[subset..].find('>')? + 1
        } else {
            markup.find('>')? + 1
        };
        rest = markup[end..].trim_start();
    }
    let root = rest.strip_prefix('<')?;
    let (tag, rest) = root.split_once(|c: char| c.is_whitespace() || c == '>')?;
    let name = tag.rsplit(':').next().unwrap_or(tag).trim_end_matches('/');
    // A tag that ends behind its name has no attributes: what follows is not its own.
    let attributes =
        if root[tag.len()..].starts_with('>') { "" } else { rest.split('>').next().unwrap_or_default() };
    Some((name, attributes))
}

fn svg_dimensions(root: &str) -> Option<(u32, u32)> {
    let attribute = |name: &str| {
        let at = root
            .match_indices(name)
            .find(|(at, _)| root[..*at].ends_with(char::is_whitespace) || *at == 0)?;
        let value = root[at.0 + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        value[1..].split(quote).next()
    };
    let length = |text: &str| {
        let number: f64 = text.trim().trim_end_matches("px").parse().ok()?;
        (number.is_finite() && number > 0.0 && number < f64::from(u32::MAX)).then_some(number.round() as u32)
    };
    let stated = attribute("width").and_then(length).zip(attribute("height").and_then(length));
    stated.or_else(|| {
        let fields: Vec<&str> = attribute("viewBox")?.split([' ', ',']).filter(|f| !f.is_empty()).collect();
        let [_, _, width, height] = fields.as_slice() else { return None };
        length(width).zip(length(height))
    })
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
            assert_eq!(media_type("x.bin", file.as_bytes()), "image/svg+xml", "{svg}");
            assert_eq!(dimensions(file.as_bytes()), size, "{svg}");
        }
    }

    #[test]
    fn bytes_count_more_than_the_name() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0";
        assert_eq!(media_type("fig.gif", png), "image/png");
        assert_eq!(dimensions(png), Some((3, 2)));
        assert_eq!(media_type("fig.eps", b"no magic"), "application/postscript");
        assert_eq!(media_type("fig", b"no magic"), "application/octet-stream");
        assert_eq!(media_type("page.htm", b"<html><svg/></html>"), "text/html");
    }
}
