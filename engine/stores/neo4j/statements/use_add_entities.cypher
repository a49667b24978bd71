// Adds uses to entities; `used_ms` never moves back.
// space, walls, all_walls, rows (maps of uuid, kind, count, last_ms, one a memory) -> places of the rows that were met
UNWIND $given.rows AS row
MATCH (n:Entity {group_id: $space, uuid: row.uuid})
USING INDEX SEEK n:Entity(group_id, uuid)
WHERE row.kind = 'entity' AND ($given.all_walls OR n.wall IN $given.walls)
SET n.used_count = coalesce(n.used_count, 0) + row.count,
  n.used_ms = CASE WHEN n.used_ms > row.last_ms THEN n.used_ms ELSE row.last_ms END
RETURN DISTINCT row.place AS place
