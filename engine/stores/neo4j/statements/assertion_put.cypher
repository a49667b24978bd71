// Inserts or replaces assertions and ties each to its episode, where that is there. A stored one keeps its wall.
// space, rows (maps of properties) -> ids of those put
UNWIND $given.rows AS row
MERGE (n:Assertion {group_id: $space, uuid: row.uuid})
ON CREATE SET n.wall = row.wall
WITH n, row WHERE n.wall = row.wall
SET n += row
RETURN collect(n.uuid) AS put
