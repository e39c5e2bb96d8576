//! Meaning of a text: its words, with what references refer to in place of their print.

use std::borrow::Cow;
use std::ops::Range;

use norma_model::typography::one_typography;

use super::input::Input;
use super::references::{Mention, References};
use super::tokenizer::spans_in;
use crate::blocks::{SpanKind, TokenSpan};

/// The meaning of a part of a block, in one typography. It stays the same when the parts of the document are
/// numbered again.
pub(super) fn meaning<'t>(
    input: &Input<'t>,
    references: &References<'_>,
    block: usize,
    range: Range<usize>,
) -> Cow<'t, str> {
    let own = &input.blocks[block];
    let text = &input.sections[own.section].text;
    let spans: Vec<&TokenSpan> = spans_within(&own.spans, &range).iter().collect();
    let mentions = references.mentions(block, range.clone(), &spans);
    match without_print(text, range, &spans, &mentions) {
        Cow::Borrowed(text) => one_typography(text),
        Cow::Owned(text) => one_typography(&text).into_owned().into(),
    }
}

/// The spans that are within the range; a block's spans are in order.
pub(super) fn spans_within<'s>(spans: &'s [TokenSpan], range: &Range<usize>) -> &'s [TokenSpan] {
    let begun = spans_in(spans, range);
    &begun[..begun.partition_point(|span| span.range.end <= range.end)]
}

/// A text without footnote marks, and with the meaning of references in place of their print.
pub(super) fn without_print<'t>(
    text: &'t str,
    range: Range<usize>,
    spans: &[&TokenSpan],
    mentions: &[Mention],
) -> Cow<'t, str> {
    let mut changes: Vec<(Range<usize>, &str)> = Vec::new();
    for span in spans {
        if matches!(span.kind, SpanKind::FootnoteMark { .. }) {
            changes.push((span.range.clone(), ""));
        }
    }
    for (range, token) in mentions.iter().flat_map(|mention| &mention.tokens) {
        changes.push((range.clone(), token.as_str()));
    }
    changes.sort_by_key(|(range, _)| range.start);
    let mut replaced = Cow::Borrowed("");
    let mut at = range.start;
    for (change, with) in changes {
        if change.start >= at && change.end <= range.end {
            replaced += &text[at..change.start];
            replaced.to_mut().push_str(with);
            at = change.end;
        }
    }
    replaced += &text[at..range.end];
    replaced
}
