-- Who is mentioned in episodes.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: of mention.
SELECT {mention:m}
FROM mentions AS m
JOIN episodes AS e ON e.space = :space AND e.id = m.episode
WHERE m.space = :space AND m.episode IN (SELECT value FROM json_each(:ids)) AND {walls:m} AND {walls:e}
ORDER BY m.episode, m.entity, m.role
