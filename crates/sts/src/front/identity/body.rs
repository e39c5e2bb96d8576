//! Publishing bodies: the publisher and the chain of bodies in the document's designation.

use norma_model::PartialUrn;
use norma_model::urn::{Reach, UrnParts, find_publisher, segment};

use super::super::fields::{value, values};
use super::{Identity, IdentitySource};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The body that the metadata states.
fn stated_body(block: XmlNode<'_>) -> Option<String> {
    values(block, Name::Originator)
        .chain(values(block, Name::Sdo))
        .chain(values(block, Name::StdOrgAbbrev))
        .chain(values(block, Name::StdOrgName))
        .map(|body| without_repeats(&body))
        .next()
}

/// The parts of a designation without a body, such as `M-1`, if the metadata states the body.
pub(super) fn with_body(block: XmlNode<'_>, text: &str) -> Option<UrnParts> {
    let body = stated_body(block).or_else(|| block.attr("originator").map(str::to_owned))?;
    let body = find_publisher(&body).map_or(body, |known| known.id.to_uppercase());
    Some(PartialUrn::from_reference(&format!("{body} {text}"))?.urn.parts())
}

impl Identity {
    /// The bodies that name the document: those of its designation, which are also those of its citations.
    /// Else those that the metadata states, else an abbreviation that the document prints.
    pub(super) fn read_bodies(&mut self, source: &mut IdentitySource<'_, '_>) {
        let block = source.block;
        let body = stated_body(block);
        let holder = block.attr("originator").map(|o| o.trim().to_owned());
        self.publisher_as_written = holder.or_else(|| body.clone());
        let chain = source.parts.originator.clone();
        let known =
            chain.as_deref().is_some_and(|chain| chain.split('-').any(|body| find_publisher(body).is_some()));
        self.originator = match (&self.publisher_as_written, chain) {
            (None, Some(chain)) => {
                let message = format!("the publisher is taken from the reference: `{chain}`");
                source.note("originator-worked-out", message);
                Some(chain)
            }
            // A national block may give the designation of the adopted document.
            (Some(holder), Some(chain))
                if known && block.attr("originator").is_some() && !names(&chain, holder) =>
            {
                Some(format!("{}-{chain}", segment(holder)))
            }
            (Some(_), Some(chain)) if known => Some(chain),
            // `XNB NSB` in a block of XNB is the chain of both.
            (Some(holder), _) => {
                let holder = segment(holder);
                let chain = body.map(|body| segment(&body));
                let chain = chain.filter(|chain| chain.split('-').next() == Some(holder.as_str()));
                Some(chain.unwrap_or(holder))
            }
            (None, None) => printed(block).inspect(|word| {
                let message = format!("the publisher is taken from an abbreviation in the text: `{word}`");
                source.note("originator-worked-out", message);
            }),
        };
        if self.publisher_as_written.is_none() {
            let rights = value(block, Name::CopyrightHolder).filter(|_| source.parts.originator.is_none());
            self.publisher_as_written =
                rights.or_else(|| self.originator.as_ref().map(|o| o.to_uppercase().replace('-', "/")));
        }
    }
}

/// Whether a chain of bodies has this one; series of CEN and CENELEC belong to these.
fn names(chain: &str, body: &str) -> bool {
    let body = find_publisher(body).map_or_else(|| segment(body), |known| known.id.to_owned());
    let mut bodies = chain.split('-');
    bodies.any(|one| one == body || matches!((body.as_str(), one), ("cen" | "cenelec", "en" | "hd" | "env")))
        || chain == body
}

/// The abbreviation of the publisher that the document prints. It is the holder of the rights by the table of
/// publishers, in one word, or with its abbreviation (`Widget Board (WB)`); else one in a title.
fn printed(block: XmlNode<'_>) -> Option<String> {
    let root = block.ancestors().last().unwrap_or(block);
    let texts = || root.descendants().map(XmlNode::characters).filter(|text| text.contains('('));
    let Some(holder) = value(block, Name::CopyrightHolder) else {
        let titles = block.all(Name::TitleWrap).flat_map(|wrap| wrap.descendants()).map(XmlNode::characters);
        let found = titles
            .filter_map(|title| title.split_once('('))
            .find_map(|(name, rest)| abbreviation(name, rest));
        return found;
    };
    let word = (!holder.contains(' ') && holder.len() <= 12).then(|| segment(&holder));
    let known = find_publisher(&holder).map(|known| known.id.to_owned()).or(word);
    let spelled = || {
        let own = holder.split_once('(').and_then(|(name, rest)| abbreviation(name, rest));
        own.or_else(|| {
            texts().find_map(|text| {
                let after = text[text.find(&holder)? + holder.len()..].trim_start().strip_prefix('(')?;
                abbreviation(&holder, after)
            })
        })
    };
    known.or_else(spelled).filter(|body| !body.is_empty())
}

/// `TRBS` of “Technische Regel für Betriebssicherheit (TRBS)”: capitals whose letters come one after the
/// other in the name.
fn abbreviation(name: &str, after: &str) -> Option<String> {
    let (word, _) = after.split_once(')')?;
    let capitals = word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let mut letters = name.chars().flat_map(char::to_uppercase);
    let fits = word.chars().filter(char::is_ascii_uppercase).all(|c| letters.any(|letter| letter == c));
    ((2..=10).contains(&word.len()) && word.starts_with(|c: char| c.is_ascii_uppercase()) && capitals && fits)
        .then(|| word.to_ascii_lowercase())
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

/// The begin of each layer of an adoption in a chain of bodies: `din-en-iso-iec` has 0, 1 and 2. Bodies of
/// one rank publish together, and so do those that name a higher one last.
pub(super) fn layers(chain: &str) -> Vec<usize> {
    let rank = |body: &str| find_publisher(body).map_or(Reach::National, |known| known.reach);
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
    /// The documents that the designation names as adopted, outermost first: `DIN EN ISO 9999-1:2008-12`
    /// adopts `EN ISO 9999-1` and `ISO 9999-1`, both without a date.
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
