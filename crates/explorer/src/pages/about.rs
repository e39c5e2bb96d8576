//! Details of a standard next to its text: its provisions, bibliographic data and downloads.

use maud::{Markup, html};
use norma_api::Operation;
use norma_export::Format;

use super::download::VIEWS;
use crate::calls::Head;
use crate::content::Text;
use crate::frame::{copyable, encoded, mark, provision_address};
use crate::phrases::{Words, fill};
use crate::visit::Visit;

/// Every provision with a link to its page.
pub(super) fn provisions(visit: &Visit, text: &Text) -> Markup {
    let words = visit.words;
    html! {
        @if !text.provisions.is_empty() {
            details.provisions {
                summary { (words.provisions) " " b { (text.provisions.len()) } }
                ul { @for provision in &text.provisions { li { a href=(provision_address(visit, &provision.id)) { (mark(words, provision.kind)) " " (provision.label) } } } }
            }
        }
    }
}

/// Bibliographic data, what can be copied, and downloads; spreadsheets where there are provisions.
pub(super) fn about(visit: &Visit, head: &Head, has_provisions: bool) -> Markup {
    let words = visit.words;
    let shared = visit.shared(&format!("s/{}", encoded(&head.urn)));
    html! {
        section aria-label={ (words.cite) (words.colon()) (head.metadata.reference) } {
            (copyable(visit, words.cite, &head.metadata.reference))
            @if let Some(address) = &shared { (copyable(visit, words.link, address)) }
            (copyable(visit, "API", &visit.site.service.address(Operation::Standard, &[&head.urn])))
        }
        details.about open {
            summary { (visit.words.about_this) }
            dl { @for (name, value) in bibliographic(visit.words, head) { @if !value.is_empty() { dt { (name) } dd { (value) } } } }
        }
        (downloads(visit, head, has_provisions))
    }
}

/// Bibliographic data with the words for them; what the standard does not state is empty.
fn bibliographic(words: &Words, head: &Head) -> [(&'static str, String); 8] {
    let metadata = &head.metadata;
    let mut ics = Vec::with_capacity(head.ics.len());
    for class in &head.ics {
        ics.push(match &class.title {
            Some(title) => format!("{} {title}", class.code),
            None => class.code.to_string(),
        });
    }
    let adopted: Vec<&str> = metadata.adoption_of.iter().map(|adoption| &*adoption.reference).collect();
    let derived_for = match &metadata.provision_languages[..] {
        [] => String::new(),
        languages => fill(words.derived_for, languages.join(", ")),
    };
    [
        ("URN", head.urn.clone()),
        (words.publisher, metadata.publisher.to_string()),
        (words.edition, metadata.edition.to_string()),
        (words.languages, metadata.languages.join(", ")),
        (words.provisions, derived_for),
        (words.committee, metadata.committee.as_deref().unwrap_or_default().to_owned()),
        (words.ics, ics.join("; ")),
        (words.adopts, adopted.join(", ")),
    ]
}

fn downloads(visit: &Visit, head: &Head, has_provisions: bool) -> Markup {
    let words = visit.words;
    let address = |view: &str| visit.at(&format!("d/{}/{view}", encoded(&head.urn)));
    // The first view needs a grant to discover only.
    let views = if head.is_readable { &VIEWS[..] } else { &VIEWS[..1] };
    html! {
        details.downloads {
            summary { (words.downloads) }
            ul {
                @if head.is_readable {
                    li { a href=(address("html")) { (words.whole_html) } }
                    li { a href=(address("source")) { (words.source) } }
                }
                @if has_provisions {
                    @for format in Format::ALL {
                        li { a href=(address(format.as_str())) { (fill(words.provisions_as, format.as_str().to_uppercase())) } }
                    }
                }
                @for view in views {
                    li { a href=(address(view.name)) { (view.name) " (JSON)" } }
                }
            }
        }
    }
}
