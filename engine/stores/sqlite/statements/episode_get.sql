-- Episodes by id.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: of episode.
SELECT {episode:e}
FROM episodes AS e
WHERE e.space = :space AND e.id IN (SELECT value FROM json_each(:ids))
    AND {walls:e}
ORDER BY e.id
