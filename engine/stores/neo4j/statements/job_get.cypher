// One job.
// space, id -> rest
MATCH (n:Job {group_id: $space, uuid: $id})
RETURN n.rest AS rest
