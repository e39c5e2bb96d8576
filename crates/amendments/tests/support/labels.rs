//! Comparison of what is read with labels.

use std::collections::BTreeSet;
use std::fmt::Write;

use norma_amendments::{AmendmentHeading, StatedChange, has_labels_of_its_own, read};
use norma_model::{
    Instruction, InstructionClause, InstructionOperation, InstructionPosition, InstructionTarget,
    KnownSection, WhichPart,
};

use super::base::Base;

/// How much of a file of labels is read as labelled.
#[derive(Default)]
pub(crate) struct Score {
    /// Changes in the labels, and those that were read too much.
    pub(crate) changes: usize,
    /// Those whose operation and part are as labelled, and that are resolved where the label says so.
    pub(crate) right: usize,
    /// Changes that are resolved at another part than the labelled one.
    pub(crate) wrong_parts: usize,
    pub(crate) expected_marks: usize,
    pub(crate) found_marks: usize,
    pub(crate) right_marks: usize,
    /// What differs, for people.
    pub(crate) failures: String,
}

struct Label {
    operation: String,
    part: String,
    is_resolved: bool,
    marks: BTreeSet<String>,
}

pub(crate) fn score(labels: &str) -> Score {
    let mut score = Score::default();
    for amendment in labels.split("\n@ ").skip(1) {
        score_amendment(amendment, &mut score);
    }
    score
}

fn score_amendment(amendment: &str, score: &mut Score) {
    let mut lines = amendment.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    let columns: Vec<&str> = lines.next().unwrap().split('|').map(str::trim).collect();
    let (language, base) = (columns[0], Base::of(columns[1]));
    let titles: Vec<&str> = amendment.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let parted: Vec<Vec<AmendmentHeading<'_>>> = titles.iter().map(|titles| headings(titles)).collect();
    let ignores_labels = has_labels_of_its_own(parted.into_iter().flatten(), language);
    let mut current = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(titles) = line.strip_prefix("> ") {
            current = headings(titles);
        } else if let Some(text) = line.strip_prefix("! ") {
            let mut expected = Vec::new();
            while let Some(label) = lines.next_if(|line| line.starts_with("= ")) {
                expected.push(read_label(label, &base));
            }
            compare(text, language, read(text, language, &current, ignores_labels), &expected, &base, score);
        }
    }
}

fn headings(titles: &str) -> Vec<AmendmentHeading<'_>> {
    titles.split(" / ").map(|title| AmendmentHeading { label: None, title: Some(title) }).collect()
}

fn read_label(line: &str, base: &Base) -> Label {
    let columns: Vec<&str> = line.trim_start_matches("= ").split('|').map(str::trim).collect();
    let part = columns[1].trim_start_matches('?').to_owned();
    let is_resolved = !columns[1].starts_with('?');
    let mut marks = BTreeSet::new();
    for mark in columns[2].split_whitespace().filter(|mark| *mark != "-") {
        if let Some(section) = mark.strip_suffix('*') {
            let (own, below) = (format!("{section}#"), format!("{section}."));
            let within =
                base.provisions.iter().filter(|name| name.starts_with(&own) || name.starts_with(&below));
            marks.extend(within.cloned());
        } else if let Some((section, numbers)) = mark.split_once('#') {
            let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
            let range = first.parse::<u32>().unwrap()..=last.parse().unwrap();
            marks.extend(range.map(|number| format!("{section}#{number}")));
        }
    }
    Label { operation: columns[0].to_owned(), part, is_resolved, marks }
}

fn compare(
    text: &str,
    language: &str,
    found: Vec<StatedChange>,
    expected: &[Label],
    base: &Base,
    score: &mut Score,
) {
    let mut parts = Vec::new();
    for change in found {
        let targets = if change.targets.is_empty() {
            vec![None]
        } else {
            change.targets.iter().cloned().map(Some).collect()
        };
        for target in targets {
            parts.push(resolved(text, language, &change, target, base));
        }
    }
    score.changes += expected.len().max(parts.len());
    for (index, label) in expected.iter().enumerate() {
        let Some(part) = parts.get(index) else {
            let _ = writeln!(score.failures, "{text}\n  missing: {} {}", label.operation, label.part);
            continue;
        };
        let is_right = part.operation == label.operation
            && part.part == label.part
            && part.is_resolved == label.is_resolved;
        score.right += usize::from(is_right);
        let is_wrong = part.is_resolved && (part.part != label.part || !label.is_resolved);
        score.wrong_parts += usize::from(is_wrong);
        score.expected_marks += label.marks.len();
        score.found_marks += part.marks.len();
        score.right_marks += label.marks.intersection(&part.marks).count();
        if !is_right || part.marks != label.marks {
            let _ = writeln!(
                score.failures,
                "{text}\n  expected {} {} {} {:?}\n  found    {} {} {} {:?}",
                label.operation,
                label.part,
                label.is_resolved,
                label.marks,
                part.operation,
                part.part,
                part.is_resolved,
                part.marks
            );
        }
    }
    for part in parts.iter().skip(expected.len()) {
        let _ = writeln!(score.failures, "{text}\n  too much: {} {}", part.operation, part.part);
    }
}

fn resolved(
    text: &str,
    language: &str,
    change: &StatedChange,
    target: Option<InstructionTarget>,
    base: &Base,
) -> Label {
    let instruction = Instruction {
        operation: change.operation,
        printed: change.printed.as_str().into(),
        text: text.into(),
        targets: target.iter().cloned().collect(),
        old_words: change.old_words.iter().map(|words| words.as_str().into()).collect(),
        new_text: change.new_text.as_deref().map(Into::into),
        language: language.parse().unwrap(),
        section: 0,
        provisions: Vec::new(),
    };
    let found = base.edition.resolve(&instruction);
    let marks =
        found.touched.provisions.iter().map(|&index| base.provisions[index as usize].clone()).collect();
    Label {
        operation: operation(change.operation).to_owned(),
        part: target.as_ref().map_or_else(String::new, shown),
        is_resolved: found.reason.is_none(),
        marks,
    }
}

fn operation(operation: InstructionOperation) -> &'static str {
    match operation {
        InstructionOperation::Replace => "replace",
        InstructionOperation::Add => "add",
        InstructionOperation::Delete => "delete",
        InstructionOperation::Renumber => "renumber",
        InstructionOperation::Change => "change",
    }
}

/// A target in the form of the labels.
fn shown(target: &InstructionTarget) -> String {
    let mut shown = match &target.clause {
        None => String::new(),
        Some(InstructionClause::Number { number, .. }) => number.to_string(),
        Some(InstructionClause::Kind(kind)) => named(*kind).to_owned(),
    };
    for part in &target.parts {
        let kind = format!("{:?}", part.kind).to_lowercase();
        let which = match &part.which {
            WhichPart::Unstated => String::new(),
            WhichPart::Number(number) => format!(":{number}"),
            WhichPart::Ordinals(first, last) if first == last => format!(":{first}"),
            WhichPart::Ordinals(first, last) => format!(":{first}-{last}"),
            WhichPart::Last => ":last".to_owned(),
        };
        let _ = write!(shown, "/{kind}{which}");
    }
    let position = match target.position {
        InstructionPosition::Within => "",
        InstructionPosition::Before => "@before",
        InstructionPosition::After => "@after",
        InstructionPosition::Start => "@start",
        InstructionPosition::End => "@end",
    };
    shown + position
}

fn named(kind: KnownSection) -> &'static str {
    match kind {
        KnownSection::Foreword => "foreword",
        KnownSection::Introduction => "introduction",
        KnownSection::Scope => "scope",
        KnownSection::NormativeReferences => "normative-references",
        KnownSection::Terms => "terms",
        KnownSection::Bibliography => "bibliography",
    }
}
