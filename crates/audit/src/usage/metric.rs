//! Kinds of use: which reads are requests of a standard, which are investigations, and which are neither.

use norma_api::Operation;
use norma_api::query::{ComparisonQuery, FieldsQuery, SearchQuery};

/// The kind of use that a read of a standard, or a search, is. Each request is an investigation as well
/// (COUNTER R5.1, Appendix A).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Any other read of the standard: `Total_Item_Investigations`, `Unique_Item_Investigations`.
    Investigation,
    /// A read that shows text, tables or pictures of the standard (whole provisions, sections, definitions,
    /// cells, the bytes of an image). It counts in `Total_Item_Requests`, `Unique_Item_Requests` and those of
    /// an investigation.
    Request,
    /// A read that was refused to a caller who may discover the standard: `No_License`.
    NoLicense,
    /// A search in the texts of all standards: `Searches_Platform`.
    Search,
}

impl Metric {
    /// The kind of use that an operation with this status is; `None` if it does not count. `target`: path and
    /// query, whose parameters choose what some operations show.
    ///
    /// 200 and 304 are the statuses that COUNTER counts (R5.1, section 7.1), 206 is a part of a 200.
    /// `only_discovered`: the caller may discover the standard and not read it.
    pub fn of(operation: Operation, status: u16, only_discovered: bool, target: &str) -> Option<Self> {
        let of_reader = Self::of_reader(operation, target)?;
        match status {
            200 | 206 | 304 if only_discovered => Some(Self::Investigation),
            200 | 206 | 304 => Some(of_reader),
            403 if only_discovered => Some(Self::NoLicense),
            _ => None,
        }
    }

    /// True if an answer with this status is of a search that counts. A page after the first is not another
    /// search.
    pub fn is_search(operation: Operation, status: u16, target: &str) -> bool {
        let is_answered = matches!(status, 200 | 304);
        operation == Operation::Search && is_answered && !SearchQuery::asks_for_next_page(query_of(target))
    }

    /// The kind of use by a caller who may read the standard.
    fn of_reader(operation: Operation, target: &str) -> Option<Self> {
        let query = query_of(target);
        match operation {
            Operation::Standard | Operation::Metadata if !FieldsQuery::shows_text(operation, query) => {
                Some(Self::Investigation)
            }
            Operation::Standard
            | Operation::Metadata
            | Operation::Content
            | Operation::Provisions
            | Operation::Selection
            | Operation::Terms
            | Operation::Instructions
            | Operation::Tables
            | Operation::Table
            | Operation::Provision
            | Operation::Search
            | Operation::VerifyQuotations
            | Operation::Asset
            | Operation::KnowledgeGraph => Some(Self::Request),
            Operation::Comparison | Operation::Migrate if ComparisonQuery::asks_for_text(query) => {
                Some(Self::Request)
            }
            // Titles, labels, ids, indices and references.
            Operation::Comparison
            | Operation::Sections
            | Operation::Graphics
            | Operation::ResolveAssets
            | Operation::ResolveCitations
            | Operation::Migrate => Some(Self::Investigation),
            // These read no standard.
            Operation::Standards
            | Operation::Changes
            | Operation::Limits
            | Operation::OpenApi
            | Operation::Docs
            | Operation::GuidePage
            | Operation::ProblemIndex
            | Operation::ProblemPage
            | Operation::ProtectedResource
            | Operation::Vocabulary => None,
        }
    }
}

/// The query of a target; empty without one.
fn query_of(target: &str) -> &str {
    match target.split_once('?') {
        Some((_, query)) => query,
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use norma_api::paths::Requirement;
    use norma_api::query::ComparisonPosition;

    use super::*;

    #[test]
    fn an_operation_counts_when_it_needs_a_grant_and_who_may_only_discover_never_makes_a_request() {
        for &operation in Operation::ALL {
            let needs_grant = match operation.describe().requirement {
                Requirement::SignedUrl
                | Requirement::Discover
                | Requirement::ReadEither
                | Requirement::Read => true,
                // These show parts of standards that their caller may read.
                Requirement::Open | Requirement::Token => {
                    matches!(
                        operation,
                        Operation::Search | Operation::ResolveCitations | Operation::VerifyQuotations
                    )
                }
            };
            assert_eq!(Metric::of(operation, 200, false, "").is_some(), needs_grant, "{operation:?}");
            for status in [200, 206, 304] {
                assert_ne!(
                    Metric::of(operation, status, true, "?include=text"),
                    Some(Metric::Request),
                    "{operation:?}"
                );
            }
            for status in [400, 401, 404, 410, 416, 422, 429, 500, 503, 504] {
                assert_eq!(
                    Metric::of(operation, status, true, "?include=text"),
                    None,
                    "{operation:?} {status}"
                );
            }
        }
    }

    #[test]
    fn each_page_of_a_comparison_counts_by_what_it_shows() {
        let read = |query: &str| Metric::of(Operation::Comparison, 200, false, &format!("/x?{query}"));
        for (text, metric) in [(true, Metric::Request), (false, Metric::Investigation)] {
            let query = ComparisonQuery { text, ..ComparisonQuery::with("urn:nsb:std:is:7:ed-2:en") };
            let index = ComparisonPosition { index: 5, state: "s".to_owned() };
            assert_eq!(read(&query.query_string()), Some(metric));
            assert_eq!(read(&query.next(&query.cursor(&index))), Some(metric), "the next page");
        }
        assert_eq!(read("cursor=_&with=x"), Some(Metric::Investigation));
    }

    #[test]
    fn members_without_text_count_as_an_investigation() {
        for (operation, fields, metric) in [
            (Operation::Metadata, "metadata,ics,relations", Metric::Investigation),
            (Operation::Metadata, "graphics", Metric::Investigation),
            (Operation::Metadata, "metadata,terms", Metric::Request),
            (Operation::Standard, "metadata,ics", Metric::Investigation),
            (Operation::Standard, "sections", Metric::Request),
        ] {
            let target = format!("/x?fields={fields}");
            assert_eq!(Metric::of(operation, 200, false, &target), Some(metric), "{fields}");
        }
    }

    #[test]
    fn a_search_counts_when_it_is_answered_and_its_further_pages_do_not() {
        let counts = |status, target| Metric::is_search(Operation::Search, status, target);
        assert!(counts(200, "/search?q=a") && counts(304, "/search?q=cursor"));
        assert!(
            !counts(200, "/search?q=a&cursor=x") && !counts(400, "/search?q=") && !counts(503, "/search?q=a")
        );
        assert!(!Metric::is_search(Operation::Standards, 200, "/standards?q=a"));
    }

    #[test]
    fn only_a_refusal_for_the_missing_level_is_one_without_a_licence() {
        assert_eq!(Metric::of(Operation::Content, 403, true, ""), Some(Metric::NoLicense));
        assert_eq!(Metric::of(Operation::Asset, 403, false, ""), None, "a signature that does not fit");
    }
}
