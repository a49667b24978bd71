-- Found memories with their index terms.
-- Parameters: space, walls (JSON list), all_walls, rows (JSON list). Columns: row, words, then those of fact.
SELECT f.row, coalesce(w.words, ''), {fact:f}
FROM json_each(:rows) AS r
CROSS JOIN facts AS f ON f.space = :space AND f.row = r.value
LEFT JOIN entries AS w ON w.space = :space AND w.kind = f.kind AND w.id = f.id
WHERE {walls:f}
ORDER BY f.row
