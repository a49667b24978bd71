// Used memories that the filter shows, the latest first.
// space, walls, all_walls, limit, and the filter: known, hidden, valid_high, invalid_low, kinds, importance, any_scope, users, agents, sessions, relations, types
//   -> kind, text, rest, words, count, last_ms
CALL () {
  MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space}]->()
  WHERE r.used_ms IS NOT NULL AND ($all_walls OR r.wall IN $walls)
  AND r.created_ms <= $known AND r.expired_ms > $known AND r.hidden <= $hidden
  AND r.valid_ms <= $valid_high AND r.invalid_ms > $invalid_low
  AND r.kind IN $kinds AND r.importance >= $importance
  AND ($any_scope OR (r.user IN $users AND r.agent IN $agents AND r.session IN $sessions))
  AND (size($relations) = 0 OR r.kind <> 'fact' OR r.name IN $relations)
  AND (size($types) = 0 OR r.kind <> 'fact' OR r.subject_type IN $types OR r.object_type IN $types)
  RETURN r.kind AS kind, r.uuid AS uuid, r.fact AS text, r.rest AS rest, r.words AS words, r.used_count AS count, r.used_ms AS last_ms
  ORDER BY r.used_ms DESC, r.kind, r.uuid LIMIT $limit
  UNION ALL
  MATCH (m:Episodic|Summary {group_id: $space})
  WHERE m.used_ms IS NOT NULL AND ($all_walls OR m.wall IN $walls)
  AND m.recorded_ms <= $known AND m.hidden <= $hidden
  AND m.kind IN $kinds AND m.importance >= $importance
  AND ($any_scope OR (m.user IN $users AND m.agent IN $agents AND m.session IN $sessions))
  RETURN m.kind AS kind, m.uuid AS uuid, m.content AS text, m.rest AS rest, m.words AS words, m.used_count AS count, m.used_ms AS last_ms
  ORDER BY m.used_ms DESC, m.kind, m.uuid LIMIT $limit
}
RETURN kind, text, rest, words, count, last_ms
ORDER BY last_ms DESC, kind, uuid LIMIT $limit
