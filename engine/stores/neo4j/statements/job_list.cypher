// Jobs in order of id.
// space, state (null for any), after, limit -> rest
MATCH (n:Job {group_id: $space})
WHERE n.uuid > $given.after AND ($given.state IS NULL OR n.state = $given.state)
RETURN n.rest AS rest
ORDER BY n.uuid LIMIT $given.limit
