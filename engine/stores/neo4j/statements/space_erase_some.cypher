// Deletes some of a space's rows with all that hangs on them.
// space, limit -> how many rows went
CALL () {
  MATCH (n:Episodic {group_id: $space}) WHERE n.uuid IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Entity {group_id: $space}) WHERE n.uuid IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Assertion {group_id: $space}) WHERE n.uuid IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Summary {group_id: $space}) WHERE n.uuid IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Passage {group_id: $space}) WHERE n.uuid IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Handle {group_id: $space}) WHERE n.entity IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Document {group_id: $space}) WHERE n.kind IS NOT NULL AND n.uuid IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Job {group_id: $space}) WHERE n.uuid IS NOT NULL RETURN n
}
WITH n LIMIT $given.limit
WITH n, COUNT { (n)-[:RELATES_TO|SET_ASIDE|MENTIONS {group_id: $space}]->() } AS hanging
WITH collect(n) AS nodes, count(n) + sum(hanging) AS erased
FOREACH (n IN nodes | DETACH DELETE n)
RETURN erased
