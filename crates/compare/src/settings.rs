//! Weights of the matcher, with measured defaults.

/// What the matcher weighs. [`Settings::default`] was measured; see docs/compare.md.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Texts of the other edition that are compared with each text, by the inverted index.
    pub candidates: usize,
    /// Candidates that the result lists for a unit without counterpart.
    pub listed_candidates: usize,
    /// Least similarity of a candidate that is listed.
    pub least_candidate: f32,
    /// Least similarity of a pair whose sections correspond.
    pub threshold: f32,
    /// Least similarity of a pair whose sections do not correspond.
    pub threshold_elsewhere: f32,
    /// What corresponding sections add to the similarity.
    pub section_weight: f32,
    /// What equal relative positions add to the similarity.
    pub position_weight: f32,
    /// By how much the score of a pair of high confidence exceeds those of all others of its two units. Of rewritten texts the true
    /// counterpart shares few words, but clearly more than any other: the distance tells more than the similarity.
    pub margin: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            candidates: 12,
            listed_candidates: 3,
            least_candidate: 0.1,
            threshold: 0.15,
            threshold_elsewhere: 0.3,
            section_weight: 0.2,
            position_weight: 0.05,
            margin: 0.07,
        }
    }
}
