//! Snapshots of every representation of every sample: the identity bytes, as a digest and the beginning.
//! `just bless` accepts what changed on purpose.

#![allow(clippy::unwrap_used, reason = "this is test code")]

#[path = "../../render/tests/support/assembled.rs"]
mod assembled;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use norma_api::media::View;
use norma_compare::Units;
use norma_ingest::{Derived, IngestLimits, KnownUrns, derive};
use norma_render::{Assembly, Compression, Offsets, PARTS_OF_UNITS, PackDirectory, PackPart, Plan};
use norma_settings::Settings;
use sha2::{Digest, Sha256};

use self::assembled::assembled;

/// A fixed revision: that of a real ingest changes with the version of the deriving code, and all digests
/// with it.
const REVISION: &str = "0123456789abcdef";

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = entries.map(|entry| entry.unwrap().into_path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "xml")).collect()
}

/// Name and identity bytes of each representation; `None` for a document that is refused.
fn representations(document: &Path) -> Option<Vec<(&'static str, Vec<u8>)>> {
    let limits = IngestLimits::new(&Settings::defaults().ingest);
    let source = Bytes::from(std::fs::read(document).unwrap());
    let folder = document.parent().unwrap();
    let picture = |href: &str| {
        let bytes = std::fs::read(folder.join(href)).unwrap_or_default();
        Ok(Ok((href.to_owned(), bytes.into())))
    };
    let Derived { edition, assets, .. } = derive(&source, KnownUrns::default(), &limits, picture).ok()?;
    let pack = norma_render::render(&edition, &assets, REVISION, &source, &[], Compression::default());
    let directory = PackDirectory::parse(&pack.directory).unwrap();
    let read = |plan| assembled(Assembly::new(plan, &directory), &pack.bytes);
    let offsets = read(Plan::part(PackPart::Offsets, &directory));
    let offsets = Arc::new(Offsets::from_bytes(&offsets).unwrap());
    let identity = |&view: &View| {
        let plan = Plan::view(view, Bytes::from_static(b"{"), &directory, &offsets).unwrap();
        let bytes = read(plan);
        assert_eq!(bytes.len() as u64, directory.size(view), "{view:?}");
        (view.name(), bytes)
    };
    let units = PARTS_OF_UNITS.map(|part| read(Plan::part(part, &directory)).into());
    let digests = assets.iter().map(|asset| asset.as_ref().map(|asset| *asset.digest.as_bytes()));
    assert_eq!(norma_render::units(&units), Some(Units::from(&*edition).with_picture_digests(digests)));
    let mut views: Vec<_> = View::ALL.iter().map(identity).collect();
    views.sort_by_key(|(name, _)| *name);
    Some(views)
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn each_representation_of_each_sample_has_the_bytes_that_were_reviewed() {
    const HEAD: usize = 600;
    let all = files(&samples());
    let (broken, whole): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|path| path.starts_with(samples().join("broken")));
    assert!(whole.len() > 5 && broken.len() > 20);
    for document in whole {
        let mut page = String::new();
        for (name, bytes) in representations(&document).unwrap() {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
            let more = if bytes.len() > HEAD { "…" } else { "" };
            writeln!(page, "# {name}: {} bytes, SHA-256 {}…\n{head}{more}\n", bytes.len(), digest(&bytes))
                .unwrap();
        }
        let name = document.strip_prefix(samples()).unwrap().with_extension("").display().to_string();
        insta::assert_snapshot!(name.replace(['/', '\\'], "__"), page);
    }
    let mut page = String::new();
    for document in broken {
        let path = document.strip_prefix(samples()).unwrap().display().to_string();
        match representations(&document) {
            None => writeln!(page, "{path}: refused").unwrap(),
            Some(views) => {
                for (name, bytes) in views {
                    writeln!(page, "{path} {name}: {} bytes, SHA-256 {}…", bytes.len(), digest(&bytes))
                        .unwrap();
                }
            }
        }
    }
    insta::assert_snapshot!("broken", page);
}
