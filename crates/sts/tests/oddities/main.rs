//! The oddities of real files, each with a small input of our own: what publishers and their tools really write.

#[path = "../common/mod.rs"]
mod common;

mod bodies;
mod habits;
mod metadata;
mod naming;
mod references;
mod structure;
mod terms;
mod text;
mod xml;
