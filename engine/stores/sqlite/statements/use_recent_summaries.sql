-- Summaries last handed out, as the read filter shows them.
-- Parameters: space, walls (JSON list), all_walls, limit, the read filter. Columns: of use, words, then those of summary.
SELECT {use:u}, coalesce(w.words, ''), {summary:s}
FROM uses AS u INDEXED BY uses_by_last
CROSS JOIN summaries AS s ON s.space = :space AND s.id = u.id AND {summed:s}
LEFT JOIN entries AS w ON w.space = :space AND w.kind = u.kind AND w.id = u.id
WHERE u.space = :space AND u.kind = 'summary' AND {walls:u}
ORDER BY u.last_at DESC, u.kind, u.id
LIMIT :limit
