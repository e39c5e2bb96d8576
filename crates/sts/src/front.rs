//! Metadata of the document.

mod dates;
mod fields;
mod identity;
mod titles;

use norma_model::{Adoption, Ics, Lang, Metadata, PartialUrn, RelationKind, Status, Supplement, Urn};

use norma_provisions::blocks::Cited;

use crate::diagnostic::{Diagnostics, RawDiagnostic};
use crate::document::citation;
use crate::document::language::agree;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use identity::Identity;

pub(crate) use fields::value;

/// Metadata of the document, read from its front matter.
pub(crate) struct Front {
    pub urn: Urn,
    pub metadata: Metadata,
    pub status: Status,
    pub ics: Vec<Ics>,
    /// Relations that the metadata states, with the byte where.
    pub relations: Vec<(RelationKind, Cited)>,
}

/// Reads the metadata: the outermost publisher's block names the document, the others the documents that it
/// adopts.
pub(crate) fn read(
    root: XmlNode<'_>,
    blocks: &[XmlNode<'_>],
    requested_urn: Option<&Urn>,
    detected: &[Lang],
    diagnostics: &mut Diagnostics,
) -> Result<Front, RawDiagnostic> {
    let own = blocks.iter().copied().filter(|n| n.name().is_meta_block() && !in_sub_part(*n));
    let (completing, mut blocks): (Vec<XmlNode<'_>>, Vec<XmlNode<'_>>) =
        own.partition(|n| fields::completes_another(*n));
    blocks.sort_by_key(|n| rank(*n));
    let Some(&owner) = blocks.first() else {
        return match requested_urn {
            Some(urn) => Ok(without_metadata(urn)),
            None => Err(RawDiagnostic {
                code: "no-identity",
                at: root.range().start,
                message: "the document has no metadata (`std-meta`, `std-doc-meta`, `iso-meta`, `reg-meta` or `nat-meta`): give its URN by `--urn`"
                    .to_owned(),
            }),
        };
    };
    let identity = Identity::read(owner, detected, diagnostics);
    let urn = match requested_urn {
        Some(urn) => urn.clone(),
        None => identity.urn(owner, diagnostics)?,
    };
    let declared = requested_urn.map_or_else(|| identity.declared_languages.clone(), languages_of);
    if let Some(message) = language_mismatch(&declared, detected) {
        diagnostics.add("language-mismatch", owner.range().start, message);
    }
    let mut adoption_of: Vec<Adoption> = blocks[1..].iter().filter_map(|block| adoption(*block)).collect();
    if adoption_of.is_empty() {
        adoption_of = identity.implied_adoptions().into_iter().map(adopted).collect();
    }
    blocks.extend(completing);
    let mut relations = fields::relations(&blocks);
    relations.extend(identity.amended().map(|cited| (RelationKind::Amends, cited)));
    relations.extend(adoption_of.iter().map(|adopted| {
        let cited = citation::parse(adopted.reference.clone(), None);
        (RelationKind::Adopts, Cited { urn: adopted.urn.clone().or(cited.urn.clone()), ..cited })
    }));
    let metadata = metadata(owner, &blocks, &identity, &urn, adoption_of, diagnostics);
    let ics = fields::ics(&blocks, diagnostics);
    Ok(Front { status: identity.status(), urn, metadata, ics, relations })
}

/// The difference between the languages of the text and the declared ones.
fn language_mismatch(declared: &[Lang], detected: &[Lang]) -> Option<String> {
    let within = |some: &[Lang], all: &[Lang]| some.iter().all(|a| all.iter().any(|b| agree(a, b)));
    let differ = !declared.is_empty() && !detected.is_empty();
    (differ && !(within(declared, detected) && within(detected, declared))).then(|| {
        format!(
            "the metadata states {}, the text is in {}",
            identity::list(declared),
            identity::list(detected)
        )
    })
}

/// The rank of a publisher, outer ones before inner ones: by adoption, then national, regional,
/// international.
fn rank(block: XmlNode<'_>) -> (usize, u8, usize) {
    let depth = block.ancestors().filter(|n| matches!(n.name(), Name::Adoption | Name::Standard)).count();
    let sort = match block.name() {
        Name::NatMeta => 0,
        Name::RegMeta => 1,
        Name::IsoMeta => 3,
        _ => 2,
    };
    (depth, sort, block.id())
}

fn in_sub_part(block: XmlNode<'_>) -> bool {
    block.ancestors().any(|n| n.name() == Name::SubPart)
}

fn adoption(block: XmlNode<'_>) -> Option<Adoption> {
    let identity = Identity::read(block, &[], &mut Diagnostics::new(0));
    let reference = identity.reference.clone()?;
    let urn = identity.partial().or_else(|| PartialUrn::from_reference(&reference).map(|c| c.urn));
    Some(Adoption { reference, urn })
}

fn adopted(reference: String) -> Adoption {
    let urn = PartialUrn::from_reference(&reference).map(|c| c.urn);
    Adoption { reference, urn }
}

fn metadata(
    owner: XmlNode<'_>,
    blocks: &[XmlNode<'_>],
    identity: &Identity,
    urn: &Urn,
    adoption_of: Vec<Adoption>,
    diagnostics: &mut Diagnostics,
) -> Metadata {
    let languages = main_first(urn, &identity.languages);
    let titles = titles::titles(blocks, &languages[0]);
    if titles.is_empty() {
        diagnostics.add("title-missing", owner.range().start, "the standard has no title");
    }
    let supplement = supplement(urn, identity.supplement_year.clone());
    let publisher = identity.publisher_as_written.clone().unwrap_or_else(|| urn.publisher().to_uppercase());
    let number = identity.number.clone().unwrap_or_else(|| urn.number().to_owned());
    let part = identity.part.clone().or_else(|| urn.part().map(str::to_owned));
    let reference = identity.reference.clone().unwrap_or_else(|| {
        let message = "no `std-ref` is stated; a reference is made from publisher and number";
        diagnostics.add("reference-missing", owner.range().start, message);
        let part = part.as_ref().map(|p| format!("-{p}")).unwrap_or_default();
        format!("{publisher} {number}{part}")
    });
    Metadata {
        reference,
        titles,
        publisher,
        standard_type: identity.standard_type(&supplement),
        type_label: identity.type_label.clone(),
        number,
        part,
        supplement,
        edition: urn.edition().to_owned(),
        version: value(owner, Name::Version),
        stage: identity.stage.clone(),
        languages,
        provision_languages: Vec::new(),
        dates: dates::dates(blocks, diagnostics),
        reference_date: identity.reference_date.clone(),
        committee: value(owner, Name::CommRef)
            .or_else(|| value(owner, Name::StdSponsor))
            .filter(|c| c.chars().any(char::is_alphanumeric)),
        secretariat: value(owner, Name::Secretariat),
        copyright: fields::copyright(owner),
        page_count: fields::page_count(owner),
        // The search for provisions tells it.
        duties_without_verbal_form: false,
        identifiers: identity.identifiers(urn),
        adoption_of,
    }
}

fn supplement(urn: &Urn, year: Option<String>) -> Option<Supplement> {
    let (kind, number) = *urn.supplements().first()?;
    Some(Supplement { kind, number: number.to_owned(), year })
}

/// The languages of a URN, each by the code that the rest of the edition has: a URN that was given may say
/// `eng`.
fn languages_of(urn: &Urn) -> Vec<Lang> {
    urn.languages()
        .into_iter()
        .map(|language| Lang::of_source(language.as_str()).unwrap_or(language))
        .collect()
}

/// The languages of the URN, which are sorted, with the one that the source states first at the front.
fn main_first(urn: &Urn, stated: &[Lang]) -> Vec<Lang> {
    let mut languages = languages_of(urn);
    let stated_index = |language: &Lang| stated.iter().position(|s| s == language).unwrap_or(usize::MAX);
    languages.sort_by_key(stated_index);
    languages
}

fn without_metadata(urn: &Urn) -> Front {
    let part = urn.part().map(|p| format!("-{p}")).unwrap_or_default();
    let publisher = urn.originator().unwrap_or(urn.publisher()).to_uppercase().replace('-', "/");
    let supplement = supplement(urn, None);
    let metadata = Metadata {
        reference: format!("{publisher} {}{part}", urn.number().to_uppercase()),
        titles: Default::default(),
        publisher,
        standard_type: identity::standard_type(urn.doc_type().unwrap_or_default(), &supplement),
        type_label: None,
        number: urn.number().to_owned(),
        part: urn.part().map(str::to_owned),
        supplement,
        edition: urn.edition().to_owned(),
        version: None,
        stage: None,
        languages: languages_of(urn),
        provision_languages: Vec::new(),
        dates: Default::default(),
        reference_date: None,
        committee: None,
        secretariat: None,
        copyright: None,
        page_count: None,
        duties_without_verbal_form: false,
        identifiers: Vec::new(),
        adoption_of: Vec::new(),
    };
    Front { urn: urn.clone(), metadata, status: Status::Published, ics: Vec::new(), relations: Vec::new() }
}
