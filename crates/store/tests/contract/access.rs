//! Access: what grants show, and what they hide.

use std::time::{Duration, SystemTime};

use norma_model::{Asset, Identifier};
use norma_store::{
    Blob, Day, Grant, GrantScope, Level, Lookup, MAX_ASSET_URL_LIFETIME, Query, Store, StoreError,
    StoreOptions, Tenant, TokenShape,
};

use crate::world::{CLIENT, TENANT, World, at, edition, run_sql, tenant, urn_of, viewer, viewer_named};

const RICE: &str = "urn:iso:std:iso:7301:ed-4:en";
const FLOUR: &str = "urn:iso:std:iso:712:ed-4:en";
const GERMAN: &str = "urn:din:std:din-en-iso:13849:-1:ed-2008-12:de";

promises!(
    at_level_discover_an_edition_gives_the_discoverable_ranges_of_its_pack_and_nothing_else,
    an_edition_that_a_viewer_sees_gives_its_own_bytes_and_no_others,
    without_a_grant_nothing_is_there,
    every_scope_shows_what_it_names_and_hides_the_rest,
    the_highest_grant_wins,
    a_grant_holds_from_its_first_day_to_its_last,
    a_grant_to_one_client_is_not_for_another,
    a_hidden_standard_is_as_an_unknown_one,
    many_grants_are_no_trouble,
    a_tenant_that_goes_takes_its_grants_along,
    clients_that_are_guids_count_in_any_case_and_others_letter_for_letter,
    two_tenants_cannot_have_one_issuer,
    a_grant_that_can_never_hold_is_refused,
    other_handles_see_a_change_of_access,
    other_handles_see_the_token_profile_of_a_tenant,
    a_replaced_signing_key_counts_for_the_lifetime_of_its_urls_and_then_goes,
    nothing_is_left_of_a_lost_change_when_its_number_is_given_again,
);

async fn filled(world: &World) {
    for (urn, reference, ics) in [
        (RICE, "ISO 7301:2021", "67.060"),
        (FLOUR, "ISO 712:2009", "67.060"),
        (GERMAN, "DIN EN ISO 13849-1", "13.110"),
    ] {
        let mut publication = edition(urn, reference);
        publication.summary.ics = vec![ics.to_owned(), "01.040.67".to_owned()];
        world.publish(&publication).await;
    }
}

async fn without_a_grant_nothing_is_there(world: World) {
    filled(&world).await;
    assert_eq!(urn_of(world.find(RICE).await), "");
    assert!(world.list(&Query::default()).await.is_empty());
    let grant = world.grant("urn:iso:std:iso:7301:*", Level::Discover).await;
    assert_eq!(urn_of(world.find(RICE).await), RICE);
    assert_eq!(world.list(&Query::default()).await, ["ISO 7301:2021"]);
    assert!(world.store.remove_grant(grant, at(3)).await.unwrap());
    assert!(!world.store.remove_grant(grant, at(3)).await.unwrap());
    assert_eq!(urn_of(world.find(RICE).await), "");
}

async fn every_scope_shows_what_it_names_and_hides_the_rest(world: World) {
    filled(&world).await;
    let pattern = |text: &str| GrantScope::Urns(text.parse().unwrap());
    let list = |urns: &[&str]| GrantScope::List(urns.iter().map(|urn| urn.parse().unwrap()).collect());
    let cases: [(GrantScope, &[&str]); 12] = [
        (pattern("*"), &[GERMAN, FLOUR, RICE]),
        (pattern("urn:iso:*"), &[FLOUR, RICE]),
        (pattern("urn:iso:std:iso:*"), &[FLOUR, RICE]),
        (pattern(RICE), &[RICE]),
        (pattern("urn:iso:std:iso:7301"), &[RICE]),
        (pattern("urn:iso:std:iso:7301:ed-4"), &[RICE]),
        (pattern("urn:iso:std:iso:7301:ed-3"), &[]),
        (GrantScope::Ics("67".to_owned()), &[FLOUR, RICE]),
        (GrantScope::Ics("67.060".to_owned()), &[FLOUR, RICE]),
        (GrantScope::Ics("01.040".to_owned()), &[GERMAN, FLOUR, RICE]),
        (GrantScope::Ics("60".to_owned()), &[]),
        (list(&[GERMAN, "urn:iso:std:iso:1:ed-1:en"]), &[GERMAN]),
    ];
    for (scope, view) in cases {
        let grant = world.give(scope.clone(), Level::Read).await;
        let page = world.view().await.list(&Query::default(), None, 10).await.unwrap();
        let mut listed: Vec<String> = page.rows.iter().map(|row| row.summary.urn.to_string()).collect();
        listed.sort();
        let mut expected = view.to_vec();
        expected.sort();
        assert_eq!(listed, expected, "{scope:?}");
        assert_eq!(page.total, view.len() as u64, "{scope:?}");
        for urn in [RICE, FLOUR, GERMAN] {
            assert_eq!(urn_of(world.find(urn).await) == urn, view.contains(&urn), "{urn} by {scope:?}");
        }
        world.store.remove_grant(grant, at(3)).await.unwrap();
    }
    let grant = Grant {
        tenant: TENANT.to_owned(),
        client: None,
        scope: GrantScope::Ics("6".to_owned()),
        level: Level::Read,
        from: None,
        until: None,
    };
    assert!(world.store.add_grant(&grant, at(3)).await.is_err());
    let strangers = Grant { tenant: "nobody".to_owned(), scope: GrantScope::Ics("67".to_owned()), ..grant };
    assert_eq!(world.store.add_grant(&strangers, at(3)).await.unwrap(), None);
}

async fn the_highest_grant_wins(world: World) {
    filled(&world).await;
    world.grant("urn:iso:std:*", Level::Discover).await;
    world.give(GrantScope::List([RICE.parse().unwrap()].into()), Level::Read).await;
    world.grant(RICE, Level::Discover).await;
    let level = async |urn| match world.find(urn).await {
        Some(Lookup::Edition(found)) => Some(found.level()),
        _ => None,
    };
    assert_eq!(
        (level(RICE).await, level(FLOUR).await, level(GERMAN).await),
        (Some(Level::Read), Some(Level::Discover), None)
    );
    let with = |level| Query { level: Some(level), ..Query::default() };
    assert_eq!(world.list(&with(Level::Read)).await, ["ISO 7301:2021"]);
    assert_eq!(world.list(&with(Level::Discover)).await, ["ISO 712:2009"]);
    let page = world.view().await.list(&Query::default(), None, 10).await.unwrap();
    assert_eq!(page.rows.iter().map(|r| r.level).collect::<Vec<_>>(), [Level::Discover, Level::Read]);
}

async fn a_grant_holds_from_its_first_day_to_its_last(world: World) {
    filled(&world).await;
    let day = |text: &str| Some(text.parse::<Day>().unwrap());
    let scope = GrantScope::Urns("urn:iso:std:*".parse().unwrap());
    let grant = Grant {
        tenant: TENANT.to_owned(),
        client: None,
        scope,
        level: Level::Read,
        from: day("2026-05-01"),
        until: day("2026-05-31"),
    };
    world.store.add_grant(&grant, at(0)).await.unwrap();
    for (today, rows) in [("2026-04-30", 0), ("2026-05-01", 2), ("2026-05-31", 2), ("2026-06-01", 0)] {
        let view = world.store.view_for(&viewer(today)).await.unwrap();
        assert_eq!(view.list(&Query::default(), None, 10).await.unwrap().total, rows, "{today}");
    }
    assert_eq!(Day::from_time(at(0)).as_str(), "2023-11-14");
}

async fn a_grant_to_one_client_is_not_for_another(world: World) {
    filled(&world).await;
    let scope = GrantScope::Urns("urn:iso:std:*".parse().unwrap());
    let client = Some(CLIENT.to_owned());
    let grant =
        Grant { tenant: TENANT.to_owned(), client, scope, level: Level::Read, from: None, until: None };
    world.store.add_grant(&grant, at(0)).await.unwrap();
    let other = viewer_named("client-2", "2026-05-01");
    let view = world.store.view_for(&other).await.unwrap();
    assert_eq!(view.list(&Query::default(), None, 10).await.unwrap().total, 0);
    assert_eq!(world.list(&Query::default()).await.len(), 2);
}

async fn a_hidden_standard_is_as_an_unknown_one(world: World) {
    let mut hidden = edition("urn:iso:std:iso:712:ed-5:en", "ISO 712:2024");
    let alias = norma_model::Identifier::parse("iec:std:iec:712:2009::::").unwrap();
    hidden.aliases = vec![alias.clone()];
    hidden.relations = vec![crate::world::relation(norma_model::RelationKind::Replaces, "ISO 712:2009")];
    let mut shown = edition(FLOUR, "ISO 712:2009");
    shown.aliases = vec![alias];
    world.publish(&hidden).await;
    world.publish(&shown).await;
    world.grant(FLOUR, Level::Read).await;
    assert_eq!(urn_of(world.find("urn:iso:std:iso:712:ed-5:en").await), "");
    assert_eq!(urn_of(world.find("urn:iso:std:iso:712").await), FLOUR);
    assert_eq!(urn_of(world.find("iec:std:iec:712:2009::::").await), FLOUR);
    let words = |words: &str| Query { words: vec![words.to_owned()], ..Query::default() };
    assert!(world.list(&words("2024")).await.is_empty());
    let latest = Query { latest: true, ..Query::default() };
    assert_eq!(world.list(&latest).await, ["ISO 712:2009"]);
    let Some(Lookup::Edition(found)) = world.find(FLOUR).await else { panic!("it is not there") };
    assert_eq!(found.related(), []);
    world.store.recall(&hidden.summary.urn, "a wrong table", None, at(5)).await.unwrap();
    assert_eq!(urn_of(world.find("urn:iso:std:iso:712:ed-5:en").await), "");
}

async fn many_grants_are_no_trouble(world: World) {
    filled(&world).await;
    for n in 0..120 {
        let scope = match n % 3 {
            0 => GrantScope::Urns(format!("urn:iso:std:iso:{n}:*").parse().unwrap()),
            1 => GrantScope::Urns(format!("urn:iso:std:iso:{n}:ed-1:en").parse().unwrap()),
            _ => GrantScope::Ics(format!("{:02}.{:03}", n % 60, n)),
        };
        world.give(scope, Level::Discover).await;
    }
    let urns = (0..1_200).map(|n| format!("urn:iso:std:iso:{n}:ed-9:en").parse().unwrap());
    world.give(GrantScope::List(urns.chain([RICE.parse().unwrap()]).collect()), Level::Read).await;
    assert_eq!(world.list(&Query::default()).await, ["ISO 7301:2021"]);
}

async fn a_tenant_that_goes_takes_its_grants_along(world: World) {
    filled(&world).await;
    world.grant("urn:iso:std:*", Level::Read).await;
    let is_suspended = async || world.store.view_for(&viewer("2026-05-01")).await.unwrap().is_suspended();
    assert!(!is_suspended().await);
    world.store.suspend_client(TENANT, CLIENT, true, at(2)).await.unwrap();
    assert!(is_suspended().await);
    let policy = world.store.policy().await.unwrap();
    assert!(policy.is_suspended(TENANT, CLIENT) && !policy.is_suspended(TENANT, "client-2"));
    assert!(policy.is_suspended("nobody", CLIENT));
    assert!(world.store.remove_tenant(TENANT, at(3)).await.unwrap());
    assert!(!world.store.remove_tenant(TENANT, at(3)).await.unwrap());
    world.store.put_tenant(&tenant(TENANT), at(4)).await.unwrap();
    let policy = world.store.policy().await.unwrap();
    assert!(policy.grants.is_empty() && !policy.is_suspended(TENANT, CLIENT));
    assert!(world.list(&Query::default()).await.is_empty());
}

async fn other_handles_see_a_change_of_access(world: World) {
    filled(&world).await;
    let mut settings = norma_store::StoreOptions::default();
    settings.max_staleness = std::time::Duration::ZERO;
    let other = norma_store::Store::open(&world.location, &settings).await.unwrap();
    let rows = async || {
        let view = other.view_for(&viewer("2026-05-01")).await.unwrap();
        view.list(&Query::default(), None, 10).await.unwrap().total
    };
    assert_eq!(rows().await, 0);
    let before = other.state().await.unwrap().sequence;
    let grant = world.grant("urn:iso:std:*", Level::Read).await;
    assert_eq!(rows().await, 2);
    world.store.remove_grant(grant, at(1)).await.unwrap();
    assert_eq!(rows().await, 0);
    assert_eq!(other.state().await.unwrap().sequence, before + 2);
}

async fn a_replaced_signing_key_counts_for_the_lifetime_of_its_urls_and_then_goes(world: World) {
    let minute = |number: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(60 * (10_000 + number));
    let other = Store::open(&world.location, &StoreOptions::default()).await.unwrap();
    let mut secrets = Vec::new();
    for (now, count) in [(0, 1), (1, 2), (2, 3), (15, 4), (17, 4), (40, 2)] {
        world.store.rotate_signing_key(minute(now)).await.unwrap();
        let keys = other.policy_now().await.unwrap().signing_keys.clone();
        assert_eq!(keys.len(), count, "minute {now}");
        assert!(!secrets.contains(&keys[0].secret));
        assert_eq!((keys[0].made, keys[0].replaced), (minute(now), None));
        for pair in keys.windows(2) {
            assert_eq!(pair[1].replaced, Some(pair[0].made));
            assert!(secrets.contains(&pair[1].secret));
            assert!(pair[1].may_sign_until(pair[0].made + MAX_ASSET_URL_LIFETIME));
        }
        secrets.push(keys[0].secret);
    }
}

async fn other_handles_see_the_token_profile_of_a_tenant(world: World) {
    let other = Store::open(&world.location, &StoreOptions::default()).await.unwrap();
    let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    let shapes = [
        TokenShape {
            types: words(&["at+jwt"]),
            type_optional: Some(true),
            tenant_claim: Some(String::new()),
            client_claims: words(&["client_id", "sub"]),
            role_claim: Some("permissions".to_owned()),
            role_form: Some("words".to_owned()),
            app_only: Some("okta".to_owned()),
            audiences: words(&["https://norma.test", "norma"]),
            algorithms: words(&["ES256"]),
        },
        TokenShape { type_optional: Some(false), types: Some(Vec::new()), ..TokenShape::default() },
        TokenShape::default(),
    ];
    for tokens in shapes {
        let changed = Tenant { tokens, ..tenant(TENANT) };
        world.store.put_tenant(&changed, at(5)).await.unwrap();
        other.check().await.unwrap();
        assert_eq!(other.policy().await.unwrap().tenant(TENANT), Some(&changed));
    }
}

async fn nothing_is_left_of_a_lost_change_when_its_number_is_given_again(world: World) {
    filled(&world).await;
    let mut settings = StoreOptions::default();
    settings.max_staleness = std::time::Duration::ZERO;
    let other = Store::open(&world.location, &settings).await.unwrap();
    let rows = async || {
        let view = other.view_for(&viewer("2026-05-01")).await.unwrap();
        view.list(&Query::default(), None, 10).await.unwrap().total
    };
    world.grant("urn:iso:std:*", Level::Read).await;
    let granted = other.state().await.unwrap();
    assert_eq!(rows().await, 2);
    // What a replica is that was promoted before the grant had come to it; and then another change is made.
    let back = "DELETE FROM grants; UPDATE feed SET seq = seq - 1; \
        DELETE FROM changes WHERE seq > (SELECT seq FROM feed)";
    run_sql(world.folder.path(), world.database.as_ref(), back).await;
    world.store.rotate_signing_key(at(9)).await.unwrap();
    if world.database.is_none() {
        // A file has no replica: somebody overwrote it.
        assert!(matches!(other.state().await, Err(StoreError::Replaced { .. })));
        assert!(matches!(other.view_for(&viewer("2026-05-01")).await, Err(StoreError::Replaced { .. })));
        return;
    }
    let now = other.state().await.unwrap();
    assert_eq!(now.sequence, granted.sequence);
    assert_ne!(now, granted);
    assert_eq!(rows().await, 0);
}

async fn clients_that_are_guids_count_in_any_case_and_others_letter_for_letter(world: World) {
    filled(&world).await;
    let guid = "0000ABCD-0000-4000-8000-00000000BEEF";
    let store = &world.store;
    for (typed, called, is_same) in [
        (guid, guid, true),
        (guid, &guid.to_lowercase(), true),
        (&guid.to_lowercase(), guid, true),
        ("Portal", "Portal", true),
        ("Portal", "portal", false),
        ("BEEF", "beef", false),
        // As long as a GUID.
        ("Customer-Portal-of-the-North-Sea-Ltd", "customer-portal-of-the-north-sea-ltd", false),
    ] {
        store.suspend_client(TENANT, typed, true, at(2)).await.unwrap();
        assert_eq!(store.policy().await.unwrap().is_suspended(TENANT, called), is_same, "{typed} {called}");
        store.suspend_client(TENANT, called, false, at(2)).await.unwrap();
        assert_eq!(store.policy().await.unwrap().is_suspended(TENANT, typed), !is_same, "{typed} {called}");
        store.suspend_client(TENANT, typed, false, at(2)).await.unwrap();
        assert_eq!(store.policy().await.unwrap().suspended_clients(TENANT).count(), 0);

        let scope = GrantScope::Urns("*".parse().unwrap());
        let client = Some(typed.to_owned());
        let level = Level::Read;
        let grant = Grant { tenant: TENANT.into(), client, scope, level, from: None, until: None };
        let id = store.add_grant(&grant, at(2)).await.unwrap().unwrap();
        let caller = viewer_named(called, "2026-05-01");
        let view = store.view_for(&caller).await.unwrap();
        let total = view.list(&Query::default(), None, 10).await.unwrap().total;
        assert_eq!(total > 0, is_same, "{typed} {called}");
        store.remove_grant(id, at(2)).await.unwrap();
    }
}

async fn two_tenants_cannot_have_one_issuer(world: World) {
    let acme = |id: &str, issuer: &str| Tenant { issuer: Some(issuer.into()), ..tenant(id) };
    world.store.put_tenant(&acme("one", "https://acme.test"), at(2)).await.unwrap();
    let refused = world.store.put_tenant(&acme("two", "https://acme.test"), at(2)).await;
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("tenant two") && said.contains("tenant one has it"), "{said}");
    world.store.put_tenant(&acme("two", "https://acme.test/"), at(2)).await.unwrap();
    world.store.put_tenant(&acme("one", "https://acme.test"), at(2)).await.unwrap();
    world.store.remove_tenant("one", at(2)).await.unwrap();
    world.store.put_tenant(&acme("two", "https://acme.test"), at(2)).await.unwrap();
}

async fn a_grant_that_can_never_hold_is_refused(world: World) {
    let day = |day: &str| Some(day.parse::<Day>().unwrap());
    let scope = GrantScope::Urns("*".parse().unwrap());
    let grant =
        Grant { tenant: TENANT.into(), client: None, scope, level: Level::Read, from: None, until: None };
    let turned = Grant { from: day("2026-05-02"), until: day("2026-05-01"), ..grant.clone() };
    let nobody = Grant { client: Some(String::new()), ..grant.clone() };
    for (wrong, said) in [(turned, "ends on 2026-05-01"), (nobody, "leave it out")] {
        let refused = world.store.add_grant(&wrong, at(2)).await.unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
    let one_day = Grant { from: day("2026-05-01"), until: day("2026-05-01"), ..grant };
    assert!(world.store.add_grant(&one_day, at(2)).await.unwrap().is_some());
    assert!(world.store.suspend_client(TENANT, "", true, at(2)).await.is_err());
}

async fn at_level_discover_an_edition_gives_the_discoverable_ranges_of_its_pack_and_nothing_else(
    world: World,
) {
    world.grant(RICE, Level::Read).await;
    world.grant(FLOUR, Level::Discover).await;
    world.grant(GERMAN, Level::Discover).await;
    filled(&world).await;
    let mut settings = StoreOptions::default();
    // The pack is cut into pieces at 13.
    settings.discoverable =
        |directory| if directory.starts_with(b"directory of") { vec![2..4, 9..20] } else { vec![] };
    let store = Store::open(&world.location, &settings).await.unwrap();
    let view = store.view_for(&viewer("2026-05-01")).await.unwrap();
    let find = async |urn: &str| match view.find(&Identifier::parse(urn).unwrap(), &[]).await.unwrap() {
        Some(Lookup::Edition(edition)) => edition,
        other => panic!("{urn} is {other:?}"),
    };
    let (read, discovered, other) = (find(RICE).await, find(FLOUR).await, find(GERMAN).await);
    let pack = store.handle(discovered.entry()).pack().read(0..u64::MAX).await.unwrap();
    assert_eq!(pack.get(9..20).unwrap(), b"and content");
    let within = discovered.pack();
    assert_eq!(within.read(9..u64::MAX).await.unwrap(), "and content");
    assert_eq!(within.read(10..14).await.unwrap(), "nd c");
    let piece = async |at| within.piece_from(at).await.unwrap();
    assert_eq!((piece(9).await, piece(13).await), ("and ".into(), "content".into()));
    assert_eq!(within.read(2..u64::MAX).await.unwrap(), pack[2..4]);
    for outside in [0..u64::MAX, 0..9, 4..9, 8..10, 20..21] {
        assert_eq!(
            (within.read(outside.clone()).await.unwrap(), piece(outside.start).await),
            Default::default()
        );
    }
    assert!(read.readable().is_some() && discovered.readable().is_none());
    // One of the two editions of a comparison must be readable.
    assert!(read.compared_with(&discovered).is_some() && discovered.compared_with(&read).is_some());
    assert!(discovered.compared_with(&other).is_none());
    // Unless the one who opens the store says so, nothing of a pack is discoverable.
    let Some(Lookup::Edition(discovered)) = world.find(FLOUR).await else { panic!("it is hidden") };
    assert!(discovered.pack().read(9..20).await.unwrap().is_empty());
}

async fn an_edition_that_a_viewer_sees_gives_its_own_bytes_and_no_others(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    let picture = Blob::new("a picture");
    let (digest, size) = (picture.digest(), picture.size());
    let mut with = edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009");
    with.assets = vec![Asset { digest, size, media_type: "image/png".to_owned(), dimensions: None }];
    with.pictures = vec![picture.clone()];
    let without = edition("urn:iso:std:iso:7301:ed-4:en", "ISO 7301:2021");
    let hidden = edition("urn:din:std:din:1:ed-1:de", "DIN 1:2000");
    world.store.publish_all(&[with.clone(), without.clone(), hidden.clone()], at(1)).await;
    let reader = world.store.reader();
    let view = reader.view_for(&viewer("2026-05-01")).await.unwrap();
    let mut found = Vec::new();
    for publication in [&with, &without] {
        let urn = Identifier::Urn(publication.summary.urn.clone());
        let Some(Lookup::Edition(edition)) = view.find(&urn, &[]).await.unwrap() else { panic!("{urn:?}") };
        assert_eq!(edition.pack().read(0..u64::MAX).await.unwrap(), publication.pack.bytes());
        found.push(edition);
    }
    let asset = found[0].readable().unwrap().asset(&digest).await.unwrap().unwrap();
    assert_eq!(asset.read(0..u64::MAX).await.unwrap(), picture.bytes());
    for other in [digest, with.pack.digest(), hidden.pack.digest()] {
        assert!(found[1].readable().unwrap().asset(&other).await.unwrap().is_none(), "{other}");
    }
    assert!(view.find(&Identifier::Urn(hidden.summary.urn), &[]).await.unwrap().is_none());
}
