-- All assertions that have one of the entities as subject or object, in the order told.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: of assertion.
WITH touching AS (
    SELECT s.id AS id
    FROM assertions AS s INDEXED BY assertions_by_subject
    WHERE s.space = :space AND s.subject IN (SELECT value FROM json_each(:ids))
    UNION
    SELECT o.id
    FROM assertions AS o INDEXED BY assertions_by_object
    WHERE o.space = :space AND o.object IN (SELECT value FROM json_each(:ids))
)
SELECT {assertion:a}
FROM touching
CROSS JOIN assertions AS a ON a.space = :space AND a.id = touching.id
WHERE {walls:a}
ORDER BY a.recorded_at, a.place, a.id
