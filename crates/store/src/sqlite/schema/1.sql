-- Version 1: the redesign of version 0.2. Never changed: what comes later is a migration of its own.
-- Editions, one row each; what lists show and filters ask for. `words` has the words of reference and title.
CREATE TABLE editions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    urn TEXT NOT NULL UNIQUE,
    stem TEXT NOT NULL,
    edition TEXT NOT NULL,
    edition_key TEXT NOT NULL,
    languages TEXT NOT NULL,
    original INTEGER NOT NULL,
    stated INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL,
    status INTEGER NOT NULL,
    recalled TEXT,
    reference TEXT NOT NULL,
    reference_key TEXT NOT NULL,
    sort_key TEXT NOT NULL,
    title TEXT NOT NULL,
    publisher TEXT NOT NULL,
    number TEXT NOT NULL,
    part TEXT,
    supplement_kind TEXT,
    supplement_number TEXT,
    supplement_year TEXT,
    kind TEXT NOT NULL,
    published_on TEXT NOT NULL,
    ics TEXT NOT NULL,
    words TEXT NOT NULL,
    revision TEXT NOT NULL,
    deriver TEXT NOT NULL,
    origin TEXT NOT NULL,
    source BLOB NOT NULL,
    source_size INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    pack INTEGER NOT NULL
) STRICT;
CREATE INDEX editions_by_reference ON editions (sort_key, urn) WHERE recalled IS NULL;
CREATE INDEX editions_by_publication ON editions (published_on, urn) WHERE recalled IS NULL;
CREATE INDEX editions_by_update ON editions (updated, urn) WHERE recalled IS NULL;
CREATE INDEX editions_listed ON editions (urn) WHERE recalled IS NULL;
CREATE INDEX editions_by_stem ON editions (stem, edition_key);
CREATE INDEX editions_by_reference_key ON editions (reference_key);
CREATE INDEX editions_by_source ON editions (source);
-- Which editions another version derived.
CREATE INDEX editions_by_deriver ON editions (deriver);

-- What only a read of one edition needs, and all that its rows in the indexes below follow from.
CREATE TABLE edition_parts (
    edition INTEGER PRIMARY KEY,
    directory BLOB NOT NULL,
    assets BLOB NOT NULL,
    provisions BLOB NOT NULL,
    aliases TEXT NOT NULL,
    citations BLOB NOT NULL
) STRICT;

CREATE TABLE edition_ics (
    code TEXT NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (code, edition)
) STRICT, WITHOUT ROWID;

CREATE TABLE edition_languages (
    language TEXT NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (edition, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE edition_words (
    word TEXT NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (word, edition)
) STRICT, WITHOUT ROWID;

CREATE TABLE aliases (
    alias TEXT NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (alias, edition)
) STRICT, WITHOUT ROWID;

CREATE TABLE citations (
    reference_key TEXT NOT NULL,
    edition INTEGER NOT NULL,
    kind TEXT NOT NULL,
    stem TEXT,
    dated INTEGER NOT NULL,
    PRIMARY KEY (reference_key, edition, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX citations_by_stem ON citations (stem) WHERE stem IS NOT NULL;

-- `key` is the beginning of the id; the whole id is in `edition_parts`.
CREATE TABLE provisions (
    key INTEGER NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (key, edition)
) STRICT, WITHOUT ROWID;

-- Blobs by digest. `pieces` has length and checksum of each piece. The bytes are in the object that `object` names, or else in
-- `pieces`, under the number of the blob times 2^20 plus that of the piece. Pieces are rows and no parts of one value, because
-- SQLite finds the middle of a value only by reading all pages before it.
CREATE TABLE blobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    touched INTEGER NOT NULL,
    object TEXT,
    pieces BLOB NOT NULL
) STRICT;

CREATE TABLE pieces (
    id INTEGER PRIMARY KEY, bytes BLOB NOT NULL
) STRICT;

CREATE TABLE blob_refs (
    blob INTEGER NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (blob, edition)
) STRICT, WITHOUT ROWID;

-- From `token_types` on: what the tokens of one tenant look like, where they differ from the settings; NULL where they
-- do not. Lists are words separated by spaces.
CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    issuer TEXT,
    jwks_uri TEXT,
    suspended INTEGER NOT NULL,
    token_types TEXT,
    type_optional INTEGER,
    tenant_claim TEXT,
    client_claims TEXT,
    role_claim TEXT,
    audiences TEXT,
    algorithms TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tenants_by_issuer ON tenants (issuer);

CREATE TABLE suspended_clients (
    tenant TEXT NOT NULL, client TEXT NOT NULL, PRIMARY KEY (tenant, client)
) STRICT, WITHOUT ROWID;

CREATE TABLE grants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    client TEXT,
    level INTEGER NOT NULL,
    scope_kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    valid_from TEXT,
    valid_until TEXT
) STRICT;

CREATE TABLE grant_urns (
    grant_id INTEGER NOT NULL, urn TEXT NOT NULL, PRIMARY KEY (grant_id, urn)
) STRICT, WITHOUT ROWID;

CREATE TABLE signing_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT, secret BLOB NOT NULL, made INTEGER NOT NULL
) STRICT;

-- The change feed. `feed` holds the last number given, so that numbers become visible in order. `mark` is random: two
-- histories that diverged, such as those of a lost primary and of its promoted replica, may give a change the same number
-- and never the same mark.
CREATE TABLE changes (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    mark INTEGER NOT NULL
) STRICT;
CREATE TABLE feed (one INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
INSERT INTO feed VALUES (1, 0);
