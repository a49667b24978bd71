// Adds passages.
// space, rows (maps of uuid, owner, kind, held, part, embedder, embedding)
UNWIND $given.rows AS row
CREATE (p:Passage {group_id: $space, uuid: row.uuid})
SET p += row
