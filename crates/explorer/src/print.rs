//! Style of a printed page: the citation and the number at the foot of each sheet.

use std::fmt::Write;

use axum::extract::Query;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

/// What a page says of itself.
#[derive(Deserialize)]
pub(crate) struct PrintedPage {
    title: String,
}

/// The style of a page with this title. It is a file of its own, because pages have no styles within them.
pub(crate) async fn style(Query(page): Query<PrintedPage>) -> Response {
    let title = css_string(&page.title);
    let style = format!(
        "@page {{ @bottom-left {{ content: {title}; font: 8pt system-ui, sans-serif; }} \
         @bottom-right {{ content: counter(page) \" / \" counter(pages); font: 8pt system-ui, sans-serif; }} }}\n"
    );
    ([(CONTENT_TYPE, "text/css")], style).into_response()
}

/// A text as a string of CSS: letters, digits and spaces as they are, others by their numbers (CSS Syntax 3,
/// 4.3.7).
fn css_string(text: &str) -> String {
    let mut string = String::from("\"");
    for c in text.chars() {
        if c.is_alphanumeric() || c == ' ' {
            string.push(c);
        } else {
            write!(string, "\\{:x} ", u32::from(c)).expect("a string takes any text");
        }
    }
    string.push('"');
    string
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_end_its_string() {
        assert_eq!(css_string("NSB 4210:2025"), "\"NSB 4210\\3a 2025\"");
        assert_eq!(css_string("\"}\n</style>é"), "\"\\22 \\7d \\a \\3c \\2f style\\3e é\"");
    }
}
