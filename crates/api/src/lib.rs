//! Contract of Norma's Content API: paths, shapes, problems, media types, OpenAPI.
//!
//! It has the only table of routes. The service mounts [`paths::Operation`] and sends what
//! [`shapes`] say; the client builds URLs from the same table and reads the same shapes. It has neither a
//! web framework nor an HTTP client.

pub mod guides;
pub mod media;
pub mod openapi;
pub mod page;
pub mod paths;
pub mod problem;
pub mod quality;
pub mod query;
pub mod shapes;
mod values;

pub use media::{ContentCoding, Media, NotAcceptable, View};
pub use paths::Operation;
pub use problem::{Code, Problem};
