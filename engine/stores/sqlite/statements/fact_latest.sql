-- The latest version of each fact, expired or not.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: of fact.
SELECT {fact:f}
FROM facts AS f
WHERE f.space = :space AND f.id IN (SELECT value FROM json_each(:ids)) AND {walls:f}
    AND f.version = (SELECT max(v.version) FROM facts AS v WHERE v.space = :space AND v.id = f.id)
ORDER BY f.id
