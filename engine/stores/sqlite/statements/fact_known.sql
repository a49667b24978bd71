-- The version of each fact that was in force in record time.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list), known_at. Columns: of fact.
SELECT {fact:f}
FROM facts AS f
WHERE f.space = :space AND f.id IN (SELECT value FROM json_each(:ids)) AND {walls:f}
    AND f.created_at <= :known_at AND :known_at < f.expired_at
ORDER BY f.id, f.version
