-- Which of the episodes the read filter shows.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list), the read filter. Columns: id.
SELECT e.id
FROM episodes AS e
WHERE e.space = :space AND e.id IN (SELECT value FROM json_each(:ids)) AND {told:e}
ORDER BY e.id
