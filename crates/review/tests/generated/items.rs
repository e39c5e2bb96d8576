//! Items of documents: paragraphs with right citations, planted errors, or nothing about a standard.

use norma_review::ReviewRule;

use crate::random::Random;
use crate::service::{SampleEdition, SampleService};

/// A paragraph, before it is written in a format. Words between `\u{1}` and `\u{2}` are bold.
#[derive(Clone, Debug)]
pub(crate) enum Paragraph {
    Text(String),
    Quote { intro: String, text: String, attribution: String },
    Row(Vec<String>),
}

/// A paragraph with the rules of which one has to find something in it.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) paragraph: Paragraph,
    pub(crate) truth: Truth,
}

/// What is true of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    Noise,
    Right,
    Superseded,
    LocationUnknown,
    EditionUnknown,
    Altered,
    Partial,
    OtherLocation,
    Absent,
    OtherEdition,
}

impl Truth {
    /// The rules that may find it.
    pub(crate) fn rules(self) -> &'static [ReviewRule] {
        match self {
            Self::Noise | Self::Right => &[],
            Self::Superseded => &[ReviewRule::SupersededEdition],
            Self::LocationUnknown => &[ReviewRule::LocationUnknown],
            Self::EditionUnknown => &[ReviewRule::EditionUnknown],
            Self::Altered => &[ReviewRule::AlteredQuotation, ReviewRule::OtherEdition],
            // Another edition may have the sentence without the words that are left out.
            Self::Partial => &[ReviewRule::PartialQuotation, ReviewRule::OtherEdition],
            Self::OtherLocation => &[ReviewRule::OtherLocation],
            Self::Absent => &[ReviewRule::AbsentQuotation, ReviewRule::AlteredQuotation],
            Self::OtherEdition => &[ReviewRule::OtherEdition, ReviewRule::AlteredQuotation],
        }
    }

    pub(crate) fn is_error(self) -> bool {
        !self.rules().is_empty()
    }
}

/// The classes of errors, in the order in which documents get them.
pub(crate) const ERRORS: [Truth; 8] = [
    Truth::Superseded,
    Truth::LocationUnknown,
    Truth::Altered,
    Truth::EditionUnknown,
    Truth::OtherLocation,
    Truth::Altered,
    Truth::Partial,
    Truth::Absent,
];

/// A line of a file of templates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Template {
    language: &'static str,
    kind: &'static str,
    text: &'static str,
}

pub(crate) fn templates(file: &'static str) -> Vec<Template> {
    let lines = file.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let template = |line: &'static str| {
        let mut fields = line.splitn(3, " | ");
        let mut next = || fields.next().unwrap();
        Template { language: next(), kind: next(), text: next() }
    };
    lines.map(template).collect()
}

/// What an item cites.
struct Citing<'s> {
    /// The designation as it is cited, with a date.
    document: String,
    /// Whether the citation may be without date.
    may_be_undated: bool,
    location: String,
    /// The words that are quoted; `None` in an item without quotation.
    quotation: Option<String>,
    language: &'s str,
}

/// Makes items of one language.
pub(crate) struct ItemMaker<'s> {
    pub(crate) service: &'s SampleService,
    pub(crate) templates: &'s [Template],
    pub(crate) language: &'static str,
}

impl<'s> ItemMaker<'s> {
    pub(crate) fn item(&self, random: &mut Random, truth: Truth) -> Item {
        for _ in 0..200 {
            if let Some(paragraph) = self.paragraph(random, truth) {
                return Item { paragraph, truth };
            }
        }
        panic!("no material for {truth:?} in {}", self.language);
    }

    fn paragraph(&self, random: &mut Random, truth: Truth) -> Option<Paragraph> {
        let edition = self.edition(random);
        let (label, text) = pick(random, &usable(edition))?;
        let clause = label.split('(').next().unwrap().to_owned();
        let location = if random.percent(40) { label.clone() } else { clause.clone() };
        let mut citing = Citing {
            document: edition.reference.clone(),
            may_be_undated: true,
            location,
            quotation: None,
            language: self.language,
        };
        let mut has_quotation = random.percent(55);
        match truth {
            Truth::Noise | Truth::Right => {}
            Truth::Superseded => return self.superseded(random),
            Truth::LocationUnknown => {
                let number = format!("{}.{}", random.between(1, 12), random.between(6, 12));
                if edition.has_clause(&number) {
                    return None;
                }
                citing.location = number;
                has_quotation = false;
            }
            Truth::EditionUnknown => {
                let (before, _) = edition.reference.rsplit_once(':').unwrap();
                citing.document = format!("{before}:{}", random.between(2011, 2018));
                citing.may_be_undated = false;
                has_quotation = false;
            }
            Truth::OtherLocation => {
                let others: Vec<String> =
                    edition.clauses().into_iter().filter(|other| !related(other, &clause)).collect();
                citing.location = pick(random, &others)?;
                has_quotation = true;
            }
            Truth::Altered | Truth::Partial => {
                let changed = if truth == Truth::Altered {
                    altered(random, &text, self.language)?
                } else {
                    fragment(&text)?
                };
                let is_said = edition.provisions().iter().any(|(_, said)| said.contains(&changed));
                if is_said && truth == Truth::Altered {
                    return None;
                }
                citing.quotation = Some(changed);
                return self.written(random, &citing, truth);
            }
            Truth::Absent => {
                citing.quotation = Some((*random.one(invented(self.language))).to_owned());
                return self.written(random, &citing, truth);
            }
            Truth::OtherEdition => return self.other_edition(random),
        }
        citing.quotation = has_quotation.then_some(text);
        self.written(random, &citing, truth)
    }

    /// A present edition in the language.
    fn edition(&self, random: &mut Random) -> &'s SampleEdition {
        let editions: Vec<&SampleEdition> = self
            .service
            .editions
            .iter()
            .filter(|edition| edition.language.as_str() == self.language && !is_old(edition))
            .collect();
        let chosen: &&SampleEdition = random.one(&editions);
        chosen
    }

    fn old_edition(&self) -> &'s SampleEdition {
        self.service.editions.iter().find(|edition| is_old(edition)).unwrap()
    }

    fn superseded(&self, random: &mut Random) -> Option<Paragraph> {
        let edition = self.old_edition();
        let (label, text) = random.one(&usable(edition)).clone();
        let is_quoted = self.language == "en" && random.percent(40);
        let citing = Citing {
            document: edition.reference.clone(),
            may_be_undated: false,
            location: label.split('(').next().unwrap().to_owned(),
            quotation: is_quoted.then_some(text),
            language: self.language,
        };
        self.written(random, &citing, Truth::Superseded)
    }

    /// Words of the first edition that are said to be of the second.
    fn other_edition(&self, random: &mut Random) -> Option<Paragraph> {
        let (label, text) = random.one(&usable(self.old_edition())).clone();
        let present = self.service.editions.iter().find(|edition| edition.reference == "NSB 4210:2025")?;
        let clause = label.split('(').next().unwrap().to_owned();
        let is_said = present.provisions().iter().any(|(_, said)| *said == text);
        if is_said || !present.has_clause(&clause) || self.language != "en" {
            return None;
        }
        let citing = Citing {
            document: present.reference.clone(),
            may_be_undated: true,
            location: clause,
            quotation: Some(text),
            language: self.language,
        };
        self.written(random, &citing, Truth::OtherEdition)
    }

    /// A paragraph of a template.
    fn written(&self, random: &mut Random, citing: &Citing<'_>, truth: Truth) -> Option<Paragraph> {
        let kinds: &[&str] = match (truth, &citing.quotation) {
            (Truth::Noise, _) => &["noise"],
            (_, None) => &["cite"],
            _ => &["quote", "quote", "quote", "block", "row"],
        };
        let kind = *random.one(kinds);
        let fitting: Vec<&Template> = self
            .templates
            .iter()
            .filter(|template| template.language == self.language && template.kind == kind)
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let template = random.one(&fitting);
        // An undated citation of a place would be one of the document alone, far from it.
        let text = filled(random, template.text, citing);
        Some(match kind {
            "row" => Paragraph::Row(text.split(" | ").map(str::to_owned).collect()),
            "block" => {
                let (intro, attribution) = text.split_once("//").unwrap();
                Paragraph::Quote {
                    intro: intro.trim().to_owned(),
                    text: citing.quotation.clone()?,
                    attribution: attribution.trim().to_owned(),
                }
            }
            _ => Paragraph::Text(text),
        })
    }
}

fn is_old(edition: &SampleEdition) -> bool {
    edition.reference == "NSB 4210:2019"
}

/// The provisions whose words have no signs of a format.
fn usable(edition: &SampleEdition) -> Vec<(String, String)> {
    let provisions = edition.provisions().into_iter();
    let is_plain = |text: &str| {
        (40..400).contains(&text.chars().count())
            && !text.contains(['“', '«', '"', '|', '*', '_', '<', '[', '^', '„'])
    };
    provisions.filter(|(label, text)| is_plain(text) && label.contains('.')).collect()
}

/// One of some values, if there are any.
fn pick<T: Clone>(random: &mut Random, values: &[T]) -> Option<T> {
    if values.is_empty() { None } else { Some(random.one(values).clone()) }
}

/// Whether one clause is the other or in it.
fn related(a: &str, b: &str) -> bool {
    a == b || a.starts_with(&format!("{b}.")) || b.starts_with(&format!("{a}."))
}

/// Fills the slots of a template.
fn filled(random: &mut Random, template: &str, citing: &Citing<'_>) -> String {
    let document = document(random, citing);
    let mut text = template.replace("{cite}", &cited(random, citing, &document));
    text = text.replace("{doc}", &document);
    text = text.replace("{num}", &citing.location);
    let clause = clause(random, citing);
    let mut capital = clause.clone();
    if let Some(first) = clause.chars().next() {
        capital = first.to_uppercase().collect::<String>() + &clause[first.len_utf8()..];
    }
    text = text.replace("{clause}", &clause).replace("{Clause}", &capital);
    let quotation = citing.quotation.as_deref().unwrap_or_default();
    text.replace("{q}", &in_marks(random, quotation, citing.language))
}

fn document(random: &mut Random, citing: &Citing<'_>) -> String {
    let reference = &citing.document;
    let (before, year) = reference.rsplit_once(':').unwrap();
    match random.between(0, 9) {
        0 | 1 => reference.replace(' ', "\u{a0}"),
        2 => format!("{before} ({year})"),
        3 if citing.may_be_undated => before.to_owned(),
        4 => format!("\u{1}{reference}\u{2}"),
        _ => reference.clone(),
    }
}

fn cited(random: &mut Random, citing: &Citing<'_>, document: &str) -> String {
    let location = &citing.location;
    let forms: &[&str] = match citing.language {
        "de" => &["{d}, {l}", "{d}, Abschnitt {l}", "Abschnitt {l} der {d}", "{d} § {l}"],
        "fr" => &["{d}, {l}", "{d}, article {l}", "l’article {l} de la {d}", "{d}, § {l}"],
        _ => &[
            "{d}, {l}",
            "{d}, {l}",
            "{d}, Clause {l}",
            "Clause {l} of {d}",
            "{d} (see {l})",
            "{d} § {l}",
            "{l} of {d}",
        ],
    };
    random.one(forms).replace("{d}", document).replace("{l}", location)
}

fn clause(random: &mut Random, citing: &Citing<'_>) -> String {
    let words: &[&str] = match citing.language {
        "de" => &["Abschnitt", "§"],
        "fr" => &["l’article", "le paragraphe"],
        _ => &["clause", "subclause", "§"],
    };
    format!("{} {}", random.one(words), citing.location)
}

fn in_marks(random: &mut Random, text: &str, language: &str) -> String {
    let (open, close) = match language {
        "de" => *random.one(&[("„", "“"), ("»", "«"), ("‚", "‘")][..2]),
        "fr" => *random.one(&[("« ", " »"), ("«\u{a0}", "\u{a0}»"), ("“", "”")]),
        _ => *random.one(&[("“", "”"), ("\"", "\"")]),
    };
    format!("{open}{text}{close}")
}

/// The words with one that says something else.
fn altered(random: &mut Random, text: &str, language: &str) -> Option<String> {
    let changes: &[(&str, &str)] = match language {
        "de" => &[
            (" muss ", " sollte "),
            (" darf nicht ", " darf "),
            (" mindestens ", " höchstens "),
            (" kN ", " N "),
        ],
        "fr" => {
            &[(" doit ", " peut "), (" ne doit pas ", " doit "), (" au moins ", " au plus "), (" kN ", " N ")]
        }
        _ => &[
            (" shall ", " should "),
            (" should ", " shall "),
            (" shall not ", " shall "),
            (" may ", " shall "),
            (" at least ", " at most "),
            (" 60 ", " 90 "),
            (" mm ", " cm "),
        ],
    };
    let (from, to) = random.one(changes);
    text.contains(from).then(|| text.replacen(from, to, 1))
}

/// The words without a condition, exception or negation.
fn fragment(text: &str) -> Option<String> {
    for exception in [" unless ", ", es sei denn", ", à moins", " if ", ", wenn ", " lorsqu’"] {
        if let Some((before, _)) = text.split_once(exception) {
            return (before.chars().count() > 25).then(|| before.to_owned());
        }
    }
    for condition in ["When tested", "Lors de l’essai"] {
        if text.starts_with(condition) {
            let (_, after) = text.split_once(", ")?;
            return Some(after.to_owned());
        }
    }
    for (from, to) in [(" shall not ", " shall […] "), (" darf nicht ", " darf […] ")] {
        if text.contains(from) {
            return Some(text.replacen(from, to, 1));
        }
    }
    None
}

/// Sentences that no standard has.
fn invented(language: &str) -> &'static [&'static str] {
    match language {
        "de" => &[
            "Jedes Fahrzeug braucht vor dem ersten Einsatz eine neue Plakette der Behörde.",
            "Die Rechnung wird innerhalb von vierzehn Tagen nach dem Eingang bezahlt.",
            "Batterien und Ladegeräte sind getrennt voneinander zu verpacken.",
        ],
        "fr" => &[
            "Chaque véhicule reçoit une nouvelle vignette avant sa première mise en service.",
            "La facture est réglée dans les quatorze jours qui suivent sa réception.",
            "Les batteries et les chargeurs sont emballés séparément les uns des autres.",
        ],
        _ => &[
            "Every vehicle needs a new sticker from the authority before its first journey.",
            "The invoice is paid within fourteen days after it was received by the office.",
            "Batteries and chargers are packed separately from each other in blue cartons.",
            "A copy of the certificate hangs in the entrance hall of each building.",
        ],
    }
}
