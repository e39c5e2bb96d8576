//! Publishing bodies: the publisher and the chain of bodies in the document's designation.

use norma_model::PartialUrn;
use norma_model::urn::{Reach, UrnParts, find_publisher, segment};

use super::super::fields::value;
use super::{Identity, IdentitySource};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The body that the metadata states.
fn stated_body(block: XmlNode<'_>) -> Option<String> {
    const ELEMENTS: [Name; 4] = [Name::Originator, Name::Sdo, Name::StdOrgAbbrev, Name::StdOrgName];
    let body = ELEMENTS.into_iter().find_map(|name| value(block, name))?;
    Some(without_repeats(&body))
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
        let holder = block.attr("originator").map(|originator| originator.trim().to_owned());
        if let Some(publisher) = holder.or_else(|| body.clone()) {
            self.originator = Some(originator(&publisher, body, source));
            self.publisher_as_written = Some(publisher);
            return;
        }
        self.originator = derived_originator(source);
        let is_designated = source.parts.originator.is_some();
        let rights = if is_designated { None } else { value(block, Name::CopyrightHolder) };
        self.publisher_as_written =
            rights.or_else(|| Some(self.originator.as_ref()?.to_uppercase().replace('-', "/")));
    }
}

/// The chain of bodies of a document with a stated publisher.
fn originator(publisher: &str, body: Option<String>, source: &IdentitySource<'_, '_>) -> String {
    if let Some(chain) = &source.parts.originator
        && chain.split('-').any(|body| find_publisher(body).is_some())
    {
        // A national block may give the designation of the adopted document.
        let is_of_adopted = source.block.attr("originator").is_some() && !names(chain, publisher);
        return if is_of_adopted { format!("{}-{chain}", segment(publisher)) } else { chain.clone() };
    }
    let publisher = segment(publisher);
    match body.map(|body| segment(&body)) {
        // `XNB NSB` in a block of XNB is the chain of both.
        Some(chain) if chain.split('-').next() == Some(publisher.as_str()) => chain,
        _ => publisher,
    }
}

/// The chain of bodies where the metadata states none: that of the designation, else a printed abbreviation.
fn derived_originator(source: &mut IdentitySource<'_, '_>) -> Option<String> {
    if let Some(chain) = source.parts.originator.clone() {
        let message = format!("the publisher is taken from the reference: `{chain}`");
        source.note("originator-worked-out", message);
        return Some(chain);
    }
    let word = printed(source.block)?;
    let message = format!("the publisher is taken from an abbreviation in the text: `{word}`");
    source.note("originator-worked-out", message);
    Some(word)
}

/// A chain of bodies has a body also where it has a series of it: those of CEN and CENELEC.
fn names(chain: &str, body: &str) -> bool {
    let body = match find_publisher(body) {
        Some(known) => known.id.to_owned(),
        None => segment(body),
    };
    if chain == body {
        return true;
    }
    let has_series = matches!(body.as_str(), "cen" | "cenelec");
    chain.split('-').any(|one| one == body || has_series && matches!(one, "en" | "hd" | "env"))
}

/// The abbreviation of the publisher that the document prints. It is the holder of the rights by the table of
/// publishers, in one word, or with its abbreviation (`Widget Board (WB)`); else one in a title.
fn printed(block: XmlNode<'_>) -> Option<String> {
    let Some(holder) = value(block, Name::CopyrightHolder) else { return abbreviation_in_titles(block) };
    let body = match find_publisher(&holder) {
        Some(known) => known.id.to_owned(),
        None if !holder.contains(' ') && holder.len() <= 12 => segment(&holder),
        None => abbreviation_of_holder(&holder, block)?,
    };
    if body.is_empty() { None } else { Some(body) }
}

fn abbreviation_in_titles(block: XmlNode<'_>) -> Option<String> {
    for node in block.all(Name::TitleWrap).flat_map(|wrap| wrap.descendants()) {
        if let Some((name, rest)) = node.characters().split_once('(')
            && let Some(found) = abbreviation(name, rest)
        {
            return Some(found);
        }
    }
    None
}

/// The abbreviation of the holder of the rights, in its own name or behind that anywhere in the document.
fn abbreviation_of_holder(holder: &str, block: XmlNode<'_>) -> Option<String> {
    if let Some((name, rest)) = holder.split_once('(')
        && let Some(found) = abbreviation(name, rest)
    {
        return Some(found);
    }
    let root = block.ancestors().last().unwrap_or(block);
    for node in root.descendants() {
        if let Some((_, rest)) = node.characters().split_once(holder)
            && let Some(after) = rest.trim_start().strip_prefix('(')
            && let Some(found) = abbreviation(holder, after)
        {
            return Some(found);
        }
    }
    None
}

/// `TRBS` of “Technische Regel für Betriebssicherheit (TRBS)”: capitals whose letters come one after the
/// other in the name. `after` is the text after the bracket.
fn abbreviation(name: &str, after: &str) -> Option<String> {
    let (word, _) = after.split_once(')')?;
    if !(2..=10).contains(&word.len())
        || !word.starts_with(|c: char| c.is_ascii_uppercase())
        || !word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    {
        return None;
    }
    let mut letters = name.chars().flat_map(char::to_uppercase);
    for capital in word.chars().filter(char::is_ascii_uppercase) {
        // This passes over the letters up to the capital, so that the next one is searched after it.
        if !letters.any(|letter| letter == capital) {
            return None;
        }
    }
    Some(word.to_ascii_lowercase())
}

/// A chain of bodies with each of them once: `ISO/ISO/ISO` is `ISO`.
fn without_repeats(body: &str) -> String {
    let mut bodies: Vec<&str> = Vec::new();
    for part in body.split('/').map(str::trim).filter(|p| !p.is_empty()) {
        if !bodies.contains(&part) {
            bodies.push(part);
        }
    }
    bodies.join("/")
}

/// The first body of each layer of an adoption in a chain of bodies, by index: `din-en-iso-iec` has 0, 1 and
/// 2. Bodies of one rank publish together, and so do those that name a higher one last.
pub(super) fn layers(chain: &str) -> Vec<usize> {
    let mut layers = vec![0];
    let mut above = None;
    for (index, body) in chain.split('-').enumerate() {
        let reach = find_publisher(body).map_or(Reach::National, |known| known.reach);
        if above.is_some_and(|above| reach < above) {
            layers.push(index);
        }
        above = Some(reach);
    }
    layers
}

impl Identity {
    /// The documents that the designation names as adopted, outermost first: `DIN EN ISO 9999-1:2008-12`
    /// adopts `EN ISO 9999-1` and `ISO 9999-1`, both without a date.
    pub(in super::super) fn implied_adoptions(&self) -> Vec<String> {
        let Some(reference) = &self.reference else { return Vec::new() };
        let undated = reference.split([':', '+', '(']).next().unwrap_or_default().trim_end();
        let Some(citation) = PartialUrn::from_reference(undated) else { return Vec::new() };
        let Some(chain) = citation.urn.originator() else { return Vec::new() };
        let mut adopted = Vec::new();
        for bodies in layers(chain).into_iter().skip(1) {
            adopted.extend(without_bodies(undated, bodies).map(str::to_owned));
        }
        adopted
    }
}

/// A designation without this number of bodies at its start; `None` where it has no more words.
fn without_bodies(designation: &str, bodies: usize) -> Option<&str> {
    let mut rest = designation;
    for _ in 0..bodies {
        let (_, after) = rest.split_once([' ', '/', '-', '\u{a0}'])?;
        rest = after.trim_start();
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abbreviation_has_the_capitals_of_its_name_in_order() {
        let name = "Technische Regel für Betriebssicherheit ";
        assert_eq!(abbreviation(name, "TRBS) 2020").as_deref(), Some("trbs"));
        for other in ["TRBX)", "BTF)", "Trbs)", "T)", "TRBS", "1TR)"] {
            assert_eq!(abbreviation(name, other), None, "{other}");
        }
    }

    #[test]
    fn a_chain_of_bodies_has_a_layer_for_each_adoption() {
        assert_eq!(layers("din-en-iso-iec"), [0, 1, 2]);
        assert_eq!(layers("iso-iec"), [0]);
        assert_eq!(without_bodies("DIN EN ISO 9999-1", 2), Some("ISO 9999-1"));
        assert_eq!(without_bodies("DIN", 1), None);
    }
}
