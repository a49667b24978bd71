// Due jobs, locked: what was read before a lock was there is read again. Over every space, for the workers.
// kinds, now, never (after it no job is put off), limit -> group_id, rest
MATCH (n:Job)
WHERE (n.free_ms <= $given.now OR n.free_ms > $given.never) AND n.kind IN $given.kinds
WITH n ORDER BY n.due_ms, n.group_id, n.uuid LIMIT $given.limit
SET n.claims = coalesce(n.claims, 0) + 1
WITH n WHERE n.free_ms <= $given.now OR n.free_ms > $given.never
RETURN n.group_id AS space, n.rest AS rest
ORDER BY n.due_ms, n.group_id, n.uuid
