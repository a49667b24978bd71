// Assertions, withdrawn ones included, in the order in which they were recorded.
// space, walls, all_walls, ids -> rest
UNWIND $ids AS id
MATCH (n:Assertion {group_id: $space, episode: id})
WHERE ($all_walls OR n.wall IN $walls)
RETURN n.rest AS rest
ORDER BY n.recorded_ms, n.place, n.uuid
