//! Diagnostics of sentences with a verb of duty that do not become a provision, each with its reason.

use std::ops::Range;

use super::{BlockReader, DerivedSentence};
use crate::classify::{Hit, ReadingMode, binds, silence};
use crate::eligibility::Misplaced;
use crate::tokenizer::SentenceToken;

/// The first verb of duty of a sentence.
#[derive(Clone, Debug)]
pub(super) struct Duty {
    /// Bytes of the section's text.
    range: Range<usize>,
    /// The reason why it states no provision, if it does not.
    reason: String,
}

impl DerivedSentence {
    /// Drops hits that turn out not to be provisions, for this reason.
    pub(super) fn retain(&mut self, reason: &str, is_provision: impl FnMut(&mut Hit) -> bool) {
        let before = self.hits.len();
        self.hits.retain_mut(is_provision);
        if self.hits.len() < before
            && let Some(duty) = &mut self.duty
        {
            reason.clone_into(&mut duty.reason);
        }
    }
}

impl BlockReader<'_> {
    /// The first verb of duty of a sentence, with the reason why it states nothing.
    pub(super) fn duty(
        &self,
        text: &str,
        tokens: &[SentenceToken],
        hits: &[Hit],
        mode: ReadingMode,
    ) -> Option<Duty> {
        let verbs = self.language.word_lists.duty;
        let at = tokens.iter().position(|token| token.is_plain_word() && token.is_in(verbs))?;
        let reason =
            if hits.is_empty() { silence(text, tokens, at, self.language, mode) } else { String::new() };
        Some(Duty { range: tokens[at].range.clone(), reason })
    }

    /// Reports the duties of a block in which none can be.
    pub(super) fn report(&mut self, index: usize, misplaced: Misplaced) {
        let mode = ReadingMode { conventions: self.conventions, ..ReadingMode::default() };
        let sentences = self.sentences(index, mode);
        self.report_each(index, misplaced, &sentences);
    }

    /// Reports the duties of some sentences of a block in which none can be.
    pub(super) fn report_each(&mut self, index: usize, misplaced: Misplaced, sentences: &[DerivedSentence]) {
        let text = &self.input.sections[self.input.blocks[index].section].text;
        for sentence in sentences {
            if self.is_boilerplate(text, sentence) {
                continue;
            }
            let form = match (sentence.hits.iter().find(|hit| binds(hit)), &sentence.duty) {
                (Some(hit), _) => hit.verbal_form.as_str(),
                (None, Some(duty)) => &text[duty.range.clone()],
                (None, None) => continue,
            };
            let (code, name) = misplaced.words();
            self.diagnostics.add(code, index, format!("`{form}` is in {name}, which cannot bind"));
        }
    }

    /// Reports the duty of a sentence that did not become a provision.
    pub(super) fn report_silence(&mut self, index: usize, sentence: &DerivedSentence) {
        let text = &self.input.sections[self.input.blocks[index].section].text;
        let Some(Duty { range, reason }) = &sentence.duty else { return };
        if sentence.hits.is_empty() && !self.is_boilerplate(text, sentence) {
            let message = format!("`{}` states no provision: {reason}", &text[range.clone()]);
            self.diagnostics.add("no-provision", index, message);
        }
    }

    fn is_boilerplate(&self, text: &str, sentence: &DerivedSentence) -> bool {
        let words = &text[sentence.range.clone()];
        self.language.boilerplate.iter().any(|known| words.contains(known.as_str()))
    }
}
