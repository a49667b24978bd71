-- Summaries by id.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: of summary.
SELECT {summary:s}
FROM summaries AS s
WHERE s.space = :space AND s.id IN (SELECT value FROM json_each(:ids))
    AND {walls:s}
ORDER BY s.id
