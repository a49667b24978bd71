// Whether any job is due. Over every space, for the workers.
// kinds, now, limit -> group_id
MATCH (n:Job)
WHERE n.free_ms <= $given.now AND n.kind IN $given.kinds
RETURN n.group_id AS space LIMIT 1
