//! A small world to test in: stores, publications, tenants.

use std::time::{Duration, SystemTime};

use norma_model::{PartialUrn, Relation, RelationKind, StandardType, Status, Urn};
use norma_store::{
    Blob, Day, Encoding, Found, Grant, Level, Location, Outcome, Publication, Query, Scope, Seen, Settings,
    Store, Summary, Tenant, Viewer,
};

pub(crate) const TENANT: &str = "5f8a1f0e-0000-4000-8000-000000000001";
pub(crate) const CLIENT: &str = "client-1";

/// A store that goes when the test ends.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) location: Location,
    _folder: tempfile::TempDir,
}

/// Some seconds after a moment long ago: time is an argument.
pub(crate) fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)
}

impl World {
    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let location: Location = folder.path().join("norma.db").to_str().unwrap().parse().unwrap();
        let store = Store::open(&location, &Settings::default()).await.unwrap();
        let tenant = Tenant {
            id: TENANT.to_owned(),
            name: "Acme".to_owned(),
            issuer: None,
            jwks_uri: None,
            suspended: false,
        };
        store.put_tenant(&tenant, at(0)).await.unwrap();
        Self { store, location, _folder: folder }
    }

    /// Grants by pattern to the whole tenant.
    pub(crate) async fn grant(&self, pattern: &str, level: Level) -> i64 {
        let scope = Scope::Urns(pattern.parse().unwrap());
        let grant = Grant { tenant: TENANT.to_owned(), client: None, scope, level, from: None, until: None };
        self.store.add_grant(&grant, at(0)).await.unwrap().unwrap()
    }

    pub(crate) async fn seen(&self) -> Seen<'_> {
        self.store.seen_by(&viewer("2026-05-01")).await.unwrap()
    }

    pub(crate) async fn publish(&self, publication: &Publication) -> Outcome {
        self.store.publish(publication, at(1)).await.unwrap()
    }

    /// What the caller's own words lead to.
    pub(crate) async fn find(&self, text: &str) -> Option<Found> {
        let identifier = norma_model::Identifier::parse(text).unwrap();
        self.seen().await.find(&identifier, &[]).await.unwrap()
    }

    /// URNs of all pages of a list.
    pub(crate) async fn list(&self, query: &Query) -> Vec<String> {
        let page = self.seen().await.list(query, None, 500).await.unwrap();
        assert_eq!(page.total, page.rows.len() as u64);
        page.rows.iter().map(|row| row.summary.urn.to_string()).collect()
    }
}

pub(crate) fn viewer(today: &str) -> Viewer {
    Viewer { tenant: TENANT.to_owned(), client: CLIENT.to_owned(), today: today.parse::<Day>().unwrap() }
}

/// The URN of what was found; empty where nothing was.
pub(crate) fn urn_of(found: Option<Found>) -> String {
    match found {
        Some(Found::Edition(edition)) => edition.entry().summary.urn.to_string(),
        Some(Found::Recalled { urn, .. }) => format!("recalled {urn}"),
        None => String::new(),
    }
}

/// A small edition of this URN: `reference` as its designation, everything else made up from both.
pub(crate) fn edition(urn: &str, reference: &str) -> Publication {
    let urn: Urn = urn.parse().unwrap();
    let source = Blob::new(format!("<standard>{urn} {reference}</standard>"));
    let view = |name: &str| Blob::new(format!("{{\"view\":\"{name}\",\"urn\":\"{urn}\"}}"));
    Publication {
        summary: Summary {
            reference: reference.to_owned(),
            title: format!("Rice — Specification of {reference}"),
            publisher: "ISO".to_owned(),
            number: urn.number().to_owned(),
            part: urn.part().map(str::to_owned),
            supplement: None,
            languages: urn.languages(),
            kind: StandardType::Is,
            published_on: Some("2016-05-01".parse().unwrap()),
            ics: vec!["67.060".to_owned()],
            urn: urn.clone(),
        },
        status: Status::Published,
        original: true,
        source: source.clone(),
        deriver: "1".to_owned(),
        revision: source.digest().hex()[..16].to_owned(),
        origin: format!("archive/{reference}.xml"),
        aliases: Vec::new(),
        relations: Vec::new(),
        provisions: Vec::new(),
        views: vec![
            ("metadata".to_owned(), Encoding::Identity, view("metadata")),
            ("content".to_owned(), Encoding::Identity, view("content")),
            ("content".to_owned(), Encoding::Gzip, view("content-gzip")),
        ],
        assets: Vec::new(),
        replace: false,
    }
}

/// A relation to what this reference names.
pub(crate) fn relation(kind: RelationKind, reference: &str) -> Relation {
    let citation = PartialUrn::from_reference(reference).unwrap();
    Relation {
        kind,
        reference: reference.to_owned(),
        urn: Some(citation.urn),
        dated: citation.dated,
        title: None,
        sections: Vec::new(),
    }
}
