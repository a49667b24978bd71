// Deletes episodes with their mentions and passages.
// space, walls, all_walls, ids -> how many
UNWIND $ids AS id
MATCH (n:Episodic {group_id: $space, uuid: id})
WHERE ($all_walls OR n.wall IN $walls)
OPTIONAL MATCH (p:Passage {group_id: $space, owner: id}) WHERE p.kind = n.kind
DETACH DELETE p, n
RETURN count(DISTINCT id) AS erased
