//! Verification of quotations: whether a text that is said to be in a standard is there.
//!
//! The crate is pure: it has no IO, HTTP, SQL or index. A caller finds the units that a quotation may be
//! from, and [`verify`] says which of them has it, what it leaves out, and which words differ.
//!
//! ```
//! use norma_quotations::{
//!     CandidateUnit, CriticalOmission, PreparedUnit, Quotation, QuotationVerdict, verify,
//! };
//!
//! let english = norma_model::Lang::en();
//! let text = "The lid shall not be opened unless the pressure is below 5 kPa.";
//! let units = [PreparedUnit::new(CandidateUnit::of_text(text, &english))];
//! let verdict = verify(&Quotation::new("The lid shall not be opened").unwrap(), &units);
//! let QuotationVerdict::Partial { omissions, .. } = verdict else { panic!() };
//! assert_eq!(omissions[0].text, "unless the pressure is below 5 kPa");
//! assert!(omissions[0].critical.contains(&CriticalOmission::Exception));
//! ```

mod alignment;
mod changes;
mod omissions;
mod quotation;
mod roles;
mod signs;
mod target;
mod tokenizer;
mod unit;
mod verdict;
mod verify;

pub use quotation::{InvalidQuotation, QUOTATION_CHARACTERS, Quotation};
pub use target::PreparedUnit;
pub use unit::CandidateUnit;
pub use verdict::{CriticalChange, CriticalOmission, Omission, QuotationVerdict, WordChange};
pub use verify::verify;
