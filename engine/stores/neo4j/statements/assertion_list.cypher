// Assertions in order of id.
// space, walls, all_walls, after, limit -> rest
MATCH (n:Assertion {group_id: $space})
WHERE n.uuid > $given.after AND ($given.all_walls OR n.wall IN $given.walls)
RETURN n.rest AS rest
ORDER BY n.uuid LIMIT $given.limit
