// Deletes entities with their handles, and every fact and mention that touches them.
// space, walls, all_walls, ids -> how many
UNWIND $given.ids AS id
MATCH (n:Entity {group_id: $space, uuid: id})
USING INDEX SEEK n:Entity(group_id, uuid)
WHERE ($given.all_walls OR n.wall IN $given.walls)
CALL (n) {
  MATCH (n)-[r:RELATES_TO|SET_ASIDE {group_id: $space}]-()
  WHERE r.parts > 0
  MATCH (p:Passage {group_id: $space, owner: r.uuid}) WHERE p.held
  WITH DISTINCT p DELETE p
}
CALL (n) { MATCH (h:Handle {group_id: $space, entity: n.uuid}) DELETE h }
DETACH DELETE n
RETURN count(*) AS erased
