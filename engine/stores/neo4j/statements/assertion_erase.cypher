// Deletes assertions.
// space, walls, all_walls, ids -> how many
UNWIND $given.ids AS id
MATCH (n:Assertion {group_id: $space, uuid: id})
USING INDEX SEEK n:Assertion(group_id, uuid)
WHERE ($given.all_walls OR n.wall IN $given.walls)
DETACH DELETE n
RETURN count(*) AS erased
