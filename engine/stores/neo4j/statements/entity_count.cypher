// How many facts in force touch each entity, and when it was first and last mentioned.
// space, walls, all_walls, ids, as_of, known_at -> rest, facts, first_ms, last_ms
UNWIND $given.ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})
USING INDEX SEEK n:Entity(group_id, uuid)
WHERE ($given.all_walls OR n.wall IN $given.walls)
CALL (n) {
  MATCH (n)-[r:RELATES_TO|SET_ASIDE {group_id: $space}]-()
  WITH DISTINCT r
  WHERE ($given.all_walls OR r.wall IN $given.walls) AND r.hidden = 0
    AND r.created_ms <= $given.known_at AND r.expired_ms > $given.known_at
    AND r.valid_ms <= $given.as_of AND r.invalid_ms > $given.as_of
  RETURN count(r) AS facts
}
CALL (n) {
  MATCH (n)<-[m:MENTIONS {group_id: $space}]-(e {group_id: $space})
  WHERE ($given.all_walls OR m.wall IN $given.walls) AND ($given.all_walls OR e.wall IN $given.walls) AND e.recorded_ms <= $given.known_at
  RETURN min(e.occurred_ms) AS first_ms, max(e.occurred_ms) AS last_ms
}
RETURN n.rest AS rest, facts, first_ms, last_ms
