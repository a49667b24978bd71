// Adds handles: further aliases and identifiers by which an entity is found.
// space, rows (maps of entity, kind, key)
UNWIND $given.rows AS row
CREATE (h:Handle {group_id: $space, kind: row.kind, key: row.key, entity: row.entity})
