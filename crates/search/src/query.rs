//! From the text of a query to what must match.
//!
//! `"a phrase"`, `-excluded`, `prefix*` (of three letters or more); everything else is literal. Words that
//! are joined without white space, and a number with its unit, are a phrase.

mod clauses;

use norma_model::Lang;

use self::clauses::PieceReader;
use crate::analyse::{Token, analyse_query, key_term};
use crate::vocabulary::is_question_word;

/// Longest query, in bytes.
pub const MAX_QUERY_BYTES: usize = 1000;
/// Letters of the shortest prefix that `*` may follow: shorter ones match most words of a language.
const SHORTEST_PREFIX: usize = 3;
/// Most different words of a question that are searched for where not all must match; the first ones.
pub(crate) const MOST_WORDS: usize = 32;

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

impl Clause {
    /// The words as typed, with spaces between them.
    pub(crate) fn typed(&self) -> String {
        let words: Vec<&str> = self.0.iter().map(|element| element.typed.as_str()).collect();
        words.join(" ")
    }

    /// True for a word that only asks.
    fn asks(&self) -> bool {
        match self.0.as_slice() {
            [element] => element.prefix.is_none() && is_question_word(&element.typed),
            _ => false,
        }
    }

    /// True where another clause has the same forms of the same words.
    fn has_terms_of(&self, other: &Self) -> bool {
        if self.0.len() != other.0.len() {
            return false;
        }
        let mut pairs = self.0.iter().zip(&other.0);
        pairs.all(|(a, b)| a.terms == b.terms && a.prefix == b.prefix)
    }
}

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
    /// Words that it may be made of, where it is a long German word. They count where no text has it.
    pub(crate) fragments: Vec<String>,
    /// The word as it was typed, folded.
    pub(crate) typed: String,
    /// Set for a designation, which also matches the units of that document.
    pub(crate) is_designation: bool,
}

/// Why a text is not a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseQueryError {
    /// The text has neither letters nor digits.
    #[error("found no words; write at least one")]
    Blank,
    /// The text has a control character.
    #[error("found a control character; write words with spaces between them")]
    ControlCharacter,
    /// The text has too many bytes.
    #[error("found more than {MAX_QUERY_BYTES} bytes; write fewer words")]
    TooLong,
    /// The text has too many words; the limit is given.
    #[error("found more than {0} words (`max-query-words`); write fewer")]
    TooManyWords(usize),
    /// The text has only words with a minus sign.
    #[error("found only excluded words; add a word to find")]
    OnlyExcluded,
}

/// How a piece of a query is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceSyntax {
    Plain,
    Phrase,
    Prefix,
}

/// A piece of the text between signs of the syntax.
struct Piece {
    syntax: PieceSyntax,
    is_excluded: bool,
    /// The text without signs of the syntax.
    text: String,
    tokens: Vec<Token>,
}

impl Piece {
    /// A piece whose text is not yet analysed.
    fn new(syntax: PieceSyntax, is_excluded: bool, text: &str) -> Self {
        Self { syntax, is_excluded, text: text.to_owned(), tokens: Vec::new() }
    }

    fn is_wanted_and_plain(&self) -> bool {
        !self.is_excluded && self.syntax == PieceSyntax::Plain
    }

    /// True for a piece that stop words cannot be left out of: it has only stop words, or is excluded.
    fn has_only_stop_words(&self) -> bool {
        if self.is_excluded {
            return true;
        }
        self.syntax == PieceSyntax::Plain && self.tokens.iter().all(Token::is_stop_word)
    }
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
        let pieces = pieces(text);
        let tokens: usize = pieces.iter().map(|piece| piece.tokens.len()).sum();
        if tokens > max_words {
            return Err(ParseQueryError::TooManyWords(max_words));
        }
        // Stop words are looked for where nothing else is: `of the`.
        let only_stop_words = pieces.iter().all(Piece::has_only_stop_words);

        let reader = PieceReader::new(language);
        let mut query = Self {
            clauses: Vec::new(),
            excluded: Vec::new(),
            sequence: Clause::default(),
            title_words: 0,
            title_start: 0,
            key: key_term(text),
        };
        let mut words_before = 0;
        for piece in &pieces {
            let clauses = reader.clauses(piece, only_stop_words || piece.is_excluded);
            if piece.is_excluded {
                query.excluded.extend(clauses);
                continue;
            }
            query.add_wanted(clauses, words_before);
            if let Some(last) = piece.tokens.last() {
                words_before += last.position + 1;
            }
        }
        if query.clauses.is_empty() {
            let is_blank = query.excluded.is_empty();
            return Err(if is_blank { ParseQueryError::Blank } else { ParseQueryError::OnlyExcluded });
        }
        query.set_title(words_before);
        Ok(query)
    }

    /// Adds what must match of a piece with this number of words before it.
    fn add_wanted(&mut self, clauses: Vec<Clause>, words_before: u32) {
        for Clause(elements) in &clauses {
            for element in elements {
                let mut moved = element.clone();
                moved.offset += words_before;
                self.sequence.0.push(moved);
            }
        }
        self.clauses.extend(clauses);
    }

    /// Sets what a title must have that is the whole query of this number of words. Next to other words a
    /// designation only says in which document they are: then it does not belong to the sequence.
    fn set_title(&mut self, words: u32) {
        let Clause(sequence) = &mut self.sequence;
        let designations = sequence.iter().filter(|element| element.is_designation).count();
        let names_a_document = designations > 0 && designations < sequence.len();
        if names_a_document {
            sequence.retain(|element| !element.is_designation);
        }
        let first = sequence.first().map_or(0, |element| element.offset);
        let last = sequence.last().map_or(0, |element| element.offset);
        if names_a_document {
            self.title_words = last - first + 1;
            self.title_start = 0;
        } else {
            self.title_words = words;
            self.title_start = first;
        }
    }

    /// The words of a question, each once: without those by which it is asked, unless it has no others.
    pub(crate) fn asked_words(&self) -> Vec<Clause> {
        let has_others = self.clauses.iter().any(|clause| !clause.asks());
        let mut words: Vec<Clause> = Vec::new();
        for clause in &self.clauses {
            let is_left_out = has_others && clause.asks();
            let is_known = words.iter().any(|word| word.has_terms_of(clause));
            if !is_left_out && !is_known && words.len() < MOST_WORDS {
                words.push(clause.clone());
            }
        }
        words
    }

    /// The words that [`asked_words`](Self::asked_words) leaves out since they only ask, as typed.
    pub(crate) fn asking_words(&self) -> Vec<String> {
        let has_others = self.clauses.iter().any(|clause| !clause.asks());
        let asking = self.clauses.iter().filter(|clause| has_others && clause.asks());
        asking.map(Clause::typed).collect()
    }

    /// The query with some words of its question alone, by their bits: what an excerpt is to show.
    pub fn of_asked_words(&self, bits: u32) -> Self {
        let mut clauses = self.asked_words();
        let mut index = 0;
        clauses.retain(|_| {
            index += 1;
            bits >> (index - 1) & 1 == 1
        });
        for element in clauses.iter_mut().flat_map(|clause| &mut clause.0) {
            element.terms.append(&mut element.fragments);
        }
        Self { clauses, ..self.clone() }
    }

    /// The designation, where the query is nothing else.
    pub(crate) fn designation(&self) -> Option<&Element> {
        match self.clauses.as_slice() {
            [Clause(elements)] => elements.first().filter(|element| element.is_designation),
            _ => None,
        }
    }
}

/// The pieces of a text with their tokens.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (piece, after) = first_piece(rest);
        match pieces.last_mut() {
            // Words in a row are analysed as one text, for designations are of several words.
            Some(before) if piece.is_wanted_and_plain() && before.is_wanted_and_plain() => {
                before.text.push(' ');
                before.text.push_str(&piece.text);
            }
            _ => pieces.push(piece),
        }
        rest = after.trim_start();
    }
    for piece in &mut pieces {
        piece.tokens = without_groups(analyse_query(&piece.text));
    }
    pieces
}

/// Tokens without the groups of numbers with thousands separators: a text has such a number as a token too.
fn without_groups(tokens: Vec<Token>) -> Vec<Token> {
    let mut left: Vec<Token> = Vec::new();
    for token in tokens {
        if token.is_grouped {
            left.retain(|group| group.is_designation || group.start < token.start);
        }
        left.push(token);
    }
    left
}

/// The first piece of a text, and what follows it.
fn first_piece(text: &str) -> (Piece, &str) {
    let (is_excluded, body) = match excluded_body(text) {
        Some(body) => (true, body),
        None => (false, text),
    };
    if let Some(quoted) = body.strip_prefix('"')
        && let Some((phrase, after)) = quoted.split_once('"')
    {
        return (Piece::new(PieceSyntax::Phrase, is_excluded, phrase), after);
    }
    let end = body.find(char::is_whitespace).unwrap_or(body.len());
    let (word, after) = body.split_at(end);
    if let Some(prefix) = word.strip_suffix('*')
        && is_prefix(prefix)
    {
        return (Piece::new(PieceSyntax::Prefix, is_excluded, prefix), after);
    }
    (Piece::new(PieceSyntax::Plain, is_excluded, word), after)
}

/// What follows the minus sign of an excluded piece. Before anything but a word or phrase, the sign is text.
fn excluded_body(text: &str) -> Option<&str> {
    let body = text.strip_prefix('-')?;
    let first = body.chars().next()?;
    if first == '"' || first.is_alphanumeric() { Some(body) } else { None }
}

fn is_prefix(text: &str) -> bool {
    text.chars().count() >= SHORTEST_PREFIX && text.chars().all(char::is_alphanumeric)
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
