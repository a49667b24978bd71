// One job.
// space, id -> rest
MATCH (n:Job {group_id: $space, uuid: $given.id})
USING INDEX SEEK n:Job(group_id, uuid)
RETURN n.rest AS rest
