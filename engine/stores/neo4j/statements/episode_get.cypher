// Episodes by id.
// space, walls, all_walls, ids -> content, rest
UNWIND $given.ids AS id
MATCH (n:Episodic {group_id: $space, uuid: id})
USING INDEX SEEK n:Episodic(group_id, uuid)
WHERE ($given.all_walls OR n.wall IN $given.walls)
RETURN n.content AS content, n.rest AS rest
