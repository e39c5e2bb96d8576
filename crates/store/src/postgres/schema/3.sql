-- Version 3: packs of version 3, whose graph is composed of the provisions. An older program cannot read them.
--
-- Packs of earlier versions are read as before. No program derives by this version: `norma rebuild` renews these editions.
UPDATE editions SET deriver = 'none: stored before schema 3';
