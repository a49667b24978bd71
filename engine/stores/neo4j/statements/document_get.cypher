// One document.
// space, kind, id -> rest
MATCH (n:Document {group_id: $space, kind: $kind, uuid: $id})
RETURN n.rest AS rest
