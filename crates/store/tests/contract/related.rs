//! Relations in reverse: correct in whatever order the standards arrive.

use norma_model::RelationKind;
use norma_store::{Level, Lookup, Publication, RelatedKind};

use crate::world::{World, at, edition, relation};

promises!(
    relations_are_the_same_in_whatever_order_the_standards_arrive,
    relations_to_what_is_hidden_are_hidden
);

const BASE: &str = "urn:iso:std:iso:712:ed-4:en";

fn family() -> Vec<Publication> {
    let citing = |urn: &str, reference: &str, kind, cited: &str| {
        let mut publication = edition(urn, reference);
        publication.relations =
            vec![relation(kind, cited), relation(RelationKind::NormativeReference, "ISO 712:2009")];
        publication
    };
    vec![
        edition(BASE, "ISO 712:2009"),
        edition("urn:iso:std:iso:712:ed-4:fr", "ISO 712:2009"),
        edition("urn:iso:std:iso:712:ed-3:en", "ISO 712:1998"),
        citing(
            "urn:iso:std:iso:6540:ed-1:en",
            "ISO 6540:2021",
            RelationKind::Replaces,
            "ISO\u{a0}712 : 2009",
        ),
        citing(
            "urn:iso:std:iso:712:amd:1:ed-4:en",
            "ISO 712:2009/Amd 1:2012",
            RelationKind::Amends,
            "ISO 712:2009",
        ),
        citing(
            "urn:din:std:din-en-iso:712:ed-2010-04:de",
            "DIN EN ISO 712:2010-04",
            RelationKind::Adopts,
            "ISO 712:2009",
        ),
        citing("urn:nen:std:nen-iso:712:ed-2009:nl", "NEN-ISO 712", RelationKind::Adopts, "ISO 712"),
        citing("urn:bsi:std:bs-iso:713:ed-1:en", "BS ISO 713", RelationKind::Adopts, "ISO 712:1998"),
    ]
}

/// The permutation with this number: each digit of it, to a rising base, selects the next.
fn permuted(mut family: Vec<Publication>, mut number: usize) -> Vec<Publication> {
    let mut order = Vec::with_capacity(family.len());
    while !family.is_empty() {
        order.push(family.remove(number % family.len()));
        number /= family.len() + 1;
    }
    order
}

async fn related(world: &World) -> Vec<(RelatedKind, String)> {
    let Some(Lookup::Edition(found)) = world.find(BASE).await else { panic!("it is not there") };
    found.related().into_iter().map(|r| (r.kind, r.urn.to_string())).collect()
}

async fn relations_are_the_same_in_whatever_order_the_standards_arrive(world: World) {
    world.grant("*", Level::Read).await;
    let expected: Vec<(RelatedKind, String)> = [
        (RelatedKind::ReplacedBy, "urn:iso:std:iso:6540:ed-1:en"),
        (RelatedKind::AmendedBy, "urn:iso:std:iso:712:amd:1:ed-4:en"),
        (RelatedKind::AdoptedAs, "urn:din:std:din-en-iso:712:ed-2010-04:de"),
        (RelatedKind::AdoptedAs, "urn:nen:std:nen-iso:712:ed-2009:nl"),
        (RelatedKind::Edition, "urn:iso:std:iso:712:ed-3:en"),
        (RelatedKind::Translation, "urn:iso:std:iso:712:ed-4:fr"),
    ]
    .map(|(kind, urn)| (kind, urn.to_owned()))
    .into();
    for turn in 0..24 {
        let order = permuted(family(), turn * 1_679);
        for publication in &order {
            world.publish(publication).await;
        }
        assert_eq!(related(&world).await, expected, "turn {turn}");
        for publication in &order {
            world.store.remove(&publication.summary.urn, at(2)).await.unwrap();
        }
    }
}

async fn relations_to_what_is_hidden_are_hidden(world: World) {
    for publication in family() {
        world.publish(&publication).await;
    }
    world.grant(BASE, Level::Read).await;
    assert_eq!(related(&world).await, []);
    world.grant("urn:din:*", Level::Discover).await;
    assert_eq!(
        related(&world).await,
        [(RelatedKind::AdoptedAs, "urn:din:std:din-en-iso:712:ed-2010-04:de".to_owned())]
    );
}
