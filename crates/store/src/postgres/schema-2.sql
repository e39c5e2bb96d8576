-- What the tokens of one tenant look like, where they differ from what the settings say: NULL is as they say.
-- Lists are words with spaces between.
ALTER TABLE tenants ADD COLUMN token_types TEXT COLLATE "C";
ALTER TABLE tenants ADD COLUMN type_optional BIGINT;
ALTER TABLE tenants ADD COLUMN tenant_claim TEXT COLLATE "C";
ALTER TABLE tenants ADD COLUMN client_claims TEXT COLLATE "C";
ALTER TABLE tenants ADD COLUMN role_claim TEXT COLLATE "C";
ALTER TABLE tenants ADD COLUMN audiences TEXT COLLATE "C";
ALTER TABLE tenants ADD COLUMN algorithms TEXT COLLATE "C";

-- Which editions another version derived.
CREATE INDEX editions_by_deriver ON editions (deriver);
