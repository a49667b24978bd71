-- Which of the ids the caller may see, and their walls.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: id, wall.
SELECT DISTINCT a.id, a.wall
FROM assertions AS a
WHERE a.space = :space AND a.id IN (SELECT value FROM json_each(:ids)) AND {walls:a}
ORDER BY a.id
