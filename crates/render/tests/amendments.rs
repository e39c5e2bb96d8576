//! Instructions of a stored amendment, resolved on a stored edition.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use bytes::Bytes;
use norma_model::InstructionOperation;
use norma_render::{
    AmendedParts, Compression, PackDirectory, PackPart, StoredInstruction, amended_edition, instructions,
    render,
};

struct Packed {
    directory: PackDirectory,
    bytes: Bytes,
}

impl Packed {
    fn of(path: &Path) -> Self {
        let source = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let extraction = norma_sts::extract(&source, &norma_sts::ExtractionOptions::default()).unwrap();
        let assets = vec![None; extraction.edition.graphics.len()];
        let pack = render(
            &extraction.edition,
            &assets,
            "0123456789abcdef",
            &source,
            b"",
            Compression::with_level(6),
        );
        let directory = PackDirectory::parse(&pack.directory).unwrap();
        Self { directory, bytes: pack.bytes }
    }

    fn part(&self, part: PackPart) -> Bytes {
        let range = self.directory.part(part).range.clone();
        let stored = self.bytes.slice(range.start as usize..range.end as usize);
        self.directory.identity(part, stored).unwrap()
    }

    fn amended(&self) -> AmendedParts {
        let [blocks, content, tables] = norma_render::PARTS_OF_AMENDED.map(|part| self.part(part));
        amended_edition(&blocks, &content, &tables).unwrap()
    }

    fn instructions(&self) -> Vec<StoredInstruction> {
        instructions(&self.part(PackPart::Instructions)).unwrap()
    }
}

fn sample(name: &str) -> Packed {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    Packed::of(&samples.join(name).join("document.xml"))
}

/// Operation, part as printed, whether it is resolved, and what it touches.
fn lines(amendment: &Packed, base: &Packed) -> Vec<String> {
    let parts = base.amended();
    let mut lines = Vec::new();
    for stored in amendment.instructions() {
        let resolved = parts.edition.resolve(&stored.instruction);
        let operation = format!("{:?}", stored.instruction.operation).to_lowercase();
        let certain = resolved.reason.map_or_else(|| "resolved".to_owned(), |reason| format!("{reason:?}"));
        let mut ids = parts.ids(&resolved.touched);
        // Ids of provisions depend on all their words.
        ids.iter_mut().filter(|id| id.starts_with("prv_")).for_each(|id| id.truncate(3));
        let printed = &stored.instruction.printed;
        lines.push(format!("{operation} | {printed} | {certain} | {}", ids.join(" ")));
    }
    lines
}

#[test]
fn the_instructions_of_the_sample_are_resolved_on_each_language_of_its_base() {
    let amendment = sample("bicycle-anchors-amd1");
    let expected = [
        "add | Clause 2, list | resolved | sec_2",
        "add | 3.4 | resolved | sec_3.4",
        "replace | 4.1, third paragraph | resolved | sec_4.1 prv",
        "add | 4.4 | resolved | sec_4.4",
        "add | Clause 8, list | resolved | _d84a61b3-f052",
        "delete | Annex B, second sentence | resolved | sec_B prv",
    ];
    assert_eq!(lines(&amendment, &sample("bicycle-anchors-ed2-en")), expected);
    for language in ["de", "fr"] {
        let found = lines(&amendment, &sample(&format!("bicycle-anchors-ed2-{language}")));
        assert!(found.iter().all(|line| line.contains("| resolved |")), "{language}: {found:#?}");
    }
}

#[test]
fn the_new_text_is_with_its_instruction_and_so_are_its_provisions() {
    let stored = sample("bicycle-anchors-amd1").instructions();
    let new_texts: Vec<bool> = stored.iter().map(|one| one.instruction.new_text.is_some()).collect();
    assert_eq!(new_texts, [true, true, true, true, true, false]);
    let third = &stored[2].instruction;
    assert_eq!(third.operation, InstructionOperation::Replace);
    let text = "An anchor may fold flat when it is not in use. A charging anchor shall not fold.";
    assert_eq!(third.new_text.as_deref(), Some(text));
    let provisions: Vec<usize> = stored.iter().map(|one| one.provision_ids.len()).collect();
    assert_eq!(provisions, [0, 0, 2, 4, 0, 0]);
}

#[test]
fn an_edition_that_amends_nothing_has_no_instructions() {
    assert!(sample("bicycle-anchors-ed2-en").instructions().is_empty());
}

#[test]
fn print_pair() {
    let Ok(paths) = std::env::var("PAIR") else { return };
    let (a, b) = paths.split_once(',').unwrap();
    for line in lines(&Packed::of(Path::new(a)), &Packed::of(Path::new(b))) {
        println!("{line}");
    }
}
