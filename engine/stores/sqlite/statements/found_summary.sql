-- Found memories with their index terms.
-- Parameters: space, walls (JSON list), all_walls, rows (JSON list). Columns: row, words, then those of summary.
SELECT s.row, coalesce(w.words, ''), {summary:s}
FROM json_each(:rows) AS r
CROSS JOIN summaries AS s ON s.space = :space AND s.row = r.value
LEFT JOIN entries AS w ON w.space = :space AND w.kind = 'summary' AND w.id = s.id
WHERE {walls:s}
ORDER BY s.row
