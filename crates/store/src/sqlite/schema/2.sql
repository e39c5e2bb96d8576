-- Version 2: comparisons, lineages, and a term of the feed. Editions of version 1 have nothing stored that comparisons read.

-- Comparisons of two editions, for the revisions that are stored; they go when one of the two goes or changes.
CREATE TABLE comparisons (
    older TEXT NOT NULL,
    newer TEXT NOT NULL,
    language TEXT NOT NULL,
    older_revision TEXT NOT NULL,
    newer_revision TEXT NOT NULL,
    matcher INTEGER NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY (older, newer, language)
) STRICT, WITHOUT ROWID;
CREATE INDEX comparisons_by_newer ON comparisons (newer);

-- The partition into lineages of each document that has, or had, several editions. `wanted` counts the changes of its editions and
-- correspondences, `done` is the count that the partition is of.
CREATE TABLE lineages (
    stem TEXT PRIMARY KEY,
    wanted INTEGER NOT NULL,
    done INTEGER NOT NULL,
    matcher INTEGER NOT NULL,
    links BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX lineages_changed ON lineages (stem) WHERE done <> wanted;

-- Ids of provisions that were published and are so no more, and the ordinals that they had; `heir` is the id of the provision that
-- carries their lineage on, or empty. One that is published again stays here and counts as published.
CREATE TABLE retired_provisions (
    id BLOB PRIMARY KEY,
    stem TEXT NOT NULL,
    edition TEXT NOT NULL,
    place INTEGER NOT NULL,
    heir BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX retired_by_stem ON retired_provisions (stem);
CREATE INDEX retired_by_heir ON retired_provisions (heir);

-- What publishers say became of which provision, in the order of their file; an empty id is none. It outlives its editions.
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

-- Documents with several editions (drafts, status 0, and supplements take no part): their partitions are to be made.
INSERT INTO lineages (stem, wanted, done, matcher, links)
    SELECT stem, 1, 0, 0, X'' FROM editions WHERE supplement_kind IS NULL AND stated <> 0 GROUP BY stem HAVING COUNT(*) > 1;

-- No program derives by this version: `norma rebuild` renews these editions.
UPDATE editions SET deriver = 'none: stored in schema 1';

-- A random number that distinguishes histories with the same numbers; version 1 called it a mark.
ALTER TABLE changes RENAME COLUMN mark TO epoch;
