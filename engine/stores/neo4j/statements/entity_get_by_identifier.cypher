// Live entities by identifiers.
// space, walls, all_walls, keys -> key, summary, rest
UNWIND $given.keys AS wanted
MATCH (h:Handle {group_id: $space, kind: 'identifier', key: wanted})
MATCH (n:Entity {group_id: $space, uuid: h.entity})
WHERE n.live AND ($given.all_walls OR n.wall IN $given.walls)
RETURN wanted, n.summary AS summary, n.rest AS rest
ORDER BY n.uuid
