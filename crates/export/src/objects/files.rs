//! Files of pictures.

use std::collections::BTreeMap;

use norma_api::shapes::Graphic;
use sha2::{Digest, Sha256};

use super::ExportedDocument;

/// The file of one or more graphics.
#[derive(Clone, Debug)]
pub(crate) struct PictureFile<'a> {
    /// Name of the file without folder, which follows from its bytes: `0f3a….png`.
    pub(crate) name: String,
    /// Media type (RFC 6838).
    pub(crate) media_type: &'a str,
    pub(crate) bytes: &'a [u8],
    /// Ids of the graphics that show it.
    pub(crate) graphic_ids: Vec<&'a str>,
    /// Words for readers who do not see the picture.
    pub(crate) words: String,
}

/// The files of a standard in the order of their names, each once.
pub(super) fn files<'a>(document: &'a ExportedDocument<'_>) -> Vec<PictureFile<'a>> {
    let mut files: BTreeMap<String, PictureFile<'a>> = BTreeMap::new();
    for graphic in &document.graphics {
        let (Some(bytes), Some(media_type)) =
            (document.pictures.get(&*graphic.id), graphic.media_type.as_deref())
        else {
            continue;
        };
        let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..16]);
        let name = format!("{digest}.{}", extension(media_type));
        let file = files.entry(name.clone()).or_insert_with(|| PictureFile {
            name,
            media_type,
            bytes,
            graphic_ids: Vec::new(),
            words: words(graphic),
        });
        file.graphic_ids.push(&graphic.id);
    }
    files.into_values().collect()
}

/// The words that a graphic has: its alternative text, else its label and caption, else its reference.
pub(super) fn words(graphic: &Graphic<'_>) -> String {
    if let Some(text) = &graphic.alt_text {
        return text.to_string();
    }
    let mut named: Vec<&str> = Vec::new();
    for part in [&graphic.label, &graphic.caption].into_iter().flatten() {
        named.push(part);
    }
    if named.is_empty() { graphic.asset_reference.to_string() } else { named.join(" ") }
}

/// The usual extension for files of a media type.
fn extension(media_type: &str) -> &'static str {
    match media_type {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/svg+xml" => "svg",
        "image/tiff" => "tif",
        "image/bmp" => "bmp",
        "image/webp" => "webp",
        _ => "bin",
    }
}
