-- Assertions in order of id, after the one named.
-- Parameters: space, walls (JSON list), all_walls, after, limit. Columns: of assertion.
SELECT {assertion:a}
FROM assertions AS a
WHERE a.space = :space AND a.id > :after AND {walls:a}
ORDER BY a.id
LIMIT :limit
