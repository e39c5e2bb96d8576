//! Bodies: who publishes the document, and by which chain of bodies it names itself.

use norma_model::PartialUrn;
use norma_model::urn::{UrnParts, segment};

use super::super::stated::{value, values};
use super::Identity;
use crate::names::Name;
use crate::tree::Node;

impl Identity {
    pub(super) fn read_bodies(
        &mut self,
        block: Node<'_>,
        adopts: bool,
        parts: &UrnParts,
        note: &mut impl FnMut(&'static str, String),
    ) {
        let body = values(block, Name::Originator)
            .chain(values(block, Name::Sdo))
            .chain(values(block, Name::StdOrgAbbrev))
            .chain(values(block, Name::StdOrgName))
            .map(|body| without_repeats(&body))
            .next();
        let holder = block.attr("originator").map(|o| o.trim().to_owned());
        let chain = parts.originator.clone().filter(|_| !parts.publisher.is_empty());
        self.publisher_as_written = holder.clone().or_else(|| body.clone());
        self.originator = match (&body, &chain) {
            (_, Some(chain)) if adopts && chain.contains('-') || layers(chain).len() > 1 => {
                Some(chain.clone())
            }
            (Some(body), _) => Some(segment(body)),
            (None, _) if holder.is_some() => chain.clone().or_else(|| holder.as_deref().map(segment)),
            (None, Some(chain)) => {
                note(
                    "originator-worked-out",
                    format!("the publisher is taken from the reference: `{chain}`"),
                );
                Some(chain.clone())
            }
            (None, None) => value(block, Name::CopyrightHolder).map(|holder| {
                note("originator-worked-out", format!("the publisher is taken from the rights: `{holder}`"));
                segment(&holder)
            }),
        };
        let first = |chain: &String| chain.split('-').next().unwrap_or_default().to_owned();
        self.publisher = match (&holder, &body) {
            (Some(holder), _) => Some(segment(holder)),
            (None, Some(body)) => body.split(['/', ' ']).next().map(segment),
            (None, None) => match &chain {
                Some(_) => Some(parts.publisher.clone()),
                None => self.originator.clone(),
            },
        };
        if self.publisher_as_written.is_none() {
            self.publisher_as_written = value(block, Name::CopyrightHolder)
                .filter(|_| chain.is_none())
                .or_else(|| self.originator.as_ref().map(|o| o.to_uppercase().replace('-', "/")));
        }
        self.publisher = self.publisher.take().or_else(|| self.originator.as_ref().map(first));
    }
}

/// `ISO/ISO/ISO` is `ISO`.
fn without_repeats(body: &str) -> String {
    let mut bodies: Vec<&str> = Vec::new();
    for part in body.split('/').map(str::trim).filter(|p| !p.is_empty()) {
        if !bodies.contains(&part) {
            bodies.push(part);
        }
    }
    bodies.join("/")
}

/// Bodies of the world and of a region; any other is of one country.
const INTERNATIONAL: &[&str] = &["cie", "cispr", "iec", "ieee", "idf", "iso", "itu", "oiml"];
const REGIONAL: &[&str] = &["cen", "cenelec", "en", "etsi", "hd"];

/// Where in a chain of bodies each layer of an adoption begins: `din-en-iso-iec` has 0, 1 and 2. Bodies of one
/// rank publish together, and so do those that name a higher one last.
pub(super) fn layers(chain: &str) -> Vec<usize> {
    let rank = |body: &str| match body {
        body if INTERNATIONAL.contains(&body) => 0,
        body if REGIONAL.contains(&body) => 1,
        _ => 2,
    };
    let mut layers = vec![0];
    let mut above = None;
    for (at, body) in chain.split('-').enumerate() {
        if above.is_some_and(|above| rank(body) < above) {
            layers.push(at);
        }
        above = Some(rank(body));
    }
    layers
}

impl Identity {
    /// The documents that the designation says are adopted, outermost first: `DIN EN ISO 9999-1:2008-12` adopts
    /// `EN ISO 9999-1` and `ISO 9999-1`, of which it tells no date.
    pub(in super::super) fn implied_adoptions(&self) -> Vec<String> {
        let Some(reference) = &self.reference else { return Vec::new() };
        let undated = reference.split([':', '+', '(']).next().unwrap_or_default().trim_end();
        let chain = PartialUrn::from_reference(undated).and_then(|c| c.urn.originator().map(str::to_owned));
        let starts = layers(chain.as_deref().unwrap_or_default()).into_iter().skip(1);
        let inner = |start: usize| {
            let mut rest = undated;
            for _ in 0..start {
                rest = rest.split_once([' ', '/', '-', '\u{a0}'])?.1.trim_start();
            }
            Some(rest.to_owned())
        };
        starts.filter_map(inner).collect()
    }
}
