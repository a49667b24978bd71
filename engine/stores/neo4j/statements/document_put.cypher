// Inserts or replaces documents.
// space, rows (maps of properties)
UNWIND $given.rows AS row
MERGE (n:Document {group_id: $space, kind: row.kind, uuid: row.uuid})
SET n += row
