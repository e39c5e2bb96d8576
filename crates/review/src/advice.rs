//! Sentences of findings: what is right, and what to do.

use norma_api::shapes::{
    CitedPart, CitedPartType, CriticalChangeType, Facet, LocationChange, QuotationChange, QuotationOmission,
    ResolvedCitation, VerifiedQuotation, VerifiedUnit,
};

/// Most changes and omissions that one sentence names.
const MOST_NAMED: usize = 3;
/// Most characters of words that a sentence repeats.
const LONGEST_WORDS: usize = 80;

/// A part of an edition as it is cited: `4.2(1)`, `Table 1`.
pub(crate) fn part_name(kind: CitedPartType, label: Option<&str>, id: &str) -> String {
    let label = label.unwrap_or(id);
    match kind {
        CitedPartType::Table => format!("Table {label}"),
        CitedPartType::Figure => format!("Figure {label}"),
        _ => label.to_owned(),
    }
}

fn name_of(part: &CitedPart<'_>) -> String {
    part_name(part.kind, part.label.as_deref(), &part.id)
}

/// A unit of an edition as it is cited, with its document where that is known.
pub(crate) fn unit_name(unit: &VerifiedUnit<'_>) -> String {
    match &unit.cite {
        Some(cite) => cite.to_string(),
        None => part_name(unit.kind, unit.label.as_deref(), &unit.id),
    }
}

/// Words joined by commas, the last by `and`.
pub(crate) fn joined(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `4.2(1)`, or `4.2(1) and 4.2(2)`, of all units.
pub(crate) fn unit_names(units: &[VerifiedUnit<'_>]) -> String {
    let names: Vec<String> = units.iter().take(MOST_NAMED).map(unit_name).collect();
    joined(&names)
}

/// What to cite in place of a superseded edition.
pub(crate) fn superseded(answer: &ResolvedCitation<'_>) -> String {
    let reference = answer.reference.as_deref().unwrap_or("the edition");
    let mut replaced_by: Vec<String> =
        answer.superseded_by.iter().map(|edition| edition.reference.to_string()).collect();
    replaced_by.dedup();
    let Some(latest) = answer.latest.as_ref().map(|latest| latest.reference.to_string()) else {
        if replaced_by.is_empty() {
            return format!("{reference} is superseded: cite the edition in force.");
        }
        return format!("{} replaced {reference}: cite that.", joined(&replaced_by));
    };
    if replaced_by.is_empty() {
        replaced_by.push(latest.clone());
    }
    let mut sentence = format!("{} replaced {reference}", joined(&replaced_by));
    let fates: Vec<String> = answer.locations.iter().filter_map(fate_of).collect();
    if fates.is_empty() {
        return sentence + ": cite that.";
    }
    sentence += &format!("; in {latest} {}: cite that.", joined(&fates));
    sentence
}

/// What became of a part: `4.2 is 4.3`.
fn fate_of(part: &CitedPart<'_>) -> Option<String> {
    let name = name_of(part);
    let fate = part.in_latest.as_ref()?;
    let new_name = fate.label.as_deref().map(|label| part_name(part.kind, Some(label), ""));
    let has_new_name = new_name.as_ref().is_some_and(|new| *new != name);
    let new_name = new_name.unwrap_or_default();
    Some(match fate.change {
        LocationChange::Same => format!("{name} is the same"),
        LocationChange::Moved if has_new_name => format!("{name} is {new_name}"),
        LocationChange::Moved => format!("{name} is at another place"),
        LocationChange::Changed => {
            let what = changed_facets(&fate.changed);
            let words = format!("reads otherwise{what}");
            if has_new_name { format!("{name} is {new_name} and {words}") } else { format!("{name} {words}") }
        }
        LocationChange::Gone => format!("{name} does not exist"),
        LocationChange::Unknown | LocationChange::Unrecognized => return None,
    })
}

/// The kinds of change in brackets.
fn changed_facets(facets: &[Facet]) -> String {
    let words: Vec<String> = facets
        .iter()
        .filter(|facet| **facet != Facet::Moved)
        .map(|facet| facet.as_str().to_owned())
        .collect();
    if words.is_empty() { String::new() } else { format!(" ({})", joined(&words)) }
}

/// What is there where a cited place is not.
pub(crate) fn location_unknown(answer: &ResolvedCitation<'_>, location: &str, quoted_in: &str) -> String {
    let reference = answer.reference.as_deref().unwrap_or("The edition");
    let sentence = format!("{reference} does not have {location}");
    if !quoted_in.is_empty() {
        return format!("{sentence}: the quoted words are in {quoted_in}.");
    }
    let nearest: Vec<String> = answer.nearest.iter().take(MOST_NAMED).map(nearest_name).collect();
    if nearest.is_empty() {
        return sentence + ".";
    }
    format!("{sentence}: the nearest are {}.", joined(&nearest))
}

fn nearest_name(part: &CitedPart<'_>) -> String {
    match &part.title {
        Some(title) => format!("{} ({title})", name_of(part)),
        None => name_of(part),
    }
}

/// What differs in a quotation: the changes that matter first.
pub(crate) fn altered(item: &VerifiedQuotation<'_>) -> String {
    let mut differences = Vec::new();
    let matters = item.changes.iter().filter(|change| change.critical.is_some());
    let others = item.changes.iter().filter(|change| change.critical.is_none());
    let has_matters = item.changes.iter().any(|change| change.critical.is_some());
    for change in matters {
        differences.push(change_in_words(change));
    }
    if !has_matters {
        for change in others {
            differences.push(change_in_words(change));
        }
    }
    differences.extend(critical_omissions(&item.omissions));
    let count = differences.len();
    differences.truncate(MOST_NAMED);
    if count > MOST_NAMED {
        differences.push(format!("{} more", count - MOST_NAMED));
    }
    let source = source(item);
    if differences.is_empty() {
        return format!("{source} reads otherwise: quote it as it is.");
    }
    format!("{source} reads otherwise: {}; quote it as it is.", joined(&differences))
}

/// One change in words: `it is “8”, not “5”`.
fn change_in_words(change: &QuotationChange<'_>) -> String {
    let quoted = shortened(&change.quoted);
    let actual = shortened(&change.actual);
    let subject = match change.critical {
        Some(CriticalChangeType::Number) => "the number",
        Some(CriticalChangeType::Unit) => "the unit",
        Some(CriticalChangeType::Verb) => "the verb",
        Some(CriticalChangeType::Comparator) => "the comparison",
        Some(CriticalChangeType::Reference) => "the reference",
        _ => "it",
    };
    if quoted.is_empty() {
        return format!("“{actual}” is missing");
    }
    if actual.is_empty() {
        return format!("it does not have “{quoted}”");
    }
    format!("{subject} is “{actual}”, not “{quoted}”")
}

/// What a quotation leaves out and may not.
pub(crate) fn partial(item: &VerifiedQuotation<'_>) -> String {
    let omissions = critical_omissions(&item.omissions);
    format!("{}: {}; quote the whole sentence.", source(item), joined(&omissions))
}

fn critical_omissions(omissions: &[QuotationOmission<'_>]) -> Vec<String> {
    let critical = omissions.iter().filter(|omission| !omission.critical.is_empty());
    critical
        .take(MOST_NAMED)
        .map(|omission| {
            let kinds: Vec<String> = omission.critical.iter().map(|kind| kind.as_str().to_owned()).collect();
            format!("the quotation leaves out “{}” ({})", shortened(&omission.text), joined(&kinds))
        })
        .collect()
}

/// Where the words of another edition are from, and what the cited one has.
pub(crate) fn other_edition(item: &VerifiedQuotation<'_>) -> String {
    let mut sentence = match &item.found_in {
        Some(found) => {
            let units = unit_names(&found.units);
            let source = if units.is_empty() { found.edition.reference.to_string() } else { units };
            format!("These are words of {source}, not of {}", reference(item))
        }
        None => format!("These are words of another edition than {}", reference(item)),
    };
    let changes: Vec<String> = item
        .changes
        .iter()
        .filter(|change| change.critical.is_some())
        .take(MOST_NAMED)
        .map(change_in_words)
        .collect();
    if !changes.is_empty() {
        sentence += &format!(": in {} {}", source(item), joined(&changes));
    }
    sentence + "; cite that edition, or quote this one."
}

/// The units that a quotation is compared with, else their edition.
fn source(item: &VerifiedQuotation<'_>) -> String {
    let units = unit_names(&item.units);
    if units.is_empty() { reference(item).to_owned() } else { units }
}

pub(crate) fn reference<'a>(item: &'a VerifiedQuotation<'_>) -> &'a str {
    item.reference.as_deref().unwrap_or("the cited standard")
}

/// Words with single spaces, cut where they are long.
fn shortened(words: &str) -> String {
    let plain = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if plain.chars().count() <= LONGEST_WORDS {
        return plain;
    }
    let cut: String = plain.chars().take(LONGEST_WORDS).collect();
    format!("{}…", cut.trim_end())
}
