# Shortcuts for daily work; the scripts they call are the truth.

# list the recipes
default:
    @just --list

# build and start the demonstration
demo *args:
    script/demo {{args}}

# everything that must hold before a commit lands
test *args:
    script/test {{args}}

# format, lints
tidy:
    cargo fmt --all
    cargo clippy --workspace --all-targets -- --deny warnings

# write docs/openapi.json and the generated pages anew after a change of the contract
documents:
    NORMA_WRITE_DOCS=1 cargo test --quiet --package norma-render --test documents
    NORMA_WRITE_DOCS=1 cargo test --quiet --package norma-service --test http examples
    NORMA_WRITE_DOCS=1 cargo test --quiet --package norma-api --package norma-settings --package norma-ingest --test documents

# accept the snapshots of representations as they come out now; the difference is for review
bless:
    INSTA_UPDATE=always cargo test --quiet --package norma-render --package norma-ingest --test views --test representations

# advisories, licences, bans and sources of all dependencies; the advisories come from the internet
deny:
    cargo deny check

# the Debian package, manual pages, completions and bill of materials, below target/dist/package
package *steps:
    script/package {{steps}}
