// Writes fact versions that are expired, rejected or archived. Rows whose entities are not there are left out.
// Notes the latest moment at which a version expired, where one did: reads as of later ones need no expired rows.
// space, walls, all_walls, rows (maps of properties), expired_ms (null: none expired) -> ids of those written
MATCH (space:Space {group_id: $space})
SET space.last_expired_ms = CASE
  WHEN $given.expired_ms IS NULL OR space.last_expired_ms > $given.expired_ms THEN space.last_expired_ms
  ELSE $given.expired_ms
END
WITH space
UNWIND $given.rows AS row
MATCH (s:Entity {group_id: $space, uuid: row.subject})
USING INDEX SEEK s:Entity(group_id, uuid)
MATCH (o:Entity {group_id: $space, uuid: row.object})
USING INDEX SEEK o:Entity(group_id, uuid)
WHERE ($given.all_walls OR s.wall IN $given.walls) AND ($given.all_walls OR o.wall IN $given.walls)
CREATE (s)-[r:SET_ASIDE {group_id: $space, uuid: row.uuid, version: row.version}]->(o)
SET r += row, r.created_at = datetime({epochMillis: row.created_ms}),
  r.valid_at = CASE WHEN row.valid_at IS NOT NULL THEN datetime({epochMillis: row.valid_at}) END,
  r.invalid_at = CASE WHEN row.invalid_at IS NOT NULL THEN datetime({epochMillis: row.invalid_at}) END,
  r.expired_at = CASE WHEN row.expired_at IS NOT NULL THEN datetime({epochMillis: row.expired_at}) END
RETURN collect(r.uuid) AS written
