//! Templates of changes in `crates/compare/tests/changes`: words for their slots, and how many are read
//! rightly.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;

/// The lines of a file of templates, without comments.
pub fn templates(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compare/tests/changes").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// Words for the slots that templates of all kinds have, by language.
pub fn words(language: &str, slot: &str) -> &'static [&'static str] {
    match (language, slot) {
        (_, "number") => &["8", "10", "12", "20"],
        ("en", "thing") => &["crate", "kettle", "trolley", "hoist"],
        ("de", "thing") => &["Kessel", "Wagen", "Kran", "Behälter"],
        ("fr", "thing") => &["chariot", "bateau", "ballon", "tonneau"],
        ("en", "person") => &["user", "keeper", "installer", "owner"],
        ("de", "person") => &["Betreiber", "Hersteller", "Prüfer", "Halter"],
        ("fr", "person") => &["client", "loueur", "gardien", "vendeur"],
        ("en", "period") => &["day", "week", "month", "year"],
        ("fr", "period") => &["jour", "semaine", "mois", "trimestre"],
        _ => panic!("no words for `{slot}` in {language}"),
    }
}

/// A template with its slots filled. `round` chooses among the words of a slot; `{slot:2}` has another one.
pub fn filled(template: &str, round: usize, words: impl Fn(&str) -> &'static [&'static str]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (slot, after) = after.split_once('}').unwrap();
        let (name, side) = slot.split_once(':').unwrap_or((slot, "1"));
        let list = words(name);
        let shift = usize::from(side == "2") * (1 + round % (list.len() - 1));
        out.push_str(before);
        out.push_str(list[(round + shift) % list.len()]);
        rest = after;
    }
    out + rest
}

/// Fails where of a file less than its share is right. `count` gives those that are right and all, by kind.
/// The variable `ONLY` names the one file to read.
pub fn expect_shares(files: [(&str, f64); 2], count: impl Fn(&str) -> BTreeMap<String, [usize; 2]>) {
    for (file, least) in files {
        if std::env::var("ONLY").is_ok_and(|only| only != file) {
            continue;
        }
        let counts = count(file);
        println!("{file}: right, of, by kind {counts:?}");
        let [right, all] = counts.values().fold([0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
        println!("{file}: {right} of {all}");
        assert!(right as f64 >= least * all as f64, "{file}: {right} of {all}");
    }
}
