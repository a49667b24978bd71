// Episodes by id.
// space, walls, all_walls, ids -> content, rest
UNWIND $ids AS id
MATCH (n:Episodic {group_id: $space, uuid: id})
WHERE ($all_walls OR n.wall IN $walls)
RETURN n.content AS content, n.rest AS rest
