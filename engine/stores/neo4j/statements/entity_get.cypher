// Entities by id.
// space, walls, all_walls, ids -> summary, rest
UNWIND $ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})
WHERE ($all_walls OR n.wall IN $walls)
RETURN n.summary AS summary, n.rest AS rest
