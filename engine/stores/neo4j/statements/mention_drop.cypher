// Deletes mentions; rows behind closed walls are left alone.
// space, walls, all_walls, rows (maps of uuid, episode)
UNWIND $given.rows AS row
MATCH (e:Episodic {group_id: $space, uuid: row.episode})-[r:MENTIONS {group_id: $space, uuid: row.uuid}]->(n {group_id: $space})
WHERE ($given.all_walls OR e.wall IN $given.walls) AND ($given.all_walls OR r.wall IN $given.walls) AND ($given.all_walls OR n.wall IN $given.walls)
DELETE r
