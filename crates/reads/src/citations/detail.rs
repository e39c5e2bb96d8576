//! Details of a citation within a section: list items, paragraphs and notes, looked for in its text.

use norma_model::printed::{DetailKind, LocationDetail};

/// A provision of the section itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnchoredItem {
    pub(super) ordinal: u32,
    /// Printed label of the list item around it.
    pub(super) item_label: Option<String>,
    /// First Unicode scalar value in the text of the section.
    pub(super) start: usize,
}

/// What a detail of a section is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FoundDetail {
    /// This provision, and nothing else.
    Provision(u32),
    /// It is in the section, and no provision alone.
    Within,
    /// The section does not have it.
    Absent,
    /// The text does not say.
    Unchecked,
}

/// Words that begin a note or an example in the text.
const NOTES: [&str; 5] = ["note", "anmerkung", "remarque", "example", "beispiel"];

/// Looks for a detail in the text of a section, which begins with its heading.
pub(super) fn find_detail(text: &str, detail: &LocationDetail, provisions: &[AnchoredItem]) -> FoundDetail {
    match (detail.kind, &detail.value) {
        (DetailKind::Item, Some(label)) => item(text, label, provisions),
        (DetailKind::Paragraph, Some(number)) => paragraph(text, number, provisions),
        (DetailKind::Note, value) => note(text, value.as_deref()),
        _ => FoundDetail::Unchecked,
    }
}

fn item(text: &str, label: &str, provisions: &[AnchoredItem]) -> FoundDetail {
    let mut count = 0;
    let mut has_items = false;
    let mut has_dashes = false;
    for line in text.lines() {
        let own = item_label(line);
        has_items |= own.is_some();
        has_dashes |= line.starts_with(['—', '–', '•', '-']);
        count += usize::from(own == Some(label));
    }
    if count == 0 {
        // Items without labels may be lettered where they are printed.
        return if has_dashes && !has_items { FoundDetail::Unchecked } else { FoundDetail::Absent };
    }
    let mut named = provisions.iter().filter(|provision| {
        let own = provision.item_label.as_deref();
        own.is_some_and(|own| own.trim_matches(['(', ')', '.']) == label)
    });
    match (named.next(), named.next()) {
        (Some(only), None) if count == 1 => FoundDetail::Provision(only.ordinal),
        _ => FoundDetail::Within,
    }
}

/// The label of the list item that a line begins with: `b` of `b) …`, `(b) …`.
fn item_label(line: &str) -> Option<&str> {
    let line = line.trim_start().trim_start_matches('(');
    let (label, _) = line.split_once(')')?;
    let fits = !label.is_empty() && label.len() <= 4 && label.bytes().all(|b| b.is_ascii_alphanumeric());
    fits.then_some(label)
}

fn paragraph(text: &str, number: &str, provisions: &[AnchoredItem]) -> FoundDetail {
    let Ok(number) = number.parse::<usize>() else { return FoundDetail::Unchecked };
    let mut start = 0;
    let mut blocks: Vec<(usize, &str)> = Vec::new();
    for block in text.split("\n\n") {
        blocks.push((start, block));
        start += block.chars().count() + 2;
    }
    // The first one is the heading.
    let paragraphs = blocks.get(1..).unwrap_or_default();
    let Some(&(first, block)) = paragraphs.get(number - 1) else { return FoundDetail::Absent };
    // Notes and lists may count as paragraphs, or not.
    if !paragraphs[..number].iter().all(|(_, block)| is_plain(block)) {
        return FoundDetail::Unchecked;
    }
    let end = first + block.chars().count();
    let mut within = provisions.iter().filter(|provision| (first..end).contains(&provision.start));
    match (within.next(), within.next()) {
        (Some(only), None) => FoundDetail::Provision(only.ordinal),
        _ => FoundDetail::Within,
    }
}

/// Whether a block of text is a paragraph: one line, no list item, no note.
fn is_plain(block: &str) -> bool {
    let lower = block.to_lowercase();
    let is_note = NOTES.iter().any(|word| lower.starts_with(word));
    !is_note && !block.contains('\n') && item_label(block).is_none() && !block.starts_with(['—', '–', '•'])
}

fn note(text: &str, number: Option<&str>) -> FoundDetail {
    for line in text.lines() {
        let lower = line.trim_start().to_lowercase();
        let Some(after) = NOTES[..3].iter().find_map(|word| lower.strip_prefix(word)) else { continue };
        let own: String = after.trim_start().chars().take_while(char::is_ascii_digit).collect();
        if number.is_none_or(|number| number == own) {
            return FoundDetail::Within;
        }
    }
    FoundDetail::Absent
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "4.1 General\n\nAn anchor shall hold. It shall be grey.\n\nEdges should be round.\n\n\
                        Use:\na) a gauge;\nb) a watch.\n\nNOTE 1 Watches differ.\n\nNOTE 2 Gauges too.";

    fn provision(ordinal: u32, words: &str, item_label: Option<&str>) -> AnchoredItem {
        let byte = TEXT.find(words).unwrap();
        let start = TEXT[..byte].chars().count();
        AnchoredItem { ordinal, item_label: item_label.map(str::to_owned), start }
    }

    fn found(kind: DetailKind, value: &str) -> FoundDetail {
        let provisions = [
            provision(3, "An anchor", None),
            provision(4, "It shall", None),
            provision(5, "Edges", None),
            provision(6, "a watch", Some("b)")),
        ];
        let value = (!value.is_empty()).then(|| value.to_owned());
        find_detail(TEXT, &LocationDetail { kind, value }, &provisions)
    }

    #[test]
    fn a_detail_is_a_provision_a_part_of_the_text_or_not_there() {
        assert_eq!(found(DetailKind::Item, "b"), FoundDetail::Provision(6));
        assert_eq!(found(DetailKind::Item, "a"), FoundDetail::Within);
        assert_eq!(found(DetailKind::Item, "c"), FoundDetail::Absent);
        assert_eq!(found(DetailKind::Paragraph, "1"), FoundDetail::Within);
        assert_eq!(found(DetailKind::Paragraph, "2"), FoundDetail::Provision(5));
        assert_eq!(found(DetailKind::Paragraph, "4"), FoundDetail::Unchecked);
        assert_eq!(found(DetailKind::Paragraph, "9"), FoundDetail::Absent);
        assert_eq!(found(DetailKind::Note, "2"), FoundDetail::Within);
        assert_eq!(found(DetailKind::Note, "3"), FoundDetail::Absent);
        assert_eq!(found(DetailKind::Note, ""), FoundDetail::Within);
        assert_eq!(found(DetailKind::Sentence, "1"), FoundDetail::Unchecked);
    }
}
