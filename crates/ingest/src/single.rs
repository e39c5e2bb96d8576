//! Derivation of the only document of a file, folder or archive, without a store, for commands that accept
//! editions as files.

use std::path::Path;

use crate::derive::{Derived, DocumentRefusal, KnownUrns};
use crate::limits::IngestLimits;
use crate::package::PackageError;
use crate::queue::{Job, Queue};
use crate::run::read;
use crate::share::IngestShare;

/// Derives the only document of a package, under the limits of an ingest. XML of another kind is passed over
/// where it was not named itself.
///
/// # Errors
/// Says why the package or its document is refused, or that it does not have exactly one document.
pub fn derive_single(path: &Path, limits: &IngestLimits) -> Result<Derived, DocumentRefusal> {
    let queue = Queue::new(vec![path.to_owned()], limits.clone(), IngestShare::ALL);
    let mut found: Option<Derived> = None;
    while let Some(job) = Queue::next(&queue) {
        let document = match job {
            Job::Broken(_, error) => return Err(error.into()),
            Job::Document(document) => document,
        };
        match read(&document, &document.read(limits)?, KnownUrns::given(document.urn()), limits) {
            Err(DocumentRefusal::NotAStandard { .. }) if !document.is_named() => {}
            Err(refusal) => return Err(refusal),
            Ok(derived) => {
                if let Some(first) = &found {
                    let what = format!(
                        "expected one standard, found several: {} and {}",
                        first.edition.urn, derived.edition.urn
                    );
                    let hint = Some("name the file of one of them".to_owned());
                    return Err(PackageError::new(path, what, hint).into());
                }
                found = Some(derived);
            }
        }
    }
    found.ok_or_else(|| PackageError::without_document(path).into())
}
