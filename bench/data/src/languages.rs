//! Words of a language with the frequencies that words have in texts, for measurements of searches.

use fastrand::Rng;

use crate::prose::Language;
use crate::vocabulary::{ADJECTIVES, NOUNS, QUANTITIES, VERBS};

/// Words of a vocabulary. A standard of 200 pages has about 4,000, a collection ten times as many.
const WORDS: usize = 30_000;
/// By Zipf's law, in the form of Mandelbrot, the n-th word is as frequent as the reciprocal of n and this.
const SHIFT: f64 = 2.7;

/// The most frequent words of standards, the most frequent one first.
const FREQUENT: [&str; 3] = [
    "the of and to shall be in a is for or with by not as are on this from at that which may should can an it \
     has when each all must between than other its under any into these where",
    "de la le les des et du à en être doit une un pour par est dans ou sur ne pas sont au avec que qui il aux \
     peut ce se toutes chaque entre selon lorsque leur cette ces",
    "der die und des in den von mit zu ist für muss auf dem werden eine nach ein wird das darf nicht oder bei \
     sind im zur durch sollte kann als aus vom am zum sein über jede alle zwischen",
];
const PREFIXES: [&str; 3] = [
    "re un pre sub over inter multi micro thermo hydro electro auto counter cross self semi under non out fore",
    "re dé pré sous sur inter multi micro thermo hydro électro auto contre entre anti semi mono trans hyper mi",
    "an ab auf aus ein vor nach über unter zusammen durch um be ver zer mit bei her hin rück",
];
const ENDINGS: [&str; 3] =
    ["s ed ing er able ness ment ly", "s e es ment age ation eur able", "e en er es ung lich bar los"];

/// A vocabulary by frequency.
pub struct Words {
    words: Vec<String>,
    /// Of each word its weight and those of all before it.
    weights: Vec<f64>,
    frequent: usize,
}

impl Words {
    /// The vocabulary of English (`en`), French (`fr`) or else German. Articles, prepositions and verbal
    /// forms are the most frequent words; the others are made of the words that invented standards have.
    pub fn new(language: &str) -> Self {
        let language = [Language::En, Language::Fr]
            .into_iter()
            .find(|one| one.code() == language)
            .unwrap_or(Language::De);
        let mut words: Vec<String> = list(language, FREQUENT);
        let frequent = words.len();
        let mut rng = Rng::with_seed(1);
        for mut group in [roots(language), derived(language), composed(language)] {
            rng.shuffle(&mut group);
            words.extend(group);
        }
        let mut seen = std::collections::HashSet::new();
        words.retain(|word| seen.insert(word.clone()));
        words.truncate(WORDS);
        let mut sum = 0.0;
        let weight = |rank: usize| {
            sum += 1.0 / (rank as f64 + SHIFT);
            sum
        };
        let weights = (1..=words.len()).map(weight).collect();
        Self { words, weights, frequent }
    }

    /// Any word, by frequency.
    pub fn any(&self, rng: &mut Rng) -> &str {
        self.from(rng, 0)
    }

    /// A word that is not an article, preposition or verbal form, by frequency.
    pub fn content(&self, rng: &mut Rng) -> &str {
        self.from(rng, self.frequent)
    }

    /// A text of so many words, with some numbers.
    pub fn text(&self, rng: &mut Rng, count: usize) -> String {
        let mut text = String::new();
        for at in 0..count {
            let sign = if at == 0 { "" } else { [" ", " ", " ", " ", " ", " ", " ", ", "][rng.usize(0..8)] };
            text += sign;
            match rng.u32(0..100) {
                0..3 => {
                    text += &format!("{} {}", rng.u32(1..500), QUANTITIES[rng.usize(0..QUANTITIES.len())].2)
                }
                _ => text += self.any(rng),
            }
        }
        text
    }

    fn from(&self, rng: &mut Rng, first: usize) -> &str {
        let least = first.checked_sub(1).map_or(0.0, |before| self.weights[before]);
        let most = self.weights[self.weights.len() - 1];
        let drawn = least + rng.f64() * (most - least);
        let at = self.weights.partition_point(|sum| *sum <= drawn);
        &self.words[at.clamp(first, self.words.len() - 1)]
    }
}

fn list(language: Language, lists: [&str; 3]) -> Vec<String> {
    language.pick(lists).split_whitespace().map(str::to_owned).collect()
}

/// A noun without its gender.
fn noun(language: Language, noun: [&'static str; 3]) -> &'static str {
    let text = noun[language as usize];
    if language == Language::En { text } else { &text[2..] }
}

fn roots(language: Language) -> Vec<String> {
    let nouns = NOUNS.iter().map(|one| noun(language, *one));
    let adjectives = ADJECTIVES.iter().map(|[en, fr, _, de]| language.pick([en, fr, de]));
    let verbs = VERBS.iter().map(|verb| verb[language as usize]);
    let quantities = QUANTITIES.iter().map(|(names, ..)| names[language as usize]);
    let all = nouns.chain(adjectives).chain(verbs).chain(quantities);
    all.flat_map(str::split_whitespace).filter(|word| word.len() > 3).map(str::to_owned).collect()
}

fn derived(language: Language) -> Vec<String> {
    let endings = list(language, ENDINGS);
    let of = |root: String| endings.iter().map(move |ending| format!("{root}{ending}")).collect::<Vec<_>>();
    roots(language).into_iter().flat_map(of).collect()
}

/// Words with a prefix; German compounds of two nouns.
fn composed(language: Language) -> Vec<String> {
    let roots = [roots(language), derived(language)].concat();
    let with = |prefix: String| roots.iter().map(move |root| format!("{prefix}{root}")).collect::<Vec<_>>();
    let mut words: Vec<String> = list(language, PREFIXES).into_iter().flat_map(with).collect();
    if language == Language::De {
        let second =
            |first: &str| NOUNS.iter().map(|n| format!("{first}{}", noun(language, *n))).collect::<Vec<_>>();
        words.extend(NOUNS.iter().flat_map(|first| second(noun(language, *first))));
    }
    words.iter().map(|word| word.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_frequent_as_their_rank_says() {
        for language in ["en", "fr", "de"] {
            let words = Words::new(language);
            assert_eq!(words.words.len(), WORDS, "{language}");
            let mut rng = Rng::with_seed(7);
            let drawn: Vec<&str> = (0..100_000).map(|_| words.any(&mut rng)).collect();
            let share = |word: &str| drawn.iter().filter(|one| **one == word).count() as f64 / 1e5;
            let expected = |rank: f64| 1.0 / (rank + SHIFT) / words.weights[WORDS - 1];
            for rank in [0, 9, 99] {
                let (found, wanted) = (share(&words.words[rank]), expected(rank as f64 + 1.0));
                assert!((found / wanted - 1.0).abs() < 0.25, "{language} {rank}: {found}, not {wanted}");
            }
            let common = words.words[..words.frequent].to_vec();
            assert!((0..1000).all(|_| !common.iter().any(|word| word == words.content(&mut rng))));
        }
    }
}
