// The episodes before and after each, in its thread; hidden ones as none.
// space, walls, all_walls, ids, and the filter: known, hidden, importance, kinds, any_scope, users, agents, sessions
//   -> rest, previous rest or null, next rest or null
UNWIND $given.ids AS id
MATCH (e:Episodic {group_id: $space, uuid: id})
USING INDEX SEEK e:Episodic(group_id, uuid)
WHERE ($given.all_walls OR e.wall IN $given.walls)
  CALL (e) {
    MATCH (n:Episodic {group_id: $space})
    WHERE n.thread = e.thread AND n.position <= e.position
      AND (n.position < e.position OR n.uuid < e.uuid) AND ($given.all_walls OR n.wall IN $given.walls)
    WITH n ORDER BY n.position DESC, n.uuid DESC LIMIT 1
    RETURN collect(CASE WHEN n.recorded_ms <= $given.known AND n.hidden <= $given.hidden AND n.importance >= $given.importance AND 'episode' IN $given.kinds
      AND ($given.any_scope OR (n.user IN $given.users AND n.agent IN $given.agents AND n.session IN $given.sessions)) THEN n.rest END) AS earlier
  }
  CALL (e) {
    MATCH (n:Episodic {group_id: $space})
    WHERE n.thread = e.thread AND n.position >= e.position
      AND (n.position > e.position OR n.uuid > e.uuid) AND ($given.all_walls OR n.wall IN $given.walls)
    WITH n ORDER BY n.position, n.uuid LIMIT 1
    RETURN collect(CASE WHEN n.recorded_ms <= $given.known AND n.hidden <= $given.hidden AND n.importance >= $given.importance AND 'episode' IN $given.kinds
      AND ($given.any_scope OR (n.user IN $given.users AND n.agent IN $given.agents AND n.session IN $given.sessions)) THEN n.rest END) AS later
  }
RETURN e.rest AS rest, head(earlier) AS previous, head(later) AS next
