// The spaces that have any row. Over every space, for the operator.
// -> group_id
MATCH (s:Space)
WHERE EXISTS { MATCH (n:Episodic {group_id: s.group_id}) WHERE n.uuid IS NOT NULL }
  OR EXISTS { MATCH (n:Entity {group_id: s.group_id}) WHERE n.uuid IS NOT NULL }
  OR EXISTS { MATCH (n:Assertion {group_id: s.group_id}) WHERE n.uuid IS NOT NULL }
  OR EXISTS { MATCH (n:Summary {group_id: s.group_id}) WHERE n.uuid IS NOT NULL }
  OR EXISTS { MATCH (n:Document {group_id: s.group_id}) WHERE n.kind IS NOT NULL AND n.uuid IS NOT NULL }
  OR EXISTS { MATCH (n:Job {group_id: s.group_id}) WHERE n.uuid IS NOT NULL }
RETURN s.group_id AS group_id
ORDER BY group_id
