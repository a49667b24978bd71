-- What went since.
-- Parameters: space, seen. Columns: kind, id, entry or null.
SELECT g.kind, g.id, g.entry
FROM gone AS g
WHERE g.space = :space AND g.changed > :seen
ORDER BY g.changed
