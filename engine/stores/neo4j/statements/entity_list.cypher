// Entities that were not merged away, newest first.
// space, walls, all_walls, prefix, text (folded, '' for any), types ([] for any), archived, after_ms, after_id, limit -> summary, rest
MATCH (n:Entity {group_id: $space})
WHERE n.created_ms <= $given.after_ms AND (n.created_ms < $given.after_ms OR n.uuid > $given.after_id)
  AND ($given.all_walls OR n.wall IN $given.walls) AND n.listed AND ($given.archived OR n.live)
  AND (n.type IN $given.types OR size($given.types) = 0 AND n.type <> 'value')
  AND ($given.prefix = '' OR any(alias IN n.alias_keys WHERE alias STARTS WITH $given.prefix))
  AND ($given.text = '' OR any(alias IN n.alias_keys WHERE alias CONTAINS $given.text))
RETURN n.summary AS summary, n.rest AS rest
ORDER BY n.created_ms DESC, n.uuid LIMIT $given.limit
