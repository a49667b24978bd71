-- Live entities by alias key or identifier.
-- Parameters: space, walls (JSON list), all_walls, sort (alias | identifier), keys (JSON list). Columns: the key, then those of entity.
SELECT n.key, {entity:e}
FROM names AS n
JOIN entities AS e ON e.space = :space AND e.id = n.entity
WHERE n.space = :space AND n.sort = :sort AND n.key IN (SELECT value FROM json_each(:keys))
    AND e.merged_into IS NULL AND NOT e.archived AND {walls:e}
ORDER BY n.key, e.id
