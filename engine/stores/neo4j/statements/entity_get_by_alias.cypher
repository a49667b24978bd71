// Live entities by folded aliases. The handles come first: while there are none the planner would begin with every entity.
// space, walls, all_walls, keys -> one row: a list of key, summary, rest
UNWIND $given.keys AS wanted
CALL (wanted) {
  MATCH (n:Entity {group_id: $space, first_alias: wanted})
  USING INDEX SEEK n:Entity(group_id, first_alias)
  RETURN n
  UNION
  MATCH (h:Handle {group_id: $space, kind: 'alias', key: wanted})
  USING INDEX SEEK h:Handle(group_id, kind, key)
  WITH h.entity AS entity
  MATCH (n:Entity {group_id: $space, uuid: entity})
  USING INDEX SEEK n:Entity(group_id, uuid)
  RETURN n
}
WITH wanted, n WHERE n.live AND ($given.all_walls OR n.wall IN $given.walls)
RETURN collect([wanted, n.summary, n.rest]) AS rows
