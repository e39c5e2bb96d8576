//! Language detection: the languages of a document's text, by samples of its paragraphs, and the language of
//! a section.
//!
//! whatlang compares the trigrams and the alphabet of a text with those of the languages in [`CODES`]; a text
//! full of the function words of a language that has rules needs no such comparison. To be reliable enough
//! for the name of an edition, it takes many samples spread over the document, of which the sure ones are
//! counted.

use std::sync::LazyLock;

use norma_model::Lang;
use whatlang::{Detector, Lang as Code};

use crate::languages::of_function_word;

/// Bytes of one sample: long enough for a certain answer, short enough to be in one language.
const SAMPLE_BYTES: usize = 600;
/// Samples of a document, spread evenly over its text.
const MAX_SAMPLES: usize = 24;
/// Samples that are classified first. Where all of them are in one language, no other has [`MIN_SHARE`] of
/// the text in one stretch, and the others are skipped.
const FIRST_SAMPLES: usize = 8;
/// Bytes of text below which no language is detected.
const MIN_BYTES: usize = 250;
/// Least share of the certain samples, in percent, for a language of the document.
const MIN_SHARE: usize = 15;

/// Languages that differ too little for samples: for these, the declared one counts.
const INDISTINGUISHABLE: &[&[&str]] =
    &[&["no", "nb", "nn", "da"], &["hr", "sr", "bs", "sh"], &["id", "ms"], &["zh", "yue"], &["af", "nl"]];

/// A declared language agrees with a detected one that is the same, or too near to it for samples.
pub(crate) fn agree(declared: &Lang, detected: &Lang) -> bool {
    let (declared, detected) = (declared.primary(), detected.primary());
    if declared == detected {
        return true;
    }
    INDISTINGUISHABLE.iter().any(|set| set.contains(&declared) && set.contains(&detected))
}

/// The languages of a text, the most used first; empty when none is detected.
pub(crate) fn detect_document_languages<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Vec<Lang> {
    // A large document has a hundred thousand texts: they are iterated again and not stored.
    let texts = texts.filter(|text| text.chars().any(char::is_alphabetic));
    let size: usize = texts.clone().map(str::len).sum();
    if size < MIN_BYTES && !texts.clone().any(|text| text.chars().any(is_syllable_or_ideograph)) {
        return Vec::new();
    }
    let detector = Detector::with_allowlist(LANGUAGES.iter().map(|(code, _)| *code).collect());
    let first = samples(texts.clone(), size, FIRST_SAMPLES);
    let mut sure = detect_each(&detector, &first);
    let is_in_one_language = sure.len() == first.len() && sure.iter().all(|code| *code == sure[0]);
    if !is_in_one_language {
        sure = detect_each(&detector, &samples(texts, size, MAX_SAMPLES));
    }
    let mut counts = count_each(&sure);
    counts.retain(|(_, count)| count * 100 >= sure.len() * MIN_SHARE);
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().map(|(code, _)| tag(code)).collect()
}

/// The languages of the samples whose language is certain.
fn detect_each(detector: &Detector, samples: &[String]) -> Vec<Code> {
    samples.iter().filter_map(|sample| detect(detector, sample)).collect()
}

/// Number of times that each language occurs, in the order of their first occurrences.
fn count_each(codes: &[Code]) -> Vec<(Code, usize)> {
    let mut counts: Vec<(Code, usize)> = Vec::new();
    for code in codes {
        match counts.iter_mut().find(|(known, _)| known == code) {
            Some((_, count)) => *count += 1,
            None => counts.push((*code, 1)),
        }
    }
    counts
}

/// Index of the language of a section's text among those of its document; `None` when none is detected.
pub(crate) fn detect_section_language(text: &str, languages: &[Lang]) -> Option<usize> {
    let codes: Vec<Code> = languages.iter().filter_map(code).collect();
    if codes.len() != languages.len() {
        return None;
    }
    let end = text.floor_char_boundary(4 * SAMPLE_BYTES);
    let found = Detector::with_allowlist(codes.clone()).detect(&text[..end])?;
    // Between few candidate languages a short text can be classified too.
    if found.confidence() <= 0.5 && !found.is_reliable() {
        return None;
    }
    codes.iter().position(|code| *code == found.lang())
}

/// At most this number of samples of the texts, each of about [`SAMPLE_BYTES`].
fn samples<'a>(texts: impl Iterator<Item = &'a str>, size: usize, most: usize) -> Vec<String> {
    let stride = (size / most).max(SAMPLE_BYTES);
    let mut samples = Vec::new();
    let mut sample = String::new();
    let mut position = 0;
    for text in texts {
        if position >= samples.len() * stride {
            let free = SAMPLE_BYTES.saturating_sub(sample.len()).max(1);
            sample.push_str(&text[..text.ceil_char_boundary(free.min(text.len()))]);
            sample.push(' ');
        }
        position += text.len();
        if sample.len() >= SAMPLE_BYTES {
            samples.push(std::mem::take(&mut sample));
        }
    }
    if sample.len() >= MIN_BYTES || samples.is_empty() {
        samples.push(sample);
    }
    samples
}

/// The language of a sample, when it is certain. Function words take a fiftieth of the time of trigrams,
/// which is two thirds of the instructions of a document of 12 KB (callgrind).
fn detect(detector: &Detector, sample: &str) -> Option<Code> {
    let counts = SampleCounts::of(sample);
    // Names, formulae and identifiers have letters, and few words.
    if counts.letters * 10 < counts.characters * 7 {
        return None;
    }
    if let Some(code) = counts.language() {
        return Some(code);
    }
    let found = detector.detect(sample)?;
    if found.is_reliable() { Some(found.lang()) } else { None }
}

/// Counts of the characters and words of a sample.
struct SampleCounts {
    letters: usize,
    /// Number of characters except white space.
    characters: usize,
    words: usize,
    /// Number of function words, by language.
    function_words: [(Code, usize); 3],
}

impl SampleCounts {
    fn of(sample: &str) -> Self {
        let function_words = [(Code::Eng, 0), (Code::Fra, 0), (Code::Deu, 0)];
        let mut counts = Self { letters: 0, characters: 0, words: 0, function_words };
        let mut begin = None;
        for (at, c) in sample.char_indices().chain([(sample.len(), ' ')]) {
            counts.characters += usize::from(!c.is_whitespace());
            if c.is_alphabetic() {
                counts.letters += 1;
                begin.get_or_insert(at);
            } else if let Some(begin) = begin.take() {
                counts.add_word(&sample[begin..at]);
            }
        }
        counts
    }

    fn add_word(&mut self, word: &str) {
        self.words += 1;
        let index = match of_function_word(word) {
            Some("en") => 0,
            Some("fr") => 1,
            Some("de") => 2,
            _ => return,
        };
        self.function_words[index].1 += 1;
    }

    /// The language whose function words are frequent enough for running text, and of which no other is near.
    fn language(&self) -> Option<Code> {
        /// Fewest words of a sample that counts as running text.
        const FEWEST: usize = 30;
        /// Least share of function words, in percent: text has 20 to 30, of a related language up to 6.
        const SHARE: usize = 12;
        let mut by_count = self.function_words;
        by_count.sort_unstable_by_key(|(_, count)| std::cmp::Reverse(*count));
        let [(code, most), (_, second), _] = by_count;
        if self.words < FEWEST || most * 100 < self.words * SHARE || second * 4 > most {
            return None;
        }
        Some(code)
    }
}

/// Characters of Japanese, Korean and Chinese: few of them identify the language.
fn is_syllable_or_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// The languages that are distinguished, in which standards are published: codes of ISO 639-3 and ISO 639-1.
const CODES: &str = "\
    eng-en fra-fr deu-de spa-es ita-it por-pt nld-nl swe-sv dan-da nob-no fin-fi pol-pl ces-cs slk-sk slv-sl \
    hun-hu ron-ro hrv-hr srp-sr bul-bg mkd-mk rus-ru ukr-uk bel-be ell-el tur-tr aze-az lit-lt lav-lv est-et \
    cat-ca afr-af cmn-zh jpn-ja kor-ko ara-ar heb-he pes-fa urd-ur hin-hi ben-bn tha-th vie-vi ind-id kat-ka \
    hye-hy";

static LANGUAGES: LazyLock<Vec<(Code, Lang)>> = LazyLock::new(|| {
    let mut languages = Vec::new();
    for pair in CODES.split_whitespace() {
        if let Some((code, tag)) = pair.split_once('-')
            && let Some(code) = Code::from_code(code)
            && let Ok(tag) = tag.parse()
        {
            languages.push((code, tag));
        }
    }
    languages
});

fn tag(code: Code) -> Lang {
    match LANGUAGES.iter().find(|(known, _)| *known == code) {
        Some((_, tag)) => tag.clone(),
        None => code.code().parse().expect("a code of three letters is a tag"),
    }
}

/// The code of a language; both written forms of Norwegian have one.
fn code(tag: &Lang) -> Option<Code> {
    let primary = match tag.primary() {
        "nb" | "nn" => "no",
        other => other,
    };
    LANGUAGES.iter().find(|(_, known)| known.as_str() == primary).map(|(code, _)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "The lid of the box shall be closed and this is to be checked with a gauge. ";
    const FRENCH: &str =
        "Le couvercle de la boîte doit être fermé et les joints sont vérifiés dans une salle. ";
    const GERMAN: &str = "Der Deckel muss geschlossen sein und die Prüfung ist mit der Lehre zu machen. ";

    fn found(texts: &[&str]) -> Vec<String> {
        detect_document_languages(texts.iter().copied()).iter().map(Lang::to_string).collect()
    }

    #[test]
    fn a_text_of_some_length_tells_its_language_and_a_short_one_does_not() {
        assert_eq!(found(&[&ENGLISH.repeat(6)]), ["en"]);
        assert_eq!(found(&[&FRENCH.repeat(6)]), ["fr"]);
        assert_eq!(found(&[&GERMAN.repeat(6)]), ["de"]);
        assert_eq!(found(&["盖子应关闭。检验应使用量规。"]), ["zh"]);
        assert!(found(&["The lid shall be closed."]).is_empty());
        let polish = "Pokrywa pudełka powinna być zamknięta, a uszczelki należy sprawdzić sprawdzianem. ";
        assert_eq!(found(&[&polish.repeat(6)]), ["pl"]);
    }

    #[test]
    fn a_text_in_two_languages_has_both_and_a_quotation_adds_none() {
        let (english, french) = (ENGLISH.repeat(8), FRENCH.repeat(8));
        let mut halves = vec![english.as_str(); 6];
        halves.extend(vec![french.as_str(); 5]);
        assert_eq!(found(&halves), ["en", "fr"]);
        let mut quoting = vec![english.as_str(); 20];
        quoting.insert(7, FRENCH);
        assert_eq!(found(&quoting), ["en"]);
    }

    /// A detector without a matching language finds none, so the languages found here are found by function
    /// words.
    #[test]
    fn function_words_tell_a_language_that_no_other_is_near() {
        let none = Detector::with_allowlist(vec![Code::Kat]);
        let found = |text: &str| detect(&none, text);
        assert_eq!(found(&ENGLISH.repeat(6)), Some(Code::Eng));
        assert_eq!(found(&FRENCH.repeat(6)), Some(Code::Fra));
        assert_eq!(found(&GERMAN.repeat(6)), Some(Code::Deu));
        assert_eq!(found(&[ENGLISH, FRENCH].concat().repeat(3)), None);
        let danish = "Der er den hængsel, som skal lukke, og det er for dem, der er med på listen. ";
        let dutch = "Het deksel is van de doos of die van den bak, en het is te sluiten met een sleutel. ";
        for other in [danish, dutch] {
            assert_eq!(found(&other.repeat(6)), None, "{other}");
        }
    }

    #[test]
    fn names_and_codes_tell_nothing() {
        assert!(found(&[&"ABC-12 = 0x1F; QWE.34/RTZ_56 (7.8.9) ".repeat(20)]).is_empty());
    }

    #[test]
    fn a_section_is_in_one_of_the_languages_of_its_document() {
        let languages: Vec<Lang> = ["en", "fr"].map(|tag| tag.parse().expect("a tag")).into();
        assert_eq!(detect_section_language(ENGLISH, &languages), Some(0));
        assert_eq!(detect_section_language(FRENCH, &languages), Some(1));
        assert_eq!(detect_section_language("", &languages), None);
    }

    #[test]
    fn each_tag_of_the_table_is_read_back() {
        assert_eq!(LANGUAGES.len(), CODES.split_whitespace().count());
        for (code, short) in &*LANGUAGES {
            assert_eq!(tag(*code), *short);
            assert_eq!(super::code(&tag(*code)), Some(*code));
        }
        assert!(agree(&"nb".parse().expect("a tag"), &tag(Code::Dan)));
        assert!(!agree(&tag(Code::Eng), &tag(Code::Fra)));
    }
}
