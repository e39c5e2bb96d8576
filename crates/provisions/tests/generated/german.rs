//! German patterns and their words.

use norma_model::ProvisionKind;

use crate::measures::{Property, Style, angle, count, duration, hours_and_minutes, temperature};
use crate::random::Random;
use crate::sentence::{Measure, Pattern, Slots};

/// Gender, nominative, genitive.
const NOUNS: &[(char, &str, &str)] = &[
    ('m', "Haken", "Hakens"),
    ('f', "Markise", "Markise"),
    ('n', "Gestell", "Gestells"),
    ('f', "Winde", "Winde"),
    ('m', "Schlauch", "Schlauchs"),
    ('f', "Leuchte", "Leuchte"),
    ('n', "Regal", "Regals"),
    ('m', "Schieber", "Schiebers"),
];
/// The participle, and the infinitive with `zu`.
const ACTIONS: &[(&str, &str)] = &[
    ("lackiert", "zu lackieren"),
    ("gewogen", "zu wiegen"),
    ("erfasst", "zu erfassen"),
    ("befestigt", "zu befestigen"),
    ("gespült", "zu spülen"),
    ("beschriftet", "zu beschriften"),
];
const PROPERTIES: &[(char, Property)] = &[
    (
        'f',
        Property {
            name: "Dicke",
            units: &[("mm", "mm"), ("Millimeter", "mm")],
            low: 2,
            high: 90,
            decimals: 1,
        },
    ),
    ('m', Property { name: "Hub", units: &[("m", "m"), ("Meter", "m")], low: 2, high: 40, decimals: 1 }),
    (
        'n',
        Property {
            name: "Drehmoment",
            units: &[("N·m", "N.m"), ("Nm", "N.m"), ("kN·m", "kN.m")],
            low: 3,
            high: 800,
            decimals: 0,
        },
    ),
    (
        'm',
        Property {
            name: "Prüfdruck",
            units: &[("MPa", "MPa"), ("kPa", "kPa"), ("bar", "bar")],
            low: 2,
            high: 600,
            decimals: 0,
        },
    ),
    (
        'f',
        Property {
            name: "Leckrate",
            units: &[("l/h", "l/h"), ("Liter pro Stunde", "l/h"), ("ml/min", "ml/min")],
            low: 2,
            high: 50,
            decimals: 1,
        },
    ),
    (
        'm',
        Property {
            name: "Salzgehalt",
            units: &[("g/l", "g/l"), ("mg/kg", "mg/kg"), ("Prozent", "%"), ("%", "%")],
            low: 2,
            high: 45,
            decimals: 1,
        },
    ),
    (
        'm',
        Property {
            name: "Wärmedurchlass",
            units: &[("W/(m²·K)", "W/(m2.K)"), ("W/(m² K)", "W/(m2.K)")],
            low: 0,
            high: 4,
            decimals: 2,
        },
    ),
    (
        'f',
        Property {
            name: "Flächenlast",
            units: &[("kN/m²", "kN/m2"), ("kg/m²", "kg/m2")],
            low: 2,
            high: 90,
            decimals: 1,
        },
    ),
    (
        'f',
        Property {
            name: "Prüfspannung",
            units: &[("V", "V"), ("kV", "kV"), ("Volt", "V")],
            low: 2,
            high: 700,
            decimals: 0,
        },
    ),
    (
        'm',
        Property {
            name: "Schallpegel",
            units: &[("dB", "dB"), ("Dezibel", "dB")],
            low: 20,
            high: 110,
            decimals: 0,
        },
    ),
    (
        'f',
        Property {
            name: "Schaltzeit",
            units: &[("ms", "ms"), ("s", "s"), ("Sekunden", "s")],
            low: 2,
            high: 500,
            decimals: 0,
        },
    ),
    (
        'f',
        Property {
            name: "Geschwindigkeit",
            units: &[("m/s", "m/s"), ("km/h", "km/h")],
            low: 2,
            high: 40,
            decimals: 1,
        },
    ),
];
/// The adjective, the comparative of more, that of less, the unit.
const ADJECTIVES: &[(&str, &str, &str, Property)] = &[
    (
        "hoch",
        "höher",
        "niedriger",
        Property { name: "", units: &[("m", "m")], low: 2, high: 40, decimals: 1 },
    ),
    (
        "tief",
        "tiefer",
        "seichter",
        Property { name: "", units: &[("mm", "mm")], low: 2, high: 900, decimals: 0 },
    ),
    (
        "alt",
        "älter",
        "jünger",
        Property { name: "", units: &[("Jahre", "a"), ("Monate", "mo")], low: 2, high: 40, decimals: 0 },
    ),
    (
        "schnell",
        "schneller",
        "langsamer",
        Property { name: "", units: &[("km/h", "km/h")], low: 2, high: 140, decimals: 0 },
    ),
    (
        "warm",
        "wärmer",
        "kühler",
        Property { name: "", units: &[("°C", "Cel")], low: 2, high: 80, decimals: 0 },
    ),
    (
        "groß",
        "größer",
        "kleiner",
        Property { name: "", units: &[("cm²", "cm2")], low: 2, high: 800, decimals: 0 },
    ),
    (
        "laut",
        "lauter",
        "leiser",
        Property { name: "", units: &[("dB", "dB")], low: 20, high: 110, decimals: 0 },
    ),
    (
        "steil",
        "steiler",
        "flacher",
        Property { name: "", units: &[("°", "deg"), ("Grad", "deg")], low: 2, high: 80, decimals: 0 },
    ),
];
/// Units of time in the dative and accusative of the plural, which differ in some.
const TIMES: &[(&str, &str, u64)] = &[
    ("Minuten", "min", 90),
    ("Stunden", "h", 72),
    ("Tagen", "d", 400),
    ("Wochen", "wk", 12),
    ("Monaten", "mo", 48),
];
const LENGTH: Property = Property { name: "", units: &[("mm", "mm")], low: 2, high: 90, decimals: 0 };
const TIMES_OBJECT: &[(&str, &str, u64)] = &[
    ("Minuten", "min", 90),
    ("Stunden", "h", 72),
    ("Tage", "d", 400),
    ("Wochen", "wk", 12),
    ("Monate", "mo", 48),
];

pub(crate) const PATTERNS: &[Pattern] = &[
    // Values
    Pattern("{P} {m} {q} betragen.", "m", 'n', "= q"),
    Pattern("{P} {m} bei {q} liegen.", "m", 'n', "= q"),
    Pattern("{S} {m} {eine} {p} von {q} haben.", "m", 'n', "= q"),
    Pattern("{S} mit {einer} {p} von {q} {m} {act} werden.", "m", 'n', "= q"),
    Pattern("{S} {m} bei {t} {act} werden.", "m", 'n', "= t"),
    Pattern("{S} {m} {x} {adj} sein.", "m", 'n', "= x"),
    Pattern("{S} {m} {q} standhalten.", "m", 'n', "?= q"),
    Pattern("{P} {m} {a1} ± {b1} betragen.", "m", 'n', "a1+-b1"),
    Pattern("{P} {m} etwa {q} betragen.", "m", 'n', "~ q"),
    Pattern("{P} {m} ungefähr {q} betragen.", "m", 'n', "~ q"),
    // Limits by words before the value
    Pattern("{P} {m} mindestens {q} betragen.", "m", 'n', ">= q"),
    Pattern("{P} {m} wenigstens {q} betragen.", "m", 'n', ">= q"),
    Pattern("{P} darf höchstens {q} betragen.", "R|P", 'n', "<= q"),
    Pattern("{P} darf maximal {q} betragen.", "R|P", 'n', "<= q"),
    Pattern("{P} {m} mehr als {q} betragen.", "m", 'n', "> q"),
    Pattern("{P} {m} weniger als {q} betragen.", "m", 'n', "< q"),
    Pattern("{P} {m} größer oder gleich {q} sein.", "m", 'n', ">= q"),
    Pattern("{P} {m} kleiner oder gleich {q} sein.", "m", 'n', "<= q"),
    Pattern("{P} {m} gleich oder größer als {q} sein.", "m", 'n', ">= q"),
    Pattern("{P} {m} ≥ {q} sein.", "m", 'n', ">= q"),
    Pattern("{P} {m} über {q} liegen.", "m", 'n', "> q"),
    Pattern("{P} {m} unterhalb von {q} bleiben.", "m", 'n', "< q"),
    Pattern("{S} {m} eine Mindestdicke von {v} haben.", "m", 'n', ">= v"),
    Pattern("Die Höchstlast {sg} {m} {w} betragen.", "m", 'n', "<= w"),
    Pattern("{S} {m} {eine} {maximale} {p} von {q} haben.", "m", 'n', "<= q"),
    Pattern("{P} ist auf {q} zu begrenzen.", "R", 'n', "<= q"),
    Pattern("{P} {m} auf höchstens {q} beschränkt sein.", "m", 'n', "<= q"),
    Pattern("{S} {m} für Lasten bis {w} geeignet sein.", "m", 'n', "<= w"),
    Pattern("{S} {m} {more} als {x} sein.", "m", 'n', "> x"),
    Pattern("{S} {m} {less} als {x} sein.", "m", 'n', "< x"),
    Pattern("{S} {m} {eine} größere {p} als {q} haben.", "m", 'n', "> q"),
    // Limits by words behind the value
    Pattern("{P} {m} {q} oder mehr betragen.", "m", 'n', ">= q"),
    Pattern("{P} {m} {q} oder weniger betragen.", "m", 'n', "<= q"),
    Pattern("{S} {m} {x} oder {more} sein.", "m", 'n', ">= x"),
    Pattern("{S} {m} {x} oder {less} sein.", "m", 'n', "<= x"),
    // Verbs, and the verb's negation
    Pattern("{P} {m} {q} überschreiten.", "m", 'n', "> q"),
    Pattern("{P} darf auf {q} verringert werden.", "P", 'n', "?>= q"),
    Pattern("{P} {m} höchstens d = {q} betragen.", "m", 'n', "<= q"),
    Pattern("Die minimale und die maximale Tiefe {ms} {l1} und {l2} betragen.", "ms", 'n', "?>= l1; ?<= l2"),
    Pattern(
        "Der Abstand {m} mindestens betragen: — {l1} an der Tür; — {l2} am Tor.",
        "m",
        'n',
        ">= l1; >= l2",
    ),
    Pattern("{P} {m} d = {q} betragen.", "m", 'n', "= q"),
    Pattern("{P} sollte {h} nicht überschreiten und {g} nicht unterschreiten.", "S", 'y', "<= h; >= g"),
    Pattern("Eine Überschreitung von {q} ist nicht zulässig.", "R", 'y', "?<= q"),
    Pattern("{S} {m} innerhalb einer Entfernung von {l1} {act} werden.", "m", 'n', "<= l1"),
    Pattern("{S} {m} unter einer Höhe von {l1} {act} werden.", "m", 'n', "?< l1"),
    Pattern("{S} {m} spätestens bis zum 30. Juni {act} werden.", "m", 'n', ""),
    Pattern("Die Breite {m} mindestens {l1}, bei Neubauten {l2} betragen.", "m", 'n', ">= l1; ?>= l2"),
    Pattern("{P} darf unter Brücken bis auf {q} herabgesetzt werden.", "P", 'n', "?>= q"),
    Pattern("{P} darf auf {q} erhöht werden.", "P", 'n', "?<= q"),
    Pattern("{P} darf um bis zu {q} gesenkt werden.", "P", 'n', "<= q"),
    Pattern("{P} muss auf {q} verringert werden.", "R", 'n', "= q"),
    Pattern("{P} darf {q} nicht überschreiten.", "R", 'y', "<= q"),
    Pattern("{P} darf {q} nicht unterschreiten.", "R", 'y', ">= q"),
    Pattern("{P} darf {q} niemals übersteigen.", "R", 'y', "<= q"),
    Pattern("{P} darf zu keinem Zeitpunkt {q} überschreiten.", "R", 'y', "<= q"),
    Pattern("{P} darf unter keiner Last mehr als {q} betragen.", "R", 'y', "<= q"),
    Pattern("{P} darf {q} bei 20 °C nicht überschreiten.", "R", 'y', "<= q; = c"),
    Pattern("{P} darf, bestimmt bei 20 °C, {q} nicht überschreiten.", "R", 'y', "= c; <= q"),
    Pattern("{P} darf den Wert von {q} nicht überschreiten.", "R", 'y', "<= q"),
    Pattern("{P} darf nicht über {q} liegen.", "R", 'y', "<= q"),
    Pattern("{P} darf nicht unter {q} fallen.", "R", 'y', ">= q"),
    Pattern("{P} darf nicht mehr als {q} betragen.", "R", 'y', "<= q"),
    Pattern("{P} sollte nicht weniger als {q} betragen.", "S", 'y', ">= q"),
    Pattern("{S} darf nicht {more} als {x} sein.", "R", 'y', "<= x"),
    Pattern("{S} sollte nicht {less} als {x} sein.", "S", 'y', ">= x"),
    Pattern("{S} darf nicht über {t} {act} werden.", "R", 'y', "<= t"),
    Pattern("{S} darf nicht länger als {o} {act} werden.", "R", 'y', "<= o"),
    Pattern("{Kein} {n} darf {more} als {x} sein.", "R", 'y', "<= x"),
    Pattern("{Kein} {n} darf {eine} {p} von mehr als {q} haben.", "R", 'y', "<= q"),
    Pattern("{S} darf {keine} größere {p} als {q} haben.", "R", 'y', "<= q"),
    Pattern("Es ist verboten, {w} zu überschreiten.", "R", 'y', "<= w"),
    // Ranges
    Pattern("{P} {m} zwischen {a} und {b} liegen.", "m", 'n', "a..b"),
    Pattern("{P} {m} von {a} bis {b} reichen.", "m", 'n', "a..b"),
    Pattern("{P} {m} im Bereich von {a} bis {b} liegen.", "m", 'n', "a..b"),
    Pattern("{P} {m} mindestens {g} und höchstens {h} betragen.", "m", 'n', ">= g; <= h"),
    Pattern("{P} darf nicht weniger als {g} und nicht mehr als {h} betragen.", "R", 'y', ">= g; <= h"),
    // Conditions and attributes
    Pattern("Wenn {p1} {q} überschreitet, {m} {s2} {act} werden.", "m", 'n', "> q"),
    Pattern("Überschreitet {p1} {q}, {m} {s2} {act} werden.", "m", 'n', "> q"),
    Pattern("Sofern {p1} weniger als {q} beträgt, darf {s2} nicht {act} werden.", "R", 'y', "< q"),
    Pattern("{S} darf nicht {act} werden, wenn {p1} {q} übersteigt.", "R", 'y', "> q"),
    Pattern("{S} {m} {act} werden, sobald {p1} unter {q} liegt.", "m", 'n', "< q"),
    Pattern("{S} mit {einer} {p} von mehr als {q} {m} {act} werden.", "m", 'n', "> q"),
    Pattern("{S}, {rel} {more} als {x} ist, {m} {act} werden.", "m", 'n', "> x"),
    Pattern("{S}, {rel} nicht {more} als {x} ist, {m} {act} werden.", "m", 'n', "<= x"),
    Pattern("Ein Kasten, dessen Last {w} nicht überschreitet, {m} {act} werden.", "m", 'n', "<= w"),
    Pattern("Bei Temperaturen unter {t} {m} {s} {act} werden.", "m", 'n', "< t"),
    // Deadlines and periods
    Pattern("{S} {m} innerhalb von {d} {act} werden.", "m", 'n', "<= d"),
    Pattern("{S} {m} spätestens nach {d} {act} werden.", "m", 'n', "<= d"),
    Pattern("{S} {m} binnen {d} {act} werden.", "m", 'n', "<= d"),
    Pattern("{S} {m} frühestens nach {d} {act} werden.", "m", 'n', ">= d"),
    Pattern("{S} {m} nach {d} {act} werden.", "m", 'n', "?= d"),
    Pattern("{S} {m} mindestens {o} lang {act} werden.", "m", 'n', ">= o"),
    Pattern("{S} {m} länger als {o} {act} werden.", "m", 'n', "> o"),
    Pattern("{S} {m} alle {o} {act} werden.", "m", 'n', "= o"),
    Pattern("{S} ist innerhalb von {d} {zu}.", "R", 'n', "<= d"),
    // Counts and numbers as words
    Pattern("{S} {m} {k} Zyklen überstehen.", "m", 'n', "?>= k"),
    Pattern("Mindestens {k} Proben {ms} {act} werden.", "ms", 'n', ">= k"),
    Pattern("Höchstens {k} Proben dürfen {act} werden.", "R|P", 'n', "<= k"),
    Pattern("{S} {m} {k} oder mehr Löcher haben.", "m", 'n', ">= k"),
    Pattern("{S} {m} eine halbe Stunde lang {act} werden.", "m", 'n', "= half"),
    Pattern("{S} {m} anderthalb Stunden lang {act} werden.", "m", 'n', "= onehalf"),
    // Lists
    Pattern("{P} darf höchstens betragen:", "R|P", 'n', "<= items"),
    Pattern("{P} darf nicht überschreiten:", "R", 'y', "<= items"),
    Pattern("{P} {m} mindestens betragen:", "m", 'n', ">= items"),
    Pattern("{S} {m} mindestens alle {o} {act} werden.", "m", 'n', "<= o"),
    Pattern("{S} {m} in einem Abstand von nicht weniger als {l1} {act} werden.", "m", '?', ">= l1"),
    Pattern(
        "{S} darf eine Breite von {l1} und eine Tiefe von {l2} nicht überschreiten.",
        "R",
        'y',
        "<= l1; <= l2",
    ),
    Pattern(
        "{S} darf bei einer Dicke von {l1} eine Breite von {l2} nicht überschreiten.",
        "R",
        'y',
        "= l1; <= l2",
    ),
    // Angles and rounding
    Pattern("{S} {m} unter {angle} zur Wand {act} werden.", "m", 'n', "?= angle"),
    Pattern("{S} {m} mit einer Kraft unter {angle} {act} werden.", "m", 'n', "?= angle"),
    Pattern("{P} {m} auf {q} gerundet angegeben werden.", "m", 'n', "?nearest q"),
    // Several values
    Pattern("{S} {m} {l1} lang, {l2} breit und {l3} hoch sein.", "m", 'n', "= l1; = l2; = l3"),
    Pattern("{S} {m} {l1} × {l2} groß sein.", "m", 'n', "= l1; = l2"),
    Pattern("Der Abstand {m} {l1}, die Höhe {l2} betragen.", "m", 'n', "= l1; ?= l2"),
    Pattern("Der Abstand darf {l1} oder {l2} nicht überschreiten.", "R", 'y', "<= l1; <= l2"),
    Pattern("{S} {m} während {time} {act} werden.", "m", 'n', "= time"),
    // Types and negation
    Pattern("{S} muss {act} werden.", "R", 'n', ""),
    Pattern("{S} darf nicht {act} werden.", "R", 'y', ""),
    Pattern("{S} ist {zu}.", "R", 'n', ""),
    Pattern("{S} sollte vor Gebrauch {act} werden.", "S", 'n', ""),
    Pattern("{S} darf im Lager {act} werden.", "P", 'n', ""),
    Pattern("{S} kann von einer Person {act} werden.", "C", 'n', ""),
    Pattern("{S} kann von unten nicht {act} werden.", "C", 'y', ""),
    Pattern("{S} muss nicht mehr {act} werden.", "P", '?', ""),
    Pattern("{S} braucht nicht {act} zu werden.", "P", '?', ""),
    Pattern("{S} darf von niemandem {act} werden.", "R", 'y', ""),
    Pattern("{S} darf in keinem Fall {act} werden.", "R", 'y', ""),
    Pattern("Weder {s} noch {s2} darf {act} werden.", "R", 'y', ""),
    Pattern("{S} muss durch nicht vertraute Helfer {act} werden.", "R", 'n', ""),
    Pattern("{S} muss nicht nur {act}, sondern auch verschlossen werden.", "R", 'n', ""),
    Pattern("{S} muss {act} werden, sofern keine Lehre vorhanden ist.", "R", 'n', ""),
    Pattern("{S} darf ab sofort nicht mehr {act} werden.", "R", 'y', ""),
    Pattern("{S} muss in nicht beheizten Räumen {act} werden.", "R", 'n', ""),
    Pattern("{S} wird vom Hersteller {act}.", "", '?', ""),
];

pub(crate) fn slots(random: &mut Random, style: &Style) -> (Slots, ProvisionKind) {
    let mut slots = Slots::default();
    let (gender, noun, genitive) = *random.one(NOUNS);
    let (other_gender, other, _) = *random.one(NOUNS);
    let (of, property) = random.one(PROPERTIES);
    let (act, zu) = *random.one(ACTIONS);
    let modal = *random.one(&["muss", "muss", "sollte"]);
    let by = |gender: char, words: [&'static str; 3]| match gender {
        'm' => words[0],
        'f' => words[1],
        _ => words[2],
    };
    let the = |gender| by(gender, ["der", "die", "das"]);
    let of_the = by(gender, ["des", "der", "des"]);
    slots.set("S", format!("{} {noun}", by(gender, ["Der", "Die", "Das"])));
    slots.set("s", format!("{} {noun}", the(gender)));
    slots.set("sg", format!("{of_the} {genitive}"));
    slots.set("s2", format!("{} {other}", the(other_gender)));
    slots.set("n", noun);
    slots.set("Kein", by(gender, ["Kein", "Keine", "Kein"]));
    slots.set("rel", the(gender));
    slots.set("m", modal);
    slots.set("ms", if modal == "muss" { "müssen" } else { "sollten" });
    slots.set("act", act);
    slots.set("zu", zu);
    slots.set("p", property.name);
    slots.set("P", format!("{} {} {of_the} {genitive}", by(*of, ["Der", "Die", "Das"]), property.name));
    slots.set("p1", format!("{} {} {of_the} {genitive}", the(*of), property.name));
    slots.set("eine", by(*of, ["einen", "eine", "ein"]));
    slots.set("keine", by(*of, ["keinen", "keine", "kein"]));
    slots.set("einer", by(*of, ["einem", "einer", "einem"]));
    slots.set("maximale", by(*of, ["maximalen", "maximale", "maximales"]));
    slots.measure("q", style.value(random, property));
    slots.measure("v", style.value(random, &PROPERTIES[0].1));
    slots.measure(
        "w",
        style.value(
            random,
            &Property { name: "", units: &[("kN", "kN"), ("kg", "kg")], low: 2, high: 90, decimals: 1 },
        ),
    );
    let (low, high) = style.pair(random, property, true);
    slots.measure("a", low);
    slots.measure("b", high);
    let (low, high) = style.pair(random, property, false);
    slots.measure("g", low);
    slots.measure("h", high);
    let (value, deviation) = style.tolerance(random, property);
    slots.measure("a1", value);
    slots.measure("b1", deviation);
    let (adjective, more, less, measured) = random.one(ADJECTIVES);
    slots.set("adj", *adjective);
    slots.set("more", *more);
    slots.set("less", *less);
    slots.measure("x", style.value(random, measured));
    slots.measure("d", duration(random, style, TIMES));
    slots.measure("o", duration(random, style, TIMES_OBJECT));
    slots.measure("t", temperature(random, "minus"));
    slots.measure("k", count(random, style));
    for slot in ["l1", "l2", "l3"] {
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
        *random.one(&[" (siehe Bild 7)", " (nach ISO 4628:2016)", " (siehe 6.3)", " (Tabelle 5)"]),
    );
    let kind = if modal == "sollte" { ProvisionKind::Recommendation } else { ProvisionKind::Requirement };
    (slots, kind)
}

pub(crate) const POSITIONS: &[&str] = &["am Gelenk", "nahe dem Rand", "in der Mitte"];
