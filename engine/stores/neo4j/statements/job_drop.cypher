// Takes jobs away that are over, some at a time.
// space, before, limit -> how many
MATCH (n:Job {group_id: $space})
WHERE n.state IN ['done', 'failed', 'cancelled'] AND n.due_ms < $given.before
WITH n LIMIT $given.limit
DELETE n
RETURN count(*) AS dropped
