//! Evaluation of the rules of provisions against gold files, and of comparisons against pairs with known
//! links, for those who work on Norma.

mod eval;
mod gold;
pub mod pairs;

pub use eval::{ClassRow, EvalCounts, EvalReport, EvalRow, GoldError, eval};
