//! Reports as one page of HTML without scripts, which loads nothing.

use maud::{DOCTYPE, Markup, html};

use crate::finding::{FindingLevel, ReviewFinding};
use crate::report::ReviewReport;

/// What the page may load: nothing but its own styles.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;\
     background:#fff}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem;overflow-wrap:anywhere}\
     article{border-left:4px solid #777;padding:.2rem 1rem;margin:1rem 0}article.error{border-color:#b00020}\
     article.warning{border-color:#a15c00}article.note{border-color:#3a5a8c}blockquote{margin:.5rem 0;padding-left:1rem;\
     border-left:2px solid #ccc}.level{font-weight:600}.where{color:#555}table{border-collapse:collapse}\
     td,th{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}p{overflow-wrap:anywhere}";

impl ReviewReport {
    /// The report as one page. `version` is that of the program.
    pub fn to_html(&self, version: &str) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { "Review of citations and quotations" }
                    style { (maud::PreEscaped(STYLE)) }
                }
                body {
                    main {
                        h1 { "Review of citations and quotations" }
                        p { (self.summary()) ". Editions of " (self.at) "; Norma " (version) "." }
                        @if let Some(failure) = &self.failure {
                            p role="alert" { "The service could not be asked: " (failure) }
                        }
                        (self.files_in_html())
                        (self.unknown_in_html())
                    }
                }
            }
        };
        page.into_string()
    }

    fn files_in_html(&self) -> Markup {
        html! {
            @for file in &self.files {
                section {
                    h2 { bdi { (file.file) } }
                    @if let Some(error) = &file.error {
                        p role="alert" { "Not reviewed: " (error) }
                    } @else {
                        p { (file.citations) " citations, " (file.quotations) " quotations" }
                    }
                    @for finding in self.findings.iter().filter(|finding| finding.file == file.file) {
                        (finding_in_html(finding))
                    }
                }
            }
        }
    }

    fn unknown_in_html(&self) -> Markup {
        html! {
            @if !self.unknown_documents.is_empty() {
                section {
                    h2 { "Documents without an edition that you may see" }
                    table {
                        tr { th { "Document" } th { "Citations" } }
                        @for unknown in &self.unknown_documents {
                            tr { td { bdi { (unknown.document) } } td { (unknown.citations) } }
                        }
                    }
                }
            }
        }
    }
}

fn finding_in_html(finding: &ReviewFinding) -> Markup {
    let class = finding.level.as_str();
    let level = match finding.level {
        FindingLevel::Error => "Error",
        FindingLevel::Warning => "Warning",
        FindingLevel::Note => "Note",
    };
    html! {
        article class=(class) {
            p {
                span.level { (level) } " "
                span.where { (position(finding)) ", " code { (finding.rule.id()) } }
                ": " bdi { (finding.citation) }
            }
            @if let Some(quotation) = &finding.quotation {
                blockquote { bdi { (quotation) } }
            }
            p { bdi { (finding.message) } }
            @for actual in &finding.actual {
                p { span.where { bdi { (actual.cite) } } }
                blockquote { bdi { (actual.text) } }
            }
        }
    }
}

fn position(finding: &ReviewFinding) -> String {
    let position = finding.position.to_string();
    if position.starts_with(|c: char| c.is_ascii_digit()) { format!("line {position}") } else { position }
}
