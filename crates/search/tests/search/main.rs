//! Tests of the search: against a scan, against judgements of people, and of its folder.

#![allow(clippy::unwrap_used, reason = "this is test code")]

mod folder;
mod gold;
mod index;
mod quoted;
mod received;
mod relaxed;
mod scan;
mod steps;
