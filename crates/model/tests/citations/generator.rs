//! Generator of citations with truth by construction: a designation with a date, a place, and the habit of a
//! language that joins the two. The numbers are invented.

use crate::{Half, half};

/// A sequence of numbers, the same for each run.
struct Numbers(u64);

impl Numbers {
    /// The next number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Designations without date, and their documents.
const DESIGNATIONS: [(&str, &str); 24] = [
    ("NSB 94210", "urn:nsb:std:nsb:94210"),
    ("NSB 94230-1", "urn:nsb:std:nsb:94230:-1"),
    ("XNB 9107", "urn:xnb:std:xnb:9107"),
    ("ISO 98301", "urn:iso:std:iso:98301"),
    ("ISO 98301-2", "urn:iso:std:iso:98301:-2"),
    ("ISO 98712-11", "urn:iso:std:iso:98712:-11"),
    ("ISO/IEC 98700-3", "urn:iso:std:iso-iec:98700:-3"),
    ("ISO/TS 98111", "urn:iso:std:iso:ts:98111"),
    ("ISO/TR 98112-4", "urn:iso:std:iso:tr:98112:-4"),
    ("ISO/IEC TR 98113-2", "urn:iso:std:iso-iec:tr:98113:-2"),
    ("ISO/IEC Guide 951", "urn:iso:std:iso-iec:guide:951"),
    ("IEC 98204-1", "urn:iec:std:iec:98204:-1"),
    ("IEC 98068-2-30", "urn:iec:std:iec:98068:-2-30"),
    ("IEC/TS 98479", "urn:iec:std:iec:ts:98479"),
    ("EN 98420", "urn:en:std:en:98420"),
    ("EN ISO 98849-1", "urn:en:std:en-iso:98849:-1"),
    ("EN IEC 98849-2", "urn:en:std:en-iec:98849:-2"),
    ("DIN 98476", "urn:din:std:din:98476"),
    ("DIN EN 98480-3", "urn:din:std:din-en:98480:-3"),
    ("DIN EN ISO 98849-1", "urn:din:std:din-en-iso:98849:-1"),
    ("NF EN ISO 98849-1", "urn:nf:std:nf-en-iso:98849:-1"),
    ("BS EN 98123", "urn:bs:std:bs-en:98123"),
    ("BS EN ISO 98124-2", "urn:bs:std:bs-en-iso:98124:-2"),
    ("ÖNORM EN 98125", "urn:onorm:std:onorm-en:98125"),
];

/// Forms of the date behind a designation; `Y` is the year and `M` the month in two digits. The truth is the
/// year, or year and month.
const DATES: [(&str, &str); 16] = [
    ("", ""),
    (":Y", "Y"),
    (":Y-M", "Y-M"),
    (" (Y)", "Y"),
    (" (Y-M)", "Y-M"),
    (" (M/Y)", "Y-M"),
    (" : Y", "Y"),
    (":Y (E)", "Y"),
    (":Y(E)", "Y"),
    (":Y (en)", "Y"),
    (", Ausgabe Y-M", "Y-M"),
    (", Ausgabe März Y", "Y-03"),
    (", édition de mars Y", "Y-03"),
    (", March Y edition", "Y-03"),
    (", Ausgabe Y", "Y"),
    (", édition Y", "Y"),
];

/// Joints between document and place, in this order: `D` is the document and `P` the place.
const JOINTS: [&str; 9] =
    ["D, P", "D P", "D; P", "D – P", "D (P)", "D, see P", "siehe D, P", "voir D, P", "(D, P)"];

/// Joints where the place comes first, with the language of their words. They need a word before the place
/// or a dotted number.
const JOINTS_OF: [&str; 10] = [
    "P of D",
    "P in D",
    "P of the standard D",
    "P der D",
    "P aus D",
    "P nach D",
    "P von D",
    "P de D",
    "P de la norme D",
    "P de l'D",
];

/// Forms of places: how they are printed, and what they are. `N`, `O` are clause numbers with dots, `O`
/// after `N`; `C` is a number of a clause without dots; `A` the letter of an annex, `B` the one after it;
/// `T`, `U` numbers of tables and figures, `U` after `T`; `n`, `m` are small numbers, `m` after `n`; `x`,
/// `y` letters of items, `y` after `x`.
const LOCATIONS: [(&str, &str); 118] = [
    ("N", "N"),
    ("N(n)", "N(n)"),
    ("N (n)", "N(n)"),
    ("N(n)-(m)", "N(n) to N(m)"),
    ("N(n-m)", "N(n) to N(m)"),
    ("clause N", "N"),
    ("Clause C", "C"),
    ("clause C", "C"),
    ("clauses C and N", "C; N"),
    ("Clauses N, O and A.n", "N; O; A.n"),
    ("subclause N", "N"),
    ("sub-clause N", "N"),
    ("Subclauses N and O", "N; O"),
    ("section N", "N"),
    ("Sec. N", "N"),
    ("cl. N", "N"),
    ("§ N", "N"),
    ("§N", "N"),
    ("§§ N and O", "N; O"),
    ("§§ N-O", "N to O"),
    ("N to O", "N to O"),
    ("N – O", "N to O"),
    ("N–O", "N to O"),
    ("clauses N through O", "N to O"),
    ("from N to O", "N to O"),
    ("N and O", "N; O"),
    ("N, O", "N; O"),
    ("N; O", "N; O"),
    ("N or O", "N; O"),
    ("N x)", "N item x"),
    ("N, x)", "N item x"),
    ("N x) and y)", "N item x; N item y"),
    ("N, item x)", "N item x"),
    ("N, list item x)", "N item x"),
    ("item x) of N", "N item x"),
    ("N x) n)", "N item x item n"),
    ("N, NOTE n", "N note n"),
    ("N Note n", "N note n"),
    ("N, NOTE", "N note"),
    ("N, Note n to entry", "N note n"),
    ("Note n to N", "N note n"),
    ("N, EXAMPLE n", "N example n"),
    ("N, second paragraph", "N paragraph 2"),
    ("N, paragraph n", "N paragraph n"),
    ("N, para. n", "N paragraph n"),
    ("the first paragraph of N", "N paragraph 1"),
    ("Annex A", "A"),
    ("annex A", "A"),
    ("Annexes A and B", "A; B"),
    ("Annex A, A.n", "A.n"),
    ("A.n", "A.n"),
    ("A.n.m", "A.n.m"),
    ("Annex A.n", "A.n"),
    ("Annex A (normative)", "A"),
    ("Appendix A", "A"),
    ("Table T", "table T"),
    ("table T", "table T"),
    ("Tab. T", "table T"),
    ("Tables T and U", "table T; table U"),
    ("Tables T to U", "table T to table U"),
    ("Table A.T", "table A.T"),
    ("N, Table T", "table T"),
    ("Annex A, Table A.T", "table A.T"),
    ("Table T, row n", "table T row n"),
    ("Table T, column n", "table T column n"),
    ("Table T, footnote x", "table T footnote x"),
    ("Figure T", "figure T"),
    ("Fig. T", "figure T"),
    ("Figs. T and U", "figure T; figure U"),
    ("Figure T x)", "figure T item x"),
    ("Figure A.T", "figure A.T"),
    ("Formula (T)", "formula T"),
    ("Equation (T)", "formula T"),
    ("Clause C and Annex A", "C; A"),
    ("Table T and Figure U", "table T; figure U"),
    ("Abschnitt N", "N"),
    ("Abschnitte N und O", "N; O"),
    ("Abschnitte N bis O", "N to O"),
    ("Abschn. N", "N"),
    ("Unterabschnitt N", "N"),
    ("Abschnitt N Absatz n", "N paragraph n"),
    ("Abschnitt N, Abs. n", "N paragraph n"),
    ("N Abs. n", "N paragraph n"),
    ("Ziffer N", "N"),
    ("Ziff. N", "N"),
    ("Nr. N", "N"),
    ("Pkt. N", "N"),
    ("Kapitel C", "C"),
    ("Kap. N", "N"),
    ("Abschnitt N, Aufzählung x)", "N item x"),
    ("Abschnitt N, Anmerkung n", "N note n"),
    ("N, Anmerkung n zum Begriff", "N note n"),
    ("Abschnitt N, zweiter Absatz", "N paragraph 2"),
    ("Anhang A", "A"),
    ("Anhänge A und B", "A; B"),
    ("Anhang A (normativ)", "A"),
    ("Tabelle T", "table T"),
    ("Tabellen T und U", "table T; table U"),
    ("Tabelle T, Zeile n", "table T row n"),
    ("Bild T", "figure T"),
    ("Abb. T", "figure T"),
    ("Gleichung (T)", "formula T"),
    ("article N", "N"),
    ("paragraphe N", "N"),
    ("paragraphes N et O", "N; O"),
    ("paragraphes N à O", "N to O"),
    ("point N", "N"),
    ("N, alinéa n", "N paragraph n"),
    ("N, deuxième alinéa", "N paragraph 2"),
    ("chapitre C", "C"),
    ("N, point x)", "N item x"),
    ("annexe A", "A"),
    ("annexes A et B", "A; B"),
    ("annexe A (normative)", "A"),
    ("Tableau T", "table T"),
    ("tableaux T et U", "table T; table U"),
    ("N, note n à l'article", "N note n"),
    ("équation (T)", "formula T"),
];

/// At most this number of citations of the templates of a half, with their truths.
pub(crate) fn made(of: Half, most: usize) -> Vec<(String, String)> {
    let mut templates = Vec::new();
    for location in &LOCATIONS {
        for date in &DATES {
            for joint in JOINTS.iter().chain(&JOINTS_OF) {
                let name = format!("{}|{}|{joint}", location.0, date.0);
                if half(&name) == of && fits(location.0, date.0, joint) {
                    templates.push((location, date, *joint));
                }
            }
        }
    }
    let mut numbers = Numbers(7);
    let mut made = Vec::new();
    for location in &LOCATIONS {
        if half(location.0) == of && !location.0.starts_with("from ") {
            made.push(location_alone(&mut numbers, location));
        }
    }
    for (date, truth) in DATES {
        if half(date) == of {
            let (document, urn) = document(&mut numbers, &(date, truth));
            made.push((document, urn));
        }
    }
    while made.len() < most {
        let &(location, date, joint) = numbers.one(&templates);
        let (document, urn) = document(&mut numbers, date);
        let (text, truth) = filled(&mut numbers, location);
        let text = joint.replace('D', "\u{1}").replace('P', &text).replace('\u{1}', &document);
        made.push((text, format!("{urn} | {truth}")));
    }
    made
}

/// Whether people write a template.
fn fits(location: &str, date: &str, joint: &str) -> bool {
    let begins_with_number = location.starts_with(['N', 'A', 'C']) && !location.starts_with("An");
    let has_words_of_date = date.contains(',');
    let is_first = JOINTS_OF.contains(&joint);
    if joint == "D P" {
        // Behind a space alone a number may be a part of the designation.
        return !has_words_of_date && !begins_with_number && !location.starts_with("from");
    }
    if joint == "D (P)" {
        return !location.contains('(');
    }
    if is_first {
        let is_list_of_parts = location.contains(';') || location.ends_with(')') && !location.contains(' ');
        return !is_list_of_parts && !has_words_of_date;
    }
    !(location.starts_with("from") && joint != "D, P")
}

fn location_alone(numbers: &mut Numbers, location: &(&str, &str)) -> (String, String) {
    let (text, truth) = filled(numbers, location);
    (text, format!("- | {truth}"))
}

fn document(numbers: &mut Numbers, (date, truth): &(&str, &str)) -> (String, String) {
    let (designation, urn) = numbers.one(&DESIGNATIONS);
    let year = (1990 + numbers.below(40)).to_string();
    let month = format!("{:02}", 1 + numbers.below(12));
    // The name of the month is in the template.
    let date = date.replace("März", "\u{1}").replace("March", "\u{2}");
    let date = date.replace('Y', &year).replace('M', &month);
    let date = date.replace('\u{1}', "März").replace('\u{2}', "March");
    let truth = truth.replace('Y', &year).replace('M', &month);
    let urn = if truth.is_empty() { (*urn).to_owned() } else { format!("{urn} {truth}") };
    (format!("{designation}{date}"), urn)
}

/// A form of a place and its truth with the same numbers.
fn filled(numbers: &mut Numbers, (text, truth): &(&str, &str)) -> (String, String) {
    let first = 1 + numbers.below(12);
    let second = 1 + numbers.below(9);
    let deep = numbers.below(3);
    let clause = |second: usize| match deep {
        0 => format!("{first}.{second}"),
        1 => format!("{first}.2.{second}"),
        _ => format!("{first}.1.{second}"),
    };
    let (clause, next) = (clause(second), clause(second + 1 + numbers.below(3)));
    let annex = char::from(b'A' + numbers.below(8) as u8);
    let next_annex = char::from(annex as u8 + 1);
    let table = 1 + numbers.below(14);
    let item = char::from(b'a' + numbers.below(6) as u8);
    let small = 1 + numbers.below(5);
    let values = [
        ("N", clause),
        ("O", next),
        ("C", first.to_string()),
        ("A", annex.to_string()),
        ("B", next_annex.to_string()),
        ("T", table.to_string()),
        ("U", (table + 1 + numbers.below(3)).to_string()),
        ("n", small.to_string()),
        ("m", (small + 1).to_string()),
        ("x", item.to_string()),
        ("y", char::from(item as u8 + 1).to_string()),
    ];
    (with_values(text, &values), with_values(truth, &values))
}

/// A form with its variables replaced: those are alone, or next to digits, signs and each other.
fn with_values(form: &str, values: &[(&str, String)]) -> String {
    let characters: Vec<char> = form.chars().collect();
    let mut text = String::new();
    for (at, &c) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| characters[at]);
        let is_alone = |next: Option<char>| next.is_none_or(|next| !next.is_alphabetic());
        let value = values.iter().find(|(name, _)| name.starts_with(c));
        match value {
            Some((_, value)) if is_alone(before) && is_alone(characters.get(at + 1).copied()) => {
                text.push_str(value);
            }
            _ => text.push(c),
        }
    }
    text
}
