// Jobs in order of id.
// space, state (null for any), after, limit -> rest
MATCH (n:Job {group_id: $space})
WHERE n.uuid > $after AND ($state IS NULL OR n.state = $state)
RETURN n.rest AS rest
ORDER BY n.uuid LIMIT $limit
