// Facts that touch each entity, most important first, and how many there are before the caps, in all and of each relation and
// direction.
// space, walls, all_walls, ids, cap, per_kind, and the filter: known, hidden, valid_high, invalid_low, kinds, importance, any_scope, users, agents, sessions, relations, types
//   -> one row: a list of entity, degree, kinds (relation, whether the entity is the subject, how many), rows (uuid, fact, rest)
UNWIND $given.ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})-[r:RELATES_TO|SET_ASIDE {group_id: $space}]-()
USING INDEX SEEK n:Entity(group_id, uuid)
WITH DISTINCT n, r
WHERE ($given.all_walls OR r.wall IN $given.walls)
  AND r.created_ms <= $given.known AND r.expired_ms > $given.known AND r.hidden <= $given.hidden
  AND r.valid_ms <= $given.valid_high AND r.invalid_ms > $given.invalid_low
  AND r.kind IN $given.kinds AND r.importance >= $given.importance
  AND ($given.any_scope OR (r.user IN $given.users AND r.agent IN $given.agents AND r.session IN $given.sessions))
  AND (size($given.relations) = 0 OR r.kind <> 'fact' OR r.name IN $given.relations)
  AND (size($given.types) = 0 OR r.kind <> 'fact' OR r.subject_type IN $given.types OR r.object_type IN $given.types)
WITH n, r, startNode(r) = n AS out
ORDER BY r.importance DESC, r.valid_ms DESC, r.uuid
WITH n, r.name AS name, out, count(*) AS crowd, collect(r)[..$given.per_kind] AS kept
WITH n, sum(crowd) AS degree, collect([name, out, crowd]) AS kinds, collect(kept) AS groups
CALL (groups) {
  UNWIND groups AS some
  UNWIND some AS r
  WITH r
  ORDER BY r.importance DESC, r.valid_ms DESC, r.uuid LIMIT $given.cap
  RETURN collect([r.uuid, r.fact, r.rest]) AS facts
}
RETURN collect([n.uuid, degree, kinds, facts]) AS rows
