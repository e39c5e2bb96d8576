//! Numbers of designations, as each publisher writes them.

use super::alias::is_date;
use super::designation::DesignationParts;
use super::grammar;
use super::prefix::{begins_with_digit, bracketed, leading, leading_digits, strip_one_of, token};
use super::publishers::{Numbers, Publisher, Reach};

/// Levels of maturity that W3C writes before the short name of a technical report (W3C Process, 6.2).
const W3C_LEVELS: [&str; 7] = ["REC-", "WD-", "CR-", "PR-", "PER-", "NOTE-", "CRD-"];

impl DesignationParts {
    /// Reads the number; returns the rest of the text.
    pub(super) fn read_number<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let last_body = self.bodies.last()?;
        let may_be_grouped = last_body == "en" || last_body == "etsi";
        let mut text = text;
        // `ISO/IEC Directives, Part 2`.
        if self.kind == Some("dir") {
            text = text.strip_prefix("Part ").unwrap_or(text);
        }
        let Some(issuer) = self.issuer() else { return self.read_plain(text, None) };
        if may_be_grouped && let Some(rest) = self.read_grouped(text) {
            // A European standard with a number of this form is one of ETSI.
            if issuer.id == "en" {
                self.bodies = vec!["etsi".to_owned()];
                self.kind = Some("en");
            }
            return Some(rest);
        }
        match issuer.numbers {
            Numbers::Series | Numbers::Glued => self.read_series(text, issuer),
            Numbers::Whole => self.read_token(text, issuer),
            Numbers::Named => self.read_named(text, issuer),
            Numbers::Yearly => self.read_yearly(text),
            Numbers::Parts | Numbers::Revised | Numbers::Grouped => self.read_plain(text, Some(issuer)),
        }
    }

    /// Digits and parts, perhaps with the year after a hyphen.
    fn read_plain<'t>(&mut self, text: &'t str, issuer: Option<&Publisher>) -> Option<&'t str> {
        let (number, rest) = token(text)?;
        let is_dated = is_year_next(rest);
        // `MOHR 2008` is an author and a year, not a standard.
        let is_year = is_date(number) && self.kind.is_none() && !is_dated;
        let fits = match issuer {
            None => !is_year && fits_unknown_body(number, rest, is_dated),
            Some(issuer) if issuer.splits_parts => begins_with_digit(number),
            Some(issuer) => !(is_year && issuer.reach == Reach::International),
        };
        if !fits {
            return None;
        }
        self.set_number(number, rest);
        Some(rest)
    }

    /// A letter, which may be apart, and a number.
    fn read_series<'t>(&mut self, text: &'t str, issuer: &Publisher) -> Option<&'t str> {
        let Some((letters, text)) = split_series(text) else {
            // OIML and IHO have no numbers without a series.
            if issuer.numbers == Numbers::Series && issuer.reach == Reach::International {
                return None;
            }
            return self.read_plain(text, Some(issuer));
        };
        let (number, rest) = token(text)?;
        let letters = letters.to_ascii_lowercase();
        // `IEEE P1234` is a draft of IEEE 1234.
        if issuer.id == "ieee" && letters == "p" {
            self.draft = true;
            self.set_number(number, rest);
            return Some(rest);
        }
        if issuer.id == "astm"
            && let Some((number, year)) = two_digit_year(number)
        {
            let date_start = text.len() - number.len();
            self.dates.push((date_start, rest.len()));
            self.number = format!("{letters}{number}");
            self.dated = true;
            self.year = Some(year);
            return Some(rest);
        }
        self.set_number(number, rest);
        let separator = if issuer.numbers == Numbers::Series { "-" } else { "" };
        self.number = format!("{letters}{separator}{}", self.number);
        // `C22.2 No. 14` of CSA.
        if self.part.is_none()
            && let Some(after) = rest.strip_prefix(" No. ")
            && let Some((part, rest)) = token(after)
        {
            self.part = Some(part.to_owned());
            return Some(rest);
        }
        Some(rest)
    }

    /// A number or short name in which hyphens separate no parts.
    fn read_token<'t>(&mut self, text: &'t str, issuer: &Publisher) -> Option<&'t str> {
        let (name, rest) = token(text.trim_start_matches("N°").trim_start())?;
        let has_digit = name.bytes().any(|b| b.is_ascii_digit());
        let is_short_name = matches!(issuer.id, "w3c" | "oasis") && name.contains('-');
        if !has_digit && !is_short_name {
            return None;
        }
        // A bare year is that of a work, not the number of a standard.
        if is_date(name) && self.kind.is_none() {
            return None;
        }
        match issuer.id {
            "w3c" => self.set_w3c_name(name),
            "nist" => self.set_nist_number(name, rest),
            "un" if name.starts_with('R') && grammar::is_number(&name[1..]) => {
                self.kind = Some("regulation");
                self.number = name[1..].to_owned();
            }
            _ => self.number = name.to_owned(),
        }
        Some(rest)
    }

    /// Short name of a technical report of W3C, without level and date: `REC-xml-20081126` is `xml`.
    fn set_w3c_name(&mut self, name: &str) {
        let name = strip_one_of(name, &W3C_LEVELS).unwrap_or(name);
        if let Some((short_name, digits)) = name.rsplit_once('-')
            && digits.len() == 8
        {
            let date = with_hyphens(digits);
            if is_date(&date) {
                self.number = short_name.to_owned();
                self.dated = true;
                self.year = Some(date);
                return;
            }
        }
        self.number = name.to_owned();
    }

    /// Number of NIST without its revision, which counts as a date: `800-53r5` is `800-53`.
    fn set_nist_number(&mut self, name: &str, rest: &str) {
        if let Some(letter) = name.rfind('r')
            && grammar::is_number(&name[letter + 1..])
        {
            let (number, revision) = name.split_at(letter);
            self.number = number.to_owned();
            self.dated = true;
            self.dates.push((revision.len() + rest.len(), rest.len()));
            return;
        }
        self.number = name.to_owned();
    }

    /// Documents that BIPM names by words.
    fn read_named<'t>(&mut self, text: &'t str, issuer: &Publisher) -> Option<&'t str> {
        if let Some(rest) = strip_one_of(text, &["SI Brochure", "Brochure sur le SI", "SI brochure"]) {
            self.number = "si-brochure".to_owned();
            // Edition, version and years: `9e v3.01 (2019/2024, E)`.
            let end = rest.find([':', ';']).unwrap_or(rest.len());
            return Some(&rest[end..]);
        }
        if let Some(after) = text.strip_prefix("SI MEP ") {
            let (name, rest) = leading(after, |c| c.is_ascii_alphanumeric())?;
            self.number = format!("si-mep-{name}");
            return Some(rest);
        }
        let (name, rest) = token(text)?;
        if let Some(digit) = name.find(|c: char| c.is_ascii_digit())
            && digit > 0
            && name.contains("-GD-")
        {
            return Some(self.set_guide_number(name, digit, rest));
        }
        let rest = self.read_plain(text, Some(issuer))?;
        // The number of a document has capitals in the forms above only.
        if self.number.contains(|c: char| c.is_ascii_uppercase()) {
            return None;
        }
        Some(rest)
    }

    /// Name of a practical guide, whose number begins at this digit: `CCL-GD-MeP-1-2.2 A2` is an appendix of
    /// a part of `CCL-GD-MeP-1`. Returns the rest of the text.
    fn set_guide_number<'t>(&mut self, name: &str, digit: usize, rest: &'t str) -> &'t str {
        let mut end = name.len();
        if let Some(hyphen) = name[digit..].find('-') {
            end = digit + hyphen;
        }
        self.number = name[..end].to_owned();
        let part = name[end..].trim_start_matches('-');
        if !part.is_empty() {
            self.part = Some(part.to_owned());
        }
        let Some(after) = rest.strip_prefix(" A") else { return rest };
        let Some((appendix, rest_after)) = leading_digits(after) else { return rest };
        self.part = match &self.part {
            Some(part) => Some(format!("{part}-a{appendix}")),
            None => Some(format!("a{appendix}")),
        };
        rest_after
    }

    /// Outcomes of a meeting: `RES 7 (1948)`, `DECL (1889)`, `DECN 106-10 (2017)`, `Resolution 1948-07`.
    fn read_yearly<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        self.kind?;
        let (first, mut rest) = leading(text, |c| c.is_ascii_digit() || c == '-').unwrap_or(("", text));
        let first = first.trim_matches('-');
        let mut year_in_brackets = None;
        if let Some((inner, after)) = bracketed(rest)
            && is_date(inner)
        {
            year_in_brackets = Some(inner);
            rest = after;
        }
        // Of `106-10` the first is the meeting, of `1948-07` the year.
        let (before, number) = first.split_once('-').unwrap_or(("", first));
        let (year, number) = match year_in_brackets {
            Some(year) => (year, number),
            None if is_date(before) => (before, number),
            None if is_date(number) => (number, ""),
            None => return None,
        };
        let number = number.trim_start_matches('0');
        self.number = if number.is_empty() { year.to_owned() } else { format!("{year}-{number}") };
        self.year = Some(year.to_owned());
        self.dated = true;
        Some(rest)
    }

    /// Two groups of three digits, parts, and perhaps a version: `102 822-3-1 V1.7.1`.
    pub(super) fn read_grouped<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        if !begins_with_three_digits(text) {
            return None;
        }
        let (first_group, after) = text.split_at(3);
        let second = after.strip_prefix(' ')?;
        if !begins_with_three_digits(second) {
            return None;
        }
        let (group_and_part, rest) = token(second)?;
        let (second_group, part) = group_and_part.split_at(3);
        if !part.is_empty() && !part.starts_with('-') {
            return None;
        }
        self.number = format!("{first_group}{second_group}");
        let part = part.trim_start_matches('-');
        if !part.is_empty() {
            self.part = Some(part.to_owned());
        }
        if let Some(after) = rest.strip_prefix(" V")
            && let Some((_version, rest)) = leading(after, |c| c.is_ascii_digit() || c == '.')
        {
            self.dated = true;
            return Some(rest);
        }
        Some(rest)
    }

    /// Splits a number: `60068-2-30-2005` has the parts `2-30` and the year 2005.
    fn set_number(&mut self, number: &str, rest: &str) {
        let mut number = self.take_year(number, rest);
        let mut part = "";
        if let Some((before, after)) = number.split_once('-') {
            let is_plain = before.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            if is_plain || self.has_numbers(Numbers::Series) {
                number = before;
                part = after;
            }
        }
        self.number = self.without_iteration(number).to_owned();
        if !part.is_empty() {
            self.part = Some(self.without_iteration(part).to_owned());
        }
        // `BT.500-14` of ITU-R is revision 14 of BT.500.
        if self.has_numbers(Numbers::Revised)
            && let Some(hyphen) = self.number.find('-')
        {
            let revision_length = self.number.len() - hyphen;
            self.dates.push((rest.len() + revision_length, rest.len()));
            self.number.truncate(hyphen);
            self.dated = true;
        }
    }

    /// Takes the year from the end of a number, and returns the number without it.
    fn take_year<'n>(&mut self, number: &'n str, rest: &str) -> &'n str {
        let Some((before, year)) = number.rsplit_once('-') else { return number };
        if year.len() != 4 || !is_date(year) {
            return number;
        }
        // Where a year follows, these digits are a part. But the year is a part of the number of IEEE, and
        // converters put another one after it: `987.6-2020:2021`.
        let ends_with_year =
            self.issuer().is_some_and(|issuer| issuer.numbers == Numbers::Glued && !issuer.splits_parts);
        if rest.starts_with(':') && !ends_with_year {
            return number;
        }
        self.dates.push((rest.len() + "-2020".len(), rest.len()));
        self.dated = true;
        self.year = Some(year.to_owned());
        before
    }

    /// The number of a draft without the iteration after it: `ISO/FDTR 99999.2`.
    fn without_iteration<'n>(&self, number: &'n str) -> &'n str {
        let may_be_iterated = self.issuer().is_none_or(|issuer| issuer.numbers == Numbers::Parts);
        if !self.draft || !may_be_iterated {
            return number;
        }
        match number.split_once('.') {
            Some((before, _iteration)) => before,
            None => number,
        }
    }

    /// True where the body that gave the number is known to number its documents in this form.
    fn has_numbers(&self, form: Numbers) -> bool {
        self.issuer().is_some_and(|issuer| issuer.numbers == form)
    }
}

/// True where a colon and a year follow, or the dash of an edition that is not published yet.
fn is_year_next(rest: &str) -> bool {
    match rest.strip_prefix(':') {
        Some(year) => year.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-'),
        None => false,
    }
}

/// True for a token that can be the number of a standard of a body that no table has.
fn fits_unknown_body(number: &str, rest: &str, is_dated: bool) -> bool {
    // `CGPM 9th Meeting`.
    if !number.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'.') {
        return false;
    }
    // `HDF 5`.
    if number.len() < 3 && !is_dated {
        return false;
    }
    // `WHO 34/77`; a letter after the slash may begin a supplement.
    match rest.strip_prefix('/') {
        Some(after) => after.starts_with(|c: char| c.is_ascii_alphabetic()),
        None => true,
    }
}

/// One to three capitals, and after at most one space or hyphen the text from a digit on: `R 60-1`.
fn split_series(text: &str) -> Option<(&str, &str)> {
    let (letters, after) = leading(text, |c| c.is_ascii_uppercase())?;
    let number = after.trim_start_matches([' ', '-']);
    let gap = after.len() - number.len();
    if letters.len() > 3 || gap > 1 || !begins_with_digit(number) {
        return None;
    }
    Some((letters, number))
}

fn begins_with_three_digits(text: &str) -> bool {
    match text.as_bytes().first_chunk::<3>() {
        Some(group) => group.iter().all(u8::is_ascii_digit),
        None => false,
    }
}

/// The date of eight digits with hyphens: `20081126` as `2008-11-26`.
fn with_hyphens(date: &str) -> String {
    match (date.get(..4), date.get(4..6), date.get(6..)) {
        (Some(year), Some(month), Some(day)) => format!("{year}-{month}-{day}"),
        _ => date.to_owned(),
    }
}

/// `1234-05` of ASTM is 1234 of 2005; a letter or `e1` counts revisions and corrections within the year.
fn two_digit_year(number: &str) -> Option<(&str, String)> {
    let (number, year) = number.split_once('-')?;
    let (digits, revision) = year.split_at_checked(2)?;
    if !grammar::is_number(digits) {
        return None;
    }
    let begins_with_letter = revision.starts_with(|c: char| c.is_ascii_lowercase());
    if revision.len() > 3 || !revision.is_empty() && !begins_with_letter {
        return None;
    }
    let century = if digits < "40" { "20" } else { "19" };
    Some((number, format!("{century}{digits}")))
}
