//! Lookup by name: canonical URNs, partial URNs, aliases, provisions.

use norma_model::{Identifier, Status};
use norma_store::Level;

use crate::world::{World, at, edition, urn_of};

promises!(
    a_partial_urn_means_the_latest_published_edition,
    the_language_asked_for_comes_before_the_original_one,
    an_alias_leads_to_its_edition_unless_it_names_two,
    a_canonical_urn_beats_an_alias,
    an_alias_that_no_source_states_still_resolves_by_its_words,
);

async fn a_partial_urn_means_the_latest_published_edition(world: World) {
    world.grant("*", Level::Read).await;
    let document_urn = "urn:iso:std:iso:9001";
    assert_eq!(urn_of(world.find(document_urn).await), "");
    world.publish(&edition(&format!("{document_urn}:ed-9:en"), "ISO 9001:2000")).await;
    world.publish(&edition(&format!("{document_urn}:ed-10:en"), "ISO 9001:2015")).await;
    assert_eq!(urn_of(world.find(document_urn).await), format!("{document_urn}:ed-10:en"));
    let mut draft = edition(&format!("{document_urn}:ed-11:en"), "ISO/DIS 9001");
    draft.status = Status::Draft;
    world.publish(&draft).await;
    assert_eq!(urn_of(world.find(document_urn).await), format!("{document_urn}:ed-10:en"));
    assert_eq!(
        urn_of(world.find(&format!("{document_urn}:ed-11")).await),
        format!("{document_urn}:ed-11:en")
    );
    world
        .store
        .recall(&format!("{document_urn}:ed-10:en").parse().unwrap(), "an error", None, at(3))
        .await
        .unwrap();
    assert_eq!(urn_of(world.find(document_urn).await), format!("{document_urn}:ed-9:en"));
    assert_eq!(
        urn_of(world.find(&format!("{document_urn}:ed-10")).await),
        format!("recalled {document_urn}:ed-10:en")
    );
}

async fn the_language_asked_for_comes_before_the_original_one(world: World) {
    world.grant("*", Level::Read).await;
    let document_urn = "urn:din:std:din:1:ed-2020-01";
    let mut translation = edition(&format!("{document_urn}:en"), "DIN 1:2020-01");
    translation.original = false;
    world.publish(&translation).await;
    world.publish(&edition(&format!("{document_urn}:fr,de"), "DIN 1:2020-01")).await;
    for (languages, found) in
        [(vec![], "de,fr"), (vec!["es", "en"], "en"), (vec!["fr", "en"], "de,fr"), (vec!["es"], "de,fr")]
    {
        assert_eq!(
            urn_of(world.find_in(document_urn, &languages).await),
            format!("{document_urn}:{found}"),
            "{languages:?}"
        );
        assert_eq!(
            urn_of(world.find_in("urn:din:std:din:1", &languages).await),
            format!("{document_urn}:{found}")
        );
    }
}

async fn an_alias_leads_to_its_edition_unless_it_names_two(world: World) {
    world.grant("*", Level::Read).await;
    let alias = "urn:iec:std:iec:60601-1-1:2005::::";
    let mut one = edition("urn:iec:std:iec:60601:-1:ed-3:en", "IEC 60601-1:2005");
    one.aliases = vec![Identifier::parse(alias).unwrap()];
    world.publish(&one).await;
    assert_eq!(urn_of(world.find(alias).await), one.summary.urn.as_str());
    let mut two = edition("urn:iec:std:iec:60601:-1:ed-3:fr", "IEC 60601-1:2005");
    two.aliases.clone_from(&one.aliases);
    world.publish(&two).await;
    assert_eq!(urn_of(world.find(alias).await), "");
}

async fn a_canonical_urn_beats_an_alias(world: World) {
    world.grant("*", Level::Read).await;
    let canonical = "urn:iso:std:iso:712:ed-4:en";
    let mut other = edition("urn:iso:std:iso:713:ed-1:en", "ISO 713");
    other.aliases = vec![Identifier::parse(canonical).unwrap()];
    world.publish(&other).await;
    assert_eq!(urn_of(world.find(canonical).await), "urn:iso:std:iso:713:ed-1:en");
    world.publish(&edition(canonical, "ISO 712:2009")).await;
    assert_eq!(urn_of(world.find(canonical).await), canonical);
}

async fn an_alias_that_no_source_states_still_resolves_by_its_words(world: World) {
    world.grant("*", Level::Read).await;
    world.publish(&edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009")).await;
    assert_eq!(urn_of(world.find("iso:std:iso:712:ed-4:en").await), "urn:iso:std:iso:712:ed-4:en");
    assert_eq!(urn_of(world.find("urn:iso:std:iso:712:ed-4:v1:en").await), "urn:iso:std:iso:712:ed-4:en");
}
