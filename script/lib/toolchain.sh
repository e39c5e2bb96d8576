# Checks of what a build needs, each with the command that mends it. Sourced by the scripts beside it.

stop() {
    printf 'norma: %s\n' "$@" >&2
    exit 1
}

# The version that Cargo.toml states is the one place where it stands.
require_rust() {
    local needed found
    needed=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
    command -v cargo >/dev/null || stop "Rust is missing." \
        "Install Rust $needed or later: https://rustup.rs (or: apt-get install rustup && rustup default stable)."
    found=$(rustc --version | awk '{print $2}')
    [ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" = "$needed" ] || stop \
        "Rust $found is too old; Norma needs $needed or later." "Update it: rustup update stable"
}

require_c_compiler() {
    { command -v "${CC:-cc}" && command -v make; } >/dev/null || stop \
        "A C compiler or make is missing (SQLite, the cryptography and the allocator are built from C)." \
        "Install them: apt-get install gcc libc6-dev make"
}
