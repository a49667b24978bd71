// One job.
// space, id -> rest
MATCH (n:Job {group_id: $space, uuid: $given.id})
RETURN n.rest AS rest
