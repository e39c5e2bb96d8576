//! French patterns and their words.

use norma_model::ProvisionKind;

use crate::measures::{Property, Style, angle, count, duration, hours_and_minutes, temperature};
use crate::random::Random;
use crate::sentence::{Measure, Pattern, Slots};

/// The noun with its article, with *de* and the article, and without; whether it is feminine.
const NOUNS: &[(&str, &str, &str, bool)] = &[
    ("le crochet", "du crochet", "crochet", false),
    ("la patte", "de la patte", "patte", true),
    ("le store", "du store", "store", false),
    ("la bobine", "de la bobine", "bobine", true),
    ("le treuil", "du treuil", "treuil", false),
    ("la cuve", "de la cuve", "cuve", true),
];
/// The participle, which takes an `e`.
const ACTIONS: &[(&str, &str)] = &[
    ("peint", "peinte"),
    ("pesé", "pesée"),
    ("rincé", "rincée"),
    ("fixé", "fixée"),
    ("enregistré", "enregistrée"),
];
const PROPERTIES: &[(bool, Property)] = &[
    (true, Property { name: "course", units: &[("m", "m"), ("mètres", "m")], low: 2, high: 40, decimals: 1 }),
    (
        false,
        Property {
            name: "couple",
            units: &[("N·m", "N.m"), ("N m", "N.m"), ("kN·m", "kN.m")],
            low: 3,
            high: 800,
            decimals: 0,
        },
    ),
    (
        true,
        Property {
            name: "tension",
            units: &[("V", "V"), ("kV", "kV"), ("volts", "V")],
            low: 2,
            high: 600,
            decimals: 0,
        },
    ),
    (
        false,
        Property {
            name: "jeu",
            units: &[("mm", "mm"), ("millimètres", "mm")],
            low: 2,
            high: 50,
            decimals: 1,
        },
    ),
    (
        true,
        Property {
            name: "fuite",
            units: &[("l/h", "l/h"), ("litres par heure", "l/h"), ("ml/min", "ml/min")],
            low: 2,
            high: 50,
            decimals: 1,
        },
    ),
    (
        false,
        Property {
            name: "taux de sel",
            units: &[("g/l", "g/l"), ("mg/kg", "mg/kg"), ("%", "%"), ("pour cent", "%")],
            low: 2,
            high: 45,
            decimals: 1,
        },
    ),
    (
        true,
        Property {
            name: "charge répartie",
            units: &[("kN/m²", "kN/m2"), ("kg/m²", "kg/m2")],
            low: 2,
            high: 90,
            decimals: 1,
        },
    ),
    (
        false,
        Property {
            name: "flux",
            units: &[("W/(m²·K)", "W/(m2.K)"), ("W/m²", "W/m2")],
            low: 2,
            high: 40,
            decimals: 1,
        },
    ),
    (
        false,
        Property {
            name: "niveau sonore",
            units: &[("dB", "dB"), ("décibels", "dB")],
            low: 20,
            high: 110,
            decimals: 0,
        },
    ),
    (
        true,
        Property {
            name: "vitesse",
            units: &[("m/s", "m/s"), ("km/h", "km/h")],
            low: 2,
            high: 40,
            decimals: 1,
        },
    ),
];
/// Adjectives that *plus* makes greater.
const GREATER: &[(&str, Property)] = &[
    ("haut", Property { name: "", units: &[("m", "m")], low: 2, high: 40, decimals: 1 }),
    ("profond", Property { name: "", units: &[("mm", "mm")], low: 2, high: 900, decimals: 0 }),
    ("grand", Property { name: "", units: &[("m²", "m2")], low: 2, high: 140, decimals: 0 }),
    ("chaud", Property { name: "", units: &[("°C", "Cel")], low: 2, high: 80, decimals: 0 }),
];
/// Adjectives that *plus* makes smaller.
const SMALLER: &[(&str, Property)] = &[
    ("petit", Property { name: "", units: &[("cm", "cm")], low: 2, high: 140, decimals: 0 }),
    ("court", Property { name: "", units: &[("m", "m")], low: 2, high: 40, decimals: 1 }),
    ("froid", Property { name: "", units: &[("°C", "Cel")], low: 2, high: 80, decimals: 0 }),
];
const LENGTH: Property = Property { name: "", units: &[("mm", "mm")], low: 2, high: 90, decimals: 0 };
const TIMES: &[(&str, &str, u64)] = &[
    ("minutes", "min", 90),
    ("heures", "h", 72),
    ("jours", "d", 400),
    ("semaines", "wk", 12),
    ("mois", "mo", 48),
];

pub(crate) const PATTERNS: &[Pattern] = &[
    // Values
    Pattern("{P} {m} être de {q}.", "m", 'n', "= q"),
    Pattern("{P} {m} être égal{e} à {q}.", "m", 'n', "= q"),
    Pattern("{S} {m} avoir {une} {p} de {q}.", "m", 'n', "= q"),
    Pattern("{S} avec {une} {p} de {q} {m} être {act}.", "m", 'n', "= q"),
    Pattern("{S} {m} être {act} pendant {d}.", "m", 'n', "= d"),
    Pattern("{S} {m} être {act} à {t}.", "m", 'n', "= t"),
    Pattern("{S} {m} supporter {q}.", "m", 'n', "?= q"),
    Pattern("{P} {m} être de {a1} ± {b1}.", "m", 'n', "a1+-b1"),
    Pattern("{P} {m} être d’environ {q}.", "m", 'n', "~ q"),
    // Limits by words before the value
    Pattern("{P} {m} être d’au moins {q}.", "m", 'n', ">= q"),
    Pattern("{P} {m} être d’au plus {q}.", "m", 'n', "<= q"),
    Pattern("{P} {m} être au maximum de {q}.", "m", 'n', "<= q"),
    Pattern("{P} {m} être au minimum de {q}.", "m", 'n', ">= q"),
    Pattern("{P} {m} être supérieur{e} à {q}.", "m", 'n', "> q"),
    Pattern("{P} {m} être inférieur{e} à {q}.", "m", 'n', "< q"),
    Pattern("{P} {m} être supérieur{e} ou égal{e} à {q}.", "m", 'n', ">= q"),
    Pattern("{P} {m} être égal{e} ou inférieur{e} à {q}.", "m", 'n', "<= q"),
    Pattern("{P} {m} être ≥ {q}.", "m", 'n', ">= q"),
    Pattern("{P} {m} rester au-dessous de {q}.", "m", 'n', "< q"),
    Pattern("{P} {m} rester au-dessus de {q}.", "m", 'n', "> q"),
    Pattern("{S} {m} avoir {une} {p} maxima{l} de {q}.", "m", 'n', "<= q"),
    Pattern("{S} {m} avoir {une} {p} minima{l} de {q}.", "m", 'n', ">= q"),
    Pattern("{P} {m} être limité{e} à {q}.", "m", 'n', "<= q"),
    Pattern("{P} {m} être plafonné{e} à {q}.", "m", 'n', "<= q"),
    Pattern("{P} peut aller jusqu’à {q}.", "P|C|R", 'n', "<= q"),
    Pattern("{S} {m} être plus {up} que {x}.", "m", 'n', "> x"),
    Pattern("{S} {m} être plus {down} que {y}.", "m", 'n', "< y"),
    Pattern("{S} {m} être moins {up} que {x}.", "m", 'n', "< x"),
    // Limits by words behind the value
    Pattern("{P} {m} être de {q} ou plus.", "m", 'n', ">= q"),
    Pattern("{P} {m} être de {q} ou moins.", "m", 'n', "<= q"),
    Pattern("{P} {m} être de {q} au plus.", "m", 'n', "<= q"),
    Pattern("{P} {m} être de {q} au minimum.", "m", 'n', ">= q"),
    // Verbs, and the verb's negation
    Pattern("{P} {m} dépasser {q}.", "m", 'n', "> q"),
    Pattern("On peut réduire à {q} la valeur prescrite pour {s}.", "P|C", 'n', "?>= q"),
    Pattern("On peut abaisser jusqu’à {q} la valeur prescrite pour {s}.", "P|C", 'n', "?>= q"),
    Pattern("On peut porter à {q} la valeur prescrite pour {s}.", "P|C", 'n', "?<= q"),
    Pattern("{S} {m} résister à {k} cycles.", "m", 'n', "?>= k"),
    Pattern("Il est interdit de dépasser une valeur de {q}.", "R", 'y', "<= q"),
    Pattern("{P} ne {m} pas dépasser d = {q}.", "m", 'y', "<= q"),
    Pattern("{S} {m} être {act} au plus tard le 30 juin.", "m", 'n', ""),
    Pattern("Un dépassement de {q} n’est pas admis.", "R", 'y', "?<= q"),
    Pattern("{P} ne {m} pas dépasser {q}.", "m", 'y', "<= q"),
    Pattern("{P} ne {m} jamais excéder {q}.", "m", 'y', "<= q"),
    Pattern("{P} ne {m} en aucun endroit dépasser {q}.", "m", 'y', "<= q"),
    Pattern("{P} ne {m} pas être inférieur{e} à {q}.", "m", 'y', ">= q"),
    Pattern("{P} ne {m} pas être supérieur{e} à {q}.", "m", 'y', "<= q"),
    Pattern("{P} ne {m} pas descendre au-dessous de {q}.", "m", 'y', ">= q"),
    Pattern("{P} ne {m} plus dépasser {q} après la réparation.", "m", 'y', "<= q"),
    Pattern("{P}, à 20 °C, ne {m} pas dépasser {q}.", "m", 'y', "= c; <= q"),
    Pattern("{S} ne {m} pas être plus {up} que {x}.", "m", 'y', "<= x"),
    Pattern("{S} ne {m} pas être plus {down} que {y}.", "m", 'y', ">= y"),
    Pattern("{S} ne {m} pas être moins {up} que {x}.", "m", 'y', ">= x"),
    Pattern("{S} ne {m} pas être {act} à plus de {t}.", "m", 'y', "<= t"),
    Pattern("{S} ne {m} pas être {act} pendant plus de {d}.", "m", 'y', "<= d"),
    Pattern("{Aucun} {n} ne {m} être plus {up} que {x}.", "m", 'y', "<= x"),
    Pattern("{Aucun} {n} ne {m} avoir {une} {p} de plus de {q}.", "m", 'y', "<= q"),
    Pattern("Il est interdit de dépasser {q}.", "R", 'y', "<= q"),
    Pattern("{S} {m} être {act} sans dépasser {q}.", "m", 'n', "<= q"),
    Pattern("{Aucun} {n} plus {up} que {x} ne {m} être {act}.", "m", 'y', "<= x"),
    Pattern("{P} {m} être de {q} ou davantage.", "m", 'n', ">= q"),
    // Ranges
    Pattern("{P} {m} être compris{e} entre {a} et {b}.", "m", 'n', "a..b"),
    Pattern("{P} {m} se situer entre {a} et {b}.", "m", 'n', "a..b"),
    Pattern("{P} {m} aller de {a} à {b}.", "m", 'n', "a..b"),
    Pattern("{P} {m} être d’au moins {g} et d’au plus {h}.", "m", 'n', ">= g; <= h"),
    Pattern("{P} {m} être supérieur{e} à {g} et inférieur{e} à {h}.", "m", 'n', "> g; < h"),
    // Conditions and attributes
    Pattern("Si {p1} dépasse {q}, {s2} {m} être {act2}.", "m", 'n', "> q"),
    Pattern("Lorsque {p1} est inférieur{e} à {q}, {s2} ne {m} pas être {act2}.", "m", 'y', "< q"),
    Pattern("{S} ne {m} pas être {act} si {p1} dépasse {q}.", "m", 'y', "> q"),
    Pattern("{S} {m} être {act} si {p1} est de plus de {q}.", "m", 'n', "> q"),
    Pattern("{S} avec {une} {p} de plus de {q} {m} être {act}.", "m", 'n', "> q"),
    Pattern("{S} dont {le} {p} ne dépasse pas {q} {m} être {act}.", "m", 'n', "<= q"),
    Pattern("{S} d’au plus {q} {m} être {act}.", "m", 'n', "<= q"),
    Pattern("À une température inférieure à {t}, {s} {m} être {act}.", "m", 'n', "< t"),
    // Deadlines and periods
    Pattern("{S} {m} être {act} dans un délai de {d}.", "m", 'n', "<= d"),
    Pattern("{S} {m} être {act} dans les {d}.", "m", 'n', "<= d"),
    Pattern("{S} {m} être {act} au plus tard {d} après la livraison.", "m", 'n', "<= d"),
    Pattern("{S} {m} être {act} pendant au moins {d}.", "m", 'n', ">= d"),
    Pattern("{S} {m} être {act} au plus tôt {d} après la livraison.", "m", 'n', ">= d"),
    Pattern("{S} {m} être {act} après {d}.", "m", 'n', "?= d"),
    Pattern("{S} {m} être {act} tous les {d}.", "m", 'n', "= d"),
    Pattern("{S} {m} être {act} à partir de {q}.", "m", 'n', "?>= q"),
    Pattern("Il n’en reste pas moins qu’une patte {m} être fixée.", "R|S|", '?', ""),
    // Counts and numbers as words
    Pattern("Au moins {k} éprouvettes {ms} être pesées.", "ms", 'n', ">= k"),
    Pattern("{S} {m} avoir {k} trous ou plus.", "m", 'n', "?>= k"),
    Pattern("{S} {m} être {act} pendant une demi-heure.", "m", 'n', "= half"),
    Pattern("{S} {m} être {act} pendant une heure et demie.", "m", 'n', "= onehalf"),
    // Lists
    Pattern("{P} {m} être d’au plus :", "m", 'n', "<= items"),
    Pattern("{P} ne {m} pas dépasser :", "m", 'y', "<= items"),
    Pattern("{P} {m} être inférieur{e} à :", "m", 'n', "< items"),
    Pattern("{P} {m} être au plus de :", "m", 'n', "<= items"),
    Pattern("{S} {m} être {act} au moins tous les {d}.", "m", 'n', "<= d"),
    Pattern("{S} ne {m} être ni plus {up} que {x} ni plus {down} que {y}.", "m", 'y', "<= x; >= y"),
    // Words that look like a comparison or a divisor
    Pattern("La marque {m} être sur la face inférieure d’une patte.", "m", 'n', ""),
    Pattern("La marque {m} être dans la partie supérieure d’un treuil.", "m", 'n', ""),
    Pattern("{S} {m} être {act} à {angle} par rapport au sol.", "m", 'n', "?= angle"),
    // Several values
    Pattern("{S} {m} mesurer {l1} × {l2}.", "m", 'n', "= l1; = l2"),
    Pattern("{S} {m} être {act} pendant {time}.", "m", 'n', "= time"),
    // Types and negation
    Pattern("{S} doit être {act}.", "R", 'n', ""),
    Pattern("{S} ne doit pas être {act}.", "R", 'y', ""),
    Pattern("Il convient que {s} soit {act}.", "S", 'n', ""),
    Pattern("{S} ne devrait pas être {act} à l’abri.", "S", 'y', ""),
    Pattern("{S} peut être {act} au dépôt.", "P|C", 'n', ""),
    Pattern("{S} ne peut plus être {act} après le contrôle.", "R|C", 'y', ""),
    Pattern("Nul ne peut ouvrir {s}.", "R", 'y', ""),
    Pattern("{Aucun} {n} ne peut être {act} par le public.", "R|C", 'y', ""),
    Pattern("Le gardien n’est pas tenu de rincer {s}.", "P", '?', ""),
    Pattern("{S} ne doit en aucun cas être {act}.", "R", 'y', ""),
    Pattern("Ni {s} ni {s2} ne doit être {act}.", "R", 'y', ""),
    Pattern("{S} non monté{f} doit être {act}.", "R", 'n', ""),
    Pattern("{S} doit être non seulement {act}, mais aussi fermé{f}.", "R", 'n', ""),
    Pattern("{S} doit être {act}, sauf si cela n’est pas utile.", "R", 'n', ""),
    Pattern("Le locataire ne peut céder {s}.", "R", 'y', ""),
    Pattern("{S} est {act} par le fabricant.", "", '?', ""),
];

pub(crate) fn slots(random: &mut Random, style: &Style) -> (Slots, ProvisionKind) {
    let mut slots = Slots::default();
    let (noun, of, bare, feminine) = *random.one(NOUNS);
    let (other, _, _, other_feminine) = *random.one(NOUNS);
    let (is_feminine, property) = random.one(PROPERTIES);
    let (masculine, feminine_act) = *random.one(ACTIONS);
    let modal = *random.one(&["doit", "doit", "devrait"]);
    let capital = |text: &str| text[..1].to_uppercase() + &text[1..];
    let either = |feminine: bool, a: &'static str, b: &'static str| if feminine { a } else { b };
    slots.set("S", capital(noun));
    slots.set("s", noun);
    slots.set("s2", other);
    slots.set("n", bare);
    slots.set("Aucun", either(feminine, "Aucune", "Aucun"));
    slots.set("f", either(feminine, "e", ""));
    slots.set("m", modal);
    slots.set("ms", if modal == "doit" { "doivent" } else { "devraient" });
    slots.set("act", either(feminine, feminine_act, masculine));
    slots.set("act2", either(other_feminine, feminine_act, masculine));
    let article = either(*is_feminine, "la", "le");
    slots.set("p", property.name);
    slots.set("P", format!("{} {} {of}", capital(article), property.name));
    slots.set("p1", format!("{article} {} {of}", property.name));
    slots.set("le", article);
    slots.set("une", either(*is_feminine, "une", "un"));
    slots.set("e", either(*is_feminine, "e", ""));
    slots.set("l", either(*is_feminine, "le", "l"));
    slots.measure("q", style.value(random, property));
    let (low, high) = style.pair(random, property, true);
    slots.measure("a", low);
    slots.measure("b", high);
    let (low, high) = style.pair(random, property, false);
    slots.measure("g", low);
    slots.measure("h", high);
    let (value, deviation) = style.tolerance(random, property);
    slots.measure("a1", value);
    slots.measure("b1", deviation);
    let (adjective, measured) = random.one(GREATER);
    slots.set("up", *adjective);
    slots.measure("x", style.value(random, measured));
    let (adjective, measured) = random.one(SMALLER);
    slots.set("down", *adjective);
    slots.measure("y", style.value(random, measured));
    slots.measure("d", duration(random, style, TIMES));
    slots.measure("t", temperature(random, "moins"));
    slots.measure("k", count(random, style));
    for slot in ["l1", "l2"] {
        slots.measure(slot, style.value(random, &LENGTH));
    }
    slots.measure("angle", angle(random));
    slots.measure("time", hours_and_minutes(random));
    slots.measure("items", style.value(random, property));
    for (slot, value, unit) in [("c", "20", "Cel"), ("half", "0.5", "h"), ("onehalf", "1.5", "h")] {
        slots.measure(slot, Measure { text: String::new(), value: value.into(), unit: unit.into() });
    }
    slots.set(
        "tail",
        *random.one(&[
            " (voir la Figure 7)",
            " conformément à l’ISO 4628:2016",
            " (voir 6.3)",
            " (Tableau 5)",
        ]),
    );
    let kind = if modal == "devrait" { ProvisionKind::Recommendation } else { ProvisionKind::Requirement };
    (slots, kind)
}

pub(crate) const POSITIONS: &[&str] = &["au bord", "près du joint", "au milieu"];
