// Assertions whose subject or object is one of the entities.
// space, walls, all_walls, ids -> rest
UNWIND $given.ids AS id
CALL (id) {
  MATCH (n:Assertion {group_id: $space, subject: id}) RETURN n
  UNION
  MATCH (n:Assertion {group_id: $space, object: id}) RETURN n
}
WITH DISTINCT n WHERE ($given.all_walls OR n.wall IN $given.walls)
RETURN n.rest AS rest
ORDER BY n.recorded_ms, n.place, n.uuid
