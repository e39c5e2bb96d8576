//! Uses of single words in the sentences of a language, and the decimal sign of its numbers: for readers that
//! have words without a sentence around them.

use norma_model::Lang;

use crate::anatomy::Anatomy;
use crate::language::Language;

/// Lists of words that deny a verb, or the whole of a clause, in any language.
const DENYING: [&str; 5] = ["negator", "denying", "particle", "kein", "nie"];

/// What a word can do in a sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordUses {
    /// It denies: `not`, `kein`, `ne`.
    pub denies: bool,
    /// It is a modal verb: `shall`, `darf`, `doit`.
    pub is_modal: bool,
    /// It restricts what follows: `only`.
    pub restricts: bool,
}

/// What a word in lower case can do; nothing in a language without rules.
pub fn word_uses(word: &str, lang: &Lang) -> WordUses {
    let Some(language) = Language::of(lang) else { return WordUses::default() };
    let lists = language.lexicon.look_up(word).lists;
    let is_in = |name: &str| language.lexicon.list(name).is_some_and(|list| lists.intersects(list));
    WordUses {
        denies: DENYING.into_iter().any(is_in),
        is_modal: is_in("modal"),
        restricts: is_in("restricting"),
    }
}

/// True if a word in lower case begins a note or an example in any language that has rules: `note`,
/// `beispiel`.
pub fn begins_note(word: &str) -> bool {
    let mut languages = crate::languages().filter_map(|code| Language::of(&code.parse().ok()?));
    languages.any(|language| {
        let words = language.notes.note.iter().chain(&language.notes.example);
        words.into_iter().any(|known| known == word)
    })
}

/// The decimal sign of numbers in a language, where its table has one; then the other sign of `.` and `,`
/// parts groups of three digits. English has none: its standards have both.
pub fn decimal_sign_of(lang: &Lang) -> Option<char> {
    Anatomy::of(lang)?.decimal_sign()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_by_what_they_do_in_their_language() {
        let uses = |word: &str, code: &str| word_uses(word, &code.parse().unwrap());
        for (word, code) in
            [("not", "en"), ("nobody", "en"), ("ne", "fr"), ("keine", "de"), ("niemals", "de")]
        {
            assert!(uses(word, code).denies, "{word}");
        }
        for (word, code) in [("shall", "en"), ("doivent", "fr"), ("darf", "de")] {
            assert!(uses(word, code).is_modal, "{word}");
        }
        assert!(uses("only", "en").restricts && uses("lid", "en") == WordUses::default());
        assert!(begins_note("note") && begins_note("beispiel") && !begins_note("lid"));
        assert_eq!(
            ["en", "fr", "de"].map(|code| decimal_sign_of(&code.parse().unwrap())),
            [None, Some(','), Some(',')]
        );
    }
}
