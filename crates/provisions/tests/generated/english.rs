//! English patterns and their words.

use norma_model::ProvisionKind;

use crate::measures::{Property, Style, count, duration, hours_and_minutes, temperature};
use crate::random::Random;
use crate::sentence::{Pattern, Slots};

const NOUNS: &[&str] =
    &["bracket", "float switch", "ridge tile", "winch", "hose reel", "awning", "storage jar", "ladle"];
const ACTIONS: &[&str] = &["painted", "weighed", "recorded", "fastened", "rinsed", "tagged", "tested"];
const PROPERTIES: &[Property] = &[
    Property {
        name: "thickness",
        units: &[("mm", "mm"), ("millimetres", "mm")],
        low: 2,
        high: 90,
        decimals: 1,
    },
    Property { name: "reach", units: &[("m", "m"), ("metres", "m")], low: 2, high: 40, decimals: 1 },
    Property {
        name: "torque",
        units: &[("N·m", "N.m"), ("N m", "N.m"), ("kN·m", "kN.m")],
        low: 3,
        high: 800,
        decimals: 0,
    },
    Property {
        name: "burst pressure",
        units: &[("MPa", "MPa"), ("kPa", "kPa"), ("bar", "bar")],
        low: 2,
        high: 600,
        decimals: 0,
    },
    Property {
        name: "leak rate",
        units: &[("l/h", "l/h"), ("litres per hour", "l/h"), ("ml/min", "ml/min")],
        low: 2,
        high: 50,
        decimals: 1,
    },
    Property {
        name: "salt content",
        units: &[("g/l", "g/l"), ("mg/kg", "mg/kg"), ("% by mass", "%"), ("per cent", "%")],
        low: 2,
        high: 45,
        decimals: 1,
    },
    Property {
        name: "heat transfer coefficient",
        units: &[("W/(m²·K)", "W/(m2.K)"), ("W/(m² K)", "W/(m2.K)")],
        low: 0,
        high: 4,
        decimals: 2,
    },
    Property {
        name: "surface load",
        units: &[("kN/m²", "kN/m2"), ("kg/m²", "kg/m2")],
        low: 2,
        high: 90,
        decimals: 1,
    },
    Property {
        name: "insulation resistance",
        units: &[("MΩ", "MOhm"), ("kΩ", "kOhm"), ("megohms", "MOhm")],
        low: 2,
        high: 700,
        decimals: 0,
    },
    Property {
        name: "sound level",
        units: &[("dB", "dB"), ("decibels", "dB")],
        low: 20,
        high: 110,
        decimals: 0,
    },
    Property {
        name: "response time",
        units: &[("ms", "ms"), ("s", "s"), ("seconds", "s")],
        low: 2,
        high: 500,
        decimals: 0,
    },
    Property {
        name: "flow velocity",
        units: &[("m/s", "m/s"), ("m·s⁻¹", "m.s-1")],
        low: 2,
        high: 40,
        decimals: 1,
    },
];
/// The comparative of more, that of less, the unit.
const ADJECTIVES: &[(&str, &str, &str, &Property)] = &[
    (
        "tall",
        "taller",
        "shorter",
        &Property { name: "", units: &[("m", "m")], low: 2, high: 40, decimals: 1 },
    ),
    (
        "deep",
        "deeper",
        "shallower",
        &Property { name: "", units: &[("mm", "mm")], low: 2, high: 900, decimals: 0 },
    ),
    (
        "old",
        "older",
        "younger",
        &Property { name: "", units: &[("years", "a"), ("months", "mo")], low: 2, high: 40, decimals: 0 },
    ),
    (
        "fast",
        "faster",
        "slower",
        &Property { name: "", units: &[("km/h", "km/h")], low: 2, high: 140, decimals: 0 },
    ),
    (
        "broad",
        "broader",
        "narrower",
        &Property { name: "", units: &[("cm", "cm")], low: 2, high: 140, decimals: 0 },
    ),
    (
        "steep",
        "steeper",
        "flatter",
        &Property { name: "", units: &[("°", "deg"), ("degrees", "deg")], low: 2, high: 80, decimals: 0 },
    ),
    (
        "warm",
        "warmer",
        "cooler",
        &Property { name: "", units: &[("°C", "Cel")], low: 2, high: 80, decimals: 0 },
    ),
    (
        "large",
        "larger",
        "smaller",
        &Property { name: "", units: &[("cm²", "cm2")], low: 2, high: 800, decimals: 0 },
    ),
    (
        "loud",
        "louder",
        "quieter",
        &Property { name: "", units: &[("dB", "dB")], low: 20, high: 110, decimals: 0 },
    ),
];
const LENGTH: Property = Property { name: "", units: &[("mm", "mm")], low: 2, high: 90, decimals: 0 };
const SHARE: Property = Property { name: "", units: &[("%", "%")], low: 2, high: 40, decimals: 0 };
const TIMES: &[(&str, &str, u64)] = &[
    ("minutes", "min", 90),
    ("hours", "h", 72),
    ("days", "d", 400),
    ("weeks", "wk", 12),
    ("months", "mo", 48),
];
const TAILS: &[&str] = &[
    " (see Figure 7)",
    " as given in Table 5",
    " in accordance with ISO 4628:2016",
    " as described in 6.3",
    " on both sides",
    " in service",
];

pub(crate) const PATTERNS: &[Pattern] = &[
    // Values
    Pattern("{P} {m} be {q}.", "m", 'n', "= q"),
    Pattern("{P} {m} equal {q}.", "m", 'n', "= q"),
    Pattern("{S} {m} have {ap} of {q}.", "m", 'n', "= q"),
    Pattern("{S} with {ap} of {q} {m} be {act}.", "m", 'n', "= q"),
    Pattern("{S} {m} be {act} for {d}.", "m", 'n', "= d"),
    Pattern("{S} {m} be {act} at {t}.", "m", 'n', "= t"),
    Pattern("{S} {m} be {act} with a load of {q}.", "m", 'n', "= q"),
    Pattern("{S} {m} be {x} {adj}.", "m", 'n', "= x"),
    Pattern("{S} {m} withstand {q}.", "m", 'n', "?= q"),
    Pattern("{P} {m} be {a1} ± {b1}.", "m", 'n', "a1+-b1"),
    Pattern("{P} {m} be approximately {q}.", "m", 'n', "~ q"),
    Pattern("{P} {m} be about {q}.", "m", 'n', "~ q"),
    // Limits by words before the value
    Pattern("{P} {m} be at least {q}.", "m", 'n', ">= q"),
    Pattern("{P} {m} be at most {q}.", "m", 'n', "<= q"),
    Pattern("{P} {m} be not less than {q}.", "m", '?', ">= q"),
    Pattern("{P} {m} be no more than {q}.", "m", '?', "<= q"),
    Pattern("{P} {m} be greater than {q}.", "m", 'n', "> q"),
    Pattern("{P} {m} be less than {q}.", "m", 'n', "< q"),
    Pattern("{P} {m} be equal to or greater than {q}.", "m", 'n', ">= q"),
    Pattern("{P} {m} be less than or equal to {q}.", "m", 'n', "<= q"),
    Pattern("{P} {m} be ≥ {q}.", "m", 'n', ">= q"),
    Pattern("{P} {m} be in excess of {q}.", "m", 'n', "> q"),
    Pattern("{P} {m} be kept above {q}.", "m", 'n', "> q"),
    Pattern("{P} {m} stay below {q}.", "m", 'n', "< q"),
    Pattern("{P} {m} be max. {q}.", "m", 'n', "<= q"),
    Pattern("{S} {m} have a minimum {p} of {q}.", "m", 'n', ">= q"),
    Pattern("The maximum {p} of {s} {m} be {q}.", "m", 'n', "<= q"),
    Pattern("{S} {m} have a maximum permissible {p} of {q}.", "m", 'n', "<= q"),
    Pattern("{S} {m} be designed for {ap} of up to {q}.", "m", 'n', "<= q"),
    Pattern("{P} {m} be limited to {q}.", "m", 'n', "<= q"),
    Pattern("{P} {m} be restricted to a maximum of {q}.", "m", 'n', "<= q"),
    Pattern("{S} {m} be {more} than {x}.", "m", 'n', "> x"),
    Pattern("{S} {m} be {less} than {x}.", "m", 'n', "< x"),
    Pattern("{S} {m} be no {more} than {x}.", "m", '?', "<= x"),
    Pattern("{S} {m} be no {less} than {x}.", "m", '?', ">= x"),
    // Limits by words behind the value
    Pattern("{P} {m} be {q} or more.", "m", 'n', ">= q"),
    Pattern("{P} {m} be {q} or less.", "m", 'n', "<= q"),
    Pattern("{S} {m} be {x} or {more}.", "m", 'n', ">= x"),
    Pattern("{S} {m} be {x} or {less}.", "m", 'n', "<= x"),
    Pattern("{P} {m} be {q} at most.", "m", 'n', "<= q"),
    Pattern("{P} {m} be {q} minimum.", "m", 'n', ">= q"),
    Pattern("{AP} of {q} {m} not be exceeded.", "m", 'y', "<= q"),
    Pattern("{P} {m} be {q} or thereabouts.", "m", 'n', "?~ q"),
    // Verbs, and the verb's negation
    Pattern("{P} {m} exceed {q}.", "m", 'n', "> q"),
    Pattern("{P} {m} exceed {a} but not {b}.", "m", '?', "> a; <= b"),
    Pattern("{P} may be reduced to {q}.", "P", 'n', "?>= q"),
    Pattern("{P} {m} be kept from exceeding {q}.", "m", 'n', "<= q"),
    Pattern("The minimum and maximum depths {m} be {l1} and {l2} respectively.", "m", 'n', "?>= l1; ?<= l2"),
    Pattern("{P} {m} be at least d = {q}.", "m", 'n', ">= q"),
    Pattern(
        "The distance {m} be at most: — {l1} at the door; or — {l2} at the wall.",
        "m",
        'n',
        "<= l1; <= l2",
    ),
    Pattern("{P} {m} be d = {q}.", "m", 'n', "= q"),
    Pattern("{P} {m} not exceed or fall below {q}.", "m", 'y', "?= q"),
    Pattern("{S} {m} be {act} within a distance of {l1}.", "m", 'n', "<= l1"),
    Pattern("{S} {m} be {act} above a height of {l1}.", "m", 'n', "?> l1"),
    Pattern("{S} {m} be {act} not later than 30 June.", "m", '?', ""),
    Pattern("The slope of {s} {m} be 1 in 20 or flatter.", "m", 'n', ""),
    Pattern("An exceedance of {q} is not permitted.", "R", 'y', "?<= q"),
    Pattern("{P} may be lowered up to {q}.", "P", 'n', "?>= q"),
    Pattern("{P} may be raised to {q}.", "P", 'n', "?<= q"),
    Pattern("The fire class of {s} {m} be {act}, and the ice class {m} be 2A.", "m", 'n', ""),
    Pattern("{P} may be decreased by up to {q}.", "P", 'n', "<= q"),
    Pattern("{P} shall be reduced to {q}.", "R", 'n', "= q"),
    Pattern("{P} {m} not exceed {q}.", "m", 'y', "<= q"),
    Pattern("{P} {m} never exceed {q}.", "m", 'y', "<= q"),
    Pattern("{P} {m} not, under any load, exceed {q}.", "m", 'y', "<= q"),
    Pattern("{P} {m} at no time exceed a value of {q}.", "m", 'y', "<= q"),
    Pattern("{P} {m} not fall below {q}.", "m", 'y', ">= q"),
    Pattern("{P} {m} not drop to less than {q}.", "m", 'y', ">= q"),
    Pattern("{P} {m} not rise above {q}.", "m", 'y', "<= q"),
    Pattern("{P} {m} not be less than {q}.", "m", 'y', ">= q"),
    Pattern("{P} {m} not be greater than {q}.", "m", 'y', "<= q"),
    Pattern("{P}, measured at 20 °C, {m} not exceed {q}.", "m", 'y', "= c; <= q"),
    Pattern("{P} {m} not differ from the mean by more than {q}.", "m", 'y', "<= q"),
    Pattern("{S} {m} not be {more} than {x}.", "m", 'y', "<= x"),
    Pattern("{S} {m} not be {less} than {x}.", "m", 'y', ">= x"),
    Pattern("{S} {m} not be {act} above {t}.", "m", 'y', "<= t"),
    Pattern("{S} {m} not be {act} for longer than {d}.", "m", 'y', "<= d"),
    Pattern("No {n} {m} be {more} than {x}.", "m", 'y', "<= x"),
    Pattern("No {n} {m} have {ap} of more than {q}.", "m", 'y', "<= q"),
    Pattern("No {n} {less} than {x} {m} be {act}.", "m", 'y', ">= x"),
    Pattern("No {n} {m} be no {more} than {x}.", "m", '?', "?> x"),
    // Ranges
    Pattern("{P} {m} be between {a} and {b}.", "m", 'n', "a..b"),
    Pattern("{P} {m} be from {a} to {b}.", "m", 'n', "a..b"),
    Pattern("{P} {m} be in the range of {a} to {b}.", "m", 'n', "a..b"),
    Pattern("{P} {m} be not less than {g} and not more than {h}.", "m", '?', ">= g; <= h"),
    Pattern("{P} {m} not be less than {g} nor more than {h}.", "m", 'y', ">= g; <= h"),
    Pattern("{P} {m} be greater than {g} but not greater than {h}.", "m", '?', "> g; <= h"),
    // Conditions and attributes
    Pattern("If {p1} exceeds {q}, {s2} {m} be {act}.", "m", 'n', "> q"),
    Pattern("Where {p1} is less than {q}, {s2} {m} not be {act}.", "m", 'y', "< q"),
    Pattern("{S} {m} not be {act} if {p1} exceeds {q}.", "m", 'y', "> q"),
    Pattern("{S} {m} be {act} unless {p1} is at least {q}.", "m", 'n', ">= q"),
    Pattern("When {p1} falls below {q}, {s2} {m} be {act}.", "m", 'n', "< q"),
    Pattern("{S} {more} than {x} {m} be {act}.", "m", 'n', "> x"),
    Pattern("{S} that is {less} than {x} {m} be {act}.", "m", 'n', "< x"),
    Pattern("{S} that is not {more} than {x} {m} be {act}.", "m", 'n', "<= x"),
    Pattern("{S} whose {p} does not exceed {q} {m} be {act}.", "m", 'n', "<= q"),
    Pattern("{S} with {ap} of not more than {q} {m} be {act}.", "m", 'n', "<= q"),
    Pattern("At temperatures below {t}, {s} {m} be {act}.", "m", 'n', "< t"),
    // Deadlines and periods
    Pattern("{S} {m} be {act} within {d}.", "m", 'n', "<= d"),
    Pattern("{S} {m} be {act} no later than {d} after delivery.", "m", '?', "<= d"),
    Pattern("{S} {m} be {act} at the latest {d} after delivery.", "m", 'n', "<= d"),
    Pattern("{S} {m} be {act} at intervals not exceeding {d}.", "m", 'n', "<= d"),
    Pattern("{S} {m} be {act} for at least {d}.", "m", 'n', ">= d"),
    Pattern("{S} {m} be {act} for a minimum of {d}.", "m", 'n', ">= d"),
    Pattern("{S} {m} be {act} not earlier than {d} after delivery.", "m", '?', ">= d"),
    Pattern("{S} {m} be {act} every {d}.", "m", 'n', "= d"),
    Pattern("{S} {m} be {act} {d} after delivery.", "m", 'n', "?= d"),
    // Counts and numbers as words
    Pattern("At least {k} samples {m} be {act}.", "m", 'n', ">= k"),
    Pattern("Not more than {k} samples {m} be {act}.", "m", '?', "<= k"),
    Pattern("{S} {m} have {k} or more holes.", "m", 'n', ">= k"),
    Pattern("{S} {m} be {act} for half an hour.", "m", 'n', "= half"),
    Pattern("{S} {m} hold at least a dozen cups.", "m", 'n', ">= z"),
    // Lists
    Pattern("{P} {m} be at most:", "m", 'n', "<= items"),
    Pattern("{P} {m} not exceed:", "m", 'y', "<= items"),
    Pattern("{P} {m} be not less than:", "m", '?', ">= items"),
    Pattern("{P} {m} be less than:", "m", 'n', "< items"),
    Pattern("{S} {m} be {act} at least every {d}.", "m", 'n', "<= d"),
    Pattern("{P} {m} remain at or below {q}.", "m", 'n', "<= q"),
    Pattern("{S} {m} have {ap} not greater than {q} and a life of at least {d}.", "m", '?', "<= q; >= d"),
    Pattern("{S} {m} be {act} from a distance of not less than {l1}.", "m", '?', ">= l1"),
    Pattern("The glue {m} contain {g1} to {h1} by mass of lime.", "m", 'n', "g1..h1"),
    // Several values
    Pattern("{S} {m} be {l1} long, {l2} wide and {l3} high.", "m", 'n', "= l1; = l2; = l3"),
    Pattern("{S} {m} measure {l1} × {l2}.", "m", 'n', "= l1; = l2"),
    Pattern("{S} {m} not be larger than {l1} × {l2}.", "m", 'y', "<= l1; <= l2"),
    Pattern("{P} {m} not exceed {q}, and {l1} of wire {m} be added.", "m", 'y', "<= q; ?= l1"),
    Pattern("{S} {m} be {act} for {time}.", "m", 'n', "= time"),
    Pattern("The width w {m} satisfy {g} ≤ w ≤ {h}.", "m", 'n', ">= g; <= h"),
    Pattern("The owner {m} answer within: {d}.", "m", 'n', "<= d"),
    Pattern("{S} {m} withstand {k} cycles.", "m", 'n', "?>= k"),
    Pattern("The kit {m} accommodate {k} plates.", "m", 'n', "= k"),
    // Types and negation
    Pattern("{S} shall be {act}.", "R", 'n', ""),
    Pattern("{S} shall not be {act}.", "R", 'y', ""),
    Pattern("{S} should be {act} after use.", "S", 'n', ""),
    Pattern("{S} should never be {act} indoors.", "S", 'y', ""),
    Pattern("{S} may be {act} at the site.", "P", 'n', ""),
    Pattern("{S} may no longer be {act} after the inspection.", "R", 'y', ""),
    Pattern("{S} need not be {act}.", "P", '?', ""),
    Pattern("{S} can be {act} by one person.", "C", 'n', ""),
    Pattern("{S} cannot be {act} from below.", "C", 'y', ""),
    Pattern("Nobody shall enter the store while {s} is {act}.", "R", 'y', ""),
    Pattern("The operator shall use no {n}.", "R", 'y', ""),
    Pattern("In no case shall {s} be {act}.", "R", 'y', ""),
    Pattern("Neither {s} nor {s2} shall be {act}.", "R", 'y', ""),
    Pattern("{S} shall in no event be {act}.", "R", 'y', ""),
    Pattern("{S} shall not only be {act} but also sealed.", "R", 'n', ""),
    Pattern("{S} shall be {act} by a non-resident inspector.", "R", 'n', ""),
    Pattern("{S} that is not in stock shall be {act}.", "R", 'n', ""),
    Pattern("{S} shall be {act} unless it is not reachable.", "R", 'n', ""),
    Pattern("Where no gauge is available, {s} shall be {act}.", "R", 'n', ""),
    Pattern("{S} is {act} by the maker.", "", '?', ""),
];

pub(crate) fn slots(random: &mut Random, style: &Style) -> (Slots, ProvisionKind) {
    let mut slots = Slots::default();
    let noun = *random.one(NOUNS);
    let other = *random.one(NOUNS);
    let property = random.one(PROPERTIES);
    let modal = *random.one(&["shall", "shall", "should"]);
    let article = |word: &str| if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    slots.set("S", format!("The {noun}"));
    slots.set("s", format!("the {noun}"));
    slots.set("s2", format!("the {other}"));
    slots.set("n", noun);
    slots.set("m", modal);
    slots.set("act", *random.one(ACTIONS));
    slots.set("p", property.name);
    slots.set("P", format!("The {} of the {noun}", property.name));
    slots.set("p1", format!("the {} of the {noun}", property.name));
    slots.set("ap", format!("{} {}", article(property.name), property.name));
    let ap = if article(property.name) == "an" { "An" } else { "A" };
    slots.set("AP", format!("{ap} {}", property.name));
    slots.measure("q", style.value(random, property));
    let (low, high) = style.pair(random, property, false);
    slots.measure("g", low);
    slots.measure("h", high);
    let (low, high) = style.pair(random, property, true);
    slots.measure("a", low);
    slots.measure("b", high);
    let (value, deviation) = style.tolerance(random, property);
    slots.measure("a1", value);
    slots.measure("b1", deviation);
    let (adjective, more, less, measured) = *random.one(ADJECTIVES);
    slots.set("adj", adjective);
    slots.set("more", more);
    slots.set("less", less);
    slots.measure("x", style.value(random, measured));
    slots.measure("d", duration(random, style, TIMES));
    slots.measure("t", temperature(random, "minus"));
    slots.measure("k", count(random, style));
    for slot in ["l1", "l2", "l3"] {
        slots.measure(slot, style.value(random, &LENGTH));
    }
    let (low, high) = style.pair(random, &SHARE, false);
    slots.measure("g1", low);
    slots.measure("h1", high);
    slots.measure("time", hours_and_minutes(random));
    slots.measure("items", style.value(random, property));
    for (slot, value, unit) in [("c", "20", "Cel"), ("half", "0.5", "h"), ("z", "12", "")] {
        slots.measure(
            slot,
            crate::sentence::Measure { text: String::new(), value: value.into(), unit: unit.into() },
        );
    }
    slots.set("tail", *random.one(TAILS));
    let kind = if modal == "should" { ProvisionKind::Recommendation } else { ProvisionKind::Requirement };
    (slots, kind)
}

pub(crate) const POSITIONS: &[&str] = &["at the hinge", "near the rim", "in the middle"];
