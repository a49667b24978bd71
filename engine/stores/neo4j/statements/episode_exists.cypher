// Which of some ids are there for the caller.
// space, walls, all_walls, ids -> ids
UNWIND $given.ids AS id
MATCH (n:Episodic {group_id: $space, uuid: id})
USING INDEX SEEK n:Episodic(group_id, uuid)
WHERE ($given.all_walls OR n.wall IN $given.walls)
RETURN collect(id) AS ids
