//! Normal form of the parts of a URN by the table of publishers, so that a designation, metadata and a
//! publisher's own URN give the same name.

use super::prefix::{begins_with_digit, leading};
use super::publishers::{COMMON, Numbers, Publisher, Reach, by_id, find_publisher};
use super::{PartialUrn, UrnError, UrnParts, grammar};

impl UrnParts {
    /// The parts as the publishers' table has them: `bipm-jcgm`, type `guide`, number `106` is JCGM's `106`.
    /// Parts without originator are left as they are.
    pub fn normalized(mut self) -> Self {
        let Some(originator) = self.originator.take() else { return self };
        let mut bodies = bodies(&originator);
        self.remove_redundant(&mut bodies);
        // ISO and IEC have one set of directives, whose parts are its documents.
        if self.doc_type.as_deref() == Some("dir") && bodies.first().is_some_and(|body| body == "iso") {
            bodies = vec!["iso".to_owned(), "iec".to_owned()];
            if self.number == "dir"
                && let Some(part) = self.part.take()
            {
                self.number = part;
            }
        }
        if let Some(kind) = self.doc_type.as_deref()
            && !is_part_of_name(kind, &bodies)
        {
            self.doc_type = None;
        }
        if let Some(issuer) = bodies.last().and_then(|body| by_id(body)) {
            self.normalize_number(issuer);
        }
        let first = bodies.first().unwrap_or(&originator);
        let namespace = match by_id(first) {
            Some(known) => known.namespace(),
            None => first.split('-').next().unwrap_or_default(),
        };
        self.publisher = namespace.to_owned();
        self.originator = Some(bodies.join("-"));
        self
    }

    /// Removes redundant bodies: `cen-en` is `en`, `bipm-jcgm` is `jcgm`, `itu` is the sector of the number.
    fn remove_redundant(&self, bodies: &mut Vec<String>) {
        let alone = bodies.iter().position(|body| by_id(body).is_some_and(|known| known.alone));
        if let Some(at) = alone
            && bodies.iter().all(|body| is_international(body))
        {
            *bodies = vec![bodies[at].clone()];
        }
        for at in 1..bodies.len() {
            let before = bodies[at - 1].as_str();
            if by_id(&bodies[at]).is_some_and(|known| known.after.contains(&before)) {
                bodies.remove(at - 1);
                break;
            }
        }
        let [only] = bodies.as_mut_slice() else { return };
        let Some(known) = by_id(only) else { return };
        if let Some(meant) = (known.meant)(&self.number, self.doc_type.as_deref()) {
            *only = meant.to_owned();
        }
    }

    fn normalize_number(&mut self, issuer: &Publisher) {
        match issuer.numbers {
            Numbers::Parts if issuer.splits_parts => self.split_part(),
            Numbers::Parts | Numbers::Yearly => {}
            Numbers::Series => self.normalize_series(issuer),
            Numbers::Glued => {
                if let Some((letter, digits)) = letter_and_digits(&self.number) {
                    self.number = format!("{letter}{digits}");
                }
            }
            Numbers::Whole => self.normalize_whole(issuer),
            Numbers::Revised => {
                // After the hyphen is the edition.
                if let Some((number, _edition)) = self.number.split_once('-') {
                    self.number = number.to_owned();
                }
                self.part = None;
            }
            Numbers::Grouped => self.normalize_groups(),
            Numbers::Named => {
                if self.number.contains("si-brochure") || self.number.starts_with("brochure-sur-le-si") {
                    self.number = "si-brochure".to_owned();
                }
            }
        }
    }

    /// Writes a hyphen after the letter of a series. Without a letter, its kind says which series it is.
    fn normalize_series(&mut self, issuer: &Publisher) {
        let letter_of_kind = self.doc_type.as_deref().and_then(|kind| issuer.letter_of(kind));
        if letter_of_kind.is_some() {
            self.doc_type = None;
        }
        if let Some((letter, digits)) = letter_and_digits(&self.number) {
            self.number = format!("{letter}-{digits}");
        } else if let Some(letter) = letter_of_kind {
            self.number = format!("{letter}-{}", self.number);
        }
        self.split_part();
    }

    /// Adds the usual kind to a bare number, drops a revision, and writes the part into the number.
    fn normalize_whole(&mut self, issuer: &Publisher) {
        if self.doc_type.is_none()
            && let Some(kind) = issuer.usual_kind
        {
            let after_kind = self.number.strip_prefix(kind).unwrap_or(&self.number);
            let digits = after_kind.trim_start_matches('-');
            if grammar::is_number(digits) {
                self.number = digits.to_owned();
                self.doc_type = Some(kind.to_owned());
            }
        }
        if let Some(letter) = issuer.revision
            && let Some((number, revision)) = self.number.rsplit_once(letter)
            && grammar::is_number(revision)
        {
            self.number = number.to_owned();
        }
        if let Some(part) = self.part.take() {
            self.number = format!("{}-{part}", self.number);
        }
    }

    /// Joins two groups of three digits; what follows them is the part: `102-822-3` is part 3 of `102822`.
    fn normalize_groups(&mut self) {
        let groups: Vec<&str> = self.number.splitn(3, '-').collect();
        let [first, second, after @ ..] = groups.as_slice() else { return self.split_part() };
        if !is_group(first) || !is_group(second) {
            return self.split_part();
        }
        if let Some(part_in_number) = after.first() {
            self.part = match &self.part {
                Some(part) if part != part_in_number => Some(format!("{part_in_number}-{part}")),
                _ => Some((*part_in_number).to_owned()),
            };
        }
        self.number = format!("{first}{second}");
    }

    /// Parts that are written into the number: `17301-1`, `r-60-1`.
    fn split_part(&mut self) {
        if self.part.is_some() {
            return;
        }
        let digits_start = self.number.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
        let Some(hyphen) = self.number[digits_start..].find('-') else { return };
        let digits_end = digits_start + hyphen;
        let digits = &self.number[digits_start..digits_end];
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return;
        }
        self.part = Some(self.number[digits_end + 1..].to_owned());
        self.number.truncate(digits_end);
    }

    /// True for a document of an update series, for which several states are stored together.
    pub fn is_updated(&self) -> bool {
        let Some(originator) = &self.originator else { return false };
        by_id(originator).is_some_and(|issuer| issuer.updates(&self.number))
    }
}

impl PartialUrn {
    /// True where one of the bodies of the document drafts by the ISO/IEC Directives, Part 2, or by the
    /// adoption of them in CEN and CENELEC: `din-en-iso` does, `din` alone does not.
    pub fn follows_directives(&self) -> bool {
        let originator = self.originator().unwrap_or(self.publisher());
        bodies(originator).iter().filter_map(|body| by_id(body)).any(|body| body.follows_directives)
    }

    /// This URN in the normal form of its publisher ([`UrnParts::normalized`]).
    ///
    /// # Errors
    /// Those of [`PartialUrn::new`].
    pub fn normalized(&self) -> Result<Self, UrnError> {
        Self::new(self.parts().normalized())
    }
}

/// True for a kind of document that is a part of the names that these bodies give.
fn is_part_of_name(kind: &str, bodies: &[String]) -> bool {
    let mut has_unknown = false;
    for body in bodies {
        match by_id(body) {
            Some(known) if known.kinds.contains(&kind) => return true,
            Some(_) => {}
            None => has_unknown = true,
        }
    }
    if has_unknown && COMMON.contains(&kind) {
        return true;
    }
    // It is needed once more, for the letter of a series.
    let issuer = bodies.last().and_then(|body| by_id(body));
    issuer.is_some_and(|issuer| issuer.letter_of(kind).is_some())
}

fn is_international(body: &str) -> bool {
    by_id(body).is_some_and(|known| known.reach == Reach::International)
}

/// The bodies of an originator by their ids, each once: `ieee-ieee` is `ieee`, `bsi-en` is `bs`, `en`.
fn bodies(originator: &str) -> Vec<String> {
    if let Some(whole) = find_publisher(originator) {
        return vec![whole.id.to_owned()];
    }
    let words: Vec<&str> = originator.split('-').collect();
    let mut bodies: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let mut body = words[at];
        let mut width = 1;
        let pair = words.get(at..at + 2).and_then(|two| find_publisher(&two.join("-")));
        if let Some(known) = pair {
            body = known.id;
            width = 2;
        } else if let Some(known) = find_publisher(body) {
            body = known.id;
        }
        if !body.is_empty() && !bodies.iter().any(|other| other == body) {
            bodies.push(body.to_owned());
        }
        at += width;
    }
    // Words of a name that no table has are one body.
    if bodies.iter().all(|body| by_id(body).is_none()) {
        return vec![originator.to_owned()];
    }
    bodies
}

/// True for one group of a number of ETSI: three digits.
fn is_group(text: &str) -> bool {
    text.len() == 3 && grammar::is_number(text)
}

/// Up to three letters and the number after them: `r60` and `r-60` are `r` and `60`.
fn letter_and_digits(number: &str) -> Option<(&str, &str)> {
    let (letters, after) = leading(number, |c| c.is_ascii_alphabetic())?;
    let digits = after.trim_start_matches('-');
    if letters.len() > 3 || !begins_with_digit(digits) {
        return None;
    }
    Some((letters, digits))
}
