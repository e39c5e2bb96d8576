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
    let DocumentBlocks { mut naming, completing } = DocumentBlocks::new(blocks);
    let Some(&owner) = naming.first() else {
        return match requested_urn {
            Some(urn) => Ok(without_metadata(urn)),
            None => Err(no_identity(root)),
        };
    };
    let identity = Identity::read(owner, detected, diagnostics);
    let urn = match requested_urn {
        Some(urn) => urn.clone(),
        None => identity.urn(owner, diagnostics)?,
    };
    let declared = match requested_urn {
        Some(urn) => languages_of(urn),
        None => identity.declared_languages.clone(),
    };
    if let Some(message) = language_mismatch(&declared, detected) {
        diagnostics.add("language-mismatch", owner.range().start, message);
    }
    let mut adoption_of: Vec<Adoption> = naming[1..].iter().filter_map(|block| adoption(*block)).collect();
    if adoption_of.is_empty() {
        adoption_of = identity.implied_adoptions().into_iter().map(adopted).collect();
    }
    naming.extend(completing);
    let blocks = naming;
    let mut relations = fields::relations(owner, &blocks);
    if let Some(amended) = identity.amended() {
        relations.push((RelationKind::Amends, amended));
    }
    for document in &adoption_of {
        let mut cited = citation::parse(document.reference.clone(), None);
        if document.urn.is_some() {
            cited.urn.clone_from(&document.urn);
        }
        relations.push((RelationKind::Adopts, cited));
    }
    let metadata = metadata(owner, &blocks, &identity, &urn, adoption_of, diagnostics);
    let ics = fields::ics(&blocks, diagnostics);
    Ok(Front { status: identity.status(), urn, metadata, ics, relations })
}

/// The blocks of metadata of a document, without those of the parts of a collection.
struct DocumentBlocks<'t> {
    /// Those that identify a document, the outermost publisher's first.
    naming: Vec<XmlNode<'t>>,
    /// Those that complete a block next to them.
    completing: Vec<XmlNode<'t>>,
}

impl<'t> DocumentBlocks<'t> {
    fn new(blocks: &[XmlNode<'t>]) -> Self {
        let mut sorted = Self { naming: Vec::new(), completing: Vec::new() };
        for &block in blocks {
            if !block.name().is_meta_block() || in_sub_part(block) {
                continue;
            }
            if fields::completes_another(block) {
                sorted.completing.push(block);
            } else {
                sorted.naming.push(block);
            }
        }
        sorted.naming.sort_by_key(|block| rank(*block));
        sorted
    }
}

fn no_identity(root: XmlNode<'_>) -> RawDiagnostic {
    let message = "the document has no metadata (`std-meta`, `std-doc-meta`, `iso-meta`, `reg-meta` or `nat-meta`): give its URN by `--urn`";
    RawDiagnostic { code: "no-identity", at: root.range().start, message: message.to_owned() }
}

/// The difference between the languages of the text and the declared ones; `None` where they agree or where
/// one of these is not known.
fn language_mismatch(declared: &[Lang], detected: &[Lang]) -> Option<String> {
    if declared.is_empty() || detected.is_empty() {
        return None;
    }
    if all_agree_with_one(declared, detected) && all_agree_with_one(detected, declared) {
        return None;
    }
    let (declared, detected) = (identity::list(declared), identity::list(detected));
    Some(format!("the metadata states {declared}, the text is in {detected}"))
}

/// Each of some languages agrees with one of the others.
fn all_agree_with_one(some: &[Lang], others: &[Lang]) -> bool {
    some.iter().all(|language| others.iter().any(|other| agree(language, other)))
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

/// The document that an inner block of metadata names; its diagnostics are those of another document.
fn adoption(block: XmlNode<'_>) -> Option<Adoption> {
    let identity = Identity::read(block, &[], &mut Diagnostics::new(0));
    let reference = identity.reference.clone()?;
    match identity.partial() {
        Some(urn) => Some(Adoption { reference, urn: Some(urn) }),
        None => Some(adopted(reference)),
    }
}

fn adopted(reference: String) -> Adoption {
    let urn = PartialUrn::from_reference(&reference).map(|citation| citation.urn);
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
    let reference = match &identity.reference {
        Some(reference) => reference.clone(),
        None => {
            let message = "no `std-ref` is stated; a reference is made from publisher and number";
            diagnostics.add("reference-missing", owner.range().start, message);
            match &part {
                Some(part) => format!("{publisher} {number}-{part}"),
                None => format!("{publisher} {number}"),
            }
        }
    };
    let committee = value(owner, Name::CommRef).or_else(|| value(owner, Name::StdSponsor));
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
        committee,
        secretariat: value(owner, Name::Secretariat),
        copyright: fields::copyright(owner),
        page_count: fields::page_count(owner),
        // Set after the search for provisions.
        duties_without_verbal_form: false,
        identifiers: identity.identifiers(urn),
        adoption_of,
    }
}

/// The supplement that a URN names first, as the supplement of the document.
fn supplement(urn: &Urn, year: Option<String>) -> Option<Supplement> {
    let (kind, number) = *urn.supplements().first()?;
    Some(Supplement { kind, number: number.to_owned(), year })
}

/// The languages of a URN, each by the code that the rest of the edition has: a URN that was given may say
/// `eng`.
fn languages_of(urn: &Urn) -> Vec<Lang> {
    let mut languages = Vec::new();
    for language in urn.languages() {
        languages.push(Lang::of_source(language.as_str()).unwrap_or(language));
    }
    languages
}

/// The languages of the URN, which are sorted, with the one that the source states first at the front.
fn main_first(urn: &Urn, stated: &[Lang]) -> Vec<Lang> {
    let mut languages = languages_of(urn);
    languages
        .sort_by_key(|language| stated.iter().position(|stated| stated == language).unwrap_or(usize::MAX));
    languages
}

/// Metadata of a document that has none: what its URN says.
fn without_metadata(urn: &Urn) -> Front {
    let part = urn.part().map(|part| format!("-{part}")).unwrap_or_default();
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
