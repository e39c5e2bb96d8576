//! One document: metadata, foreword, clauses, annexes and bibliography around what `furniture` makes.

use fastrand::Rng;

use crate::catalogue::Document;
use crate::prose::{Language, Prose, capital};
use crate::vocabulary::ICS;

/// A file next to a document: name and bytes.
pub(crate) type Picture = (String, Vec<u8>);

/// Bytes of markup that a sentence comes to, its share of all around it included.
const BYTES_PER_SENTENCE: f64 = 148.0;

/// Median size of a document in bytes.
const MEDIAN: f64 = 60_000.0;

/// Largest document in medians.
const LARGEST: f64 = 80.0;

/// A document while it is written.
pub(crate) struct Text<'a> {
    pub prose: Prose,
    pub xml: String,
    pub pictures: Vec<Picture>,
    pub tables: u32,
    pub figures: u32,
    pub formulae: u32,
    document: &'a Document,
    all: &'a [Document],
    /// Clauses that a cross-reference may name, and whether figures are drawn.
    clauses: Vec<String>,
    drawn: bool,
}

/// The XML of a document and its pictures.
pub(crate) fn write(
    document: &Document,
    all: &[Document],
    size: f64,
    pictures: bool,
) -> (String, Vec<Picture>) {
    let mut text = Text {
        prose: Prose::new(document.language, document.seed),
        xml: String::new(),
        pictures: Vec::new(),
        tables: 0,
        figures: 0,
        formulae: 0,
        document,
        all,
        clauses: Vec::new(),
        drawn: pictures,
    };
    let sentences = (bytes(&mut text.prose.rng) * size / BYTES_PER_SENTENCE) as usize;
    text.standard(if document.amendment.is_some() { sentences / 8 } else { sentences });
    (text.xml, text.pictures)
}

/// A size drawn from a log-normal distribution (the sum of twelve even draws is close enough to a normal
/// one).
fn bytes(rng: &mut Rng) -> f64 {
    let normal: f64 = (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
    MEDIAN * (normal * 1.1).exp().min(LARGEST)
}

impl Text<'_> {
    pub(crate) fn push(&mut self, xml: &str) {
        self.xml.push_str(xml);
    }

    fn standard(&mut self, sentences: usize) {
        let language = self.prose.language.code();
        put!(
            self,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<standard xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
             xmlns:mml=\"http://www.w3.org/1998/Math/MathML\" xmlns:tbx=\"urn:iso:std:iso:30042:ed-1\" \
             dtd-version=\"1.2\" xml:lang=\"{language}\">\n<front>"
        );
        self.metadata();
        self.foreword();
        self.push("</front>\n<body>\n");
        self.scope();
        self.references();
        self.terms((sentences / 40).clamp(1, 60));
        let clauses = (sentences / 60).clamp(2, 18);
        for clause in 4..4 + clauses {
            self.clause(&clause.to_string(), sentences / (clauses + 2), false);
        }
        self.push("</body>\n<back>\n");
        self.annexes(sentences * 2 / (clauses + 2));
        self.bibliography((sentences / 50).clamp(1, 40));
        self.push("</back>\n</standard>\n");
    }

    fn metadata(&mut self) {
        let Document { body, body_kind, kind, number, edition, month, .. } = *self.document;
        put!(self, "<std-meta std-org-type=\"{body_kind}\">");
        let home = self.prose.language;
        for language in [home, if home == Language::En { Language::Fr } else { Language::En }] {
            self.title(language);
        }
        let (dated, undated, year) =
            (self.document.dated(), self.document.undated(), self.document.published());
        let part = self.document.part.map(|p| format!("<part-number>{p}</part-number>")).unwrap_or_default();
        let supplement = self.document.amendment.map(|(n, _)| {
            format!("<suppl-type>amd</suppl-type><suppl-number>{n}</suppl-number><suppl-version>1</suppl-version>\n")
        });
        let language = home.code();
        let committee = number % 310 + 1;
        put!(
            self,
            "<proj-id>{number}-{edition:02}</proj-id>\n<release-version>IS</release-version>\n<std-ident>\n\
             <originator>{body}</originator>\n<doc-type>{kind}</doc-type>\n<doc-number>{number}</doc-number>\n{part}\
             <edition>{edition}</edition>\n<version>1</version>\n{}</std-ident>\n\
             <content-language>{language}</content-language>\n<std-ref type=\"dated\">{dated}</std-ref>\n\
             <std-ref type=\"undated\">{undated}</std-ref>\n<doc-ref>{dated}({language})</doc-ref>\n\
             <release-date>{year}-{month:02}-15</release-date>\n<comm-ref>{body}/TC {committee}</comm-ref>\n\
             <secretariat>NXB</secretariat>",
            supplement.unwrap_or_default()
        );
        let mut subject = Rng::with_seed(self.document.subject);
        let first = subject.usize(0..ICS.len());
        put!(self, "<ics>{}</ics>", ICS[first]);
        if subject.bool() {
            put!(self, "<ics>{}</ics>", ICS[(first + 7) % ICS.len()]);
        }
        if self.document.amendment.is_some() {
            let amended = self.document.amended();
            self.relation("amends", &amended);
        } else if let Some(replaced) = self.document.replaced() {
            self.relation("replaces", &replaced);
        }
        put!(
            self,
            "<permissions><copyright-statement>© {body} {year}. An invented standard, made by a program.\
             </copyright-statement><copyright-year>{year}</copyright-year><copyright-holder>{body}</copyright-holder>\
             </permissions>\n</std-meta>"
        );
    }

    fn relation(&mut self, kind: &str, dated: &str) {
        put!(self, "<std-xref type=\"{kind}\"><std-ref type=\"dated\">{dated}</std-ref></std-xref>");
    }

    fn title(&mut self, language: Language) {
        let mut words = Prose::new(language, self.document.subject);
        let (intro, main) = (capital(&words.name()), capital(&words.name()));
        let compl = language.pick(match words.rng.usize(0..4) {
            0 => [
                "Requirements and test methods",
                "Exigences et méthodes d’essai",
                "Anforderungen und Prüfverfahren",
            ],
            1 => ["Vocabulary", "Vocabulaire", "Begriffe"],
            2 => ["Guidance", "Lignes directrices", "Leitfaden"],
            _ => ["Specification", "Spécification", "Festlegungen"],
        });
        let part = language.pick(["Part", "Partie", "Teil"]);
        let compl = self.document.part.map_or(compl.to_owned(), |p| format!("{part} {p}: {compl}"));
        let code = language.code();
        put!(
            self,
            "<title-wrap xml:lang=\"{code}\"><intro>{intro}</intro><main>{main}</main><compl>{compl}</compl>\
             <full>{intro} — {main} — {compl}</full></title-wrap>"
        );
    }

    fn foreword(&mut self) {
        let title = self.prose.say(["Foreword", "Avant-propos", "Vorwort"]);
        put!(self, "<sec id=\"sec_foreword\" sec-type=\"foreword\"><title>{title}</title>");
        for _ in 0..2 {
            let (first, second) = (self.prose.statement(), self.prose.statement());
            put!(self, "<p>{first} {second}</p>");
        }
        self.push("</sec>\n");
    }

    fn scope(&mut self) {
        let title = self.prose.say(["Scope", "Domaine d’application", "Anwendungsbereich"]);
        let (definition, statement) = (self.prose.definition(), self.prose.statement());
        let start = self.prose.say([
            "This document specifies a",
            "Le présent document spécifie un",
            "Dieses Dokument beschreibt:",
        ]);
        put!(
            self,
            "<sec id=\"sec_1\" sec-type=\"scope\"><label>1</label><title>{title}</title>\
             <p>{start} {definition}. {statement}</p></sec>"
        );
    }

    fn references(&mut self) {
        let title =
            self.prose.say(["Normative references", "Références normatives", "Normative Verweisungen"]);
        put!(
            self,
            "<sec id=\"sec_2\" sec-type=\"norm-refs\"><label>2</label><title>{title}</title>\n<ref-list content-type=\"norm-refs\">"
        );
        for number in 1..self.prose.rng.u32(2..9) {
            let (standard, title) = (self.cited(), capital(&self.prose.name()));
            put!(self, "<ref id=\"ref_{number}\">{standard}, <italic>{title}</italic></ref>");
        }
        self.push("</ref-list></sec>\n");
    }

    /// A reference to another document of the archive, mostly dated.
    fn cited(&mut self) -> String {
        let dated = self.prose.chance(60);
        let other = &self.all[self.prose.rng.usize(0..self.all.len())];
        match dated {
            true => format!("<std type=\"dated\"><std-ref>{}</std-ref></std>", other.dated()),
            false => format!("<std type=\"undated\"><std-ref>{}</std-ref></std>", other.undated()),
        }
    }

    fn terms(&mut self, count: usize) {
        let title = self.prose.say(["Terms and definitions", "Termes et définitions", "Begriffe"]);
        put!(self, "<sec id=\"sec_3\" sec-type=\"terms\"><label>3</label><title>{title}</title>");
        for number in 1..=count {
            self.term(&format!("3.{number}"));
        }
        self.push("</sec>\n");
    }

    /// A clause or an annex's section with its subclauses, of about so many sentences.
    fn clause(&mut self, number: &str, sentences: usize, in_annex: bool) {
        let title = capital(&self.prose.name());
        let kind = if in_annex { "" } else { " sec-type=\"clause\"" };
        put!(self, "<sec id=\"sec_{number}\"{kind}><label>{number}</label><title>{title}</title>");
        self.clauses.push(number.to_owned());
        let deep = sentences > 24 && number.matches('.').count() < 3;
        if deep {
            let subclauses = self.prose.rng.usize(2..6).min(sentences / 8);
            for subclause in 1..=subclauses {
                self.clause(&format!("{number}.{subclause}"), sentences / subclauses, in_annex);
            }
        } else {
            let mut left = sentences.max(2);
            while left > 0 {
                left = left.saturating_sub(self.block());
            }
        }
        self.push("</sec>\n");
    }

    /// One block and the number of sentences that it is worth.
    fn block(&mut self) -> usize {
        match self.prose.rng.u32(0..100) {
            0..10 => self.note(),
            10..18 => return self.whole(Self::list, 5),
            18..23 => return self.whole(Self::table, 10),
            23..28 => return self.whole(Self::formula, 3),
            28..31 if self.drawn => return self.whole(Self::figure, 4),
            _ => return self.paragraph(),
        }
        1
    }

    fn whole(&mut self, write: fn(&mut Self), worth: usize) -> usize {
        write(self);
        worth
    }

    fn paragraph(&mut self) -> usize {
        let sentences = self.prose.rng.usize(1..6);
        self.push("<p>");
        for index in 0..sentences {
            let sentence = self.prose.sentence();
            self.push(if index > 0 { " " } else { "" });
            self.push(&sentence);
            if self.prose.chance(14) {
                let aside = self.aside();
                self.xml.pop();
                self.push(&format!(" ({aside})."));
            }
        }
        self.push("</p>\n");
        sentences
    }

    /// Text in brackets: where to look further.
    fn aside(&mut self) -> String {
        let see = self.prose.say(["see", "voir", "siehe"]);
        match self.prose.rng.u32(0..10) {
            0..5 => {
                let clause = self.clauses[self.prose.rng.usize(0..self.clauses.len())].clone();
                format!("{see} <xref ref-type=\"sec\" rid=\"sec_{clause}\">{clause}</xref>")
            }
            5..7 if self.tables > 0 => {
                let table = self.prose.rng.u32(1..=self.tables);
                let word = self.prose.say(["Table", "Tableau", "Tabelle"]);
                format!("{see} <xref ref-type=\"table\" rid=\"tab_{table}\">{word} {table}</xref>")
            }
            5..8 => self.inline_formula(),
            _ => {
                let standard = self.cited();
                format!("{see} {standard}")
            }
        }
    }

    fn annexes(&mut self, sentences: usize) {
        let count = self.prose.rng.usize(0..4);
        if count == 0 {
            return;
        }
        self.push("<app-group>\n");
        for letter in ["A", "B", "C"].into_iter().take(count) {
            let normative = self.prose.rng.bool();
            let (kind, word) = match normative {
                true => ("norm-annex", self.prose.say(["(normative)", "(normative)", "(normativ)"])),
                false => ("inform-annex", self.prose.say(["(informative)", "(informative)", "(informativ)"])),
            };
            let title = capital(&self.prose.name());
            let annex = self.prose.say(["Annex", "Annexe", "Anhang"]);
            put!(
                self,
                "<app id=\"sec_{letter}\" content-type=\"{kind}\"><label>{annex}&#xa0;{letter}</label>\
                 <annex-type>{word}</annex-type><title>{title}</title>"
            );
            for section in 1..=2 {
                self.clause(&format!("{letter}.{section}"), sentences / count / 2, true);
            }
            self.push("</app>\n");
        }
        self.push("</app-group>\n");
    }

    fn bibliography(&mut self, count: usize) {
        let title = self.prose.say(["Bibliography", "Bibliographie", "Literaturhinweise"]);
        put!(self, "<ref-list id=\"sec_bibl\" content-type=\"bibl\"><title>{title}</title>");
        for number in 1..=count {
            let (standard, title) = (self.cited(), capital(&self.prose.name()));
            put!(
                self,
                "<ref id=\"biblref_{number}\"><label>[{number}]</label>{standard}, <italic>{title}</italic></ref>"
            );
        }
        self.push("</ref-list>\n");
    }
}
