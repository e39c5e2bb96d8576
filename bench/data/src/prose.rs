//! Sentences: requirements, recommendations, permissions and plain statements in three languages, from one
//! stream of random numbers, so that a translation has the same structure as its original.

use fastrand::Rng;

use crate::vocabulary::{ADJECTIVES, NOUNS, PREDICATES, QUANTITIES, VERBS};

/// A language that the generator writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// English.
    En,
    /// French.
    Fr,
    /// German.
    De,
}

use Language::{De, En, Fr};

impl Language {
    /// The code of ISO 639-1.
    pub(crate) fn code(self) -> &'static str {
        self.pick(["en", "fr", "de"])
    }

    /// The one of three texts that is in this language.
    pub(crate) fn pick(self, texts: [&str; 3]) -> &str {
        texts[self as usize]
    }
}

/// The place of a noun in its sentence; only German minds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Subject,
    Object,
    With,
}

/// A thing with a property, perhaps made of two: `sealed valve housing`.
struct Thing {
    head: usize,
    of: Option<usize>,
    adjective: Option<usize>,
}

/// What is said with which force.
#[derive(Clone, Copy)]
enum Force {
    Shall,
    ShallNot,
    Should,
    May,
    Can,
    Plain,
}

/// Writes sentences in one language.
pub(crate) struct Prose {
    pub language: Language,
    pub rng: Rng,
}

impl Prose {
    pub(crate) fn new(language: Language, seed: u64) -> Self {
        Self { language, rng: Rng::with_seed(seed) }
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    /// One text of three.
    pub(crate) fn say<'t>(&self, texts: [&'t str; 3]) -> &'t str {
        self.language.pick(texts)
    }

    /// A sentence of any force, as they are mixed in a clause: about one in four is a provision. Published
    /// standards have 4 to 22 verbal forms of provisions in 10 KB of text, most of them about 12, and a few
    /// 40 and more; here there are about 20.
    pub(crate) fn sentence(&mut self) -> String {
        let force = match self.rng.u32(0..100) {
            0..12 => Force::Shall,
            12..14 => Force::ShallNot,
            14..19 => Force::Should,
            19..22 => Force::May,
            22..24 => Force::Can,
            _ => Force::Plain,
        };
        self.said_with(force)
    }

    /// A sentence that only states.
    pub(crate) fn statement(&mut self) -> String {
        self.said_with(Force::Plain)
    }

    /// The stem of a list: `The sealed drum shall bear:`.
    pub(crate) fn stem(&mut self) -> String {
        let subject = self.thing();
        let subject = self.phrase(&subject, Case::Subject);
        let stem = match self.language {
            En => format!("{subject} shall consist of:"),
            Fr => format!("{subject} doit comporter:"),
            De => format!("{subject} muss enthalten:"),
        };
        capital(&stem)
    }

    fn said_with(&mut self, force: Force) -> String {
        let subject = self.thing();
        let subject = self.phrase(&subject, Case::Subject);
        let verb = self.rng.usize(0..VERBS.len());
        let verb = VERBS[verb][self.language as usize];
        let object = self.thing();
        let object = self.phrase(&object, Case::Object);
        let manner = self.manner();
        let condition = self.condition();
        let first = condition.as_ref().filter(|_| self.rng.bool()).cloned();
        let last = condition.filter(|_| first.is_none()).map(|c| self.behind(&c)).unwrap_or_default();
        let main = match self.language {
            En => {
                let modal = match force {
                    Force::Shall => "shall",
                    Force::ShallNot => "shall not",
                    Force::Should => "should",
                    Force::May => "may",
                    Force::Can => "can",
                    Force::Plain => "is used to",
                };
                format!("{subject} {modal} {verb} {object}{manner}")
            }
            Fr => match force {
                Force::Should => format!("il convient de {verb} {object}{manner} avec {subject}"),
                _ => {
                    let modal = match force {
                        Force::Shall => "doit",
                        Force::ShallNot => "ne doit pas",
                        Force::Can | Force::May => "peut",
                        _ => "sert à",
                    };
                    format!("{subject} {modal} {verb} {object}{manner}")
                }
            },
            De => {
                let (modal, behind) = match force {
                    Force::Shall => ("muss", ""),
                    Force::ShallNot => ("darf", "nicht "),
                    Force::Should => ("sollte", ""),
                    Force::May => ("darf", ""),
                    Force::Can => ("kann", ""),
                    Force::Plain => ("dient dazu,", ""),
                };
                let infinitive =
                    if matches!(force, Force::Plain) { format!("zu {verb}") } else { verb.to_owned() };
                match first.is_some() {
                    true => format!("{modal} {subject} {behind}{object}{manner} {infinitive}").replacen(
                        &format!("dient dazu, {subject}"),
                        &format!("dient {subject} dazu,"),
                        1,
                    ),
                    false => format!("{subject} {modal} {behind}{object}{manner} {infinitive}"),
                }
            }
        };
        let first = first.map(|c| format!("{c}, ")).unwrap_or_default();
        capital(&format!("{first}{main}{last}."))
    }

    /// A condition that goes behind its sentence.
    fn behind(&self, condition: &str) -> String {
        let comma = if self.language == De { "," } else { "" };
        let mut letters = condition.chars();
        let start: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
        format!("{comma} {start}{}", letters.as_str())
    }

    fn condition(&mut self) -> Option<String> {
        let kind = self.rng.u32(0..5);
        let thing = self.thing();
        let subject = self.phrase(&thing, Case::Subject);
        let adjective = self.rng.usize(0..PREDICATES);
        let (what, amount) = self.quantity();
        let is = match self.language {
            En => ADJECTIVES[adjective][0],
            Fr if gender(Fr, NOUNS[thing.head]) == 'f' => ADJECTIVES[adjective][2],
            Fr => ADJECTIVES[adjective][1],
            De => ADJECTIVES[adjective][3],
        };
        Some(match (kind, self.language) {
            (0 | 1, _) => return None,
            (2, En) => format!("when {subject} is {is}"),
            (2, Fr) => format!("lorsque {subject} est {is}"),
            (2, De) => format!("wenn {subject} {is} ist"),
            (3, En) => format!("where the {what} is more than {amount}"),
            (3, Fr) => format!("si la {what} dépasse {amount}"),
            (3, De) => format!("wenn die {what} {amount} übersteigt"),
            (_, En) => format!("after {subject} has been exposed to a {what} of {amount}"),
            (_, Fr) => format!("après que {subject} a subi une {what} de {amount}"),
            (_, De) => format!("nachdem {subject} eine {what} von {amount} erreicht hat"),
        })
    }

    fn manner(&mut self) -> String {
        let kind = self.rng.u32(0..4);
        let thing = self.thing();
        let (what, amount) = self.quantity();
        let thing = self.phrase(&thing, Case::With);
        match (kind, self.language) {
            (0 | 1, _) => String::new(),
            (2, En) => format!(" with {thing}"),
            (2, Fr) => format!(" avec {thing}"),
            (2, De) => format!(" mit {thing}"),
            (_, En) => format!(" at a {what} of {amount}"),
            (_, Fr) => format!(" à une {what} de {amount}"),
            (_, De) => format!(" bei einer {what} von {amount}"),
        }
    }

    /// The name of a quantity and an amount of it: `force`, `2,5 kN`.
    pub(crate) fn quantity(&mut self) -> (&'static str, String) {
        let (names, _, unit) = QUANTITIES[self.rng.usize(0..QUANTITIES.len())];
        let amount = self.number();
        (self.language.pick(names), format!("{amount}\u{a0}{unit}"))
    }

    /// A number with or without decimals.
    pub(crate) fn number(&mut self) -> String {
        match self.rng.u32(0..3) {
            0 => format!("{},{}", self.rng.u32(0..40), self.rng.u32(1..100)),
            1 => self.rng.u32(2..60).to_string(),
            _ => (self.rng.u32(2..200) * 5).to_string(),
        }
    }

    /// A thing without an article: `sealed valve housing`; the words of titles, cells and terms.
    pub(crate) fn name(&mut self) -> String {
        let thing = self.thing();
        self.bare(&thing)
    }

    /// A definition: what a thing is and what it is for.
    pub(crate) fn definition(&mut self) -> String {
        let thing = self.thing();
        let name = self.bare(&thing);
        let verb = VERBS[self.rng.usize(0..VERBS.len())][self.language as usize];
        let object = self.thing();
        let object = self.phrase(&object, Case::Object);
        let manner = self.manner();
        match self.language {
            En => format!("{name} used to {verb} {object}{manner}"),
            Fr => format!("{name} servant à {verb} {object}{manner}"),
            De => {
                let relative = by_gender(gender(De, NOUNS[thing.head]), ["der", "die", "das"]);
                format!("{name}, {relative} dazu dient, {object}{manner} zu {verb}")
            }
        }
    }

    fn thing(&mut self) -> Thing {
        let head = self.rng.usize(0..NOUNS.len());
        let (with_noun, with_adjective) = (self.chance(35), self.chance(45));
        let (of, adjective) = (self.rng.usize(0..NOUNS.len()), self.rng.usize(0..ADJECTIVES.len()));
        Thing { head, of: with_noun.then_some(of), adjective: with_adjective.then_some(adjective) }
    }

    /// The words of a thing, its German adjective with this ending.
    fn words(&self, thing: &Thing, ending: &str) -> String {
        let noun = |index: usize| bare_noun(self.language, NOUNS[index]);
        let head = noun(thing.head);
        let adjective = thing.adjective.map(|index| ADJECTIVES[index]);
        match self.language {
            En => {
                let adjective = adjective.map(|a| format!("{} ", a[0])).unwrap_or_default();
                let of = thing.of.map(|of| format!("{} ", noun(of))).unwrap_or_default();
                format!("{adjective}{of}{head}")
            }
            Fr => {
                let feminine = gender(Fr, NOUNS[thing.head]) == 'f';
                let adjective =
                    adjective.map(|a| format!(" {}", a[1 + usize::from(feminine)])).unwrap_or_default();
                let of = thing.of.map(|of| {
                    let noun = noun(of);
                    if starts_with_vowel(noun) { format!(" d’{noun}") } else { format!(" de {noun}") }
                });
                format!("{head}{}{adjective}", of.unwrap_or_default())
            }
            De => {
                let adjective = adjective.map(|a| format!("{}{ending} ", a[3])).unwrap_or_default();
                let of = thing.of.map(|of| format!("{}-", noun(of))).unwrap_or_default();
                format!("{adjective}{of}{head}")
            }
        }
    }

    fn bare(&self, thing: &Thing) -> String {
        let ending = by_gender(gender(De, NOUNS[thing.head]), ["er", "e", "es"]);
        self.words(thing, ending)
    }

    fn phrase(&self, thing: &Thing, case: Case) -> String {
        match self.language {
            En => format!("the {}", self.words(thing, "")),
            Fr => {
                let words = self.words(thing, "");
                match by_gender(gender(Fr, NOUNS[thing.head]), ["le", "la", ""]) {
                    _ if starts_with_vowel(&words) => format!("l’{words}"),
                    article => format!("{article} {words}"),
                }
            }
            De => {
                let gender = gender(De, NOUNS[thing.head]);
                let article = match case {
                    Case::Subject => by_gender(gender, ["der", "die", "das"]),
                    Case::Object => by_gender(gender, ["den", "die", "das"]),
                    Case::With => by_gender(gender, ["dem", "der", "dem"]),
                };
                let ending = if case == Case::With || article == "den" { "en" } else { "e" };
                format!("{article} {}", self.words(thing, ending))
            }
        }
    }
}

/// The gender of a noun: `m`, `f` or `n`.
fn gender(language: Language, noun: [&str; 3]) -> char {
    language.pick(noun).chars().next().unwrap_or('n')
}

fn by_gender(gender: char, [masculine, feminine, neuter]: [&'static str; 3]) -> &'static str {
    match gender {
        'm' => masculine,
        'f' => feminine,
        _ => neuter,
    }
}

fn bare_noun(language: Language, noun: [&'static str; 3]) -> &'static str {
    match language {
        En => noun[0],
        language => &language.pick(noun)[2..],
    }
}

fn starts_with_vowel(word: &str) -> bool {
    word.starts_with(['a', 'e', 'i', 'o', 'u', 'é', 'è', 'ê'])
}

/// The text with a capital at its start.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
