// Takes documents away.
// space, kind, ids
UNWIND $ids AS id
MATCH (n:Document {group_id: $space, kind: $kind, uuid: id})
DELETE n
