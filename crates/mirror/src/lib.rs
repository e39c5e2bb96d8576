//! Mirrors: copies of all standards that a caller may read, in a folder that stays in step with the service.
//!
//! A [`Mirror`] lists everything once and follows the changes of the service from then on
//! (`GET /changes`). The files of an edition are replaced as a whole, and the state of the mirror is written
//! after them: a mirror that is stopped goes on where it was. A [`Watch`] keeps no copies: it hands on what
//! changed since its last call.

mod check;
mod deliver;
mod edition;
mod error;
mod folder;
mod lock;
mod mirror;
mod page;
mod state;
mod watch;

pub use check::{CheckReport, MirrorDifference};
pub use deliver::{Delivery, Webhook, WebhookSecret};
pub use edition::EDITION_FILES;
pub use error::MirrorError;
pub use mirror::{Mirror, MirrorEvent, MirrorReport};
pub use page::{PageParts, content_page};
pub use watch::{Watch, WatchReport};
