//! Identity from end to end: the real program against providers, with tokens good and bad.

#![allow(clippy::unwrap_used, reason = "this is test code")]

mod audit;
mod certificate;
mod doctor;
mod onboarding;
mod operator;
mod outage;
mod third_party;
mod world;
