-- Which of the ids the caller may see, and their walls.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: id, wall.
SELECT DISTINCT s.id, s.wall
FROM summaries AS s
WHERE s.space = :space AND s.id IN (SELECT value FROM json_each(:ids)) AND {walls:s}
ORDER BY s.id
