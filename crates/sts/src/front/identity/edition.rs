//! Edition: as stated, else a date instead; with the amendments that the text includes.

use super::super::dates;
use super::super::fields::{nodes, value};
use super::designation::ParsedDesignation;
use super::{Identity, IdentitySource};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Types of dates in other metadata that do not date the edition.
const OTHER_DATES: &[&str] = &["withdraw", "review", "stability", "vote", "circulat"];

/// Elements whose dates may be used as the edition, the most certain first, with the words for a message.
const DATES: [(Name, &str); 5] = [
    (Name::ReleaseDate, "the date of `release-date`"),
    (Name::PubDate, "the date of `pub-date`"),
    (Name::ApprovalDate, "the date of `approval-date`"),
    (Name::MetaDate, "the date of `meta-date`"),
    (Name::CopyrightYear, "the date of `copyright-year`"),
];

/// A date or version that is used as the edition where none is stated.
#[derive(Clone)]
struct SubstituteEdition {
    value: String,
    /// Words for its source in a message.
    source: &'static str,
}

impl Identity {
    /// Reads the edition, its state in a series of updates, and the amendments that it includes.
    pub(super) fn read_edition(&mut self, source: &mut IdentitySource<'_, '_>) {
        let block = source.block;
        let date = date_for_edition(block, source.designation.as_ref());
        let stated = value(block, Name::Edition);
        self.edition_is_stated = stated.is_some();
        self.edition = match stated {
            Some(stated) => Some(edition(&stated)),
            None => derived_edition(date.clone(), source),
        };
        // A version may be a point of time.
        let version = value(block, Name::Version);
        let version = version.map(|version| version.split('T').next().unwrap_or_default().to_owned());
        self.state_of_edition = version.or_else(|| Some(date?.value));
        self.name_consolidation(source);
    }

    /// Adds the included amendments to the edition of a consolidation, which is that of its base and would
    /// take its name.
    fn name_consolidation(&mut self, source: &mut IdentitySource<'_, '_>) {
        let Some(designation) = &source.designation else { return };
        if designation.includes.is_empty() || !self.supplements.is_empty() {
            return;
        }
        let Some(edition) = &mut self.edition else { return };
        *edition = format!("{edition}-{}", designation.includes.join("-"));
        let message = format!("the reference includes amendments; the edition is named `{edition}`");
        source.note("supplement-worked-out", message);
    }
}

/// A date, else a version, where no edition is stated.
fn derived_edition(date: Option<SubstituteEdition>, source: &mut IdentitySource<'_, '_>) -> Option<String> {
    let substitute = date.or_else(|| version_for_edition(source.block))?;
    let SubstituteEdition { value, source: origin } = substitute;
    source.note("edition-worked-out", format!("`edition` is empty; {origin} is used instead: {value}"));
    Some(value)
}

fn version_for_edition(block: XmlNode<'_>) -> Option<SubstituteEdition> {
    let version = value(block, Name::Version)?;
    if !version.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let value = version.trim_start_matches(['v', 'V']).to_owned();
    Some(SubstituteEdition { value, source: "`version`" })
}

/// A date to use as the edition: that of the designation, else the first one of [`DATES`] that can be read.
fn date_for_edition(
    block: XmlNode<'_>,
    designation: Option<&ParsedDesignation>,
) -> Option<SubstituteEdition> {
    if let Some(year) = designation.and_then(|designation| designation.year.clone()) {
        return Some(SubstituteEdition { value: year, source: "the date of the reference" });
    }
    for (name, source) in DATES {
        for node in nodes(block, name) {
            if name == Name::MetaDate && is_other_date(node) {
                continue;
            }
            if let Some(value) = dates::text(node)
                && value.parse::<norma_model::PartialDate>().is_ok()
            {
                return Some(SubstituteEdition { value, source });
            }
        }
    }
    None
}

/// Dates of later events do not date the edition.
fn is_other_date(date: XmlNode<'_>) -> bool {
    let date_type = date.attr("type").unwrap_or_default().to_ascii_lowercase();
    OTHER_DATES.iter().any(|word| date_type.contains(word))
}

/// An edition as a URN writes it: `2nd edition` is `2`.
fn edition(text: &str) -> String {
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower.trim_start_matches("edition").trim_start_matches("ed.").trim_start_matches("ed").trim();
    let digits: String = bare.chars().take_while(char::is_ascii_digit).collect();
    let tail = bare[digits.len()..].trim();
    let tails =
        ["st", "nd", "rd", "th", "st edition", "nd edition", "rd edition", "th edition", "edition", "e", "."];
    if !digits.is_empty() && tails.contains(&tail) { digits } else { text.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::edition;

    #[test]
    fn an_edition_is_its_number_where_it_is_an_ordinal() {
        for (text, number) in
            [("2nd edition", "2"), ("Edition 3.", "3"), ("Ed. 4e", "4"), ("2020", "2020"), ("2.1", "2.1")]
        {
            assert_eq!(edition(text), number, "{text}");
        }
    }
}
