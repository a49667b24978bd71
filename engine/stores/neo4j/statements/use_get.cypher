// How often and when last memories were handed out.
// space, walls, all_walls, held, told, entities (lists of maps of kind and id) -> kind, id, count, last_ms
CALL () {
  UNWIND $given.held AS wanted
  MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: wanted.id}]->()
  USING INDEX SEEK r:RELATES_TO(group_id, uuid, version)
  USING INDEX SEEK r:SET_ASIDE(group_id, uuid, version)
  WHERE r.version > 0 AND r.kind = wanted.kind AND r.used_ms IS NOT NULL AND ($given.all_walls OR r.wall IN $given.walls)
  RETURN wanted, r.used_count AS count, r.used_ms AS last_ms
  UNION
  UNWIND $given.told AS wanted
  MATCH (n:Episodic|Summary {group_id: $space, uuid: wanted.id})
  USING INDEX SEEK n:Episodic(group_id, uuid)
  USING INDEX SEEK n:Summary(group_id, uuid)
  WHERE n.kind = wanted.kind AND n.used_ms IS NOT NULL AND ($given.all_walls OR n.wall IN $given.walls)
  RETURN wanted, n.used_count AS count, n.used_ms AS last_ms
  UNION
  UNWIND $given.entities AS wanted
  MATCH (n:Entity {group_id: $space, uuid: wanted.id})
  USING INDEX SEEK n:Entity(group_id, uuid)
  WHERE n.used_ms IS NOT NULL AND ($given.all_walls OR n.wall IN $given.walls)
  RETURN wanted, n.used_count AS count, n.used_ms AS last_ms
}
RETURN wanted.kind AS kind, wanted.place AS place, max(count) AS count, max(last_ms) AS last_ms
