//! From the text of a query to what must match.
//!
//! `"a phrase"`, `-excluded`, `prefix*` (of three letters or more); everything else is literal. Words that
//! are joined without white space, and a number with its unit, are a phrase.

use norma_model::Lang;

use crate::analyse::{Token, analyse_query, key_term, reversed};
use crate::stem::{STEM_LANGUAGES, stem};
use crate::vocabulary::is_quantity_unit;

/// Longest query, in bytes.
pub const MAX_QUERY_BYTES: usize = 1000;
/// Letters of the shortest prefix that `*` may follow: shorter ones match most words of a language.
const SHORTEST_PREFIX: usize = 3;
/// Letters of the shortest word that finds longer German words by their beginning or end.
const SHORTEST_PART: usize = 5;
/// Letters of the shortest stem of such a word.
const SHORTEST_PART_STEM: usize = 4;

/// A query as it is evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextQuery {
    /// All of these must match.
    pub(crate) clauses: Vec<Clause>,
    /// None of these may match.
    pub(crate) excluded: Vec<Clause>,
    /// The words in their order, which decide on phrases and whole titles.
    pub(crate) sequence: Clause,
    /// Words of a title that is the whole query, and those of them before the first of `sequence`.
    pub(crate) title_words: u32,
    pub(crate) title_start: u32,
    /// The text as typed, which is compared with identifiers, references and labels.
    pub(crate) key: String,
}

/// Words at fixed distances; most often one word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clause(pub(crate) Vec<Element>);

/// One word of a query, in all its forms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    /// Number of words of the query before it.
    pub(crate) offset: u32,
    /// Tokens that it matches.
    pub(crate) terms: Vec<String>,
    /// Beginning of words that it matches.
    pub(crate) prefix: Option<String>,
    /// Beginnings of parts of words that it matches.
    pub(crate) parts: Vec<String>,
    /// Whether it is a designation, which also matches the units of that document.
    pub(crate) is_designation: bool,
}

/// Why a text is not a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseQueryError {
    /// Without letters and digits.
    #[error("found no words; write at least one")]
    Blank,
    /// Control characters.
    #[error("found a control character; write words with spaces between them")]
    ControlCharacter,
    /// Too many bytes.
    #[error("found more than {MAX_QUERY_BYTES} bytes; write fewer words")]
    TooLong,
    /// Too many words, with the limit.
    #[error("found more than {0} words (`max-query-words`); write fewer")]
    TooManyWords(usize),
    /// Only words with a minus sign.
    #[error("found only excluded words; add a word to find")]
    OnlyExcluded,
}

/// A piece of the text between signs of the syntax.
enum Piece {
    Plain(String),
    Phrase(String),
    Prefix(String),
}

impl TextQuery {
    /// Reads a query. `language` is the one language to stem by; without it English, French and German are
    /// tried. At most `max_words` words are allowed.
    ///
    /// # Errors
    /// Says what is wrong with the text, and what to write.
    pub fn parse(text: &str, language: Option<&Lang>, max_words: usize) -> Result<Self, ParseQueryError> {
        if text.len() > MAX_QUERY_BYTES {
            return Err(ParseQueryError::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(ParseQueryError::ControlCharacter);
        }
        let languages: Vec<&str> =
            language.map_or(STEM_LANGUAGES.to_vec(), |language| vec![language.primary()]);
        let reader = PieceReader { languages, stems_all: language.is_none() };
        let pieces = pieces(text);
        let tokens: Vec<Vec<Token>> = pieces.iter().map(|(_, piece)| reader.tokens(piece)).collect();
        if tokens.iter().map(Vec::len).sum::<usize>() > max_words {
            return Err(ParseQueryError::TooManyWords(max_words));
        }
        let only_stop_words = pieces.iter().zip(&tokens).all(|((excluded, piece), tokens)| {
            *excluded || matches!(piece, Piece::Plain(_)) && tokens.iter().all(Token::is_stop_word)
        });
        let mut query = Self {
            clauses: Vec::new(),
            excluded: Vec::new(),
            sequence: Clause::default(),
            title_words: 0,
            title_start: 0,
            key: key_term(text),
        };
        let mut offset = 0;
        for ((excluded, piece), tokens) in pieces.iter().zip(&tokens) {
            let clauses = reader.clauses(piece, tokens, only_stop_words || *excluded);
            let words = tokens.last().map_or(0, |last| last.position + 1);
            if *excluded {
                query.excluded.extend(clauses);
                continue;
            }
            let moved = |element: &Element| Element { offset: element.offset + offset, ..element.clone() };
            query.sequence.0.extend(clauses.iter().flat_map(|clause| clause.0.iter().map(moved)));
            query.clauses.extend(clauses);
            offset += words;
        }
        match (query.clauses.is_empty(), query.excluded.is_empty()) {
            (true, true) => return Err(ParseQueryError::Blank),
            (true, false) => return Err(ParseQueryError::OnlyExcluded),
            _ => {}
        }
        // Next to other words a designation only says in which document they are.
        let Clause(sequence) = &mut query.sequence;
        let is_word = |element: &Element| !element.is_designation;
        let is_limited = sequence.iter().any(is_word) && !sequence.iter().all(is_word);
        if is_limited {
            sequence.retain(is_word);
        }
        let [first, last] =
            [sequence.first(), sequence.last()].map(|element| element.map_or(0, |one| one.offset));
        (query.title_start, query.title_words) =
            if is_limited { (0, last - first + 1) } else { (first, offset) };
        Ok(query)
    }

    /// The designation, where the query is nothing else.
    pub(crate) fn designation(&self) -> Option<&Element> {
        match self.clauses.as_slice() {
            [Clause(elements)] => elements.first().filter(|element| element.is_designation),
            _ => None,
        }
    }
}

/// The pieces of a text, each with whether it is excluded.
fn pieces(text: &str) -> Vec<(bool, Piece)> {
    let mut pieces: Vec<(bool, Piece)> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (excluded, body) = match rest.strip_prefix('-') {
            Some(body) if body.starts_with(|c: char| c == '"' || c.is_alphanumeric()) => (true, body),
            _ => (false, rest),
        };
        let phrase = body.strip_prefix('"').and_then(|after| after.split_once('"'));
        let (piece, after) = match phrase {
            Some((phrase, after)) => (Piece::Phrase(phrase.to_owned()), after),
            None => {
                let (word, after) = body.split_at(body.find(char::is_whitespace).unwrap_or(body.len()));
                let prefix = word.strip_suffix('*').filter(|prefix| is_prefix(prefix));
                let piece = match prefix {
                    Some(prefix) => Piece::Prefix(prefix.to_owned()),
                    None => Piece::Plain(word.to_owned()),
                };
                (piece, after)
            }
        };
        match (&piece, pieces.last_mut()) {
            // Words in a row are analysed as one text, for designations are of several words.
            (Piece::Plain(word), Some((false, Piece::Plain(before)))) if !excluded => {
                before.push(' ');
                before.push_str(word);
            }
            _ => pieces.push((excluded, piece)),
        }
        rest = after.trim_start();
    }
    pieces
}

/// Whether a letter is a symbol, not a word: a digit or joining sign is next to it (`M10`, `m/s`), or it is a
/// capital without an apostrophe (`class C`).
fn is_symbol(text: &str, token: &Token) -> bool {
    let mut around = text.chars().skip((token.start as usize).saturating_sub(1));
    let before = if token.start == 0 { None } else { around.next() };
    let (letter, after) = (around.next(), around.next());
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || "-/+".contains(c));
    let is_apostrophe = |c: Option<char>| c.is_some_and(|c| matches!(c, '\'' | '\u{2019}'));
    token.end == token.start + 1
        && (joins(before)
            || joins(after)
            || letter.is_some_and(char::is_uppercase) && !is_apostrophe(before) && !is_apostrophe(after))
}

fn is_prefix(text: &str) -> bool {
    text.chars().count() >= SHORTEST_PREFIX && text.chars().all(char::is_alphanumeric)
}

struct PieceReader<'l> {
    languages: Vec<&'l str>,
    stems_all: bool,
}

impl PieceReader<'_> {
    fn tokens(&self, piece: &Piece) -> Vec<Token> {
        let (Piece::Plain(text) | Piece::Phrase(text) | Piece::Prefix(text)) = piece;
        analyse_query(text)
    }

    fn clauses(&self, piece: &Piece, tokens: &[Token], keep_stop_words: bool) -> Vec<Clause> {
        match piece {
            Piece::Prefix(_) => {
                let prefix = |token: &Token| Element {
                    offset: token.position,
                    prefix: Some(token.word.clone()),
                    ..Element::default()
                };
                tokens.iter().map(|token| Clause(vec![prefix(token)])).collect()
            }
            Piece::Phrase(_) => {
                let words = tokens.iter().filter(|token| !token.is_designation);
                let elements: Vec<Element> = words.map(|token| self.exact(token)).collect();
                if elements.is_empty() { Vec::new() } else { vec![Clause(elements)] }
            }
            Piece::Plain(text) => self.plain(text, tokens, keep_stop_words),
        }
    }

    /// Words with their joined neighbours; a word alone also finds longer words that it is a part of.
    fn plain(&self, text: &str, tokens: &[Token], keep_stop_words: bool) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut designation_end = 0;
        let mut before: Option<&Token> = None;
        for token in tokens {
            if token.is_designation {
                designation_end = token.end;
                clauses.push(Clause(vec![self.exact(token)]));
                before = None;
                continue;
            }
            if token.start < designation_end {
                continue;
            }
            let follows = before.is_some_and(|before| before.position + 1 == token.position);
            let is_quantity =
                follows && before.is_some_and(Token::is_number) && is_quantity_unit(&token.word);
            let joins = follows && (token.is_joined || is_quantity);
            let is_dropped =
                !keep_stop_words && !is_quantity && token.is_stop_word() && !is_symbol(text, token);
            if !is_dropped {
                match clauses.last_mut().filter(|_| joins) {
                    Some(clause) => clause.0.push(self.exact(token)),
                    None => clauses.push(Clause(vec![self.exact(token)])),
                }
            }
            // What follows a stop word that was dropped is not joined to the clause before.
            before = (!is_dropped).then_some(token);
        }
        for clause in &mut clauses {
            if let [element] = clause.0.as_mut_slice() {
                let word = tokens.iter().find(|t| t.position == element.offset && !t.is_designation);
                if let Some(word) = word.filter(|_| !element.is_designation) {
                    element.parts = self.parts(word);
                }
            }
        }
        clauses
    }

    fn exact(&self, token: &Token) -> Element {
        let mut terms = Vec::new();
        if self.stems_all || token.is_designation || token.is_number() {
            terms.push(token.term.clone());
        }
        if !token.is_designation && !token.is_number() {
            terms.extend(self.languages.iter().map(|language| stem(&token.word, language)));
        }
        terms.sort_unstable();
        terms.dedup();
        let is_designation = token.is_designation;
        Element { offset: token.position, terms, is_designation, ..Element::default() }
    }

    /// What finds German words that begin or end with a word.
    fn parts(&self, token: &Token) -> Vec<String> {
        let is_long = token.word.chars().count() >= SHORTEST_PART && !token.is_number();
        if !is_long || !self.languages.contains(&"de") {
            return Vec::new();
        }
        let stem = stem(&token.word, "de");
        let mut forms = vec![&token.word];
        if stem.chars().count() >= SHORTEST_PART_STEM && stem != token.word {
            forms.push(&stem);
        }
        forms.into_iter().flat_map(|form| [format!(">{form}"), format!("<{}", reversed(form))]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clauses by their words: `a+b` is a phrase, `a*` a prefix.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let query = TextQuery::parse(text, Some(&"nl".parse().unwrap()), 32).unwrap();
        let element = |element: &Element| match &element.prefix {
            Some(prefix) => format!("{prefix}*"),
            None => element.terms[0].clone(),
        };
        let clause = |clause: &Clause| clause.0.iter().map(element).collect::<Vec<_>>().join("+");
        (query.clauses.iter().map(clause).collect(), query.excluded.iter().map(clause).collect())
    }

    fn words(text: &str) -> Vec<String> {
        let (words, excluded) = read(text);
        assert!(excluded.is_empty());
        words
    }

    #[test]
    fn phrases_exclusions_and_prefixes_are_read() {
        assert_eq!(words("\"load of wind\" anch*"), ["load+of+wind", "anch*"]);
        assert_eq!(read("steel -rust -\"mill scale\"").1, ["rust", "mill+scale"]);
        assert_eq!(read("steel -of").1, ["of"]);
        assert_eq!(read("steel -rust*").1, ["rust*"]);
    }

    #[test]
    fn other_signs_are_literal() {
        assert_eq!(words("\"open quote"), ["open", "quote"]);
        assert_eq!(words("steel * - ab*"), ["steel", "ab"]);
        assert_eq!(words("wind- und"), ["wind"]);
    }

    #[test]
    fn joined_words_and_quantities_are_phrases() {
        assert_eq!(words("pull-out force"), ["pull+out", "force"]);
        assert_eq!(words("15 kN"), ["15+kn"]);
        assert_eq!(words("15kN load"), ["15+kn", "load"]);
        assert_eq!(words("0,5 m³/h"), ["0.5+m3+h"]);
        assert_eq!(words("l'effort"), ["effort"]);
        assert_eq!(words("L\u{2019}effort d'un M10"), ["effort", "m+10"]);
        assert_eq!(words("S235 USB-C class C, C25/30"), ["s+235", "usb+c", "class", "c", "c+25+30"]);
        assert_eq!(words("10 m/s and a screw"), ["10+m+s", "screw"]);
    }

    #[test]
    fn stop_words_count_where_nothing_else_is_there() {
        assert_eq!(words("the load of the wind"), ["load", "wind"]);
        assert_eq!(words("of the"), ["of", "the"]);
    }

    #[test]
    fn designations_are_read_in_either_case() {
        assert_eq!(words("ISO 4210 brake"), ["#urn:iso:std:iso:4210", "brake"]);
        assert_eq!(words("iso 4210"), ["#urn:iso:std:iso:4210"]);
    }

    #[test]
    fn what_is_not_a_query_is_refused() {
        let refused = |text: &str| TextQuery::parse(text, None, 3).unwrap_err();
        assert_eq!(refused(" \u{3000}-—!"), ParseQueryError::Blank);
        assert_eq!(refused("\"\""), ParseQueryError::Blank);
        assert_eq!(refused("a\u{7}b"), ParseQueryError::ControlCharacter);
        assert_eq!(refused(&"a".repeat(1001)), ParseQueryError::TooLong);
        assert_eq!(refused("a b c d"), ParseQueryError::TooManyWords(3));
        assert_eq!(refused("-rust"), ParseQueryError::OnlyExcluded);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_query_or_refused(text in "[\\PC]{0,60}") {
            if let Ok(query) = TextQuery::parse(&text, None, 32) {
                assert!(!query.clauses.is_empty() && !query.sequence.0.is_empty());
            }
        }
    }
}
