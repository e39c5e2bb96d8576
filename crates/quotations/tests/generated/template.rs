//! Templates, and the sentences that they make: the parts of a sentence with what each of them is.

use crate::random::Random;

/// What a part of a sentence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PartKind {
    Plain,
    Negation,
    Verb,
    Number,
    Unit,
    Comparator,
    Reference,
    Condition,
    Exception,
    Optional,
}

/// A part of a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) kind: PartKind,
    /// As the standard has it.
    pub(crate) printed: String,
    /// What a false quotation may have instead.
    pub(crate) changed: Vec<String>,
}

/// A sentence, or a lead-in and its items.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) template: usize,
    /// Of the sentence, or of the lead-in.
    pub(crate) parts: Vec<Part>,
    pub(crate) items: Vec<Vec<Part>>,
}

/// A template in its language.
pub(crate) struct Template {
    pub(crate) language: &'static str,
    text: &'static str,
}

/// The templates of a file.
pub(crate) fn templates(file: &'static str) -> Vec<Template> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(": "))
        .map(|(language, text)| Template { language, text })
        .collect()
}

/// The words of a language.
struct Words {
    nouns: &'static [&'static str],
    participles: &'static [&'static str],
}

const ENGLISH: Words = Words {
    nouns: &[
        "float switch",
        "ridge tile",
        "winch",
        "hose reel",
        "awning",
        "storage jar",
        "ladle",
        "locking point",
        "bicycle stand",
        "lantern",
        "chute",
        "flagpole",
        "wicker basket",
        "cheese press",
        "sundial",
        "tow-rope",
        "kiln",
        "weather vane",
        "oar",
        "fish ladder",
    ],
    participles: &["painted", "weighed", "fastened", "rinsed", "tagged", "tested", "lifted", "drained"],
};
const FRENCH: Words = Words {
    nouns: &[
        "boîte",
        "échelle",
        "vanne",
        "lanterne",
        "bobine",
        "charrette",
        "tuile",
        "cuve",
        "passerelle",
        "corde",
        "girouette",
        "louche",
        "rame",
        "bâche",
        "écluse",
        "poulie",
        "clé",
        "meule",
        "ruche",
        "grille",
    ],
    participles: &["peinte", "pesée", "fixée", "rincée", "marquée", "vérifiée", "levée", "vidée"],
};
const GERMAN: Words = Words {
    nouns: &[
        "Leiter",
        "Kanne",
        "Klappe",
        "Spule",
        "Plane",
        "Laterne",
        "Winde",
        "Kiste",
        "Rinne",
        "Schleuse",
        "Wetterfahne",
        "Kelle",
        "Fischtreppe",
        "Rolle",
        "Mühle",
        "Käsepresse",
        "Brücke",
        "Sonnenuhr",
        "Bö",
        "Gießkanne",
    ],
    participles: &[
        "gestrichen",
        "gewogen",
        "befestigt",
        "gespült",
        "geprüft",
        "entleert",
        "gehoben",
        "markiert",
    ],
};

/// The fillings of one sentence.
struct Slots {
    language: &'static str,
    slots: Vec<(&'static str, String)>,
}

impl Slots {
    fn new(random: &mut Random, language: &'static str) -> Self {
        let words = match language {
            "fr" => FRENCH,
            "de" => GERMAN,
            _ => ENGLISH,
        };
        let (n, m) = two(random, words.nouns);
        let (a, b) = two(random, words.participles);
        let r = random.between(1, 8);
        let s = r + random.between(1, 8);
        let slots = vec![
            ("{n}", n.to_owned()),
            ("{m}", m.to_owned()),
            ("{a}", a.to_owned()),
            ("{b}", b.to_owned()),
            ("#r", r.to_string()),
            ("#s", s.to_string()),
        ];
        Self { language, slots }
    }

    fn fill(&self, random: &mut Random, text: &str) -> String {
        let mut text = text.to_owned();
        for (slot, words) in &self.slots {
            text = text.replace(slot, words);
        }
        let sign = if self.language == "en" { "." } else { "," };
        let whole = random.between(2, 400);
        let decimal = format!("{}{sign}{}", random.between(0, 40), random.between(1, 9));
        text.replace("#i", &whole.to_string()).replace("#d", &decimal)
    }
}

fn two<'w>(random: &mut Random, words: &[&'w str]) -> (&'w str, &'w str) {
    let first = *random.one(words);
    loop {
        let second = *random.one(words);
        if second != first {
            return (first, second);
        }
    }
}

impl Template {
    /// A sentence of the template.
    pub(crate) fn sentence(&self, random: &mut Random, template: usize) -> Sentence {
        let slots = Slots::new(random, self.language);
        let mut texts = self.text.split("//").map(str::trim);
        let first = texts.next().unwrap_or_default();
        let mut parts = parts(random, &slots, first);
        let items: Vec<Vec<Part>> = texts.map(|item| self::parts(random, &slots, item)).collect();
        if !items.is_empty() {
            parts.push(Part { kind: PartKind::Plain, printed: ":".to_owned(), changed: Vec::new() });
        }
        Sentence { template, parts, items }
    }
}

fn parts(random: &mut Random, slots: &Slots, text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let (marked, after) = after.split_once(']').expect("a part ends");
        let (kind, marked) = marked.split_once(':').expect("a part has a kind");
        push(&mut parts, random, slots, PartKind::Plain, before);
        push(&mut parts, random, slots, kind_of(kind), marked);
        rest = after;
    }
    push(&mut parts, random, slots, PartKind::Plain, rest);
    parts
}

fn kind_of(letter: &str) -> PartKind {
    match letter {
        "n" => PartKind::Negation,
        "v" => PartKind::Verb,
        "q" => PartKind::Number,
        "u" => PartKind::Unit,
        "k" => PartKind::Comparator,
        "r" => PartKind::Reference,
        "c" => PartKind::Condition,
        "x" => PartKind::Exception,
        "o" => PartKind::Optional,
        other => panic!("`{other}` is no kind of part"),
    }
}

fn push(parts: &mut Vec<Part>, random: &mut Random, slots: &Slots, kind: PartKind, marked: &str) {
    if marked.is_empty() {
        return;
    }
    let mut alternatives = marked.split('|');
    let pattern = alternatives.next().unwrap_or_default();
    // A reference and what it is changed to have one random number.
    let seed = random.between(0, u64::MAX - 1);
    let printed = slots.fill(&mut Random::new(seed), pattern);
    let mut changed: Vec<String> =
        alternatives.map(|other| slots.fill(&mut Random::new(seed), other)).collect();
    while kind == PartKind::Number && changed.is_empty() {
        let other = slots.fill(random, pattern);
        if other != printed {
            changed.push(other);
        }
    }
    parts.push(Part { kind, printed, changed });
}

/// The text of some parts.
pub(crate) fn printed(parts: &[Part]) -> String {
    parts.iter().map(|part| part.printed.as_str()).collect()
}
