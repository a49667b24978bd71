// Used memories that the filter shows, the latest first.
// space, walls, all_walls, limit, and the filter: known, hidden, valid_high, invalid_low, kinds, importance, any_scope, users, agents, sessions, relations, types
// One index, one branch: in the index's own order (the space is part of it) each reads only as many rows as it gives.
//   -> one row: a list of kind, text, rest, words, count, last_ms
CALL () {
  MATCH ()-[r:RELATES_TO {group_id: $space}]->()
  USING INDEX r:RELATES_TO(group_id, used_ms)
  WHERE r.used_ms > 0 AND ($given.all_walls OR r.wall IN $given.walls)
  AND r.created_ms <= $given.known AND r.expired_ms > $given.known AND r.hidden <= $given.hidden
  AND r.valid_ms <= $given.valid_high AND r.invalid_ms > $given.invalid_low
  AND r.kind IN $given.kinds AND r.importance >= $given.importance
  AND ($given.any_scope OR (r.user IN $given.users AND r.agent IN $given.agents AND r.session IN $given.sessions))
  AND (size($given.relations) = 0 OR r.kind <> 'fact' OR r.name IN $given.relations)
  AND (size($given.types) = 0 OR r.kind <> 'fact' OR r.subject_type IN $given.types OR r.object_type IN $given.types)
  RETURN r.kind AS kind, r.uuid AS uuid, r.fact AS text, r.rest AS rest, r.words AS words, r.used_count AS count, r.used_ms AS last_ms
  ORDER BY r.group_id DESC, r.used_ms DESC, r.kind, r.uuid LIMIT $given.limit
  UNION ALL
  MATCH ()-[r:SET_ASIDE {group_id: $space}]->()
  USING INDEX r:SET_ASIDE(group_id, used_ms)
  WHERE r.used_ms > 0 AND ($given.all_walls OR r.wall IN $given.walls)
  AND r.created_ms <= $given.known AND r.expired_ms > $given.known AND r.hidden <= $given.hidden
  AND r.valid_ms <= $given.valid_high AND r.invalid_ms > $given.invalid_low
  AND r.kind IN $given.kinds AND r.importance >= $given.importance
  AND ($given.any_scope OR (r.user IN $given.users AND r.agent IN $given.agents AND r.session IN $given.sessions))
  AND (size($given.relations) = 0 OR r.kind <> 'fact' OR r.name IN $given.relations)
  AND (size($given.types) = 0 OR r.kind <> 'fact' OR r.subject_type IN $given.types OR r.object_type IN $given.types)
  RETURN r.kind AS kind, r.uuid AS uuid, r.fact AS text, r.rest AS rest, r.words AS words, r.used_count AS count, r.used_ms AS last_ms
  ORDER BY r.group_id DESC, r.used_ms DESC, r.kind, r.uuid LIMIT $given.limit
  UNION ALL
  MATCH (m:Episodic {group_id: $space})
  USING INDEX m:Episodic(group_id, used_ms)
  WHERE m.used_ms > 0 AND ($given.all_walls OR m.wall IN $given.walls)
  AND m.recorded_ms <= $given.known AND m.hidden <= $given.hidden
  AND m.kind IN $given.kinds AND m.importance >= $given.importance
  AND ($given.any_scope OR (m.user IN $given.users AND m.agent IN $given.agents AND m.session IN $given.sessions))
  RETURN m.kind AS kind, m.uuid AS uuid, m.content AS text, m.rest AS rest, m.words AS words, m.used_count AS count, m.used_ms AS last_ms
  ORDER BY m.group_id DESC, m.used_ms DESC, m.kind, m.uuid LIMIT $given.limit
  UNION ALL
  MATCH (m:Summary {group_id: $space})
  USING INDEX m:Summary(group_id, used_ms)
  WHERE m.used_ms > 0 AND ($given.all_walls OR m.wall IN $given.walls)
  AND m.recorded_ms <= $given.known AND m.hidden <= $given.hidden
  AND m.kind IN $given.kinds AND m.importance >= $given.importance
  AND ($given.any_scope OR (m.user IN $given.users AND m.agent IN $given.agents AND m.session IN $given.sessions))
  RETURN m.kind AS kind, m.uuid AS uuid, m.content AS text, m.rest AS rest, m.words AS words, m.used_count AS count, m.used_ms AS last_ms
  ORDER BY m.group_id DESC, m.used_ms DESC, m.kind, m.uuid LIMIT $given.limit
}
WITH kind, uuid, text, rest, words, count, last_ms
ORDER BY last_ms DESC, kind, uuid LIMIT $given.limit
RETURN collect([kind, text, rest, words, count, last_ms]) AS rows
