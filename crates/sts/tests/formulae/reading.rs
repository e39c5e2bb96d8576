//! A parser of formulae in one line: what a reader takes each bracket, blank and sign for.

use crate::tree::{Item, Scripted, Slot, Tree, normal, token};

/// Signs that are written with blanks around them between two terms.
pub const OPERATORS: &[&str] = &["=", "+", "−", "×", "≤", "⋅"];
/// Names of several letters that are one token; the letters of other words are factors.
pub const WORDS: &[&str] = &["sin", "lim", "Re", "max"];
/// Signs of sums and products.
pub const LARGE: &[char] = &['∑', '∏'];

/// The tree that a line says, in normal form.
pub fn read(line: &str) -> Result<Tree, String> {
    let mut reader = Reader { rest: line };
    let tree = reader.sum()?;
    match reader.rest {
        "" => Ok(normal(&tree)),
        rest => Err(format!("`{rest}` is left over")),
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn next(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn skip(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Takes the characters at the start that are of a kind.
    fn take(&mut self, is_of_kind: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !is_of_kind(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn sum(&mut self) -> Result<Tree, String> {
        let mut items = Vec::new();
        let mut operator = String::new();
        loop {
            let signs = self.take(|c| "−+".contains(c)).to_owned();
            items.push(Item { operator, signs, term: self.product()? });
            let Some(next) = OPERATORS.iter().find(|sign| self.rest.starts_with(&format!(" {sign} "))) else {
                break;
            };
            self.rest = &self.rest[next.len() + 2..];
            operator = (*next).to_owned();
        }
        Ok(Tree::Sum(items))
    }

    fn product(&mut self) -> Result<Tree, String> {
        let mut factors: Vec<Tree> = Vec::new();
        // The first of the factors that a solidus divides: those since the last blank, bracket or root.
        let mut dividend = 0;
        let mut goes_on = false;
        loop {
            if self.rest.starts_with('/') && !factors.is_empty() {
                self.skip("/");
                let over = Tree::Product(factors.split_off(dividend));
                let under = self.signed_factor()?;
                factors.push(Tree::Fraction(Box::new(over), Box::new(under)));
                (dividend, goes_on) = (factors.len(), false);
                continue;
            }
            let operator = OPERATORS.iter().any(|sign| self.rest.starts_with(&format!(" {sign} ")));
            let blank = !operator && self.rest.starts_with(' ');
            if !self.rest[usize::from(blank)..].starts_with(begins_factor) {
                break;
            }
            self.rest = &self.rest[usize::from(blank)..];
            let before = self.rest;
            let factor = self.factor()?;
            let written = &before[..before.len() - self.rest.len()];
            let is_bare = !written.contains(['(', '[', '√']);
            if blank || !is_bare || !goes_on {
                dividend = factors.len();
            }
            goes_on = is_bare;
            factors.push(factor);
        }
        if factors.is_empty() {
            Err(format!("no factor at `{}`", self.rest))
        } else {
            Ok(Tree::Product(factors))
        }
    }

    fn signed_factor(&mut self) -> Result<Tree, String> {
        let signs = self.take(|c| "−+".contains(c)).to_owned();
        let term = self.factor()?;
        Ok(Tree::Sum(vec![Item { operator: String::new(), signs, term }]))
    }

    fn factor(&mut self) -> Result<Tree, String> {
        if self.skip("√") {
            return Ok(Tree::Root(Box::new(self.signed_factor()?)));
        }
        let before = self.slot()?;
        let base = self.base()?;
        let mut after = Vec::new();
        let mut tree = None;
        loop {
            if self.skip("′") {
                // A prime closes what it is written at.
                let base = tree.take().unwrap_or_else(|| base.clone());
                let sup = Some(token("′"));
                let mark = match after.pop() {
                    Some(Slot { sub, sup: None }) => Slot { sub, sup },
                    Some(_) => return Err("a prime after an upper script".to_owned()),
                    None => Slot { sub: None, sup },
                };
                after.push(mark);
                tree = Some(Tree::Scripted(Box::new(Scripted { before: Slot::default(), base, after })));
                after = Vec::new();
                continue;
            }
            let slot = self.slot()?;
            if slot.is_empty() {
                break;
            }
            after.push(slot);
        }
        let base = tree.unwrap_or(base);
        if before.is_empty() && after.is_empty() {
            return Ok(base);
        }
        Ok(Tree::Scripted(Box::new(Scripted { before, base, after })))
    }

    fn base(&mut self) -> Result<Tree, String> {
        match self.next() {
            Some(open @ ('(' | '[')) => self.enclosed(open),
            Some(c) if c.is_ascii_digit() => Ok(self.number()),
            Some(c) if c.is_alphabetic() => Ok(self.name()),
            Some(c) if LARGE.contains(&c) => {
                self.rest = &self.rest[c.len_utf8()..];
                Ok(token(&c.to_string()))
            }
            _ => Err(format!("no operand at `{}`", self.rest)),
        }
    }

    fn enclosed(&mut self, open: char) -> Result<Tree, String> {
        self.rest = &self.rest[open.len_utf8()..];
        let mut members = vec![self.sum()?];
        while self.skip(", ") {
            members.push(self.sum()?);
        }
        let close = self.next().filter(|c| matches!(c, ')' | ']'));
        let close = close.ok_or_else(|| format!("no end of a bracket at `{}`", self.rest))?;
        self.rest = &self.rest[1..];
        Ok(Tree::Enclosed(open, members, close))
    }

    fn number(&mut self) -> Tree {
        token(self.take(|c| c.is_ascii_digit() || c == '.'))
    }

    /// A word if one is here, or else one letter with its accent.
    fn name(&mut self) -> Tree {
        let letters: String = self.rest.chars().take_while(|c| c.is_alphabetic()).collect();
        if let Some(word) = WORDS.iter().find(|word| **word == letters) {
            self.skip(word);
            return token(word);
        }
        let mut end = self.next().map_or(0, char::len_utf8);
        end += self.rest[end..].chars().take_while(|c| *c == '\u{304}').map(char::len_utf8).sum::<usize>();
        let (letter, rest) = self.rest.split_at(end);
        self.rest = rest;
        token(letter)
    }

    fn slot(&mut self) -> Result<Slot, String> {
        let sub = if self.skip("_") { Some(self.lower()?) } else { None };
        let sup = if self.skip("^") { Some(self.upper()?) } else { None };
        Ok(Slot { sub, sup })
    }

    /// A lower script: in brackets, a number, or letters and what is next to them.
    fn lower(&mut self) -> Result<Tree, String> {
        if let Some(open @ ('(' | '[')) = self.next() {
            return self.enclosed(open);
        }
        let signs = self.take(|c| "−+".contains(c)).to_owned();
        let mut factors = vec![self.base()?];
        if !matches!(&factors[0], Tree::Token(text) if text.starts_with(|c: char| c.is_ascii_digit())) {
            while self.next().is_some_and(char::is_alphanumeric) {
                factors.push(self.base()?);
            }
        }
        let mut term = Tree::Product(factors);
        if self.skip("_") {
            let slot = Slot { sub: Some(self.lower()?), sup: None };
            term =
                Tree::Scripted(Box::new(Scripted { before: Slot::default(), base: term, after: vec![slot] }));
        }
        Ok(Tree::Sum(vec![Item { operator: String::new(), signs, term }]))
    }

    /// An upper script: in brackets or one token.
    fn upper(&mut self) -> Result<Tree, String> {
        if let Some(open @ ('(' | '[')) = self.next() {
            return self.enclosed(open);
        }
        let signs = self.take(|c| "−+".contains(c)).to_owned();
        let mut term = self.base()?;
        if self.skip("^") {
            let slot = Slot { sub: None, sup: Some(self.upper()?) };
            term =
                Tree::Scripted(Box::new(Scripted { before: Slot::default(), base: term, after: vec![slot] }));
        }
        Ok(Tree::Sum(vec![Item { operator: String::new(), signs, term }]))
    }
}

fn begins_factor(c: char) -> bool {
    c.is_alphanumeric() || "([√_^".contains(c) || LARGE.contains(&c)
}
