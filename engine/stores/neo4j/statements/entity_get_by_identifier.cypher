// Live entities by identifiers. The handles come first: while there are none the planner would begin with every entity.
// space, walls, all_walls, keys -> one row: a list of key, summary, rest
UNWIND $given.keys AS wanted
MATCH (h:Handle {group_id: $space, kind: 'identifier', key: wanted})
USING INDEX SEEK h:Handle(group_id, kind, key)
WITH wanted, h.entity AS entity
MATCH (n:Entity {group_id: $space, uuid: entity})
USING INDEX SEEK n:Entity(group_id, uuid)
WHERE n.live AND ($given.all_walls OR n.wall IN $given.walls)
RETURN collect([wanted, n.summary, n.rest]) AS rows
