//! Changes since a position: what follows them has what a list shows, and nothing tells of what is hidden.

use std::collections::{BTreeMap, BTreeSet};

use norma_model::{Identifier, RelationKind, Urn};
use norma_store::{
    CatalogueView, ChangePosition, ChangesPage, EditionChangeKind, Grant, GrantScope, Level, Lookup, Outcome,
    PresentCause, Publication, Query, RelatedKind, Viewer,
};

use crate::world::{Random, World, at, edition, relation, tenant};

promises!(
    who_follows_changes_has_what_the_list_has_after_any_of_them,
    a_change_says_what_changed_since_the_position,
    codes_that_an_edition_loses_remove_it_for_those_whom_they_granted_it,
    an_amendment_changes_what_it_amends_for_those_who_see_both,
);

/// Steps of the walk; `NORMA_TEST_STEPS` sets another number.
const STEPS: u32 = 150;

const TODAY: &str = "2026-05-01";

fn viewer_of(tenant: &str, today: &str) -> Viewer {
    Viewer::verified(tenant, "mirror", today.parse().unwrap())
}

/// What a copy of an edition shows: revision, status, notice, level, and its amendments with their revisions.
type Copied = (String, String, Option<String>, String, Vec<String>);

/// What a viewer sees of the editions of a list.
async fn listed(view: &CatalogueView<'_>) -> BTreeMap<String, Copied> {
    let mut all = BTreeMap::new();
    let mut after = None;
    loop {
        let page = view.list(&Query::default(), after.as_ref(), 7).await.unwrap();
        for row in page.rows {
            all.insert(row.summary.urn.to_string(), copied(view, &row.summary.urn).await.unwrap());
        }
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}

/// A copy of an edition, if the viewer sees it.
async fn copied(view: &CatalogueView<'_>, urn: &Urn) -> Option<Copied> {
    let found = view.find(&Identifier::Urn(urn.clone()), &[]).await.unwrap();
    let Some(Lookup::Edition(granted)) = found else { return None };
    let entry = granted.entry();
    let mut amendments = Vec::new();
    for amendment in granted.related_editions(RelatedKind::AmendedBy).await.unwrap() {
        let amendment = amendment.entry();
        amendments.push(format!("{} {}", amendment.summary.urn, amendment.revision));
    }
    let notice = entry.notice.as_ref().map(|notice| notice.text.clone());
    let status = format!("{:?}", entry.status);
    Some((entry.revision.clone(), status, notice, format!("{:?}", granted.level()), amendments))
}

/// A mirror of what one tenant sees.
struct Mirror {
    tenant: String,
    rights: [u8; 32],
    position: ChangePosition,
    copies: BTreeMap<String, Copied>,
}

impl Mirror {
    async fn new(world: &World, tenant: &str) -> Self {
        let view = world.store.view_for(&viewer_of(tenant, TODAY)).await.unwrap();
        let (rights, position) = (view.rights_name(), view.last_change().await.unwrap());
        Self { tenant: tenant.to_owned(), rights, position, copies: listed(&view).await }
    }

    /// Follows the changes, some at a time; returns what they were.
    async fn follow(&mut self, world: &World, today: &str, limit: u32) -> Vec<String> {
        let view = world.store.view_for(&viewer_of(&self.tenant, today)).await.unwrap();
        let mut said = Vec::new();
        if view.rights_name() != self.rights {
            self.rights = view.rights_name();
            self.copies = listed(&view).await;
            said.push("refresh".to_owned());
        }
        loop {
            let mut seen = BTreeSet::new();
            let page = view.changes_since(self.position, limit).await.unwrap();
            let ChangesPage { changes, position, has_more } = page.expect("the history is the same");
            assert!(changes.len() <= limit as usize);
            for change in changes {
                let urn = change.urn.to_string();
                assert!(seen.insert(urn.clone()), "{urn} comes twice");
                said.push(format!("{} {urn}", word(&change.kind)));
                match change.kind {
                    EditionChangeKind::Present { cause, former_revision, .. } => {
                        let now = copied(&view, &change.urn).await.expect("a change is of what is there");
                        let known = self.copies.insert(urn.clone(), now.clone());
                        if said[0] != "refresh" {
                            expect_so(&urn, cause, former_revision.as_deref(), known.as_ref(), &now);
                        }
                    }
                    EditionChangeKind::Recalled { .. } | EditionChangeKind::Removed => {
                        assert!(copied(&view, &change.urn).await.is_none(), "{urn}");
                        self.copies.remove(&urn);
                    }
                }
            }
            self.position = position;
            if !has_more {
                break;
            }
        }
        assert_eq!(self.copies, listed(&view).await, "{}: {said:?}", self.tenant);
        // Two ways to one position.
        if !said.is_empty() && said[0] != "refresh" {
            assert_eq!(self.position, view.last_change().await.unwrap(), "{}: {said:?}", self.tenant);
        }
        said
    }
}

fn word(kind: &EditionChangeKind) -> String {
    match kind {
        EditionChangeKind::Present { cause, .. } => format!("{cause:?}"),
        EditionChangeKind::Recalled { .. } => "Recalled".to_owned(),
        EditionChangeKind::Removed => "Removed".to_owned(),
    }
}

/// Compares what a change says with the copies before and after.
fn expect_so(urn: &str, cause: PresentCause, former: Option<&str>, known: Option<&Copied>, now: &Copied) {
    if known.is_none() {
        assert_eq!(cause, PresentCause::Created, "{urn}");
    }
    let Some(known) = known.filter(|_| cause != PresentCause::Created) else { return };
    let is_revised = matches!(cause, PresentCause::Content | PresentCause::Rules);
    if known.0 != now.0 {
        assert!(is_revised, "{urn}: {cause:?}");
        assert_eq!(former, Some(known.0.as_str()), "{urn}");
    }
    if cause == PresentCause::Amendment {
        assert_eq!((&known.0, &known.1, &known.2), (&now.0, &now.1, &now.2), "{urn}");
    }
}

const CODES: [&str; 4] = ["13", "25", "67.060", "67.080"];

/// The walk: publications that came last, by URN, and grants.
struct Walk {
    random: Random,
    editions: Vec<String>,
    grants: Vec<i64>,
    day: u32,
    counts: BTreeMap<String, u32>,
}

impl Walk {
    fn publication(&mut self, urn: &str, count: u32) -> Publication {
        let parsed: Urn = urn.parse().unwrap();
        let is_amendment = urn.contains(":amd:");
        let reference = if is_amendment {
            format!("ISO {}/Amd 1", parsed.number())
        } else {
            format!("{} {}:{}", parsed.publisher().to_uppercase(), parsed.number(), parsed.edition())
        };
        let mut publication = edition(urn, &reference);
        publication.deriver = format!("{count}");
        publication.revision = format!("r{count}");
        publication.origin = "walk".to_owned();
        // Every third one is the same source, derived by other rules.
        if !count.is_multiple_of(3) {
            publication.source = norma_store::Blob::new(format!("{urn} {count}")).digest();
            publication.replace = true;
        }
        let codes = 1 + self.random.below(2);
        publication.summary.ics = (0..codes).map(|_| self.random.one_of(&CODES).to_owned()).collect();
        if is_amendment {
            let amended = self.random.one_of(&["ISO 1:1", "ISO 2:1", "ISO 1:2"]);
            publication.relations = vec![relation(RelationKind::Amends, amended)];
        }
        publication
    }

    /// One change of the store, in words.
    async fn step(&mut self, world: &World, tenants: &[&str], step: u32) -> String {
        let now = at(u64::from(step) * 60);
        let urn = self.random.one_of(&self.editions.clone());
        let parsed: Urn = urn.parse().unwrap();
        let store = &world.store;
        let what = match self.random.below(20) {
            0..=8 => {
                let publication = self.publication(&urn, step);
                let done = store.publish(&publication, now).await;
                match done {
                    Ok(Outcome::Created) => "create",
                    Ok(Outcome::Replaced { .. }) => "correct",
                    Ok(Outcome::Unchanged) => "repeat",
                    // The same source came under another name of its origin.
                    Err(error) => panic!("{error}"),
                }
            }
            9 => {
                store.withdraw(&parsed, Some(&format!("notice {step}")), now).await.unwrap();
                "withdraw"
            }
            10 | 11 => {
                store.recall(&parsed, "a reason", Some(&format!("notice {step}")), now).await.unwrap();
                "recall"
            }
            12 | 13 => {
                store.reinstate(&parsed, now).await.unwrap();
                "reinstate"
            }
            14 | 15 => {
                store.remove(&parsed, now).await.unwrap();
                "remove"
            }
            16 | 17 => {
                let tenant = self.random.one_of(tenants).to_owned();
                let grant = self.grant(tenant, &urn);
                self.grants.push(store.add_grant(&grant, now).await.unwrap().unwrap());
                "grant"
            }
            18 => {
                if self.grants.len() > 4 {
                    let index = self.random.below(self.grants.len() as u64) as usize;
                    let id = self.grants.swap_remove(index);
                    assert!(store.remove_grant(id, now).await.unwrap());
                }
                "revoke"
            }
            _ => {
                self.day = (self.day + 1) % 20;
                "day"
            }
        };
        *self.counts.entry(what.to_owned()).or_default() += 1;
        format!("{step}: {what} {urn}")
    }

    fn grant(&mut self, tenant: String, urn: &str) -> Grant {
        let scope = match self.random.below(4) {
            0 => GrantScope::Urns(self.random.one_of(&["urn:iso:*", "urn:din:*"]).parse().unwrap()),
            1 => GrantScope::Ics(self.random.one_of(&["13", "25", "67", "67.060"]).to_owned()),
            2 => GrantScope::List(BTreeSet::from([urn.parse().unwrap()])),
            _ => GrantScope::Urns(urn.parse().unwrap()),
        };
        let level = self.random.one_of(&[Level::Read, Level::Read, Level::Discover]);
        let day = |number: u32| format!("2026-05-{:02}", 1 + number % 20).parse().unwrap();
        let (from, until) = match self.random.below(3) {
            0 => (Some(day(self.day)), Some(day(19))),
            _ => (None, None),
        };
        Grant { tenant, client: None, scope, level, from, until }
    }

    fn today(&self) -> String {
        format!("2026-05-{:02}", self.day + 1)
    }
}

fn steps() -> u32 {
    std::env::var("NORMA_TEST_STEPS").map_or(STEPS, |steps| steps.parse().unwrap())
}

async fn who_follows_changes_has_what_the_list_has_after_any_of_them(world: World) {
    let tenants = ["one", "two", "three", "four"];
    for name in tenants {
        world.store.put_tenant(&tenant(name), at(0)).await.unwrap();
    }
    let mut editions = Vec::new();
    for publisher in ["iso", "din"] {
        for number in 1..=3 {
            for edition in 1..=2 {
                editions.push(format!("urn:{publisher}:std:{publisher}:{number}:ed-{edition}:en"));
            }
        }
    }
    editions.push("urn:iso:std:iso:1:amd:1:ed-1:en".to_owned());
    editions.push("urn:iso:std:iso:2:amd:1:ed-1:en".to_owned());
    let random = Random(0x9e37_79b9_7f4a_7c15);
    let mut walk = Walk { random, editions, grants: Vec::new(), day: 0, counts: BTreeMap::new() };
    // Another handle on the store, whose index of editions only follows the changes.
    let mut mirrors = Vec::new();
    for name in tenants {
        mirrors.push(Mirror::new(&world, name).await);
    }
    let mut said = BTreeMap::<String, u32>::new();
    for step in 1..=steps() {
        let looked_at = walk.random.below(mirrors.len() as u64) as usize;
        let before = seen(&world, &mirrors[looked_at], &walk).await;
        let day = walk.day;
        let what = walk.step(&world, &tenants, step).await;
        let urn = what.rsplit(' ').next().unwrap().to_owned();
        println!("{what}");
        let (mirror, after) = (&mirrors[looked_at], seen(&world, &mirrors[looked_at], &walk).await);
        // Neither of these editions, nor what a list shows, is of this viewer.
        let is_hidden = !before.known.contains(&urn) && !after.known.contains(&urn);
        if is_hidden && walk.day == day && before.copies == after.copies && before.rights == after.rights {
            assert_eq!(before.changes, after.changes, "{what}: {}", mirror.tenant);
            assert_eq!(before.last, after.last, "{what}: {}", mirror.tenant);
        }
        for mirror in &mut mirrors {
            // A mirror that is not asked for a while has several changes to follow.
            if walk.random.below(3) > 0 {
                continue;
            }
            let limit = 1 + walk.random.below(4) as u32;
            for one in mirror.follow(&world, &walk.today(), limit).await {
                *said.entry(one.split(' ').next().unwrap().to_owned()).or_default() += 1;
            }
        }
    }
    for mirror in &mut mirrors {
        mirror.follow(&world, &walk.today(), 500).await;
    }
    for word in ["Created", "Content", "Rules", "Status", "Amendment", "Recalled", "Removed", "refresh"] {
        assert!(said.contains_key(word), "{word}: {said:?}, {:?}", walk.counts);
    }
}

/// What an answer of the service would have for the holder of a mirror.
struct Seen {
    rights: [u8; 32],
    copies: BTreeMap<String, Copied>,
    /// The editions that the viewer can ask for, recalled ones included.
    known: BTreeSet<String>,
    changes: Option<ChangesPage>,
    last: ChangePosition,
}

async fn seen(world: &World, mirror: &Mirror, walk: &Walk) -> Seen {
    let view = world.store.view_for(&viewer_of(&mirror.tenant, &walk.today())).await.unwrap();
    let mut known = BTreeSet::new();
    for urn in &walk.editions {
        let identifier = Identifier::parse(urn).unwrap();
        if view.find(&identifier, &[]).await.unwrap().is_some() {
            known.insert(urn.clone());
        }
    }
    Seen {
        known,
        rights: view.rights_name(),
        copies: listed(&view).await,
        changes: view.changes_since(mirror.position, 500).await.unwrap(),
        last: view.last_change().await.unwrap(),
    }
}

pub(crate) const FIRST: &str = "urn:iso:std:iso:7:ed-1:en";
pub(crate) const SECOND: &str = "urn:iso:std:iso:7:ed-2:en";

pub(crate) fn revised(urn: &str, revision: &str, source: &str) -> Publication {
    let publication = edition(urn, &format!("ISO 7:{}", if urn == FIRST { 2001 } else { 2020 }));
    Publication {
        revision: revision.to_owned(),
        deriver: revision.to_owned(),
        source: norma_store::Blob::new(source.to_owned()).digest(),
        origin: "one".to_owned(),
        replace: true,
        ..publication
    }
}

/// The changes since a position, in words.
pub(crate) async fn since(world: &World, position: ChangePosition) -> Vec<String> {
    let page = world.view().await.changes_since(position, 500).await.unwrap().unwrap();
    let mut words = Vec::new();
    for change in page.changes {
        let former = match &change.kind {
            EditionChangeKind::Present { former_revision: Some(former), .. } => format!(" from {former}"),
            EditionChangeKind::Recalled { notice: Some(notice) } => format!(" as {}", notice.text),
            _ => String::new(),
        };
        words.push(format!("{} {}{former}", word(&change.kind), change.urn));
    }
    words
}

async fn a_change_says_what_changed_since_the_position(world: World) {
    world.grant("urn:iso:*", Level::Read).await;
    let start = world.view().await.last_change().await.unwrap();
    assert_eq!(start, ChangePosition::default());
    world.publish(&revised(FIRST, "r1", "a")).await;
    let created = world.view().await.last_change().await.unwrap();
    assert_eq!(since(&world, start).await, [format!("Created {FIRST}")]);
    assert_eq!(since(&world, created).await, Vec::<String>::new());
    world.publish(&revised(FIRST, "r2", "b")).await;
    let corrected = world.view().await.last_change().await.unwrap();
    world.publish(&revised(FIRST, "r3", "b")).await;
    assert_eq!(since(&world, created).await, [format!("Content {FIRST} from r1")]);
    assert_eq!(since(&world, corrected).await, [format!("Rules {FIRST} from r2")]);
    let derived = world.view().await.last_change().await.unwrap();
    // The newer edition supersedes the older one, in one transaction.
    world.publish(&revised(SECOND, "s1", "c")).await;
    assert_eq!(since(&world, derived).await, [format!("Status {FIRST}"), format!("Created {SECOND}")]);
    let both = world.view().await.last_change().await.unwrap();
    let second: Urn = SECOND.parse().unwrap();
    world.store.recall(&second, "a reason", Some("Table 1 is wrong"), at(5)).await.unwrap();
    let expected = [format!("Status {FIRST}"), format!("Recalled {SECOND} as Table 1 is wrong")];
    assert_eq!(since(&world, both).await, expected);
    let recalled = world.view().await.last_change().await.unwrap();
    // Nobody sees a correction of what is recalled.
    world.publish(&revised(SECOND, "s2", "d")).await;
    assert_eq!(since(&world, recalled).await, Vec::<String>::new());
    world.store.reinstate(&second, at(6)).await.unwrap();
    assert_eq!(since(&world, recalled).await, [format!("Status {FIRST}"), format!("Created {SECOND}")]);
    world.store.remove(&second, at(7)).await.unwrap();
    assert_eq!(since(&world, recalled).await, [format!("Status {FIRST}"), format!("Removed {SECOND}")]);
    // A repair of the same revision is nothing that anybody sees.
    let repaired = world.view().await.last_change().await.unwrap();
    world.publish(&Publication { repair: true, ..revised(FIRST, "r3", "b") }).await;
    assert_eq!(since(&world, repaired).await, Vec::<String>::new());
    // From the beginning, each edition is there once.
    assert_eq!(since(&world, start).await, [format!("Created {FIRST}"), format!("Removed {SECOND}")]);
}

async fn codes_that_an_edition_loses_remove_it_for_those_whom_they_granted_it(world: World) {
    world.give(GrantScope::Ics("67".to_owned()), Level::Read).await;
    let with_codes = |revision: &str, codes: &[&str]| {
        let mut publication = revised(FIRST, revision, revision);
        publication.summary.ics = codes.iter().map(|code| (*code).to_owned()).collect();
        publication
    };
    let start = world.view().await.last_change().await.unwrap();
    world.publish(&with_codes("r1", &["67.060"])).await;
    let first = world.view().await.last_change().await.unwrap();
    world.publish(&with_codes("r2", &["13.110"])).await;
    assert_eq!(since(&world, first).await, [format!("Removed {FIRST}")]);
    let lost = world.view().await.last_change().await.unwrap();
    // From now on it is an edition like any other that is hidden.
    world.publish(&with_codes("r3", &["25"])).await;
    world.store.remove(&FIRST.parse().unwrap(), at(3)).await.unwrap();
    world.publish(&with_codes("r4", &["25"])).await;
    assert_eq!(world.view().await.last_change().await.unwrap(), lost);
    assert_eq!(since(&world, lost).await, Vec::<String>::new());
    world.publish(&with_codes("r5", &["25", "67"])).await;
    assert_eq!(since(&world, lost).await, [format!("Created {FIRST}")]);
    assert_eq!(since(&world, start).await, [format!("Created {FIRST}")]);
}

async fn an_amendment_changes_what_it_amends_for_those_who_see_both(world: World) {
    const AMENDMENT: &str = "urn:iso:std:iso:7:amd:1:ed-1:en";
    let amendment = |revision: &str| {
        let mut publication = revised(AMENDMENT, revision, revision);
        publication.summary.reference = "ISO 7:2001/Amd 1:2005".to_owned();
        publication.relations = vec![relation(RelationKind::Amends, "ISO 7:2001")];
        publication
    };
    world.grant(FIRST, Level::Read).await;
    world.publish(&revised(FIRST, "r1", "a")).await;
    let alone = world.view().await.last_change().await.unwrap();
    world.publish(&amendment("a1")).await;
    // That it is amended is not public.
    assert_eq!(since(&world, alone).await, Vec::<String>::new());
    world.grant(AMENDMENT, Level::Discover).await;
    let expected = [format!("Amendment {FIRST}"), format!("Created {AMENDMENT}")];
    let mut found = since(&world, alone).await;
    found.sort();
    assert_eq!(found, expected);
    let amended = world.view().await.last_change().await.unwrap();
    world.store.withdraw(&AMENDMENT.parse().unwrap(), None, at(4)).await.unwrap();
    assert_eq!(since(&world, amended).await, [format!("Status {AMENDMENT}")]);
    let withdrawn = world.view().await.last_change().await.unwrap();
    world.store.recall(&AMENDMENT.parse().unwrap(), "wrong", None, at(5)).await.unwrap();
    let mut found = since(&world, withdrawn).await;
    found.sort();
    assert_eq!(found, [format!("Amendment {FIRST}"), format!("Recalled {AMENDMENT} as ")]);
    // The own change of the edition comes later, and says more.
    world.publish(&revised(FIRST, "r2", "b")).await;
    let found = since(&world, withdrawn).await;
    assert_eq!(found, [format!("Recalled {AMENDMENT} as "), format!("Content {FIRST} from r1")]);
}
