// Takes the handles of some entities away.
// space, ids
UNWIND $ids AS id
MATCH (h:Handle {group_id: $space, entity: id})
DELETE h
