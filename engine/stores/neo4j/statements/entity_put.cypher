// Inserts or replaces entities. A stored one keeps its wall: rows with another wall are left out.
// space, rows (maps of properties) -> ids of those put, ids of those that had handles
UNWIND $given.rows AS row
MERGE (n:Entity {group_id: $space, uuid: row.uuid})
ON CREATE SET n.wall = row.wall
WITH n, row, coalesce(n.handles, 0) AS had WHERE n.wall = row.wall
SET n += row, n.created_at = datetime({epochMillis: row.created_ms})
RETURN collect(n.uuid) AS put, collect(CASE WHEN had > 0 THEN n.uuid END) AS handled
