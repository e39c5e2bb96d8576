//! Language: which one a text is in, by its script and its commonest words.

use std::borrow::Cow;
use std::sync::LazyLock;

use foldhash::HashMap;
use norma_model::Lang;

/// Commonest words that one language has and its neighbours lack.
const WORDS: &[(&str, &[&str])] = &[
    (
        "en",
        &["the", "of", "and", "to", "is", "be", "this", "that", "with", "for", "shall", "are", "by", "which"],
    ),
    (
        "fr",
        &[
            "le", "la", "les", "des", "et", "est", "du", "dans", "une", "pour", "doit", "sont", "par", "que",
            "sur",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "und", "den", "das", "von", "ist", "für", "mit", "des", "eine", "werden", "muss",
            "zu",
        ],
    ),
    ("es", &["el", "los", "las", "del", "y", "para", "por", "con", "una", "se", "debe", "como", "en", "que"]),
    ("it", &["il", "gli", "della", "di", "che", "per", "con", "una", "sono", "deve", "nel", "dei", "essere"]),
    ("nl", &["het", "een", "van", "de", "en", "moet", "zijn", "voor", "worden", "met", "niet", "dat"]),
    ("sv", &["och", "att", "som", "för", "är", "av", "ska", "med", "den", "det", "inte", "till"]),
    ("no", &["og", "skal", "ikke", "som", "til", "av", "det", "er", "på", "kan", "ved"]),
    ("pt", &["os", "das", "dos", "uma", "não", "para", "com", "deve", "são", "ou", "pela", "que"]),
];
/// The languages of each word, by their place in [`WORDS`].
static LANGUAGES: LazyLock<HashMap<&[u8], Vec<usize>>> = LazyLock::new(|| {
    let mut languages = HashMap::<&[u8], Vec<usize>>::default();
    for (language, (_, words)) in WORDS.iter().enumerate() {
        words.iter().for_each(|word| languages.entry(word.as_bytes()).or_default().push(language));
    }
    languages
});
/// Bytes of the longest of [`WORDS`].
const LONGEST: usize = 6;
/// Words or characters that are looked at.
const SAMPLE: usize = 1000;

/// The language of a text where it can be told with confidence.
pub(crate) fn of<'a, T: Iterator<Item = &'a str>>(texts: impl Fn() -> T) -> Option<Lang> {
    by_script(texts()).or_else(|| by_words(texts()))
}

fn by_script<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Lang> {
    let mut counts = [0usize; 6];
    for c in texts.flat_map(str::chars).filter(|c| c.is_alphabetic()).take(SAMPLE) {
        counts[match c {
            '\u{3040}'..='\u{30ff}' => 0,
            '\u{ac00}'..='\u{d7a3}' => 1,
            '\u{4e00}'..='\u{9fff}' => 2,
            '\u{400}'..='\u{4ff}' => 3,
            '\u{600}'..='\u{6ff}' => 4,
            _ => 5,
        }] += 1;
    }
    let all: usize = counts.iter().sum();
    let share = |i: usize| counts[i] * 100 / all.max(1);
    let tag = match () {
        () if share(0) > 10 => "ja",
        () if share(1) > 30 => "ko",
        () if share(2) > 30 => "zh",
        () if share(3) > 50 => "ru",
        () if share(4) > 50 => "ar",
        () => return None,
    };
    tag.parse().ok()
}

fn by_words<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Lang> {
    let mut counts = [0usize; WORDS.len()];
    let mut all = 0;
    for word in texts.flat_map(str::split_ascii_whitespace).take(SAMPLE) {
        let word = word.trim_matches(|c: char| !c.is_alphabetic());
        if word.is_empty() {
            continue;
        }
        all += 1;
        let mut short = [0; LONGEST];
        let lower = match short.get_mut(..word.len()) {
            Some(short) if word.is_ascii() => {
                short.copy_from_slice(word.as_bytes());
                short.make_ascii_lowercase();
                Cow::Borrowed(&*short)
            }
            _ if word.is_ascii() => continue,
            _ => Cow::Owned(word.to_lowercase().into_bytes()),
        };
        for &language in LANGUAGES.get(lower.as_ref()).into_iter().flatten() {
            counts[language] += 1;
        }
    }
    let best = (0..WORDS.len()).max_by_key(|&i| counts[i])?;
    let second = (0..WORDS.len()).filter(|&i| i != best).map(|i| counts[i]).max().unwrap_or(0);
    // Lists of names and formulae have few such words: say nothing then.
    let sure = all >= 60 && counts[best] * 100 >= all * 12 && counts[best] * 2 >= second * 3;
    sure.then(|| WORDS[best].0.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_longer_than_the_longest() {
        let lengths = WORDS.iter().flat_map(|(_, words)| words.iter().map(|w| w.len()));
        assert_eq!(lengths.max(), Some(LONGEST));
    }

    fn told(text: &str) -> Option<String> {
        of(|| std::iter::once(text)).map(|l| l.to_string())
    }

    #[test]
    fn a_text_of_some_length_tells_its_language_and_a_short_one_does_not() {
        let english = "The lid of the box shall be closed and this is to be checked with a gauge. ".repeat(6);
        let french =
            "Le couvercle de la boîte doit être fermé et les joints sont vérifiés dans une salle. ".repeat(6);
        let german =
            "Der Deckel muss geschlossen sein und die Prüfung ist mit der Lehre zu machen. ".repeat(6);
        assert_eq!(told(&english).as_deref(), Some("en"));
        assert_eq!(told(&french).as_deref(), Some("fr"));
        assert_eq!(told(&german).as_deref(), Some("de"));
        assert_eq!(told("盖子应关闭。检验应使用量规。").as_deref(), Some("zh"));
        assert_eq!(told("The lid shall be closed."), None);
    }
}
