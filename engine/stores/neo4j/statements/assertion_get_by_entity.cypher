// Assertions whose subject or object is one of the entities; of slots of some groups where any are given.
// space, walls, all_walls, ids, groups -> rest
UNWIND $given.ids AS id
CALL (id) {
  MATCH (n:Assertion {group_id: $space, subject: id}) RETURN n
  UNION
  MATCH (n:Assertion {group_id: $space, object: id}) RETURN n
}
WITH DISTINCT n WHERE ($given.all_walls OR n.wall IN $given.walls)
  AND (size($given.groups) = 0 OR split(n.slot, '.')[0] IN $given.groups)
RETURN n.rest AS rest
ORDER BY n.recorded_ms, n.place, n.uuid
