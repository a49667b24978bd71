// Due jobs, locked: what was read before a lock was there is read again. Over every space, for the workers.
// kinds, now, limit -> group_id, rest
MATCH (n:Job)
WHERE n.free_ms <= $given.now AND n.kind IN $given.kinds
WITH n ORDER BY n.due_ms, n.group_id, n.uuid LIMIT $given.limit
SET n.claims = coalesce(n.claims, 0) + 1
WITH n WHERE n.free_ms <= $given.now
RETURN n.group_id AS space, n.rest AS rest
ORDER BY n.due_ms, n.group_id, n.uuid
