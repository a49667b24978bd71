// Writes the database's stamp. It belongs to no space.
// name, environment, schema_version, vectors, at
MATCH (m:Muniment {name: $name})
SET m.environment = $environment, m.schema_version = $schema_version, m.vectors = $vectors, m.migrated_ms = $at
