-- All evidence of slots, withdrawn included, in the order told.
-- Parameters: space, walls (JSON list), all_walls, slots (JSON list). Columns: of assertion.
SELECT {assertion:a}
FROM assertions AS a
WHERE a.space = :space AND a.slot IN (SELECT value FROM json_each(:slots))
    AND {walls:a}
ORDER BY a.recorded_at, a.place, a.id
