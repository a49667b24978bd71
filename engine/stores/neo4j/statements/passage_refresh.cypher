// Copies onto passages what their memories are filtered by.
// space, ids
UNWIND $given.ids AS id
MATCH (n:Episodic|Summary {group_id: $space, uuid: id})
USING INDEX SEEK n:Episodic(group_id, uuid)
USING INDEX SEEK n:Summary(group_id, uuid)
WITH n, id
MATCH (p:Passage {group_id: $space, owner: id})
USING INDEX SEEK p:Passage(group_id, owner)
WHERE p.kind = n.kind
SET p.audience = n.audience, p.hidden = n.hidden, p.importance = n.importance, p.recorded_ms = n.recorded_ms
