//! Days by whose editions a request is answered: what was published later does not exist for it.

use norma_api::problem::Code;
use norma_model::PartialDate;

use crate::Failure;

/// The day whose editions count; without one all count.
#[derive(Clone, Debug, Default)]
pub(crate) struct AsOf(Option<PartialDate>);

/// Characters of a date with its day.
const DAY: usize = "2024-06-30".len();

impl AsOf {
    /// Reads the member `at` of a body.
    ///
    /// # Errors
    /// It is not a day.
    pub(crate) fn read(at: Option<&str>) -> Result<Self, Failure> {
        let Some(text) = at else { return Ok(Self::default()) };
        match text.parse::<PartialDate>() {
            Ok(day) if text.len() == DAY => Ok(Self(Some(day))),
            _ => Err(Failure::new(
                Code::InvalidBody,
                format!("`at`: expected a day, YYYY-MM-DD, not `{text}`."),
            )),
        }
    }

    /// Whether what was published on a date counts. A date without day or month counts from its beginning,
    /// and what has no date always.
    pub(crate) fn includes(&self, published_on: Option<&str>) -> bool {
        let (Some(day), Some(published_on)) = (&self.0, published_on) else { return true };
        // A year is less than each of its days.
        published_on <= day.as_str()
    }

    /// The day, if there is one.
    pub(crate) fn day(&self) -> Option<&str> {
        self.0.as_ref().map(PartialDate::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_published_by_a_day_counts_and_an_undated_edition_as_well() {
        let day = AsOf::read(Some("2024-06-30")).unwrap();
        for (published_on, counts) in [
            (Some("2024-06-30"), true),
            (Some("2024-07-01"), false),
            (Some("2024-06"), true),
            (Some("2024-07"), false),
            (Some("2024"), true),
            (Some("2025"), false),
            (None, true),
        ] {
            assert_eq!(day.includes(published_on), counts, "{published_on:?}");
            assert!(AsOf::default().includes(published_on));
        }
    }

    #[test]
    fn only_a_whole_day_that_exists_is_read() {
        assert!(AsOf::read(None).is_ok_and(|all| all.day().is_none()));
        for wrong in ["2024", "2024-06", "2024-02-30", "today", "2024-06-30T10:00:00Z", " 2024-06-30", ""] {
            assert!(AsOf::read(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
