-- Found memories with their index terms.
-- Parameters: space, walls (JSON list), all_walls, rows (JSON list). Columns: row, words, then those of episode.
SELECT e.row, coalesce(w.words, ''), {episode:e}
FROM json_each(:rows) AS r
CROSS JOIN episodes AS e ON e.space = :space AND e.row = r.value
LEFT JOIN entries AS w ON w.space = :space AND w.kind = 'episode' AND w.id = e.id
WHERE {walls:e}
ORDER BY e.row
