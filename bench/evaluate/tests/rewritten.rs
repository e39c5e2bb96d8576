//! Near-complete rewrites: editions in which nearly every sentence was written again. Two were written by
//! hand (`rewritten/*.tsv`: section and text of the older edition, section and text of the newer one), the
//! others are generated, each kind with another mixture of changes.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use norma_bench_evaluate::pairs::{Pairs, Score};
use norma_compare::compare;
use serde_json::{Value, json};

/// Random numbers by splitmix64: the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// True in `percent` of a hundred calls.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for index in (1..list.len()).rev() {
            list.swap(index, self.below(index + 1));
        }
    }
}

// Concepts with their wordings; those of one concept have no word in common.

const SUBJECTS: [&str; 48] = [
    "anchor|ground fixing|mount",
    "locking point|eyelet|attachment",
    "base plate|foot|flange",
    "fixing bolt|fastener|dowel",
    "test slab|concrete block|specimen",
    "coating|surface layer|finish",
    "weld|welded seam|joint",
    "bath|water tank|vessel",
    "heater|heating element|warmer",
    "thermometer|temperature probe|sensor",
    "controller|regulator|thermostat",
    "lid|cover|hood",
    "pump|circulator|impeller",
    "drain|outlet|spout",
    "cable|supply lead|cord",
    "enclosure|housing|casing",
    "display|indicator|readout",
    "alarm|warning device|sounder",
    "fuse|cut-out|breaker",
    "box|carton|container",
    "board|cardboard|sheet",
    "handle|grip|pull",
    "label|marking|inscription",
    "adhesive|glue|paste",
    "twine|cord|string",
    "spool|reel|bobbin",
    "infusion|brew|liquor",
    "leaf|tea|plant material",
    "pot|jug|infuser",
    "cup|bowl|tasting beaker",
    "laboratory|test house|facility",
    "operator|technician|personnel",
    "manufacturer|producer|maker",
    "supplier|vendor|delivering party",
    "inspector|examiner|auditor",
    "record|entry|file note",
    "report|written account|statement",
    "procedure|method|routine",
    "instruction|guidance|direction",
    "drawing|plan|sketch",
    "sample|test portion|aliquot",
    "batch|lot|consignment",
    "balance|weighing scale|mass comparator",
    "gauge|measuring instrument|meter",
    "filter|strainer|sieve",
    "valve|tap|shut-off",
    "gasket|seal|packing",
    "spring|coil|elastic member",
];

const VERBS: [&str; 40] = [
    "withstand|resist|endure",
    "be fitted with|have|include",
    "be protected against|be shielded from|be guarded from",
    "be inspected for|be examined for|be checked for",
    "be cleaned of|be freed from|be cleared of",
    "indicate|show|signal",
    "limit|restrict|keep down",
    "prevent|avoid|preclude",
    "be calibrated with|be adjusted against|be verified by",
    "be marked with|carry|display",
    "be replaced after|be exchanged following|be renewed upon",
    "be stored away from|be held at a distance from|be separated from",
    "be tested under|undergo|be subjected to",
    "be connected to|be joined with|be attached to",
    "state|specify|give",
    "be accompanied by|come with|be delivered together with",
    "be compared with|be set against|be related to",
    "be recorded with|be noted together with|be documented by",
    "be made of|consist of|be produced from",
    "be dried before|be free of moisture prior to|be dehydrated ahead of",
    "tolerate|survive|accept",
    "detect|find|recognize",
    "reduce|lower|diminish",
    "maintain|hold|sustain",
    "be secured by|be fastened through|be fixed using",
    "be released by|be opened through|be unlocked with",
    "be supplied with|be provided along with|be furnished with",
    "be cooled by|lose heat through|be chilled with",
    "be approved by|be accepted by|be signed off by",
    "be identified by|be recognizable from|be told apart through",
    "be reported to|be notified to|be communicated to",
    "be adjusted by|be set with|be tuned using",
    "be weighed with|have its mass taken with|be put on",
    "be insulated from|be isolated against|be decoupled from",
    "absorb|take up|soak in",
    "be disposed of with|be discarded along with|be scrapped with",
    "cover|enclose|surround",
    "be levelled with|be made horizontal by|be aligned using",
    "be lubricated with|be greased using|be oiled by",
    "be numbered by|get a number from|be counted by",
];

const OBJECTS: [&str; 44] = [
    "red rust|corrosion products|oxidation",
    "a tensile force|a pulling load|traction",
    "an impact of a hammer|a blow|a shock",
    "cyclic loading|repeated stress|fatigue",
    "salt spray|marine fog|saline mist",
    "ultraviolet light|sunshine|solar rays",
    "frost|temperatures below zero|freezing",
    "dust|fine particles|powder",
    "splashing water|spray|wet conditions",
    "overheating|excessive temperature|thermal overload",
    "a power failure|loss of supply|interruption of electricity",
    "leakage|escaping fluid|drips",
    "cracks|fissures|fractures",
    "pores|voids|cavities",
    "sharp edges|burrs|ridges",
    "a serial number|an individual code|unique identification",
    "the year of manufacture|the date of production|when it was built",
    "the uncertainty|the error of measurement|the tolerance of results",
    "the ambient temperature|room climate|surrounding conditions",
    "the relative humidity|moisture of the air|dampness",
    "a reference standard|a certified artefact|a master",
    "stainless steel|alloy 1.4301|corrosion resistant metal",
    "recycled fibre|recovered pulp|secondary material",
    "a second person|a colleague|another pair of eyes",
    "a torque wrench|a calibrated spanner|a torque tool",
    "a hardened insert|a toughened core|a reinforced bush",
    "fire|flames|burning",
    "mould|fungi|microbial growth",
    "insects|pests|vermin",
    "acid vapour|corrosive fumes|aggressive gases",
    "vibration|oscillation|shaking",
    "electric shock|dangerous voltage|hazardous live contact",
    "unauthorized opening|tampering|manipulation",
    "misuse|improper handling|wrong operation",
    "a visible deviation|an obvious departure|a noticeable difference",
    "rounding errors|truncation effects|numerical loss",
    "colour change|fading|discolouration",
    "odour|smell|taint",
    "residual stress|internal tension|locked-in strain",
    "contamination|impurities|foreign matter",
    "the nominal volume|rated capacity|stated content",
    "the proof load|the verification force|the acceptance load",
    "the original packaging|its first wrapping|the primary pack",
    "the test report|the certificate|the final document",
];

const CONDITIONS: [&str; 36] = [
    "outdoors|in open air|exposed to weather",
    "before first use|prior to commissioning|ahead of start-up",
    "during transport|while in transit|when shipped",
    "after repair|following maintenance|once serviced",
    "at full load|under maximum duty|when loaded completely",
    "in normal operation|during regular service|as intended",
    "in an emergency|in case of danger|when urgent",
    "at sea level|under standard pressure|without altitude correction",
    "on uneven ground|where the floor slopes|on rough terrain",
    "in public areas|where everybody has access|in places open to all",
    "for cargo bicycles|with long vehicles|for heavy cycles",
    "with several users|when shared|under common use",
    "in a damp room|within wet surroundings|where moisture is present",
    "without supervision|while unattended|with nobody around",
    "at intervals of a month|monthly|twelve times a year",
    "every year|annually|once in twelve months",
    "at night|in darkness|without daylight",
    "in cold climates|in winter|during low seasons",
    "near the coast|in maritime zones|by salt water",
    "after an accident|following an incident|post event",
    "on request of the customer|if a buyer asks|when the client demands it",
    "at delivery|on arrival|upon receipt",
    "in a closed cabinet|inside a cupboard|behind doors",
    "for archival purposes|for long storage|for preservation",
    "when in doubt|if uncertain|with unclear results",
    "in duplicate|two times|as a pair",
    "over its whole length|from end to end|throughout",
    "on both sides|left and right|at either face",
    "at the centre|in the middle|midway",
    "within one hour|in sixty minutes|promptly",
    "for each type|per model|variant by variant",
    "under artificial light|below lamps|with illumination",
    "by hand|manually|with no machine",
    "in the presence of children|if minors are near|around young persons",
    "at elevated temperature|in hot conditions|when heated",
    "with a new blade|using a fresh edge|by an unused cutter",
];

#[rustfmt::skip]
const TITLES: [&str; 16] = [
    "Design|Construction", "Materials|Substances used", "Protection|Durability", "Loads|Mechanical strength",
    "Sampling|Selection of items", "Apparatus|Equipment", "Procedure|How to test", "Reporting|Results",
    "Marking|Identification", "Packaging|Delivery", "Installation|Mounting", "Maintenance|Upkeep",
    "Safety|Hazards", "Environment|Surroundings", "Records|Documents", "Competence|People",
];

/// The changes from one edition to the next.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    units: usize,
    /// Percentage of concepts that get another wording.
    synonyms: usize,
    /// Percentage of sentences whose parts come in another order.
    reordered: usize,
    /// Percentage of sentences with another verbal form.
    verbal: usize,
    /// Percentages of older units that are dropped, parted and joined with their neighbour; and of units that
    /// are added.
    dropped: usize,
    split: usize,
    merged: usize,
    added: usize,
    /// Whether a new unit on the same subjects comes in the position of a dropped one.
    replaced: bool,
    /// Whether units come in another order within their sections.
    shuffled: bool,
    /// Whether sections come in another order, under other titles and numbers.
    moved_sections: bool,
    /// Percentage of units that are moved to any section.
    moved_units: usize,
    /// Whether the units are short: without a condition.
    short: bool,
    /// Whether units have sections.
    sections: bool,
}

const USUAL: Kind = Kind {
    name: "synonyms",
    units: 320,
    synonyms: 45,
    reordered: 50,
    verbal: 50,
    dropped: 20,
    split: 0,
    merged: 0,
    added: 25,
    replaced: false,
    shuffled: false,
    moved_sections: false,
    moved_units: 5,
    short: false,
    sections: true,
};

const KINDS: [Kind; 12] = [
    USUAL,
    Kind { name: "few words kept", synonyms: 60, ..USUAL },
    Kind { name: "clauses in another order", synonyms: 35, reordered: 100, verbal: 100, ..USUAL },
    Kind { name: "split and merged", split: 20, merged: 20, ..USUAL },
    Kind { name: "sections in another order", moved_sections: true, ..USUAL },
    Kind { name: "other sections", moved_sections: true, moved_units: 100, ..USUAL },
    Kind { name: "short units", short: true, synonyms: 35, ..USUAL },
    Kind { name: "no sections", sections: false, moved_units: 0, ..USUAL },
    Kind { name: "units in another order", shuffled: true, ..USUAL },
    Kind { name: "units replaced", dropped: 30, replaced: true, ..USUAL },
    Kind {
        name: "a catalogue",
        units: 240,
        short: true,
        synonyms: 40,
        moved_sections: true,
        moved_units: 100,
        added: 50,
        ..USUAL
    },
    Kind { name: "half of it new", dropped: 40, added: 90, moved_sections: true, ..USUAL },
];

/// The meaning of a sentence: indices of concepts.
#[derive(Clone, Copy, PartialEq)]
struct Meaning {
    subject: usize,
    verb: usize,
    object: usize,
    condition: Option<usize>,
    value: usize,
    modal: usize,
}

/// The wording of each concept of a sentence.
#[derive(Clone, Copy)]
struct Wording {
    of: [usize; 4],
    modal: usize,
    order: usize,
}

const MODALS: [&str; 5] = ["shall", "must", "should", "is required to", "may"];

fn wording(concept: &str, index: usize) -> &str {
    concept.split('|').nth(index).unwrap()
}

fn sentence(meaning: &Meaning, how: &Wording) -> String {
    let subject = wording(SUBJECTS[meaning.subject], how.of[0]);
    let verb = wording(VERBS[meaning.verb], how.of[1]);
    let object = wording(OBJECTS[meaning.object], how.of[2]);
    let condition = meaning.condition.map(|condition| wording(CONDITIONS[condition], how.of[3]));
    let modal = MODALS[how.modal];
    let value = match meaning.value {
        0..10 => format!(" for at least {} h", 2 + meaning.value * 7),
        10..20 => format!(" up to {} mm", 5 + meaning.value * 10),
        _ => String::new(),
    };
    match (condition, how.order) {
        (Some(condition), 0) => format!("The {subject} {modal} {verb} {object} {condition}{value}."),
        (Some(condition), 1) => format!("When {condition}, each {subject} {modal} {verb} {object}{value}."),
        (Some(condition), _) => format!(
            "It applies{value}, {condition}, that {object} concerns any {subject}, which {modal} {verb} it."
        ),
        (None, 0) => format!("The {subject} {modal} {verb} {object}{value}."),
        (None, 1) => format!("Each {subject} {modal} {verb} {object}{value}."),
        (None, _) => format!("As to {object}, the {subject} {modal} {verb} it{value}."),
    }
}

/// Both editions of a kind, and their true links, in the form of `evaluate compare`.
fn editions(kind: &Kind, seed: u64) -> Value {
    let mut random = Random(seed);
    let sections = kind.units / 20;
    // A section speaks of few subjects, so that units of one section resemble each other.
    let topics: Vec<Vec<usize>> =
        (0..sections).map(|_| (0..6).map(|_| random.below(SUBJECTS.len())).collect()).collect();
    let meaning = |random: &mut Random, section: usize| Meaning {
        subject: topics[section][random.below(6)],
        verb: random.below(VERBS.len()),
        object: random.below(OBJECTS.len()),
        condition: (!kind.short && random.chance(70)).then(|| random.below(CONDITIONS.len())),
        value: random.below(40),
        modal: random.below(2) * 2,
    };
    let mut order: Vec<usize> = (0..sections).collect();
    if kind.moved_sections {
        random.shuffle(&mut order);
    }
    let row = |id: String, section: usize, newer: bool, text: String| {
        let title = wording(TITLES[section % TITLES.len()], usize::from(newer && kind.moved_sections));
        match kind.sections {
            true => json!({ "id": id, "section": section.to_string(), "title": title, "text": text }),
            false => json!({ "id": id, "text": text }),
        }
    };
    let (mut older, mut links) = (Vec::new(), Vec::new());
    let mut newer: Vec<(usize, String, String)> = Vec::new();
    let mut last: Option<(usize, String)> = None;
    for index in 0..kind.units {
        let section = index * sections / kind.units;
        let said = meaning(&mut random, section);
        let mut how = Wording { of: [0; 4], modal: said.modal, order: 0 };
        let text = sentence(&said, &how);
        older.push(row(format!("o{index}"), section, false, text));
        if random.chance(kind.dropped) {
            if kind.replaced {
                let said = meaning(&mut random, section);
                let how = Wording {
                    of: [0; 4].map(|_| random.below(3)),
                    modal: said.modal,
                    order: random.below(3),
                };
                newer.push((section, format!("r{index}"), sentence(&said, &how)));
            }
            continue;
        }
        for word in &mut how.of {
            *word = if random.chance(kind.synonyms) { 1 + random.below(2) } else { 0 };
        }
        how.modal = if random.chance(kind.verbal) { random.below(MODALS.len()) } else { said.modal };
        how.order = if random.chance(kind.reordered) { 1 + random.below(2) } else { 0 };
        let to = if random.chance(kind.moved_units) { random.below(sections) } else { section };
        let text = sentence(&said, &how);
        let id = format!("n{index}");
        if random.chance(kind.split) {
            // The condition becomes a sentence of its own, with the subject.
            let rest = Meaning { condition: None, ..said };
            newer.push((to, id.clone(), sentence(&rest, &how)));
            let part = wording(SUBJECTS[said.subject], how.of[0]);
            let condition = said.condition.map_or("always", |c| wording(CONDITIONS[c], how.of[3]));
            newer.push((to, format!("p{index}"), format!("For the {part} this holds {condition}.")));
            links.push(json!({ "a": format!("o{index}"), "b": format!("p{index}") }));
        } else if random.chance(kind.merged)
            && let Some((at, text_before)) = last.take()
        {
            newer[at].2 = format!("{} Moreover, {text}", text_before);
            links.push(json!({ "a": format!("o{index}"), "b": newer[at].1 }));
            continue;
        } else {
            newer.push((to, id.clone(), text.clone()));
        }
        last = Some((newer.len() - 1, text));
        links.push(json!({ "a": format!("o{index}"), "b": id }));
    }
    for index in 0..kind.units * kind.added / 100 {
        let section = random.below(sections);
        let said = meaning(&mut random, section);
        let how = Wording { of: [0; 4].map(|_| random.below(3)), modal: said.modal, order: random.below(3) };
        newer.insert(random.below(newer.len()), (section, format!("x{index}"), sentence(&said, &how)));
    }
    if kind.shuffled {
        random.shuffle(&mut newer);
    }
    newer.sort_by_key(|(section, ..)| order[*section]);
    let renumber = |(section, id, text): (usize, String, String)| {
        let mut unit = row(id, section, true, text);
        if kind.sections {
            unit["section"] = order[section].to_string().into();
        }
        unit
    };
    json!({ "a": older, "b": newer.into_iter().map(renumber).collect::<Vec<_>>(), "links": links })
}

/// Both editions of a file.
fn by_hand(file: &str) -> Value {
    let (mut older, mut newer, mut links) = (Vec::new(), Vec::new(), Vec::new());
    for (index, line) in file.lines().enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [from, before, to, after] = cells[..] else { panic!("four cells in line {index}: {line}") };
        let unit = |section: &str, text: &str| {
            let (label, title) = section.split_once(' ').unwrap();
            json!({ "id": index.to_string(), "section": label, "title": title, "text": text })
        };
        if !before.is_empty() {
            older.push(unit(from, before));
        }
        if !after.is_empty() {
            newer.push((to, unit(to, after)));
        }
        if !before.is_empty() && !after.is_empty() {
            links.push(json!({ "a": index.to_string(), "b": index.to_string() }));
        }
    }
    newer.sort_by_key(|(section, _)| *section);
    json!({ "a": older, "b": newer.into_iter().map(|(_, unit)| unit).collect::<Vec<_>>(), "links": links })
}

/// The results of several editions with high confidence, summed: right, found, true.
fn found(editions: &[Value]) -> Score {
    let mut sum = Score { right: 0, found: 0, truth: 0 };
    for editions in editions {
        let pairs = Pairs::parse(editions.to_string().as_bytes()).unwrap();
        let comparison = compare(&pairs.older, &pairs.newer);
        let Score { right, found, truth } = pairs.evaluate(&comparison).unwrap().high;
        sum = Score { right: sum.right + right, found: sum.found + found, truth: sum.truth + truth };
    }
    sum
}

#[test]
fn half_of_a_rewrite_is_found_with_high_confidence_and_few_errors() {
    let mut rows: Vec<(&str, Vec<Value>)> = vec![
        ("anchors.tsv", vec![by_hand(include_str!("rewritten/anchors.tsv"))]),
        ("station.tsv", vec![by_hand(include_str!("rewritten/station.tsv"))]),
    ];
    for kind in &KINDS {
        rows.push((kind.name, (1..=3).map(|seed| editions(kind, seed)).collect()));
    }
    let mut missed = Vec::new();
    for (name, editions) in &rows {
        let score = found(editions);
        let (precision, recall) = (score.precision(), score.recall());
        println!("{name:28} precision {precision:.3} recall {recall:.3}");
        if precision < 0.95 || recall < 0.5 {
            missed.push(name);
        }
    }
    assert!(missed.is_empty(), "below precision 0.95 or recall 0.50: {missed:?}");
}
