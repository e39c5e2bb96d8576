//! HTML of a standard as one file.

use norma_model::Lang;

use super::markup::Html;
use super::parts::ArticleHtml;

const STYLE: &str = include_str!("page.css");

/// A whole document around an article, with a stylesheet in it.
pub fn page(title: &str, language: &str, article: &ArticleHtml) -> String {
    let language_tag = escaped(language);
    let title = escaped(title);
    let is_right_to_left = Lang::of_source(language).is_ok_and(|language| language.is_right_to_left());
    let direction = if is_right_to_left { " dir=\"rtl\"" } else { "" };
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language_tag}\"{direction}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{}\n</body>\n</html>\n",
        article.html,
    )
}

fn escaped(text: &str) -> String {
    let mut html = Html::default();
    html.text(text);
    html.out
}
