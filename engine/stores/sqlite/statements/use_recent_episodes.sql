-- Episodes last handed out, as the read filter shows them.
-- Parameters: space, walls (JSON list), all_walls, limit, the read filter. Columns: of use, words, then those of episode.
SELECT {use:u}, coalesce(w.words, ''), {episode:e}
FROM uses AS u INDEXED BY uses_by_last
CROSS JOIN episodes AS e ON e.space = :space AND e.id = u.id AND {told:e}
LEFT JOIN entries AS w ON w.space = :space AND w.kind = u.kind AND w.id = u.id
WHERE u.space = :space AND u.kind = 'episode' AND {walls:u}
ORDER BY u.last_at DESC, u.kind, u.id
LIMIT :limit
