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
    /// Least similarity of a pair whose sections correspond, or whose score exceeds those of all others by the margin.
    pub threshold: f32,
    /// Least similarity of any other pair.
    pub threshold_elsewhere: f32,
    /// What corresponding sections add to the similarity.
    pub section_weight: f32,
    /// What equal relative positions add to the similarity.
    pub position_weight: f32,
    /// What neighbours that belong together with high confidence add to the similarity: half of it before and half of it after the two units.
    pub neighbour_weight: f32,
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
            threshold: 0.13,
            threshold_elsewhere: 0.3,
            section_weight: 0.2,
            position_weight: 0.05,
            neighbour_weight: 0.12,
            margin: 0.07,
        }
    }
}
