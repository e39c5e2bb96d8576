-- Version 5: lists are answered by an index of editions in memory, so that these have no reader.
DROP TABLE edition_ics;
DROP TABLE edition_words;
DROP INDEX editions_by_reference;
DROP INDEX editions_by_publication;
DROP INDEX editions_by_update;
DROP INDEX editions_listed;
