// The database's stamp. It belongs to no space.
// name -> environment, schema_version, vectors
MATCH (m:Muniment {name: $name})
RETURN m.environment AS environment, m.schema_version AS schema_version, m.vectors AS vectors
