// Inserts or replaces summaries. A stored one keeps its wall: rows with another wall are left out.
// space, rows (maps of properties) -> ids of those put, ids of those that have passages
UNWIND $given.rows AS row
MERGE (n:Summary {group_id: $space, uuid: row.uuid})
ON CREATE SET n.wall = row.wall
WITH n, row WHERE n.wall = row.wall
SET n += row
RETURN collect(n.uuid) AS put, collect(CASE WHEN n.parts > 0 THEN n.uuid END) AS owners
