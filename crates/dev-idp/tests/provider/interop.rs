//! Official client libraries of others, unchanged but for their configuration, over TLS.
