//! Manifest of a package: URNs of documents that do not state them.

use std::collections::{BTreeMap, HashMap};

use norma_model::Urn;
use serde::Deserialize;

use crate::limits::IngestLimits;
use crate::package::{Package, PackageError};

/// Name of the file. It may be in any folder of a package and applies to the files in and below that folder.
pub(crate) const NAME: &str = "norma-manifest.toml";

/// URNs by the path of the document in its package.
#[derive(Debug, Default)]
pub(crate) struct Manifest(HashMap<String, Urn>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestFile {
    urn: BTreeMap<String, String>,
}

impl Manifest {
    /// Reads all manifests of a package.
    ///
    /// # Errors
    /// One of them cannot be read, names a file that is not there, or gives an invalid URN: then it is not
    /// known what the documents are, and none of them is ingested.
    pub(crate) fn read(package: &Package, limits: &IngestLimits) -> Result<Self, PackageError> {
        let mut urns = HashMap::new();
        for name in package.manifests() {
            let folder = name.strip_suffix(NAME).unwrap_or_default();
            let refuse = |what: String| {
                let hint = "write `[urn]` and below it lines such as `\"document.xml\" = \"urn:…:ed-1:en\"`";
                PackageError::new(package.origin().join(name), what, Some(hint.to_owned()))
            };
            let bytes = package.read(name, limits.document.source_bytes as u64, "max-document-size")?;
            let Ok(text) = std::str::from_utf8(&bytes) else {
                return Err(refuse("it is not UTF-8".to_owned()));
            };
            let written: ManifestFile = match toml::from_str(text) {
                Ok(written) => written,
                Err(error) => return Err(refuse(error.to_string().trim_end().to_owned())),
            };
            for (file, urn) in written.urn {
                let path = format!("{folder}{file}");
                if package.names.find(&path).is_none() {
                    return Err(refuse(format!("it names `{file}`, which is not in the package")));
                }
                match urn.parse() {
                    Ok(urn) => urns.insert(path, urn),
                    Err(why) => return Err(refuse(format!("the URN of `{file}` is not valid: {why}"))),
                };
            }
        }
        Ok(Self(urns))
    }

    /// The URN that a document was given.
    pub(crate) fn urn(&self, document: &str) -> Option<&Urn> {
        self.0.get(document)
    }
}
