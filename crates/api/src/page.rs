//! The frame of the pages for people, and the style that they share with the page of a comparison.

use crate::guides::Guide;
use crate::paths::Operation;

/// The style of all pages, in light and in dark; a page adds what it needs.
pub const STYLE: &str = include_str!("page.css");

/// Blocks of code and tables, which only the pages of the service itself have.
const BLOCKS: &str = "\
pre { overflow-x: auto; background: var(--band); border-radius: .25rem; padding: .6rem .8rem; }
pre code { background: none; padding: 0; }
p, ul, ol, pre, table { margin: 0 0 1rem; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
";

/// A page that loads nothing; `up` leads from it to the root of the service: empty, `../` or a path.
pub(crate) fn page(title: &str, body: &str, up: &str) -> String {
    let [docs, problems] =
        [Operation::Docs, Operation::ProblemIndex].map(|page| format!("{up}{}", &page.path()[1..]));
    let guide = Guide::ALL[0].link(up);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <link rel=\"icon\" href=\"data:,\"><style>\n{STYLE}{BLOCKS}</style></head>\n<body>\n<main>\n{body}\n</main>\n\
         <footer><nav aria-label=\"Documents of this service\"><a href=\"{docs}\">Documentation of the API</a> · \
         {guide} · <a href=\"{problems}\">Problems</a></nav></footer>\n</body>\n</html>\n"
    )
}
