//! Numbers of designations, as each publisher writes them.

use super::alias::is_date;
use super::designation::DesignationParts;
use super::grammar;
use super::publishers::{Numbers, Publisher, Reach};

impl DesignationParts {
    /// Reads the number; returns the rest of the text.
    pub(super) fn read_number<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        self.bodies.first()?;
        // `ISO/IEC Directives, Part 2`.
        let text = text.strip_prefix("Part ").filter(|_| self.kind == Some("dir")).unwrap_or(text);
        let Some(issuer) = self.issuer() else { return self.read_plain(text, None) };
        if self.bodies.last().is_some_and(|body| body == "en" || body == "etsi")
            && let Some(rest) = self.read_grouped(text)
        {
            if self.issuer().is_some_and(|issuer| issuer.id == "en") {
                (self.bodies, self.kind) = (vec!["etsi".to_owned()], Some("en"));
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
        // `MOHR 2008`, `CGPM 9th Meeting`, `HDF 5` and `WHO 34/77` are not standards.
        let plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'.');
        let year = rest.strip_prefix(':').map(str::trim_start);
        let dated = year.is_some_and(|year| year.starts_with(|c: char| c.is_ascii_digit() || c == '-'));
        let a_year = is_date(number) && !dated && self.kind.is_none();
        let divided =
            rest.strip_prefix('/').is_some_and(|r| !r.starts_with(|c: char| c.is_ascii_alphabetic()));
        let short = number.len() < 3 && !dated;
        let fits = match issuer {
            None => plain && !a_year && !divided && !short,
            Some(issuer) if issuer.splits_parts => number.starts_with(|c: char| c.is_ascii_digit()),
            Some(issuer) => !(a_year && issuer.reach == Reach::International),
        };
        if !fits {
            return None;
        }
        self.set_number(number, rest);
        Some(rest)
    }

    /// A letter, which may be apart, and a number.
    fn read_series<'t>(&mut self, text: &'t str, issuer: &Publisher) -> Option<&'t str> {
        let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
        let after = text[letters..].trim_start_matches([' ', '-']);
        let gap = text.len() - letters - after.len();
        let has_letter =
            (1..=3).contains(&letters) && gap <= 1 && after.starts_with(|c: char| c.is_ascii_digit());
        if !has_letter {
            // OIML and IHO have no numbers without a series.
            let refused = issuer.numbers == Numbers::Series && issuer.reach == Reach::International;
            return if refused { None } else { self.read_plain(text, Some(issuer)) };
        }
        let (number, rest) = token(after)?;
        let letter = text[..letters].to_ascii_lowercase();
        if issuer.id == "ieee" && letter == "p" {
            self.draft = true;
            self.set_number(number, rest);
            return Some(rest);
        }
        if issuer.id == "astm"
            && let Some((number, year)) = two_digit_year(number)
        {
            let digits = after.len() - number.len();
            self.dates.push((digits, rest.len()));
            (self.number, self.dated, self.year) = (format!("{letter}{number}"), true, Some(year));
            return Some(rest);
        }
        self.set_number(number, rest);
        let joint = if issuer.numbers == Numbers::Series { "-" } else { "" };
        self.number = format!("{letter}{joint}{}", self.number);
        // `C22.2 No. 14` of CSA.
        match rest.strip_prefix(" No. ").and_then(token) {
            Some((part, rest)) if self.part.is_none() => {
                self.part = Some(part.to_owned());
                Some(rest)
            }
            _ => Some(rest),
        }
    }

    /// A number or short name in which hyphens separate no parts.
    fn read_token<'t>(&mut self, text: &'t str, issuer: &Publisher) -> Option<&'t str> {
        let (name, rest) = token(text.trim_start_matches("N°").trim_start())?;
        let digits = name.bytes().any(|b| b.is_ascii_digit());
        let short_name = matches!(issuer.id, "w3c" | "oasis") && name.contains('-');
        if !digits && !short_name || is_date(name) && self.kind.is_none() {
            return None;
        }
        match issuer.id {
            "w3c" => {
                let levels = ["REC-", "WD-", "CR-", "PR-", "PER-", "NOTE-", "CRD-"];
                let name = levels.iter().find_map(|level| name.strip_prefix(level)).unwrap_or(name);
                let dated =
                    name.rsplit_once('-').filter(|(_, date)| date.len() == 8 && is_date(&with_hyphens(date)));
                self.number = dated.map_or(name, |(name, _)| name).to_owned();
                self.year = dated.map(|(_, date)| with_hyphens(date));
                self.dated = dated.is_some();
            }
            "nist" => {
                let revision = name.rfind('r').filter(|at| grammar::is_number(&name[at + 1..]));
                self.number = name[..revision.unwrap_or(name.len())].to_owned();
                self.dated = revision.is_some();
                self.dates.extend(revision.map(|at| (name.len() - at + rest.len(), rest.len())));
            }
            "un" if name.starts_with('R') && grammar::is_number(&name[1..]) => {
                (self.kind, self.number) = (Some("regulation"), name[1..].to_owned());
            }
            _ => self.number = name.to_owned(),
        }
        Some(rest)
    }

    /// Documents that BIPM names by words.
    fn read_named<'t>(&mut self, text: &'t str, issuer: &Publisher) -> Option<&'t str> {
        for name in ["SI Brochure", "Brochure sur le SI", "SI brochure"] {
            if let Some(rest) = text.strip_prefix(name) {
                self.number = "si-brochure".to_owned();
                // Edition, version and years: `9e v3.01 (2019/2024, E)`.
                let end = rest.find([':', ';']).unwrap_or(rest.len());
                return Some(&rest[end..]);
            }
        }
        if let Some(rest) = text.strip_prefix("SI MEP ") {
            let (name, rest) = leading(rest, |c| c.is_ascii_alphanumeric())?;
            self.number = format!("si-mep-{name}");
            return Some(rest);
        }
        let (name, rest) = token(text)?;
        // `CCL-GD-MeP-1-2.2 A2` is an appendix of a part of `CCL-GD-MeP-1`.
        if let Some(digits) =
            name.find(|c: char| c.is_ascii_digit()).filter(|&at| at > 0 && name.contains("-GD-"))
        {
            let end = name[digits..].find('-').map_or(name.len(), |at| digits + at);
            self.number = name[..end].to_owned();
            let appendix = rest.strip_prefix(" A").and_then(|rest| leading(rest, |c| c.is_ascii_digit()));
            let part = [name[end..].trim_start_matches('-').to_owned()]
                .into_iter()
                .chain(appendix.map(|(number, _)| format!("a{number}")))
                .filter(|part| !part.is_empty());
            let part = part.collect::<Vec<_>>().join("-");
            self.part = (!part.is_empty()).then_some(part);
            return Some(appendix.map_or(rest, |(_, rest)| rest));
        }
        self.read_plain(text, Some(issuer))
            .filter(|_| !self.number.contains(|c: char| c.is_ascii_uppercase()))
    }

    /// Outcomes of a meeting: `RES 7 (1948)`, `DECL (1889)`, `DECN 106-10 (2017)`, `Resolution 1948-07`.
    fn read_yearly<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        self.kind?;
        let (first, rest) = match leading(text, |c| c.is_ascii_digit() || c == '-') {
            Some((first, rest)) => (first.trim_matches('-'), rest),
            None => ("", text),
        };
        let bracket = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (year, rest) = match bracket.filter(|(year, _)| is_date(year)) {
            Some((year, rest)) => (Some(year), rest),
            None => (None, rest),
        };
        // Of `106-10` the first is the meeting, of `1948-07` the year.
        let (before, number) = first.split_once('-').unwrap_or(("", first));
        let (year, number) = match year {
            Some(year) => (year, number),
            None if is_date(before) => (before, number),
            None if is_date(number) => (number, ""),
            None => return None,
        };
        let number = number.trim_start_matches('0');
        self.number = if number.is_empty() { year.to_owned() } else { format!("{year}-{number}") };
        (self.year, self.dated) = (Some(year.to_owned()), true);
        Some(rest)
    }

    /// Two groups of three digits, parts, and perhaps a version: `102 822-3-1 V1.7.1`.
    pub(super) fn read_grouped<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let three = |text: &str| text.len() >= 3 && text.as_bytes()[..3].iter().all(u8::is_ascii_digit);
        let second = text.get(3..)?.strip_prefix(' ').filter(|second| three(text) && three(second))?;
        let (end, rest) = token(second)?;
        let (digits, part) = end.split_at(3);
        if !part.is_empty() && !part.starts_with('-') {
            return None;
        }
        self.number = format!("{}{digits}", &text[..3]);
        self.part = Some(part.trim_start_matches('-').to_owned()).filter(|part| !part.is_empty());
        let version =
            rest.strip_prefix(" V").and_then(|rest| leading(rest, |c| c.is_ascii_digit() || c == '.'));
        self.dated = version.is_some();
        Some(version.map_or(rest, |(_, rest)| rest))
    }

    /// Splits a number: `60068-2-30-2005` has the parts `2-30` and the year 2005.
    fn set_number(&mut self, number: &str, rest: &str) {
        // The year is part of a number of IEEE; converters put another one after it: `987.6-2020:2021`.
        let ends_with_year = |issuer: &Publisher| issuer.numbers == Numbers::Glued && !issuer.splits_parts;
        let has_no_year = rest.starts_with(':') && !self.issuer().is_some_and(ends_with_year);
        let (number, year) = match number.rsplit_once('-') {
            Some((number, year)) if year.len() == 4 && is_date(year) && !has_no_year => {
                self.dates.push((rest.len() + "-2020".len(), rest.len()));
                (number, Some(year))
            }
            _ => (number, None),
        };
        let (number, part) = match number.split_once('-') {
            Some((n, part)) if n.bytes().all(|b| b.is_ascii_digit() || b == b'.') || self.is_series() => {
                (n, Some(part))
            }
            _ => (number, None),
        };
        let revised = self.issuer().is_some_and(|issuer| issuer.numbers == Numbers::Revised);
        // The number of a draft is followed by the iteration: `ISO/FDTR 99999.2`.
        let iterated = |text: &str| match text.split_once('.') {
            Some((before, _))
                if self.draft && self.issuer().is_none_or(|issuer| issuer.numbers == Numbers::Parts) =>
            {
                before.to_owned()
            }
            _ => text.to_owned(),
        };
        (self.number, self.part) = (iterated(number), part.filter(|part| !part.is_empty()).map(iterated));
        (self.dated, self.year) = (year.is_some(), year.map(str::to_owned));
        if revised && let Some((number, revision)) = self.number.clone().split_once('-') {
            self.dates.push((rest.len() + 1 + revision.len(), rest.len()));
            (self.number, self.dated) = (number.to_owned(), true);
        }
    }

    fn is_series(&self) -> bool {
        self.issuer().is_some_and(|issuer| issuer.numbers == Numbers::Series)
    }
}

/// The leading characters that fit and the rest; `None` when the first does not fit.
pub(super) fn leading(text: &str, fits: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !fits(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Letters, digits, full stops and hyphens, of which the last is a letter or digit.
fn token(text: &str) -> Option<(&str, &str)> {
    let (token, _) = leading(text, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))?;
    let token = token.trim_end_matches(['.', '-']);
    let fits = token.starts_with(|c: char| c.is_ascii_alphanumeric());
    fits.then(|| (token, &text[token.len()..]))
}

/// `20081126` as `2008-11-26`.
fn with_hyphens(date: &str) -> String {
    match (date.get(..4), date.get(4..6), date.get(6..)) {
        (Some(year), Some(month), Some(day)) => format!("{year}-{month}-{day}"),
        _ => date.to_owned(),
    }
}

/// `1234-05` of ASTM is 1234 of 2005; a letter or `e1` counts revisions and corrections within the year.
fn two_digit_year(number: &str) -> Option<(&str, String)> {
    let (number, year) = number.split_once('-')?;
    let digits = year.get(..2).filter(|digits| grammar::is_number(digits))?;
    let rest = &year[2..];
    let short = rest.len() <= 3 && rest.bytes().next().is_none_or(|b| b.is_ascii_lowercase());
    let century = if digits < "40" { "20" } else { "19" };
    short.then(|| (number, format!("{century}{digits}")))
}
