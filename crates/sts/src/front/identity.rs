//! Identity: the parts of a document's URN, as stated or worked out from its reference; no fallback in silence.

use norma_model::urn::{UrnParts, segment};
use norma_model::{Lang, PartialUrn, StandardType, Status, Supplement, SupplementKind, Urn};

use super::dates;
use super::stated::{nodes, value, values};
use crate::citation::Cited;
use crate::diagnostic::Flaw;
use crate::names::Name;
use crate::tree::Node;

/// Words for a kind of document and its code in URNs (RFC 5141, `type`).
const TYPES: &[(&str, &str)] = &[
    ("ts", "ts"),
    ("technical-specification", "ts"),
    ("tr", "tr"),
    ("technical-report", "tr"),
    ("pas", "pas"),
    ("publicly-available-specification", "pas"),
    ("guide", "guide"),
    ("iwa", "iwa"),
    ("international-workshop-agreement", "iwa"),
    ("isp", "isp"),
    ("r", "r"),
    ("tta", "tta"),
    ("data", "data"),
    ("cwa", "cwa"),
];
/// Kinds that are standards and have no code.
const STANDARDS: &[&str] = &["is", "st", "standard", "international-standard", "en", "norm"];

/// The parts of one block's identity.
#[derive(Default)]
pub(super) struct Identity {
    pub publisher_as_written: Option<String>,
    publisher: Option<String>,
    originator: Option<String>,
    doc_type: Option<String>,
    pub type_label: Option<String>,
    pub number: Option<String>,
    pub part: Option<String>,
    supplements: Vec<(SupplementKind, String)>,
    pub supplement_year: Option<String>,
    edition: Option<String>,
    pub languages: Vec<Lang>,
    /// Stage as written: a code or a word.
    pub stage: Option<String>,
    draft: Option<String>,
    withdrawn: bool,
    /// Designation, dated where there is a dated one.
    pub reference: Option<String>,
    stated: Vec<String>,
    version: Option<String>,
}

/// What one reference tells.
struct Told {
    text: String,
    parts: Option<UrnParts>,
    year: Option<String>,
    dated: bool,
}

impl Told {
    fn of(text: String) -> Self {
        let citation = PartialUrn::from_reference(&text);
        let year = citation.as_ref().and_then(|c| c.year.clone()).or_else(|| trailing_year(&text));
        let dated = year.is_some() || citation.as_ref().is_some_and(|c| c.dated);
        Self { parts: citation.map(|c| c.urn.parts()), year, dated, text }
    }
}

impl Identity {
    /// Reads a block. `adopts`: the reference's chain of bodies names the document.
    pub(super) fn read(
        block: Node<'_>,
        adopts: bool,
        detected: Option<&Lang>,
        flaws: &mut Vec<Flaw>,
    ) -> Self {
        let at = block.range().start;
        let mut note = |code, message: String| flaws.push(Flaw { code, at, message });
        let told = reference(block);
        let parts = told.as_ref().and_then(|t| t.parts.clone()).unwrap_or_default();
        let mut identity = Self {
            reference: told.as_ref().map(|t| t.text.trim_end_matches([':', ' ']).to_owned()),
            type_label: value(block, Name::DocType),
            version: value(block, Name::Version),
            ..Self::default()
        };

        // who
        let body = values(block, Name::Originator)
            .chain(values(block, Name::Sdo))
            .chain(values(block, Name::StdOrgAbbrev))
            .chain(values(block, Name::StdOrgName))
            .map(|body| without_repeats(&body))
            .next();
        let holder = block.attr("originator").map(|o| o.trim().to_owned());
        let chain = parts.originator.clone().filter(|_| !parts.publisher.is_empty());
        identity.publisher_as_written = holder.clone().or_else(|| body.clone());
        identity.originator = match (&body, &chain) {
            (_, Some(chain)) if adopts && chain.contains('-') => Some(chain.clone()),
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
        identity.publisher = match (&holder, &body) {
            (Some(holder), _) => Some(segment(holder)),
            (None, Some(body)) => body.split(['/', ' ']).next().map(segment),
            (None, None) => match &chain {
                Some(_) => Some(parts.publisher.clone()),
                None => identity.originator.clone(),
            },
        };
        if identity.publisher_as_written.is_none() {
            identity.publisher_as_written = value(block, Name::CopyrightHolder)
                .filter(|_| chain.is_none())
                .or_else(|| identity.originator.as_ref().map(|o| o.to_uppercase().replace('-', "/")));
        }
        identity.publisher = identity.publisher.or_else(|| identity.originator.as_ref().map(first));

        // what
        let label = identity.type_label.as_deref().map(segment).unwrap_or_default();
        identity.doc_type = match TYPES.iter().find(|(word, _)| *word == label) {
            Some((_, code)) => Some((*code).to_owned()),
            None if STANDARDS.contains(&label.as_str()) => None,
            None => parts.doc_type.clone(),
        };
        identity.read_number(block, told.as_ref(), &parts, &mut note);
        identity.read_supplement(block, told.as_ref(), &parts, &mut note);
        identity.read_stage(block, &parts);

        // when, in which language
        identity.edition = value(block, Name::Edition).map(|e| edition(&e));
        if identity.edition.is_none() {
            identity.edition = date_for_edition(block, told.as_ref()).map(|(date, from)| {
                note(
                    "edition-worked-out",
                    format!("`edition` is empty; the date of {from} stands in: {date}"),
                );
                date
            });
        }
        identity.read_languages(block, detected, &mut note);
        identity.stated = values(block, Name::Urn).chain(values(block, Name::StdId)).collect();
        identity
    }

    fn read_number(
        &mut self,
        block: Node<'_>,
        told: Option<&Told>,
        parts: &UrnParts,
        note: &mut impl FnMut(&'static str, String),
    ) {
        self.part = value(block, Name::PartNumber).map(|p| p.trim_start_matches(['-', ' ']).to_owned());
        for sub in values(block, Name::SubPartNumber) {
            self.part = Some(self.part.take().map_or(sub.clone(), |part| format!("{part}-{sub}")));
        }
        let stated = value(block, Name::DocNumber).map(|n| without_type(&n, self.doc_type.as_deref()));
        self.number = match stated {
            Some(number) => Some(match &self.part {
                Some(part) => number.strip_suffix(&format!("-{part}")).unwrap_or(&number).to_owned(),
                None => number,
            }),
            None => {
                let found = (!parts.number.is_empty()).then(|| parts.number.clone());
                let from_project = || {
                    let project = PartialUrn::from_reference(&value(block, Name::ProjId)?)?;
                    Some(project.urn.parts().number)
                };
                let bare = || bare_number(&told?.text, self.publisher_as_written.as_deref());
                let number = found.or_else(from_project).or_else(bare);
                if let Some(number) = &number {
                    note(
                        "number-worked-out",
                        format!("`doc-number` is empty; the reference says `{number}`"),
                    );
                }
                number
            }
        };
        let Some(number) = self.number.clone() else { return };
        if self.part.is_none() && parts.part.is_some() {
            let whole = format!("{}-{}", parts.number, parts.part.as_deref().unwrap_or_default());
            let agrees = segment(&number) == segment(&parts.number) || segment(&number) == segment(&whole);
            if agrees {
                self.part.clone_from(&parts.part);
                self.number =
                    Some(if segment(&number) == segment(&whole) { parts.number.clone() } else { number });
                if let Some(part) = &self.part {
                    note("part-worked-out", format!("`part-number` is empty; the reference says `{part}`"));
                }
            }
        }
    }

    fn read_supplement(
        &mut self,
        block: Node<'_>,
        told: Option<&Told>,
        parts: &UrnParts,
        note: &mut impl FnMut(&'static str, String),
    ) {
        let stated = value(block, Name::SupplType).zip(value(block, Name::SupplNumber));
        match stated.and_then(|(kind, number)| Some((supplement_kind(&kind)?, number))) {
            Some(supplement) => self.supplements = vec![supplement],
            None if !parts.supplements.is_empty() => {
                self.supplements.clone_from(&parts.supplements);
                note(
                    "supplement-worked-out",
                    "`suppl-type` is empty; the reference names the supplement".to_owned(),
                );
            }
            None => {}
        }
        if !self.supplements.is_empty() {
            self.supplement_year = told.and_then(|t| t.year.clone());
        }
    }

    fn read_stage(&mut self, block: Node<'_>, parts: &UrnParts) {
        let custom = |wanted: &'static str| -> Vec<String> { custom(block, wanted).collect() };
        let code = |wanted| {
            custom(wanted).into_iter().find(|w| w.len() == 2 && w.bytes().all(|b| b.is_ascii_digit()))
        };
        let stage = code("stage").map(|stage| (stage, code("substage").unwrap_or_else(|| "00".to_owned())));
        let release = value(block, Name::ReleaseVersion);
        let words = || custom("stage").into_iter().next();
        match &stage {
            Some((stage, substage)) => {
                self.stage = Some(format!("{stage}.{substage}"));
                if stage.as_str() < "60" {
                    self.draft = Some(format!("stage-{stage}.{substage}"));
                }
                self.withdrawn = stage == "95" && substage == "99";
            }
            None => {
                self.stage = release.clone().or_else(words);
                if self.stage.as_deref().is_some_and(is_draft) {
                    self.draft = Some("draft".to_owned());
                }
            }
        }
        if stage.is_none() && self.draft.is_none() && parts.stage.is_some() {
            self.draft = Some("draft".to_owned());
        }
    }

    fn read_languages(
        &mut self,
        block: Node<'_>,
        detected: Option<&Lang>,
        note: &mut impl FnMut(&'static str, String),
    ) {
        let mut stated: Vec<String> = values(block, Name::ContentLanguage).collect();
        if stated.is_empty() {
            stated = values(block, Name::Language).collect();
        }
        for text in stated {
            for code in codes(&text) {
                match code.parse::<Lang>() {
                    Ok(language) if self.languages.contains(&language) => {}
                    Ok(language) => self.languages.push(language),
                    Err(error) => note("invalid-language", error.to_string()),
                }
            }
        }
        if !self.languages.is_empty() {
            return;
        }
        let attribute = block.ancestors().find_map(|n| n.attr("lang")?.parse().ok());
        let (language, from) = match (attribute, detected) {
            (Some(language), _) => (language, "an attribute says"),
            (None, Some(language)) => (language.clone(), "the text is in"),
            (None, None) => (Lang::en(), "English is taken as"),
        };
        note("language-worked-out", format!("`content-language` is empty; {from} `{language}`"));
        self.languages.push(language);
    }

    /// The parts that are known, as far as they make a URN.
    pub(super) fn partial(&self) -> Option<PartialUrn> {
        PartialUrn::new(UrnParts { languages: Vec::new(), ..self.parts().ok()? }).ok()
    }

    fn parts(&self) -> Result<UrnParts, &'static str> {
        let originator = self.originator.clone().filter(|o| !o.is_empty());
        Ok(UrnParts {
            publisher: self.publisher.clone().ok_or("no publisher (`std-ident/originator`)")?,
            originator: Some(originator.ok_or("no publisher (`std-ident/originator`)")?),
            doc_type: self.doc_type.clone(),
            number: segment(self.number.as_deref().ok_or("no number (`std-ident/doc-number`, `std-ref`)")?),
            part: self.part.as_deref().map(segment),
            stage: self.draft.clone(),
            supplements: self.supplements.iter().map(|(kind, number)| (*kind, segment(number))).collect(),
            edition: self.edition.as_deref().map(segment),
            languages: self.languages.clone(),
        })
    }

    /// The URN: the one the source states, where that is a whole canonical one, else the one of its parts.
    pub(super) fn urn(&self, block: Node<'_>, flaws: &mut Vec<Flaw>) -> Result<Urn, Flaw> {
        let at = block.range().start;
        let refuse = |code, message| Flaw { code, at, message };
        let stated = self.stated.iter().find_map(|text| text.parse::<Urn>().ok());
        let built = match self.parts() {
            Ok(parts) if parts.edition.is_none() => Err(refuse(
                "no-identity",
                "the metadata names no edition (`std-ident/edition`) and no date".to_owned(),
            )),
            Ok(parts) => Urn::new(parts)
                .map_err(|e| refuse("invalid-identity", format!("the metadata makes no URN: {e}"))),
            Err(lack) => Err(refuse("no-identity", format!("the metadata names {lack}"))),
        };
        match (stated, built) {
            (Some(stated), Ok(built)) => {
                if stated != built && stated.originator().is_some() {
                    let message = format!("the stated URN is {stated}, the other metadata makes {built}");
                    flaws.push(Flaw { code: "stated-urn-differs", at, message });
                }
                Ok(stated)
            }
            (Some(stated), Err(_)) => Ok(stated),
            (None, built) => built,
        }
    }

    /// Other names of the document: those the source states, and the one with its version (RFC 5141).
    pub(super) fn identifiers(&self, urn: &Urn) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let version =
            self.version.as_deref().filter(|v| v.len() < 3 && v.bytes().all(|b| b.is_ascii_digit()));
        let versioned = version.map(|v| {
            let languages: Vec<String> = urn.languages().iter().map(Lang::to_string).collect();
            format!("{}:ed-{}:v{v}:{}", urn.stem(), urn.edition(), languages.join(","))
        });
        for name in self.stated.iter().cloned().chain(versioned) {
            if name != urn.as_str() && !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }

    /// The document that a supplement changes.
    pub(super) fn amended(&self) -> Option<Cited> {
        if self.supplements.is_empty() {
            return None;
        }
        let base = self.reference.as_deref()?.split('/').collect::<Vec<_>>();
        let base = base[..base.len().saturating_sub(self.supplements.len()).max(1)].join("/");
        let parts = UrnParts { supplements: Vec::new(), stage: None, ..self.parts().ok()? };
        let urn = PartialUrn::new(UrnParts { edition: None, languages: Vec::new(), ..parts }).ok();
        let cited = Cited::read(base, None);
        Some(Cited { urn: cited.urn.clone().or(urn), ..cited })
    }

    pub(super) fn status(&self) -> Status {
        if self.withdrawn {
            Status::Withdrawn
        } else if self.draft.is_some() {
            Status::Draft
        } else {
            Status::Published
        }
    }

    pub(super) fn standard_type(&self, supplement: &Option<Supplement>) -> StandardType {
        let label = self.type_label.as_deref().map(segment).unwrap_or_default();
        match self.doc_type.as_deref() {
            Some(code) => standard_type(code, supplement),
            None if label.is_empty() || STANDARDS.contains(&label.as_str()) => {
                standard_type("is", supplement)
            }
            None => standard_type(&label, supplement),
        }
    }
}

/// The kind of document by its code.
pub(super) fn standard_type(code: &str, supplement: &Option<Supplement>) -> StandardType {
    match supplement.as_ref().map(|s| s.kind) {
        Some(SupplementKind::Amendment) => return StandardType::Amendment,
        Some(SupplementKind::Corrigendum) => return StandardType::Corrigendum,
        Some(SupplementKind::Addendum) => return StandardType::Other,
        None => {}
    }
    match code {
        "is" | "" => StandardType::Is,
        "ts" => StandardType::Ts,
        "tr" => StandardType::Tr,
        "pas" => StandardType::Pas,
        "iwa" => StandardType::Iwa,
        "guide" => StandardType::Guide,
        "amendment" | "amd" => StandardType::Amendment,
        "corrigendum" | "cor" => StandardType::Corrigendum,
        _ => StandardType::Other,
    }
}

/// The block's own designation: a dated one where there is one, whatever its `type` says.
fn reference(block: Node<'_>) -> Option<Told> {
    let named = ["urn", "reference", "identifier", "std-ref", "designation", "docidentifier"];
    let custom = named.into_iter().flat_map(|name| custom(block, name));
    let mut first = None;
    let own = values(block, Name::StdRef)
        .chain(values(block, Name::StdDesignation))
        .chain(values(block, Name::DocRef));
    for text in own.chain(custom.filter(|c| PartialUrn::from_reference(c).is_some())) {
        let told = Told::of(text);
        if told.dated {
            return Some(told);
        }
        first = first.or(Some(told));
    }
    first
}

/// Values of own metadata of that name.
fn custom<'t>(block: Node<'t>, wanted: &'t str) -> impl Iterator<Item = String> + 't {
    block.all(Name::CustomMeta).filter_map(move |n| {
        let name = n.child(Name::MetaName)?.words()?;
        name.eq_ignore_ascii_case(wanted).then(|| n.child(Name::MetaValue)?.words())?
    })
}

/// Year or year and month at the end of a designation, behind a colon.
fn trailing_year(text: &str) -> Option<String> {
    let (_, tail) = text.rsplit_once(':')?;
    let tail = tail.trim().split(['(', ' ']).next()?.trim();
    tail.parse::<norma_model::PartialDate>().is_ok().then(|| tail.to_owned())
}

/// A date that stands in for the edition, and what it is the date of.
fn date_for_edition(block: Node<'_>, told: Option<&Told>) -> Option<(String, &'static str)> {
    let dated = told.and_then(|t| t.year.clone()).map(|year| (year, "the dated reference"));
    let of = |name, from: &'static str| {
        nodes(block, name)
            .filter_map(dates::text)
            .find(|d| d.parse::<norma_model::PartialDate>().is_ok())
            .map(|d| (d, from))
    };
    dated
        .or_else(|| of(Name::ReleaseDate, "`release-date`"))
        .or_else(|| of(Name::PubDate, "`pub-date`"))
        .or_else(|| of(Name::MetaDate, "`meta-date`"))
        .or_else(|| of(Name::CopyrightYear, "`copyright-year`"))
}

/// An edition as the URN counts it: `2nd edition` is `2`.
fn edition(text: &str) -> String {
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower.trim_start_matches("edition").trim_start_matches("ed.").trim_start_matches("ed").trim();
    let digits: String = bare.chars().take_while(char::is_ascii_digit).collect();
    let tail = bare[digits.len()..].trim();
    let ordinal =
        ["st", "nd", "rd", "th", "st edition", "nd edition", "rd edition", "th edition", "edition", "e", "."];
    if !digits.is_empty() && ordinal.contains(&tail) { digits } else { text.trim().to_owned() }
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

/// `IWA 30` of type `iwa` is number `30`.
fn without_type(number: &str, doc_type: Option<&str>) -> String {
    let rest = doc_type.and_then(|code| {
        let head = number.get(..code.len()).filter(|head| head.eq_ignore_ascii_case(code))?;
        number[head.len()..].strip_prefix([' ', '-', '\u{a0}'])
    });
    rest.unwrap_or(number).trim().to_owned()
}

/// What a designation says behind its publisher and before its date.
fn bare_number(reference: &str, publisher: Option<&str>) -> Option<String> {
    let rest = publisher.and_then(|p| reference.strip_prefix(p)).unwrap_or(reference);
    let number = rest.trim_matches([' ', ':', '/', '\u{a0}']).split(':').next()?.trim();
    number.chars().any(char::is_alphanumeric).then(|| number.to_owned())
}

fn supplement_kind(text: &str) -> Option<SupplementKind> {
    let lower = text.trim().to_ascii_lowercase();
    match lower.get(..3)? {
        "amd" | "ame" => Some(SupplementKind::Amendment),
        "cor" => Some(SupplementKind::Corrigendum),
        "add" => Some(SupplementKind::Addendum),
        _ => None,
    }
}

fn is_draft(stage: &str) -> bool {
    let stage = stage.trim().to_ascii_lowercase();
    let words = [
        "wd", "cd", "cdv", "dis", "fdis", "draft", "pwi", "np", "awi", "dts", "dtr", "dpas", "fdts", "fdtr",
        "fdpas", "fdguide", "prf", "pren", "fpren",
    ];
    words.contains(&stage.as_str()) || stage.contains("draft")
}

/// Language codes of one text: a list, or codes of two letters run together.
fn codes(text: &str) -> Vec<String> {
    let all = text.split([',', ';', ' ', '/']).map(str::trim).filter(|c| !c.is_empty());
    all.flat_map(|code| {
        let run_together =
            code.len() > 3 && code.len().is_multiple_of(2) && code.bytes().all(|b| b.is_ascii_lowercase());
        if run_together {
            code.as_bytes().chunks(2).map(|c| String::from_utf8_lossy(c).into_owned()).collect()
        } else {
            vec![code.to_owned()]
        }
    })
    .collect()
}
