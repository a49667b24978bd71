// Takes the handles of some entities away.
// space, ids
UNWIND $given.ids AS id
MATCH (h:Handle {group_id: $space, entity: id})
DELETE h
