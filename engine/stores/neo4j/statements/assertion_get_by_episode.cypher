// Assertions, withdrawn ones included, in the order in which they were recorded.
// space, walls, all_walls, ids -> rest
UNWIND $given.ids AS id
MATCH (n:Assertion {group_id: $space, episode: id})
USING INDEX SEEK n:Assertion(group_id, episode)
WHERE ($given.all_walls OR n.wall IN $given.walls)
RETURN n.rest AS rest
ORDER BY n.recorded_ms, n.place, n.uuid
