// Entities that were not merged away, newest first.
// space, walls, all_walls, prefix, text (folded, '' for any), types ([] for any), user, session ('' for any), known, archived, after_ms, after_id, limit -> summary, rest
MATCH (n:Entity {group_id: $space})
WHERE n.created_ms <= $given.after_ms AND (n.created_ms < $given.after_ms OR n.uuid > $given.after_id)
  AND ($given.all_walls OR n.wall IN $given.walls) AND n.listed AND ($given.archived OR n.live)
  AND (n.type IN $given.types OR size($given.types) = 0 AND n.type <> 'value')
  AND ($given.prefix = '' OR any(alias IN n.alias_keys WHERE alias STARTS WITH $given.prefix))
  AND ($given.text = '' OR any(alias IN n.alias_keys WHERE alias CONTAINS $given.text))
  AND ($given.user = '' AND $given.session = ''
    OR EXISTS {
      MATCH (n)<-[m:MENTIONS {group_id: $space}]-(e:Episodic {group_id: $space})
      WHERE ($given.all_walls OR m.wall IN $given.walls) AND ($given.all_walls OR e.wall IN $given.walls) AND e.hidden = 0
        AND ($given.user = '' OR e.user = $given.user) AND ($given.session = '' OR e.session = $given.session)
    }
    OR EXISTS {
      MATCH (n)-[r:RELATES_TO|SET_ASIDE {group_id: $space}]-(:Entity {group_id: $space})
      WHERE ($given.all_walls OR r.wall IN $given.walls) AND r.expired_ms > $given.known AND r.hidden = 0
        AND ($given.user = '' OR r.user = $given.user) AND ($given.session = '' OR r.session = $given.session)
    })
RETURN n.summary AS summary, n.rest AS rest
ORDER BY n.created_ms DESC, n.uuid LIMIT $given.limit
