-- Version 7: what `GET /changes` answers of (docs/decisions/0023-changes.md).

-- The last changes of each URN that was ever published; a row outlives its edition. Numbers are those of
-- `changes`. `seq` is the last change; `state` is 0 where the edition is there, 1 where it is recalled, 2 where
-- it is removed. `created` is when it came, `content`, `rules` and `status` when its source, its derivation and
-- its status or notice changed last, 0 for never. `ics` has its ICS codes, each with the change that gave it
-- (`67.060@12`), `lost` those that it had before, each with the change that took it: grants are decided by them.
CREATE TABLE edition_changes (
    urn TEXT COLLATE "C" PRIMARY KEY,
    seq BIGINT NOT NULL,
    state BIGINT NOT NULL,
    created BIGINT NOT NULL,
    content BIGINT NOT NULL,
    rules BIGINT NOT NULL,
    status BIGINT NOT NULL,
    ics TEXT COLLATE "C" NOT NULL,
    lost TEXT COLLATE "C" NOT NULL
);
-- What the index of editions reads in addition to editions that are not recalled.
CREATE INDEX edition_changes_rare ON edition_changes (urn) WHERE state <> 0 OR lost <> '';

-- The revision that a change replaced.
CREATE TABLE revision_changes (
    urn TEXT COLLATE "C" NOT NULL, seq BIGINT NOT NULL, revision TEXT COLLATE "C" NOT NULL, PRIMARY KEY (urn, seq)
);

-- The first and the last change of an amendment that changed `amendedBy` of an edition.
CREATE TABLE amendment_changes (
    amended TEXT COLLATE "C" NOT NULL,
    amendment TEXT COLLATE "C" NOT NULL,
    first BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (amended, amendment)
);
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
    analyser BIGINT PRIMARY KEY,
    builder TEXT NOT NULL,
    seen BIGINT NOT NULL,
    number BIGINT NOT NULL,
    list BYTEA NOT NULL,
    files BYTEA NOT NULL
);

-- Which set uses which blob.
CREATE TABLE search_blobs (
    blob BIGINT NOT NULL, analyser BIGINT NOT NULL, PRIMARY KEY (blob, analyser)
);
