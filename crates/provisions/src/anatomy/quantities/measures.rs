//! Numbers and units at a byte of a text: signs and powers as words, divisors and shares of units.

use norma_model::Comparator;

use super::QuantityScan;
use super::comparison::ComparatorEvidence;
use crate::anatomy::numbers::{Number, number_at, shifted};
use crate::anatomy::units::{ParsedUnit, size, unit_at};

impl QuantityScan<'_> {
    pub(super) fn number(&self, at: usize) -> Option<Number> {
        // Most words are no numbers.
        let word = &self.lower[at..self.word_end(at)];
        if word.starts_with(char::is_alphabetic) && !self.table.numbers.may_begin(word) {
            return self.signed(word, at);
        }
        let mut number = number_at(self.text, at, self.notation())?;
        self.multiply(&mut number);
        let after = &self.text[number.range.end..];
        let mut rest = after.chars();
        let (next, second) = (rest.next(), rest.next());
        // A version, a date, a time, a clause: not this number.
        let joined = next.is_some_and(|c| ".:/,".contains(c)) && second.is_some_and(|c| c.is_ascii_digit());
        let code = matches!(next, Some('-' | '\u{2011}')) && second.is_some_and(|c| c.is_ascii_digit());
        let ranged =
            code && self.unit(number.range.end + next.map_or(0, char::len_utf8) + digits(after)).is_some();
        (!joined && (!code || ranged) && !after.starts_with(['^', '_'])).then_some(number)
    }

    /// A number behind its sign as a word: `minus 5`.
    pub(super) fn signed(&self, word: &str, at: usize) -> Option<Number> {
        if !self.table.minus.iter().any(|minus| minus == word) {
            return None;
        }
        let start = at + word.len();
        let start =
            start + self.text[start..].chars().next().filter(|c| matches!(c, ' ' | '\u{a0}'))?.len_utf8();
        let number = number_at(self.text, start, self.digits())?;
        // “au moins 5 kg” is a limit.
        let is_limit = self.lower[..at].trim_end().ends_with(char::is_alphanumeric)
            && self.comparison(&number.range) == ComparatorEvidence::Stated(Comparator::AtLeast);
        let value = number.value.filter(|value| !is_limit && !value.starts_with('-'))?;
        Some(Number { range: at..number.range.end, value: Some(["-", &value].concat()), word: false })
    }

    /// Reads the word for a power of ten behind a number: `3 million`, `3 millions de`. What goes on behind
    /// it (`two hundred and
    /// fifty`) is not read.
    pub(super) fn multiply(&self, number: &mut Number) {
        let rest = self.lower[number.range.end..].trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        let after =
            |word: &str| rest.strip_prefix(word).filter(|after| !after.starts_with(char::is_alphanumeric));
        let mut multiples = self.table.multiples.iter();
        let Some((after, power)) = multiples.find_map(|(word, power)| Some((after(word)?, *power))) else {
            return;
        };
        let mut words = after.split_whitespace().skip_while(|word| self.coordinators(word));
        let goes_on = words.next().is_some_and(|next| self.table.numbers.may_begin(next));
        number.value = number.value.take().filter(|_| !goes_on).map(|value| shifted(&value, power));
        let partitive = |word: &String| after.strip_prefix(' ')?.strip_prefix(word.as_str());
        let unit = self.table.partitive.iter().find_map(partitive).unwrap_or(after);
        number.range.end = self.text.len() - unit.len();
    }

    pub(super) fn coordinators(&self, word: &str) -> bool {
        self.table.coordinators.iter().any(|coordinator| coordinator == word)
    }

    /// The unit after a number, with its divisor.
    pub(super) fn unit(&self, at: usize) -> Option<ParsedUnit> {
        let unit = self.plain_unit(at)?;
        let unit = self.divided(&unit).unwrap_or(unit);
        Some(self.with_share(unit))
    }

    /// A percentage with what it is a share of: `% by mass`.
    pub(super) fn with_share(&self, unit: ParsedUnit) -> ParsedUnit {
        let end = unit.range.end;
        let rest = &self.lower[end..];
        let behind = |share: &String| {
            let after = rest.strip_prefix([' ', '\u{a0}'])?.strip_prefix(share.as_str())?;
            (!after.starts_with(char::is_alphanumeric)).then_some(self.lower.len() - after.len())
        };
        let is_share = matches!(unit.ucum.as_deref(), Some("%" | "[ppm]" | "[ppth]"));
        let share = if is_share { self.table.by_share.iter().find_map(behind) } else { None };
        ParsedUnit { range: unit.range.start..share.unwrap_or(end), ucum: unit.ucum }
    }

    /// `litres per minute`, `g per 100 g`, `kN per strand`, `mSv im Jahr`.
    pub(super) fn divided(&self, unit: &ParsedUnit) -> Option<ParsedUnit> {
        let rest = &self.lower[unit.range.end..];
        let after = |words: &[String]| {
            words
                .iter()
                .find_map(|word| rest.strip_prefix(' ')?.strip_prefix(word.as_str())?.strip_prefix(' '))
        };
        let slash = rest.strip_prefix('/');
        let divisor = slash.or_else(|| after(&self.table.per));
        let of_time = divisor.is_none();
        let start = self.text.len() - divisor.or_else(|| after(&self.table.per_time))?.len();
        let whole = |end: usize, ucum| Some(ParsedUnit { range: unit.range.start..end, ucum });
        if let Some(number) = number_at(self.text, start, self.digits()) {
            // “5 mm/6 mm” are two values.
            let hundred = self.text[number.range.clone()].trim_end_matches('0') == "1";
            let of = self.plain_unit(number.range.end).filter(|_| hundred || slash.is_none())?;
            return whole(of.range.end, None).filter(|_| !of_time);
        }
        if let Some(of) = unit_at(self.text, start, &self.table.units) {
            let is_time = of.ucum.as_deref().and_then(size).is_some_and(|(base, _)| base == "s");
            let dated = self.text[of.range.end..].trim_start().starts_with(|c: char| c.is_ascii_digit());
            let ucum = unit.ucum.as_ref().zip(of.ucum).map(|(unit, of)| [unit, of.as_str()].join("/"));
            return whole(of.range.end, ucum).filter(|_| !of_time || is_time && !dated);
        }
        let end = self.word_end(start);
        let (word, own) = (&self.lower[start..end], &self.text[start..end]);
        let listed = [&self.table.labels, &self.table.function_words, &self.table.per_phrases]
            .iter()
            .any(|l| l.iter().any(|w| w == word));
        let noun = own.starts_with(char::is_uppercase) == self.table.plurals.is_empty()
            && own.len() > 2
            && own.chars().all(char::is_alphabetic);
        whole(end, None).filter(|_| noun && !listed && !of_time)
    }

    /// The unit after a number: directly, after a blank or a hyphen, or after the bracket that closes.
    pub(super) fn plain_unit(&self, at: usize) -> Option<ParsedUnit> {
        let rest = &self.text[at..];
        let glue = rest
            .chars()
            .next()
            .filter(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '-' | '\u{2011}'));
        let at = at + glue.map_or(0, char::len_utf8);
        let unit = unit_at(self.text, at, &self.table.units)?;
        let hyphen = matches!(glue, Some('-' | '\u{2011}'));
        let symbol = unit.range.len() < 3;
        // “degrees of freedom”, “3-A-12”.
        let freedom =
            [" of freedom", " de liberté"].iter().any(|words| self.text[unit.range.end..].starts_with(words));
        let code = hyphen && symbol && self.text[unit.range.end..].starts_with('-');
        (!freedom && !code).then_some(unit)
    }

    /// The end of the word around this byte.
    pub(super) fn word_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        at + rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())
    }
}

fn digits(after: &str) -> usize {
    let second = after.chars().next().map_or("", |c| &after[c.len_utf8()..]);
    second.bytes().take_while(u8::is_ascii_digit).count()
}
