-- Summaries in order of id, after the one named.
-- Parameters: space, walls (JSON list), all_walls, after, limit. Columns: of summary.
SELECT {summary:s}
FROM summaries AS s
WHERE s.space = :space AND s.id > :after AND {walls:s}
ORDER BY s.id
LIMIT :limit
