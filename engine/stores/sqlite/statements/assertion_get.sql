-- Assertions by id.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: of assertion.
SELECT {assertion:a}
FROM assertions AS a
WHERE a.space = :space AND a.id IN (SELECT value FROM json_each(:ids))
    AND {walls:a}
ORDER BY a.id
