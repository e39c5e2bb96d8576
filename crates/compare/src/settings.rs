//! What the matcher weighs, with measured defaults.

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
    /// Similarity from which a pair that no other comes near is of high confidence.
    pub high: f32,
    /// By how much the score of such a pair exceeds those of all others of its two units.
    pub margin: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            candidates: 12,
            listed_candidates: 3,
            least_candidate: 0.1,
            threshold: 0.3,
            threshold_elsewhere: 0.4,
            section_weight: 0.2,
            position_weight: 0.05,
            high: 0.5,
            margin: 0.1,
        }
    }
}
