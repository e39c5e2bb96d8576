//! Words of English, German and French for facets and features: frames of provisions, empty words, and words
//! that negate, limit, or open a condition.

use std::sync::LazyLock;

use foldhash::HashSet;

use crate::difference::tokens;
use crate::features::stem;

type WordSet = LazyLock<HashSet<&'static str>>;

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

/// Words of verbal forms and of phrases in their position, which do not say what is required.
static FRAMES: WordSet = LazyLock::new(|| {
    set(
        "shall should may can must will would might could need needs be is are been being was were has have had having do does not \
         it that to permitted allowed required requirement necessary recommended prohibited forbidden possible mandatory optional \
         muss müssen müßte muß darf dürfen soll sollen sollte sollten kann können ist sind sein wird werden hat haben nicht es zu \
         zulässig erlaubt verboten untersagt erforderlich notwendig empfohlen möglich gestattet pflicht \
         doit doivent devrait devraient peut peuvent est sont être etre soit il convient de ne pas interdit permis autorisé \
         recommandé nécessaire obligatoire possible faut",
    )
});

/// Words that add nothing to a phrase.
static FILLERS: WordSet = LazyLock::new(|| {
    set("a an the this these that those there it its is are be been of to such any each every all \
         der die das den dem des ein eine einen einem einer eines es ist sind wird werden jede jeder jedes jeden alle \
         le la les l un une des du de d il elle y a est sont être n s chaque tout tous toute toutes")
});

/// Words that negate.
static NEGATIONS: WordSet = LazyLock::new(|| {
    set("no not never none neither without cannot \
         nicht kein keine keinen keinem keiner keines nie niemals ohne keinesfalls nirgends \
         pas jamais aucun aucune sans nul nulle")
});

/// Words that replace a negation when it is removed.
static AFFIRMATIONS: WordSet =
    LazyLock::new(|| set("with some any all both and or case account mit fall avec et ou nor noch ni"));

/// Words after a negation that then limits and does not negate: `no more than`, `nicht nur`.
static COMPARED: WordSet = LazyLock::new(|| {
    set(
        "more less fewer later earlier longer shorter greater larger smaller higher lower only mehr weniger später länger nur plus moins seulement",
    )
});

/// Verbs and words that together with a negation set a limit: `shall not exceed`.
static LIMITED: WordSet = LazyLock::new(|| {
    set(
        "exceed exceeds exceeded above below over under more less greater smaller larger lower higher fewer later \
         überschreiten überschritten übersteigen unterschreiten unterschritten über unter mehr weniger größer kleiner \
         dépasser dépasse excéder supérieur supérieure supérieurs supérieures inférieur inférieure inférieurs inférieures plus moins",
    )
});

/// Words that limit, each with its opposite. One of the two may be the beginning of a word.
const OPPOSITES: [(&str, &str); 21] = [
    ("before", "after"),
    ("above", "below"),
    ("over", "under"),
    ("minimum", "maximum"),
    ("minimal", "maximal"),
    ("least", "most"),
    ("less", "more"),
    ("fewer", "more"),
    ("lower", "upper"),
    ("lower", "higher"),
    ("smaller", "larger"),
    ("earlier", "later"),
    ("prior", "subsequent"),
    ("inside", "outside"),
    ("vor", "nach"),
    ("über", "unter"),
    ("mindest", "höchst"),
    ("weniger", "mehr"),
    ("avant", "après"),
    ("inférieur", "supérieur"),
    ("moins", "plus"),
];

/// Phrases that open a condition; those with one number mean the same. The longest that fits counts.
const OPENERS: [(&str, u8); 60] = [
    ("if", 1),
    ("when", 1),
    ("whenever", 1),
    ("where", 1),
    ("wherever", 1),
    ("in case of", 1),
    ("in the case of", 1),
    ("in the event of", 1),
    ("in case", 1),
    ("in the event that", 1),
    ("in cases where", 1),
    ("should", 1),
    ("wenn", 1),
    ("falls", 1),
    ("sofern", 1),
    ("soweit", 1),
    ("im fall", 1),
    ("im falle", 1),
    ("im fall von", 1),
    ("im falle von", 1),
    ("bei", 1),
    ("si", 1),
    ("s' il y a", 1),
    ("s’ il y a", 1),
    ("s'", 1),
    ("s’", 1),
    ("lorsque", 1),
    ("lorsqu'", 1),
    ("lorsqu’", 1),
    ("quand", 1),
    ("en cas de", 1),
    ("en cas d'", 1),
    ("en cas d’", 1),
    ("dans le cas de", 1),
    ("dans le cas où", 1),
    ("unless", 2),
    ("except", 2),
    ("except if", 2),
    ("except when", 2),
    ("except where", 2),
    ("except on", 2),
    ("except in", 2),
    ("es sei denn", 2),
    ("außer", 2),
    ("außer wenn", 2),
    ("ausgenommen", 2),
    ("sauf", 2),
    ("sauf si", 2),
    ("sauf en cas de", 2),
    ("excepté", 2),
    ("à moins que", 2),
    ("hormis", 2),
    ("provided that", 3),
    ("provided", 3),
    ("only if", 3),
    ("on condition that", 3),
    ("vorausgesetzt", 3),
    ("nur wenn", 3),
    ("à condition que", 3),
    ("pourvu que", 3),
];

/// Whether a word frames a provision, or denies it.
pub(crate) fn is_frame(word: &str) -> bool {
    FRAMES.contains(word) || NEGATIONS.contains(word)
}

/// Whether a word negates, where `next` follows it.
pub(crate) fn negates(word: &str, next: Option<&str>) -> bool {
    NEGATIONS.contains(word) && !next.is_some_and(|next| COMPARED.contains(next))
}

/// Whether a word sets a limit together with a negation before it.
pub(crate) fn is_limited(word: &str) -> bool {
    LIMITED.contains(word)
}

/// Whether two words are opposite limits.
pub(crate) fn are_opposite(a: &str, b: &str) -> bool {
    let is = |word: &str, known: &str| word == known || known.len() > 5 && word.starts_with(known);
    OPPOSITES.iter().any(|(x, y)| is(a, x) && is(b, y) || is(a, y) && is(b, x))
}

/// Whether a word limits, in whatever direction.
fn limits(word: &str) -> bool {
    let is = |known: &str| word == known || known.len() > 5 && word.starts_with(known);
    LIMITED.contains(word)
        || OPPOSITES.iter().any(|(x, y)| is(x) || is(y))
        || matches!(word, "than" | "als" | "que" | "at" | "au")
}

/// The words of a text in lower case, without signs.
pub(crate) fn lower_words(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let words = tokens.iter().filter(|token| token.text.starts_with(char::is_alphanumeric));
    words.map(|token| token.text.to_lowercase()).collect()
}

/// A word in the form for comparing texts: without ending, and in one spelling of English.
fn folded(word: &str) -> String {
    let word = word.replace("ß", "ss");
    let american = if word.ends_with("our") && word.len() > 4 { word.replace("our", "or") } else { word };
    stem(&american).to_owned()
}

/// The content of a phrase: its words without those that add nothing.
pub(crate) fn content(text: &str) -> Vec<String> {
    let words = lower_words(text).into_iter().filter(|word| !FILLERS.contains(&**word));
    words.map(|word| folded(&word)).collect()
}

/// The content of a subject, without numbers, negations and limits, which are facets of their own.
pub(crate) fn named(text: &str) -> Vec<String> {
    let words = lower_words(text).into_iter().filter(|word| {
        let has_digit = word.starts_with(|c: char| c.is_ascii_digit());
        !(has_digit || FILLERS.contains(&**word) || NEGATIONS.contains(&**word) || limits(word))
    });
    words.map(|word| folded(&word)).collect()
}

/// The content of a sentence without its polarity: its words without frames and negations, sorted.
pub(crate) fn said(text: &str) -> Vec<String> {
    let is_word = |word: &String| {
        let word = &**word;
        !(FRAMES.contains(word)
            || FILLERS.contains(word)
            || NEGATIONS.contains(word)
            || AFFIRMATIONS.contains(word))
    };
    let mut words: Vec<String> =
        lower_words(text).into_iter().filter(is_word).map(|word| folded(&word)).collect();
    words.sort_unstable();
    words
}

/// The number of the phrase that opens a condition, 0 for other words, and its content.
pub(crate) fn condition(text: &str) -> (u8, Vec<String>) {
    let lower = tokens(text).iter().map(|token| token.text.to_lowercase()).collect::<Vec<_>>();
    let opened = |phrase: &str| {
        // Apostrophes are tokens of their own.
        let phrase = phrase.replace('\'', " '").replace('’', " ’");
        let words: Vec<&str> = phrase.split_whitespace().collect();
        let fits = words.len() <= lower.len() && words.iter().zip(&lower).all(|(word, own)| word == own);
        fits.then_some(words.len())
    };
    let found = OPENERS.iter().filter_map(|(phrase, number)| Some((opened(phrase)?, *number)));
    let (length, number) = found.max().unwrap_or((0, 0));
    (number, content(&lower[length..].join(" ")))
}

/// Whether a text begins like an exception or a proviso.
pub(crate) fn is_exception(text: &str) -> bool {
    condition(text).0 > 1
}
