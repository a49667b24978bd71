-- Every fact with a version in one of the slots, expired ones included.
-- Parameters: space, walls (JSON list), all_walls, slots (JSON list). Columns: id.
SELECT DISTINCT f.id
FROM facts AS f
WHERE f.space = :space AND f.slot IN (SELECT value FROM json_each(:slots)) AND {walls:f}
ORDER BY f.id
