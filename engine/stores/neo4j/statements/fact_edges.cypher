// Facts that touch each entity, most important first, and how many there are before the cap.
// space, walls, all_walls, ids, cap, and the filter: known, hidden, valid_high, invalid_low, kinds, importance, any_scope, users, agents, sessions, relations, types
//   -> entity rest, degree, rows (fact, rest)
UNWIND $ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})-[r:RELATES_TO|SET_ASIDE {group_id: $space}]-(other:Entity {group_id: $space})
WHERE ($all_walls OR n.wall IN $walls) AND ($all_walls OR other.wall IN $walls) AND ($all_walls OR r.wall IN $walls)
  AND r.created_ms <= $known AND r.expired_ms > $known AND r.hidden <= $hidden
  AND r.valid_ms <= $valid_high AND r.invalid_ms > $invalid_low
  AND r.kind IN $kinds AND r.importance >= $importance
  AND ($any_scope OR (r.user IN $users AND r.agent IN $agents AND r.session IN $sessions))
  AND (size($relations) = 0 OR r.kind <> 'fact' OR r.name IN $relations)
  AND (size($types) = 0 OR r.kind <> 'fact' OR r.subject_type IN $types OR r.object_type IN $types)
WITH DISTINCT n, r
ORDER BY r.importance DESC, r.valid_ms DESC, r.uuid
WITH n, count(*) AS degree, collect(r)[..$cap] AS kept
RETURN n.rest AS rest, degree, [r IN kept | [r.uuid, r.fact, r.rest]] AS facts
