-- Entities by id, merged-away and archived ones included.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: of entity.
SELECT {entity:e}
FROM entities AS e
WHERE e.space = :space AND e.id IN (SELECT value FROM json_each(:ids))
    AND {walls:e}
ORDER BY e.id
