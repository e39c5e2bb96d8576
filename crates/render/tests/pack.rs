//! What is read out of a pack is what was rendered into it.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::sync::Arc;

use bytes::Bytes;
use norma_api::media::View;
use norma_model::Edition;
use norma_render::{Assembly, Directory, Pack, Part, Places, Plan};

fn pack() -> Pack {
    let (parts, assets) = norma_api::example::edition();
    let edition = Edition::new(parts).unwrap();
    norma_render::render(&edition, &assets, norma_api::example::REVISION, b"<standard/>", b"none", 6)
}

fn open(pack: &Pack) -> (Directory, Arc<Places>) {
    let directory = Directory::parse(&pack.directory).unwrap();
    let places = Assembly::new(Plan::part(Part::Places, &directory), &directory, None).of_pack(&pack.bytes);
    (directory, Arc::new(Places::from_bytes(&places.unwrap()).unwrap()))
}

#[test]
fn the_length_of_each_view_is_known_before_it_is_made() {
    let pack = pack();
    let (directory, places) = open(&pack);
    for &view in View::ALL {
        let plan = Plan::view(view, Bytes::from_static(b"{"), &directory, &places);
        let bytes = Assembly::new(plan, &directory, Some(places.clone())).of_pack(&pack.bytes).unwrap();
        assert_eq!(bytes.len() as u64, directory.size(view), "{view:?}: {}", String::from_utf8_lossy(&bytes));
    }
}
