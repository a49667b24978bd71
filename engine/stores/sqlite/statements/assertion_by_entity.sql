-- All assertions that have one of the entities as subject or object, in the order told; of slots of some groups where any are given.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list), groups (JSON list). Columns: of assertion.
WITH touching AS (
    SELECT s.id AS id
    FROM assertions AS s INDEXED BY assertions_by_subject
    WHERE s.space = :space AND s.subject IN (SELECT value FROM json_each(:ids))
        AND (:groups = '[]' OR substr(s.slot, 1, instr(s.slot || '.', '.') - 1) IN (SELECT value FROM json_each(:groups)))
    UNION
    SELECT o.id
    FROM assertions AS o INDEXED BY assertions_by_object
    WHERE o.space = :space AND o.object IN (SELECT value FROM json_each(:ids))
        AND (:groups = '[]' OR substr(o.slot, 1, instr(o.slot || '.', '.') - 1) IN (SELECT value FROM json_each(:groups)))
)
SELECT {assertion:a}
FROM touching
CROSS JOIN assertions AS a ON a.space = :space AND a.id = touching.id
WHERE {walls:a}
ORDER BY a.recorded_at, a.place, a.id
