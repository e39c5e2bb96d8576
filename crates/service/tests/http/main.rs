//! The service over real sockets: real tokens of a real provider, real editions in a real store.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod amendment_states;
mod amendments;
mod answers;
mod asset_urls;
mod browsers;
mod changes;
mod citations;
#[cfg(feature = "traces")]
mod collector;
mod comparison;
mod comparison_pages;
mod connections;
mod examples;
mod fields;
mod grants;
mod hidden;
mod large;
mod lineage;
mod lingering;
mod memory;
mod migrate;
mod outage;
mod paging;
mod problems;
mod questions;
mod quotation_access;
mod quotations;
mod reingest;
mod revisions;
mod routes;
mod search;
mod search_words;
mod selections;
mod sockets;
mod stopping;
mod tables;
#[cfg(feature = "traces")]
mod traces;
mod world;
