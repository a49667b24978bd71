-- Every version of a fact, oldest first.
-- Parameters: space, walls (JSON list), all_walls, id. Columns: of fact.
SELECT {fact:f}
FROM facts AS f
WHERE f.space = :space AND f.id = :id AND {walls:f}
ORDER BY f.version
