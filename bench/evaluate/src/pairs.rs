//! Files of units: two editions as lists of units, with or without the true links. Also the result of a
//! comparison in the same terms, and the share of the true links that it found.

use std::fmt;

use foldhash::{HashMap, HashMapExt, HashSet};
use norma_model::{Lang, Passage, ProvisionKind, Quantity};
use serde::{Deserialize, Serialize};

use norma_compare::{
    Comparison, ComparisonSection, ComparisonUnit, Confidence, Facet, InvalidUnits, UnitRelation, Units,
    UnitsParts, Unmatched,
};

/// Most bytes of a file: 256 MiB.
pub const MAX_FILE: usize = 256 << 20;
/// Most units of an edition.
const MAX_UNITS: usize = 100_000;
/// Most Unicode scalar values of a text, section or title.
const MAX_TEXT: usize = 100_000;

/// Two editions, and the links between them if the file has them.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The older edition.
    pub older: Units,
    /// The newer edition.
    pub newer: Units,
    /// The true links as indices of an older and a newer unit; `None` if the file has no `links`.
    pub links: Option<Vec<(usize, usize)>>,
    /// The language of the units, by default English.
    pub language: Lang,
}

/// The reason why a file of units was refused.
#[derive(Debug, thiserror::Error)]
pub enum PairsError {
    /// The file is too large.
    #[error("expected at most {MAX_FILE} bytes, found more: divide the editions by sections")]
    File,
    /// The text is not JSON of this shape.
    #[error(
        "expected {{\"a\": [unit], \"b\": [unit]}} where a unit is {{\"id\", \"section\", \"title\", \"text\", \"type\"}}, strings of which \
         `id` and `text` are needed: {0}"
    )]
    Shape(String),
    /// An edition has too many units.
    #[error(
        "`{edition}`: expected at most {MAX_UNITS} units, found {count}: divide the editions by sections"
    )]
    Count {
        /// `a` or `b`.
        edition: char,
        /// The number of them.
        count: usize,
    },
    /// A text is too long.
    #[error(
        "`{edition}[{index}]`: expected at most {MAX_TEXT} characters in each member, found {length}: divide the unit"
    )]
    Length {
        /// `a` or `b`.
        edition: char,
        /// Index of the unit in its list.
        index: usize,
        /// Characters of the text.
        length: usize,
    },
    /// The units of an edition do not agree.
    #[error("`{edition}`: {reason}")]
    Units {
        /// `a` or `b`.
        edition: char,
        /// The error.
        reason: InvalidUnits,
    },
    /// A link names a unit that is not in the file.
    #[error("`links[{index}].{edition}`: expected the id of a unit in `{edition}`, found `{id}`")]
    Link {
        /// Index of the link.
        index: usize,
        /// `a` or `b`.
        edition: char,
        /// The id.
        id: String,
    },
}

#[derive(Deserialize)]
struct PairsFile {
    a: Vec<UnitRow>,
    b: Vec<UnitRow>,
    links: Option<Vec<LinkRow>>,
    #[serde(default = "Lang::en")]
    language: Lang,
}

#[derive(Deserialize)]
struct UnitRow {
    id: Box<str>,
    #[serde(default)]
    section: Option<Box<str>>,
    #[serde(default)]
    title: Option<Box<str>>,
    text: Box<str>,
    #[serde(default, rename = "type")]
    kind: Option<Box<str>>,
}

#[derive(Deserialize)]
struct LinkRow {
    a: String,
    b: String,
}

/// A comparison as `evaluate compare` prints it.
#[derive(Serialize)]
pub struct PairsReport<'a> {
    links: Vec<LinkReport<'a>>,
    unmatched: UnmatchedReport<'a>,
}

#[derive(Serialize)]
struct LinkReport<'a> {
    a: &'a str,
    b: &'a str,
    relation: UnitRelation,
    likelihood: Confidence,
    changed: Vec<&'static str>,
}

#[derive(Serialize)]
struct UnmatchedReport<'a> {
    a: Vec<UnitReport<'a>>,
    b: Vec<UnitReport<'a>>,
}

#[derive(Serialize)]
struct UnitReport<'a> {
    id: &'a str,
    candidates: Vec<CandidateReport<'a>>,
}

#[derive(Serialize)]
struct CandidateReport<'a> {
    id: &'a str,
    score: f64,
}

impl Pairs {
    /// Reads a file of units.
    ///
    /// # Errors
    /// Says what was expected, what was found and where.
    pub fn parse(json: &[u8]) -> Result<Self, PairsError> {
        if json.len() > MAX_FILE {
            return Err(PairsError::File);
        }
        let file: PairsFile = serde_json::from_slice(json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json))
            .map_err(|reason| PairsError::Shape(reason.to_string()))?;
        let (older, newer) = (units(file.a, 'a')?, units(file.b, 'b')?);
        let index = |units: &Units| -> HashMap<Box<str>, usize> {
            units.units.iter().enumerate().map(|(index, unit)| (unit.id.clone(), index)).collect()
        };
        let links = file.links.map(|rows| {
            let (a, b) = (index(&older), index(&newer));
            let rows = rows.into_iter().enumerate().map(|(index, row)| {
                let find = |ids: &HashMap<Box<str>, usize>, edition, id: String| {
                    ids.get(&*id).copied().ok_or(PairsError::Link { index, edition, id })
                };
                Ok((find(&a, 'a', row.a)?, find(&b, 'b', row.b)?))
            });
            rows.collect::<Result<Vec<_>, PairsError>>()
        });
        let links = links.transpose()?;
        Ok(Self { older, newer, links, language: file.language })
    }

    /// The same units with the quantities and conditions that `read` finds in the text of each.
    pub fn with_anatomy(self, read: impl Fn(&str, &Lang) -> (Vec<Quantity>, Vec<Passage>)) -> Self {
        let Self { older, newer, links, language } = self;
        let [older, newer] = [older, newer].map(|units| {
            let mut parts = UnitsParts::from(units);
            for unit in &mut parts.units {
                (unit.quantities, unit.conditions) = read(&unit.text, &language);
            }
            Units::new(parts).expect("quantities change no index")
        });
        Self { older, newer, links, language }
    }

    /// The comparison in the terms of the file: units by id.
    pub fn report<'a>(&'a self, comparison: &Comparison) -> PairsReport<'a> {
        let (a, b) = (&self.older.units, &self.newer.units);
        let links = comparison.links.iter().map(|link| LinkReport {
            a: &a[link.older].id,
            b: &b[link.newer].id,
            relation: link.relation,
            likelihood: link.confidence,
            changed: link.facets.kinds().into_iter().map(Facet::name).collect(),
        });
        let unmatched = |list: &[Unmatched], this: &'a [ComparisonUnit], other: &'a [ComparisonUnit]| {
            let units = list.iter().map(|unmatched| UnitReport {
                id: &this[unmatched.unit].id,
                candidates: unmatched
                    .candidates
                    .iter()
                    .map(|candidate| CandidateReport {
                        id: &other[candidate.unit].id,
                        score: (f64::from(candidate.similarity) * 1000.0).round() / 1000.0,
                    })
                    .collect(),
            });
            units.collect()
        };
        PairsReport {
            links: links.collect(),
            unmatched: UnmatchedReport {
                a: unmatched(&comparison.older_unmatched, a, b),
                b: unmatched(&comparison.newer_unmatched, b, a),
            },
        }
    }

    /// The share of the true links that a comparison found; `None` if the file has no links.
    pub fn evaluate(&self, comparison: &Comparison) -> Option<Evaluation> {
        let truth: HashSet<(usize, usize)> = self.links.as_ref()?.iter().copied().collect();
        let one_to_one = |relation| matches!(relation, UnitRelation::Same | UnitRelation::Reworded);
        let links = comparison.links.iter().filter(|link| one_to_one(link.relation));
        let pairs: Vec<_> = links.map(|link| ((link.older, link.newer), link.confidence)).collect();
        let counts = |least: Confidence| {
            let found = pairs.iter().filter(|(_, confidence)| *confidence >= least);
            let right = found.clone().filter(|(pair, _)| truth.contains(pair)).count();
            Score { right, found: found.count(), truth: truth.len() }
        };
        let (older, newer): (HashSet<usize>, HashSet<usize>) = truth.iter().copied().unzip();
        let named = pairs.iter().filter(|((a, b), _)| older.contains(a) || newer.contains(b)).count();
        let all = counts(Confidence::Likely);
        let reworded = truth.iter().filter(|&&(a, b)| self.older.units[a].text != self.newer.units[b].text);
        let found: HashSet<_> = pairs.iter().map(|(pair, _)| *pair).collect();
        Some(Evaluation {
            all,
            named: Score { found: named, ..all },
            high: counts(Confidence::High),
            certain: counts(Confidence::Certain),
            reworded: reworded.clone().count(),
            reworded_found: reworded.filter(|pair| found.contains(pair)).count(),
        })
    }
}

fn units(rows: Vec<UnitRow>, edition: char) -> Result<Units, PairsError> {
    if rows.len() > MAX_UNITS {
        return Err(PairsError::Count { edition, count: rows.len() });
    }
    let mut parts = UnitsParts::default();
    let mut sections = HashMap::new();
    for (index, row) in rows.into_iter().enumerate() {
        let members =
            [Some(&row.id), row.section.as_ref(), row.title.as_ref(), Some(&row.text), row.kind.as_ref()];
        for text in members.into_iter().flatten() {
            let length = text.chars().count();
            if length > MAX_TEXT {
                return Err(PairsError::Length { edition, index, length });
            }
        }
        let section = *sections.entry((row.section.clone(), row.title.clone())).or_insert_with(|| {
            let id = row.section.clone().unwrap_or_default();
            let (number, title) = (row.section, row.title);
            parts.sections.push(ComparisonSection { id, number, title, ..ComparisonSection::default() });
            parts.sections.len() - 1
        });
        let kind = row.kind.as_deref().and_then(kind);
        parts.units.push(ComparisonUnit {
            id: row.id,
            text: row.text,
            section,
            kind,
            ..ComparisonUnit::default()
        });
    }
    Units::new(parts).map_err(|reason| PairsError::Units { edition, reason })
}

/// The type of a provision by its name in the API; other types are not compared.
fn kind(name: &str) -> Option<ProvisionKind> {
    Some(match name {
        "requirement" => ProvisionKind::Requirement,
        "recommendation" => ProvisionKind::Recommendation,
        "permission" => ProvisionKind::Permission,
        "capability" => ProvisionKind::Capability,
        "externalConstraint" => ProvisionKind::ExternalConstraint,
        _ => return None,
    })
}

/// One-to-one links found, against those that are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Links that are found and right.
    pub right: usize,
    /// Links that are found.
    pub found: usize,
    /// Links that are right.
    pub truth: usize,
}

impl Score {
    /// Share of the found links that are true; 1 if none are found.
    pub fn precision(&self) -> f64 {
        share(self.right, self.found)
    }

    /// Share of the true links that are found; 1 if there are none.
    pub fn recall(&self) -> f64 {
        share(self.right, self.truth)
    }

    /// Harmonic mean of the two.
    pub fn f1(&self) -> f64 {
        share(2 * self.right, self.found + self.truth)
    }
}

fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}

/// The quality of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// All one-to-one links.
    pub all: Score,
    /// The score for units with a true link alone: true links made from kept ids say nothing about a unit
    /// with a new id.
    pub named: Score,
    /// The score of links with confidence high or certain.
    pub high: Score,
    /// The score of links with confidence certain.
    pub certain: Score,
    /// True links with different texts.
    pub reworded: usize,
    /// Found links among these.
    pub reworded_found: usize,
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<18} {:>9} {:>9} {:>9} {:>9} {:>9}",
            "links", "found", "right", "precision", "recall", "F1"
        )?;
        let rows = [
            ("all", self.all),
            ("of units in truth", self.named),
            ("high or certain", self.high),
            ("certain", self.certain),
        ];
        for (name, score) in rows {
            let (p, r, f1) = (score.precision(), score.recall(), score.f1());
            writeln!(f, "{name:<18} {:>9} {:>9} {p:>9.3} {r:>9.3} {f1:>9.3}", score.found, score.right)?;
        }
        let share = share(self.reworded_found, self.reworded);
        write!(
            f,
            "true links: {}; reworded: {}, found {} ({share:.3})",
            self.all.truth, self.reworded, self.reworded_found
        )
    }
}
