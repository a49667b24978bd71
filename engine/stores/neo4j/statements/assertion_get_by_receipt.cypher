// Assertions, withdrawn ones included, in the order in which they were recorded.
// space, walls, all_walls, receipt -> rest
MATCH (n:Assertion {group_id: $space, receipt: $given.receipt})
WHERE ($given.all_walls OR n.wall IN $given.walls)
RETURN n.rest AS rest
ORDER BY n.recorded_ms, n.place, n.uuid
