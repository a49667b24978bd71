// Mentions of each entity in episodes that the filter shows, latest first, and how many there are before the cap.
// space, walls, all_walls, ids, cap, and the filter: known, hidden, kinds, importance, any_scope, users, agents, sessions
//   -> entity rest, count, rows (occurred_ms, rest)
UNWIND $ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})<-[r:MENTIONS {group_id: $space}]-(e:Episodic {group_id: $space})
WHERE ($all_walls OR n.wall IN $walls) AND ($all_walls OR r.wall IN $walls) AND ($all_walls OR e.wall IN $walls)
  AND e.recorded_ms <= $known AND e.hidden <= $hidden
  AND e.kind IN $kinds AND e.importance >= $importance
  AND ($any_scope OR (e.user IN $users AND e.agent IN $agents AND e.session IN $sessions))
WITH n, r, e ORDER BY e.occurred_ms DESC, e.uuid, r.role, n.uuid
WITH n, count(*) AS count, collect([e.occurred_ms, r.rest])[..$cap] AS kept
RETURN n.rest AS rest, count, kept
