-- Version 7: what `GET /changes` answers of (docs/decisions/0023-changes.md).

-- The last changes of each URN that was ever published; a row outlives its edition. Numbers are those of
-- `changes`. `seq` is the last change; `state` is 0 where the edition is there, 1 where it is recalled, 2 where
-- it is removed. `created` is when it came, `content`, `rules` and `status` when its source, its derivation and
-- its status or notice changed last, 0 for never. `ics` has its ICS codes, each with the change that gave it
-- (`67.060@12`), `lost` those that it had before, each with the change that took it: grants are decided by them.
CREATE TABLE edition_changes (
    urn TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    state INTEGER NOT NULL,
    created INTEGER NOT NULL,
    content INTEGER NOT NULL,
    rules INTEGER NOT NULL,
    status INTEGER NOT NULL,
    ics TEXT NOT NULL,
    lost TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- What the index of editions reads in addition to editions that are not recalled.
CREATE INDEX edition_changes_rare ON edition_changes (urn) WHERE state <> 0 OR lost <> '';

-- The revision that a change replaced.
CREATE TABLE revision_changes (
    urn TEXT NOT NULL, seq INTEGER NOT NULL, revision TEXT NOT NULL, PRIMARY KEY (urn, seq)
) STRICT, WITHOUT ROWID;

-- The first and the last change of an amendment that changed `amendedBy` of an edition.
CREATE TABLE amendment_changes (
    amended TEXT NOT NULL,
    amendment TEXT NOT NULL,
    first INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (amended, amendment)
) STRICT, WITHOUT ROWID;
CREATE INDEX amendment_changes_by_amendment ON amendment_changes (amendment);

INSERT INTO edition_changes (urn, seq, state, created, content, rules, status, ics, lost)
SELECT e.urn, COALESCE(c.seq, 0), CASE WHEN e.recalled IS NULL THEN 0 ELSE 1 END, COALESCE(c.seq, 0), 0, 0, 0,
    CASE WHEN e.ics = '' THEN ''
        ELSE REPLACE(e.ics, ' ', '@' || COALESCE(c.seq, 0) || ' ') || '@' || COALESCE(c.seq, 0) END, ''
FROM editions e
LEFT JOIN (SELECT subject, MAX(seq) AS seq FROM changes WHERE kind = 'edition' GROUP BY subject) c
    ON c.subject = e.urn;

-- Search indexes that one instance builds and the others fetch, by the version of the analyser
-- (docs/decisions/0024-shared-search-index.md). `builder` is the process that builds it, `seen` its last sign of
-- life. `number` rises with each published set of files, 0 for none; `list` is the engine's list of segments,
-- `files` the names of the files with the digests of their parts.
CREATE TABLE search_indexes (
    analyser INTEGER PRIMARY KEY,
    builder TEXT NOT NULL,
    seen INTEGER NOT NULL,
    number INTEGER NOT NULL,
    list BLOB NOT NULL,
    files BLOB NOT NULL
) STRICT;

-- Which set uses which blob.
CREATE TABLE search_blobs (
    blob INTEGER NOT NULL, analyser INTEGER NOT NULL, PRIMARY KEY (blob, analyser)
) STRICT, WITHOUT ROWID;
