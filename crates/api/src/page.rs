//! The frame of the pages for people, and the style that they share with the page of a comparison.

/// The style of all pages, in light and in dark; a page adds what it needs.
pub const STYLE: &str = include_str!("page.css");

/// A page that loads nothing.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <link rel=\"icon\" href=\"data:,\"><style>\n{STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n"
    )
}
