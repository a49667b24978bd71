// Deletes episodes with their mentions and passages.
// space, walls, all_walls, ids -> how many
UNWIND $given.ids AS id
MATCH (n:Episodic {group_id: $space, uuid: id})
USING INDEX SEEK n:Episodic(group_id, uuid)
WHERE ($given.all_walls OR n.wall IN $given.walls)
OPTIONAL MATCH (p:Passage {group_id: $space, owner: id}) WHERE p.kind = n.kind
DETACH DELETE p, n
RETURN count(DISTINCT id) AS erased
