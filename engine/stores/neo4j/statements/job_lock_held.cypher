// A job, locked, if it is running and this owner holds it.
// space, id, owner -> uuid
MATCH (n:Job {group_id: $space, uuid: $given.id})
USING INDEX SEEK n:Job(group_id, uuid)
SET n.claims = coalesce(n.claims, 0) + 1
WITH n WHERE n.state = 'running' AND n.owner = $given.owner
RETURN n.uuid AS uuid
