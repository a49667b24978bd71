// Takes documents away.
// space, kind, ids
UNWIND $given.ids AS id
MATCH (n:Document {group_id: $space, kind: $given.kind, uuid: id})
DELETE n
