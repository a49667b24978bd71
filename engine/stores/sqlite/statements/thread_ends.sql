-- The highest position in each thread.
-- Parameters: space, walls (JSON list), all_walls, threads (JSON list). Columns: thread, position.
SELECT e.thread, max(e.position)
FROM episodes AS e
WHERE e.space = :space AND e.thread IN (SELECT value FROM json_each(:threads)) AND e.thread <> '' AND {walls:e}
GROUP BY e.thread
ORDER BY e.thread
