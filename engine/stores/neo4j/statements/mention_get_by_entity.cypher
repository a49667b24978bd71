// Mentions of each entity in episodes that the filter shows, latest first, and how many there are before the cap.
// space, walls, all_walls, ids, cap, and the filter: known, hidden, kinds, importance, any_scope, users, agents, sessions
// The episodes have no label here, or the planner would, while there are few, start from all of them.
//   -> entity rest, count, rows (occurred_ms, rest)
UNWIND $given.ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})<-[r:MENTIONS {group_id: $space}]-(e {group_id: $space})
USING INDEX SEEK n:Entity(group_id, uuid)
WHERE ($given.all_walls OR r.wall IN $given.walls) AND ($given.all_walls OR e.wall IN $given.walls)
  AND e.recorded_ms <= $given.known AND e.hidden <= $given.hidden
  AND e.kind IN $given.kinds AND e.importance >= $given.importance
  AND ($given.any_scope OR (e.user IN $given.users AND e.agent IN $given.agents AND e.session IN $given.sessions))
WITH n, r, e ORDER BY e.occurred_ms DESC, e.uuid, r.role, n.uuid
WITH n, count(*) AS count, collect([e.occurred_ms, r.rest])[..$given.cap] AS kept
RETURN n.rest AS rest, count, kept
