//! Word lists that the code itself uses, by their names in the tables.

use super::lexicon::{Lexicon, ListSet};

/// Lists of words by their names in the tables; one that is made of several is their union.
macro_rules! word_lists {
    ($($(#[doc = $doc:literal])? $field:ident: $($list:literal)+;)*) => {
        /// The lists that the code itself uses; a table may omit those that its language does not need.
        #[derive(Default)]
        pub(super) struct WordLists {
            $($(#[doc = $doc])? pub(super) $field: ListSet,)*
        }

        impl WordLists {
            pub(super) fn of(lexicon: &Lexicon) -> Self {
                let list = |name: &str| lexicon.list(name).unwrap_or_default();
                Self { $($field: ListSet::default()$(.union(list($list)))+,)* }
            }
        }
    };
}

word_lists! {
    adverb: "adverb";
    /// Adverbs that add something: `also`.
    also: "also";
    /// Conjunctions that are prepositions, too.
    ambiguous: "ambiguous-conjunction";
    /// Words of comparison for amounts: `more`, `fewer`.
    amount: "amount";
    announcing: "announcing";
    /// First words of a phrase between commas within a clause.
    aside: "aside";
    /// Words before a noun, behind which an adjective follows.
    article: "determiner";
    /// Pronouns between a particle of negation and the verb.
    clitic: "clitic";
    /// Words that join the alternatives of a list: `or`.
    alternative: "alternative";
    bcp14: "bcp14";
    closing: "closing";
    /// Words before which a clause may end.
    closing_clause: "coordinator" "preposition";
    coordinator: "coordinator";
    /// Determiners, pronouns and adverbs that deny the verb of their clause: `no`, `nobody`, `never`.
    denying: "denying" "kein" "nie";
    /// Adjectives that are made of a verb or a noun.
    derived: "derived";
    /// Words for something said before: `this`, `it`.
    demonstrative: "demonstrative";
    determiner: "determiner";
    /// Verbs of duty, which are reported if they state no provision.
    duty: "duty-verb";
    /// Endings of adjectives that are no dative.
    direct: "direct";
    /// Words for all of some things: their negation is that of the sentence.
    every: "every";
    finite: "finite";
    fronting: "fronting";
    /// Endings of adjectives in a genitive.
    genitive: "genitive";
    /// Forms of verbs that tie what follows to a noun: `showing`.
    gerund: "gerund";
    hanging: "hanging";
    /// Adverbs between an auxiliary and its verb.
    hedge: "hedge";
    /// Words that take the force of a negation before them: “no *matter* how”.
    idle: "idle";
    /// Verbs that give an order at the begin of a sentence.
    imperative: "imperative" "order";
    infinitive: "infinitive";
    /// What begins an infinitive: `to`.
    infinitive_mark: "infinitive-mark";
    /// Adjectives and participles with the ending that they have before a noun.
    inflected: "inflected";
    /// What begins that which holds instead of what is denied: `sondern`.
    instead: "instead";
    /// “no *longer*”, “no *more*”.
    lasting: "lasting";
    lettered: "lettered";
    /// Words that follow an imperative, and seldom a noun at the head of a sentence.
    object: "object";
    /// Adverbs that deny the verb next to them: `not`.
    negator: "negator";
    /// Nouns of phrases that deny a sentence: “in no *case*”.
    occasion: "occasion";
    ordinal: "ordinal";
    /// The word before a denied verb that others complete: `ne`.
    particle: "particle";
    preposition: "preposition";
    pronoun: "pronoun";
    recital: "recital";
    relative: "relative";
    relative_verb: "relative-verb";
    /// Adverbs that restrict a negation: “not *only*”.
    restricting: "restricting";
    /// Words with which sentences begin.
    starting: "determiner" "pronoun" "subject" "preposition" "fronting" "adverb";
    /// Words with which a phrase before the main clause begins.
    starting_phrase: "fronting" "preposition" "adverb";
    strong: "strong";
    subject: "subject";
    /// What a comparison is made with: `than`.
    than: "than";
    /// The conjunction of a content clause, and of a restriction: `que`.
    that: "that";
    things: "things";
    /// Words at which a clause may take another turn.
    turning: "coordinator" "finite";
    /// Words that tie what follows to a noun before: “a lid *with* no lock”.
    tying: "tying";
}
