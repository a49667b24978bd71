// How many current facts touch each entity, and when it was first and last mentioned.
// space, walls, all_walls, ids, at -> rest, facts, first_ms, last_ms
UNWIND $ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})
WHERE ($all_walls OR n.wall IN $walls)
CALL (n) {
  MATCH (n)-[r:RELATES_TO {group_id: $space}]-()
  WHERE ($all_walls OR r.wall IN $walls) AND r.created_ms <= $at AND r.valid_ms <= $at AND r.invalid_ms > $at
  RETURN count(DISTINCT r) AS facts
}
CALL (n) {
  MATCH (n)<-[m:MENTIONS {group_id: $space}]-(e:Episodic {group_id: $space})
  WHERE ($all_walls OR m.wall IN $walls) AND ($all_walls OR e.wall IN $walls) AND e.recorded_ms <= $at
  RETURN min(e.occurred_ms) AS first_ms, max(e.occurred_ms) AS last_ms
}
RETURN n.rest AS rest, facts, first_ms, last_ms
