// Deletes assertions.
// space, walls, all_walls, ids -> how many
UNWIND $ids AS id
MATCH (n:Assertion {group_id: $space, uuid: id})
WHERE ($all_walls OR n.wall IN $walls)
DETACH DELETE n
RETURN count(*) AS erased
