-- Entities by wall, type and canonical key.
-- Parameters: space, walls (JSON list), all_walls, keys (JSON list of [wall, type, key]). Columns: of entity.
SELECT {entity:e}
FROM json_each(:keys) AS k
CROSS JOIN entities AS e INDEXED BY entities_by_key ON e.space = :space
    AND e.wall = json_extract(k.value, '$[0]')
    AND e.type = json_extract(k.value, '$[1]')
    AND e.key = json_extract(k.value, '$[2]')
WHERE {walls:e}
ORDER BY e.id
