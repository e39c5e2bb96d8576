-- Version 4: a key of lineage ids, and checksums of what reads take from the catalogue.

-- The key by which ids of lineages are made and read. Random bits come from the engine, so that also a store that can only be read
-- afterwards has one.
CREATE TABLE lineage_key (one INTEGER PRIMARY KEY, secret BLOB NOT NULL) STRICT;
INSERT INTO lineage_key VALUES (1, randomblob(16));

-- CRC-32C; -1 where an earlier version stored the row: it is not compared until the edition is renewed.
ALTER TABLE editions ADD COLUMN listed_checksum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE edition_parts ADD COLUMN head_checksum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE edition_parts ADD COLUMN provisions_checksum INTEGER NOT NULL DEFAULT -1;

-- Comparisons are made again, with a checksum, and of neighbours only.
DELETE FROM comparisons;
ALTER TABLE comparisons ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;

-- Partitions are made again too. They stay until then: heirs of ids that were removed follow from them.
ALTER TABLE lineages ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;
UPDATE lineages SET wanted = wanted + 1;

-- No program derives by this version: `norma rebuild` renews these editions.
UPDATE editions SET deriver = 'none: stored before schema 4';

-- How the tokens of a tenant say that they are those of applications, and the form of their claim with roles.
ALTER TABLE tenants ADD COLUMN role_form TEXT;
ALTER TABLE tenants ADD COLUMN app_only TEXT;

-- Whether an operator gave the URN (1) or the source gives it (0); -1 where an earlier version stored the row: not known. URNs that the
-- edition had before a rebuild gave it this one; they are among its aliases.
ALTER TABLE editions ADD COLUMN urn_given INTEGER NOT NULL DEFAULT -1;
ALTER TABLE editions ADD COLUMN former_urns TEXT NOT NULL DEFAULT '';
