//! Normal form of the parts of a URN by the table of publishers, so that a designation, metadata and a
//! publisher's own URN give the same name.

use super::publishers::{COMMON, Numbers, Publisher, Reach, by_id, find_publisher};
use super::{PartialUrn, UrnError, UrnParts, grammar};

impl UrnParts {
    /// The parts as the publishers' table has them: `bipm-jcgm`, type `guide`, number `106` is JCGM's `106`.
    /// Parts without originator are left as they are.
    pub fn normalized(mut self) -> Self {
        let Some(originator) = self.originator.take() else { return self };
        let mut bodies = bodies(&originator);
        self.one_body(&mut bodies);
        let known: Vec<&Publisher> = bodies.iter().filter_map(|body| by_id(body)).collect();
        // ISO and IEC have one set of directives, whose parts are its documents.
        if self.doc_type.as_deref() == Some("dir") && bodies.first().is_some_and(|body| body == "iso") {
            bodies = vec!["iso".to_owned(), "iec".to_owned()];
            if self.number == "dir"
                && let Some(part) = self.part.take()
            {
                self.number = part;
            }
        }
        let issuer = bodies.last().and_then(|body| by_id(body));
        if let Some(kind) = self.doc_type.as_deref()
            && !known.iter().any(|body| body.kinds.contains(&kind))
            && !(known.len() < bodies.len() && COMMON.contains(&kind))
            && !issuer.is_some_and(|issuer| issuer.letters.iter().any(|(of, _)| *of == kind))
        {
            self.doc_type = None;
        }
        if let Some(issuer) = issuer {
            self.normalize_number(issuer);
        }
        let first = bodies.first().map_or(originator.as_str(), String::as_str);
        self.publisher = by_id(first).map_or_else(
            || first.split('-').next().unwrap_or_default().to_owned(),
            |first| first.namespace().to_owned(),
        );
        self.originator = Some(bodies.join("-"));
        self
    }

    /// Removes redundant bodies: `cen-en` is `en`, `bipm-jcgm` is `jcgm`, `itu` is the sector of the number.
    fn one_body(&mut self, bodies: &mut Vec<String>) {
        let known = |body: &String| by_id(body);
        if let Some(at) = bodies.iter().position(|body| known(body).is_some_and(|p| p.alone))
            && bodies.iter().all(|body| known(body).is_some_and(|p| p.reach == Reach::International))
        {
            *bodies = vec![bodies[at].clone()];
        }
        let after =
            |two: &[String]| by_id(&two[1]).is_some_and(|second| second.after.contains(&two[0].as_str()));
        if let Some(at) = bodies.windows(2).position(after) {
            bodies.remove(at);
        }
        if let [only] = bodies.as_mut_slice()
            && let Some(meant) =
                by_id(only).and_then(|only| (only.meant)(&self.number, self.doc_type.as_deref()))
        {
            *only = meant.to_owned();
        }
    }

    fn normalize_number(&mut self, issuer: &Publisher) {
        match issuer.numbers {
            Numbers::Parts if issuer.splits_parts => self.split_part(),
            Numbers::Parts | Numbers::Yearly => {}
            Numbers::Series => {
                let letter = issuer.letters.iter().find(|(of, _)| self.doc_type.as_deref() == Some(of));
                self.doc_type.take_if(|_| letter.is_some());
                match (letter_and_digits(&self.number), letter) {
                    (Some((letter, digits)), _) => self.number = format!("{letter}-{digits}"),
                    (None, Some((_, letter))) => self.number = format!("{letter}-{}", self.number),
                    (None, None) => {}
                }
                self.split_part();
            }
            Numbers::Glued => {
                if let Some((letter, digits)) = letter_and_digits(&self.number) {
                    self.number = format!("{letter}{digits}");
                }
            }
            Numbers::Whole => {
                if let Some(kind) = issuer.usual_kind.filter(|_| self.doc_type.is_none()) {
                    let digits =
                        self.number.strip_prefix(kind).unwrap_or(&self.number).trim_start_matches('-');
                    if grammar::is_number(digits) {
                        (self.doc_type, self.number) = (Some(kind.to_owned()), digits.to_owned());
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
            Numbers::Revised => {
                if let Some((number, _)) = self.number.split_once('-') {
                    self.number = number.to_owned();
                }
                self.part = None;
            }
            Numbers::Grouped => {
                let groups: Vec<&str> = self.number.splitn(3, '-').collect();
                if let [first, second, rest @ ..] = groups.as_slice()
                    && [first, second].iter().all(|group| group.len() == 3 && grammar::is_number(group))
                {
                    let rest = rest.first().map(|&rest| rest.to_owned());
                    self.part = match (rest, self.part.take()) {
                        (Some(rest), Some(part)) if rest != part => Some(format!("{rest}-{part}")),
                        (rest, part) => rest.or(part),
                    };
                    self.number = [*first, *second].concat();
                } else {
                    self.split_part();
                }
            }
            Numbers::Named => {
                if self.number.contains("si-brochure") || self.number.starts_with("brochure-sur-le-si") {
                    self.number = "si-brochure".to_owned();
                }
            }
        }
    }

    /// Parts that are written into the number: `17301-1`, `r-60-1`.
    fn split_part(&mut self) {
        let letters = self.number.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
        let Some(hyphen) = self.number[letters..].find('-').map(|at| letters + at) else { return };
        let digits = &self.number[letters..hyphen];
        if self.part.is_none()
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        {
            self.part = Some(self.number[hyphen + 1..].to_owned());
            self.number.truncate(hyphen);
        }
    }

    /// Whether this is a document of an update series, for which several states are stored together.
    pub fn is_updated(&self) -> bool {
        let issuer = self.originator.as_deref().and_then(by_id);
        issuer.is_some_and(|issuer| issuer.updates(&self.number))
    }
}

impl PartialUrn {
    /// Whether one of the bodies of the document drafts by the ISO/IEC Directives, Part 2, or by the adoption
    /// of them in CEN and CENELEC: `din-en-iso` does, `din` alone does not.
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

/// The bodies of an originator by their ids, each once: `ieee-ieee` is `ieee`, `bsi-en` is `bs`, `en`.
fn bodies(originator: &str) -> Vec<String> {
    if let Some(whole) = find_publisher(originator) {
        return vec![whole.id.to_owned()];
    }
    let words: Vec<&str> = originator.split('-').collect();
    let (mut bodies, mut at) = (Vec::<String>::new(), 0);
    while at < words.len() {
        let pair = words.get(at..at + 2).and_then(|two| find_publisher(&two.join("-")));
        let (body, width) = match pair.map(|p| (p, 2)).or_else(|| find_publisher(words[at]).map(|p| (p, 1))) {
            Some((known, width)) => (known.id.to_owned(), width),
            None => (words[at].to_owned(), 1),
        };
        if !body.is_empty() && !bodies.contains(&body) {
            bodies.push(body);
        }
        at += width;
    }
    // Words of a name that no table has are one body.
    if bodies.iter().all(|body| by_id(body).is_none()) { vec![originator.to_owned()] } else { bodies }
}

/// `r60`, `r-60` and `r.60` are the letter `r` and `60`.
fn letter_and_digits(number: &str) -> Option<(&str, &str)> {
    let letters = number.find(|c: char| !c.is_ascii_alphabetic()).filter(|end| (1..=3).contains(end))?;
    let digits = number[letters..].trim_start_matches('-');
    digits.starts_with(|c: char| c.is_ascii_digit()).then_some((&number[..letters], digits))
}
