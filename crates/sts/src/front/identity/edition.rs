//! Edition: as stated, else a date instead; with the amendments that the text includes.

use super::super::dates;
use super::super::fields::{nodes, value};
use super::designation::ParsedDesignation;
use super::{Identity, IdentitySource};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Types of dates in other metadata that do not date the edition.
const OTHER_DATES: &[&str] = &["withdraw", "review", "stability", "vote", "circulat"];

impl Identity {
    pub(super) fn read_edition(&mut self, source: &mut IdentitySource<'_, '_>) {
        let block = source.block;
        let dated = date_for_edition(block, source.designation.as_ref());
        let stated = value(block, Name::Edition).map(|e| edition(&e));
        self.edition_is_stated = stated.is_some();
        self.edition = stated.or_else(|| {
            let version = || {
                let version =
                    value(block, Name::Version).filter(|v| v.contains(|c: char| c.is_ascii_digit()))?;
                Some((version.trim_start_matches(['v', 'V']).to_owned(), "`version`"))
            };
            let (date, from) = dated.clone().or_else(version)?;
            source.note("edition-worked-out", format!("`edition` is empty; {from} is used instead: {date}"));
            Some(date)
        });
        // A version may be a point of time.
        let version = value(block, Name::Version).map(|v| v.split('T').next().unwrap_or_default().to_owned());
        self.state_of_edition = version.or_else(|| Some(dated?.0));
        let includes = source.designation.as_ref().map(|t| t.includes.join("-")).unwrap_or_default();
        // A consolidation has the edition of its base, and would take its name.
        if let Some(edition) =
            self.edition.as_mut().filter(|_| !includes.is_empty() && self.supplements.is_empty())
        {
            *edition = format!("{edition}-{includes}");
            let message = format!("the reference includes amendments; the edition is named `{edition}`");
            source.note("supplement-worked-out", message);
        }
    }
}

/// A date to use as the edition, and the name of its source.
fn date_for_edition(
    block: XmlNode<'_>,
    designation: Option<&ParsedDesignation>,
) -> Option<(String, &'static str)> {
    let dated = designation.and_then(|t| t.year.clone()).map(|year| (year, "the date of the reference"));
    let of = |name, from: &'static str| {
        let other = |n: &XmlNode<'_>| {
            let sort = n.attr("type").unwrap_or_default().to_ascii_lowercase();
            name == Name::MetaDate && OTHER_DATES.iter().any(|word| sort.contains(word))
        };
        nodes(block, name)
            .filter(|n| !other(n))
            .filter_map(dates::text)
            .find(|d| d.parse::<norma_model::PartialDate>().is_ok())
            .map(|d| (d, from))
    };
    dated
        .or_else(|| of(Name::ReleaseDate, "the date of `release-date`"))
        .or_else(|| of(Name::PubDate, "the date of `pub-date`"))
        .or_else(|| of(Name::ApprovalDate, "the date of `approval-date`"))
        .or_else(|| of(Name::MetaDate, "the date of `meta-date`"))
        .or_else(|| of(Name::CopyrightYear, "the date of `copyright-year`"))
}

/// An edition as a URN writes it: `2nd edition` is `2`.
fn edition(text: &str) -> String {
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower.trim_start_matches("edition").trim_start_matches("ed.").trim_start_matches("ed").trim();
    let digits: String = bare.chars().take_while(char::is_ascii_digit).collect();
    let tail = bare[digits.len()..].trim();
    let ordinal =
        ["st", "nd", "rd", "th", "st edition", "nd edition", "rd edition", "th edition", "edition", "e", "."];
    if !digits.is_empty() && ordinal.contains(&tail) { digits } else { text.trim().to_owned() }
}
