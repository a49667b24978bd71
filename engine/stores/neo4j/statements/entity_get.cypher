// Entities by id.
// space, walls, all_walls, ids -> summary, rest
UNWIND $given.ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})
USING INDEX SEEK n:Entity(group_id, uuid)
WHERE ($given.all_walls OR n.wall IN $given.walls)
RETURN n.summary AS summary, n.rest AS rest
