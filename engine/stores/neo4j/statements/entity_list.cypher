// Entities that were not merged away, newest first.
// space, walls, all_walls, prefix, text (folded, '' for any), type ('' for any), archived, after_ms, after_id, limit -> summary, rest
MATCH (n:Entity {group_id: $space})
WHERE n.created_ms <= $after_ms AND (n.created_ms < $after_ms OR n.uuid > $after_id)
  AND ($all_walls OR n.wall IN $walls) AND n.listed AND ($archived OR n.live)
  AND ($type = '' OR n.type = $type)
  AND ($prefix = '' OR any(alias IN n.alias_keys WHERE alias STARTS WITH $prefix))
  AND ($text = '' OR any(alias IN n.alias_keys WHERE alias CONTAINS $text))
RETURN n.summary AS summary, n.rest AS rest
ORDER BY n.created_ms DESC, n.uuid LIMIT $limit
