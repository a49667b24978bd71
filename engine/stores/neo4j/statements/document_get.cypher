// One document.
// space, kind, id -> rest
MATCH (n:Document {group_id: $space, kind: $given.kind, uuid: $given.id})
RETURN n.rest AS rest
