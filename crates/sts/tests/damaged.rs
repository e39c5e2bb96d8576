//! Damaged copies: cut off, with bytes flipped, tags swapped, attributes doubled. Each is a document or a
//! refusal that says where; none breaks the program, and none takes long.
//!
//! A fixed seed makes every run the same. `NORMA_DAMAGED_COPIES` raises the number of copies, `NORMA_CORPUS`
//! adds real documents to the samples.

#![allow(clippy::disallowed_methods, reason = "this is not production code")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use norma_sts::{ExtractionOptions, Severity, extract};

/// Copies of each document by default: some seconds.
const COPIES: usize = 600;
/// Largest original: larger ones find nothing more and are slow.
const LARGEST: u64 = 120_000;

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }

    fn pick<'t, T: ?Sized>(&mut self, of: &[&'t T]) -> &'t T {
        of[self.below(of.len())]
    }
}

fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let small = path.metadata().is_ok_and(|m| m.len() <= LARGEST);
            if path.is_dir() {
                folders.push(path);
            } else if small && path.extension().is_some_and(|e| e == "xml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn originals() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = documents(&root.join("samples"));
    assert!(paths.len() > 40, "the samples are not there");
    let corpus =
        std::env::var_os("NORMA_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    match documents(&corpus) {
        found if found.is_empty() => println!("corpus absent: no documents in {}", corpus.display()),
        found => paths.extend(found),
    }
    paths.iter().map(|path| std::fs::read(path).expect("a document can be read")).collect()
}

/// The places of the tags in a document, whole.
fn tags(source: &[u8]) -> Vec<(usize, usize)> {
    let starts = source.iter().enumerate().filter(|(_, b)| **b == b'<').map(|(at, _)| at);
    starts.filter_map(|at| Some((at, at + source[at..].iter().position(|b| *b == b'>')? + 1))).collect()
}

/// Damages a copy in one of the ways in which files break.
fn damage(copy: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(copy.len());
    let tags = tags(copy);
    let tag = |random: &mut Random| tags.get(random.below(tags.len())).copied().unwrap_or((0, 0));
    match random.below(16) {
        0 => copy.truncate(at),
        1 => copy.iter_mut().skip(at).take(1).for_each(|b| *b ^= 1 << random.below(8)),
        2 => drop(copy.splice(at..at, (0..4).map(|_| random.below(256) as u8).collect::<Vec<_>>())),
        3 => drop(copy.drain(at..(at + random.below(200)).min(copy.len()))),
        4 => {
            let (from, to) = (random.below(copy.len()), random.below(copy.len()));
            let piece = copy[from..(from + 100).min(copy.len())].to_vec();
            drop(copy.splice(to..to, piece));
        }
        5 => {
            let ((a, b), (c, d)) = (tag(random), tag(random));
            if b <= c {
                let (first, second) = (copy[a..b].to_vec(), copy[c..d].to_vec());
                drop(copy.splice(c..d, first));
                drop(copy.splice(a..b, second));
            }
        }
        6 => drop(copy.drain({
            let (start, end) = tag(random);
            start..end
        })),
        7 => {
            let (start, end) = tag(random);
            let twice = copy[start..end].to_vec();
            drop(copy.splice(end..end, twice));
        }
        8 => {
            let what = random.pick(&[
                "&nosuch;",
                "&mdash;",
                "&amp;",
                "&#0;",
                "&#xFFFF;",
                "&",
                "]]>",
                "<![CDATA[",
                "<!--",
                "<?",
                "\u{feff}",
            ]);
            drop(copy.splice(at..at, what.bytes()));
        }
        9 => {
            let (_, end) = tag(random);
            let what = random.pick(&[
                " id='x' id='x'",
                " id='x'",
                " xmlns=''",
                " xmlns:q='r'",
                " q:a='b'",
                " xlink:href='data:,%'",
                " rid='x x'",
            ]);
            let end = end.saturating_sub(1);
            drop(copy.splice(end..end, what.bytes()));
        }
        10 => {
            let (_, end) = tag(random);
            let name =
                random.pick(&["sec", "p", "list", "tbx:termEntry", "mml:mrow", "table", "sub-part", "fn"]);
            let depth = random.below(400);
            let nest = format!("{}{}", format!("<{name}>").repeat(depth), format!("</{name}>").repeat(depth));
            drop(copy.splice(end..end, nest.into_bytes()));
        }
        // Still well formed, but no standard that anybody would write.
        11 | 12 => {
            let names = [
                "sec", "p", "label", "title", "list", "td", "fig", "std-meta", "body", "app", "ref",
                "edition", "std-ref",
            ];
            let (from, to) = (random.pick(&names), random.pick(&names));
            let renamed = String::from_utf8_lossy(copy);
            let renamed = renamed
                .replace(&format!("<{from} "), &format!("<{to} "))
                .replace(&format!("<{from}>"), &format!("<{to}>"));
            *copy = renamed.replace(&format!("</{from}>"), &format!("</{to}>")).into_bytes();
        }
        13 => {
            let (_, start) = tag(random);
            let end = copy[start..].iter().position(|b| *b == b'<').map_or(start, |run| start + run);
            drop(copy.drain(start..end));
        }
        14 => {
            let (start, end) = tag(random);
            let mut inside = false;
            let mut saved = copy[start..end].to_vec();
            saved.retain(|b| {
                inside ^= *b == b'"';
                *b == b'"' || !inside
            });
            drop(copy.splice(start..end, saved));
        }
        _ => {
            let subset = "<!DOCTYPE a [<!ENTITY a '&b;&b;'><!ENTITY b '&a;'><!ENTITY c '<p>'><!ENTITY d SYSTEM 'file:///etc/passwd'>]>";
            let root = copy.windows(2).position(|w| w[0] == b'<' && w[1].is_ascii_alphabetic()).unwrap_or(0);
            let (_, end) = tag(random);
            let name = random.pick(&["&a;", "&c;", "&d;", "&b;"]);
            let end = end.max(root);
            drop(copy.splice(end..end, name.bytes()));
            drop(copy.splice(root..root, subset.bytes()));
        }
    }
}

#[test]
fn damaged_copies_are_read_or_refused_with_a_position() {
    let originals = originals();
    let copies = std::env::var("NORMA_DAMAGED_COPIES").ok().and_then(|n| n.parse().ok()).unwrap_or(COPIES);
    let mut random = Random(0x6e6f_726d_6100_0001);
    let (mut read, mut refused) = (0, 0);
    for number in 0..copies {
        let mut copy = originals[random.below(originals.len())].clone();
        for _ in 0..=random.below(2) {
            damage(&mut copy, &mut random);
        }
        let started = Instant::now();
        let urn = (number % 2 == 0).then(|| "urn:iso:std:iso:1:ed-1:en".parse().expect("a URN"));
        let options = ExtractionOptions { urn, ..ExtractionOptions::default() };
        let outcome = std::panic::catch_unwind(|| check(&copy, &options));
        match outcome {
            Ok(true) => read += 1,
            Ok(false) => refused += 1,
            Err(_) => {
                let saved = std::env::temp_dir().join(format!("norma-damaged-{number}.xml"));
                std::fs::write(&saved, &copy).expect("the copy can be kept");
                panic!("copy {number} breaks the program; it is kept in {}", saved.display());
            }
        }
        assert!(started.elapsed() < Duration::from_secs(20), "copy {number} takes {:?}", started.elapsed());
    }
    println!("{copies} damaged copies: {read} read, {refused} refused");
    assert!(
        read * 10 > copies && refused * 10 > copies,
        "{read} read, {refused} refused: too little of either for a test of damage"
    );
}

/// Checks whether a copy is read; a result must be well formed, and an error must have a position.
fn check(copy: &[u8], options: &ExtractionOptions) -> bool {
    match extract(copy, options) {
        Ok(extraction) => {
            for section in &extraction.edition.sections {
                roxmltree::Document::parse(&section.xml).expect("each section's markup parses");
            }
            assert!(extraction.diagnostics.iter().all(|d| d.line > 0 && d.column > 0));
            let explained = |code| norma_sts::diagnostic_kinds().iter().any(|entry| entry.code == code);
            assert!(extraction.diagnostics.iter().all(|d| explained(d.code) && d.severity < Severity::Error));
            true
        }
        Err(error) => {
            assert!(
                error.line > 0 && error.column > 0 && !error.message.is_empty() && !error.hint.is_empty(),
                "{error:?}"
            );
            assert!(norma_sts::diagnostic_kinds().iter().any(|entry| entry.code == error.code), "{error:?}");
            assert_ne!(error.code, "inconsistent", "{error}");
            false
        }
    }
}

/// Inputs that failed earlier, found by damaged copies and fuzzing.
#[test]
fn what_broke_the_program_once_breaks_it_no_more() {
    let sentences_without_words = [
        "—",
        "…",
        "(1)",
        "§",
        "\u{a0}",
        "\u{200b}",
        "&#xFFFC;",
        "1",
        "%",
        "*",
        "·",
        "\u{301}",
        "<fn><p>x</p></fn>",
        "<xref ref-type='fn' rid='a'>1)</xref>",
        "<xref rid='a'>1</xref>",
        "<monospace>x</monospace>",
        "<std>ISO 1</std>",
        "<inline-formula><tex-math>x</tex-math></inline-formula>",
    ];
    for titles in [["Apparatus", "Procedure"], ["Procedure", "Apparatus"], ["Procedure", "Principal parts"]] {
        for sentence in sentences_without_words {
            let source = format!(
                "<standard><body><sec><title>{}</title><sec><title>{}</title><p>{sentence}</p><list><list-item><p>{sentence}</p>\
                 </list-item></list></sec></sec></body></standard>",
                titles[0], titles[1]
            );
            let urn = Some("urn:iso:std:iso:1:ed-1:en".parse().expect("a URN"));
            assert!(
                check(source.as_bytes(), &ExtractionOptions { urn, ..ExtractionOptions::default() }),
                "{source}"
            );
        }
    }
}
