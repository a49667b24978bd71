-- Which of the ids the caller may see, and their walls.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: id, wall, kind.
SELECT DISTINCT f.id, f.wall, f.kind
FROM facts AS f
WHERE f.space = :space AND f.id IN (SELECT value FROM json_each(:ids)) AND {walls:f}
ORDER BY f.id
