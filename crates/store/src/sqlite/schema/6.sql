-- Version 6, the first one. What comes later is a migration of its own
-- (docs/decisions/0015-migrations.md).

-- Editions, one row each; what lists show and filters ask for. `words` has the words of reference and title,
-- `edition_key` the place among the editions of the document. `urn_given` says whether an operator gave the
-- URN (1) or the source (0). `former_urns` has the URNs of the edition before a rebuild gave it this one; they
-- are among its aliases. `notice` is what an operator says to callers of a withdrawal or recall, `noticed` its
-- time. Columns of checksums are CRC-32C.
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
    notice TEXT,
    noticed INTEGER NOT NULL,
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
    pack INTEGER NOT NULL,
    listed_checksum INTEGER NOT NULL,
    urn_given INTEGER NOT NULL,
    former_urns TEXT NOT NULL
) STRICT;
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
    citations BLOB NOT NULL,
    head_checksum INTEGER NOT NULL,
    provisions_checksum INTEGER NOT NULL
) STRICT;

-- Which editions have a language in common, for their status.
CREATE TABLE edition_languages (
    language TEXT NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (edition, language)
) STRICT, WITHOUT ROWID;

-- Other URNs of an edition.
CREATE TABLE aliases (
    alias TEXT NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (alias, edition)
) STRICT, WITHOUT ROWID;

-- Documents that an edition cites.
CREATE TABLE citations (
    reference_key TEXT NOT NULL,
    edition INTEGER NOT NULL,
    kind TEXT NOT NULL,
    stem TEXT,
    dated INTEGER NOT NULL,
    PRIMARY KEY (reference_key, edition, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX citations_by_stem ON citations (stem) WHERE stem IS NOT NULL;
CREATE INDEX citations_by_edition ON citations (edition);

-- `key` is the beginning of the id; the whole id is in `edition_parts`.
CREATE TABLE provisions (
    key INTEGER NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (key, edition)
) STRICT, WITHOUT ROWID;

-- Revisions of an edition that another one replaced, numbered in their order from 1. `form`: the source is
-- retained (0); the next revision has the same source and pictures, so that nothing is retained (1); the
-- source was removed (2). `source` is the digest of the source, `difference` a Zstandard frame with the source
-- of the next retained revision, or else the present one, as its prefix. `units` is what comparisons read of
-- it, as `deriver` derived it, in the same form; `reason` says why there is none. `pictures` has the digest of
-- the file of each graphic, 32 zero bytes for none.
CREATE TABLE earlier_revisions (
    edition INTEGER NOT NULL,
    number INTEGER NOT NULL,
    revision TEXT NOT NULL,
    replaced_at INTEGER NOT NULL,
    form INTEGER NOT NULL,
    source BLOB NOT NULL,
    source_size INTEGER NOT NULL,
    pictures BLOB NOT NULL,
    difference BLOB NOT NULL,
    deriver TEXT NOT NULL,
    units BLOB NOT NULL,
    units_size INTEGER NOT NULL,
    reason TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (edition, number)
) STRICT, WITHOUT ROWID;

-- Blobs by digest. `pieces` has length and checksum of each piece. The bytes are in the object that `object`
-- names, or else in `pieces`, under the number of the blob times 2^20 plus that of the piece. Pieces are rows
-- and no parts of one value, because SQLite finds the middle of a value only by reading all pages before it.
CREATE TABLE blobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    touched INTEGER NOT NULL,
    object TEXT,
    pieces BLOB NOT NULL
) STRICT;

-- The bytes of blobs that are not in an object store.
CREATE TABLE pieces (
    id INTEGER PRIMARY KEY, bytes BLOB NOT NULL
) STRICT;

-- Which edition uses which blob.
CREATE TABLE blob_refs (
    blob INTEGER NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (blob, edition)
) STRICT, WITHOUT ROWID;

-- From `token_types` on: what the tokens of one tenant look like, where they differ from the settings; NULL
-- where they do not. Lists are words separated by spaces.
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
    algorithms TEXT,
    role_form TEXT,
    app_only TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tenants_by_issuer ON tenants (issuer);

-- Clients of a tenant that are refused.
CREATE TABLE suspended_clients (
    tenant TEXT NOT NULL, client TEXT NOT NULL, PRIMARY KEY (tenant, client)
) STRICT, WITHOUT ROWID;

-- What a tenant, or one of its clients, may discover or read, and from when until when.
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

-- The URNs of a grant.
CREATE TABLE grant_urns (
    grant_id INTEGER NOT NULL, urn TEXT NOT NULL, PRIMARY KEY (grant_id, urn)
) STRICT, WITHOUT ROWID;

-- Keys that seal the URLs of assets.
CREATE TABLE signing_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT, secret BLOB NOT NULL, made INTEGER NOT NULL
) STRICT;

-- The change feed. `feed` holds the last number given, so that numbers become visible in order. `epoch` is
-- random: two histories that diverged, such as those of a lost primary and of its promoted replica, may give
-- a change the same number and never the same epoch.
CREATE TABLE changes (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    epoch INTEGER NOT NULL
) STRICT;
-- The number of the last change; its row is the lock of writers.
CREATE TABLE feed (one INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
INSERT INTO feed VALUES (1, 0);

-- Comparisons of two editions, for the revisions that are stored; they go when one of the two goes or
-- changes.
CREATE TABLE comparisons (
    older TEXT NOT NULL,
    newer TEXT NOT NULL,
    language TEXT NOT NULL,
    older_revision TEXT NOT NULL,
    newer_revision TEXT NOT NULL,
    matcher INTEGER NOT NULL,
    record BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (older, newer, language)
) STRICT, WITHOUT ROWID;
CREATE INDEX comparisons_by_newer ON comparisons (newer);

-- The partition into lineages of each document that has, or had, several editions. `wanted` counts the
-- changes of its editions and correspondences, `done` is the count that the partition is of; 0 before the
-- first one is made.
CREATE TABLE lineages (
    stem TEXT PRIMARY KEY,
    wanted INTEGER NOT NULL,
    done INTEGER NOT NULL,
    matcher INTEGER NOT NULL,
    links BLOB NOT NULL,
    checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX lineages_changed ON lineages (stem) WHERE done <> wanted;

-- Ids of provisions that were published and are so no more, and the ordinals that they had; `heir` is the id
-- of the provision that carries their lineage on, or empty. `revision` is the last revision of the edition that
-- had it; `rules` is 1 where the next one has the same source, so that only the way of deriving changed. One that is published again stays here and counts
-- as published.
CREATE TABLE retired_provisions (
    id BLOB PRIMARY KEY,
    stem TEXT NOT NULL,
    edition TEXT NOT NULL,
    place INTEGER NOT NULL,
    heir BLOB NOT NULL,
    revision TEXT NOT NULL,
    rules INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX retired_by_stem ON retired_provisions (stem);
CREATE INDEX retired_by_heir ON retired_provisions (heir);

-- What publishers say became of which provision, in the order of their file; an empty id is none. It outlives
-- its editions.
CREATE TABLE correspondences (
    older TEXT NOT NULL,
    newer TEXT NOT NULL,
    place INTEGER NOT NULL,
    stem TEXT NOT NULL,
    relation TEXT NOT NULL,
    older_id BLOB NOT NULL,
    newer_id BLOB NOT NULL,
    PRIMARY KEY (older, newer, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX correspondences_by_stem ON correspondences (stem);

-- The key by which ids of lineages are made and read. Random bits come from the engine, so that also a store
-- that can only be read afterwards has one.
CREATE TABLE lineage_key (one INTEGER PRIMARY KEY, secret BLOB NOT NULL) STRICT;
INSERT INTO lineage_key VALUES (1, randomblob(16));
