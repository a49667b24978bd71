// Summaries in order of id, after the one named.
// space, walls, all_walls, after, limit -> content, rest
MATCH (n:Summary {group_id: $space})
WHERE n.uuid > $given.after AND ($given.all_walls OR n.wall IN $given.walls)
RETURN n.content AS content, n.rest AS rest
ORDER BY n.uuid LIMIT $given.limit
