//! Any token is read as far as that goes without a key, or refused; none breaks the program.

use norma_auth::{Rules, inspect};

/// Holds for any bytes.
pub(crate) fn holds(bytes: &[u8]) {
    let rules = Rules::new(["api://norma"], "Content.Read");
    let text = String::from_utf8_lossy(bytes);
    if inspect(&text, &rules).is_ok() {
        assert_eq!(text.split('.').count(), 3, "{text}");
        assert!(text.len() <= rules.max_token);
    }
}
