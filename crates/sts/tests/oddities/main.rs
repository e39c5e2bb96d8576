//! Tests of the oddities of real files, each with a small input of our own.

#[path = "../common/mod.rs"]
mod common;

mod bodies;
mod characters;
mod habits;
mod metadata;
mod naming;
mod references;
mod short_texts;
mod structure;
mod tables;
mod terms;
mod text;
mod xml;
