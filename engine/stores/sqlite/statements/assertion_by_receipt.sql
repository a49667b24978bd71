-- All that one write asserted, in order.
-- Parameters: space, walls (JSON list), all_walls, receipt. Columns: of assertion.
SELECT {assertion:a}
FROM assertions AS a
WHERE a.space = :space AND a.receipt = :receipt AND a.receipt <> '' AND {walls:a}
ORDER BY a.recorded_at, a.place, a.id
