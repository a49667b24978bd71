// Entities by wall, type and key.
// space, walls, all_walls, keys (maps of wall, type, key) -> summary, rest
UNWIND $given.keys AS wanted
MATCH (n:Entity {group_id: $space, wall: wanted.wall, type: wanted.type, key: wanted.key})
WHERE ($given.all_walls OR n.wall IN $given.walls)
RETURN n.summary AS summary, n.rest AS rest
ORDER BY n.uuid
