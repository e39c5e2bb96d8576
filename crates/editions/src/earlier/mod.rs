//! Earlier revisions of an edition: their names, and what comparisons read of those whose source is retained.
//!
//! A retained source is a difference from the source of the next retained revision, and that of the newest
//! one from the present source. The parts of a pack that comparisons read are retained in the same way. The
//! ingest that replaces a revision has these parts, so that nothing is derived for them; when another version
//! of the program derives the edition, it derives the retained sources as well.

mod difference;
mod retain;
mod units;

use norma_api::query::AskedRevision;
use norma_store::{EarlierRevision, EditionHandle, RevisionForm, StoreError};

pub use self::retain::{NewRevision, UnitParts, replaced, replaced_source};
pub(crate) use self::units::EarlierUnits;

/// The revisions of an edition that the catalogue knows by name.
#[derive(Clone, Debug)]
pub struct Revisions {
    /// Name of the present revision.
    present: String,
    /// The earlier ones, the oldest first.
    earlier: Vec<EarlierRevision>,
}

/// The source that a name of a revision means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedRevision {
    /// The present revision of the edition.
    Present,
    /// That of an earlier revision.
    Earlier(EarlierRevision),
}

/// The reason why a name means no source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevisionError {
    /// The edition never had a revision of this name, or so long ago that its name is not retained.
    Unknown,
    /// The source was removed.
    Pruned,
}

impl Revisions {
    /// Reads them.
    ///
    /// # Errors
    /// Those of the store; [`StoreError::Contended`] where the edition was replaced since it was looked up.
    pub async fn read(edition: &EditionHandle) -> Result<Self, StoreError> {
        let earlier = edition.earlier_revisions().await?;
        Ok(Self { present: edition.entry().revision.clone(), earlier })
    }

    /// The source that a name means. A day means the first revision that was published on it, in UTC.
    ///
    /// # Errors
    /// It means none.
    pub fn find(&self, name: &AskedRevision) -> Result<NamedRevision, RevisionError> {
        let index = match name {
            AskedRevision::Revision(name) if *name == self.present => return Ok(NamedRevision::Present),
            AskedRevision::Revision(name) => {
                // A state that came back has its name twice; the last one counts.
                let found = self.earlier.iter().rposition(|one| one.revision == *name);
                found.ok_or(RevisionError::Unknown)?
            }
            AskedRevision::Day(start) => {
                let Some(index) = self.earlier.iter().position(|one| one.replaced_at > *start) else {
                    return Ok(NamedRevision::Present);
                };
                if index == 0 && self.earlier[0].number > 1 {
                    return Err(RevisionError::Pruned);
                }
                index
            }
        };
        // Revisions with the same source are one state of the text.
        let with_source = self.earlier[index..].iter().find(|one| one.form != RevisionForm::SameSource);
        match with_source {
            None => Ok(NamedRevision::Present),
            Some(found) if found.form == RevisionForm::Retained => Ok(NamedRevision::Earlier(found.clone())),
            Some(_) => Err(RevisionError::Pruned),
        }
    }

    /// The name of the present revision.
    pub fn present(&self) -> &str {
        &self.present
    }

    /// The earlier revisions of which the source is retained, the newest first.
    pub fn retained(&self) -> impl Iterator<Item = &EarlierRevision> {
        self.earlier.iter().rev().filter(|one| one.form == RevisionForm::Retained)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    fn at(day: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(day * 86_400)
    }

    fn earlier(number: i64, form: RevisionForm) -> EarlierRevision {
        EarlierRevision {
            number,
            revision: format!("r{number}"),
            // At noon.
            replaced_at: at(10 * number.unsigned_abs()) + Duration::from_secs(43_200),
            form,
            deriver: String::new(),
            units_size: 0,
            reason: String::new(),
        }
    }

    fn revisions(first: i64) -> Revisions {
        use RevisionForm::{Pruned, Retained, SameSource};
        let forms = [Pruned, SameSource, Retained, SameSource, SameSource];
        let earlier = forms.into_iter().zip(first..).map(|(form, number)| earlier(number, form)).collect();
        Revisions { present: "r".to_owned(), earlier }
    }

    /// The number of the revision that a name means, 0 for the present one.
    fn number(revisions: &Revisions, name: AskedRevision) -> Result<i64, RevisionError> {
        revisions.find(&name).map(|found| match found {
            NamedRevision::Present => 0,
            NamedRevision::Earlier(found) => found.number,
        })
    }

    #[test]
    fn a_name_means_the_source_that_its_revision_was_derived_from() {
        let named = |name: &str| number(&revisions(1), AskedRevision::Revision(name.to_owned()));
        assert_eq!((named("r"), named("r5"), named("r4")), (Ok(0), Ok(0), Ok(0)), "derived again");
        assert_eq!((named("r3"), named("r2")), (Ok(3), Ok(3)));
        assert_eq!((named("r1"), named("r9")), (Err(RevisionError::Pruned), Err(RevisionError::Unknown)));
    }

    #[test]
    fn a_day_means_the_first_revision_that_was_published_on_it() {
        let on = |day| number(&revisions(1), AskedRevision::Day(at(day)));
        assert_eq!((on(60), on(31), on(30), on(20)), (Ok(0), Ok(0), Ok(3), Ok(3)));
        assert_eq!((on(11), on(10)), (Ok(3), Err(RevisionError::Pruned)));
        let beyond_the_names = Revisions { earlier: revisions(1).earlier.split_off(2), ..revisions(1) };
        assert_eq!(number(&beyond_the_names, AskedRevision::Day(at(25))), Err(RevisionError::Pruned));
    }
}
