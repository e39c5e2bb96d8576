//! Elements between paragraphs: terms, tables, lists, notes, formulae, figures and footnotes, as NISO STS.

use crate::document::Text;
use crate::picture;
use crate::prose::{Language, capital};
use crate::vocabulary::QUANTITIES;

impl Text<'_> {
    /// A term with its definition, perhaps also in a second language.
    pub(crate) fn term(&mut self, number: &str) {
        let second = self.prose.chance(20);
        let admitted = self.prose.chance(25);
        let noted = self.prose.chance(30);
        put!(
            self,
            "<term-sec id=\"sec_{number}\"><label>{number}</label>\n<tbx:termEntry id=\"term_{number}\">"
        );
        self.language_of_term(number, self.prose.language.code(), noted, admitted);
        if second {
            let home = self.prose.language;
            self.prose.language = if home == Language::Fr { Language::En } else { Language::Fr };
            self.language_of_term(number, self.prose.language.code(), false, false);
            self.prose.language = home;
        }
        self.push("</tbx:termEntry>\n</term-sec>\n");
    }

    fn language_of_term(&mut self, number: &str, code: &str, noted: bool, admitted: bool) {
        let definition = self.prose.definition();
        put!(self, "<tbx:langSet xml:lang=\"{code}\">\n<tbx:definition>{definition}</tbx:definition>");
        if noted {
            let note = self.prose.statement();
            put!(self, "<tbx:note>{note}</tbx:note>");
        }
        let statuses = if admitted { &["preferredTerm", "admittedTerm"][..] } else { &["preferredTerm"] };
        for (index, status) in statuses.iter().enumerate() {
            let name = self.prose.name();
            let at = index + 1;
            put!(
                self,
                "<tbx:tig id=\"tig_{code}_{number}-{at}\"><tbx:term>{name}</tbx:term><tbx:partOfSpeech value=\"noun\"/>\
                 <tbx:normativeAuthorization value=\"{status}\"/></tbx:tig>"
            );
        }
        self.push("</tbx:langSet>\n");
    }

    /// A table of names, amounts and conditions, with a footnote at times.
    pub(crate) fn table(&mut self) {
        self.tables += 1;
        let number = self.tables;
        let (columns, rows) = (self.prose.rng.usize(2..5), self.prose.rng.usize(3..14));
        let word = self.prose.say(["Table", "Tableau", "Tabelle"]);
        let title = capital(&self.prose.name());
        put!(
            self,
            "<table-wrap id=\"tab_{number}\"><label>{word}&#xa0;{number}</label><caption><title>{title}</title></caption>\n\
             <table><thead><tr>"
        );
        for column in 0..columns {
            let (names, symbol, unit) = QUANTITIES[self.prose.rng.usize(0..QUANTITIES.len())];
            let name = self.prose.say(names);
            match column {
                0 => put!(self, "<th>{}</th>", capital(&self.prose.name())),
                _ => put!(self, "<th align=\"center\">{name} <italic>{symbol}</italic><break/>{unit}</th>"),
            }
        }
        self.push("</tr></thead>\n<tbody>\n");
        let noted = self.prose.chance(25);
        for row in 0..rows {
            let name = capital(&self.prose.name());
            let mark = match noted && row == 0 {
                true => format!("<xref ref-type=\"table-fn\" rid=\"tfn_{number}-a\"><sup>a</sup></xref>"),
                false => String::new(),
            };
            put!(self, "<tr><td>{name}{mark}</td>");
            for column in 1..columns {
                let cell = match self.prose.chance(8) && column + 1 == columns {
                    true => self.prose.sentence(),
                    false => self.prose.number(),
                };
                put!(self, "<td align=\"center\">{cell}</td>");
            }
            self.push("</tr>\n");
        }
        self.push("</tbody></table>\n");
        if noted {
            let text = self.prose.sentence();
            put!(
                self,
                "<table-wrap-foot><fn id=\"tfn_{number}-a\"><label><sup>a</sup></label><p>{text}</p></fn></table-wrap-foot>"
            );
        }
        self.push("</table-wrap>\n");
    }

    /// A list: loose sentences, or a stem with its items.
    pub(crate) fn list(&mut self) {
        let stem = self.prose.stem();
        let items = self.prose.rng.usize(2..8);
        let lettered = self.prose.rng.bool();
        let kind = if lettered { "alpha-lower" } else { "dash" };
        put!(self, "<p>{stem}</p>\n<list list-type=\"{kind}\">");
        for item in 0..items {
            let label = if lettered { format!("{})", (b'a' + item as u8) as char) } else { "—".to_owned() };
            let name = self.prose.definition();
            let end = if item + 1 == items { "." } else { ";" };
            put!(self, "<list-item><label>{label}</label><p>{name}{end}</p></list-item>");
        }
        self.push("</list>\n");
    }

    /// A note or an example.
    pub(crate) fn note(&mut self) {
        let example = self.prose.chance(30);
        let text = self.prose.statement();
        let (element, label) = match example {
            true => ("non-normative-example", self.prose.say(["EXAMPLE", "EXEMPLE", "BEISPIEL"])),
            false => ("non-normative-note", self.prose.say(["NOTE", "NOTE", "ANMERKUNG"])),
        };
        put!(self, "<{element}><label>{label}</label><p>{text}</p></{element}>");
    }

    /// A formula of its own, with its number.
    pub(crate) fn formula(&mut self) {
        self.formulae += 1;
        let number = self.formulae;
        let (left, above) = (self.symbol(), self.product());
        let below = self.product();
        put!(
            self,
            "<disp-formula id=\"formula_{number}\"><label>({number})</label><mml:math display=\"block\"><mml:mrow>{left}\
             <mml:mo>=</mml:mo><mml:mfrac><mml:mrow>{above}</mml:mrow><mml:mrow>{below}</mml:mrow></mml:mfrac></mml:mrow>\
             </mml:math></disp-formula>"
        );
    }

    fn product(&mut self) -> String {
        let (first, second) = (self.symbol(), self.symbol());
        let operator = ["+", "−", "·", "×"][self.prose.rng.usize(0..4)];
        let factor = self.prose.number();
        format!("<mml:mn>{factor}</mml:mn><mml:mo>·</mml:mo>{first}<mml:mo>{operator}</mml:mo>{second}")
    }

    fn symbol(&mut self) -> String {
        let (_, symbol, _) = QUANTITIES[self.prose.rng.usize(0..QUANTITIES.len())];
        let index = self.prose.rng.u32(0..40);
        match self.prose.rng.u32(0..3) {
            0 => format!("<mml:mi>{symbol}</mml:mi>"),
            1 => format!("<mml:msub><mml:mi>{symbol}</mml:mi><mml:mn>{index}</mml:mn></mml:msub>"),
            _ => format!("<mml:msup><mml:mi>{symbol}</mml:mi><mml:mn>2</mml:mn></mml:msup>"),
        }
    }

    /// A formula within a sentence.
    pub(crate) fn inline_formula(&mut self) -> String {
        let symbol = self.symbol();
        let (_, amount) = self.prose.quantity();
        format!(
            "<inline-formula><mml:math><mml:mrow>{symbol}</mml:mrow></mml:math></inline-formula> ≤ {amount}"
        )
    }

    /// A figure with its key; the file is named with or without its extension, as publishers do.
    pub(crate) fn figure(&mut self) {
        self.figures += 1;
        let number = self.figures;
        let word = self.prose.say(["Figure", "Figure", "Bild"]);
        let title = capital(&self.prose.name());
        let vector = self.prose.chance(70);
        let href = match (vector, self.prose.rng.bool()) {
            (true, true) => format!("media/fig_{number}.svg"),
            (false, true) => format!("media/fig_{number}.png"),
            (_, false) => format!("fig_{number}"),
        };
        put!(
            self,
            "<fig id=\"fig_{number}\"><label>{word}&#xa0;{number}</label><caption><title>{title}</title></caption>\n\
             <graphic xlink:href=\"{href}\"/>\n<def-list list-type=\"key\">"
        );
        for part in 1..self.prose.rng.u32(3..7) {
            let name = self.prose.name();
            put!(self, "<def-item><term>{part}</term><def><p>{name}</p></def></def-item>");
        }
        self.push("</def-list>\n</fig>\n");
        let picture = match vector {
            true => (format!("fig_{number}.svg"), picture::svg(&mut self.prose.rng)),
            false => (format!("fig_{number}.png"), picture::png(&mut self.prose.rng)),
        };
        self.pictures.push(picture);
    }
}
