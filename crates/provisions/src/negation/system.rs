//! The three ways of languages to deny a verb.

use serde::Deserialize;

/// How a language denies a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NegationSystem {
    /// A word directly after the auxiliary, or in the subject or object: “shall not”, “no lid shall”, “shall
    /// use no rope”.
    Auxiliary,
    /// A word between the finite verb and its end of the clause, or at the head of what precedes the finite
    /// verb: “darf den Deckel nicht öffnen”, “kein Deckel darf”.
    MiddleField,
    /// A particle directly before the finite verb, whatever completes it: “ne doit pas”, “ne peut”.
    Particle,
}
