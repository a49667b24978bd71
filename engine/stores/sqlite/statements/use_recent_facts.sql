-- Facts, preferences and skills last handed out, as the read filter shows them.
-- Parameters: space, walls (JSON list), all_walls, limit, the read filter. Columns: of use, words, then those of fact.
SELECT {use:u}, coalesce(w.words, ''), {fact:f}
FROM uses AS u INDEXED BY uses_by_last
CROSS JOIN facts AS f ON f.space = :space AND f.id = u.id AND f.kind = u.kind AND {held:f}
LEFT JOIN entries AS w ON w.space = :space AND w.kind = u.kind AND w.id = u.id
WHERE u.space = :space AND {walls:u}
ORDER BY u.last_at DESC, u.kind, u.id
LIMIT :limit
