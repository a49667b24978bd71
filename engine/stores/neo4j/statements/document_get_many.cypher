// Documents of a kind by id.
// space, kind, ids -> rest
UNWIND $given.ids AS id
MATCH (n:Document {group_id: $space, kind: $given.kind, uuid: id})
RETURN n.rest AS rest
