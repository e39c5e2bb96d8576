-- Version 2: comparisons, lineages, and a term of the feed. Editions of version 1 have nothing stored that comparisons read.

-- Comparisons of two editions, for the revisions that are stored; they go when one of the two goes or changes.
CREATE TABLE comparisons (
    older TEXT COLLATE "C" NOT NULL,
    newer TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    older_revision TEXT COLLATE "C" NOT NULL,
    newer_revision TEXT COLLATE "C" NOT NULL,
    matcher BIGINT NOT NULL,
    record BYTEA NOT NULL,
    PRIMARY KEY (older, newer, language)
);
-- What is in them is compressed already.
ALTER TABLE comparisons ALTER COLUMN record SET STORAGE EXTERNAL;
CREATE INDEX comparisons_by_newer ON comparisons (newer);

-- The partition into lineages of each document that has, or had, several editions. `wanted` counts the changes of its editions and
-- correspondences, `done` is the count that the partition is of.
CREATE TABLE lineages (
    stem TEXT COLLATE "C" PRIMARY KEY,
    wanted BIGINT NOT NULL,
    done BIGINT NOT NULL,
    matcher BIGINT NOT NULL,
    links BYTEA NOT NULL
);
CREATE INDEX lineages_changed ON lineages (stem) WHERE done <> wanted;

-- Ids of provisions that were published and are so no more, and the ordinals that they had; `heir` is the id of the provision that
-- carries their lineage on, or empty. One that is published again stays here and counts as published.
CREATE TABLE retired_provisions (
    id BYTEA PRIMARY KEY,
    stem TEXT COLLATE "C" NOT NULL,
    edition TEXT COLLATE "C" NOT NULL,
    place BIGINT NOT NULL,
    heir BYTEA NOT NULL
);
CREATE INDEX retired_by_stem ON retired_provisions (stem);
CREATE INDEX retired_by_heir ON retired_provisions (heir);

-- What publishers say became of which provision, in the order of their file; an empty id is none. It outlives its editions.
CREATE TABLE correspondences (
    older TEXT COLLATE "C" NOT NULL,
    newer TEXT COLLATE "C" NOT NULL,
    place BIGINT NOT NULL,
    stem TEXT COLLATE "C" NOT NULL,
    relation TEXT COLLATE "C" NOT NULL,
    older_id BYTEA NOT NULL,
    newer_id BYTEA NOT NULL,
    PRIMARY KEY (older, newer, place)
);
CREATE INDEX correspondences_by_stem ON correspondences (stem);

-- Documents with several editions (drafts, status 0, and supplements take no part): their partitions are to be made.
INSERT INTO lineages (stem, wanted, done, matcher, links)
    SELECT stem, 1, 0, 0, ''::bytea FROM editions WHERE supplement_kind IS NULL AND stated <> 0 GROUP BY stem HAVING COUNT(*) > 1;

-- No program derives by this version: `norma rebuild` renews these editions.
UPDATE editions SET deriver = 'none: stored in schema 1';

-- A random number that distinguishes histories with the same numbers; version 1 called it a mark.
ALTER TABLE changes RENAME COLUMN mark TO epoch;
