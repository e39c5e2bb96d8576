//! Which documents an archive holds: names, editions, languages and amendments, before any text is written.

use fastrand::Rng;

use crate::prose::Language;

/// Invented bodies, and what kind each is in `std-org-type`.
const BODIES: [(&str, &str); 4] =
    [("WSB", "international"), ("UEB", "international"), ("RSC", "regional"), ("NXB", "national")];

/// Kinds of document by their share of a hundred, behind a slash in the designation.
const KINDS: [(&str, u32); 4] = [("IS", 86), ("TS", 7), ("TR", 5), ("GUIDE", 2)];

/// The first year in which something is published.
const FIRST_YEAR: u32 = 1994;

/// One document to be written.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) body: &'static str,
    pub(crate) body_kind: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) number: u32,
    pub(crate) part: Option<u32>,
    pub(crate) edition: u32,
    pub(crate) year: u32,
    pub(crate) month: u32,
    /// Number and year of the amendment, where it is one.
    pub(crate) amendment: Option<(u32, u32)>,
    /// Year of the edition before.
    pub(crate) replaces: Option<u32>,
    pub(crate) language: Language,
    /// What the text is made from: the same for all languages of an edition.
    pub(crate) seed: u64,
    /// What the title is made from: the same for all editions.
    pub(crate) subject: u64,
}

impl Document {
    /// The designation without a year: `WSB/TS 1234-2`.
    pub(crate) fn undated(&self) -> String {
        let base = self.base();
        self.amendment.map_or(base.clone(), |(number, _)| format!("{base}/Amd {number}"))
    }

    /// The designation with its year: `WSB 1234:2015/Amd 1:2017`.
    pub(crate) fn dated(&self) -> String {
        let base = format!("{}:{}", self.base(), self.year);
        self.amendment.map_or(base.clone(), |(number, year)| format!("{base}/Amd {number}:{year}"))
    }

    /// The dated designation of the document that an amendment changes, or of the edition itself.
    pub(crate) fn amended(&self) -> String {
        format!("{}:{}", self.base(), self.year)
    }

    /// The dated designation of the edition before.
    pub(crate) fn replaced(&self) -> Option<String> {
        self.replaces.map(|year| format!("{}:{year}", self.base()))
    }

    /// The year in which the document itself came out.
    pub(crate) fn published(&self) -> u32 {
        self.amendment.map_or(self.year, |(_, year)| year)
    }

    /// The folder of the document in the archive: `wsb/ts-1234-2/ed-1-amd-1/en`.
    pub(crate) fn folder(&self) -> String {
        let kind = if self.kind == "IS" { String::new() } else { format!("{}-", self.kind.to_lowercase()) };
        let part = self.part.map(|p| format!("-{p}")).unwrap_or_default();
        let amendment = self.amendment.map(|(n, _)| format!("-amd-{n}")).unwrap_or_default();
        let (body, language) = (self.body.to_lowercase(), self.language.code());
        format!("{body}/{kind}{}{part}/ed-{}{amendment}/{language}", self.number, self.edition)
    }

    fn base(&self) -> String {
        let kind = if self.kind == "IS" { String::new() } else { format!("/{}", self.kind) };
        let part = self.part.map(|p| format!("-{p}")).unwrap_or_default();
        format!("{}{kind} {}{part}", self.body, self.number)
    }
}

/// The first `count` documents of the archive with this seed.
pub(crate) fn catalogue(seed: u64, count: usize) -> Vec<Document> {
    let mut rng = Rng::with_seed(seed);
    let mut documents = Vec::with_capacity(count + 32);
    let mut number = 1000;
    while documents.len() < count {
        number += rng.u32(1..=7);
        let parts = if rng.u32(0..100) < 25 { rng.u32(2..=5) } else { 0 };
        let (body, body_kind) = BODIES[[0, 0, 0, 1, 1, 2, 2, 3][rng.usize(0..8)]];
        let kind = kind(rng.u32(0..100));
        for part in 0..parts.max(1) {
            let part = (parts > 0).then_some(part + 1);
            let base = Document {
                body,
                body_kind,
                kind,
                number,
                part,
                edition: 1,
                year: FIRST_YEAR + rng.u32(0..14),
                month: 1,
                amendment: None,
                replaces: None,
                language: Language::En,
                seed: 0,
                subject: rng.u64(..),
            };
            editions(&mut rng, &base, &mut documents);
        }
    }
    documents.truncate(count);
    documents
}

fn kind(mut share: u32) -> &'static str {
    for (kind, part) in KINDS {
        if share < part {
            return kind;
        }
        share -= part;
    }
    "IS"
}

/// All documents of one part: one to three editions, the last one perhaps translated and amended.
fn editions(rng: &mut Rng, base: &Document, documents: &mut Vec<Document>) {
    let last = [1, 1, 1, 1, 1, 1, 2, 2, 2, 3][rng.usize(0..10)];
    let (mut year, mut replaces) = (base.year, None);
    for edition in 1..=last {
        let this =
            Document { edition, year, replaces, month: rng.u32(1..=12), seed: rng.u64(..), ..base.clone() };
        replaces = Some(year);
        year += rng.u32(3..=8);
        documents.push(this.clone());
        if edition < last {
            continue;
        }
        for (language, share) in [(Language::Fr, 22), (Language::De, 12)] {
            if rng.u32(0..100) < share {
                documents.push(Document { language, ..this.clone() });
            }
        }
        for number in 1..=[0, 0, 0, 0, 0, 0, 0, 0, 1, 2][rng.usize(0..10)] {
            let amendment = Some((number, this.year + number));
            documents.push(Document { amendment, replaces: None, seed: rng.u64(..), ..this.clone() });
        }
    }
}
