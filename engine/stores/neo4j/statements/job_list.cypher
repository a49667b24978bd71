// Jobs in order of id.
// space, state (null for any), kind ('' for any), after, limit -> rest
MATCH (n:Job {group_id: $space})
WHERE n.uuid > $given.after AND ($given.state IS NULL OR n.state = $given.state) AND ($given.kind = '' OR n.kind = $given.kind)
RETURN n.rest AS rest
ORDER BY n.uuid LIMIT $given.limit
