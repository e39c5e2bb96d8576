//! What every engine promises, run on each of them.
//!
//! SQLite always; PostgreSQL where `NORMA_TEST_POSTGRES` holds the URL of a server on which databases may be made.

mod access;
mod publish;
mod world;
