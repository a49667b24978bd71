// Inserts or replaces mentions. Rows whose episode or entity is not there, or that would move behind another wall, are left out.
// space, walls, all_walls, rows (maps of uuid, episode, entity, wall, role, rest), at -> ids of those put
UNWIND $given.rows AS row
MATCH (e:Episodic {group_id: $space, uuid: row.episode})
USING INDEX SEEK e:Episodic(group_id, uuid)
MATCH (n:Entity {group_id: $space, uuid: row.entity})
USING INDEX SEEK n:Entity(group_id, uuid)
WHERE ($given.all_walls OR e.wall IN $given.walls) AND ($given.all_walls OR n.wall IN $given.walls)
MERGE (e)-[r:MENTIONS {group_id: $space, uuid: row.uuid}]->(n)
ON CREATE SET r.wall = row.wall, r.created_at = datetime({epochMillis: $given.at})
WITH r, row WHERE r.wall = row.wall
SET r.role = row.role, r.rest = row.rest
RETURN collect(r.uuid) AS put
