-- Which of the ids the caller may see, and their walls.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: id, wall.
SELECT DISTINCT e.id, e.wall
FROM entities AS e
WHERE e.space = :space AND e.id IN (SELECT value FROM json_each(:ids)) AND {walls:e}
ORDER BY e.id
