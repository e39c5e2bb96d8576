//! Lists that follow the changes of a catalogue are those that a new instance makes.

use norma_model::{Identifier, Status};
use norma_store::{Grant, GrantScope, Level, Publication, Query, Sort, Store, StoreOptions};

use crate::world::{Random, TENANT, World, at, edition, viewer};

promises!(
    a_list_that_followed_changes_is_that_of_a_new_instance,
    the_latest_of_many_editions_is_found_among_those_that_a_caller_sees,
    an_edition_is_the_latest_again_after_the_later_one_was_removed,
    an_edition_in_two_languages_is_later_than_those_in_one_of_them,
);

/// One of few editions of few documents, with other values each time.
fn any_edition(random: &mut Random) -> Publication {
    let (number, name) = (random.below(4) + 1, random.below(4) + 1);
    let language = ["en", "fr", "en,fr"][random.below(3) as usize];
    let mut publication = edition(
        &format!("urn:iso:std:iso:{number}:ed-{name}:{language}"),
        &format!("ISO {number}:200{name}"),
    );
    let state = random.below(1 << 20);
    publication.summary.title = ["Rice", "Rice flour", "Wheat"][state as usize % 3].to_owned();
    publication.summary.ics = vec![["67.060", "13.110"][state as usize / 3 % 2].to_owned()];
    publication.status = if state.is_multiple_of(5) { Status::Draft } else { Status::Published };
    publication.aliases = vec![Identifier::parse(&format!("iso:std:iso:9:ed-{}:v1:en", state % 3)).unwrap()];
    publication.revision = format!("{state:016x}");
    publication.deriver = state.to_string();
    publication
}

fn queries() -> Vec<Query> {
    let all = Query::default;
    let alias = Identifier::parse("iso:std:iso:9:ed-1:v1:en").unwrap();
    let document = Identifier::parse("urn:iso:std:iso:2").unwrap();
    vec![
        all(),
        Query { latest: true, ..all() },
        Query { latest: true, named: true, identifiers: vec![alias.clone()], ..all() },
        Query { latest: true, identifiers: vec![document], ..all() },
        Query { identifiers: vec![alias], ..all() },
        Query { words: vec!["rice".to_owned()], ..all() },
        Query { ics: vec!["67".to_owned()], latest: true, level: Some(Level::Read), ..all() },
        Query { level: Some(Level::Discover), ..all() },
        Query { statuses: vec![Status::Superseded], ..all() },
        Query { languages: vec!["fr".parse().unwrap()], sort: Sort::Updated, descending: true, ..all() },
    ]
}

async fn a_list_that_followed_changes_is_that_of_a_new_instance(world: World) {
    world.grant("urn:iso:std:iso:1:*", Level::Read).await;
    world.grant("urn:iso:std:iso:2:*", Level::Discover).await;
    world.give(GrantScope::Ics("67".to_owned()), Level::Read).await;
    let mut random = Random(70);
    let mut listed = 0;
    for step in 0..60 {
        let publication = any_edition(&mut random);
        let urn = &publication.summary.urn;
        let now = at(step);
        match random.below(8) {
            0 => drop(world.store.remove(urn, now).await.unwrap()),
            1 => drop(world.store.withdraw(urn, None, now).await.unwrap()),
            2 => drop(world.store.recall(urn, "an error", None, now).await.unwrap()),
            _ => drop(world.store.publish(&publication, now).await.unwrap()),
        }
        let anew = Store::open(&world.location, &StoreOptions::default()).await.unwrap();
        let anew = anew.view_for(&viewer("2026-05-01")).await.unwrap();
        let view = world.view().await.renewed().await.unwrap();
        for query in queries() {
            let page = view.list(&query, None, 500).await.unwrap();
            assert_eq!(page, anew.list(&query, None, 500).await.unwrap(), "step {step}: {query:?}");
            listed += page.rows.len();
        }
    }
    assert!(listed > 500, "{listed}");
}

async fn the_latest_of_many_editions_is_found_among_those_that_a_caller_sees(world: World) {
    let name = |number: u32| format!("urn:iso:std:iso:1:ed-{number}:{}", ["en", "fr"][number as usize % 2]);
    for number in 1..=40 {
        world.publish(&edition(&name(number), &format!("ISO 1:{}", 1900 + number))).await;
    }
    for seen in [4, 17, 40] {
        let list = (1..=seen).map(|number| name(number).parse().unwrap()).collect();
        let tenant = TENANT.to_owned();
        let (scope, level) = (GrantScope::List(list), Level::Read);
        let grant = Grant { tenant, client: None, scope, level, from: None, until: None };
        world.store.add_grant(&grant, at(0)).await.unwrap();
        let latest = Query { latest: true, ..Query::default() };
        let view = world.view().await.renewed().await.unwrap();
        let page = view.list(&latest, None, 500).await.unwrap();
        let found: Vec<String> = page.rows.iter().map(|row| row.summary.urn.to_string()).collect();
        assert_eq!(found, [name(seen - 1), name(seen)], "of {seen}");
    }
}

async fn an_edition_is_the_latest_again_after_the_later_one_was_removed(world: World) {
    world.grant("*", Level::Read).await;
    let latest = Query { latest: true, ..Query::default() };
    let earlier = edition("urn:iso:std:iso:1:ed-1:en", "ISO 1:2001");
    let later = edition("urn:iso:std:iso:1:ed-2:en", "ISO 1:2002");
    world.publish(&earlier).await;
    // Its status does not depend on the later one.
    world.store.withdraw(&earlier.summary.urn, None, at(0)).await.unwrap();
    world.publish(&later).await;
    assert_eq!(world.list(&latest).await, ["ISO 1:2002"]);
    world.store.remove(&later.summary.urn, at(1)).await.unwrap();
    assert_eq!(world.list(&latest).await, ["ISO 1:2001"]);
    // Its slot may be that of the removed edition.
    world.publish(&edition("urn:iso:std:iso:2:ed-1:en", "ISO 2:2003")).await;
    assert_eq!(world.list(&latest).await, ["ISO 1:2001", "ISO 2:2003"]);
    // Of a query that was not asked before, all editions are compared.
    let of_publisher = Query { publishers: vec!["ISO".to_owned()], ..latest };
    assert_eq!(world.list(&of_publisher).await, ["ISO 1:2001", "ISO 2:2003"]);
}

async fn an_edition_in_two_languages_is_later_than_those_in_one_of_them(world: World) {
    let name = |edition: &str| format!("urn:iso:std:iso:1:ed-{edition}");
    for one in ["1:en", "1:fr", "2:fr", "3:en,fr", "4:de"] {
        world.publish(&edition(&name(one), one)).await;
    }
    let cases: [(&str, &[&str]); 5] = [
        ("1:en", &["1:en"]),
        ("1:fr", &["1:en", "1:fr"]),
        ("2:fr", &["1:en", "2:fr"]),
        ("4:de", &["1:en", "2:fr", "4:de"]),
        ("3:en,fr", &["3:en,fr", "4:de"]),
    ];
    for (granted, expected) in cases {
        world.grant(&name(granted), Level::Read).await;
        let latest = Query { latest: true, ..Query::default() };
        assert_eq!(world.list(&latest).await, expected, "with {granted}");
    }
}
