// Which of some ids are there for the caller.
// space, walls, all_walls, ids -> ids
UNWIND $ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})
WHERE ($all_walls OR n.wall IN $walls)
RETURN collect(n.uuid) AS ids
