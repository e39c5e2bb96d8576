//! The index of an edition's views: where each provision, section and picture lies in what is stored.

use std::ops::Range;

use norma_model::{Asset, AssetSource, Edition, Outline};
use serde::{Deserialize, Serialize};

/// What selections, `section=` and asset references need of an edition. It is stored beside the views (postcard:
/// by position, no names).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// Sections, provisions, tables and terms by id and number.
    pub outline: Outline,
    /// Bytes of each provision in the provisions view.
    pub provisions: Vec<(u32, u32)>,
    /// Bytes of each section in the content view.
    pub content: Vec<(u32, u32)>,
    /// Bytes of each section in the plain text.
    pub text: Vec<(u32, u32)>,
    /// The graphics, in document order.
    pub pictures: Vec<Picture>,
    /// How many relations the edition states.
    pub relations: u32,
}

/// A graphic by the names that a reference may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Its id.
    pub id: String,
    /// Id of its figure.
    pub figure: Option<String>,
    /// Its reference: the href, or the id.
    pub reference: String,
    /// Whether the reference is an href, which means a file of the package.
    pub is_file: bool,
    /// Digest of its file, where there is one.
    pub digest: Option<[u8; 32]>,
}

impl Index {
    pub(super) fn new(
        edition: &Edition,
        assets: &[Option<Asset>],
        [provisions, content, text]: [&[Range<usize>]; 3],
    ) -> Self {
        let place = |bytes: usize| u32::try_from(bytes).expect("limits keep a view below 4 GiB");
        let places = |fragments: &[Range<usize>]| {
            fragments.iter().map(|range| (place(range.start), place(range.end))).collect()
        };
        let picture = |(graphic, asset): (&norma_model::Graphic, &Option<Asset>)| Picture {
            id: graphic.id.to_string(),
            figure: graphic.figure_id.clone(),
            reference: graphic.reference.clone(),
            is_file: matches!(graphic.source, AssetSource::Href(_)),
            digest: asset.as_ref().map(|a| *a.digest.as_bytes()),
        };
        Self {
            outline: Outline::of(edition),
            provisions: places(provisions),
            content: places(content),
            text: places(text),
            pictures: edition.graphics.iter().zip(assets).map(picture).collect(),
            relations: place(edition.relations.len()),
        }
    }

    /// The stored form.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("an index holds numbers and text only")
    }

    /// Reads the stored form; `None` when another version of Norma wrote it.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    /// The graphics that a reference means, in document order: those that it names in the closest way.
    pub fn pictures_named<'a>(&'a self, reference: &'a str) -> impl Iterator<Item = &'a Picture> {
        let closest = self.pictures.iter().filter_map(|p| p.closeness(reference)).min();
        self.pictures.iter().filter(move |p| closest.is_some() && p.closeness(reference) == closest)
    }
}

impl Picture {
    /// How closely a reference names it: by id, by figure, by the whole href, by the name of the file, by that name
    /// without extension. Less is closer.
    fn closeness(&self, reference: &str) -> Option<u8> {
        let id = reference.strip_prefix('#').unwrap_or(reference);
        let (own, asked) = (file_name(&self.reference), file_name(reference));
        let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_ascii_lowercase();
        let whole = |name: &str| name.to_ascii_lowercase();
        let ways = [
            self.id == id,
            self.figure.as_deref() == Some(id),
            self.reference == reference,
            own.eq_ignore_ascii_case(asked),
            stem(own) == whole(asked) || whole(own) == stem(asked) || stem(own) == stem(asked),
        ];
        ways.iter().position(|&way| way).map(|way| way as u8)
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_names_the_closest_graphics_only() {
        let picture = |id: &str, figure: Option<&str>, reference: &str| Picture {
            id: id.into(),
            figure: figure.map(Into::into),
            reference: reference.into(),
            is_file: true,
            digest: None,
        };
        let index = Index {
            outline: norma_model::Outline::default(),
            provisions: vec![],
            content: vec![],
            text: vec![],
            pictures: vec![
                picture("g1", Some("fig_1"), "media/one.png"),
                picture("g2", Some("fig_1"), "media/two.svg"),
                picture("g3", None, "fig_A.1"),
                picture("one", None, "other/ONE.jpg"),
            ],
            relations: 0,
        };
        for (reference, ids) in [
            ("g1", vec!["g1"]),
            ("#fig_1", vec!["g1", "g2"]),
            ("media/two.svg", vec!["g2"]),
            ("two.svg", vec!["g2"]),
            ("folder/TWO.png", vec!["g2"]),
            ("two", vec!["g2"]),
            ("fig_A.1", vec!["g3"]),
            ("fig_A.1.png", vec!["g3"]),
            ("one", vec!["one"]),
            ("one.png", vec!["g1"]),
            ("three", vec![]),
        ] {
            let found: Vec<_> = index.pictures_named(reference).map(|p| p.id.as_str()).collect();
            assert_eq!(found, ids, "{reference}");
        }
        assert_eq!(Index::from_bytes(&index.to_bytes()), Some(index));
    }
}
