// Copies onto passages what their memories are filtered by.
// space, ids
UNWIND $given.ids AS id
MATCH (n:Episodic|Summary {group_id: $space, uuid: id})
MATCH (p:Passage {group_id: $space, owner: id})
WHERE p.kind = n.kind
SET p.audience = n.audience, p.hidden = n.hidden, p.importance = n.importance, p.recorded_ms = n.recorded_ms
