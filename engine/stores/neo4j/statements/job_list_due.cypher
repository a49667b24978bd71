// Whether any job is due. Over every space, for the workers.
// kinds, now, never (after it no job is put off), limit -> group_id
MATCH (n:Job)
WHERE (n.free_ms <= $given.now OR n.free_ms > $given.never) AND n.kind IN $given.kinds
RETURN n.group_id AS space LIMIT 1
