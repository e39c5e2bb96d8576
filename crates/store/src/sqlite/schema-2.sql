-- What the tokens of one tenant look like, where they differ from what the settings say: NULL is as they say.
-- Lists are words with spaces between.
ALTER TABLE tenants ADD COLUMN token_types TEXT;
ALTER TABLE tenants ADD COLUMN type_optional INTEGER;
ALTER TABLE tenants ADD COLUMN tenant_claim TEXT;
ALTER TABLE tenants ADD COLUMN client_claims TEXT;
ALTER TABLE tenants ADD COLUMN role_claim TEXT;
ALTER TABLE tenants ADD COLUMN audiences TEXT;
ALTER TABLE tenants ADD COLUMN algorithms TEXT;

-- Which editions another version derived.
CREATE INDEX editions_by_deriver ON editions (deriver);
